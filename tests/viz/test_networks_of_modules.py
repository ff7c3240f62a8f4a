"""The networks of tensorgrad.models in every picture: modules are scopes that fold by themselves; small ones are stepped and checked."""

import json
import re
from collections import Counter

import numpy as np
import pytest

import tensorgrad as tg
from scalargrad import Trace
from tests.each import each
from tests.viz.networks_of_modules import SMALL, resnet50
from tests.viz.script_data import script_data
from viz import draw, explore, play


@pytest.fixture(scope="module")
def graphs():
    """{name: (z, model)}, after backward()."""
    found = {name: make() for name, make in SMALL.items()}
    for z, _ in found.values():
        z.name = "z"
        z.backward(retain_graph=True)
    return found


@pytest.fixture(scope="module")
def large():
    z, model = resnet50()
    z.name = "z"
    z.backward(retain_graph=True)
    return z, model


def test_every_derivative_of_every_small_network_agrees_with_finite_differences():
    for name, make in SMALL.items():
        z, _ = make()
        assert tg.check(z, entries=1), name  # one entry of each array, and all along a random direction


@each("name", SMALL)
def test_the_steps_of_a_network_end_at_its_gradients(graphs, name):
    z, model = graphs[name]
    found = Trace(z).computed
    for parameter, p in model.named_parameters():
        np.testing.assert_allclose(found[p.node].number, p.grad, rtol=1e-9, atol=1e-12, err_msg=parameter)


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.sweep if name == "cnn" else pytest.mark.slow) for name in SMALL])
def test_a_network_is_played(graphs, name):
    z, model = graphs[name]
    page = play(z)
    data = json.loads(script_data(page))
    names = {variable["name"] for variable in data["variables"]}
    tails = [Counter(name.rpartition(".")[2] for name in found) for found in (names, [p for p, _ in model.named_parameters()])]
    assert tails[1] - tails[0] <= Counter(weight=name == "gpt") and len(page.html) < 1_500_000  # whose word table is shared


def titles(z, **options):
    """Return the texts of a drawing and its width in points."""
    svg = draw(z, **options).svg
    return re.findall(r"<text[^>]*>([^<]*)</text>", svg), float(re.search(r'width="([\d.]+)pt', svg)[1])


def test_the_boxes_of_a_drawing_are_the_modules(graphs):
    for name, boxes in {
        "mlp": {"layer1", "layer2", "layer3"},
        "cnn": {"conv1", "conv2", "fc1", "fc2"},
        "resnet": {"conv1", "bn1", "layer1", "layer2", "fc"},
        "gpt": {"transformer", "lm_head"},
        "lstm": {"lstm", "144 parameters", "5 × step", "head"},
        "encoder": {"encoder", "290 parameters", "head"},
    }.items():
        texts, wide = titles(graphs[name][0], depth=1)
        assert boxes <= set(texts) and wide < 1300, name


def test_the_steps_of_an_lstm_and_the_layers_of_an_encoder_open(graphs):
    texts, _ = titles(graphs["lstm"][0], depth=2)
    assert {"step0", "step4", "head"} <= set(texts) and "step5" not in texts
    texts, _ = titles(graphs["encoder"][0], depth=3)
    assert {"layers.0", "layers.1", "self_attn, 2 × norm, 2 × linear", "head"} <= set(texts)


def test_a_resnet_50_folds_by_itself_to_the_blocks_of_its_stages(large):
    texts, wide = titles(large[0])
    assert {"layer1", "layer1.0", "layer1.1 … 2", "layer2.1 … 3", "layer3.1 … 5", "layer4.1 … 2", "fc"} <= set(texts)
    assert wide < 1300 and "3 × conv, 3 × bn, downsample" in texts


def test_a_module_in_its_frame_shows_the_names_of_its_own_parameters(graphs):
    texts, _ = titles(graphs["resnet"][0])
    assert (
        texts.count("weight") == 13 and texts.count("bias") == 7 and not [text for text in texts if re.match(r"(weight|bias)[₀-₉]", text)]
    )
    assert {"layer1.0", "layer2.0", "downsample.0", "downsample.1"} <= set(texts)


def test_the_drawing_of_a_gpt_is_broken_between_its_blocks(graphs):
    texts, wide = titles(graphs["gpt"][0], depth=4)
    assert texts.count("transformer") >= 3 and {"h.0", "h.1", "2 × ln, attn, mlp"} & set(texts) and wide < 1300
    assert "used 2 times" in texts  # the weights of the first and the last layer stand beside both
    assert "v₂ = v₁ + h/0/attn" in texts


def test_explore_opens_with_the_modules_of_a_network(large, graphs):
    for z, opened in (
        (large[0], {"conv1", "bn1", "layer1", "layer2", "layer3", "layer4", "fc"}),
        (graphs["gpt"][0], {"transformer", "wte", "h"}),
    ):
        data = json.loads(script_data(explore(z)))
        shown = {s["name"] for s in data["scopes"] if s["parent"] is not None and data["scopes"][s["parent"]].get("open")}
        assert opened <= shown and len(shown) < 15
        assert {"weight", "bias"} <= {node["name"] for node in data["nodes"]}


def test_a_block_that_is_computed_again_is_one_function_with_a_summary_of_its_parameters():
    from tensorgrad import models
    from tests.viz.networks_of_modules import dice, images

    net = models.ResNet(models.BasicBlock, (3,), 3, widths=(2,), stem="cifar", recompute="blocks", generator=dice(), dtype="float64")
    z = tg.cross_entropy(net(images(2, 3, 4, 4)), [0, 2])
    z.backward(retain_graph=True)
    texts, _ = titles(z)
    assert "layer1.0" in texts and any("= checkpoint(" in text for text in texts)
    norm = np.sqrt(sum((p.grad**2).sum() for p in net.layer1[0].parameters()))
    assert texts.count("6 parameters, 80 numbers") == 3 and f"‖gradient‖ = {norm:.4g}" in texts

"""Folding: which variables stand in which box, cycles between boxes, equal boxes, and what a drawing shows of them."""

import random
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import scalargrad
import tensorgrad as tg
from scalargrad import Graph, Trace, Value, nn, scope
from scalargrad.graph import inputs_first, scopes_of
from tensorgrad import Tensor
from tensorgrad import nn as tensor_nn
from tests.clock import assert_linear, cpu_seconds
from tests.each import each, swept
from tests.examples import at_most
from tests.viz.drawing.test_draw import SVG, TITLE, luminance, places, texts
from tests.viz.graphs import edges_of
from tests.viz.networks import mlp, resnet50
from viz import draw
from viz.array_picture import BAR
from viz.drawing.arrays import heatmap
from viz.drawing.folding import Folded, Folding
from viz.drawing.scopes.scopes import Box, closing, matches, neighbours
from viz.drawing.svg.html_label import Line
from viz.theme import THEMES

PAGE = 1200  # pixels


def folded(z, most=10**6, **options):
    return Folding(**options)(inputs_first(z), most)


def boxes(z, **options):
    """Return {title of a box: the number of its variables}."""
    found = folded(z, **options)
    return {"/".join(box.path[:-1] + (box.title,)): len(box.variables) for box in found.boxes}


class Shown:
    """A drawing as its SVG shows it: things by their first text, edges between them, frames."""

    def __init__(self, drawing):
        from xml.etree import ElementTree

        self.root = ElementTree.fromstring(drawing.pipe("svg", encoding="utf-8"))
        groups = [g for g in self.root.iter(SVG + "g") if g.get("class") not in (None, "node label")]  # a label that is painted last
        of = lambda kind: [g for g in groups if g.get("class").split()[0] == kind]
        self.nodes = {g.find(SVG + "title").text: g for g in of("node") if texts(g)}
        self.edges = {(tail, head): g for tail, head, g in edges_of(of("edge"))}
        self.frames = [texts(g)[0] for g in of("cluster") if texts(g)]
        self.caption = texts(self.root)[0]
        self.clusters = of("cluster")
        self.said = [words for g in of("node") if (words := texts(g))]

    def within(self, frame):
        """Return the nodes that lie in the frame of this title."""
        [g] = [g for g in self.clusters if texts(g) == [frame]]
        left, bottom, right, top = box_of(g)
        boxes = {name: box_of(g) for name, g in self.nodes.items()}
        return [name for name, (a, b, c, d) in boxes.items() if left < a and c < right and bottom < b and d < top]

    def box(self, *first):
        [g] = [g for g in self.nodes.values() if texts(g)[: len(first)] == list(first)]
        return g


def box_of(group):
    """Return left, bottom, right and top of what a group draws."""
    drawn = [e.get("points") or e.get("d") for e in group.iter() if e.tag in (SVG + "polygon", SVG + "path")]
    numbers_ = [float(n) for text in drawn for n in re.findall(r"-?\d+\.?\d*", text)]
    xs, ys = numbers_[::2], numbers_[1::2]
    return min(xs), min(ys), max(xs), max(ys)


def width_of(drawing):
    """Return the width in pixels."""
    return float(re.search(r'<svg width="([\d.]+)pt"', drawing.pipe("svg", encoding="utf-8"))[1]) * 4 / 3


@pytest.fixture(scope="module")
def perceptron():
    z = mlp()
    z.name = "z"
    z.backward()
    return z


@pytest.fixture(scope="module")
def resnet():
    z, parameters = resnet50()
    z.backward(retain_graph=True)
    return z, parameters


# Which variables stand where


def test_a_variable_stands_in_its_scope_and_a_parameter_where_it_is_used():
    x, shared, w = Value(1.0), Value(2.0), Value(3.0)
    with scope("a"):
        p = x * w
        leaf = Value(5.0)
    with scope("b"), scope("c"):
        q = p * shared * leaf
    with scope("b"), scope("d"):
        r = q * shared
    found = scopes_of(inputs_first(x * r))
    assert [found[v] for v in (w, p, leaf, q, r)] == [("a",), ("a",), ("a",), ("b", "c"), ("b", "d")]
    assert found[x] == found[shared] == ()  # used in more than one scope, so it stands outside them
    assert scopes_of(inputs_first(nn.Neuron(2)([x, w])))[x] == ()


def test_an_array_that_several_scopes_use_stands_in_the_scope_around_them():
    weight, x, y = Tensor([2.0]), Tensor([3.0]), 0
    for name in ("step0", "step1"):
        with scope("lstm"), scope(name):
            y = y + weight
    with scope("head"):
        z = (y * x).sum()
    found = scopes_of(inputs_first((z + x).sum().node))
    assert (found[weight.node], found[x.node]) == (("lstm",), ())


def test_constants_are_not_parameters():
    c = Value(2.0, keep_grad=False)
    with scope("a"):
        y = Value(1.0) * c
    assert scopes_of(inputs_first(y))[c] == ()


@each(
    "path, pattern, yes",
    [
        ("layer1", "layer1", True),
        ("model/layer1", "layer1", True),
        ("model/layer1", "model/layer1", True),
        ("layer1/neuron3", "layer1", False),
        ("layer1/neuron3", "neuron*", True),
        ("layer1/neuron3", "layer1/*", True),
        ("layer2/neuron3", "layer1/*", False),
        ("layer1", "model/layer1", False),
        ("Layer1", "layer1", False),
    ],
)
def test_a_scope_is_named_by_the_end_of_its_path(path, pattern, yes):
    assert matches(tuple(path.split("/")), pattern) is yes


def test_depth_fold_and_expand(perceptron):
    assert boxes(perceptron, depth=1) == {"input": 2, "layer1": 128, "layer2": 800, "layer3": 49}
    by_neuron = {f"layer{k}/neuron{i}": n for k, n, many in ((1, 8, 16), (2, 50, 16), (3, 49, 1)) for i in range(1, many + 1)}
    assert boxes(perceptron, depth=2) == by_neuron
    assert boxes(perceptron, fold="neuron*") == by_neuron
    assert boxes(perceptron, fold=["layer1", "layer3"]) == {"layer1": 128, "layer3": 49}
    opened = boxes(perceptron, depth=1, expand="layer2/neuron3")
    assert opened == {"input": 2, "layer1": 128, "layer3": 49, "layer2/neuron1 … neuron16": 15 * 50}
    assert boxes(perceptron) == {}


def test_a_large_graph_is_folded_until_it_fits_on_a_page(perceptron, resnet):
    assert len(folded(perceptron, 200).things) == 35 and folded(perceptron, 200).depth == 2
    assert folded(perceptron, 30).depth == 1
    assert folded(perceptron, 979).depth is None
    assert folded(resnet[0], 200).depth == 2
    assert len(folded(resnet[0], 200).things) < 15
    assert not Folding()(inputs_first(Value(1.0) * 2), 1)  # nothing to fold


def test_names_that_are_not_a_scope_are_refused(perceptron):
    with pytest.raises(ValueError, match="draw: fold='layr1' is not a scope of this graph; there are layer3, layer3/neuron1, .*layer"):
        draw(perceptron, fold="layr1")
    with pytest.raises(ValueError, match="expand='a' is not a scope of this graph; there are none"):
        draw(Value(3.0) * 2, expand="a")
    with pytest.raises(ValueError, match="draw: depth is 0; it must be an integer from 1 on"):
        draw(perceptron, depth=0)
    with pytest.raises(ValueError, match="depth is True"):
        draw(perceptron, depth=True)


# Cycles between boxes


def acyclic(found):
    before, _ = neighbours(found.things, found.thing)
    left = dict(before)
    while left:
        free = [t for t in left if not any(a in left for a in left[t])]
        if not free:
            return False
        for t in free:
            del left[t]
    return True


def test_a_scope_that_would_be_before_and_after_another_thing_is_split():
    x = Value(2.0, name="x")
    with scope("cell"):
        a = x.exp() * 2
    b = a.tanh()
    with scope("cell"):
        z = a * b * 3
    assert boxes(z, depth=1) == {"cell (1 of 2)": 3, "cell (2 of 2)": 2}
    assert acyclic(folded(z, depth=1))
    shown = Shown(draw(z, depth=1))
    assert shown.box("cell (1 of 2)") is not shown.box("cell (2 of 2)")
    assert texts(shown.box("b"))[0] == "b"


def test_two_scopes_that_use_each_other_are_split():
    x, y = Value(1.0), Value(2.0)
    with scope("a"):
        a1, a2_of = x.exp(), lambda b2: b2.tanh()
    with scope("b"):
        b1, b2 = a1.sin(), y.cos()
    with scope("a"):
        a2 = a2_of(b2)
    z = b1 * a2
    found = folded(z, depth=1)
    assert acyclic(found) and len(found.boxes) == 3  # one of the two stays whole


def test_a_scope_that_is_used_often_without_a_cycle_stays_one_box():
    x, w = Value(1.0), Value(2.0)
    total = Value(0.0)
    for _ in range(5):
        with scope("cell"):
            y = (x * w).tanh()
        total = total + y
    found = folded(total, depth=1)
    assert [len(box.variables) for box in found.boxes] == [12] and found.boxes[0].part is None
    assert found.thing[w] is found.boxes[0]


def test_a_parameter_of_a_split_scope_stands_in_the_part_that_uses_it_first():
    x, w = Value(1.0, name="x"), Value(2.0, name="w")
    y = x * x
    for _ in range(3):
        with scope("cell"):
            y = y * w
        y = y.tanh()
    found = folded(y, depth=1)
    assert [len(box.variables) for box in found.boxes] == [2, 1, 1] and acyclic(found)


@st.composite
def graphs(draw_):
    """Return a random graph of numbers in random nested scopes."""
    made = [Value(float(i)) for i in range(draw_(st.integers(1, 3)))]
    for _ in range(draw_(st.integers(1, 25))):
        path = draw_(st.lists(st.sampled_from("abc"), max_size=2))
        x, y = (made[draw_(st.integers(0, len(made) - 1))] for _ in range(2))
        with scope("top"):
            v = x * y
        v._scope = tuple(path)
        made.append(v)
    z = made[0]
    for v in made:
        z = z + v
    return z


@at_most(60)
@given(graphs(), st.sampled_from([1, 2]))
def test_in_any_graph_every_variable_is_drawn_once_and_boxes_form_no_cycle(z, depth):
    variables = inputs_first(z)
    found = folded(z, depth=depth)
    if found is None:
        return
    assert acyclic(found)
    inside = [v for t in found.things for v in (t.variables if type(t) is Box else [t])]
    assert sorted(map(id, inside)) == sorted(map(id, variables))
    assert all(v in found.thing[v].variables for v in variables if type(found.thing[v]) is Box)
    paths = scopes_of(variables)
    assert all(paths[v][: len(box.path)] in box.paths for box in found.boxes for v in box.variables)
    again = folded(z, depth=depth)
    assert [[id(v) for v in b.variables] for b in again.boxes] == [[id(v) for v in b.variables] for b in found.boxes]


def test_the_cost_of_splits_is_linear():
    def split(n):
        y = Value(1.0)
        for _ in range(n):
            with scope("cell"):
                y = y * 2
            y = y.tanh()
        return y

    assert len(folded(split(750), depth=1).boxes) == 750
    assert_linear(lambda y: folded(y, depth=1), split, 750)


# Equal boxes


def test_equal_boxes_in_a_row_are_one_box(resnet):
    found = folded(resnet[0], depth=2)
    assert [(box.title, len(box.paths)) for box in found.boxes if box.path[0] == "stage3"] == [("block1", 1), ("block2 … block6", 5)]
    assert [
        (b.title, len(b.paths)) for b in folded(resnet[0], depth=1, expand="stage3/block4").boxes if b.path == ("stage3", "block2")
    ] == [("block2 … block3", 2)]


def test_boxes_that_differ_in_a_function_or_a_shape_are_not_merged():
    y = tg.Tensor(np.ones((2, 3))) * 2
    for k, f in enumerate([tg.tanh, tg.tanh, tg.exp, tg.exp, tg.tanh], 1):
        with scope(f"block{k}"):
            y = f(y)
    with scope("block6"):
        y = tg.tanh(y[:1])
    assert list(boxes(y.sum(), depth=1)) == ["block1 … block2", "block3 … block4", "block5", "block6"]


def test_blocks_whose_insides_are_used_elsewhere_are_not_merged():
    y, seen = Value(1.0), []
    for k in range(1, 4):
        with scope(f"block{k}"):
            y = y.tanh()
            seen.append(y)
    assert list(boxes(seen[0] * y, depth=1)) == ["block1", "block2 … block3"]


def test_blocks_with_other_inputs_are_not_merged():
    x = Value(2.0)
    y = x * x
    for k in range(1, 4):
        with scope(f"block{k}"):
            y = y * x
    assert list(boxes(y, depth=1)) == ["block1", "block2", "block3"]


# What is drawn


def test_a_perceptron_of_979_variables_by_neuron(perceptron):
    assert len(Graph(perceptron).variables) == 979
    shown = Shown(draw(perceptron))
    assert shown.caption == 'graph has 979 variables: 977 folded into 33 scopes (depth=2); expand="layer2/neuron1" opens one'
    neurons = [words for words in shown.said if words[0].startswith("neuron")]
    assert len(neurons) == 33 and all(len(words) == 3 for words in neurons)
    thin = [g for title, g in shown.edges.items() if "merged" in g.get("class")]
    assert len(thin) == 2 * 16 + 16 * 16 + 16


def test_a_neurons_value_and_gradient_are_those_of_its_output(perceptron):
    shown = Shown(draw(perceptron))
    output = perceptron.inputs[0].inputs[1].inputs[1]  # of layer 2: the last neuron that z uses
    assert output.scope == ("layer2", "neuron16")
    short = lambda x: f"{x:.6g}".replace("-", "−")
    assert ["neuron16", short(output.data), f"dz/d(layer2/neuron₁₆) = {short(output.grad)}"] in shown.said
    assert [words for words in shown.said if "dz/dz = 1" in words] == [["neuron1", short(perceptron.data), "dz/dz = 1"]]


@pytest.mark.parametrize("direction, axis", [("LR", 3), ("TB", 2)])
def test_neurons_stand_in_their_order_and_lines_are_straight(perceptron, direction, axis):
    drawing = draw(perceptron, direction=direction)
    shown = Shown(drawing)
    at = {line[1]: float(line[axis]) for line in places(drawing)}
    for layer in ("layer1", "layer2"):
        inside = shown.within(layer)
        rank = {name: float(line[5 - axis]) for line in places(drawing) for name in [line[1]]}
        assert len({rank[name] for name in inside}) == 1
        mine = sorted(inside, key=at.get, reverse=direction == "LR")
        assert [texts(shown.nodes[name])[0] for name in mine] == [f"neuron{i}" for i in range(1, 17)]
    for title, g in shown.edges.items():
        if "merged" in g.get("class"):
            numbers_ = list(map(float, re.findall(r"-?\d+\.?\d*", next(g.iter(SVG + "path")).get("d"))))
            xs, ys = np.array(numbers_[::2]), np.array(numbers_[1::2])
            off = (xs - xs[0]) * (ys[-1] - ys[0]) - (ys - ys[0]) * (xs[-1] - xs[0])
            assert np.abs(off).max() < np.hypot(xs[-1] - xs[0], ys[-1] - ys[0]), title


def test_a_perceptron_of_979_variables_by_layer_is_four_boxes(perceptron):
    shown = Shown(draw(perceptron, depth=1))
    scopes = scopes_below(perceptron)
    norm = lambda layer: sum(v.grad**2 for v, path in scopes.items() if not v.inputs and path[0] == layer) ** 0.5
    assert texts(shown.box("layer1")) == ["layer1", "16 × neuron", "128 variables", "48 parameters", f"‖gradient‖ = {norm('layer1'):.4g}"]
    assert texts(shown.box("layer2")) == ["layer2", "16 × neuron", "800 variables", "272 parameters", f"‖gradient‖ = {norm('layer2'):.4g}"]
    assert texts(shown.box("input")) == ["input", "2 variables", f"‖gradient‖ = {norm('input'):.4g}"]
    assert sorted(texts(g)[0] for g in shown.edges.values()) == ["×16", "×256", "×32"]
    assert len(shown.nodes) == 4


def scopes_below(z):
    return scopes_of(inputs_first(z))


def test_a_neuron_of_scalargrads_own_perceptron_is_a_box():
    model = nn.MLP(2, [16, 16, 1])
    z = model([Value(0.5, name="x1"), Value(-1.2, name="x2")])
    shown = Shown(draw(z))
    assert shown.caption.startswith("graph has 404 variables: 402 folded into 33 scopes (depth=2)")
    assert sum(words[0] in ("x₁", "x₂") for words in shown.said) == 2


def test_a_small_graph_shows_its_scopes_as_frames():
    random.seed(0)  # the numbers decide how wide a box is
    shown = Shown(draw(nn.MLP(2, [2, 1])([Value(1.0, name="x1"), Value(2.0, name="x2")]), detail="operations"))
    assert sorted(shown.frames) == ["layer1", "layer2", "neuron1", "neuron1", "neuron2"]
    assert len(shown.nodes) == 2 + 2 * 5 + 4


def test_a_resnet_50_fits_on_a_page(resnet):
    shown = Shown(draw(resnet[0]))
    assert shown.caption == 'graph has 337 variables: 336 folded into 18 scopes (depth=2); expand="stage3/block2" opens one'
    assert shown.frames == ["stage1", "stage2", "stage3", "stage4"]
    assert texts(shown.box("block2 … block6"))[:6] == ["block2 … block6", "×5", "2×64×4×4", "3 × conv", "95 variables", "22,720 parameters"]
    assert texts(shown.box("stem"))[:2] == ["stem", "2×4×16×16"] and any(text.endswith("W 4×3×7×7") for text in texts(shown.box("stem")))
    assert len(shown.nodes) == 12 and texts(shown.box("images"))[0] == "images"


def test_an_expanded_block_shows_its_convolutions_its_shortcut_and_the_sum(resnet):
    drawing = draw(resnet[0], depth=1, expand="stage2/block1", width=600)
    shown = Shown(drawing)
    assert set(shown.frames) == {"stage2", "block1"} and len(shown.frames) > 2  # they continue in the next row
    assert width_of(drawing) <= 800  # 600 points
    assert texts(shown.box("conv2"))[:3] == ["conv2", "2×8×8×8", "conv2d · batch_norm · relu"]
    assert "v₁ = conv₃ + shortcut" in sum(shown.said, [])
    assert texts(shown.box("block2 … block4"))[:2] == ["block2 … block4", "×3"]
    cells = [p for p in shown.box("conv1").iter(SVG + "polygon")]
    assert 20 < len(cells) <= 16 * 16 + 2
    norm = np.sqrt(sum((p.grad**2).sum() for p in resnet[1] if scopes_below(resnet[0])[p.node] == ("stage2", "block1", "conv1")))
    assert f"‖gradient‖ = {norm:.4g}" in texts(shown.box("conv1"))


def test_a_scope_that_is_only_a_number_has_the_name_of_the_scope_around_it():
    x = tg.Tensor(np.ones((2, 3, 3)), name="x")
    for layer in ("layer1", "layer2"):
        for k in range(5):
            with scope(layer), scope(str(k)):
                x = x @ tg.Tensor(np.ones((2, 3, 3)))
                x = x if k else tg.tanh(x)
    shown = Shown(draw(x.sum(), names={}, depth=2))
    assert shown.frames == ["layer1", "layer2"]
    titles = sorted(words[0] for words in shown.said if words[0].startswith("layer"))
    assert titles == ["layer1.0", "layer1.1 … 4", "layer2.0", "layer2.1 … 4"]
    assert "z = sum(layer2.4)" in sum(shown.said, [])


def test_a_number_without_a_scope_around_it_is_a_module():
    model = tensor_nn.Sequential(tensor_nn.Linear(3, 2), tensor_nn.ReLU())
    shown = Shown(draw(model(np.ones((2, 3))).sum(), names={}, depth=1))
    assert sorted(words[0] for words in shown.said if words[0].startswith("module")) == ["module0", "module1"]
    assert "z = sum(module₁)" in sum(shown.said, [])


OPTIONS = [({}, {}), ({"depth": 1, "expand": "stage2/block1"}, {"depth": 1, "expand": "layer2/neuron1"})]
OPTIONS += [({"depth": 1}, {"depth": 1}), ({"expand": "stage3/block2"}, {"expand": "layer2/neuron1"})]


@swept("of_resnet, of_perceptron", OPTIONS, every=4, ids=str)
def test_large_graphs_are_no_wider_than_a_page(perceptron, resnet, of_resnet, of_perceptron):
    assert width_of(draw(resnet[0], **of_resnet)) <= PAGE
    assert width_of(draw(perceptron, **of_perceptron)) <= PAGE


def test_two_boxes_that_would_stand_alone_in_a_row_stand_beside_the_others(perceptron):
    assert width_of(draw(perceptron, expand="layer1/neuron3")) <= 1.25 * PAGE


def test_neurons_beside_an_expanded_neuron_are_one_box(perceptron):
    shown = Shown(draw(perceptron, expand="layer1/neuron3"))
    assert [words[:2] for words in shown.said if "…" in words[0]] == [["neuron1 … neuron16", n] for n in ("×16", "×15")]
    assert sorted(words[0] for words in shown.said if words[0].startswith("v")) == [f"v{'₁₂₃₄₅₆₇₈'[i]}" for i in range(8)]
    opened = Shown(draw(perceptron, depth=1, expand="layer2/neuron1"))
    assert texts(opened.box("neuron2 … neuron16", "×15"))[2:5] == ["240 × mul · 240 × add · 15 × tanh", "750 variables", "255 parameters"]
    assert sum("×240" in texts(g) for g in opened.edges.values()) == 1


def test_parallel_boxes_with_different_inputs_are_not_merged():
    x, y = Value(1.0, name="x"), Value(2.0, name="y")
    made = []
    for k in range(1, 6):
        with scope(f"cell{k}"):
            v = x if k < 4 else y
            for _ in range(30 if k == 1 else 2):
                v = v.tanh()
            made.append(v)
    z = made[0] * made[1] * made[2] * made[3] * made[4]
    found = folded(z, depth=1, expand="cell1")
    assert {box.title: len(box.paths) for box in found.boxes} == {
        "cell2": 1,
        "cell3": 1,
        "cell4": 1,
        "cell5": 1,
    }  # each is used by another one
    total = scalargrad.sum(*made)
    assert {box.title: len(box.paths) for box in folded(total, depth=1, expand="cell1").boxes} == {"cell2 … cell3": 2, "cell4 … cell5": 2}


@pytest.mark.sweep
@swept("options", [{}, {"depth": 1}], every=2, ids=str)
def test_large_graphs_are_drawn_in_seconds(perceptron, resnet, options):
    for z in (perceptron, resnet[0]):
        assert cpu_seconds(lambda z=z: draw(z, **options).pipe("svg"))[0] < 6  # half a second, on an idle machine


def test_a_folded_graph_that_is_still_too_large_says_what_is_left_out():
    z = Value(1.0)
    for k in range(60):
        with scope(f"part{k}x"):
            z = z * 2 + Value(1.0)
    shown = Shown(draw(z, max_nodes=10))
    assert len([g for g in shown.nodes.values() if "folded" in g.get("class")]) == 10
    assert shown.caption.startswith("graph has 181 variables: 30 folded into 10 scopes (depth=1), 151 left out; expand=")
    assert any("… 1 input" in words for words in shown.said)


def test_a_step_marks_the_boxes_that_hold_its_variables(perceptron):
    trace = Trace(perceptron)
    step = next(i for i, s in enumerate(trace) if s.act == "add" and s.x.scope == ("layer1", "neuron3") and s.y.scope[0] == "layer2")
    shown = Shown(draw(trace, step=step))
    assert [texts(g)[:2] for g in shown.nodes.values() if "current" in g.get("class").split()] == [["current x", "neuron3"]]
    assert len([g for g in shown.nodes.values() if "neighbour" in g.get("class").split()]) == 1 + 16
    assert len([g for g in shown.edges.values() if "active" in g.get("class").split()]) == 1
    first, last = (places(draw(trace, step=i)) for i in (0, len(trace) - 1))
    assert first == last == places(draw(trace, step=step))


@pytest.mark.sweep
def test_nothing_moves_from_step_to_step_of_a_large_network_of_arrays():
    z, _ = resnet50(size=32)
    trace = Trace(z, names={})
    first = places(draw(trace, step=0))
    for step in (len(trace) // 3, len(trace) // 2, len(trace) - 2, len(trace) - 1):
        assert places(draw(trace, step=step)) == first, step


@each("name", ["<script>a()</script>", 'a"b', r"\N", "{x|y}", "a\\", "&lt;b&gt;", "中文", "x\ny", '"]; x -> y'])
def test_any_name_of_a_scope_stays_text(name):
    x = Value(3.0, name="x")
    with scope(name):
        with scope("inner"):
            y = x.exp() * 2
        z = y * x
    for options in ({}, {"depth": 1}, {"depth": 2}, {"fold": "inner"}):
        drawing = draw(z, **options)
        shown = Shown(drawing)
        assert {e.tag.removeprefix(SVG) for e in shown.root.iter()} <= {"svg", "g", "title", "a", "path", "polygon", "text"}
        assert not any("href" in key for e in shown.root.iter() for key in e.attrib)
        assert name.replace("\n", "�") in [t.text for t in shown.root.iter(SVG + "text")]


def test_ids_are_unique_and_the_tooltip_describes_boxes(perceptron):
    shown = Shown(draw(perceptron, depth=1))
    ids = [e.get("id") for e in shown.root.iter() if e.get("id")]
    assert len(ids) == len(set(ids))
    said = next(shown.root.iter(SVG + "a")).get(TITLE)
    assert "layer1: 128 variables, 48 parameters" in said


# Names


def test_the_largest_parameter_needs_no_name():
    W = tg.Tensor(np.ones((7, 8)))
    with scope("layer1"):
        y = np.tanh(tg.Tensor(np.ones((2, 7)), keep_grad=False) @ W)
    z = y.sum()
    assert "largest parameter 7×8" in sum(Shown(draw(z, fold="layer1", names={})).said, [])
    z.backward(retain_graph=True)
    assert "largest parameter's gradient 7×8" in sum(Shown(draw(z, fold="layer1", names={})).said, [])


def test_a_name_of_several_words_stands_in_brackets_after_d():
    x = Value(3, name="learning rate")
    z = x * x
    z.name = "z"
    z.backward()
    assert "dz/d(learning rate) = 6" in sum(Shown(draw(z)).said, [])


def test_no_two_gradients_have_the_same_label():
    z = nn.MLP(2, [2, 2, 1])([Value(1.0, name="x1"), Value(2.0, name="a very long name of a variable, number 1")])
    z = z * Value(2.0, name="a very long name of a variable, number 2")
    z.backward()
    words = sum(Shown(draw(z, depth=2)).said, [])
    labels = [text.split(" = ")[0] for text in words if text.startswith("dz/d") and ("very" in text or "neuron" in text)]
    assert len(labels) == len(set(labels)) == 7
    assert "dz/d(layer1/neuron₁)" in labels and "dz/d(layer2/neuron₁)" in labels


# Inputs of one neuron


def neuron_order(drawing):
    """Return the titles of the open frames of neurons, the highest first."""
    shown = Shown(drawing)
    return [
        title for _, title in sorted((box_of(g)[1], texts(g)[0]) for g in shown.clusters if texts(g) and texts(g)[0].startswith("neuron"))
    ]


def four_four_one():
    return nn.MLP(4, [4, 1])([Value(i, name=f"x{i}") for i in range(1, 5)])


@pytest.mark.sweep
@pytest.mark.parametrize("shown", [lambda z: z, lambda z: Trace(z, names={})])
def test_open_neurons_stand_in_their_order(shown):
    neurons = neuron_order(draw(shown(four_four_one()), width=1200))
    assert sorted(neurons) == ["neuron1", "neuron1", "neuron2", "neuron3", "neuron4"]
    assert [title for title in neurons if title != "neuron1"] == ["neuron2", "neuron3", "neuron4"]


def test_the_weights_of_a_neuron_stand_in_its_box_and_the_drawing_fits_a_screen():
    z = four_four_one()
    z.backward()
    drawing = draw(z, width=1200)
    shown = Shown(drawing)
    assert len(shown.nodes) == 4 + 2 * 4 + 1 and "25 parameters inside their functions" in shown.caption
    words = " ".join(sum(shown.said, []))
    assert all(f"= {w.grad:.6g}".replace("-", "−") in words for w in z.inputs if not w.inputs)
    assert float(shown.root.get("height")[:-2]) < 1200  # points


@pytest.mark.sweep
def test_in_a_trace_the_many_weights_of_a_neuron_have_boxes_of_their_own():
    trace = Trace(four_four_one(), names={})
    shown = Shown(draw(trace, width=1200))
    assert len(shown.nodes) >= 38 and float(shown.root.get("height")[:-2]) < 3300
    assert places(draw(trace, step=3)) == places(draw(trace, step=30))


# Large arrays


def test_an_image_is_drawn_as_an_image_and_a_few_channels_side_by_side():
    t = THEMES["light"]
    image = np.arange(64.0).reshape(1, 1, 8, 8)
    block = heatmap.heatmap(image, t)
    side, scale = 8 * heatmap.CELL + 2, 3 + heatmap.BAR_HEIGHT + 2 + Line("0", heatmap.LABEL, t.ink).height
    assert block.height == side + scale and block.table == heatmap.heatmap(image.reshape(8, 8), t).table
    colours = heatmap.heatmap(np.zeros((2, 3, 4, 4)), t)
    small = 4 * heatmap.CELL + 2
    assert (colours.width, colours.height) == (3 * small + 2 * heatmap.GAP, 2 * small + heatmap.GAP + scale)
    lines = re.findall(r'COLOR="#\w+">([^<]+)</FONT>', heatmap.heatmap(np.eye(3)[None, None].repeat(40, axis=0) - 0.25, t).table)
    assert lines == ["−0.25", "0", "0.75", "first 12 of 40"]


def test_matrices_of_an_incomplete_row_have_the_size_of_the_others():
    five = tg.Tensor(np.arange(5 * 49.0).reshape(5, 7, 7), name="five")
    polygons = Shown(draw((five * 2).sum(), names={})).root.iter(f"{SVG}polygon")
    corners = [[tuple(map(float, corner.split(","))) for corner in polygon.get("points").split()] for polygon in polygons]
    sizes = [tuple(round(max(side) - min(side), 1) for side in zip(*each)) for each in corners]
    assert sizes.count((44, 44)) == 2 * 5 and max(high for _, high in sizes if high < 40) < 10  # ten matrices in frames, and rows of cells


@each("theme", THEMES)
def test_cells_are_tinted_by_sign_and_size_and_the_bar_says_which_number_is_which(theme):
    t = THEMES[theme]
    a = np.zeros((8, 16))
    a[0, 0], a[0, 1], a[0, 2], a[0, 3] = 4, -4, 1, np.nan
    colours = re.findall(r'BGCOLOR="(#\w+)"', heatmap.heatmap(a, t).table)
    *cells, bar = colours[:4], colours[-BAR:]
    assert cells == [[t.positive, t.negative, heatmap.mix(t.zero_fill, t.positive, 0.25), t.line]]
    assert (bar[0], bar[-1]) == (t.negative, t.positive) and set(colours[4:-BAR]) == {t.zero_fill}
    assert heatmap.heatmap(np.ones((6, 6)), t) is None and heatmap.heatmap(np.ones((0, 9)), t) is None


@each("theme", THEMES)
def test_text_is_readable_on_every_fill_of_a_box(theme):
    t = THEMES[theme]
    for level in range(17):
        for colour in (t.positive, t.negative):
            tint = heatmap.mix(t.zero_fill, colour, level / 16 * t.deepest)
            for ink, fill in ((t.ink, tint), (t.quiet, heatmap.mix(t.paper, tint, 0.3))):
                low, high = sorted([luminance(ink), luminance(fill)])
                assert (high + 0.05) / (low + 0.05) >= 4.5, (ink, fill)


def test_a_dtype_other_than_float64_is_shown():
    x = tg.Tensor(np.ones((7, 7)), name="x", dtype="float32")
    assert "7×7 float32" in sum(Shown(draw(x)).said, [])
    assert "7×7" in sum(Shown(draw(tg.Tensor(np.ones((7, 7))))).said, [])


def test_closing_gives_the_outermost_folded_scope():
    closed = closing({("a",)}, {("a", "b"), ("c",)}, None)
    assert [closed(p) for p in ((), ("a",), ("a", "b", "c"), ("c", "d"))] == [None, None, ("a", "b"), ("c",)]
    assert isinstance(folded(mlp((1, 1)), depth=1), Folded)

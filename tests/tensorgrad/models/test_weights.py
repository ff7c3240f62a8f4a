"""load_weights: files with the names of torchvision, nanoGPT and GPT-2, in float32 and bfloat16; what does not fit changes nothing."""

import numpy as np
import pytest

from tensorgrad import models
from tensorgrad.saving import save, write
from tests.each import each
from tests.tensorgrad.models.cases import SMALL, TINY, images, need_torchvision, tokens

INDEX = tokens(2, 6, 7)


def gpt(seed, **options):
    return models.GPT(**TINY, generator=np.random.default_rng(seed), **options)


def resnet(seed, classes=5):
    return models.ResNet(models.BasicBlock, (1, 1, 1), classes, **SMALL, generator=np.random.default_rng(seed))


def as_gpt_2(state):
    """Return a state as Hugging Face's file of GPT-2 holds it: without prefix and tied entry, transposed, with the masks."""
    found = {name.removeprefix("transformer."): a for name, a in state.items() if name != "lm_head.weight"}
    found = {name: a.T if name.startswith("h.") and a.ndim == 2 else a for name, a in found.items()}
    mask = np.tri(6, dtype=np.float32)[None, None]
    return found | {f"h.{k}.attn.bias": mask for k in range(2)} | {f"h.{k}.attn.masked_bias": np.float32(-1e4) for k in range(2)}


FORMS = {
    "nanoGPT": lambda state: state,
    "nanoGPT, compiled": lambda state: {f"_orig_mod.{name}": a for name, a in state.items()},
    "without the tied entry": lambda state: {name: a for name, a in state.items() if name != "lm_head.weight"},
    "GPT-2": as_gpt_2,
    "GPT-2 with a prefix": lambda state: {f"transformer.{name}": a for name, a in as_gpt_2(state).items()},
}


@each("form", FORMS)
@each("suffix", [".safetensors", ".npz"])
def test_a_gpt_of_any_form_is_loaded(form, suffix, tmp_path):
    trained, net = gpt(0), gpt(1)
    write(tmp_path / f"gpt{suffix}", FORMS[form](trained.state_dict()))
    models.load_weights(net, tmp_path / f"gpt{suffix}")
    np.testing.assert_array_equal(net(INDEX).data, trained(INDEX).data)
    assert net.lm_head.weight is net.transformer.wte.weight


def test_a_resnet_is_loaded_with_its_statistics_into_another_dtype(tmp_path):
    trained, net = resnet(0), resnet(1).astype(np.float64)
    trained(images(4, 3, 8))  # moves the running statistics
    write(tmp_path / "net.npz", {f"module.{name}": a for name, a in trained.state_dict().items()})
    models.load_weights(net, tmp_path / "net.npz")
    x = images(2, 3, 8)
    np.testing.assert_allclose(net.eval()(x).data, trained.eval()(x).data, rtol=1e-4)
    assert net.bn1.running_mean.any() and {p.dtype for p in net.parameters()} == {np.dtype(np.float64)}


def test_a_last_layer_for_other_classes_keeps_its_own_weights(tmp_path):
    trained, net = resnet(0), resnet(1, classes=3)
    own = net.fc.weight.data.copy()
    write(tmp_path / "net.safetensors", trained.state_dict())
    with pytest.raises(ValueError, match=r"shape: fc.weight is \(5, 8\), \(3, 8\) is needed"):
        models.load_weights(net, tmp_path / "net.safetensors")
    assert (net.conv1.weight.data != trained.conv1.weight.data).any()  # nothing was loaded
    models.load_weights(net, tmp_path / "net.safetensors", keep="fc")
    assert (net.fc.weight.data == own).all() and (net.conv1.weight.data == trained.conv1.weight.data).all()


def test_a_missing_file_says_where_weights_come_from(tmp_path):
    with pytest.raises(FileNotFoundError, match="a.safetensors does not exist; no weights are downloaded; in PyTorch write safetensors"):
        models.load_weights(models.MLP((2, 3)), tmp_path / "a.safetensors")


@each("name", ["pretrained", "weights"])
def test_options_of_trained_weights_name_load_weights(name):
    with pytest.raises(TypeError, match=f"ResNet: {name}= is unknown; no weights are downloaded: .* models.load_weights"):
        models.resnet18(10, **{name: True})


def test_entries_that_do_not_fit_are_all_named(tmp_path):
    state = gpt(0).state_dict()
    del state["transformer.ln_f.bias"]
    write(tmp_path / "gpt.npz", state | {"head.weight": np.ones(2)})
    with pytest.raises(ValueError, match=r"missing: transformer.ln_f.bias \(8,\)\n  unexpected: head.weight \(2,\)"):
        models.load_weights(gpt(1), tmp_path / "gpt.npz")


@pytest.mark.torch
@each("kind", ["float32", "bfloat16", "float16"])
def test_a_resnet_that_pytorch_saved_is_loaded(kind, tmp_path):
    torch, safetensors = pytest.importorskip("torch"), pytest.importorskip("safetensors.torch")
    need_torchvision()
    from tests.tensorgrad.models.torchvision_resnet import reference

    theirs, path = reference("BasicBlock", (1, 1, 1), 5, **SMALL).to(getattr(torch, kind)), tmp_path / "net.safetensors"
    safetensors.save_file(theirs.state_dict(), path)
    net = resnet(1)
    models.load_weights(net, path)
    x = images(2, 3, 8).astype(np.float32)
    expected = theirs.float().eval()(torch.tensor(x)).detach().numpy()
    np.testing.assert_allclose(net.eval()(x).data, expected, atol=1e-6 * np.abs(expected).max())


@pytest.mark.torch
def test_a_gpt_that_pytorch_saved_is_loaded(tmp_path):
    torch, safetensors = pytest.importorskip("torch"), pytest.importorskip("safetensors.torch")
    from tests.tensorgrad.models.torch_gpt import GPT

    theirs, path = GPT(**TINY), tmp_path / "gpt.safetensors"
    safetensors.save_model(theirs, path)  # which leaves out one of the tied entries
    net = gpt(1)
    models.load_weights(net, path)
    np.testing.assert_allclose(net(INDEX).data, theirs(torch.tensor(INDEX)).detach().numpy(), atol=2e-6)


def test_a_checkpoint_file_is_refused_with_the_call_that_loads_it(tmp_path):
    net = gpt(1)
    save(tmp_path / "run.npz", model=net)
    with pytest.raises(ValueError, match=r"run.npz is a checkpoint file; write tensorgrad.saving.load\(path, model=model\)"):
        models.load_weights(net, tmp_path / "run.npz")

"""Compare with PyTorch: torchvision's ResNets and a GPT with the names of nanoGPT, with the same weights, for three steps."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from tensorgrad import models  # noqa: E402
from tests.each import each  # noqa: E402
from tests.tensorgrad.models import torch_resnet  # noqa: E402
from tests.tensorgrad.models.cases import CASES, LARGE, SMALL, images  # noqa: E402
from tests.tensorgrad.models.training import OPTIMISERS, loss_of, targets, weights  # noqa: E402

WITHOUT_EFFECT = "c_attn.bias"  # softmax cancels the bias of the keys: its gradient is rounding, which Adam divides by its own size
pytestmark = [pytest.mark.torch, pytest.mark.filterwarnings("ignore")]


def both(name, dtype, cases=CASES):
    """Return our model, PyTorch's with the same weights, the input for each, and the number of classes."""
    make, make_theirs, x, classes = cases[name]
    theirs = make_theirs(torch).to(torch.float64)
    given = weights({k: v.numpy() for k, v in theirs.state_dict().items()})
    theirs.load_state_dict({k: torch.tensor(v) for k, v in given.items()})
    theirs, ours = theirs.to(getattr(torch, dtype)), make(dtype=dtype)
    ours.load_state_dict({k: v.numpy() for k, v in theirs.state_dict().items()})
    x = x if x.dtype.kind == "i" else x.astype(dtype)
    return ours, theirs, x, torch.tensor(x), classes


def their_loss(scores, classes):
    return torch.nn.functional.cross_entropy(scores.reshape(-1, classes), torch.tensor(targets(scores, classes)))


def close(ours, theirs, tolerance, what):
    theirs = theirs.detach().numpy()
    scale = max(1.0, np.abs(theirs).max(initial=0.0))
    np.testing.assert_allclose(ours, theirs, rtol=0, atol=tolerance * scale, err_msg=what)


def close_in_norm(ours, theirs, tolerance, what):
    """Compare the first step to the tolerance. Later ones may differ by a thousand times as much: 50 layers multiply the rounding."""
    theirs = theirs.detach().numpy()
    tolerance *= 1 if "step 0" in what else 1000
    assert np.linalg.norm(ours - theirs) <= tolerance * max(1.0, np.linalg.norm(theirs)), what


def compare(name, dtype, tolerance, steps, cases=CASES, close=close):
    for optimiser, (make, their_class, options) in OPTIMISERS.items():
        ours, theirs, x, their_x, classes = both(name, dtype, cases)
        our_optimiser, their_optimiser = make(ours.parameters()), getattr(torch.optim, their_class)(theirs.parameters(), **options)
        for step in range(steps):
            our_optimiser.zero_grad(), their_optimiser.zero_grad()
            scores, their_scores = ours(x), theirs(their_x)
            close(scores.data, their_scores, tolerance, f"{name}: scores in step {step}")
            loss_of(scores, classes).backward()
            their_loss(their_scores, classes).backward()
            own = dict(ours.named_parameters())
            for parameter, p in theirs.named_parameters():
                close(own[parameter].grad, p.grad, tolerance, f"{name}, {optimiser}, step {step}: gradient of {parameter}")
            our_optimiser.step(), their_optimiser.step()
        own = ours.state_dict()
        for entry, array in theirs.state_dict().items():
            if (dtype, optimiser) == ("float32", "Adam") and entry.endswith(WITHOUT_EFFECT):
                continue
            close(own[entry], array, tolerance, f"{name}, {optimiser}: {entry} after {steps} steps")
        ours.eval(), theirs.eval()
        close(ours(x).data, theirs(their_x), tolerance, f"{name}: scores in evaluation")


@each("name", CASES)
def test_scores_gradients_and_three_steps_are_those_of_pytorch(name):
    compare(name, "float64", 1e-10, 3)


@each("name", [name for name in CASES if "blocks" not in name and "neck" not in name])
def test_in_float32_too_where_no_relu_turns_over(name):
    compare(name, "float32", 1e-6, 3)


@pytest.mark.slow
@pytest.mark.parametrize("name", LARGE)
def test_large_networks_are_those_of_torchvision(name):
    compare(name, "float64", 1e-10, 3, LARGE, close_in_norm)


PLAIN = {  # the benchmarks compare with these
    "basic blocks": (
        lambda **o: models.ResNet(models.BasicBlock, (2, 1, 1), 5, **SMALL, **o),
        lambda torch: torch_resnet.ResNet(torch_resnet.BasicBlock, (2, 1, 1), 5, SMALL["widths"]),
        images(3, 3, 16),
        5,
    ),
    "bottlenecks": (
        lambda **o: models.ResNet(models.Bottleneck, (2, 1, 1), 5, **SMALL, **o),
        lambda torch: torch_resnet.ResNet(torch_resnet.Bottleneck, (2, 1, 1), 5, SMALL["widths"]),
        images(3, 3, 16),
        5,
    ),
}


@each("name", PLAIN)
def test_resnets_in_plain_pytorch_are_ours(name):
    compare(name, "float64", 1e-10, 1, PLAIN)

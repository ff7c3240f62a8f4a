"""A program runs to the bit as it does without a recording, and our gradients are PyTorch's, parameter by parameter."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from tensorgrad import from_torch  # noqa: E402
from tests.each import each  # noqa: E402
from tests.tensorgrad.beside_torch.programs import EVERY, HALF  # noqa: E402
from tests.tensorgrad.beside_torch.programs_in_other_styles import STYLES, backward_inside  # noqa: E402

pytestmark = [pytest.mark.torch, pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::DeprecationWarning", "ignore::UserWarning")]


def held(x):
    """Return the tensors that an object of a program holds: a module's parameters and buffers, a tensor, those of a list."""
    if isinstance(x, torch.nn.Module):
        return [*x.parameters(), *x.buffers()]
    if isinstance(x, dict):
        return held(list(x.values()))
    if isinstance(x, list | tuple):
        return [t for item in x for t in held(item)]
    return [x] if isinstance(x, torch.Tensor) else []


def state(program):
    """Return what a run may change: tensors, random numbers, the grad mode, the default dtype."""
    around = [t for cell in program.__closure__ for t in held(cell.cell_contents)]
    around = [t for t in around if not torch.nn.parameter.is_lazy(t)]
    modes = torch.is_grad_enabled(), torch.get_default_dtype(), torch.is_autocast_enabled("cpu")
    return [t.detach().clone() for t in around], torch.random.get_rng_state(), np.random.get_state()[1].copy(), modes, around


def run(make, how):
    torch.manual_seed(0)
    program = make()
    torch.manual_seed(1)
    found = how(program)
    return found, state(program)


@each("make", EVERY + STYLES)
def test_a_program_runs_as_alone_and_our_gradients_are_those_of_pytorch(make):
    loss, (tensors, *modes, leaves) = run(make, lambda program: program())
    seen, (recorded, *recorded_modes, recorded_leaves) = run(make, from_torch)
    assert torch.equal(loss, seen.loss) and str(modes) == str(recorded_modes)
    assert all(torch.equal(a, b) for a, b in zip(tensors, recorded, strict=True))
    seen.z.backward()
    loss.backward()
    seen.loss.backward()
    assert all(a.grad is b.grad or torch.equal(a.grad, b.grad) for a, b in zip(leaves, recorded_leaves))
    if make is not backward_inside:  # there `.grad` has the sum of two passes
        for t, x in seen.leaves:
            theirs = torch.zeros_like(t) if t.grad is None else t.grad
            ours = torch.zeros_like(t) if x.grad is None else torch.tensor(x.grad).to(t.dtype)
            torch.testing.assert_close(ours, theirs, rtol=5e-2 if make in HALF else 2e-4, atol=5e-2 if make in HALF else 2e-5)

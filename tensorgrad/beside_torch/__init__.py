"""from_torch: a PyTorch program as a graph of ours, to draw, play, check and report on. The program itself runs unchanged.

PyTorch calls `recorder` with every function that the program calls. The recorder calls the program's function, and beside it the same
function of ours, its counterpart, by the step of `tensorgrad.beside.call`, which all recorders share. Read in this order: recorder,
variables (which tensor of ours stands for which of PyTorch's, with arrays, silent, unseen and hooks), counterparts, torch_call (a
function without a counterpart), own_functions, modules, names, flow (with leaves of the program itself), mistakes,
limits and refusals (what cannot be recorded), their_warnings, recording, report, check. Only this file may be imported where PyTorch
is not installed.
It was tried with PyTorch 2.14.1 on the CPU.
"""

from collections.abc import Callable

from scalargrad.messages.errors import not_a_function
from tensorgrad.beside.installed import require


def from_torch(loss: Callable):
    """Run a PyTorch program once, and return a Recording: its loss `z` as a tensor of ours, and what each call was.

    `loss` is a function of no arguments that returns a tensor of one entry, which PyTorch could differentiate. The program, its random
    numbers, buffers and gradients are those of a run without the recording. A function that has no counterpart here is one box
    of the graph: its value and its vjp are PyTorch's.

    What is computed where PyTorch shows no calls, with complex or sparse numbers, in torch.func or by a scripted function, is one such
    box, too. Compiled functions run uncompiled. The program may write in place, call backward() and torch.autograd.grad, and catch
    errors. Our gradients are those of the numbers that were computed with: where .data or NumPy changes them after use, PyTorch
    silently differentiates at the changed ones.

    Raises ModuleNotFoundError if PyTorch is not installed, TypeError if `loss` is not such a function or returns something else, and
    RuntimeError, with the line and what to do, for a step of an optimiser, complex leaves, checkpoint(use_reentrant=True), and what
    was computed before or in another thread.

        w = torch.tensor([1.0, 2.0], requires_grad=True)
        seen = from_torch(lambda: (w * w).sum())
        seen.z.backward()
    """
    if not callable(loss):
        raise not_a_function("from_torch", loss, "from_torch(lambda: loss_fn(model(x), y))")
    require("torch", "from_torch", "PyTorch")
    from tensorgrad.beside_torch.recording import recorded

    return recorded(loss)

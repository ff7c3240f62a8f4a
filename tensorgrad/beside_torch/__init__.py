"""from_torch: a PyTorch program as a graph of ours, to draw, play, check and report on. The program itself runs unchanged.

PyTorch calls `recorder` with every function that the program calls. The recorder calls the program's function, and beside it the same
function of ours, its counterpart. Read in this order: recorder, variables (which tensor of ours stands for which of PyTorch's),
counterparts, torch_call (a function without a counterpart), own_functions, modules, names, flow, recording, report. Only this file may
be imported where PyTorch is not installed. It was tried with PyTorch 2.14.1 on the CPU.
"""

from collections.abc import Callable

from scalargrad.errors import not_a_function


def from_torch(loss: Callable):
    """Run a PyTorch program once, and return a Recording: its loss `z` as a tensor of ours, and what each call was.

    `loss` is a function of no arguments that returns a tensor of one entry, which PyTorch could differentiate. The program, its random
    numbers, buffers and gradients are those of a run without the recording. A function that has no counterpart here is one box
    of the graph: its value and its vjp are PyTorch's.

    Raises ModuleNotFoundError if PyTorch is not installed, TypeError if `loss` is not such a function, and RuntimeError for what cannot
    be recorded, such as complex numbers, with what to do.

        w = torch.tensor([1.0, 2.0], requires_grad=True)
        seen = from_torch(lambda: (w * w).sum())
        seen.z.backward()
    """
    if not callable(loss):
        raise not_a_function("from_torch", loss, "from_torch(lambda: loss_fn(model(x), y))")
    try:
        import torch
    except ModuleNotFoundError as missing:
        if missing.name != "torch":
            raise
        raise ModuleNotFoundError(
            "from_torch records a PyTorch program, but PyTorch is not installed; python -m pip install torch", name="torch"
        ) from None
    from tensorgrad.beside_torch.recording import recorded

    return recorded(loss)

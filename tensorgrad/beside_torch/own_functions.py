"""A custom torch.autograd.Function is one box of the graph: its value is that of its forward, and its vjp is its own backward."""

from contextlib import contextmanager

import numpy as np
import torch

from tensorgrad.beside_torch.arrays import array, as_torch, differentiable
from tensorgrad.beside_torch.torch_call import rule_of, tensors_in


@contextmanager
def watched(recorder):
    """Tell the recorder of each call of a custom function in this block."""
    usual = torch.autograd.Function.__dict__["apply"]

    def apply(cls, *args, **kwargs):
        with torch._C.DisableTorchFunction():  # what its forward computes is inside the box
            inputs = [recorder.variables[t] for t in args if isinstance(t, torch.Tensor) and differentiable(t) and torch.is_grad_enabled()]
            y = usual.__get__(None, cls)(*args, **kwargs)
            results = [t for t in tensors_in(y) if t.requires_grad]
            recorder.flow.step(cls.__name__, tensors_in(args), y)
            if inputs and results:
                recorder.own_function(cls, args, inputs, results)
        return y

    torch.autograd.Function.apply = classmethod(apply)  # type: ignore[assignment]
    try:
        yield
    finally:
        torch.autograd.Function.apply = usual  # type: ignore[assignment]


def rule_of_own(cls, args, results, place):
    """Return the rule of result number `place` of a call of a custom function."""
    slots = [i for i, x in enumerate(args) if isinstance(x, torch.Tensor) and differentiable(x)]
    constants = [x.detach() if isinstance(x, torch.Tensor) else x for x in args]
    node, shapes = results[place].grad_fn, [(tuple(t.shape), t.dtype) for t in results]

    def forward(*xs):
        given = list(constants)
        for slot, x in zip(slots, xs):
            given[slot] = as_torch(x, constants[slot])
        return array(tensors_in(cls.apply(*given))[place])

    def backward(G, xs, wanted):
        upstream = [torch.zeros(shape, dtype=dtype) for shape, dtype in shapes]
        upstream[place] = as_torch(G, upstream[place], False)
        with torch.no_grad():
            passed = node.apply(*upstream)
        passed = passed if isinstance(passed, tuple) else (passed,)
        return [np.zeros(xs[i].shape, xs[i].dtype) if passed[slots[i]] is None else array(passed[slots[i]]) for i in wanted]

    return rule_of(cls.__name__, len(slots), array(results[place]), forward, backward)

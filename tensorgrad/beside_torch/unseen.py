"""What was computed where PyTorch asks no recorder, by a scripted function or in torch.func, is one box: PyTorch computes its vjp.

The functions that PyTorch differentiates by (grad_fn) lead from its result back to variables that are known.
"""

import numpy as np
import torch
from torch.autograd.graph import GradientEdge

from tensorgrad.beside_torch.arrays import array, as_torch
from tensorgrad.beside_torch.refusals import refused
from tensorgrad.beside_torch.torch_call import BY_PYTORCH, rule_of
from tensorgrad.tensor import constant, made


class Functions:
    """The variables that PyTorch's functions computed: {(grad_fn, number of the result): node}, and where the recording began."""

    def __init__(self):
        self.nodes = {}
        self.first = (torch.zeros((), requires_grad=True) * 1).grad_fn._sequence_nr()

    def unseen(self, t, value, variables):
        """Return the variable for a tensor of which only its grad_fn is known."""
        inputs, edges = [], []
        for function, number in self.before(t):
            node = self.nodes.get((function, number))
            x = variables[function.variable] if node is None else tensor_of(node)
            if x.node is not None:
                inputs.append(x)
                edges.append(GradientEdge(function, number))
        if not inputs:
            return constant(value)
        edge, name = GradientEdge(t.grad_fn, t.output_nr), t.grad_fn.name().removesuffix("Backward0")

        def again(*xs):
            raise RuntimeError(f"{name} was computed where PyTorch shows no calls; it cannot be computed again at other numbers")

        def backward(G, xs, slots):
            upstream = as_torch(G, t_like, False)
            passed = torch.autograd.grad([edge], [edges[i] for i in slots], [upstream], retain_graph=True, allow_unused=True)
            return [np.zeros(xs[i].shape, xs[i].dtype) if g is None else array(g) for i, g in zip(slots, passed)]

        t_like = torch.empty(0, dtype=t.dtype)
        return rule_of(name, len(inputs), value, again, backward, BY_PYTORCH)(*inputs)

    def before(self, t):
        """Return the known (grad_fn, number) and the leaves that a tensor was computed from. Raise for what is older than the recording."""
        found, seen, ready = [], set(), [(t.grad_fn, t.output_nr)]
        while ready:
            function, number = ready.pop()
            if function is None or (function, number) in seen:
                continue
            seen.add((function, number))
            if (function, number) in self.nodes or hasattr(function, "variable"):
                found.append((function, number))
            elif function._sequence_nr() < self.first:
                raise refused(
                    t,
                    f"was computed before the recording began, by {function.name()}",
                    "compute it inside the function, or begin at it: x = x.detach().requires_grad_()",
                )
            else:
                ready.extend(function.next_functions)
        return found


def tensor_of(node):
    """Return the tensor of a node; if that, with its array, is gone, one that stands for it."""
    return made(np.zeros(node.shape, node.dtype), node) if node.tensor is None else node.tensor

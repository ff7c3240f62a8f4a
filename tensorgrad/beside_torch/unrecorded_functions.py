"""What was computed where PyTorch asks no recorder, by a scripted function or in torch.func, is one box: PyTorch computes its vjp.

The functions that PyTorch differentiates by (grad_fn) lead from its result back to variables that are known.
"""

import re

import numpy as np
import torch
from torch.autograd.graph import GradientEdge

from tensorgrad.beside_torch.calls.arrays import array
from tensorgrad.beside_torch.calls.refusals import refuse_earlier
from tensorgrad.beside_torch.calls.torch_call import PYTORCH
from tensorgrad.rules.elsewhere import OnlyOnce, rule_of
from tensorgrad.tensor import constant, made

FREED = (
    "from_torch: PyTorch has freed what it saved for {}, whose derivative it computes: call check(), report() and our backward() before "
    "PyTorch's, or give that retain_graph=True"
)


class Functions:
    """The variables that PyTorch's functions computed: {(grad_fn, number of the result): node}, and where the recording began."""

    def __init__(self):
        self.nodes = {}
        with torch.enable_grad(), torch._C.DisableTorchFunction():
            self.first = (torch.zeros((), requires_grad=True) * 1).grad_fn._sequence_nr()

    def unseen(self, t, value, variables):
        """Return the variable for a tensor of which only its grad_fn is known."""
        inputs, edges = [], []
        for function, number in self.inputs_of(t):
            node = self.nodes.get((function, number))
            x = variables[function.variable] if node is None else tensor_of(node)
            if x.node is not None:
                inputs.append(x)
                edges.append(GradientEdge(function, number))
        if not inputs:
            return constant(value)
        name = re.sub(r"(Hook)?(Function)?Backward\d*$", r"\1", t.grad_fn.name().rpartition("::")[2])
        return rule_through(name, GradientEdge(t.grad_fn, t.output_nr), edges, value, t.dtype, variables.hooks)(*inputs)

    def inputs_of(self, t):
        """Return (grad_fn, number) of the known variables and leaves that a tensor was computed from, none of which leads to another.

        PyTorch's derivative by one of them follows all paths to it, those through the others too.
        """
        found, opened = self.before(t, set()), set()
        while True:
            through = {edge for edge in found if edge in self.nodes and self.leads_to(edge, found)}
            if not through:
                return found
            opened |= through
            found = self.before(t, opened)

    def leads_to(self, edge, others):
        """Return whether a known function was computed from any of the others."""
        wanted = set(others) - {edge}
        return any(e in wanted for e in walk(edge, lambda e: e in wanted))

    def before(self, t, opened):
        """Return the first known (grad_fn, number) and leaves on the ways back from a tensor, past the functions `opened`.

        Raises RuntimeError at a function that is older than the recording.
        """
        ends = lambda e: e not in opened and (e in self.nodes or hasattr(e[0], "variable"))
        found = []
        for function, number in walk((t.grad_fn, t.output_nr), ends):
            if ends((function, number)):
                found.append((function, number))
            elif (function, number) not in opened and function._sequence_nr() < self.first:
                raise refuse_earlier(t, function.name())
        return found


def walk(edge, ends):
    """Yield the (grad_fn, number) that lead to an edge, it among them, each once; go no further where `ends` says so."""
    seen, ready = {edge}, [edge]
    while ready:
        edge = ready.pop()
        yield edge
        if not ends(edge):
            new = dict.fromkeys(e for e in edge[0].next_functions if e[0] is not None and e not in seen)
            seen.update(new)
            ready.extend(new)


def rule_through(name, edge, edges, value, dtype, hooks):
    """Return the rule whose vjp PyTorch computes through its own graph, from `edge` to `edges`."""

    known: list = []

    def again(*xs):
        if all(map(np.array_equal, xs, known)):
            return value
        raise OnlyOnce(f"{name} was computed where PyTorch shows no calls; it cannot be computed again at other numbers")

    def backward(G, xs, slots):
        upstream = torch.tensor(G).to(dtype).clone(memory_format=torch.contiguous_format)
        try:
            with hooks.silenced():
                passed = torch.autograd.grad([edge], [edges[i] for i in slots], [upstream], retain_graph=True, allow_unused=True)
        except RuntimeError as wrong:
            raise RuntimeError(FREED.format(name)) if "second time" in str(wrong) else wrong from None
        return [np.zeros(xs[i].shape, xs[i].dtype) if g is None else array(g) for i, g in zip(slots, passed)]

    return rule_of(name, len(edges), value, again, backward, PYTORCH.elsewhere, lambda *xs: known.extend(xs))


def tensor_of(node):
    """Return the tensor of a node; if that, with its array, is gone, one that stands for it."""
    return made(np.zeros(node.shape, node.dtype), node) if node.tensor is None else node.tensor

"""One call of a custom torch.autograd.Function: run again at other arrays, and its backward with other tensors than it kept.

Numbers of float32 and of half precision become float64 if other arrays are float64, so that differences have enough digits.
"""

import inspect
from functools import cached_property

import numpy as np
import torch

from scalargrad.callers import place
from tensorgrad.beside_torch.calls.arrays import array, as_torch
from tensorgrad.beside_torch.calls.their_warnings import unheard


class OwnCall:
    """The function, what it was given, kept as it was, and the state `dice` of the random numbers before it."""

    def __init__(self, function, args, dice):
        self.function, self.dice = function, dice
        self.given = [x.detach().clone() if isinstance(x, torch.Tensor) else x for x in args]
        self.slots = [i for i, x in enumerate(args) if isinstance(x, torch.Tensor) and x.requires_grad]

    @cached_property
    def names(self):
        """The names of the arguments, from the function's forward."""
        with_ctx = self.function.setup_context is torch.autograd.Function.setup_context
        try:
            parameters = list(inspect.signature(self.function.forward).parameters.values())[with_ctx:]
        except (TypeError, ValueError):
            parameters = []
        known = [p.name for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]
        return (known + [f"x{i + 1}" for i in range(len(known), len(self.given))])[: len(self.given)]

    @property
    def arrays(self):
        """The arrays of the inputs that need a gradient, as they were."""
        return [array(self.given[slot]) for slot in self.slots]

    def run(self, arrays):
        """Run the function at other arrays for the inputs that need a gradient. Return a Run."""
        wide = any(x.dtype == np.float64 for x in arrays)
        given = [widened(x) if wide and isinstance(x, torch.Tensor) else x for x in self.given]
        given = [x.clone() if isinstance(x, torch.Tensor) else x for x in given]
        for slot, x in zip(self.slots, arrays):
            given[slot] = as_torch(x, given[slot]).clone()  # a function that writes to its input cannot write to a leaf
        with torch.random.fork_rng(devices=[]), torch.enable_grad(), unheard(), torch._C.DisableTorchFunction():
            torch.random.set_rng_state(self.dice)
            return Run(self, given, self.function.apply(*given))


class Run:
    """One run of a custom function: the tensors that it was given, all its outputs, and those that need a gradient."""

    def __init__(self, call, given, y):
        self.call, self.given = call, given
        self.outputs = list(y) if isinstance(y, tuple | list) else [y]
        self.results = [t for t in self.outputs if isinstance(t, torch.Tensor) and t.requires_grad]
        self.node = next((t.grad_fn for t in self.results), None)

    @property
    def lasts(self):
        """Whether its backward can still run: the program has freed nothing of it, and a write to a view has not hidden it."""
        try:
            return hasattr(self.node, "apply") and self.node.saved_tensors is not None
        except RuntimeError:
            return False

    def upstream(self, place, G):
        """Return what backward is given if only result number `place` has the upstream gradient G."""
        one = self.results[place]
        return [as_torch(G, one, False) if t is one else torch.zeros_like(t) if isinstance(t, torch.Tensor) else None for t in self.outputs]

    def passed(self, place, G, **other):
        """Return what backward returns, a tuple. `other` are {name: tensor} in the place of tensors that forward kept: see `kept`."""
        with torch.no_grad(), torch._C.DisableTorchFunction():
            upstream = self.upstream(place, G)
            found = self.call.function.backward(OtherContext(self.node, other), *upstream) if other else self.node.apply(*upstream)
        return found if isinstance(found, tuple) else (found,)

    @property
    def kept(self):
        """The tensors that forward kept: {"saved0": the first of ctx.saved_tensors, the name of an attribute of ctx: its tensor}."""
        saved = {f"saved{i}": t for i, t in enumerate(self.node.saved_tensors) if isinstance(t, torch.Tensor)}
        return saved | {name: t for name, t in vars(self.node).items() if isinstance(t, torch.Tensor)}


class OtherContext:
    """A ctx, with other tensors in the place of some that forward kept."""

    def __init__(self, ctx, other):
        self._ctx = ctx
        self.saved_tensors = tuple([other.get(f"saved{i}", t) for i, t in enumerate(ctx.saved_tensors)])
        vars(self).update({name: t for name, t in other.items() if name in vars(ctx)})

    def __getattr__(self, name):
        return getattr(self._ctx, name)


def widened(t):
    return t.to(torch.float64) if t.is_floating_point() else t


def written_at(function):
    """Return file:line of where a function is written."""
    code = getattr(inspect.unwrap(function), "__code__", None)
    return place(code.co_filename, code.co_firstlineno) if code else "built in"

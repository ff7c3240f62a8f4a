"""A call of a function that has no counterpart here, as a box needs it: its value is PyTorch's, and PyTorch computes its vjp.

The vjp runs the call again on copies of its inputs, with the random numbers of its first run, so it does not touch the program's graph.
"""

import numpy as np
import torch
from torch.utils._pytree import tree_flatten, tree_unflatten

from tensorgrad.beside.call import Library
from tensorgrad.beside_torch.calls.arrays import array, as_torch
from tensorgrad.beside_torch.calls.their_warnings import unheard

UNSEEN = "it was computed where PyTorch shows no calls: with complex numbers, in torch.func, by a scripted function"
PYTORCH = Library("PyTorch")


class TorchCall:
    """One call of a function of PyTorch: what it was given, kept as it was, and the state `dice` of the random numbers before it.

    `known` has our variable or constant for each tensor that was given: {id of the tensor: it}. `inputs` are the variables among them.
    """

    def __init__(self, function, args, kwargs, dice, known):
        given, self.tree = tree_flatten((args, kwargs))
        self.function, self.dice = function, dice
        self.slots = [i for i, x in enumerate(given) if isinstance(x, torch.Tensor) and getattr(known[id(x)], "node", None) is not None]
        self.inputs = [known[id(given[i])] for i in self.slots]
        kept = [
            x.new_empty(0) if i in self.slots else x.detach().clone() if isinstance(x, torch.Tensor) else x for i, x in enumerate(given)
        ]
        self.given = kept  # of the variables only the dtype: their numbers are given to `run`
        self.generators = {i: x.get_state() for i, x in enumerate(given) if isinstance(x, torch.Generator)}
        self.autocast = torch.is_autocast_enabled("cpu"), torch.get_autocast_dtype("cpu")

    def run(self, arrays):
        """Return (inputs, differentiable results) of the call, run again at other arrays in the places of its variables."""
        given, inputs = list(self.given), [as_torch(x, self.given[slot]) for slot, x in zip(self.slots, arrays)]
        for slot, t in zip(self.slots, inputs):
            given[slot] = t.clone()  # a function that writes to its input cannot write to a leaf
        for i, state in self.generators.items():
            given[i] = torch.Generator().set_state(state)
        args, kwargs = tree_unflatten(given, self.tree)
        enabled, dtype = self.autocast
        cast = torch.autocast("cpu", dtype, enabled, cache_enabled=False)
        with torch.random.fork_rng(devices=[]), torch.enable_grad(), torch._C.DisableTorchFunction(), cast, unheard():
            torch.random.set_rng_state(self.dice)
            y = self.function(*args, **kwargs)
        return inputs, [t for t in tensors_in(args[0] if y is None else y) if t.requires_grad]

    def at(self, place, *arrays):
        """Return result number `place` at other arrays."""
        return array(self.run(arrays)[1][place])

    def vjp(self, place, G, arrays, slots):
        """Return what result number `place` passes to the variables at `slots`."""
        inputs, results = self.run(arrays)
        passed = torch.autograd.grad(results[place], [inputs[i] for i in slots], as_torch(G, results[place], False), allow_unused=True)
        return [np.zeros(arrays[i].shape, arrays[i].dtype) if g is None else array(g) for i, g in zip(slots, passed)]


def tensors_in(x):
    """Return the tensors in an object and in the lists, tuples and dictionaries that it holds."""
    if isinstance(x, torch.Tensor):
        return [x]
    if isinstance(x, dict):
        x = x.values()
    elif not isinstance(x, list | tuple):
        return []
    return [t for item in x for t in tensors_in(item)]

"""A call of a function without a counterpart here, as a box needs it: its value is PyTorch's, and PyTorch computes its vjp.

The vjp runs the call again on copies of its inputs, with the random numbers of its first run, so it does not touch the program's graph.
The box is called as the program writes the function, F.cross_entropy or x.view: Python knows where the running call stands.
"""

import ast
import linecache
from functools import lru_cache
from itertools import islice

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


def as_written(frame, name):
    """Return how the expression that runs in a frame calls the function of this name; "" if it calls another one, such as a module."""
    return written_at(frame.f_code, frame.f_lasti, name) if frame else ""


@lru_cache(maxsize=10_000)  # a loop and the next recording come to the same places again
def written_at(code, instruction, name):
    where = next(islice(code.co_positions(), instruction // 2, None))
    if None in where:
        return ""
    first, last, start, end = where
    lines = [linecache.getline(code.co_filename, number).encode() for number in range(first, last + 1)]
    lines[-1] = lines[-1][:end]
    try:
        called = ast.parse(b"".join([lines[0][start:], *lines[1:]]).decode(), mode="eval").body
    except SyntaxError:
        return ""
    written = ast.unparse(called.func) if isinstance(called, ast.Call) else ""
    if written.rpartition(".")[2] != name:
        return ""
    return written if all(part.isidentifier() for part in written.split(".")) else f"(…).{name}"

"""The table of counterparts: {function of PyTorch: function of ours that takes the same arguments}."""

import inspect
from functools import cache
from importlib import import_module

import numpy as np
import torch
import torch.nn.functional as F

from tensorgrad.beside.call import Unsupported
from tensorgrad.rule import Rule

TABLE: dict = {}
FAMILIES = (
    "elementwise", "special", "shapes", "moves", "reductions", "order", "products", "matrices", "layers.networks", "layers.pooling",
    "layers.resampling", "layers.recurrent", "draws", "gather_scatter", "layers.losses", "derivatives",
)  # fmt: skip


def not_at(places, where):
    """Raise Unsupported if any place is true: there PyTorch's derivative follows another convention, so PyTorch computes it."""
    if np.any(places):
        raise Unsupported(f"PyTorch's derivative differs {where}")


class Theirs:
    """PyTorch's own side of the program's call: the `function`, the arguments `args` and `options`, and the `result`.

    Its choices are taken over from there: which of equal entries it took, which random numbers it drew.
    """

    def __init__(self, function, args, options, result, dice):
        self.function, self.args, self.options, self.result, self.dice = function, args, options, result, dice

    def again(self, function, *args, **options):
        """Run a function of PyTorch with the random numbers that the program's call drew."""
        with torch.random.fork_rng(devices=[]), torch.no_grad():
            torch.random.set_rng_state(self.dice)
            return function(*args, **options)

    @property
    def first(self):
        """The first argument of the call."""
        return self.args[0] if self.args else self.options["input"]

    def at(self, first):
        """Run the call again with another first argument."""
        if self.args:
            return self.again(self.function, first, *self.args[1:], **self.options)
        return self.again(self.function, **self.options | {"input": first})


SAME = {"axis": "dim", "axes": "dims", "keepdims": "keepdim", "axis0": "dim0", "axis1": "dim1"}  # NumPy's names, which PyTorch takes


def in_our_names(function, ours, options):
    """Return keyword arguments of a function of PyTorch under the names of `ours`: those at the same places of its signature."""
    known = list(parameters_of(ours))
    if options.keys() <= set(known) or "options" in known:
        return options
    places = places_of(function)
    return {name if name in known else SAME.get(name) or known[places.get(name, -1)]: x for name, x in options.items()}


@cache
def parameters_of(ours):
    return inspect.signature(ours).parameters


@cache
def places_of(function):
    """Return {name: place} of the arguments of a function of PyTorch, in all its forms. Python calls `input` what a schema calls self."""
    schemas = torch._C._jit_get_schemas_for_operator(f"aten::{function.__name__}") if isinstance(function.__name__, str) else []
    places = {a.name: place for s in schemas for place, a in enumerate(s.arguments) if not a.kwarg_only}
    return places | ({"input": places["self"]} if "self" in places else {})


def beside(*names, theirs=False):
    """Decorate a function of ours that takes the arguments of PyTorch's functions of these names.

    add stands for torch.add, Tensor.add, Tensor.add_ and F.add; "F.unfold" and "Tensor.unfold" for that one. With theirs=True it also
    gets theirs=, a Theirs.
    """

    def added(ours):
        if theirs:
            ours.takes_theirs = True
        for name in names:
            for function in functions_called(name):
                TABLE.setdefault(function, ours)
        return ours

    return added


ROOMS = {
    "": (torch, torch.Tensor, F, torch.special),
    "torch": (torch,),
    "Tensor": (torch.Tensor,),
    "F": (F,),
    "nn": (torch._C._nn,),
    "linalg": (torch.linalg,),
    "special": (torch.special,),
    "fft": (torch.fft,),
    "aten": (torch.ops.aten,),
}


def functions_called(name):
    """Return PyTorch's functions of a name, and those that write to the first argument. An attribute has a function to read it.

    An operator of torch.ops.aten has a function for each kind of arguments, too.
    """
    place, _, last = name.rpartition(".")
    found = [getattr(room, n) for room in ROOMS[place] for n in (last, f"{last}_") if hasattr(room, n)]
    if place == "aten":
        return [f for packet in found for f in (packet, *[getattr(packet, kind) for kind in packet.overloads()])]
    return [f if callable(f) else f.__get__ for f in found]


@cache
def families():
    return [import_module(f"{__package__}.{family}") for family in FAMILIES]


def counterpart(function):
    """Return our counterpart of a function of PyTorch, or None."""
    families()
    return TABLE.get(function)


def rule(value, *vjps, name=None, **options):
    value.__module__ = "torch"
    return Rule(value, *vjps, name=name, **options)


def unopened(name):
    """Return the `entries` of a rule whose value is not computed from numbers one by one."""

    def entries(*xs):
        raise TypeError(f"{name}: its entries cannot be opened, since it is computed as a whole; zoom into another function: zoom(v.node)")

    return entries


KINDS = {torch.float64: np.float64, torch.float32: np.float32, torch.float16: np.float32, torch.bfloat16: np.float32}

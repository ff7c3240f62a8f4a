"""The table of counterparts: {function of PyTorch: function of ours that takes the same arguments}."""

from functools import cache
from importlib import import_module

import torch
import torch.nn.functional as F

TABLE: dict = {}
FAMILIES = ("elementwise", "shapes", "reductions", "products", "networks", "losses")


class Unsupported(Exception):
    """These arguments have no counterpart here. The message says which."""


class Again:
    """Runs a function with the random numbers that the program's call drew. `given` are PyTorch's own arguments of that call."""

    def __init__(self, given, dice):
        self.given, self.dice = given, dice

    def __call__(self, function, *args, **options):
        with torch.random.fork_rng(devices=[]), torch.no_grad():
            torch.random.set_rng_state(self.dice)
            return function(*args, **options)


def beside(*names, draws=False):
    """Decorate a function of ours that takes the arguments of PyTorch's functions of these names.

    add stands for torch.add, Tensor.add, Tensor.add_ and F.add; "F.unfold" and "Tensor.unfold" for that one. A function that draws
    random numbers also gets again=, an Again.
    """

    def added(ours):
        for name in names:
            for function in functions_called(name):
                TABLE.setdefault(function, ours)
        ours.draws = draws
        return ours

    return added


ROOMS = {
    "": (torch, torch.Tensor, F),
    "torch": (torch,),
    "Tensor": (torch.Tensor,),
    "F": (F,),
    "linalg": (torch.linalg,),
    "special": (torch.special,),
}


def functions_called(name):
    """Return PyTorch's functions of a name, and those that write to the first argument. An attribute has a function to read it."""
    place, _, last = name.rpartition(".")
    found = [getattr(room, n) for room in ROOMS[place] for n in (last, f"{last}_") if hasattr(room, n)]
    return [f if callable(f) else f.__get__ for f in found]


@cache
def families():
    return [import_module(f"{__package__}.{family}") for family in FAMILIES]


def counterpart(function):
    """Return our counterpart of a function of PyTorch, or None."""
    families()
    return TABLE.get(function)

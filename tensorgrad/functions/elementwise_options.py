"""The functions with options of scalargrad/options.py on arrays, and what NumPy has besides: clip, select, degrees."""

import math
from typing import TYPE_CHECKING

import numpy as np

from scalargrad import options
from tensorgrad.identity import identity
from tensorgrad.public import public
from tensorgrad.rules import elementwise as rules
from tensorgrad.rules.elementwise_rule import on_arrays

if TYPE_CHECKING:
    from scalargrad.options import *  # noqa: F403
else:
    globals().update({name: on_arrays(options.FUNCTIONS[name]) for name in options.__all__})
    __all__ = [*options.__all__, "clip"]  # noqa: PLE0604
METHODS = [*options.__all__, "clip"]


@public
def clip(a, a_min=None, a_max=None, *, min=None, max=None):
    """clamp, with NumPy's names of its arguments.

    >>> clip(np.array([-2.0, 0.5, 3.0]), 0, 1)
    array([0. , 0.5, 1. ])
    """
    return options.clamp(a, a_min if min is None else min, a_max if max is None else max)


def first_that_holds(condlist, choicelist, default=0):
    """np.select: entry by entry the choice whose condition is the first to hold, else the default. (Our select takes a slice.)"""
    if len(condlist) != len(choicelist) or not condlist:
        raise ValueError(f"np.select: {len(condlist)} conditions and {len(choicelist)} choices; give as many, at least one of each")
    y = default
    for condition, x in zip(reversed(condlist), reversed(choicelist)):
        y = rules.where(condition, x, y)
    return y


NUMPY = {  # {NumPy's function: ours}
    np.select: first_that_holds,
    np.fix: rules.trunc,
    np.fabs: rules.abs,
    **dict.fromkeys((np.positive, np.conjugate, np.copy), identity),
    np.divmod: lambda a, b: (a // b, a % b),
    np.degrees: lambda x: x * (180 / math.pi),
    np.radians: lambda x: x * (math.pi / 180),
    np.rad2deg: lambda x: x * (180 / math.pi),
    np.deg2rad: lambda x: x * (math.pi / 180),
}

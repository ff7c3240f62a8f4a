"""The functions with options of scalargrad/options.py on arrays, and what NumPy has besides: clip, select, degrees."""

import math
from typing import TYPE_CHECKING

import numpy as np

from scalargrad import options
from tensorgrad.numpy_dispatch import numpy
from tensorgrad.public import Array, identity, method
from tensorgrad.rules import elementwise
from tensorgrad.rules.elementwise_rule import on_arrays

if TYPE_CHECKING:
    from scalargrad.options import *  # noqa: F403
else:
    globals().update({name: on_arrays(options.FUNCTIONS[name]) for name in options.__all__})
    __all__ = [*options.__all__, "clip"]  # noqa: PLE0604


@method
def clip(a: Array, a_min=None, a_max=None, *, min=None, max=None):
    """clamp, with NumPy's names of its arguments.

    In formulas:
        y = min(max(a, a_min), a_max)
        dz/da = dz/dy where a_min <= a <= a_max, else 0

    >>> clip(np.array([-2.0, 0.5, 3.0]), 0, 1)
    array([0. , 0.5, 1. ])
    """
    return options.clamp(a, a_min if min is None else min, a_max if max is None else max)


@numpy(np.select)
def first_that_holds(condlist, choicelist, default=0):
    """np.select: entry by entry the choice whose condition is the first to hold, else the default. (Our select takes a slice.)"""
    if len(condlist) != len(choicelist) or not condlist:
        raise ValueError(f"np.select: {len(condlist)} conditions and {len(choicelist)} choices; give as many, at least one of each")
    y = default
    for condition, x in zip(reversed(condlist), reversed(choicelist)):
        y = elementwise.where(condition, x, y)
    return y


numpy(np.fix)(elementwise.trunc)
numpy(np.fabs)(elementwise.abs)
numpy(np.positive, np.conjugate, np.copy)(identity)
numpy(np.divmod)(lambda a, b: (a // b, a % b))
numpy(np.degrees, np.rad2deg)(lambda x: x * (180 / math.pi))
numpy(np.radians, np.deg2rad)(lambda x: x * (math.pi / 180))

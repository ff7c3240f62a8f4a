"""The settings of layers: sizes, kernels and dtypes, checked where a layer is made."""

from numbers import Integral, Real

import numpy as np

from scalargrad.errors import wrong_type
from tensorgrad.operands import FLOATS, dtype_called


def positive(layer, **sizes):
    """Raise TypeError or ValueError for a size that is not a positive integer."""
    for name, n in sizes.items():
        if not isinstance(n, Integral) or isinstance(n, bool):
            raise wrong_type(layer, name, n, "an integer")
        if n < 1:
            raise ValueError(f"{layer}: {name}={n} is out of range; it must be 1 or more")


def on_each_axis(layer, axes, least=1, **settings):
    """Return settings, each an integer or one integer for each axis, as tuples of as many integers."""
    found = []
    for name, given in settings.items():
        several = tuple(given) if isinstance(given, (tuple, list)) else (given,) * axes
        if len(several) != axes or not all(isinstance(n, Integral) and not isinstance(n, bool) for n in several):
            raise wrong_type(layer, name, given, f"an integer or a tuple of {axes}")
        if min(several) < least:
            raise ValueError(f"{layer}: {name}={given} is out of range; it must be {least} or more")
        found.append(tuple(map(int, several)))
    return found


def probability(layer, p):
    """Return p. Raises TypeError or ValueError if it is not a number from 0 to 1."""
    if not isinstance(p, Real):
        raise wrong_type(layer, "p", p, "a number")
    if not 0 <= p <= 1:
        raise ValueError(f"{layer}: p={p} is not a probability; use a number from 0 to 1")
    return p


def float_dtype(layer, dtype):
    """Return a dtype of parameters; float32 for None, as in PyTorch. Raises TypeError for other dtypes than float32 and float64."""
    found = np.dtype(np.float32) if dtype is None else dtype_called(dtype)
    if found not in FLOATS:
        raise TypeError(f"{layer}: dtype={found} is not float32 or float64")
    return found

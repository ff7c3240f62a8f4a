"""The settings of layers: sizes, kernels and dtypes, checked where a layer is made."""

import numpy as np

from scalargrad.messages.errors import is_integer, out_of_range, wrong_type
from tensorgrad.arrays.operands import FLOATS, dtype_called


def on_each_axis(layer, axes, least=1, **settings):
    """Return settings, each an integer or one integer for each axis, as tuples of as many integers."""
    found = []
    for name, given in settings.items():
        several = tuple(given) if isinstance(given, (tuple, list)) else (given,) * axes
        if len(several) != axes or not all(map(is_integer, several)):
            raise wrong_type(layer, name, given, f"an integer or a tuple of {axes}")
        if min(several) < least:
            raise out_of_range(layer, name, given, least)
        found.append(tuple(map(int, several)))
    return found


def float_dtype(layer, dtype):
    """Return a dtype of parameters; float32 for None, as in PyTorch. Raises TypeError for other dtypes than float32 and float64."""
    found = np.dtype(np.float32) if dtype is None else dtype_called(dtype)
    if found not in FLOATS:
        raise TypeError(f"{layer}: dtype={found} is not float32 or float64")
    return found

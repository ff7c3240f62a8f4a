"""Convolution of small arrays: one look-up gathers the rows of im2col, and one count adds up what they pass back.

The numbers of the entries that the look-up reads are remembered for each shape. A call then takes four functions of NumPy, for any
number of axes.
"""

from functools import lru_cache
from math import prod

import numpy as np

from tensorgrad.arrays.windows import SMALL, at_numbers, sliding_windows, sums_at_numbers
from tensorgrad.kernels.convolutions.im2col import by_group
from tensorgrad.kernels.convolutions.layout import channels_first, empty_channels_last

MOST = SMALL  # entries of rows up to which the number of calls of NumPy counts alone


def products(x, w, window, groups, y=None):
    """Return the convolution of x with w."""
    y = empty_channels_last((len(x), *window.count(x.shape[1:-1]), len(w)), x.dtype)
    rows, matrix = at_numbers(x, numbers_of(x.shape, window, groups)), w.reshape(groups, len(w) // groups, -1).swapaxes(1, 2)
    np.matmul(rows, matrix, out=by_group(y, groups))
    return y


def vjps(g, x, w, window, groups, size, dx=None):
    """Return the gradients of x and w, as sums of exactly the products of the formula."""
    channels = (x.shape[-1] // groups) if w is None else w.shape[1]
    shape = (len(g), *size, groups * channels)
    numbers, g, dw = numbers_of(shape, window, groups), by_group(g, groups), None
    if x is not None:
        dw = np.matmul(g.swapaxes(1, 2), at_numbers(x, numbers)).reshape(groups * g.shape[2], channels, *window.kernel)
    if w is not None:
        dx = empty_channels_last(shape, g.dtype)
        dx[...] = sums_at_numbers(np.matmul(g, w.reshape(groups, len(w) // groups, -1)), numbers, shape)
    return dx, dw


@lru_cache(256)
def numbers_of(shape, window, groups):
    """Return the numbers of the entries in each row, from an array (n, *size, c): (group, sample and window, channel and place)."""
    entries = channels_first(np.arange(1, prod(shape) + 1).reshape(shape))
    entries = sliding_windows(entries, window)  # (n, c, *windows, *places)
    rows = entries.reshape(shape[0], groups, shape[-1] // groups, -1, prod(window.kernel)).transpose(1, 0, 3, 2, 4)
    return np.ascontiguousarray(rows).reshape(groups, -1, shape[-1] // groups * prod(window.kernel))

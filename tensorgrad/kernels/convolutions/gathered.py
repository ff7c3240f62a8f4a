"""Convolution of small arrays: one look-up gathers the rows of im2col, and one count adds up what they pass back.

The places that the look-up reads are remembered for each shape. A call then takes four functions of NumPy, for any number of axes.
"""

from functools import lru_cache
from math import prod

import numpy as np

from tensorgrad.kernels.convolutions import im2col
from tensorgrad.kernels.convolutions.layout import empty_channels_last

MOST = 1 << 11  # entries of rows up to which the number of calls of NumPy counts alone


def products(x, w, window, groups, y=None):
    """Return the convolution of x with w."""
    y = empty_channels_last((len(x), *window.count(x.shape[1:-1]), len(w)), x.dtype)
    rows, matrix = entries_at(places(x.shape, window, groups), x), w.reshape(groups, len(w) // groups, -1).swapaxes(1, 2)
    np.matmul(rows, matrix, out=im2col.by_group(y, groups))
    return y


def vjps(g, x, w, window, groups, size, dx=None):
    """Return the gradients of x and w, as sums of exactly the products of the formula."""
    channels = (x.shape[-1] // groups) if w is None else w.shape[1]
    shape = (len(g), *size, groups * channels)
    at, dw = places(shape, window, groups), None
    g = im2col.by_group(g, groups)
    if x is not None:
        dw = np.matmul(g.swapaxes(1, 2), entries_at(at, x)).reshape(groups * g.shape[2], channels, *window.kernel)
    if w is not None:
        dx = empty_channels_last(shape, g.dtype)
        passed = np.matmul(g, w.reshape(groups, len(w) // groups, -1))
        dx.reshape(-1)[...] = np.bincount(at.reshape(-1), passed.reshape(-1), dx.size + 1)[1:]
    return dx, dw


def entries_at(at, x):
    """Return the entries of x at the places `at`; at place 0 is a zero."""
    behind = np.empty(x.size + 1, x.dtype)
    behind[0] = 0
    behind[1:] = x.reshape(-1)
    return behind.take(at)


@lru_cache(256)
def places(shape, window, groups):
    """Return where each window finds its entries in an array (n, *size, c) with a zero in front: (group, window, channel and place)."""
    numbers = np.arange(1, prod(shape) + 1).reshape(shape)
    found = np.concatenate([rows.copy() for _, rows in im2col.blocks(numbers, window, groups)], 1)
    by_place = found.reshape(*found.shape[:2], prod(window.kernel), -1)
    return np.ascontiguousarray(by_place.swapaxes(2, 3)).reshape(found.shape)

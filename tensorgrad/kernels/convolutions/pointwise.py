"""Pointwise convolution, with a kernel of one place: a matrix product over the channels.

With a stride, the entries that the kernel meets are copied first. The others have gradient 0.
"""

import numpy as np

from tensorgrad.kernels.convolutions.layout import empty_channels_last
from tensorgrad.kernels.products import fill, matmul


def products(x, w, window, groups):
    """Return y = x Wᵀ, with the entries of all places as rows."""
    x = np.ascontiguousarray(met(x, window))
    y = empty_channels_last((*x.shape[:-1], len(w)), x.dtype)
    matmul(flat(x), square(w).T, flat(y))
    return y


def vjps(g, x, w, window, groups, size):
    """Return dx = g W and dW = gᵀ x."""
    dx = dw = None
    todo = []
    if w is not None:
        dx = empty_channels_last((*g.shape[:-1], w.shape[1]), g.dtype)
        todo.append((flat(g), square(w), flat(dx)))
    if x is not None:
        dw = np.empty((g.shape[-1], x.shape[-1], *window.kernel), g.dtype)
        todo.append((flat(g).T, flat(met(x, window)), square(dw)))
    fill(*todo)
    if w is not None and max(window.stride) > 1:
        wide = empty_channels_last((len(g), *size, w.shape[1]), g.dtype)
        wide[...] = 0
        met(wide, window)[...] = dx
        dx = wide
    return dx, dw


def met(x, window):
    """Return the view of the entries that the kernel meets."""
    return x[(slice(None), *[slice(None, None, s) for s in window.stride])] if max(window.stride) > 1 else x


def flat(x):
    return x.reshape(-1, x.shape[-1])


def square(w):
    return w.reshape(w.shape[:2])

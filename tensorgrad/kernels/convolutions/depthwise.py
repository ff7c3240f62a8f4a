"""Depthwise convolution: each channel has its own kernel. einsum multiplies and adds each place of the kernel in one pass.

With a horizontal stride of 1 a pass runs through whole rows, (column and channel): the kernel's numbers are repeated along them, and
the sum of a row stays in the processor's cache until all places of the kernel are added.
"""

from math import prod

import numpy as np
from numpy.lib.stride_tricks import as_strided

from tensorgrad.arrays.windows import Window, interior, kernel_offsets, tap
from tensorgrad.kernels.blocks import slices
from tensorgrad.kernels.convolutions.layout import empty_channels_last, zero_padded
from tensorgrad.kernels.registry import kernel

ROWS = 256  # of numbers that one pass adds up for dw: a longer sum would lose digits


@kernel("depthwise")
def products(x, w, window, groups, y=None):
    """Return the convolution of x with w: the sum over the places of the kernel."""
    return summed(x, w, window, y)


def summed(x, w, window, y=None):
    count, d = window.count(x.shape[1:-1]), len(window.kernel)
    y = empty_channels_last((len(x), *count, len(w)), x.dtype) if y is None else y
    seen, rows = covered(x, window, count), count[-1] if window.stride[-1] == 1 else 1
    axes = [*range(seen.ndim)]
    np.einsum(seen, axes, repeated(w, rows), [*axes[:d], axes[-1]], axes[d:], out=y.reshape(seen.shape[d:]))
    return y


@kernel("depthwise_vjps")
def vjps(g, x, w, window, groups, size, dx=None):
    """Return the gradients of x and w: dx adds g times the kernel at each window, dw sums g times the entries there."""
    dw = None if x is None else weight_gradient(g, x, window)
    if w is None:
        return None, dw
    if max(window.stride) == 1:
        return summed(g, np.flip(w, [*range(2, w.ndim)]), window.mirrored(), dx), dw
    inner = scattered(g, w, window, size)
    if dx is None:
        return inner, dw
    dx[...] = inner
    return dx, dw


def weight_gradient(g, x, window):
    """dw[c,k] = Σ over windows p: g[p,c] times the entry of x at place k of window p"""
    seen, d = covered(x, window, g.shape[1:-1]), len(window.kernel)
    g, axes = g.reshape(seen.shape[d:]), [*range(seen.ndim)]
    dw = np.zeros((*window.kernel, g.shape[-1]), g.dtype)
    tall = max(1, ROWS // max(1, prod(g.shape[2:-1])))
    many = max(1, ROWS // max(1, prod(g.shape[1:-1])))
    for some in slices(len(g), many):
        for high in slices(g.shape[1], tall) if g.ndim > 2 else [slice(None)]:
            part = np.einsum(seen[(slice(None),) * d + (some, high)], axes, g[some, high], axes[d:], [*axes[:d], axes[-1]])
            dw += part
    return dw.reshape(prod(window.kernel), -1, x.shape[-1]).sum(1).T.reshape(-1, 1, *window.kernel)


def scattered(g, w, window, size):
    """Return dx for a stride: each place of the kernel adds g times its numbers where the windows lie, one sample after the other."""
    wide = np.zeros((len(g), *[n + a + b for n, (a, b) in zip(size, window.padding)], g.shape[-1]), g.dtype)
    bare = Window((*window.kernel, 1), (*window.stride, 1), (), (*window.dilation, 1))  # over the channels too
    onto = [tap(wide, bare, k, g.shape[1:]) for k in kernel_offsets(bare)]
    numbers, product = w.reshape(len(w), -1).T, np.empty(g.shape[1:], g.dtype)
    for sample, entries in enumerate(g):
        for there, number in zip(onto, numbers):
            np.add(there[sample], np.multiply(entries, number, out=product), out=there[sample])
    return wide[(slice(None), *interior(window, size)[1:])]


def covered(x, window, count):
    """Return the view (*places, n, *windows, c) of the padded x that the windows cover; a row and its channels are one axis if they can."""
    x = zero_padded(x, window)
    first, *between, last = x.strides
    places = [step * d for step, d in zip(between, window.dilation)]
    steps = [step * s for step, s in zip(between, window.stride)]
    if window.stride[-1] == 1:
        shape, strides = (*count[:-1], count[-1] * x.shape[-1]), (*steps[:-1], last)
    else:
        shape, strides = (*count, x.shape[-1]), (*steps, last)
    return as_strided(x, (*window.kernel, len(x), *shape), (*places, first, *strides), writeable=False)


def repeated(w, rows):
    """Return, for each place of the kernel, its numbers so many times in turn, (*places, rows and c)."""
    numbers = np.broadcast_to(w.reshape(len(w), -1).T[:, None], (prod(w.shape[2:]), rows, len(w)))
    return numbers.reshape(*w.shape[2:], rows * len(w))

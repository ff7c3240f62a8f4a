"""Convolution of an array with few channels, such as an image: a matrix product with one row for each channel and place of the kernel.

A row holds the entries that all windows cover at its place, so it is copied in long runs. The rows are copied in blocks of samples
that fit the processor's cache; the backward function copies them again.
"""

from math import prod

import numpy as np

from tensorgrad.arrays.windows import SMALL, kernel_offsets, padded, sliding_windows, tap
from tensorgrad.kernels.convolutions import im2col
from tensorgrad.kernels.convolutions.layout import accumulate, channels_first, empty_channels_last, without_padding
from tensorgrad.kernels.products import multiplied, product

BLOCK_BYTES = 1 << 20  # bytes of rows at a time


def products(x, w, window, groups, y=None):
    """Return the convolution of x with w."""
    y = empty_channels_last((len(x), *window.count(x.shape[1:-1]), len(w)), x.dtype) if y is None else y
    matrix = w.reshape(len(w), -1).T
    for block, rows in blocks(x, window):
        product(rows.T, matrix, y[block].reshape(-1, len(w)))
    return y


def vjps(g, x, w, window, groups, size, dx=None):
    """Return the gradients of x and w: dw = gᵀ rowsᵀ."""
    dx = None if w is None else im2col.vjps(g, None, w, window, groups, size, dx)[0]
    if x is None:
        return dx, None
    dw = np.zeros((x.shape[-1] * prod(window.kernel), g.shape[-1]), g.dtype) if not len(x) else None
    for block, rows in blocks(x, window):
        dw = accumulate(dw, multiplied(rows, g[block].reshape(-1, g.shape[-1])))
    return dx, np.ascontiguousarray(dw.T).reshape(-1, x.shape[-1], *window.kernel)


def blocks(x, window):
    """Yield (which samples, their rows) for blocks of samples; the rows are (channel and place, sample and window)."""
    count, places = window.count(x.shape[1:-1]), list(kernel_offsets(window))
    height, width = x.shape[-1] * len(places), prod(count)
    many = max(1, min(len(x), BLOCK_BYTES // max(1, height * width * x.itemsize)))
    memory = np.empty(height * many * width, x.dtype)
    bare, d = without_padding(window), len(count)
    order = (0, *range(d + 2, 2 * d + 2), 1, *range(2, d + 2))  # (channel, *places, n, *windows)
    for start in range(0, len(x), many):
        block = slice(start, start + many)
        wide = padded(np.ascontiguousarray(channels_first(x[block]).swapaxes(0, 1)), window)  # (channel, n, *size)
        rows = memory[: height * wide.shape[1] * width].reshape(x.shape[-1], len(places), wide.shape[1], *count)
        if rows.size <= SMALL:
            entries = sliding_windows(wide, bare)  # (channel, n, *windows, *places)
            rows.reshape(len(rows), *window.kernel, *rows.shape[2:])[...] = entries.transpose(order)
        else:
            for i, k in enumerate(places):
                rows[:, i] = tap(wide, bare, k, count)
        yield block, rows.reshape(height, -1)

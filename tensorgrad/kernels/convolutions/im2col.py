"""im2col: convolution as one matrix product. Each row of the matrix holds the entries of one window.

The rows are copied in blocks that fit the processor's cache; the backward function copies them again. With stride 1 the
gradient of x is the convolution of g with the reversed kernel. The same rows of g then give the gradient of the kernel: dw = xᵀ
rows(g).
"""

from math import prod

import numpy as np

from tensorgrad.arrays.windows import interior, kernel_offsets, sliding_windows, tap
from tensorgrad.kernels.convolutions.layout import accumulate, channels_first, empty_channels_last, without_padding, zero_padded
from tensorgrad.kernels.products import multiplied, product

BLOCK_BYTES = 1 << 20  # bytes, about the size of a core's own cache
FEWEST = 256  # rows that a product of matrices needs to run at full speed


def products(x, w, window, groups, y=None):
    """Return the convolution of x with w."""
    y = empty_channels_last((len(x), *window.count(x.shape[1:-1]), len(w)), x.dtype) if y is None else y
    matrix = by_place(w, groups).swapaxes(1, 2)
    for block, rows in blocks(x, window, groups):
        product(rows, matrix, by_group(y[block], groups))
    return y


def vjps(g, x, w, window, groups, size, dx=None):
    """Return the gradients of x and w."""
    if w is not None and max(window.stride) == 1 and len(w) <= 2 * w.shape[1] * groups:
        return vjps_by_mirrored_kernel(g, x, w, window, groups, size, dx)
    return exact_vjps(g, x, w, window, groups, size, dx)


def exact_vjps(g, x, w, window, groups, size, dx=None):
    """Return the gradients of x and w as sums of exactly the products of the formula: an inf or nan reaches no other entry."""
    dx = None if w is None else col2im(g, w, window, groups, size, dx)
    return dx, None if x is None else weight_gradient(g, x, window, groups)


def weight_gradient(g, x, window, groups):
    """dw = gᵀ rows(x)"""
    channels = x.shape[-1] // groups
    dw = None
    for block, rows in blocks(x, window, groups):
        dw = accumulate(dw, multiplied(by_group(g[block], groups).swapaxes(1, 2), rows))
    if dw is None:
        return np.zeros((g.shape[-1], channels, *window.kernel), g.dtype)
    return by_channel(dw, channels, window.kernel)


def col2im(g, w, window, groups, size, dx=None):
    """Return dx: each window adds its row of g W to the entries that it covers."""
    matrix = by_place(w, groups)
    dx = empty_channels_last((len(g), *size, groups * w.shape[1]), g.dtype) if dx is None else dx
    many = max(1, BLOCK_BYTES // max(1, prod(g.shape[1:-1]) * groups * matrix.shape[2] * g.itemsize))
    for start in range(0, len(g), many):
        some = slice(start, start + many)
        add_windows(dx[some], multiplied(by_group(g[some], groups), matrix), window, g.shape[1:-1])
    return dx


def add_windows(dx, rows, window, count):
    """Set dx to the sum of the rows (group, window, place and channel): each is added to the entries that its window covers."""
    groups, channels = len(rows), dx.shape[-1] // len(rows)
    wide = zeros_around(dx, window)
    onto = np.moveaxis(wide.reshape(*wide.shape[:-1], groups, channels), (-2, -1), (0, 2))  # (group, n, channel, *size)
    entries = np.moveaxis(rows.reshape(groups, len(dx), *count, *window.kernel, channels), -1, 2)  # (group, n, channel, *windows, *places)
    for k in kernel_offsets(window):
        there = tap(onto, window, k, count)
        np.add(there, entries[(..., *k)], out=there)
    if wide is not dx:
        dx[...] = wide[(slice(None), *interior(window, dx.shape[1:-1])[1:])]


def zeros_around(x, window):
    """Return an array of zeros of the size of x and its padding. Without padding it is x itself, which is set to 0."""
    if any(map(any, window.padding)):
        size = [n + a + b for n, (a, b) in zip(x.shape[1:-1], window.padding)]
        return np.zeros((len(x), *size, x.shape[-1]), x.dtype)
    x[...] = 0
    return x


def vjps_by_mirrored_kernel(g, x, w, window, groups, size, dx=None):
    """Return dx, the convolution of g with the reversed kernel, and dw = xᵀ rows(g)."""
    window = window.mirrored()
    out, channels = len(w) // groups, w.shape[1]
    dx = empty_channels_last((len(g), *size, groups * channels), g.dtype) if dx is None else dx
    w = w.reshape(groups, out, channels, -1)[..., ::-1].transpose(0, 3, 1, 2)  # (group, place, out, channel)
    matrix = w.reshape(groups, -1, channels)
    dw = None
    for block, rows in blocks(g, window, groups):
        product(rows, matrix, by_group(dx[block], groups))
        if x is not None:
            dw = accumulate(dw, multiplied(by_group(x[block], groups).swapaxes(1, 2), rows))
    if x is not None:
        dw = np.zeros((groups, channels, matrix.shape[1]), g.dtype) if dw is None else dw
        dw = dw.reshape(groups, channels, -1, out)[:, :, ::-1].transpose(0, 3, 1, 2).reshape(groups * out, channels, *window.kernel)
    return dx, dw


def blocks(x, window, groups):
    """Yield (where, rows) for blocks of windows: `where` indexes (n, *windows), `rows` is (group, window, place and channel)."""
    channels = x.shape[-1] // groups
    count = window.count(x.shape[1:-1])
    width = prod(window.kernel) * channels
    fitting = max(FEWEST, BLOCK_BYTES // (width * groups * x.itemsize))
    one = prod(count)
    many, tall = (fitting // one, count[0]) if one <= fitting else (1, max(1, fitting // prod(count[1:])))
    many = max(1, min(many, len(x)))
    memory = np.empty(groups * many * tall * prod(count[1:]) * width, x.dtype)
    for start in range(0, len(x), many):
        wide = channels_first(zero_padded(x[start : start + many], window))
        entries = sliding_windows(wide, without_padding(window))  # (n, channel, *windows, *places)
        entries = entries.reshape(len(entries), groups, channels, *entries.shape[2:])
        entries = entries.transpose(1, 0, *range(3, entries.ndim), 2)  # (group, n, *windows, *places, channel)
        for top in range(0, count[0], tall):
            part = entries[:, :, top : top + tall]
            rows = memory[: part.size].reshape(part.shape)
            np.copyto(rows, part)
            yield (slice(start, start + many), slice(top, top + tall)), rows.reshape(groups, -1, width)


def by_place(w, groups):
    """Return w as (group, out, place and channel)."""
    out, channels = w.shape[:2]
    return w.reshape(groups, out // groups, channels, -1).swapaxes(2, 3).reshape(groups, out // groups, -1)


def by_channel(w, channels, kernel):
    """Return (group, out, place and channel) as (groups · out, channel, *kernel)."""
    return w.reshape(w.shape[0] * w.shape[1], -1, channels).swapaxes(1, 2).reshape(-1, channels, *kernel)


def by_group(x, groups):
    """Return (n, *size, groups · channels) as a view (group, entry, channel)."""
    return x.reshape(-1, groups, x.shape[-1] // groups).swapaxes(0, 1)

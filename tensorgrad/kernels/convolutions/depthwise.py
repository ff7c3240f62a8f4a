"""Depthwise convolution: each channel has its own kernel. Each place of the kernel takes one elementwise product.

Every pass works on a block of windows that fits the processor's cache. The kernel's numbers are repeated along the last axis of
the windows, so that a pass runs through whole rows.
"""

from math import prod

import numpy as np

from tensorgrad.arrays.windows import Window, interior, kernel_offsets, tap
from tensorgrad.kernels.blocks import aligned
from tensorgrad.kernels.convolutions.layout import empty_channels_last, zero_padded
from tensorgrad.kernels.registry import kernel

BLOCK_BYTES = 1 << 18  # bytes of one array of a pass


@kernel("depthwise")
def products(x, w, window, groups, y=None):
    """Return the convolution of x with w: the sum over the places of the kernel."""
    count = window.count(x.shape[1:-1])
    y = empty_channels_last((len(x), *count, len(w)), x.dtype) if y is None else y
    seen = taps(zero_padded(x, window), window, count)
    numbers = repeated(w, count)
    for block, product, total in blocks(y):
        np.multiply(seen[0][block], numbers[0], out=total)
        for entries, number in zip(seen[1:], numbers[1:]):
            np.add(total, np.multiply(entries[block], number, out=product), out=total)
        y[block] = total
    return y


@kernel("depthwise_vjps")
def vjps(g, x, w, window, groups, size, dx=None):
    """Return the gradients of x and w: dx adds g times the kernel at each window, dw sums g times the entries there."""
    count, width, dw = g.shape[1:-1], g.shape[-2] * g.shape[-1], None
    if w is not None:
        wide = np.zeros((len(g), *[n + a + b for n, (a, b) in zip(size, window.padding)], g.shape[-1]), g.dtype)
        onto, numbers = taps(wide, window, count), repeated(w, count)
    if x is not None:
        seen = taps(zero_padded(x, window), window, count)
        dw = np.zeros((len(seen), width), g.dtype)
    for block, product, here in blocks(g):
        np.copyto(here, g[block])
        ones = np.ones(here.size // max(1, width), g.dtype)
        for k in range(prod(window.kernel)):
            if w is not None:
                to = onto[k][block]
                np.add(to, np.multiply(here, numbers[k], out=product), out=to)
            if x is not None:
                dw[k] += ones @ np.multiply(here, seen[k][block], out=product).reshape(len(ones), width)
    if w is not None:
        inner = wide[(slice(None), *interior(window, size)[1:])]
        if dx is None:
            dx = inner
        else:
            dx[...] = inner
    return dx, None if x is None else dw.reshape(len(dw), *g.shape[-2:]).sum(1).T.reshape(-1, 1, *window.kernel)


def taps(wide, window, count):
    """Return, for each place of the kernel, the view (n, *count, c) of a padded array that the windows cover there."""
    bare = Window((*window.kernel, 1), (*window.stride, 1), (), (*window.dilation, 1))  # over the channels too
    return [tap(wide, bare, k, (*count, wide.shape[-1])) for k in kernel_offsets(bare)]


def repeated(w, count):
    """Return, for each place of the kernel, its numbers, (windows along the last axis, c)."""
    numbers = w.reshape(len(w), -1).T[:, None]
    return np.ascontiguousarray(np.broadcast_to(numbers, (len(numbers), count[-1], len(w))))


def blocks(y):
    """Yield (where, two arrays of that shape for products and sums) for blocks of y (n, *count, c): of samples, or of rows of one."""
    rows = max(1, BLOCK_BYTES // max(1, prod(y.shape[2:]) * y.itemsize))
    many, tall = (max(1, rows // max(1, y.shape[1])), y.shape[1]) if rows >= y.shape[1] else (1, rows)
    shape = min(many, len(y)), tall, *y.shape[2:]
    memory = [aligned(prod(shape), y.dtype).reshape(shape) for _ in range(2)]
    for start in range(0, len(y), many):
        for top in range(0, y.shape[1], tall):
            block = (slice(start, start + many), slice(top, top + tall))
            high, wide = y[block].shape[:2]
            yield block, *[array[:high, :wide] for array in memory]

"""Convolution over two axes with few channels, one row of the kernel at a time.

The entries that a kernel row covers are copied once as strips, (n, row, window, column and channel). Each kernel row is then a
matrix product with a part of the strips, so the copy is a third of im2col's for a kernel of 3 × 3. With a vertical stride of s,
rows 0, s, 2s, ... of the strips are adjacent, then rows 1, s + 1, ...: the part of a kernel row is again one block of memory.

With stride 1 the backward function uses the same strips of g for both gradients, if it computes both: dx is the convolution of g with
the reversed kernel. With a stride, dx is one such convolution for each phase of its rows, and s adjacent columns of dx are its channels.
"""

from math import prod

import numpy as np

from tensorgrad.arrays.windows import Window
from tensorgrad.kernels.convolutions.layout import FOR_THREADS, accumulate, empty_channels_last, sample_parts
from tensorgrad.kernels.registry import kernel

BLOCK_BYTES = 1 << 20  # bytes of strips at a time


def products(x, w, window, groups):
    """Return the convolution of x with w: the sum over the kernel's rows."""
    return over_samples(x, w.transpose(2, 3, 1, 0), window)[0]


def vjps(g, x, w, window, groups, size):
    """Return dx and dw."""
    if w is None or max(window.stride) > 1:
        return None if w is None else by_phases(g, w, window, size), None if x is None else weight_gradient(g, x, window)
    window = window.mirrored()
    high, wide = window.kernel
    out, channels = g.shape[-1], (x if w is None else w).shape[-1 if w is None else 1]
    matrices = None if w is None else w[:, :, ::-1, ::-1].transpose(2, 3, 0, 1)
    dx, dw = over_samples(g, matrices, window, x)
    if x is not None:
        dw = dw.reshape(high, channels, wide, out)[::-1, :, ::-1].transpose(3, 1, 0, 2)
    return dx, dw


def weight_gradient(g, x, window):
    """dw = gᵀ strips(x)"""
    dw = over_samples(x, None, window, g)[1]
    return dw.reshape(*dw.shape[:2], window.kernel[1], -1).transpose(1, 3, 0, 2)


def by_phases(g, w, window, size):
    """Return dx for a stride that is at most the kernel. Row q of dx belongs to phase q mod (vertical stride)."""
    (down, across), ((top, _), (left, _)) = window.stride, window.padding
    dx = empty_channels_last((len(g), *size, w.shape[1]), g.dtype)
    first, last = -((window.kernel[1] - 1 - left) // across), (across - 1 + left) // across  # of g's columns, from dx's column / stride
    for phase in range(min(down, size[0])):
        rows = range((phase + top) % down, window.kernel[0], down)[::-1]  # of the kernel
        start = (phase + top - rows[0]) // down  # of g's rows, from dx's row / stride
        count = -((phase - size[0]) // down), -(-size[1] // across)
        kernel = len(rows), last - first + 1
        before = -start, -first
        padding = tuple([(b, n + k - 1 - m - b) for b, n, k, m in zip(before, count, kernel, g.shape[1:-1])])
        y, _ = over_samples(g, banded(w[:, :, rows], left, across, first, last), Window(kernel, (1, 1), padding, (1, 1)))
        dx[:, phase::down] = y.reshape(len(g), count[0], -1, w.shape[1])[:, :, : size[1]]
    return dx


def banded(w, left, across, first, last):
    """Return a kernel (row, column, channel, out) from columns first, ..., last of g to `across` adjacent columns of dx, for rows of w."""
    out, channels, rows, wide = w.shape
    matrices = np.zeros((rows, last - first + 1, out, across, channels), w.dtype)
    for column in range(across):
        for k in range((column + left) % across, wide, across):
            matrices[:, (column + left - k) // across - first, :, column] = w[..., k].transpose(2, 0, 1)
    return matrices.reshape(rows, -1, out, across * channels)


def over_samples(x, matrices, window, partner=None):
    """Return y and the sums of `summed`; threads compute some samples each, if there is much to do."""
    (rows, columns), total = window.count(x.shape[1:-1]), [None]
    y = None if matrices is None else empty_channels_last((len(x), rows, columns, matrices.shape[-1]), x.dtype)
    pays = len(x) * rows * columns * prod(window.kernel) * x.shape[-1] * (partner if y is None else y).shape[-1] >= FOR_THREADS

    def cut(*arguments):
        return [(x[s], matrices, window, part(partner, s), part(y, s)) for s in sample_parts(len(x))] if pays else [arguments]

    def add(sums):
        total[0] = None if sums is None else accumulate(total[0], sums)

    summed.each([(x, matrices, window, partner, y)], cut, add, pays)
    return y, total[0]


def part(x, samples):
    return None if x is None else x[samples]


@kernel("kernel_rows")
def summed(x, matrices, window, partner, y):
    """Fill y with Σ over i: strips under kernel row i times the matrices (kernel row, column, channel, out) of row i.

    With a `partner`, return partnerᵀ times these strips.
    """
    products = None
    if partner is not None:
        products = np.zeros((window.kernel[0], partner.shape[-1], window.kernel[1] * x.shape[-1]), x.dtype)
    scratch, matrices = None, None if matrices is None else matrices.reshape(len(matrices), -1, matrices.shape[-1])
    for block, parts in blocks(x, window):
        if y is not None:
            total = np.matmul(parts[0], matrices[0], out=y[block].reshape(*parts[0].shape[:2], -1))
            scratch = np.empty_like(total) if scratch is None else scratch
            for part, matrix in zip(parts[1:], matrices[1:]):
                total += np.matmul(part, matrix, out=scratch[: len(part)])
        if partner is not None:
            other = partner[block].reshape(*parts[0].shape[:2], -1).swapaxes(1, 2)
            for i, part in enumerate(parts):
                products[i] += (other @ part).sum(0)
    return products


def blocks(x, window):
    """Yield (which samples, their strips under each row of the kernel) for blocks of samples, in memory that is used again."""
    (high, wide), (down, across) = window.kernel, window.stride
    rows, columns = window.count(x.shape[1:-1])
    tall, width = rows + (high - 1) // down, wide * x.shape[-1]
    strips = None
    for block, room in rooms(x, window, BLOCK_BYTES // (down * tall * columns * width * x.itemsize)):
        n, row, column, _ = room.strides
        strips = np.empty((len(room), down, tall, columns, width), x.dtype) if strips is None else strips
        covered = np.ndarray(
            (len(room), *strips.shape[1:]), x.dtype, room, 0, (n, row, down * row, across * column, x.itemsize)
        )  # overlapping
        np.copyto(strips[: len(room)], covered)
        yield block, [strips[: len(room), i % down, i // down : i // down + rows].reshape(len(room), -1, width) for i in range(high)]


def rooms(x, window, many=None):
    """Yield (which samples, these with zeros around) for blocks of `many` samples, or those that fit the cache, in one memory.

    They have as many rows and columns as the windows cover, the rows up to a multiple of the stride.
    """
    shape = *room_of(window, *window.count(x.shape[1:-1])), x.shape[-1]
    many = max(1, min(len(x), BLOCK_BYTES // (prod(shape) * x.itemsize) if many is None else many))
    room = np.zeros((many, *shape), x.dtype)
    there, here = zip(*[placed(n, a, m) for n, (a, _), m in zip(x.shape[1:-1], window.padding, shape)])
    for start in range(0, len(x), many):
        block = slice(start, start + many)
        part = x[block]
        room[(slice(len(part)), *there)] = part[(slice(None), *here)]
        yield block, room[: len(part)]


def room_of(window, rows, columns):
    """Return how many rows and columns the windows cover."""
    (high, wide), (down, across) = window.kernel, window.stride
    return down * (rows + (high - 1) // down), (columns - 1) * across + wide


def placed(n, before, room):
    """Return (where in a room, which of n entries) if they begin `before` entries behind its start; those outside are left out."""
    return slice(max(before, 0), max(before + n, 0)), slice(max(-before, 0), max(room - before, 0))

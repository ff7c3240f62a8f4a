"""Batch norm in blocks that stay in the processor's cache, so that each array is read once and written once.

Legend: x (n, c, *size) is seen as a matrix; each of its columns belongs to one channel. If memory is in the order n, c, size, a
row of the matrix is one sample. In the order n, size, c, a row is a few places side by side. Statistics of a channel are
added in float64 between blocks, and within a block in the dtype of x. Entries enter sums as differences to the mean, so numbers far
from 0 keep their digits. NumPy sees long channels as rows of their own: then a number per channel need not be repeated per column.
"""

from functools import lru_cache
from math import gcd, prod

import numpy as np

from tensorgrad.kernels.blocks import ROOMS, in_turn
from tensorgrad.kernels.registry import kernel

BLOCK_ENTRIES = 131_072  # numbers in a block; a few blocks fit the cache of a core
FOR_THREADS = 1 << 22  # numbers from which several threads are faster
FOR_COMPILED = 1 << 18  # the same for kernels in C, which are one function a block
SIDE = 8_192  # numbers in a row of the matrix if channels are last
LONG = 256  # adjacent numbers per channel that NumPy multiplies by one number as fast as by an array
SHORT = 64  # with fewer adjacent numbers per channel, np.vecdot is slow
LANES = 1_024  # partial sums side by side if channels are last


class Columns:
    """How the memory of x (n, c, *size) is seen as a matrix: its shape, its blocks, and the channel of each column."""

    def __init__(self, x):
        n, self.channels, self.size = x.shape[0], x.shape[1], prod(x.shape[2:])
        self.count = n * self.size  # numbers in a channel
        self.order = (0, *range(2, x.ndim), 1)
        self.channels_last = x.transpose(self.order).flags.c_contiguous
        side = gcd(self.count, places_that_fit(SIDE, self.channels))
        self.shape = (self.count // side, side * self.channels) if self.channels_last else (n, self.channels * self.size)
        self.by_channel = not self.channels_last and self.size >= LONG and finished.larger == 1
        self.lane = gcd(side, places_that_fit(LANES, self.channels)) * self.channels
        self.entries = BLOCK_ENTRIES * min(max(1, x.size // (8 * BLOCK_ENTRIES)), finished.larger)  # in a block: eight blocks or more
        self.blocks = list(self.cut_blocks())
        self.for_threads = x.size >= (FOR_THREADS if finished.larger == 1 else FOR_COMPILED)
        self.ones = np.ones(self.entries // self.lane + 1 if self.channels_last else self.size, x.dtype)
        self.most = max(self.entries, self.shape[1] if self.channels_last else self.size)  # numbers in a block

    def cut_blocks(self):
        """Yield (block, its columns, the lanes that its sums go to); every block is contiguous."""
        rows, width = self.shape
        if self.channels_last or width <= self.entries:
            step = max(self.entries // width, 1)
            for i in range(0, rows, step):
                yield (slice(i, i + step), slice(None)), slice(None), slice(None)
            return
        many = max(self.entries // self.size, 1)  # channels in a block of one row
        for c in range(0, self.channels, many):
            lanes = slice(c, c + many)
            columns = lanes if self.by_channel else slice(c * self.size, (c + many) * self.size)
            for i in range(rows):
                yield (slice(i, i + 1), columns), columns, lanes

    def matrix(self, x):
        """Return x as the matrix, or (n, c, all places) by channel; copy it only if its memory layout differs."""
        shape = (len(x), self.channels, self.size) if self.by_channel else self.shape
        return np.ascontiguousarray(x.transpose(self.order) if self.channels_last else x).reshape(shape)

    def new(self, x):
        """Return a new array of x's shape in this layout, and its matrix."""
        y = np.empty_like(x) if self.channels_last else np.empty(x.shape, x.dtype)
        return y, self.matrix(y)

    def per_column(self, v, dtype):
        """Return v, one number per channel, as one number per column; by channel as a column of numbers."""
        v = v.astype(dtype, copy=False)
        if self.by_channel:
            return v[:, None]
        return in_turn(v, self.shape[1] // self.channels) if self.channels_last else v.repeat(self.size)

    def lanes(self):
        """Return zeros to add up the sums of blocks: one per lane, or one per channel."""
        return np.zeros(self.lane if self.channels_last else self.channels)

    def sums(self, block):
        """Return the sums of a block, one number per lane. A product with ones is the fastest way to add."""
        if self.channels_last:
            lanes = block.reshape(-1, self.lane)
            return self.ones[: len(lanes)] @ lanes
        return (block.reshape(-1, self.size) @ self.ones).reshape(len(block), -1).sum(0)

    def sums_of_blocks(self, kernel, arrays):
        """Return two sums, one number per lane each, to which kernel(self, *arrays of a block) gives those of a block."""
        totals, places = (self.lanes(), self.lanes()), iter(self.blocks)

        def add(both):
            lanes = next(places)[2]
            for total, part in zip(totals, both):
                total[lanes] += part

        kernel.each([(self, *arrays(block, part)) for block, part, _ in self.blocks], then=add, pays=self.for_threads)
        return totals

    def products(self, a, b):
        """Return the sums of a · b, one number per lane."""
        if self.channels_last:
            return np.einsum("ij,ij->j", a.reshape(-1, self.lane), b.reshape(-1, self.lane))
        if self.size >= SHORT:
            return np.vecdot(a.reshape(-1, self.size), b.reshape(-1, self.size)).reshape(len(a), -1).sum(0)
        return self.sums(np.multiply(a, b, out=ROOMS.like(a)))

    def per_channel(self, lanes):
        """Return one number per channel from one per lane."""
        return lanes.reshape(-1, self.channels).sum(0) if self.channels_last else lanes


def places_that_fit(numbers, channels):
    """Return how many places of so many channels fit: a power of two, at least 1."""
    return 1 << (max(numbers // channels, 1).bit_length() - 1)


def moments(x, columns):
    """Return the mean and the variance of each channel of the matrix x, from differences to a number near the mean."""
    rows = x[: max(BLOCK_ENTRIES // columns.shape[1], 1)]
    near = columns.per_channel(np.zeros_like(columns.lanes()) + columns.sums(rows)) * (columns.channels / rows.size)
    for _ in range(2):
        shift = columns.per_column(near, x.dtype)
        first, second = columns.sums_of_blocks(block_sums, lambda block, part, shift=shift: (x[block], shift[part], None))
        off = columns.per_channel(first) / columns.count
        mean, variance = near.astype(x.dtype) + off, np.maximum(columns.per_channel(second) / columns.count - off * off, 0)
        if (off * off <= 16 * variance).all():
            break
        near = mean  # the first rows were far from the rest: repeat with the mean itself
    return mean, variance


def centre(mean, deviation, dtype):
    """Return what to subtract before scaling: the mean, or None if 0 is near enough to it."""
    return mean.astype(dtype) if (np.abs(mean) > 8 * deviation).any() else None


def standardised(x, columns, mean, deviation, scale, shift, residual=None, relu=False):
    """Return (x - mean) · scale + shift, plus the residual, then 0 where `relu` and negative. Each factor is one number per
    channel.
    """
    y, out = columns.new(x)
    x = columns.matrix(x)
    residual = None if residual is None else columns.matrix(residual)
    near = centre(mean, deviation, x.dtype)
    off = -mean if near is None else near - mean
    zeros = zeros_of(columns.most, x.dtype) if relu else None
    near, scale, shift = [v if v is None else columns.per_column(v, x.dtype) for v in (near, scale, shift + off * scale)]

    calls = [
        (out[block], x[block], some(near, part), scale[part], shift[part], some(residual, block), zeros)
        for block, part, _ in columns.blocks
    ]
    finished.each(calls, pays=columns.for_threads)
    return y


def some(v, part):
    return None if v is None else v[part]


@lru_cache(8)
def zeros_of(size, dtype):
    """Return zeros that nothing writes to, so that the system gives them no memory of their own."""
    return np.zeros(size, dtype)


@kernel("batch_norm")
def finished(y, x, near, scale, shift, residual, zeros):
    """Fill y with (x - near) · scale + shift, plus the residual; then 0 where it is negative, if there are zeros."""
    np.multiply(x if near is None else np.subtract(x, near, out=y), scale, out=y)
    np.add(y, shift, out=y)
    if residual is not None:
        np.add(y, residual, out=y)
    if zeros is not None:
        np.maximum(y, view_like(zeros, y), out=y)  # NumPy is three times as fast with an array of zeros as with the number 0


def view_like(room, block):
    """Return as much of the memory `room` as the block needs, in its shape."""
    return room[: block.size].reshape(block.shape)


def contributions(G, saved, want_x, want_residual):
    """Return (dz/dx, Σ dz/dy, Σ dz/dy x̂, dz/d(residual)).

    With g = dz/dy (0 where relu gave 0): dz/dx = scale · (g - mean of g - x̂ · mean of g x̂). The list `saved` is emptied, so that y, the
    output of relu (else None), is freed before dz/dx is made, unless something else holds it.
    """
    given, y, columns, mean, deviation, scale = saved
    saved.clear()
    relu = y is not None
    if columns.by_channel and finished.larger > 1:
        columns = Columns(given)  # as the kernels in use now see it
    masked, source = columns.new(given) if relu else (None, columns.matrix(G))
    G, x, y = columns.matrix(G), columns.matrix(given), columns.matrix(y) if relu else None
    near = centre(mean, deviation, x.dtype)
    off = -mean if near is None else near - mean
    near = near if near is None else columns.per_column(near, x.dtype)

    arrays = lambda block, part: (x[block], some(near, part), G[block], *((y[block], source[block]) if relu else ()))
    first, second = columns.sums_of_blocks(masked_sums if relu else block_sums, arrays)
    g_sum = columns.per_channel(first)
    gx_sum = (columns.per_channel(second) + off * g_sum) / deviation
    y = dx = None
    if want_x:
        dx, into = columns.new(given) if want_residual or not relu else (masked, source)
        slope = -scale * gx_sum / (deviation * columns.count)
        level = -scale * g_sum / columns.count + off * slope
        scale, slope, level = [columns.per_column(v, x.dtype) for v in (scale, slope, level)]

        calls = [
            (into[block], source[block], x[block], some(near, part), scale[part], slope[part], level[part])
            for block, part, _ in columns.blocks
        ]
        block_vjp.each(calls, pays=columns.for_threads)
    return dx, g_sum, gx_sum, masked


@kernel("batch_norm_sums")
def block_sums(columns, x, near, g):
    """Return the sums of d = x - near and of d · d; or of g and of d · g, if g is given."""
    d = x if near is None else np.subtract(x, near, out=ROOMS.like(x))
    g = d if g is None else g
    return columns.sums(g), columns.products(d, g)


@kernel("batch_norm_relu_sums")
def masked_sums(columns, x, near, G, y, g):
    """Fill g with G where y is positive, else G · 0; return the sums of g, and of (x - near) · g."""
    np.copyto(g, y > 0)  # numbers first, as in relu_vjp
    return block_sums(columns, x, near, np.multiply(G, g, out=g))


@kernel("batch_norm_vjp")
def block_vjp(dx, g, x, near, scale, slope, level):
    """Fill dx, which may be g, with g · scale + (x - near) · slope + level."""
    d = ROOMS.like(x)
    np.multiply(x if near is None else np.subtract(x, near, out=d), slope, out=d)
    np.add(d, level, out=d)
    np.multiply(g, scale, out=dx)
    np.add(dx, d, out=dx)

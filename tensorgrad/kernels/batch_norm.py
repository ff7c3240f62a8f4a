"""Batch norm in blocks that stay in the cache while all that is done to them is done: each array is read once and written once.

Legend: x (n, c, *size) is seen as a matrix whose every column belongs to one channel. In memory order n, c, size a row is one
sample; in memory order n, size, c it is a few places side by side. Numbers of a channel are float64, and what is computed with
entries starts from their difference to the mean, so numbers far from 0 lose nothing.
"""

from math import gcd, prod

import numpy as np

BLOCK = 65_536  # numbers in a block: a few of them fit the cache of a core
SIDE = 8_192  # numbers in a row, where places stand side by side
SHORT = 64  # numbers of a channel side by side, below which products over them are slow
LANES = 1_024  # sums side by side where channels are


class Columns:
    """How the memory of x (n, c, *size) is seen as a matrix: its shape, its blocks, what belongs to which channel."""

    def __init__(self, x):
        n, self.channels, self.size = x.shape[0], x.shape[1], prod(x.shape[2:])
        self.count = n * self.size  # numbers in a channel
        self.order = (0, *range(2, x.ndim), 1)
        self.last = x.transpose(self.order).flags.c_contiguous
        side = gcd(self.count, places_that_fit(SIDE, self.channels))
        self.shape = (self.count // side, side * self.channels) if self.last else (n, self.channels * self.size)
        self.lane = gcd(side, places_that_fit(LANES, self.channels)) * self.channels
        self.blocks = list(self.cut_blocks())
        self.ones = np.ones(BLOCK // self.lane + 1 if self.last else self.size, x.dtype)
        self.most = max(BLOCK, self.shape[1] if self.last else self.size)  # numbers in a block

    def cut_blocks(self):
        """(block, its columns, the lanes that its sums go to), every block contiguous."""
        rows, width = self.shape
        if self.last or width <= BLOCK:
            step = max(BLOCK // width, 1)
            for i in range(0, rows, step):
                yield (slice(i, i + step), slice(None)), slice(None), slice(None)
            return
        many = max(BLOCK // self.size, 1)  # channels in a block of one row
        for c in range(0, self.channels, many):
            columns, lanes = slice(c * self.size, (c + many) * self.size), slice(c, c + many)
            for i in range(rows):
                yield (slice(i, i + 1), columns), columns, lanes

    def matrix(self, x):
        """x as the matrix; copied only if it lies in another way."""
        return np.ascontiguousarray(x.transpose(self.order) if self.last else x).reshape(self.shape)

    def new(self, x):
        """A new array of x's shape that lies in this way, and the matrix that it is seen as."""
        y = np.empty_like(x) if self.last else np.empty(x.shape, x.dtype)
        return y, self.matrix(y)

    def per_column(self, v, dtype):
        """v, a number for each channel, as a number for each column."""
        return np.tile(v.astype(dtype), self.shape[1] // self.channels) if self.last else v.astype(dtype).repeat(self.size)

    def lanes(self):
        """Zeros, in which the sums of blocks are gathered: one for each column, or one for each channel."""
        return np.zeros(self.lane if self.last else self.channels)

    def sums(self, block):
        """The sums of a block, a number for each lane: as a product with ones, which is the quickest way to add."""
        if self.last:
            lanes = block.reshape(-1, self.lane)
            return self.ones[: len(lanes)] @ lanes
        return (block.reshape(-1, self.size) @ self.ones).reshape(len(block), -1).sum(0)

    def products(self, a, b, room):
        """The sums of a · b, a number for each lane."""
        if self.size >= SHORT and not self.last:
            return np.vecdot(a.reshape(-1, self.size), b.reshape(-1, self.size)).reshape(len(a), -1).sum(0)
        return self.sums(np.multiply(a, b, out=view_like(room, a)))

    def per_channel(self, lanes):
        """A number for each channel from one for each lane."""
        return lanes.reshape(-1, self.channels).sum(0) if self.last else lanes


def places_that_fit(numbers, channels):
    """How many places of so many channels there are room for: a power of two, at least one."""
    return 1 << (max(numbers // channels, 1).bit_length() - 1)


def moments(x, columns):
    """The mean and the variance of each channel of the matrix x, from the differences to a number near the mean."""
    rows = x[: max(BLOCK // x.shape[1], 1)]
    near = columns.per_channel(np.zeros_like(columns.lanes()) + columns.sums(rows)) * (columns.channels / rows.size)
    room = np.empty(columns.most, x.dtype)
    for _ in range(2):
        shift = columns.per_column(near, x.dtype)
        first, second = columns.lanes(), columns.lanes()
        for block, part, lanes in columns.blocks:
            d = np.subtract(x[block], shift[part], out=view_like(room, x[block]))
            first[lanes] += columns.sums(d)
            second[lanes] += columns.products(d, d, room)
        off = columns.per_channel(first) / columns.count
        mean, variance = near.astype(x.dtype) + off, np.maximum(columns.per_channel(second) / columns.count - off * off, 0)
        if (off * off <= 16 * variance).all():
            break
        near = mean  # the first rows were far from the rest: once more, now from the mean itself
    return mean, variance


def centre(mean, deviation, dtype):
    """What is to be subtracted from numbers before they are scaled: the mean, or nothing where 0 is near enough."""
    return mean.astype(dtype) if (np.abs(mean) > 8 * deviation).any() else None


def standardised(x, columns, mean, deviation, scale, shift, residual=None, relu=False):
    """(x - mean) · scale + shift (+ residual, and then 0 where that is negative), each a number for each channel."""
    y, out = columns.new(x)
    x = columns.matrix(x)
    residual = None if residual is None else columns.matrix(residual)
    near = centre(mean, deviation, x.dtype)
    off = -mean if near is None else near - mean
    zeros = np.zeros(columns.most, x.dtype) if relu else None
    near, scale, shift = [v if v is None else columns.per_column(v, x.dtype) for v in (near, scale, shift + off * scale)]
    for block, part, _ in columns.blocks:
        to = out[block]
        np.multiply(x[block] if near is None else np.subtract(x[block], near[part], out=to), scale[part], out=to)
        np.add(to, shift[part], out=to)
        if residual is not None:
            np.add(to, residual[block], out=to)
        if relu:
            np.maximum(to, view_like(zeros, to), out=to)  # against an array: with the number 0 it takes three times as long
    return y


def view_like(room, block):
    """As much of the memory `room` as the block needs, in its shape."""
    return room[: block.size].reshape(block.shape)


def contributions(G, x, y, columns, mean, deviation, scale, want_x, want_residual):
    """(dz/dx, Σ dz/dy, Σ dz/dy x̂, dz/d(residual)), where y is None or the output whose negative entries were made 0.

    With g = dz/dy: dz/dx = scale · (g - mean of g - x̂ · mean of g x̂).
    """
    dx, into = columns.new(x) if want_x else (None, None)
    kept, masked = columns.new(x) if y is not None and (want_residual or not want_x) else (dx, into)
    G, x, y = columns.matrix(G), columns.matrix(x), None if y is None else columns.matrix(y)
    near = centre(mean, deviation, x.dtype)
    off = -mean if near is None else near - mean
    near = near if near is None else columns.per_column(near, x.dtype)
    room = np.empty(columns.most, x.dtype)
    first, second = columns.lanes(), columns.lanes()
    for block, part, lanes in columns.blocks:
        g, d = G[block], x[block]
        if y is not None:
            g = np.multiply(g, y[block] > 0, out=masked[block])
        if near is not None:
            d = np.subtract(d, near[part], out=view_like(room, d))
        first[lanes] += columns.sums(g)
        second[lanes] += columns.products(d, g, room)
    g_sum = columns.per_channel(first)
    gx_sum = (columns.per_channel(second) + off * g_sum) / deviation
    if want_x:
        slope = -scale * gx_sum / (deviation * columns.count)
        level = -scale * g_sum / columns.count + off * slope
        scale, slope, level = [columns.per_column(v, x.dtype) for v in (scale, slope, level)]
        source = G if y is None else masked
        for block, part, _ in columns.blocks:
            d = view_like(room, x[block])
            np.multiply(x[block] if near is None else np.subtract(x[block], near[part], out=d), slope[part], out=d)
            np.add(d, level[part], out=d)
            to = np.multiply(source[block], scale[part], out=into[block])
            np.add(to, d, out=to)
    return dx, g_sum, gx_sum, kept if y is not None else None

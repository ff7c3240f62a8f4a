"""Winograd's convolution F(2×2, 3×3), for kernels of 3 × 3 and stride 1: 16 multiplications instead of 36.

Each tile of 4 × 4 entries of x gives 2 × 2 outputs. For one channel y = Aᵀ[(G w Gᵀ) ⊙ (Bᵀ x B)]A, with the matrices below.
The sum over channels is a matrix product for each of the 16 places of a tile. The gradients transpose these maps.
With m = A dy Aᵀ they are dw = Gᵀ[m ⊙ (Bᵀ x B)]G and dx = B[m ⊙ (G w Gᵀ)]Bᵀ, where overlapping tiles add up.

    Bᵀ = 1  0 -1  0     G =  1   0   0      Aᵀ = 1  1  1  0
         0  1  1  0          ½   ½   ½           0  1 -1 -1
         0 -1  1  0          ½  -½   ½
         0  1  0 -1          0   0   1

A tile mixes its entries, so an inf or nan spreads over the tile, and no further function makes it finite: im2col computes such arrays
once more. So a look at the results is enough.

The entries of x are stored in four phases (even or odd row, even or odd column). In a phase, neighbouring tiles are adjacent.
Source: A. Lavin and S. Gray, "Fast algorithms for convolutional neural networks", 2016.
"""

from math import prod

import numpy as np

from tensorgrad.kernels.convolutions import im2col
from tensorgrad.kernels.convolutions.layout import accumulate, empty_channels_last
from tensorgrad.kernels.products import matmul, sum_of_squares
from tensorgrad.kernels.registry import kernel
from tensorgrad.kernels.threads import each

BLOCK_BYTES = 1 << 20  # bytes of tiles at a time
WIDTH = 64  # channels of a large kernel at a time; its transform is several times as large as the arrays of its layer
GAP = 128  # bytes: two lines of the cache
FEWEST = 128  # tiles that a product of matrices needs to run at full speed
G = np.array([[1, 0, 0], [0.5, 0.5, 0.5], [0.5, -0.5, 0.5], [0, 0, 1]])
GG = np.kron(G, G)  # (16, 9): a kernel's transform


@kernel("winograd")
def products(x, w, window, groups):
    """Return the convolution of x with w."""
    out, channels = w.shape[:2]
    y = empty_channels_last((len(x), *window.count(x.shape[1:-1]), out), x.dtype)
    batches = parts(y, max(channels, out))
    split = pieces(out, batches)
    transform = transforms(lambda piece: kernel_transform(w[piece], True), split, batches)

    def work(some):
        v = tiles_of(x[some], window)
        each([*enumerate(split)], lambda at: output_transform(tiles_of_products(v, transform(at[0])), y[some][..., at[1]]))

    each(batches, work)
    return y if all_finite(y) else im2col.products(x, w, window, groups)


@kernel("winograd_vjps")
def vjps(g, x, w, window, groups, size):
    """Return the gradients of x and w, of which those of finite arrays are right: see `vjps` in convolution.py."""
    out, channels = g.shape[-1], w.shape[1] if x is None else x.shape[-1]
    batches = parts(g, max(channels, out))
    split = pieces(channels, batches)
    dx = None if w is None else empty_channels_last((len(g), *size, channels), g.dtype)
    dw = None if x is None else KernelGradient((out, channels, 3, 3), g.dtype)
    transform = None if w is None else transforms(lambda piece: kernel_transform(w[:, piece]), split, batches)

    def work(some):
        m = output_transform_vjp(g[some])  # (4, 4, n, row, column, out)
        if w is not None:
            each([*enumerate(split)], lambda at: tiles_to(dx[some][..., at[1]], tiles_of_products(m, transform(at[0])), window))
        if x is None:
            return None
        if len(batches) > 1:
            return products_of_tiles(m, tiles_of(x[some], window))
        each(split, lambda piece: dw.set(m, tiles_of(x[some][..., piece], window), piece))

    each(batches, work, None if dw is None or len(batches) == 1 else dw.add)
    if dw is not None and not batches:
        dw.dw.fill(0)
    return dx, None if dw is None else dw.total()


class KernelGradient:
    """dw = Gᵀ (Σ over the batch of m ⊙ v) G, in rows of the channels of m, so that the sums of a single batch are freed row by row."""

    def __init__(self, shape, dtype):
        self.dw, self.sums = np.empty(shape, dtype), None
        self.rows = slices(shape[0], WIDTH)

    def set(self, m, v, piece):
        """Compute dw from the tiles m and v of the whole batch; v has a piece of the channels of x."""
        for row in self.rows:
            self.fill(row, piece, products_of_tiles(m[..., row], v))

    def add(self, products):
        """Add the products of the tiles of a part of the batch."""
        self.sums = accumulate(self.sums, products)

    def total(self):
        if self.sums is not None:
            each(self.rows, lambda row: self.fill(row, slice(None), self.sums[:, row]))
        return self.dw

    def fill(self, row, piece, sums):
        kernel_transform_vjp(self.dw[row, piece], sums)


def products_of_tiles(m, v):
    """Return mᵀ v for each of the 16 places of a tile: (16, channels of m, channels of v)."""
    return matmul(m.reshape(16, -1, m.shape[-1]).swapaxes(1, 2), v.reshape(16, -1, v.shape[-1]))


def tiles_of_products(tiles, transform):
    """Return the products of the tiles with a transformed kernel, (16, their channels, channels of the products)."""
    y = sixteen((*tiles.shape[2:-1], transform.shape[-1]), tiles.dtype)
    matmul(tiles.reshape(16, -1, tiles.shape[-1]), transform, y.reshape(16, -1, y.shape[-1]))
    return y


def sixteen(shape, dtype):
    """Return an array (4, 4, *shape) for the places of tiles, with a gap of GAP bytes behind each place: without it they would often lie a
    multiple of 4096 bytes apart, where the first cache has room for few.
    """
    item, size = np.dtype(dtype).itemsize, prod(shape)
    apart = size * item + GAP
    room = np.empty(16 * apart, np.uint8)
    inner = np.ndarray(shape, dtype, room).strides
    return np.ndarray((4, 4, *shape), dtype, room, 0, (4 * apart, apart, *inner))


def all_finite(*arrays):
    """Return whether no entry is inf or nan (or has a square that overflows), by one product of each array with itself."""
    return all(a is None or np.isfinite(squares(a)) for a in arrays)


def squares(a):
    """Return the sum of the squares of all entries. They are read in the order of memory: for a reversed, transposed view of 9 MB
    that takes 0.2 ms in place of 28 ms.
    """
    same = not a.flags.c_contiguous and type(a.base) is np.ndarray and (a.base.size, a.base.dtype) == (a.size, a.dtype)
    entries = (a.base if same else a).ravel("K")
    return sum_of_squares(entries)


@kernel("winograd_kernel")
def kernel_transform(w, across=False):
    """Return G w Gᵀ, as (16, out, channel), or with `across` as (16, channel, out)."""
    u = (GG.astype(w.dtype) @ w.reshape(-1, 9).T).reshape(16, *w.shape[:2])
    return u.swapaxes(1, 2) if across else u


@kernel("winograd_kernel_vjp")
def kernel_transform_vjp(w, u):
    """Fill w with Gᵀ u G."""
    w[...] = (u.reshape(16, -1).T @ GG.astype(w.dtype)).reshape(w.shape)


def transforms(transform, split, batches):
    """Return a function that gives the transform of piece i of the kernel. Several batches use it again, so it is kept for them."""
    if len(batches) > 1:
        return [transform(piece) for piece in split].__getitem__
    return lambda i: transform(split[i])


def pieces(channels, batches):
    """Return slices of the channels to compute one after the other.

    One batch means few tiles beside a large kernel: each piece of the kernel is transformed, used once and freed. Then threads take
    pieces, else batches.
    """
    return slices(channels, WIDTH if len(batches) == 1 else channels)


def slices(count, width):
    return [slice(start, start + width) for start in range(0, count, width)]


def parts(y, channels):
    """Return slices of the batch whose tiles fit the cache."""
    each = y.shape[1] * y.shape[2] // 4
    return slices(len(y), max(1, FEWEST // each, BLOCK_BYTES // (16 * each * channels * y.itemsize)))


# Between x and its tiles, (4, 4, n, row, column, channel)


@kernel("winograd_input")
def tiles_of(x, window):
    """Return Bᵀ x B for each tile of the padded x."""
    return input_transform(phases_of(x, window))


@kernel("winograd_input_vjp")
def tiles_to(x, v, window):
    """Fill x with B v Bᵀ, where overlapping tiles add up, without the padding. It overwrites v."""
    phases_to(x, input_transform_vjp(v), window)


# Between x and its four phases, (row phase, column phase, n, row, column, channel)


def phases_of(x, window):
    """Return the padded x in phases."""
    padding = [sum(pair) for pair in window.padding]
    phases = np.zeros((2, 2, len(x), (x.shape[1] + padding[0]) // 2, (x.shape[2] + padding[1]) // 2, x.shape[3]), x.dtype)
    for phase, entries in phase_pairs(phases, x, window):
        phase[...] = entries
    return phases


def phases_to(x, phases, window):
    """Write the phases into x, without the padding."""
    for phase, entries in phase_pairs(phases, x, window):
        entries[...] = phase


def phase_pairs(phases, x, window):
    """Yield, for each phase, the view of its interior, and the view of the entries of x that belong there."""
    (top, _), (left, _) = window.padding
    for a, b in np.ndindex(2, 2):
        i, j = (a - top) % 2, (b - left) % 2  # the first row and column of x in this phase
        entries = x[:, i::2, j::2]
        row, column = (i + top) // 2, (j + left) // 2
        yield phases[a, b, :, row : row + entries.shape[1], column : column + entries.shape[2]], entries


# Between phases and tiles

HERE, NEXT = slice(None, -1), slice(1, None)


def input_transform(phases):
    """Bᵀ x B"""
    _, _, n, rows, columns, channels = phases.shape
    half = np.empty((4, 2, n, rows - 1, columns, channels), phases.dtype)
    input_transform_1d(phases[0][:, :, HERE], phases[1][:, :, HERE], phases[0][:, :, NEXT], phases[1][:, :, NEXT], half)
    del phases  # so that its memory serves for the next array
    whole = np.empty((4, 4, n, rows - 1, columns - 1, channels), half.dtype)
    even, odd = half[:, 0], half[:, 1]
    input_transform_1d(even[..., HERE, :], odd[..., HERE, :], even[..., NEXT, :], odd[..., NEXT, :], whole.swapaxes(0, 1))
    return whole


def input_transform_1d(x0, x1, x2, x3, v):
    """v = Bᵀ x along one axis"""
    np.subtract(x0, x2, out=v[0])
    np.add(x1, x2, out=v[1])
    np.subtract(x2, x1, out=v[2])
    np.subtract(x1, x3, out=v[3])


def input_transform_vjp(v):
    """B v Bᵀ as phases; overlapping tiles add up"""
    _, _, n, rows, columns, channels = v.shape
    half = np.zeros((4, 2, n, rows, columns + 1, channels), v.dtype)
    even, odd = half[:, 0], half[:, 1]
    input_transform_vjp_1d(v.swapaxes(0, 1), even[..., HERE, :], odd[..., HERE, :], even[..., NEXT, :], odd[..., NEXT, :])
    del v  # so that its memory serves for the next array
    phases = np.zeros((2, 2, n, rows + 1, columns + 1, channels), half.dtype)
    input_transform_vjp_1d(half, phases[0][:, :, HERE], phases[1][:, :, HERE], phases[0][:, :, NEXT], phases[1][:, :, NEXT])
    return phases


def input_transform_vjp_1d(v, x0, x1, x2, x3):
    """x += B v along one axis; it overwrites v"""
    np.subtract(v[1], v[2], out=x1)
    np.add(x1, v[3], out=x1)
    np.subtract(x3, v[3], out=x3)
    x0[...] = v[0]
    np.add(v[1], v[2], out=v[1])
    np.subtract(v[1], v[0], out=v[1])
    np.add(x2, v[1], out=x2)


# Outputs of a tile: 2 × 2 from the 16 products, and back


@kernel("winograd_output")
def output_transform(m, y):
    """y = Aᵀ m A; it overwrites m"""
    half = output_transform_1d(m)  # (2, 4, n, row, column, channel)
    for a in (0, 1):
        y[:, a::2, 0::2], y[:, a::2, 1::2] = output_transform_1d(half[a])


def output_transform_1d(m):
    """(m0 + m1 + m2, m1 - m2 - m3), in place"""
    difference = m[1] - m[2]
    np.add(m[1], m[2], out=m[1])
    np.add(m[0], m[1], out=m[0])
    np.subtract(difference, m[3], out=m[1])
    return m[:2]


@kernel("winograd_output_vjp")
def output_transform_vjp(g):
    """A g Aᵀ"""
    n, rows, columns, channels = g.shape
    half = np.empty((4, 2, n, rows // 2, columns // 2, channels), g.dtype)
    for b in (0, 1):
        output_transform_vjp_1d(g[:, 0::2, b::2], g[:, 1::2, b::2], half[:, b])
    whole = np.empty((4, 4, *half.shape[2:]), g.dtype)
    output_transform_vjp_1d(half[:, 0], half[:, 1], whole.swapaxes(0, 1))
    return whole


def output_transform_vjp_1d(g0, g1, m):
    """(g0, g0 + g1, g0 - g1, -g1)"""
    m[0] = g0
    np.add(g0, g1, out=m[1])
    np.subtract(g0, g1, out=m[2])
    np.negative(g1, out=m[3])

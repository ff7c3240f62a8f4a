"""Layer norm in blocks of rows that stay in the processor's cache, so that each array is read once and written once.

Legend: x is seen as a matrix of rows (r, d), and each row is standardised: x̂ = (x - mean) / σ. Entries enter sums as differences
to a number near the mean, so numbers far from 0 keep their digits. A product with ones is the fastest way to add.
"""

from math import prod

import numpy as np

from tensorgrad.kernels.blocks import BLOCK_ENTRIES


def rows_of(x, axes):
    """Return x as a matrix whose rows run over the last `axes` axes; copy only if its memory has gaps."""
    return np.ascontiguousarray(x).reshape(prod(x.shape[:-axes]), prod(x.shape[-axes:]))


def row_blocks(x):
    """Return slices of the rows of a matrix."""
    many = max(1, 2 * BLOCK_ENTRIES // max(1, x.shape[1]))
    return [slice(start, start + many) for start in range(0, len(x), many)]


def shares(x):
    """Return 1 / d for each column: x @ shares(x) is the mean of each row."""
    return np.full(x.shape[1], 1 / max(1, x.shape[1]), x.dtype)


def standardised(x, weight, bias, eps):
    """Return weight · x̂ + bias, and what `contributions` needs to compute x̂ again: a number near each mean, the rest of the mean, 1/σ."""
    y, share = np.empty_like(x), shares(x)
    near, rest, scale = np.empty((3, len(x), 1), x.dtype)
    for block in row_blocks(x):
        d, m, r, s = y[block], near[block], rest[block], scale[block]
        np.matmul(x[block], share, out=m[:, 0])
        np.subtract(x[block], m, out=d)
        np.matmul(d, share, out=r[:, 0])
        variance = np.vecdot(d, d)[:, None] * share[:1] - r * r
        np.divide(1, np.sqrt(np.maximum(variance, 0) + eps), out=s)
        finished(d, r, s)
        if weight is not None:
            np.multiply(d, weight, out=d)
        if bias is not None:
            np.add(d, bias, out=d)
    return y, (near, rest, scale)


def finished(d, rest, scale):
    """Make x̂ of x - near, in place."""
    if not np.abs(rest * scale).max() <= np.finfo(d.dtype).eps:  # also if one of them is nan
        np.subtract(d, rest, out=d)
    np.multiply(d, scale, out=d)


def contributions(g, x, weight, moments, sums=True):
    """Return (dz/dx, Σ dz/dy x̂, Σ dz/dy), the sums over the rows; without `sums` they are 0.

    With h = weight · dz/dy: dz/dx = (h - mean of h - x̂ · mean of h x̂) / σ.
    """
    near, rest, scale = moments
    dx, blocks, size = np.empty_like(x), row_blocks(x), x.shape[1]
    dw, db = np.zeros((2, size))
    high = len(x[blocks[0]]) if blocks else 0
    rooms, ones = np.empty((2, high, size), x.dtype), np.ones(high, x.dtype)
    w = shares(x) if weight is None else weight * shares(x)
    for block in blocks:
        G, to, many = g[block], dx[block], len(x[block])
        standard, product = rooms[:, :many]
        finished(np.subtract(x[block], near[block], out=standard), rest[block], scale[block])
        np.multiply(G, standard, out=product)
        if sums:
            dw += ones[:many] @ product
            db += ones[:many] @ G
        np.multiply(standard, (product @ w)[:, None], out=standard)
        np.add(standard, (G @ w)[:, None], out=standard)
        np.subtract(G if weight is None else np.multiply(G, weight, out=to), standard, out=to)
        np.multiply(to, scale[block], out=to)
    return dx, dw, db

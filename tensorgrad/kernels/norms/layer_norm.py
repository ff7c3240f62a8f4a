"""Layer norm in blocks of rows that stay in the processor's cache, so that each array is read once and written once.

Legend: x is seen as a matrix of rows (r, d), and each row is standardised: x̂ = (x - mean) / σ. Entries enter sums as differences
to a number near the mean, so numbers far from 0 keep their digits. A product with ones is the fastest way to add.
"""

from math import prod

import numpy as np

from tensorgrad.kernels.blocks import ROOMS, for_threads, memory, over, row_blocks
from tensorgrad.kernels.registry import kernel


def rows_of(x, axes):
    """Return x as a matrix whose rows run over the last `axes` axes; copy only if its memory has gaps."""
    return np.ascontiguousarray(x).reshape(prod(x.shape[:-axes]), prod(x.shape[-axes:]))


def shares(x):
    """Return 1 / d for each column: x @ shares(x) is the mean of each row."""
    return np.full(x.shape[1], 1 / max(1, x.shape[1]), x.dtype)


def standardised(x, weight, bias, eps):
    """Return weight · x̂ + bias, and what `contributions` needs to compute x̂ again: a number near each mean, the rest of the mean, 1/σ."""
    y, moments = np.empty_like(x), np.empty((3, len(x), 1), x.dtype)
    cut = lambda *_: [(y[b], x[b], moments[:, b], weight, bias, eps) for b in row_blocks(x)]
    standardise_rows.each([(y, x, moments, weight, bias, eps)], cut, **for_threads(x, standardise_rows))
    return y, moments


@kernel("layer_norm")
def standardise_rows(y, x, moments, weight, bias, eps):
    """Fill y and its moments."""
    differences(y, x, moments, eps)
    np.multiply(centred(y, *moments[1:]), moments[2], out=y)
    if weight is not None:
        np.multiply(y, weight, out=y)
    if bias is not None:
        np.add(y, bias, out=y)


def differences(y, x, moments, eps):
    """Fill y with x - near, and the moments with near, a number near each mean, the rest of the mean, and 1/σ."""
    (near, rest, scale), share = moments, shares(x)
    np.matmul(x, share, out=near[:, 0])
    np.subtract(x, near, out=y)
    np.matmul(y, share, out=rest[:, 0])
    variance = np.vecdot(y, y)[:, None] * (1 / max(1, x.shape[1])) - rest * rest
    np.divide(1, np.sqrt(np.maximum(variance, 0) + eps), out=scale)


def centred(d, rest, scale):
    """Make x - mean of x - near, in place."""
    if not np.abs(rest * scale).max() <= np.finfo(d.dtype).eps:  # also if one of them is nan
        np.subtract(d, rest, out=d)
    return d


def contributions(g, x, weight, moments, sums=True):
    """Return (dz/dx, Σ dz/dy x̂, Σ dz/dy), the sums over the rows; without `sums` they are 0.

    With h = weight · dz/dy: dz/dx = (h - mean of h - x̂ · mean of h x̂) / σ.
    """
    dx = memory(contributions_of_rows, g, x)
    dw, db = np.zeros((2, x.shape[1]))

    def add(found):
        if sums:
            np.add(dw, found[0], out=dw)
            np.add(db, found[1], out=db)

    cut = lambda *_: [(dx[b], g[b], x[b], moments[:, b], weight, sums) for b in row_blocks(x)]
    contributions_of_rows.each([(dx, g, x, moments, weight, sums)], cut, add, **for_threads(x, contributions_of_rows))
    return dx, dw, db


@kernel("layer_norm_vjp")
@over
def contributions_of_rows(dx, g, x, moments, weight, sums):
    """Fill dx; with `sums`, return the sums over these rows."""
    near, rest, scale = moments
    w = shares(x) if weight is None else weight * shares(x)
    d = centred(np.subtract(x, near, out=ROOMS.like(x)), rest, scale)
    product = np.multiply(g, d, out=ROOMS.like(x, 1))
    added = (scale[:, 0] @ product, np.ones(len(x), x.dtype) @ g) if sums else None
    np.multiply(d, (product @ w)[:, None] * scale * scale, out=d)
    np.add(d, (g @ w)[:, None], out=d)
    np.subtract(g if weight is None else np.multiply(g, weight, out=dx), d, out=dx)
    np.multiply(dx, scale, out=dx)
    return added

"""Group and instance norm in blocks of rows that stay in the processor's cache. Legend: that of layer_norm.py.

A row is a group of channels of a sample. W, B and the sums for channels have a row for each, with a number for each of its channels.
"""

import numpy as np

from tensorgrad.kernels.blocks import ROOMS, for_threads, in_turn, memory, over, row_blocks
from tensorgrad.kernels.norms.layer_norm import differences
from tensorgrad.kernels.registry import kernel


def rows_of_channels(v, x, groups):
    """Return one number for each channel as (rows of x, channels of a group)."""
    return in_turn(v, len(x) // groups).reshape(len(x), len(v) // groups)


def standardised(x, weight, bias, groups, eps):
    """Return weight · x̂ + bias, with a weight for each channel, and what `contributions` needs."""
    y, moments = np.empty_like(x), np.empty((3, len(x), 1), x.dtype)
    W, B = rows_of_channels(weight, x, groups), rows_of_channels(bias, x, groups)
    cut = lambda *_: [(y[b], x[b], moments[:, b], W[b], B[b], eps) for b in row_blocks(x)]
    standardise_groups.each([(y, x, moments, W, B, eps)], cut, **for_threads(x, standardise_groups))
    return y, moments


@kernel("group_norm")
def standardise_groups(y, x, moments, W, B, eps):
    """Fill y and its moments."""
    differences(y, x, moments, eps)
    _, rest, scale = moments
    slope = scale * W
    by_channel = y.reshape(*W.shape, x.shape[1] // W.shape[1])
    np.multiply(by_channel, slope[..., None], out=by_channel)
    np.add(by_channel, (B - rest * slope)[..., None], out=by_channel)


def contributions(g, x, weight, moments, groups):
    """Return (dz/dx, Σ dz/dy x̂, Σ dz/dy), the sums for each channel."""
    dx, W = memory(contributions_of_groups, g, x), rows_of_channels(weight, x, groups)
    dw, db = np.empty((2, *W.shape), x.dtype)
    cut = lambda *_: [(dx[b], dw[b], db[b], g[b], x[b], moments[:, b], W[b]) for b in row_blocks(x)]
    contributions_of_groups.each([(dx, dw, db, g, x, moments, W)], cut, **for_threads(x, contributions_of_groups))
    return dx, *[v.reshape(len(x) // groups, groups * W.shape[1]).sum(0) for v in (dw, db)]


@kernel("group_norm_vjp")
@over
def contributions_of_groups(dx, dw, db, g, x, moments, W):
    """Fill dx, and the sums for each channel of each row: dx is a multiple of g for each channel, one of x, and a number for each row."""
    near, rest, scale = moments
    G, d = g.reshape(*W.shape, x.shape[1] // W.shape[1]), np.subtract(x, near, out=ROOMS.like(x))
    np.matmul(G, np.ones(G.shape[2], x.dtype), out=db)
    np.multiply(np.vecdot(G, d.reshape(G.shape)) - rest * db, scale, out=dw)
    mean, along = [(W * v).sum(1, keepdims=True) / max(1, x.shape[1]) for v in (db, dw)]  # of h and of h x̂, with h = weight · g
    np.multiply(G, (scale * W)[..., None], out=dx.reshape(G.shape))
    np.multiply(d, -scale * scale * along, out=d)
    np.add(d, scale * (rest * scale * along - mean), out=d)
    np.add(dx, d, out=dx)

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
        d, r, s = y[block], rest[block], scale[block]
        differences(x[block], share, eps, d, near[block], r, s)
        finished(d, r, s)
        if weight is not None:
            np.multiply(d, weight, out=d)
        if bias is not None:
            np.add(d, bias, out=d)
    return y, (near, rest, scale)


def differences(x, share, eps, d, near, rest, scale):
    """Fill d with x - near, and near, rest and scale with a number near each mean, the rest of the mean, and 1/σ."""
    np.matmul(x, share, out=near[:, 0])
    np.subtract(x, near, out=d)
    np.matmul(d, share, out=rest[:, 0])
    variance = np.vecdot(d, d)[:, None] * share[:1] - rest * rest
    np.divide(1, np.sqrt(np.maximum(variance, 0) + eps), out=scale)


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


# Groups of channels. A row is a group of a sample, and W has a row of weights for each, one for each of its channels


def rows_of_channels(v, x, groups):
    """Return one number for each channel as (rows of x, channels of a group)."""
    v = v.reshape(groups, -1)
    return np.broadcast_to(v, (len(x) // groups, *v.shape)).reshape(len(x), v.shape[1])


def standardised_groups(x, weight, bias, groups, eps):
    """Return weight · x̂ + bias, with a weight for each channel, and what `group_contributions` needs."""
    y, share = np.empty_like(x), shares(x)
    W, B = rows_of_channels(weight, x, groups), rows_of_channels(bias, x, groups)
    near, rest, scale = np.empty((3, len(x), 1), x.dtype)
    for block in row_blocks(x):
        r, s = rest[block], scale[block]
        differences(x[block], share, eps, y[block], near[block], r, s)
        slope = s * W[block]
        by_channel = y[block].reshape(*slope.shape, -1)
        np.multiply(by_channel, slope[..., None], out=by_channel)
        np.add(by_channel, (B[block] - r * slope)[..., None], out=by_channel)
    return y, (near, rest, scale)


def group_contributions(g, x, weight, moments, groups):
    """Return (dz/dx, Σ dz/dy x̂, Σ dz/dy), the sums for each channel.

    dz/dx is a multiple of dz/dy for each channel, plus a multiple of x and a number for each row.
    """
    (near, rest, scale), W, dx = moments, rows_of_channels(weight, x, groups), np.empty_like(x)
    dw, db = np.empty((2, *W.shape), x.dtype)
    ones, room = np.ones(x.shape[1] // W.shape[1], x.dtype), np.empty((len(x[row_blocks(x)[0]]) if len(x) else 0, x.shape[1]), x.dtype)
    for block in row_blocks(x):
        w, r, s, to = W[block], rest[block], scale[block], dx[block]
        d, G = np.subtract(x[block], near[block], out=room[: len(to)]), g[block].reshape(*w.shape, -1)
        np.matmul(G, ones, out=db[block])
        np.multiply(np.vecdot(G, d.reshape(G.shape)) - r * db[block], s, out=dw[block])
        mean, along = [(w * v).sum(1, keepdims=True) / max(1, x.shape[1]) for v in (db[block], dw[block])]  # of h and of h x̂
        np.multiply(G, (s * w)[..., None], out=to.reshape(G.shape))
        np.multiply(d, -s * s * along, out=d)
        np.add(d, s * (r * s * along - mean), out=d)
        np.add(to, d, out=to)
    return dx, *[v.reshape(len(x) // groups, groups * W.shape[1]).sum(0) for v in (dw, db)]

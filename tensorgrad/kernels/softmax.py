"""Softmax of the rows of a contiguous matrix, block by block, so that each array is read once and written once."""

from math import prod

import numpy as np

from tensorgrad.kernels.blocks import for_threads, row_blocks
from tensorgrad.kernels.registry import kernel
from tensorgrad.kernels.threads import each


def softmax(x):
    """Return exp(x) / Σ exp(x) over the last axis of a contiguous array."""
    y = np.empty_like(x)
    rows, out = matrix(x), matrix(y)
    each(row_blocks(rows, softmax_rows), lambda block: softmax_rows(out[block], rows[block]), **for_threads(x, softmax_rows))
    return y


def softmax_vjp(G, y):
    """Return y · (G - Σ y · G), with the sum over the last axis; y is contiguous."""
    dx = np.empty_like(y)
    out, g, rows = matrix(dx), matrix(np.ascontiguousarray(G, y.dtype)), matrix(y)
    each(
        row_blocks(rows, softmax_rows_vjp),
        lambda block: softmax_rows_vjp(out[block], g[block], rows[block]),
        **for_threads(y, softmax_rows_vjp),
    )
    return dx


def matrix(x):
    return x.reshape(prod(x.shape[:-1]), x.shape[-1])


@kernel("softmax")
def softmax_rows(y, x):
    """Fill y. The rows are shifted by their largest entries, so that nothing overflows; rows of -inf give 0."""
    top = np.maximum.reduce(x, 1, keepdims=True, initial=float(np.finfo(x.dtype).min))
    np.exp(np.subtract(x, top, out=y), out=y)
    np.divide(y, np.maximum(y @ np.ones((y.shape[1], 1), y.dtype), 1), out=y)  # the largest entry gives 1, unless all are -inf


@kernel("softmax_vjp")
def softmax_rows_vjp(dx, g, y):
    np.multiply(y, np.subtract(g, np.vecdot(g, y)[:, None], out=dx), out=dx)

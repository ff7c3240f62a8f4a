"""Softmax and its logarithm for the rows of a contiguous matrix, block by block: each array is read once and written once."""

from math import prod

import numpy as np

from tensorgrad.kernels.blocks import ROOMS, for_threads, memory, over, row_blocks
from tensorgrad.kernels.registry import kernel


def softmax(x, parts=None):
    """Return exp(x) / Σ exp(x) over the last axis of a contiguous array.

    `parts` (2, rows) are filled with each row's largest entry, and with the sum of exp(x - largest), which is at least 1.
    """
    return by_rows(softmax_rows, x, more=() if parts is None else parts)


def softmax_vjp(G, y):
    """Return y · (G - Σ y · G), with the sum over the last axis; y is contiguous."""
    return by_rows(softmax_rows_vjp, G, y, out=memory(softmax_rows_vjp, G, y))


def log_softmax(x):
    """Return x - log Σ exp(x) over the last axis of a contiguous array."""
    return by_rows(log_softmax_rows, x)


def log_softmax_vjp(G, y):
    """Return G - exp(y) Σ G, with the sum over the last axis; y is contiguous."""
    return by_rows(log_softmax_rows_vjp, G, y, out=memory(log_softmax_rows_vjp, G, y))


def by_rows(kernel, *inputs, out=None, more=()):
    """Return `out`, an array like the last input, that kernel(out, *inputs, *more) fills for each block of rows. Inputs are made
    contiguous; `more` are arrays with an entry for each row.
    """
    y = np.empty_like(inputs[-1]) if out is None else out
    arrays = [*[matrix(np.ascontiguousarray(a, y.dtype)) for a in (y, *inputs)], *more]
    kernel.each([arrays], lambda *_: [[a[block] for a in arrays] for block in row_blocks(arrays[0])], **for_threads(y, kernel))
    return y


def matrix(x):
    return x.reshape(prod(x.shape[:-1]), x.shape[-1])


@kernel("softmax")
def softmax_rows(y, x, largest=None, totals=None):
    """Fill y. The rows are shifted by their largest entries, so that nothing overflows; rows of -inf give 0."""
    top = shifted(y, x)
    np.exp(y, out=y)
    total = np.maximum(y @ np.ones((y.shape[1], 1), y.dtype), 1)  # the largest entry gives 1, unless all are -inf
    np.divide(y, total, out=y)
    if largest is not None:
        largest[:], totals[:] = top[:, 0], total[:, 0]


def shifted(y, x):
    """Fill y with x less the largest entry of each row, which is returned: a finite number, also where all are -inf."""
    top = np.maximum.reduce(x, 1, keepdims=True, initial=float(np.finfo(x.dtype).min))
    np.subtract(x, top, out=y)
    return top


@kernel("softmax_vjp")
@over
def softmax_rows_vjp(dx, g, y):
    np.multiply(y, np.subtract(g, np.vecdot(g, y)[:, None], out=dx), out=dx)


@kernel("log_softmax")
def log_softmax_rows(y, x):
    shifted(y, x)
    e = np.exp(y, out=ROOMS.like(y))
    np.subtract(y, np.log(np.maximum(e @ np.ones((y.shape[1], 1), y.dtype), 1)), out=y)


@kernel("log_softmax_vjp")
@over
def log_softmax_rows_vjp(dx, g, y):
    e = np.exp(y, out=ROOMS.like(y))
    e *= g @ np.ones((y.shape[1], 1), y.dtype)
    np.subtract(g, e, out=dx)

"""softmax and its logarithm, along an axis."""

import numpy as np

from scalargrad import rules as rows
from tensorgrad.arrays.object_arrays import apply_along, objects
from tensorgrad.kernels import softmax as kernels
from tensorgrad.kernels.blocks import MANY, large
from tensorgrad.public import method
from tensorgrad.rule import Fast, rule

__all__ = ["softmax", "log_softmax"]

FEW = 256  # entries up to which one call of NumPy is faster than two
LOWEST = {np.dtype(kind): float(np.finfo(kind).min) for kind in (np.float32, np.float64)}


def softmax_vjp(G, y, axis):
    """dz/dx = y · (dz/dy - Σ y · dz/dy), with the sum along the axis"""
    return y * (G - (G * y).sum(axis=axis, keepdims=True))


def softmax_forward(slots, x, axis):
    if large(x) and on_last_axis(x, axis):
        y = kernels.softmax(x)
        return y, (y, axis)
    y = np.asarray(np.exp(x - shift(x, axis)))
    y /= np.maximum(total_along(y, axis), 1)  # the largest entry gives 1, unless all are -inf
    return y, (y, axis)


def softmax_backward(G, aux, slots):
    y, axis = aux
    if on_last_axis(y, axis):
        return [kernels.softmax_vjp(G, y) if large(y) else y * (G - np.einsum("...i,...i->...", G, y)[..., None])]
    return [softmax_vjp(G, y, axis)]


def total_along(x, axis):
    """Return the sum along the axis. Along the last axis of a larger array it is a product with ones, which is six times as fast."""
    if x.size > FEW and on_last_axis(x, axis):
        return x @ np.ones((x.shape[-1], 1), x.dtype)
    return np.add.reduce(x, axis, None, None, True)


def on_last_axis(x, axis):
    return x.ndim and axis in (-1, x.ndim - 1) and x.flags.c_contiguous


def softmax_entries(x, axis=-1):
    return objects(np.frompyfunc(rows.exp, 1, 1)(log_softmax_entries(x, axis)))


@method
@rule(softmax_vjp, entries=softmax_entries, fast=Fast(softmax_forward, softmax_backward, in_place=True))
def softmax(x, axis=-1):
    """Return exp(x) / Σ exp(x), with the sum along the axis. x is shifted by its largest entry, so that nothing overflows.

    In formulas:
        y = exp(x) / Σ exp(x)

    Entries of -inf get 0. Where all are -inf all results are 0 (PyTorch: nan), and so is the derivative. Beside inf all are nan.

    >>> softmax(np.array([0.0, 0.0, 1000.0, -np.inf]))
    array([0., 0., 1., 0.])
    """
    e = np.exp(x - shift(x, axis))
    return e / np.maximum(np.add.reduce(e, axis, keepdims=True), 1)  # the largest entry gives 1, unless all are -inf


def log_softmax_vjp(G, y, axis):
    """dz/dx = dz/dy - exp(y) Σ dz/dy, with the sum along the axis"""
    return G - np.exp(y) * G.sum(axis=axis, keepdims=True)


def log_softmax_forward(slots, x, axis):
    if large(x) and x.size >= MANY and on_last_axis(x, axis):
        y = kernels.log_softmax(x)
        return y, (y, axis)
    d = np.asarray(x - shift(x, axis))
    y = d - np.log(np.maximum(total_along(np.exp(d), axis), 1))
    return y, (y, axis)


def log_softmax_backward(G, aux, slots):
    y, axis = aux
    if large(y) and y.size >= MANY and on_last_axis(y, axis):
        return [kernels.log_softmax_vjp(G, y)]
    e = np.asarray(np.exp(y))
    e *= total_along(np.ascontiguousarray(G), axis) if G.shape else G
    return [np.subtract(G, e, out=e)]


def log_softmax_entries(x, axis=-1):
    return objects(objects(x) - apply_along(rows.logsumexp, x, axis, keepdims=True))


@method
@rule(log_softmax_vjp, entries=log_softmax_entries, fast=Fast(log_softmax_forward, log_softmax_backward, in_place=True))
def log_softmax(x, axis=-1):
    """Return the logarithm of softmax, x - log Σ exp(x), along the axis. It is exact also where softmax underflows to 0.

    In formulas:
        y = x - log(Σ exp(x))

    Where all entries are -inf, so are all results.

    >>> log_softmax(np.array([0.0, -1000.0]))
    array([    0., -1000.])
    """
    d = x - shift(x, axis)
    return d - np.log(np.maximum(np.add.reduce(np.exp(d), axis, keepdims=True), 1))


def shift(x, axis):
    """Return the largest entry along the axis, but a finite number where all are -inf: -inf - -inf would be nan."""
    return np.maximum.reduce(x, axis, None, None, True, LOWEST.get(x.dtype))

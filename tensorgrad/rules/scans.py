"""Cumulative sums and products."""

import numpy as np

from tensorgrad.arrays.axes import one_axis, shape_of
from tensorgrad.kernels.blocks import large
from tensorgrad.kernels.scans import LONG, running_sum
from tensorgrad.public import method
from tensorgrad.rule import rule
from tensorgrad.rules.reductions import is_precise

__all__ = ["cumsum", "cumprod"]


def cumsum_vjp(G, x_shape, axis):
    """dz/dx = the running sum of dz/dy from the end"""
    if in_parts(G, axis):
        return running_sum(G.reshape(-1, G.shape[-1]), from_end=True).reshape(x_shape)
    if not G.shape:
        return G
    backward = (slice(None),) * ((axis or 0) % len(G.shape)) + (slice(None, None, -1),)
    return G[backward].cumsum(axis)[backward].reshape(x_shape)


@method
@rule(cumsum_vjp)
def cumsum(x, axis=None):
    """Return cumulative sums along an axis: y1 = x1, y2 = x1 + x2, ...

    In formulas:
        y[k] = Σ over i <= k: x[i]
        dz/dx[i] = Σ over i <= k < n: dz/dy[k]

    Without an axis, x is flattened first, as in NumPy.

    >>> cumsum([1, 2, 3])
    array([1., 3., 6.])
    """
    if in_parts(x, axis):
        return running_sum(x.reshape(-1, x.shape[-1])).reshape(x.shape)
    return scan_along("cumsum", np.cumsum, x, axis)


def in_parts(x, axis):
    """Return whether the running sums of an array are computed in parts: those along the long last axis of a large one."""
    return large(x) and (axis == -1 or axis == x.ndim - 1) and x.shape[-1] >= LONG


def cumprod_vjp(G, x, y, axis):
    """dz/dx[k] = x[1] ⋯ x[k-1] · (dz/dy[k] + x[k+1] dz/dy[k+1] + x[k+1] x[k+2] dz/dy[k+2] + ⋯)"""
    if not x.shape:
        return G.reshape(())
    shape = x.shape
    if type(G) is type(x) is type(y) is np.ndarray and is_precise(y):
        return cumsum_vjp(G * y, shape, axis) / x  # a quarter of the time; 0 and what overflows cannot be divided out
    if axis is None:
        x, axis = x.reshape(-1), 0
    x, G = x.swapaxes(axis, -1), G.swapaxes(axis, -1)
    total = products_before(x) * sums_after(x, G)
    return total.swapaxes(axis, -1).reshape(shape)


def products_before(x):
    """Return x[1] ⋯ x[k-1] for every k, along the last axis."""
    return np.concatenate([np.ones(x[..., :1].shape, x.dtype), np.cumprod(x[..., :-1], -1)], -1)


def sums_after(x, G):
    """Return S[k] = G[k] + x[k+1] S[k+1] for every k, along the last axis.

    It takes log n steps; each step doubles the number of terms in the sums.
    """
    reach, S, steps = 1, G, x
    while reach < x.shape[-1]:
        factor = steps[..., 1 : x.shape[-1] - reach + 1]  # x[k+1] ⋯ x[k+reach]
        S = np.concatenate([S[..., :-reach] + factor * S[..., reach:], S[..., -reach:]], -1)
        steps = np.concatenate([steps[..., :-reach] * steps[..., reach:], steps[..., -reach:]], -1)
        reach *= 2
    return S


@method
@rule(cumprod_vjp)
def cumprod(x, axis=None):
    """Return cumulative products along an axis: y1 = x1, y2 = x1 x2, ...

    In formulas:
        y[k] = Π over i <= k: x[i]
        dz/dx[i] = Σ over i <= k < n: dz/dy[k] · (Π over j < i: x[j]) · (Π over i + 1 <= j <= k: x[j])

    Without an axis, x is flattened first, as in NumPy. The derivative does not divide by the entries, so it is correct for
    zeros.

    >>> cumprod([1, 2, 3])
    array([1., 2., 6.])
    """
    return scan_along("cumprod", np.cumprod, x, axis)


def scan_along(name, function, x, axis):
    """Apply `function` along an axis; a 0-d array has the axes 0 and -1 and stays as it is."""
    if axis is None:
        return function(x)
    if len(shape_of(x)) == 0 and axis in (0, -1):
        return np.array(x)
    return function(x, one_axis(name, axis, shape_of(x)))

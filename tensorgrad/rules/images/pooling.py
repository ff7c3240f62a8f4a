"""The rules of pooling: the largest entry, the sum and the smooth maximum of each window over the last axes.

Legend: p numbers the windows, k the places of a window, q the entries of x. Place k of window p covers entry q = p · stride + k
· dilation - padding. The padding is not an entry.
"""

import numpy as np

from scalargrad import rules as rows
from tensorgrad.arrays.windows import (
    beside_parts,
    in_parts,
    interior,
    kernel_offsets,
    over_places,
    padded,
    sliding_windows,
    spatial_shape,
    tap,
    window_along,
    windows_along_each_axis,
)
from tensorgrad.kernels import pooling as kernels
from tensorgrad.rule import Fast, rule
from tensorgrad.rules.images.unfolding import overlap_add, window_entries
from tensorgrad.tensor import array_of
from tensorgrad.vjp import vjp


def each_window(function, x, window):
    """Apply `function` to the entries that each window covers, on arrays of Values."""
    d = len(window.kernel)
    seen = sliding_windows(x, window, fill=None)
    found = np.empty(seen.shape[:-d], dtype=object)
    for place in np.ndindex(found.shape):
        found[place] = function(*[entry for entry in seen[place].ravel() if entry is not None])
    return found


def with_kernel_axes(y, window):
    """Return y, one entry per window, with axes of length 1 for the places of the window."""
    return y.reshape((*y.shape, *[1] * len(window.kernel)))


def window_max_vjp(G, x, y, window):
    """dz/dx[q] = Σ over p, k: dz/dy[p] where x[q] is the largest of window p, shared evenly among equal ones"""
    largest = sliding_windows(array_of(x), window, fill=np.nan) == with_kernel_axes(array_of(y), window)
    d = len(window.kernel)
    shares = largest / largest.sum(tuple(range(-d, 0)), keepdims=True, dtype=y.dtype)
    return overlap_add(with_kernel_axes(G, window) * shares, size=spatial_shape(x, d), window=window)


@rule(window_max_vjp, entries=lambda x, window: each_window(rows.max, x, window), fast=Fast(kernels.window_max, kernels.window_max_vjps))
def window_max(x, window):
    """y[p] = the largest x[q] of window p, over all k"""
    d = len(window.kernel)
    return np.maximum.reduce(sliding_windows(x, window, fill=-np.inf), tuple(range(-d, 0)))


def window_sum_vjp(G, x_shape, window, divisor):
    """dz/dx[q] = Σ over p, k: dz/dy[p] / divisor"""
    return window_share(G if divisor is None else G / divisor, x_shape[len(x_shape) - len(window.kernel) :], window)


@rule(window_sum_vjp)
def window_sum(x, window, divisor=None):
    """y[p] = Σ over k: x[q] / divisor, summed along one axis after the other"""
    y = sum_of_windows(x, window)
    return y if divisor is None else y / divisor


def sum_of_windows(x, window):
    if type(x) is np.ndarray and x.dtype != object and (parts := in_parts(x, window)) is not None:
        return over_places(np.add, parts, window)
    wide, count = padded(x, window), window.count(spatial_shape(x, len(window.kernel)))
    for one, n in windows_along_each_axis(window, count, spatial_shape(wide, len(count))):
        wide = sum(tap(wide, one, k, n) for k in kernel_offsets(one))
    return wide


@rule(vjp("dz/dx[p] = Σ over k: dz/dy[q]", lambda G, window: window_sum(G, window)))
def window_share(x, size, window):
    """y[q] = Σ over p, k: x[p]: each window adds its entry to all places that it covers, along one axis after the other"""
    if type(x) is np.ndarray and x.dtype != object:
        y = np.empty((*x.shape[: x.ndim - len(size)], *size), x.dtype)
        if (parts := in_parts(y, window)) is not None:
            parts[...] = beside_parts(x, window)
            return y
    sizes = [n + a + b for n, (a, b) in zip(size, window.padding)]
    d, count = len(sizes), spatial_shape(x, len(sizes))
    for axis in reversed(range(d)):
        one = window_along(window, axis)
        longer = np.zeros((*x.shape[: x.ndim - d + axis], sizes[axis], *x.shape[x.ndim - d + axis + 1 :]), x.dtype)
        n = [*count[: axis + 1], *sizes[axis + 1 :]]
        for k in kernel_offsets(one):
            there = tap(longer, one, k, n)
            np.add(there, x, out=there)
        x = longer
    return x[interior(window, size)]


def smooth_max_vjp(G, x, y, window, beta):
    """dz/dx[q] = Σ over p, k: dz/dy[p] exp(β (x[q] - y[p]))"""
    shares = np.exp((window_entries(x, window=window) - with_kernel_axes(y, window)) * beta)
    return overlap_add(with_kernel_axes(G, window) * shares, size=spatial_shape(x, len(window.kernel)), window=window)


def smooth_max_entries(x, window, beta):
    return each_window(lambda *xs: rows.logsumexp(*[beta * x for x in xs]) / beta, x, window)


@rule(smooth_max_vjp, entries=smooth_max_entries)
def window_smooth_max(x, window, beta):
    """y[p] = log(Σ over k: exp(β x[q])) / β, shifted by the maximum to avoid overflow"""
    wide, count = padded(x, window, -np.inf), window.count(spatial_shape(x, len(window.kernel)))
    seen = [tap(wide, window, k, count) for k in kernel_offsets(window)]
    top = np.maximum.reduce(seen) if len(seen) > 1 else seen[0]
    shift = np.where(np.isfinite(top), top, 0)
    return shift + np.log(sum(np.exp((entry - shift) * beta) for entry in seen)) / beta

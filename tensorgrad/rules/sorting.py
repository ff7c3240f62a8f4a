"""Entries in order of size: sort, partition, topk, and the places where they stood."""

import numpy as np

from tensorgrad.axes import axes_of, one_axis
from tensorgrad.public import public
from tensorgrad.rules.gathering import take_along_axis
from tensorgrad.tensor import plain

__all__ = ["sort", "argsort", "partition", "argpartition", "topk"]
METHODS = ["sort", "argsort", "topk"]

BLOCKS = 4  # times k


@public(keeps=["x"])
def argsort(x, axis=-1, descending=False):
    """Where the entries in order stand along an axis (None: among all in a row): plain numbers, without a gradient.

    Equal entries keep their order; nan comes last, or first where `descending`.

    >>> argsort([3, 1, 2]), argsort([3, 1, 2], descending=True)
    (array([1, 2, 0]), array([0, 2, 1]))
    """
    return sorted_positions("argsort", x, axis, descending)


def sorted_positions(name, x, axis, descending):
    x = np.asarray(plain(x))
    if not x.ndim and axis is not None:
        axes_of(name, axis, x.shape)
        return np.asarray(0)
    return in_order(x.reshape(-1), 0, descending) if axis is None else in_order(x, one_axis(name, axis, x.shape), descending)


def in_order(x, axis, descending):
    """The places of the entries of an array along an axis, in order; equal entries keep theirs."""
    if not descending:
        return np.argsort(x, axis, kind="stable")
    return x.shape[axis] - 1 - np.flip(np.argsort(np.flip(x, axis), axis, kind="stable"), axis)


@public
def sort(x, axis=-1, descending=False):
    """The entries in order along an axis (None: all in a row), the smallest first, nan last; the other way round if `descending`.

    Each gradient goes to the entry that came to its place; equal entries keep their order.

    >>> sort([3.0, 1.0, 2.0]), sort([3.0, 1.0, 2.0], descending=True)
    (array([1., 2., 3.]), array([3., 2., 1.]))
    """
    return taken_along(x, sorted_positions("sort", x, axis, descending), axis)


def taken_along(x, places, axis):
    """The entries of x that stand at `places` along an axis, which mean nothing else for a number without axes."""
    return take_along_axis(x, places, axis if np.ndim(x) else None)


@public(keeps=["x"])
def argpartition(x, kth, axis=-1):
    """Where the entries stand that `partition` puts at each place along an axis: plain numbers, without a gradient.

    >>> argpartition([3, 1, 2], 0)[0]
    np.int64(1)
    """
    x = np.asarray(plain(x))
    if not x.ndim and axis is not None:
        axes_of("argpartition", axis, x.shape)
        return np.asarray(0)
    x, axis = (x.reshape(-1), 0) if axis is None else (x, one_axis("argpartition", axis, x.shape))
    n = x.shape[axis]
    for k in np.ravel(kth).tolist():
        if not -n <= k < n:
            raise ValueError(f"argpartition: kth={kth}, and axis {axis} of shape {x.shape} has {n} entries: use {-n} to {n - 1}")
    return np.argpartition(x, kth, axis)


@public
def partition(x, kth, axis=-1):
    """The entries along an axis (None: all in a row) with the kth smallest at place k, no larger one before it, no smaller one behind.

    `kth` is a place, or several; nan counts as the largest of all. Each gradient goes to the entry that came to its place. The
    order of the others, and which of several equal entries comes to a place, is NumPy's. ValueError for a place that is not there.

    >>> partition([4.0, 1.0, 3.0, 2.0], 1)[:2]
    array([1., 2.])
    """
    return taken_along(x, argpartition(x, kth, axis), axis)


@public
def topk(x, k, axis=-1, largest=True, sorted=True):
    """The k largest entries along an axis, the largest first, and where they stood: (values, places).

    `largest=False` gives the k smallest, the smallest first. Of equal entries the first comes first; nan counts as the
    largest of all. They are in order even if `sorted=False` does not ask for it. ValueError if there are fewer than k.

    >>> values, places = topk([3.0, 9.0, 5.0], 2); values, places
    (array([9., 5.]), array([1, 2]))
    """
    a = np.asarray(plain(x))
    axes = axes_of("topk", (axis,), a.shape)
    n = a.shape[axes[0]] if axes else 1
    if not (0 if axes else 1) <= k <= n:
        raise ValueError(f"topk: k={k}, and {f'axis {axes[0]} of shape {a.shape} has {n} entries' if axes else 'a number has one entry'}")
    if not axes:
        return taken_along(x, np.asarray(0), axis), np.asarray(0)
    places = np.moveaxis(top_positions(np.moveaxis(a, axes[0], -1), k, largest), -1, axes[0])
    return taken_along(x, places, axis), places


def top_positions(a, k, largest):
    """Where the k largest (or smallest) entries along the last axis stand, in order; of equal ones the first comes first."""
    n = a.shape[-1]
    if not 0 < k < n or not a.size:
        return in_order(a, -1, largest)[..., :k]
    rows = a.reshape(-1, n)
    candidates = np.flatnonzero(top_candidates(rows, k, largest))
    candidates = candidates[in_order(rows.ravel()[candidates], 0, largest)]
    candidates = candidates[np.argsort(candidates // n, kind="stable")]  # row by row
    starts = np.searchsorted(candidates // n, np.arange(len(rows)))
    return (candidates[starts[:, None] + np.arange(k)] % n).reshape(*a.shape[:-1], k)


def top_candidates(a, k, largest):
    """Which entries of each row reach the k-th best of BLOCKS k blocks' best: at least k, all of the k first, and few others."""
    n = a.shape[1]
    length = max(1, n // (BLOCKS * k))
    blocks = a[:, : n // length * length].reshape(len(a), length, n // length)
    if largest:
        best = blocks.max(1)
        return ~(a < np.partition(best, best.shape[1] - k)[:, -k, None])  # nan is the largest of all
    return ~(a > np.partition(np.fmin.reduce(blocks, 1), k - 1)[:, k - 1, None])

"""Entries in sorted order: sort, partition, topk, and the positions that they came from."""

import numpy as np

from tensorgrad.arrays.axes import axes_of, one_axis
from tensorgrad.public import Array, AsGiven, Option, method, public
from tensorgrad.rules.gathering import take_along_axis
from tensorgrad.tensor import array_of

__all__ = ["sort", "argsort", "partition", "argpartition", "topk"]

SMALL = 1 << 10  # entries up to which topk sorts all
FEW = 6  # up to so many largest entries are found one after the other
BLOCKS = 4  # topk divides a row into so many times k blocks


@method
def argsort(x: AsGiven, axis=-1, descending=False, *, stable=None, kind=None):
    """Return the positions of the entries in ascending order along an axis; axis=None flattens x first.

    The result is a plain integer array without a gradient. Equal entries keep their order, whatever `stable` and `kind` ask for.
    nan is last, or first if `descending`.

    >>> argsort([3, 1, 2]), argsort([3, 1, 2], descending=True)
    (array([1, 2, 0]), array([0, 2, 1]))
    """
    return sorted_positions("argsort", x, axis, descending)


def sorted_positions(name, x, axis, descending):
    x = np.asarray(array_of(x))
    if not x.ndim and axis is not None:
        axes_of(name, axis, x.shape)
        return np.asarray(0)
    return in_order(x.reshape(-1), 0, descending) if axis is None else in_order(x, one_axis(name, axis, x.shape), descending)


def in_order(x, axis, descending):
    """Return the positions of an array's entries in sorted order along an axis; equal entries keep their order."""
    if not descending:
        return x.argsort(axis, kind="stable")
    backward = (slice(None),) * (axis % x.ndim) + (slice(None, None, -1),)
    return x.shape[axis] - 1 - x[backward].argsort(axis, kind="stable")[backward]


@method
def sort(x: Array, axis=-1, descending=False, *, stable=None, kind=None):
    """Return the entries in ascending order along an axis; axis=None flattens x first.

    In formulas, along the axis:
        y[i] = x[p[i]], with p = argsort(x)
        dz/dx[p[i]] = dz/dy[i]

    `descending` reverses the order. The gradient of each place goes to the entry that moved there; equal entries keep their
    order, whatever `stable` and `kind` ask for. nan is last, or first if `descending`.

    >>> sort([3.0, 1.0, 2.0]), sort([3.0, 1.0, 2.0], descending=True)
    (array([1., 2., 3.]), array([3., 2., 1.]))
    """
    return taken_along(x, sorted_positions("sort", x, axis, descending), axis)


def taken_along(x, places, axis):
    """Return the entries of x at `places` along an axis; a 0-d array has none."""
    return take_along_axis(x, places, axis if x.ndim else None)


@public
def argpartition(x: AsGiven, kth: Option, axis=-1):
    """Return the positions of the entries that `partition` puts at each place along an axis.

    The result is a plain integer array without a gradient. Raises ValueError if `kth` is out of range.

    >>> argpartition([3, 1, 2], 0)[0]
    np.int64(1)
    """
    x = np.asarray(array_of(x))
    if not x.ndim and axis is not None:
        axes_of("argpartition", axis, x.shape)
        return np.asarray(0)
    x, axis = (x.reshape(-1), 0) if axis is None else (x, one_axis("argpartition", axis, x.shape))
    n = x.shape[axis]
    for k in np.ravel(kth).tolist():
        if not -n <= k < n:
            raise ValueError(f"argpartition: kth={kth} is out of range for axis {axis} of shape {x.shape}; use {-n} to {n - 1}")
    return np.argpartition(x, kth, axis)


@public
def partition(x: Array, kth: Option, axis=-1):
    """Return the entries along an axis, rearranged so that place k holds the kth smallest; axis=None flattens x first.

    In formulas, along the axis:
        y[i] = x[p[i]], with p = argpartition(x, kth)
        dz/dx[p[i]] = dz/dy[i]

    The entries before place k are not larger, those after it are not smaller. nan counts as the largest: if place k holds nan, all
    entries after it are nan. `kth` is one place or several. The gradient of each place goes to the entry that moved there. The
    order of the other entries, and of equal ones, is NumPy's. Raises ValueError if `kth` is out of range.

    >>> partition([4.0, 1.0, 3.0, 2.0], 1)[:2]
    array([1., 2.])
    """
    return taken_along(x, argpartition(x, kth, axis), axis)


@method
def topk(x: Array, k: Option, axis=-1, largest=True, sorted=True):
    """Return (values, positions) of the k largest entries along an axis, in descending order.

    In formulas, for the values y at the positions p:
        y[i] = x[p[i]], with p = argsort(-x)
        dz/dx[p[i]] = dz/dy[i]; elsewhere it is 0

    largest=False gives the k smallest in ascending order. Of equal entries the first comes first; nan counts as the largest.
    The result is sorted even with sorted=False. Raises ValueError if the axis has fewer than k entries.

    >>> values, places = topk([3.0, 9.0, 5.0], 2); values, places
    (array([9., 5.]), array([1, 2]))
    """
    a = np.asarray(array_of(x))
    axes = axes_of("topk", (axis,), a.shape)
    n = a.shape[axes[0]] if axes else 1
    if not (0 if axes else 1) <= k <= n:
        raise ValueError(
            f"topk: k={k}, but {f'axis {axes[0]} of shape {a.shape} has {n} entries' if axes else 'a 0-d array has one entry'}"
        )
    if not axes:
        return taken_along(x, np.asarray(0), axis), np.asarray(0)
    if axes[0] == a.ndim - 1:
        places = top_positions(a, k, largest)
    else:
        places = np.moveaxis(top_positions(np.moveaxis(a, axes[0], -1), k, largest), -1, axes[0])
    return taken_along(x, places, axis), places


def top_positions(a, k, largest):
    """Return the positions of the k largest (or smallest) entries along the last axis, in order; of equal entries, the first comes
    first.
    """
    n = a.shape[-1]
    if not 0 < k < n or a.size <= SMALL:
        return in_order(a, -1, largest)[..., :k]
    rows = a.reshape(-1, n)
    if largest and k <= FEW and a.dtype.kind == "f" and (found := largest_by_turns(rows, k)) is not None:
        return found.reshape(*a.shape[:-1], k)
    candidates = np.flatnonzero(top_candidates(rows, k, largest))
    candidates = candidates[in_order(rows.ravel()[candidates], 0, largest)]
    candidates = candidates[np.argsort(candidates // n, kind="stable")]  # row by row
    starts = np.searchsorted(candidates // n, np.arange(len(rows)))
    return (candidates[starts[:, None] + np.arange(k)] % n).reshape(*a.shape[:-1], k)


def largest_by_turns(a, k):
    """Return the positions of the k largest entries of each row: the largest k times, each time without those before. None beside -inf."""
    rest, rows = np.array(a, order="C"), np.arange(len(a))
    found = np.empty((len(a), k), int)
    for i in range(k):
        found[:, i] = places = rest.argmax(1)  # of equal entries the first, and nan before all others
        last = rest[rows, places]
        rest[rows, places] = -np.inf
    return None if (last == -np.inf).any() else found


def top_candidates(a, k, largest):
    """Return which entries of each row reach the k-th best of the block maxima, for BLOCKS · k blocks.

    At least k entries do. They include all of the top k, and few others.
    """
    n = a.shape[1]
    length = max(1, n // (BLOCKS * k))
    blocks = a[:, : n // length * length].reshape(len(a), length, n // length)
    if largest:
        best = blocks.max(1)
        return ~(a < np.partition(best, best.shape[1] - k)[:, -k, None])  # nan counts as the largest
    return ~(a > np.partition(np.fmin.reduce(blocks, 1), k - 1)[:, k - 1, None])

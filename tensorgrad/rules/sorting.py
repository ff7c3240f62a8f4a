"""Entries in order of size: sort, argsort, topk."""

import numpy as np

from tensorgrad.axes import axes_of, one_axis
from tensorgrad.public import public
from tensorgrad.rules.gathering import take_along_axis
from tensorgrad.tensor import plain

__all__ = ["sort", "argsort", "topk"]
METHODS = __all__


@public(keeps=["x"])
def argsort(x, axis=-1):
    """Where the entries in order stand along an axis (None: among all in a row): plain numbers, without a gradient.

    Equal entries keep their order; nan comes last.

    >>> argsort([3, 1, 2])
    array([1, 2, 0])
    """
    return places_in_order("argsort", x, axis)


def places_in_order(name, x, axis):
    x = np.asarray(plain(x))
    if not x.ndim and axis is not None:
        axes_of(name, axis, x.shape)
        return np.asarray(0)
    return np.argsort(x, axis if axis is None else one_axis(name, axis, x.shape), kind="stable")


@public
def sort(x, axis=-1):
    """The entries in order along an axis (None: all in a row), the smallest first, nan last.

    Each gradient goes to the entry that came to its place; equal entries keep their order.

    >>> sort([3, 1, 2])
    array([1., 2., 3.])
    """
    places = places_in_order("sort", x, axis)
    return take_along_axis(x, places, axis if np.ndim(x) else None)


@public
def topk(x, k, axis=-1, largest=True):
    """The k largest entries along an axis, the largest first, and where they stood: (values, places).

    `largest=False` gives the k smallest, the smallest first. Of equal entries the first comes first; nan counts as the
    largest of all. ValueError if there are fewer than k.

    >>> values, places = topk([3, 9, 5], 2); values, places
    (array([9., 5.]), array([1, 2]))
    """
    a = np.asarray(plain(x))
    axis = one_axis("topk", axis, a.shape)
    if not 0 <= k <= a.shape[axis]:
        raise ValueError(f"topk: k={k}, and axis {axis} of shape {a.shape} has {a.shape[axis]} entries")
    if largest:
        order = a.shape[axis] - 1 - np.flip(np.argsort(np.flip(a, axis), axis, kind="stable"), axis)
    else:
        order = np.argsort(a, axis, kind="stable")
    places = order[(slice(None),) * axis + (slice(0, k),)]
    return take_along_axis(x, places, axis), places

"""Helpers for functions on arrays of scalargrad's Values: what a function of arrays stands for, entry by entry."""

from math import prod

import numpy as np

from tensorgrad.axes import axes_of


def objects(x):
    """x as an array of objects: a bare Value becomes an array without axes."""
    if isinstance(x, np.ndarray):
        return x if x.dtype == object else x.astype(object)
    array = np.empty((), dtype=object)
    array[()] = x
    return array


def number(x):
    """The number of a Value; a number as it is, as a float."""
    return float(getattr(x, "data", x))


def numbers_of(x):
    """An array of Values as the array of their numbers."""
    return np.array([number(v) for v in x.flat]).reshape(x.shape)


def along(function, x, axis=None, keepdims=False):
    """`function` of all entries along an axis (one, several or all), called once for each result: function(x1, x2, ...)."""
    x = objects(x)
    axes = axes_of("along", axis, x.shape)
    kept = [a for a in range(x.ndim) if a not in axes]
    rows = x.transpose(*kept, *axes).reshape(*[x.shape[a] for a in kept], prod([x.shape[a] for a in axes]))
    found = np.empty(rows.shape[:-1], dtype=object)
    for place in np.ndindex(found.shape):
        found[place] = function(*rows[place])
    return found.reshape([1 if a in axes else n for a, n in enumerate(x.shape)]) if keepdims else found

"""Helpers for functions of arrays whose entries are scalargrad's Values. zoom computes with such arrays."""

from math import prod

import numpy as np

from tensorgrad.arrays.axes import axes_of


def objects(x):
    """Return x as an array of objects; a bare Value becomes a 0-d array."""
    if isinstance(x, np.ndarray):
        return x if x.dtype == object else x.astype(object)
    array = np.empty((), dtype=object)
    array[()] = x
    return array


def number(x):
    """Return the number of a Value, or a number, as a float."""
    return float(getattr(x, "data", x))


def numbers_of(x):
    """Return the numbers of an array of Values as an array."""
    return np.array([number(v) for v in x.flat]).reshape(x.shape)


def reduction(function):
    """Return a function of numbers, function(x1, x2, ...), as a reduction of arrays."""
    return lambda x, axis=None, keepdims=False: apply_along(function, x, axis, keepdims)


def apply_along(function, x, axis=None, keepdims=False):
    """Return function(x1, x2, ...) of the entries along one axis, several or all, called once for each result."""
    x = objects(x)
    axes = axes_of("apply_along", axis, x.shape)
    kept = [a for a in range(x.ndim) if a not in axes]
    rows = x.transpose(*kept, *axes).reshape(*[x.shape[a] for a in kept], prod([x.shape[a] for a in axes]))
    found = np.empty(rows.shape[:-1], dtype=object)
    for place in np.ndindex(found.shape):
        found[place] = function(*rows[place])
    return found.reshape([1 if a in axes else n for a, n in enumerate(x.shape)]) if keepdims else found

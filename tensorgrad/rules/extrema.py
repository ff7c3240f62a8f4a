"""The largest and the smallest entry along axes, and their positions."""

import numpy as np

from scalargrad import rules as rows
from tensorgrad.arrays.axes import axes_of, beside
from tensorgrad.arrays.object_arrays import reduction
from tensorgrad.public import AsGiven, method
from tensorgrad.rule import rule
from tensorgrad.rules.reductions import along
from tensorgrad.tensor import array_of

__all__ = ["max", "min", "amax", "amin", "nanmax", "nanmin", "argmax", "argmin"]


def extreme_vjp(G, x, y, axis, keepdims):
    """dz/dx = dz/dy where x = y, else 0; equal entries share it evenly"""
    return beside(G, x.shape, axis, keepdims) * tie_shares(x, y, axis)


def tie_shares(x, y, axis):
    """Return 1 / (number of entries equal to y) where x equals y, the extreme along the axes; 0 elsewhere."""
    x, y = array_of(x), array_of(y)
    chosen = x == beside(y, x.shape, axis)
    return chosen / np.add.reduce(chosen, along("max", axis, x), keepdims=True, dtype=x.dtype)


@method
@rule(extreme_vjp, entries=reduction(rows.max))
def max(x, axis=None, keepdims=False):
    """Return the largest entry along one axis, several or all; nan if an entry is nan. Also called amax.

    In formulas:
        y = x[k], with k = argmax(x)

    Entries that are equally large share the gradient evenly, also where they are infinite. Where the result is nan, so are the
    derivatives of all entries along the reduced axes. Raises ValueError if there is no entry.

    >>> max([[1, 4], [3, 2]], axis=0)
    array([3., 4.])
    """
    must_have_entries("max", x, axis)
    return np.maximum.reduce(x, along("max", axis, x), keepdims=keepdims)


@method
@rule(extreme_vjp, entries=reduction(lambda *xs: -rows.max(*[-x for x in xs])))
def min(x, axis=None, keepdims=False):
    """Return the smallest entry along one axis, several or all; nan if an entry is nan. Also called amin.

    In formulas:
        y = x[k], with k = argmin(x)

    Entries that are equally small share the gradient evenly, also where they are infinite. Where the result is nan, so are the
    derivatives of all entries along the reduced axes. Raises ValueError if there is no entry.

    >>> min([[1, 4], [3, 2]], axis=0)
    array([1., 2.])
    """
    must_have_entries("min", x, axis)
    return np.minimum.reduce(x, along("min", axis, x), keepdims=keepdims)


amax, amin = max.under("amax"), min.under("amin")


def without_nan(xs):
    """Return the numbers among xs; the first entry if all are nan."""
    return [x for x in xs if x == x] or xs[:1]


@rule(extreme_vjp, entries=reduction(lambda *xs: rows.max(*without_nan(xs))))
def nanmax(x, axis=None, keepdims=False):
    """Return the largest entry that is not nan, along one axis, several or all; nan if all are nan.

    In formulas:
        y = x[k], with k = nanargmax(x)

    Equal largest entries share the gradient evenly. The derivative at an entry of nan is 0, or nan if all entries are nan.
    Raises ValueError if there is no entry.

    >>> nanmax([[1.0, 4.0], [np.nan, 2.0]], axis=0)
    array([1., 4.])
    """
    must_have_entries("nanmax", x, axis)
    return np.fmax.reduce(x, along("nanmax", axis, x), keepdims=keepdims)


@rule(extreme_vjp, entries=reduction(lambda *xs: -rows.max(*[-x for x in without_nan(xs)])))
def nanmin(x, axis=None, keepdims=False):
    """Return the smallest entry that is not nan, along one axis, several or all; nan if all are nan.

    In formulas:
        y = x[k], with k = nanargmin(x)

    Equal smallest entries share the gradient evenly. The derivative at an entry of nan is 0, or nan if all entries are nan.
    Raises ValueError if there is no entry.

    >>> nanmin([[1.0, 4.0], [np.nan, 2.0]], axis=0)
    array([1., 2.])
    """
    must_have_entries("nanmin", x, axis)
    return np.fmin.reduce(x, along("nanmin", axis, x), keepdims=keepdims)


def must_have_entries(name, x, axis):
    """Raise ValueError if a reduction would have no entry to choose from."""
    shape = x.shape
    if 0 in shape and 0 in [shape[a] for a in axes_of(name, axis, shape)]:
        raise ValueError(f"{name}: shape {shape} has no entry to choose from{'' if axis is None else f' along axis {axis}'}")


@method
def argmax(x: AsGiven, axis=None, keepdims=False):
    """Return the position of the largest entry along an axis; without an axis, among all entries in row-major order.

    The result is a plain integer array without a gradient. Of equal entries it names the first. Raises ValueError if there is
    no entry.

    >>> argmax([[1, 4], [3, 2]], axis=1)
    array([1, 0])
    """
    return position_of_extreme("argmax", np.argmax, x, axis, keepdims)


@method
def argmin(x: AsGiven, axis=None, keepdims=False):
    """Return the position of the smallest entry along an axis; without an axis, among all entries in row-major order.

    The result is a plain integer array without a gradient. Of equal entries it names the first. Raises ValueError if there is
    no entry.

    >>> argmin([[1, 4], [3, 2]], axis=1)
    array([0, 1])
    """
    return position_of_extreme("argmin", np.argmin, x, axis, keepdims)


def position_of_extreme(name, function, x, axis, keepdims):
    x = np.asarray(array_of(x))
    must_have_entries(name, x, axis)
    axes_of(name, axis, x.shape)
    return function(x, axis, keepdims=keepdims)

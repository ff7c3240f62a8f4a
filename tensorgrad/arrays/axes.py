"""Axes of arrays: which axes an argument means, shapes of reductions, and `unbroadcast`, the sum that undoes broadcasting."""

import math

import numpy as np

from scalargrad.messages.errors import wrong_type
from tensorgrad.errors.errors import axis_out_of_range

MANY = 1 << 13  # entries from which a product with ones is the faster sum
SHORT, CLOSE = 8, 512  # entries of an axis up to which adding its slices is the faster sum, and the distance between these, in entries
INTEGER = (int, np.integer)
WRITTEN_OUT = 1 << 12  # up to so many entries, NumPy is faster on written entries than on strides of 0


def axes_of(name, axis, shape):
    """Return the axes that `axis` (one, several, or None for all) means in an array of `shape`, counted from the first.

    Raises ValueError for an axis that is out of range or named twice. A 0-d array has the axes 0 and -1, which mean none.

    >>> axes_of("sum", (0, -1), (2, 3, 4))
    (0, 2)
    """
    n = len(shape)
    if type(axis) is int and -n <= axis < n:
        return (axis % n,)
    if axis is None:
        return tuple(range(n))
    asked = tuple(axis) if hasattr(axis, "__iter__") and not isinstance(axis, str) else (axis,)
    for a in asked:
        if type(a) is not int:
            must_be_integer(name, a)
        if not -max(n, 1) <= a < max(n, 1):
            raise axis_out_of_range(name, a, shape, n)
    found = tuple([a % n for a in asked]) if n else ()
    if len(set(found)) < len(found):
        raise ValueError(f"{name}: axis={axis} names an axis of shape {shape} twice; name each axis once")
    return found


def shape_of(x):
    """Return the shape of a tensor, of an array, or of lists. np.shape would ask NumPy's dispatch for a tensor first."""
    shape = getattr(x, "shape", None)
    return np.shape(x) if shape is None else shape


def broadcasts(shape, to):
    return len(shape) <= len(to) and all(a in (1, b) for a, b in zip(shape[::-1], to[::-1]))


def one_axis(name, axis, shape):
    """Return the axis that is meant, counted from the first; raise ValueError if it is out of range."""
    n = len(shape)
    if type(axis) is not int:
        must_be_integer(name, axis)
    if not -n <= axis < n:
        raise axis_out_of_range(name, axis, shape, n)
    return axis % n


def new_axes(name, axis, shape):
    """Return the positions of new axes (one or several) in the result, counted from the first, for an array of `shape`.

    >>> new_axes("expand_dims", -1, (2, 3))
    (2,)
    """
    asked = tuple(axis) if isinstance(axis, tuple | list) else (axis,)
    n = len(shape) + len(asked)
    for a in asked:
        must_be_integer(name, a)
        if not -n <= a < n:
            with_it = "the new one" if len(asked) == 1 else "the new ones"
            raise np.exceptions.AxisError(
                f"{name}: axis {a} is out of range for shape {shape}, which has {n} axes with {with_it}; use {-n} to {n - 1}"
            )
    found = tuple([a % n for a in asked])
    if len(set(found)) < len(found):
        raise ValueError(f"{name}: axis={axis} names a new axis twice; name each axis once")
    return found


def must_be_integer(name, number, what="axis"):
    if type(number) is not int and not isinstance(number, INTEGER):
        raise wrong_type(name, what, number, "an integer")


def keepdims_shape(shape, axis):
    """Return `shape` with 1 for each reduced axis, as keepdims=True leaves it."""
    found = [*shape]
    for a in axes_of("axis", axis, shape):
        found[a] = 1
    return tuple(found)


def count(shape, axis):
    """Return how many entries of an array of `shape` a reduction over `axis` combines into one."""
    if axis is None:
        return math.prod(shape)
    return math.prod([shape[a] for a in axes_of("axis", axis, shape)])


def beside(G, shape, axis=None, keepdims=False):
    """Return G, of the shape after a reduction over `axis`, so that it broadcasts with an array of `shape`."""
    return G if keepdims or (type(G) is np.ndarray and G.size == 1) else G.reshape(keepdims_shape(shape, axis))


def expand_reduced(G, shape, axis=None, keepdims=False):
    """Repeat G to `shape` again, after a reduction over `axis`. The result must not be written to."""
    G = beside(G, shape, axis, keepdims)
    if type(G) is np.ndarray:
        if math.prod(shape) <= WRITTEN_OUT:
            array = np.empty(shape, G.dtype)
            array[...] = G
            return array
        if G.size == 1:
            return np.ndarray(shape, G.dtype, G, 0, (0,) * len(shape))  # which np.broadcast_to takes seven times as long for
    return np.broadcast_to(G, shape)


def can_unbroadcast(made, shape):
    """Return whether `unbroadcast` can sum an array of shape `made` to `shape`."""
    extra = len(made) - len(shape)
    return extra >= 0 and all([n == 1 or n == m for n, m in zip(shape, made[extra:])])


def unbroadcast(contribution, shape):
    """Sum a contribution over every axis along which its variable was repeated, so that it has the shape of the variable.

    This is the one place that undoes broadcasting.
    """
    extra = len(contribution.shape) - len(shape)
    repeated = tuple([i for i, n in enumerate(contribution.shape) if i < extra or (shape[i - extra] == 1 and n != 1)])
    if extra and repeated == tuple(range(extra)) and type(contribution) is np.ndarray and contribution.size >= MANY:
        rows = contribution.reshape(-1, math.prod(shape))
        return (np.ones(len(rows), rows.dtype) @ rows).reshape(shape)  # a product with ones takes a third of the time of rows.sum(0)
    total = sum_over(contribution, repeated) if repeated else contribution
    return total.reshape(shape) if extra else total


def sum_over(x, axes):
    """Return x summed over these axes, which keep length 1.

    Along a short axis of close entries, slices are added: NumPy's own loop takes up to 80 times as long there.
    """
    if type(x) is np.ndarray and x.size >= MANY and x.dtype.kind == "f":
        for axis in [a for a in axes if 1 < x.shape[a] <= SHORT and math.prod(x.shape[a + 1 :]) < CLOSE]:
            first, second, *others = [x[(slice(None),) * axis + (slice(i, i + 1),)] for i in range(x.shape[axis])]
            x = first + second
            for part in others:
                x += part
        axes = tuple([a for a in axes if x.shape[a] != 1])
    return x.sum(axis=axes, keepdims=True) if axes else x

"""Axes of arrays: which are meant, what an array looks like with reduced axes put back, and the sum that undoes broadcasting."""

import math

import numpy as np

from scalargrad.errors import wrong_type
from tensorgrad.errors.errors import axis_out_of_range

WRITTEN_OUT = 1 << 12  # entries; NumPy takes longer to set off on strides of 0 than to write so many


def axes_of(name, axis, shape):
    """The axes that `axis` (one, several, None for all) means in an array of `shape`, counted from the first.

    ValueError for an axis that is not there or is named twice. A number without axes has axis 0 and -1, which mean none.

    >>> axes_of("sum", (0, -1), (2, 3, 4))
    (0, 2)
    """
    n = len(shape)
    if axis is None:
        return tuple(range(n))
    asked = tuple(axis) if hasattr(axis, "__iter__") and not isinstance(axis, str) else (axis,)
    for a in asked:
        must_be_whole(name, a)
        if not -max(n, 1) <= a < max(n, 1):
            raise out_of_range(name, a, shape)
    found = tuple([a % n for a in asked]) if n else ()
    if len(set(found)) < len(found):
        raise ValueError(f"{name}: axis={axis} names an axis of shape {shape} twice; name each axis once")
    return found


def one_axis(name, axis, shape):
    """The one axis that is meant, counted from the first. ValueError if there is none such."""
    must_be_whole(name, axis)
    if not -len(shape) <= axis < len(shape):
        raise out_of_range(name, axis, shape)
    return axis % len(shape)


def new_axes(name, axis, shape):
    """Where new axes (one or several) stand in the result, counted from the first, when an array of `shape` gets them.

    >>> new_axes("expand_dims", -1, (2, 3))
    (2,)
    """
    asked = tuple(axis) if isinstance(axis, tuple | list) else (axis,)
    n = len(shape) + len(asked)
    for a in asked:
        must_be_whole(name, a)
        if not -n <= a < n:
            with_it = "the new one" if len(asked) == 1 else "the new ones"
            raise np.exceptions.AxisError(
                f"{name}: axis {a} is out of range for shape {shape}, which has {n} axes with {with_it}; use {-n} to {n - 1}"
            )
    found = tuple([a % n for a in asked])
    if len(set(found)) < len(found):
        raise ValueError(f"{name}: axis={axis} names a new axis twice; name each axis once")
    return found


def must_be_whole(name, axis):
    if not isinstance(axis, int | np.integer):
        raise wrong_type(name, "axis", axis, "an integer")


def out_of_range(name, axis, shape):
    return axis_out_of_range(name, axis, shape, len(shape))


def keepdims_shape(shape, axis):
    """`shape` with 1 for each of the axes that a reduction took: what keepdims=True leaves."""
    taken = axes_of("axis", axis, shape)
    return tuple([1 if a in taken else n for a, n in enumerate(shape)])


def count(shape, axis):
    """How many entries of an array of `shape` a reduction over `axis` puts into one."""
    return math.prod([shape[a] for a in axes_of("axis", axis, shape)])


def expand_reduced(G, shape, axis=None, keepdims=False):
    """G, of a shape that lost `axis` in a reduction, repeated to `shape` again."""
    if type(G) is np.ndarray and G.size == 1:
        return repeated_number(G, shape)
    if not keepdims:
        G = G.reshape(keepdims_shape(shape, axis))
    if type(G) is np.ndarray and math.prod(shape) <= WRITTEN_OUT:
        array = np.empty(shape, G.dtype)
        array[...] = G
        return array
    return np.broadcast_to(G, shape)


def repeated_number(number, shape):
    """An array of one number everywhere, not to be written to: written out where that is quick, else of no size at all."""
    if math.prod(shape) <= WRITTEN_OUT:
        array = np.empty(shape, number.dtype)
        array[...] = number
        return array
    return np.ndarray(shape, number.dtype, number, 0, (0,) * len(shape))


def fits(made, shape):
    """Whether sums over axes along which a variable of `shape` was repeated bring an array of shape `made` to it."""
    extra = len(made) - len(shape)
    return extra >= 0 and all(n in (1, m) for n, m in zip(shape, made[extra:]))


def unbroadcast(contribution, shape):
    """A contribution in the shape of the variable it goes to: summed over every axis along which the variable was repeated.

    This is the one place that undoes broadcasting.
    """
    extra = len(contribution.shape) - len(shape)
    repeated = tuple([i for i, n in enumerate(contribution.shape) if i < extra or (shape[i - extra] == 1 and n != 1)])
    total = contribution.sum(axis=repeated, keepdims=True) if repeated else contribution
    return total.reshape(shape) if extra else total

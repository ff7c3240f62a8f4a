"""Axes of arrays: which are meant, what an array looks like with reduced axes put back, and the sum that undoes broadcasting."""

import math

import numpy as np

WRITTEN_OUT = 1 << 12  # entries; NumPy takes longer to set off on strides of 0 than to write so many


def expanded(G, shape, axis=None, keepdims=False):
    """G, of a shape that lost `axis` in a reduction, repeated to `shape` again."""
    if type(G) is np.ndarray and G.size == 1:
        return repeated_number(G, shape)
    if axis is None:
        return np.broadcast_to(G if not keepdims else G.reshape(()), shape)
    if not keepdims:
        G = np.expand_dims(G, axis)
    return np.broadcast_to(G, shape)


def repeated_number(number, shape):
    """An array of one number everywhere, not to be written to: written out where that is quick, else of no size at all."""
    if math.prod(shape) <= WRITTEN_OUT:
        array = np.empty(shape, number.dtype)
        array[...] = number
        return array
    return np.ndarray(shape, number.dtype, number, 0, (0,) * len(shape))


def fitted(contribution, shape):
    """A contribution in the shape of the variable it goes to: summed over every axis along which the variable was repeated.

    This is the one place that undoes broadcasting.
    """
    extra = len(contribution.shape) - len(shape)
    repeated = tuple([i for i, n in enumerate(contribution.shape) if i < extra or (shape[i - extra] == 1 and n != 1)])
    total = contribution.sum(axis=repeated, keepdims=True) if repeated else contribution
    return total.reshape(shape) if extra else total

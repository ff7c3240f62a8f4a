"""Indexing: read entries of an array at any NumPy index, and write entries into an array."""

from math import prod

import numpy as np

from tensorgrad.arrays.axes import one_axis, shape_of
from tensorgrad.arrays.floats import ARRAY
from tensorgrad.calling import kept_option
from tensorgrad.errors.errors import refuse_tensor_as_index
from tensorgrad.kernels.blocks import SPENT
from tensorgrad.kernels.scatter import (
    Distinct,
    Grid,
    Parts,
    Scattered,
    add_at,
    entries_at,
    may_repeat,
    places_at,
    shape_at,
    slices_at,
    with_ellipsis,
    zeros_with,
)
from tensorgrad.public import Array, Option, method
from tensorgrad.rule import Fast, rule
from tensorgrad.rules.variadic import VariadicRule
from tensorgrad.vjp import added_as, vjp

__all__ = ["getitem", "index_put", "narrow", "select"]

ALL = slice(None)


def getitem_parts(G, x_shape, index):
    return Parts(G, x_shape, index, one_variable)


@added_as(Scattered, getitem_parts)
def getitem_vjp(G, x_shape, index):
    """dz/dx = zeros, with dz/dy added at the index"""
    return scatter_into_zeros(G, x_shape, index)


@rule(getitem_vjp)
def getitem(x, index):
    """Return x[index], for any index that NumPy accepts: integers, slices, `...`, None, integer arrays, masks, or a mixture.

    In formulas, for a list of positions:
        y[k] = x[index[k]]
        dz/dx[i] = Σ over k where index[k] = i: dz/dy[k]

    The gradient of an entry that is read several times is the sum over all readings. Raises IndexError outside of x.

    >>> from tensorgrad import Tensor
    >>> x = Tensor([1.0, 2.0, 3.0]); x[[0, 0, 2]].sum().backward(); x.grad
    array([2., 0., 1.])
    """
    try:
        last = index[-1] if isinstance(index, tuple) and index else index
        if type(last) is not ARRAY or not x.size:
            return x[index]
        axis = None if type(index) is Grid or type(index) is Distinct else axis_of_list(index)
        return entries_at(x, index) if axis is None else slices_at(x, last, axis)
    except (TypeError, IndexError):
        for part in index if isinstance(index, tuple) else (index,):
            refuse_tensor_as_index("getitem", part)
        raise


def axis_of_list(index):
    """Return the axis along which x.take reads the same as x[..., array], in half the time or less; None if there is none."""
    *before, last = index if type(index) is tuple else (index,)
    if last.dtype.kind != "i":
        return None
    for entry in before:
        if type(entry) is not slice or entry != ALL:
            return None
    return len(before)


@rule(vjp("dz/dx = dz/dy[index]", lambda G, index: G[with_ellipsis(index)]))
def scatter_into_zeros(x, shape, index):
    """Return zeros of `shape` with the entries of x added at `index`. It is the vjp of y[index]."""
    return zeros_with(x, shape, index)


def scattered_sum_vjp(G, slot, indices):
    """dz/dxᵢ = dz/dy[index of xᵢ]"""
    return G[with_ellipsis(indices[slot])]


def add_scattered(*xs, shape=(), indices=()):
    """Return zeros of `shape` with each array added at its index. It is what y[i], y[j], ... pass to y."""
    whole = np.zeros(shape, common_dtype(*xs))
    for x, index in zip(xs, indices):
        add_at(whole, index, x)
    return whole


scattered_sum = VariadicRule(add_scattered, scattered_sum_vjp, name="scattered_sum")


def one_variable(tensors, shape, indices):
    """Return the sum of tensors at their indices as one variable. (A sum of them in pairs would make an array of `shape` for each.)"""
    if len(tensors) == 1:
        return scatter_into_zeros(tensors[0], shape, indices[0])
    return scattered_sum(*tensors, shape=shape, indices=tuple(indices))


@method
def index_put(x: Array, index: Option, values: Array, accumulate=False):
    """Return a new array: x with `values` written at `index`, or added there with accumulate=True.

    In formulas, for a mask and one number:
        y[i] = values where index[i], else x[i]
        dz/dx[i] = 0 where index[i], else dz/dy[i]

    `index` is any index that NumPy accepts; `values` broadcasts to its shape. If a place is repeated, the last value is
    written, and only that value has a gradient; with `accumulate`, all values are added. Raises IndexError outside of x and
    ValueError if the shapes do not fit.

    >>> from tensorgrad import Tensor
    >>> x = Tensor([1.0, 2.0, 3.0]); index_put(x, x.data > 1, 0.0)
    Tensor([1., 0., 0.])
    """
    return (added_at if accumulate else assigned_at)(x, values, index)


def assigned_at_values_vjp(G, index):
    """dz/dvalues = dz/dy[index], 0 for a value that a later one replaced"""
    if not may_repeat(index):
        return G[with_ellipsis(index)]
    places = np.arange(prod(G.shape)).reshape(G.shape)[index]
    return assigned_at(getitem(G, index), 0.0, ~last_written(places, prod(G.shape)))


def assigned_at_forward(slots, x, values, index):
    y = np.array(x, dtype=common_dtype(x, values), order="C")
    shape = shape_at(y, index)
    values, places = broadcast_values("index_put", values, shape), places_at(y.shape, index)
    if places is None:
        y[with_ellipsis(index)] = values
    else:
        y.reshape(-1)[places] = values.reshape(-1)
    return y, (kept_option(assigned_at, index) if slots and places is None else None, shape, places)


def assigned_at_backward(G, aux, slots):
    """Compute both contributions from the flat positions of the entries, and look for replaced values only if a place is repeated."""
    index, shape, places = aux
    if places is None and 1 in slots and may_repeat(index):
        places = np.arange(G.size).reshape(G.shape)[index].reshape(-1)
    to_x = to_values = None
    if 1 in slots:
        to_values = G[with_ellipsis(index)] if places is None else G.reshape(-1).take(places)
        if places is not None and not are_distinct(places, G.size):
            to_values[~last_written(places, G.size)] = 0
        to_values = to_values.reshape(shape)
    if 0 in slots:  # to_values may be a view of G, but is not one if there are places
        to_x = G if places is not None and G is SPENT.array and G.flags.c_contiguous else np.array(G, order="C")
        if places is None:
            to_x[index] = 0
        else:
            to_x.reshape(-1)[places] = 0
    return [to_values if slot else to_x for slot in slots]


@rule(
    vjp("dz/dx = dz/dy, 0 at the index", lambda G, index: assigned_at(G, 0.0, index)),
    assigned_at_values_vjp,
    fast=Fast(assigned_at_forward, assigned_at_backward, in_place=True),
    name="index_put",
)
def assigned_at(x, values, index):
    """Return x with values assigned at the index."""
    y = np.array(x, dtype=common_dtype(x, values), order="C")
    y[with_ellipsis(index)] = broadcast_values("index_put", values, shape_at(y, index))
    return y


def added_at_values_vjp(G, index):
    """dz/dvalues = dz/dy[index]"""
    return getitem(G, index) if may_repeat(index) else G[with_ellipsis(index)]


@rule(vjp("dz/dx = dz/dy", lambda G: G), added_at_values_vjp, name="index_put_added")
def added_at(x, values, index):
    """Return x with values added at the index."""
    y = np.array(x, dtype=common_dtype(x, values), order="C")
    add_at(y, index, broadcast_values("index_put_added", values, shape_at(y, index)))
    return y


def common_dtype(*xs):
    """Return the dtype of an array that holds entries of all; integers next to floats take the dtype of the floats."""
    kinds = {a.dtype if type(a) is ARRAY else None for a in xs}
    if len(kinds) == 1 and None not in kinds:
        return xs[0].dtype
    kinds = {np.asarray(a).dtype for a in xs if type(a) is np.ndarray} or {np.asarray(xs[0]).dtype}
    floats = [k for k in kinds if k.kind == "f"]
    return np.result_type(*(kinds if any(k.kind == "O" for k in kinds) else floats or kinds))


def broadcast_values(name, values, shape):
    """Return the values broadcast to `shape`; raise ValueError if they do not fit."""
    if type(values) is ARRAY and values.shape == shape:
        return values
    try:
        return np.broadcast_to(values, shape)
    except ValueError:
        raise ValueError(f"{name}: values of shape {np.shape(values)} do not fit the shape {shape} that the index selects") from None


def are_distinct(places, size):
    """Return whether each of `size` places is named at most once."""
    named = np.zeros(size, bool)
    named[places] = True
    return np.count_nonzero(named) == places.size


def last_written(places, size):
    """Return whether each value remains after all are written in turn, each to its place among `size`: no later one replaced it."""
    number, owner = np.arange(places.size).reshape(places.shape), np.empty(size, int)
    owner[places] = number
    return owner[places] == number


@method
def narrow(x: Array, axis: Option, start: Option, length: Option):
    """Return `length` entries from `start` on along an axis. Raises IndexError if they do not lie within x.

    In formulas:
        y[i] = x[start + i]
        dz/dx[start + i] = dz/dy[i], and 0 elsewhere

    >>> narrow([1, 2, 3, 4], 0, 1, 2)
    array([2., 3.])
    """
    axis, n = axis_and_length("narrow", x, axis)
    first = start + n if start < 0 else start
    if not (first >= 0 and length >= 0 and first + length <= n):
        raise IndexError(f"narrow: start={start}, length={length} does not lie within axis {axis} of length {n}")
    return getitem(x, (slice(None),) * axis + (slice(first, first + length),))


@method
def select(x: Array, axis: Option, index: Option):
    """Return the slice at one position of an axis; it lacks that axis. Raises IndexError outside of x.

    In formulas, for axis=1 of a matrix:
        y[i] = x[i,index]
        dz/dx[i,index] = dz/dy[i], and 0 elsewhere

    >>> select([[1, 2], [3, 4]], 1, -1)
    array([2., 4.])
    """
    axis, n = axis_and_length("select", x, axis)
    if not -n <= index < n:
        raise IndexError(f"select: index {index} is outside axis {axis}, of length {n}; use {-n} to {n - 1}")
    return getitem(x, (slice(None),) * axis + (index,))


def axis_and_length(name, x, axis):
    """Return an axis of x, counted from the first, and its length."""
    shape = shape_of(x)
    axis = one_axis(name, axis, shape)
    return axis, shape[axis]

"""Join, split, turn and reshape arrays under NumPy's names, by composing concatenate, split, flip and reshape."""

import numpy as np

from tensorgrad.arrays.axes import one_axis, shape_of
from tensorgrad.errors.calls import must_be_feasible
from tensorgrad.public import Array, Arrays, Option, method, public
from tensorgrad.rules.indexing import getitem
from tensorgrad.rules.joining import as_list, concatenate, hstack, split
from tensorgrad.rules.moving import flip
from tensorgrad.rules.shapes import moveaxis, reshape, transpose

__all__ = [
    "atleast_1d", "atleast_2d", "atleast_3d", "append", "column_stack", "dstack",
    "array_split", "hsplit", "vsplit", "dsplit", "rot90", "fliplr", "flipud", "rollaxis",
]  # fmt: skip


# At least 1, 2 or 3 axes


def each(function, xs):
    """Return `function` of one array, or a tuple of its results for several."""
    found = tuple([function(x) for x in xs])
    return found[0] if len(found) == 1 else found


@public
def atleast_1d(*xs: Arrays):
    """Return x with at least one axis: a number becomes an array of one entry. Several arrays give a tuple.

    In formulas:
        y[k] = x[k], where k counts the entries in row-major order
        dz/dx[k] = dz/dy[k]

    >>> atleast_1d(3.0), atleast_1d([1, 2])
    (array([3.]), array([1., 2.]))
    """
    return each(lambda x: reshape(x, shape_of(x) or (1,)), xs)


@public
def atleast_2d(*xs: Arrays):
    """Return x with at least two axes: an array of one axis becomes a row. Several arrays give a tuple.

    In formulas:
        y[k] = x[k], where k counts the entries in row-major order
        dz/dx[k] = dz/dy[k]

    >>> atleast_2d([1, 2])
    array([[1., 2.]])
    """
    return each(lambda x: reshape(x, (*[1] * (2 - len(shape_of(x))), *shape_of(x))), xs)


@public
def atleast_3d(*xs: Arrays):
    """Return x with at least three axes. Several arrays give a tuple.

    In formulas:
        y[k] = x[k], where k counts the entries in row-major order
        dz/dx[k] = dz/dy[k]

    Shape (n,) becomes (1, n, 1); shape (m, n) becomes (m, n, 1).

    >>> atleast_3d([1, 2]).shape
    (1, 2, 1)
    """
    return each(lambda x: reshape(x, (*[1] * (2 - len(shape_of(x))), *shape_of(x), *[1] * (len(shape_of(x)) < 3))), xs)


# Joining


@public
def append(x: Array, values: Array, axis=None):
    """Return x followed by `values` along an axis; without an axis, both are flattened first.

    In formulas, for an x of n entries:
        y[i] = x[i] where i < n, else values[i - n]
        dz/dx[i] = dz/dy[i]
        dz/dvalues[i] = dz/dy[n + i]

    Raises ValueError if the lengths along the other axes differ.

    >>> append([1, 2], [[3], [4]])
    array([1., 2., 3., 4.])
    """
    if axis is not None:
        one_axis("append", axis, x.shape)
    return concatenate([x, values], axis)


@public
def column_stack(xs: Arrays):
    """Return a matrix with the given vectors as columns; a matrix contributes all of its columns.

    In formulas, for vectors:
        y[i,k] = xs[k][i]

    In the backward pass:
        dz/dxs[k][i] = dz/dy[i,k]

    Raises ValueError if the numbers of rows differ.

    >>> column_stack([[1, 2], [3, 4]])
    array([[1., 3.],
           [2., 4.]])
    """
    return hstack([x if len(shape_of(x)) > 1 else reshape(x, (-1, 1)) for x in as_list("column_stack", xs)])


@public
def dstack(xs: Arrays):
    """Return the arrays joined along their third axis; `atleast_3d` adds missing axes first.

    In formulas, for vectors:
        y[0,i,k] = xs[k][i]

    In the backward pass:
        dz/dxs[k][i] = dz/dy[0,i,k]

    >>> dstack([[1, 2], [3, 4]])
    array([[[1., 3.],
            [2., 4.]]])
    """
    return concatenate([atleast_3d(x) for x in as_list("dstack", xs)], 2)


# Splitting


@public
def array_split(x: Array, indices_or_sections: Option, axis=0):
    """Return a list of consecutive parts of x along an axis, of almost equal lengths.

    In formulas, for part k, which starts at c[k]:
        y[k][i] = x[c[k] + i]
        dz/dx[c[k] + i] = dz/dy[k][i]

    If the number of parts does not divide the length, the first parts are longer by one; `split` raises an error then. A list
    gives the positions of the cuts. Raises ValueError for less than one part. PyTorch's name is tensor_split.

    >>> array_split(np.arange(5), 3)
    [array([0., 1.]), array([2., 3.]), array([4.])]
    """
    axis = one_axis("array_split", axis, x.shape)
    parts = indices_or_sections
    if not isinstance(parts, int | np.integer):
        return split(x, parts, axis)
    if parts < 1:
        raise ValueError(f"array_split: indices_or_sections={parts} is not positive; give at least one part")
    must_be_feasible("array_split", "indices_or_sections", parts)
    n = x.shape[axis]
    return split(x, [i * (n // parts) + min(i, n % parts) for i in range(1, parts)], axis)


@method
def hsplit(x: Array, indices_or_sections: Option):
    """Return a list of parts of x along axis 1, or along its only axis. It undoes `hstack`; see `split`.

    In formulas, for part k of a vector, which starts at c[k]:
        y[k][i] = x[c[k] + i]
        dz/dx[c[k] + i] = dz/dy[k][i]

    >>> hsplit(np.arange(4), 2)
    [array([0., 1.]), array([2., 3.])]
    """
    return split_along("hsplit", x, indices_or_sections, min(1, x.ndim - 1))


@method
def vsplit(x: Array, indices_or_sections: Option):
    """Return a list of parts of x along axis 0. It undoes `vstack`; see `split`.

    In formulas, for part k, which starts at c[k]:
        y[k][i,j] = x[c[k] + i,j]
        dz/dx[c[k] + i,j] = dz/dy[k][i,j]

    Raises ValueError if x has fewer than two axes.

    >>> vsplit([[1, 2], [3, 4]], 2)
    [array([[1., 2.]]), array([[3., 4.]])]
    """
    return split_along("vsplit", x, indices_or_sections, 0, least=2)


@method
def dsplit(x: Array, indices_or_sections: Option):
    """Return a list of parts of x along axis 2. It undoes `dstack`; see `split`.

    In formulas, for part k, which starts at c[k]:
        y[k][i,j,l] = x[i,j,c[k] + l]
        dz/dx[i,j,c[k] + l] = dz/dy[k][i,j,l]

    Raises ValueError if x has fewer than three axes.

    >>> [part.shape for part in dsplit(np.zeros((2, 3, 4)), [1])]
    [(2, 3, 1), (2, 3, 3)]
    """
    return split_along("dsplit", x, indices_or_sections, 2, least=3)


def split_along(name, x, indices_or_sections, axis, least=1):
    must_have_axes(name, x, least)
    return split(x, indices_or_sections, axis)


def must_have_axes(name, x, least):
    """Raise ValueError if x has fewer than `least` axes."""
    if len(shape_of(x)) < least:
        raise ValueError(f"{name}: x has shape {np.shape(x)}; at least {least} {'axes are' if least > 1 else 'axis is'} needed")


# Turning


@method
def rot90(x: Array, k=1, axes=(0, 1)):
    """Return x rotated k times by 90° in the plane of two axes, from the first axis towards the second.

    In formulas, for k = 1 and n columns:
        y[i,j] = x[j,n - 1 - i]

    In the backward pass:
        dz/dx[j,n - 1 - i] = dz/dy[i,j]

    Raises ValueError if the two axes are the same.

    >>> rot90([[1, 2], [3, 4]])
    array([[2., 4.],
           [1., 3.]])
    """
    shape = x.shape
    if not isinstance(axes, tuple | list) or len(axes) != 2:
        raise ValueError(f"rot90: axes={axes} is not a plane; give two axes")
    a, b = [one_axis("rot90", axis, shape) for axis in axes]
    if a == b:
        raise ValueError(f"rot90: axes={axes} is one axis of shape {shape} twice; give two different axes")
    order = list(range(len(shape)))
    order[a], order[b] = b, a
    if k % 2:
        return transpose(flip(x, b), tuple(order)) if k % 4 == 1 else flip(transpose(x, tuple(order)), b)
    return flip(x, (a, b)) if k % 4 else getitem(x, ...)


@method
def fliplr(x: Array):
    """Return x with axis 1 reversed: the columns from right to left. Raises ValueError for fewer than two axes.

    In formulas, for n columns:
        y[i,j] = x[i,n - 1 - j]
        dz/dx[i,j] = dz/dy[i,n - 1 - j]

    >>> fliplr([[1, 2], [3, 4]])
    array([[2., 1.],
           [4., 3.]])
    """
    must_have_axes("fliplr", x, 2)
    return flip(x, 1)


@method
def flipud(x: Array):
    """Return x with axis 0 reversed: the rows from bottom to top. Raises ValueError for a 0-d array.

    In formulas, for n rows:
        y[i,j] = x[n - 1 - i,j]
        dz/dx[i,j] = dz/dy[n - 1 - i,j]

    >>> flipud([[1, 2], [3, 4]])
    array([[3., 4.],
           [1., 2.]])
    """
    must_have_axes("flipud", x, 1)
    return flip(x, 0)


@public
def rollaxis(x: Array, axis: Option, start=0):
    """Return x with one axis moved before the axis `start`; the other axes keep their order.

    In formulas, for axis 2 moved to the start:
        y[k,i,j] = x[i,j,k]
        dz/dx[i,j,k] = dz/dy[k,i,j]

    `moveaxis` is clearer.

    >>> rollaxis(np.zeros((2, 3, 4)), 2).shape
    (4, 2, 3)
    """
    shape = x.shape
    axis = one_axis("rollaxis", axis, shape)
    if not -len(shape) <= start <= len(shape):
        raise ValueError(f"rollaxis: start={start} is out of range for shape {shape}; use {-len(shape)} to {len(shape)}")
    start = start + len(shape) if start < 0 else start
    return moveaxis(x, axis, start - (axis < start))

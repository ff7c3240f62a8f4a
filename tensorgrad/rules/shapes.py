"""Functions that change the shape or the order of the axes, but no entry."""

from math import prod

import numpy as np

from tensorgrad.arrays.axes import axes_of, new_axes, one_axis
from tensorgrad.errors.errors import must_repeat, not_a_matrix
from tensorgrad.public import Array, Option, alias, method, public, shape_method
from tensorgrad.rule import rule
from tensorgrad.vjp import vjp

__all__ = [
    "reshape", "view", "ravel", "flatten", "unflatten", "squeeze", "unsqueeze", "expand_dims",
    "broadcast_to", "expand",
    "transpose", "permute", "swapaxes", "moveaxis", "movedim", "matrix_transpose",
]  # fmt: skip


# The same entries in another shape


@shape_method
@rule(vjp("dz/dx = dz/dy in the shape of x", lambda G, x_shape: G.reshape(x_shape)))
def reshape(x, shape):
    """Return the same entries, in row-major order, in another shape. Also called view.

    In formulas:
        y[k] = x[k], where k counts the entries in row-major order
        dz/dx[k] = dz/dy[k]

    One length may be -1; it is computed from the others. Raises ValueError if the lengths do not multiply to the number of
    entries.

    >>> reshape(np.arange(6), (2, -1))
    array([[0., 1., 2.],
           [3., 4., 5.]])
    """
    try:
        y = x.reshape(shape)
        if y.shape != shape and min(shape if isinstance(shape, tuple | list) else (shape,)) < -1:
            raise ValueError  # NumPy accepts any negative length as -1
        return y
    except ValueError:
        raise ValueError(
            f"reshape: shape {np.shape(x)} has {np.size(x)} entries, which do not fill shape {shape}; "
            f"use lengths whose product is {np.size(x)}"
        ) from None


view = reshape.under("view")


@method
def ravel(x: Array):
    """Return all entries in row-major order along one axis.

    In formulas:
        y[k] = x[k], where k counts the entries in row-major order
        dz/dx[k] = dz/dy[k]

    >>> ravel([[1, 2], [3, 4]])
    array([1., 2., 3., 4.])
    """
    return reshape(x, -1)


@method
def flatten(x: Array, start_dim=0, end_dim=-1):
    """Return x with the axes from `start_dim` to `end_dim` joined into one; by default all axes.

    In formulas:
        y[k] = x[k], where k counts the entries in row-major order
        dz/dx[k] = dz/dy[k]

    Raises ValueError if start_dim is after end_dim.

    >>> flatten(np.zeros((2, 3, 4)), 1).shape
    (2, 12)
    """
    shape = x.shape
    if not shape:
        return reshape(x, 1)
    first, last = one_axis("flatten", start_dim, shape), one_axis("flatten", end_dim, shape)
    if first > last:
        raise ValueError(f"flatten: start_dim={start_dim} is after end_dim={end_dim} in shape {shape}; exchange them")
    return reshape(x, (*shape[:first], prod(shape[first : last + 1]), *shape[last + 1 :]))


@method
def unflatten(x: Array, axis: Option, sizes: Option):
    """Return x with one axis split into axes of lengths `sizes`; one of them may be -1.

    In formulas:
        y[k] = x[k], where k counts the entries in row-major order
        dz/dx[k] = dz/dy[k]

    Raises ValueError if the sizes do not multiply to the length of the axis.

    >>> unflatten(np.zeros((2, 12)), 1, (3, -1)).shape
    (2, 3, 4)
    """
    shape = x.shape
    axis = one_axis("unflatten", axis, shape)
    rest = prod([n for n in sizes if n != -1])
    sizes = [n if n != -1 else shape[axis] // max(rest, 1) for n in sizes]
    if prod(sizes) != shape[axis]:
        raise ValueError(f"unflatten: lengths {tuple(sizes)} do not multiply to {shape[axis]}, the length of axis {axis} of shape {shape}")
    return reshape(x, (*shape[:axis], *sizes, *shape[axis + 1 :]))


@method
def squeeze(x: Array, axis=None):
    """Return x without its axes of length 1, or without the named ones.

    In formulas:
        y[k] = x[k], where k counts the entries in row-major order
        dz/dx[k] = dz/dy[k]

    Raises ValueError if a named axis has another length.

    >>> squeeze([[[1], [2]]]), squeeze([[[1], [2]]], 0).shape
    (array([1., 2.]), (2, 1))
    """
    shape = x.shape
    gone = [a for a, n in enumerate(shape) if n == 1] if axis is None else axes_of("squeeze", axis, shape)
    for a in gone:
        if shape[a] != 1:
            raise ValueError(f"squeeze: axis {a} of shape {shape} has length {shape[a]}; only axes of length 1 can be removed")
    return reshape(x, tuple([n for a, n in enumerate(shape) if a not in gone]))


@method
def expand_dims(x: Array, axis: Option):
    """Return x with new axes of length 1 at the positions `axis` (one or several) of the result. Also called unsqueeze.

    In formulas:
        y[k] = x[k], where k counts the entries in row-major order

    In the backward pass:
        dz/dx[k] = dz/dy[k]

    >>> expand_dims([1, 2], -1)
    array([[1.],
           [2.]])
    """
    old = x.shape
    places = new_axes("expand_dims", axis, old)
    lengths = iter(old)
    return reshape(x, tuple([1 if a in places else next(lengths) for a in range(len(old) + len(places))]))


unsqueeze = alias("unsqueeze", expand_dims)


# Copies along axes


@shape_method
@rule(vjp("dz/dx = dz/dy, summed over the copies", lambda G: G))  # the backward loop unbroadcasts every contribution
def broadcast_to(x, shape):
    """Return x repeated along new axes and along axes of length 1, up to `shape`.

    In formulas, for one column:
        y[i,j] = x[i,0]
        dz/dx[i,0] = Σ over j: dz/dy[i,j]

    Raises ValueError if the shapes do not fit.

    >>> broadcast_to([[1], [2]], (2, 3))
    array([[1., 1., 1.],
           [2., 2., 2.]])
    """
    try:
        return np.broadcast_to(x, shape)
    except ValueError:
        must_repeat("broadcast_to", "x", np.shape(x), tuple(np.atleast_1d(shape).tolist()))
        raise


@shape_method
def expand(x: Array, shape: Option):
    """Return x repeated along new axes and along axes of length 1, up to `shape`; -1 keeps the length of an axis.

    In formulas, for one column:
        y[i,j] = x[i,0]
        dz/dx[i,0] = Σ over j: dz/dy[i,j]

    Raises ValueError if the shapes do not fit.

    >>> expand([[1], [2]], (-1, 3)).shape
    (2, 3)
    """
    old = x.shape
    shape = (shape,) if isinstance(shape, int) else tuple(shape)
    new = len(shape) - len(old)
    if new < 0 or -1 in shape[:new]:
        raise ValueError(f"expand: shape {old} cannot be expanded to {shape}; -1 keeps the length of an axis that x has")
    return broadcast_to(x, tuple([old[a - new] if n == -1 else n for a, n in enumerate(shape)]))


# Another order of axes


def transpose_vjp(G, axes):
    """dz/dx = dz/dy with its axes put back"""
    if axes is None:
        return G.transpose()
    places = [0] * len(axes)
    for place, a in enumerate(axes):
        places[a] = place
    return G.transpose(tuple(places))


@shape_method
@rule(transpose_vjp)
def transpose(x, axes=None):
    """Return x with its axes reversed, or in the order `axes`, as in NumPy; `swapaxes` exchanges two.

    In formulas, for axes=(1, 0, 2):
        y[j,i,k] = x[i,j,k]
        dz/dx[i,j,k] = dz/dy[j,i,k]

    Raises ValueError unless `axes` lists each axis once.

    >>> transpose(np.zeros((2, 3, 4)), (1, 0, 2)).shape
    (3, 2, 4)
    """
    try:
        return x.transpose(axes)
    except ValueError:
        raise ValueError(
            f"transpose: axes={axes} is not an order of the axes of shape {np.shape(x)}; list each of them once, or use swapaxes"
        ) from None


@shape_method
def permute(x: Array, axes: Option):
    """Return x with its axes in the order `axes`.

    In formulas, for axes=(2, 0, 1):
        y[k,i,j] = x[i,j,k]
        dz/dx[i,j,k] = dz/dy[k,i,j]

    >>> permute(np.zeros((2, 3, 4)), (2, 0, 1)).shape
    (4, 2, 3)
    """
    return transpose(x, tuple(axes) if hasattr(axes, "__iter__") else (axes,))


def swapaxes_vjp(G, axis1, axis2):
    """dz/dx = dz/dy with the two axes swapped back"""
    return G.swapaxes(axis1, axis2) if G.shape else G


@method
@rule(swapaxes_vjp)
def swapaxes(x, axis1, axis2):
    """Return x with two axes exchanged. A 0-d array has the axes 0 and -1 and stays as it is, as in PyTorch.

    In formulas, for the axes 0 and 2 of three:
        y[k,j,i] = x[i,j,k]
        dz/dx[i,j,k] = dz/dy[k,j,i]

    >>> swapaxes(np.zeros((2, 3, 4)), 0, -1).shape
    (4, 3, 2)
    """
    try:
        return x.swapaxes(axis1, axis2)
    except (TypeError, ValueError):  # a 0-d array, or an error in our words
        found = [axes_of("swapaxes", (axis,), x.shape) for axis in (axis1, axis2)]
        return x[...] if found == [(), ()] else x.swapaxes(*found[0], *found[1])


@method
def moveaxis(x: Array, source: Option, destination: Option):
    """Return x with axes (one or several) moved to other positions; the other axes keep their order. Also called movedim.

    In formulas, for axis 0 moved to the end:
        y[j,k,i] = x[i,j,k]

    In the backward pass:
        dz/dx[i,j,k] = dz/dy[j,k,i]

    Raises ValueError unless there are as many destinations as sources.

    >>> moveaxis(np.zeros((2, 3, 4)), 0, -1).shape
    (3, 4, 2)
    """
    shape = x.shape
    take, put = axes_of("moveaxis", source, shape), axes_of("moveaxis", destination, shape)
    if len(take) != len(put):
        raise ValueError(f"moveaxis: source={source} names {len(take)} axes and destination={destination} names {len(put)}; name as many")
    order = [a for a in range(len(shape)) if a not in take]
    for place, a in sorted(zip(put, take)):
        order.insert(place, a)
    return transpose(x, tuple(order))


movedim = alias("movedim", moveaxis)


@public
def matrix_transpose(x: Array):
    """Return x with its last two axes exchanged: each matrix of a stack transposed. Also the property mT.

    In formulas, for each matrix:
        y[j,i] = x[i,j]
        dz/dx[i,j] = dz/dy[j,i]

    Raises ValueError for fewer than two axes.

    >>> matrix_transpose(np.zeros((5, 2, 3))).shape
    (5, 3, 2)
    """
    if x.ndim < 2:
        raise not_a_matrix("matrix_transpose", x.shape)
    return swapaxes(x, -1, -2)

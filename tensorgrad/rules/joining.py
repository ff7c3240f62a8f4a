"""Functions that join arrays along an axis and split them."""

from itertools import accumulate
from math import prod

import numpy as np

from tensorgrad.arrays.axes import new_axes, one_axis, shape_of
from tensorgrad.arrays.floats import ARRAY
from tensorgrad.errors.calls import must_be_feasible
from tensorgrad.numpy_dispatch import numpy
from tensorgrad.public import Array, Arrays, Option, alias, method, public
from tensorgrad.rules.indexing import getitem
from tensorgrad.rules.shapes import reshape
from tensorgrad.rules.variadic import VariadicRule

__all__ = ["concatenate", "cat", "stack", "hstack", "vstack", "split", "chunk", "unbind"]


def slice_index(axis, start, stop):
    """Return the index of a part along an axis: x[:, start:stop] for axis 1."""
    return (slice(None),) * axis + (slice(start, stop),)


def joined_vjp(G, slot, xs_shapes, starts, axis):
    """dz/dxᵢ = the part of dz/dy that came from xᵢ"""
    return G[slice_index((axis or 0) % len(G.shape), *starts[slot : slot + 2])].reshape(xs_shapes[slot])


def starts_along(xs_shapes, axis):
    """Return where each array starts in the result, and where the last one ends."""
    return [0, *accumulate(prod(shape) if axis is None else shape[axis] for shape in xs_shapes)]


def concatenate_arrays(*xs, axis=0):
    """Return the arrays one after the other along an axis."""
    return np.concatenate(with_common_dtype(xs), axis)


def with_common_dtype(xs):
    """Convert integer arrays next to floats to the dtype of the floats, so that they do not widen float32."""
    if len({x.dtype if type(x) is ARRAY else None for x in xs}) == 1:
        return xs
    floats = [x.dtype for x in xs if np.ndim(x) and x.dtype.kind == "f"]
    if not floats or any(x.dtype.kind == "O" for x in xs if np.ndim(x)):
        return xs
    return [x.astype(np.result_type(*floats)) if np.ndim(x) and x.dtype.kind in "iub" else x for x in xs]


joined = VariadicRule(concatenate_arrays, joined_vjp, name="concatenate", shared={"starts": starts_along})


@public
def concatenate(xs: Arrays, axis=0):
    """Return the arrays joined along an existing axis; axis=None flattens them first. Also called cat.

    In formulas, for two arrays, the first with m entries along the axis:
        y[i] = xs[0][i] where i < m, else xs[1][i - m]

    In the backward pass:
        dz/dxs[0][i] = dz/dy[i]
        dz/dxs[1][i] = dz/dy[m + i]

    An array of shape (0,) fits any other, as in PyTorch. Raises ValueError if lengths along another axis differ.

    >>> concatenate([[[1, 2]], [[3, 4], [5, 6]]])
    array([[1., 2.],
           [3., 4.],
           [5., 6.]])
    """
    xs = as_list("concatenate", xs)
    shapes = [*map(shape_of, xs)]
    if axis is not None:
        if () in shapes:
            raise ValueError("concatenate: 0-d arrays have no axis to join along; use stack")
        like = next(filter((0,).__ne__, shapes), (0,))
        axis = one_axis("concatenate", axis, like)
        if len(like) > 1 and (0,) in shapes:
            nothing = (*like[:axis], 0, *like[axis + 1 :])
            xs = [reshape(x, nothing) if shape == (0,) else x for x, shape in zip(xs, shapes)]
            shapes = [nothing if shape == (0,) else shape for shape in shapes]
        for shape in shapes[1:]:
            if len(shape) != len(shapes[0]) or shape[:axis] + shape[axis + 1 :] != shapes[0][:axis] + shapes[0][axis + 1 :]:
                raise ValueError(f"concatenate: shapes {shapes[0]} and {shape} do not fit; only their lengths along axis {axis} may differ")
    return joined(*xs, axis=axis)


cat = alias("cat", concatenate)


def stacked_vjp(G, slot, axis):
    """dz/dxᵢ = the slice of dz/dy that came from xᵢ"""
    return G[(slice(None),) * (axis % len(G.shape)) + (slot, ...)]


def stack_arrays(*xs, axis=0):
    """Return the arrays joined along a new axis."""
    return np.stack(with_common_dtype(xs), axis)


stacked = VariadicRule(stack_arrays, stacked_vjp, name="stack")


@public
def stack(xs: Arrays, axis=0):
    """Return arrays of one shape joined along a new axis, at the position `axis` of the result.

    In formulas, for vectors and axis=1:
        y[i,k] = xs[k][i]
        dz/dxs[k][i] = dz/dy[i,k]

    Raises ValueError if the shapes differ.

    >>> stack([[1, 2], [3, 4]], axis=1)
    array([[1., 3.],
           [2., 4.]])
    """
    xs = as_list("stack", xs)
    shapes = [*map(shape_of, xs)]
    for shape in shapes[1:]:
        if shape != shapes[0]:
            raise ValueError(f"stack: shapes {shapes[0]} and {shape} differ; give equal shapes, or use concatenate")
    (axis,) = new_axes("stack", (axis,), shapes[0])
    return stacked(*xs, axis=axis)


def as_list(name, xs):
    """Return the arrays as a list; raise ValueError if it is empty."""
    xs = list(xs)
    if not xs:
        raise ValueError(f"{name}: the list is empty; give at least one array")
    return xs


@public
def hstack(xs: Arrays):
    """Return the arrays joined along axis 1, or along axis 0 if they have one axis. A number counts as an array of one entry.

    In formulas, for two vectors, the first with m entries:
        y[i] = xs[0][i] where i < m, else xs[1][i - m]
        dz/dxs[0][i] = dz/dy[i]
        dz/dxs[1][i] = dz/dy[m + i]

    >>> hstack([[1, 2], [3]])
    array([1., 2., 3.])
    """
    xs = [x if shape_of(x) else reshape(x, 1) for x in as_list("hstack", xs)]
    return concatenate(xs, 0 if len(shape_of(xs[0])) == 1 else 1)


@public
def vstack(xs: Arrays):
    """Return the arrays joined along axis 0. An array of one axis counts as a row.

    In formulas, for vectors:
        y[k,i] = xs[k][i]

    In the backward pass:
        dz/dxs[k][i] = dz/dy[k,i]

    >>> vstack([[1, 2], [3, 4]])
    array([[1., 2.],
           [3., 4.]])
    """
    return concatenate([x if len(shape_of(x)) > 1 else reshape(x, (1, -1)) for x in as_list("vstack", xs)], 0)


@method
def split(x: Array, indices_or_sections: Option, axis=0):
    """Return a list of consecutive parts of x along an axis, as NumPy's split does.

    In formulas, for part k, which starts at c[k]:
        y[k][i] = x[c[k] + i]
        dz/dx[c[k] + i] = dz/dy[k][i]

    An integer gives the number of equal parts; a list gives the positions of the cuts. Raises ValueError if the number does not
    divide the length; `chunk` accepts any number.

    >>> split(np.arange(6), [1, 4])
    [array([0.]), array([1., 2., 3.]), array([4., 5.])]
    """
    axis = one_axis("split", axis, x.shape)
    n = x.shape[axis]
    if isinstance(indices_or_sections, int | np.integer):
        if indices_or_sections < 1 or n % indices_or_sections:
            raise ValueError(f"split: {n} entries along axis {axis} do not make {indices_or_sections} equal parts; use array_split")
        must_be_feasible("split", "indices_or_sections", indices_or_sections)
        step = n // indices_or_sections
        cuts = [step * i for i in range(1, indices_or_sections)]
    else:
        cuts = list(indices_or_sections)
    return [getitem(x, slice_index(axis, start, stop)) for start, stop in zip([0, *cuts], [*cuts, n])]


@method
def chunk(x: Array, chunks: Option, axis=0):
    """Return a list of at most `chunks` consecutive parts of equal length along an axis; the last part may be shorter.

    In formulas, for part k, which starts at c[k]:
        y[k][i] = x[c[k] + i]
        dz/dx[c[k] + i] = dz/dy[k][i]

    >>> chunk(np.arange(5), 3)
    [array([0., 1.]), array([2., 3.]), array([4.])]
    """
    axis = one_axis("chunk", axis, x.shape)
    if chunks < 1:
        raise ValueError(f"chunk: chunks={chunks} is not positive")
    n = x.shape[axis]
    length = max(-(-n // chunks), 1)
    return [getitem(x, slice_index(axis, start, min(start + length, n))) for start in range(0, max(n, 1), length)]


@method
def unbind(x: Array, axis=0):
    """Return a list of the slices along an axis; they lack that axis.

    In formulas, for axis=1:
        y[k][i] = x[i,k]
        dz/dx[i,k] = dz/dy[k][i]

    >>> unbind([[1, 2], [3, 4]], axis=1)
    [array([1., 3.]), array([2., 4.])]
    """
    axis = one_axis("unbind", axis, x.shape)
    before = (slice(None),) * axis
    return [getitem.applied((x,), ((*before, i),)) for i in range(x.shape[axis])]


if hasattr(np, "unstack"):
    numpy(np.unstack)(lambda x, axis=0: tuple(unbind(x, axis)))

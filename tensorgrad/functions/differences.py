"""Differences of neighbours along an axis, and slopes computed from them: diff and gradient."""

import numpy as np

from scalargrad.messages.errors import must_be_one_of
from tensorgrad.arrays.axes import axes_of, one_axis, shape_of
from tensorgrad.public import Array, Option, identity, method, public
from tensorgrad.rules.elementwise import add, div, mul, sub
from tensorgrad.rules.indexing import getitem
from tensorgrad.rules.joining import concatenate
from tensorgrad.rules.shapes import broadcast_to, reshape
from tensorgrad.tensor import Tensor, array_of

__all__ = ["diff", "gradient"]


def slice_along(x, axis, start, stop):
    return getitem(x, (slice(None),) * axis + (slice(start, stop),))


@method
def diff(x: Array, n=1, axis=-1, prepend=None, append=None):
    """Return x[i + 1] - x[i] along an axis; repeat this n times.

    In formulas:
        y[i] = x[i+1] - x[i]
        dz/dx[i] = dz/dy[i-1] - dz/dy[i]; a term that is not there is 0

    Each repetition shortens the axis by one. `prepend` and `append` are joined to x first, unless n is 0; each is a number, or an
    array that fits along the other axes. Raises ValueError for n < 0 and for a 0-d array.

    >>> diff([1.0, 3.0, 9.0]), diff([1.0, 3.0, 9.0], n=2)
    (array([2., 6.]), array([4.]))
    """
    if n < 0:
        raise ValueError(f"diff: n={n} is negative; use 0 or more")
    if not x.ndim:
        raise ValueError("diff: x is a 0-d array; at least one axis is needed")
    axis = one_axis("diff", axis, x.shape)
    if n == 0:
        return identity(x)
    ends = [end if end is None or np.ndim(end) else one_more_slice(x, axis, end) for end in (prepend, append)]
    if any(end is not None for end in ends):
        x = concatenate([part for part in (ends[0], x, ends[1]) if part is not None], axis)
    for _ in range(min(n, x.shape[axis])):  # after that the axis is empty
        x = sub(slice_along(x, axis, 1, None), slice_along(x, axis, None, -1))
    return x


def one_more_slice(x, axis, number):
    """Return a number, repeated to one more slice of x."""
    shape = shape_of(x)
    return broadcast_to(with_dtype_of(number, x), (*shape[:axis], 1, *shape[axis + 1 :]))


def with_dtype_of(number, x):
    """Return a plain number or array with the dtype of x: float32 stays float32."""
    return number if isinstance(number, Tensor) else np.asarray(number, np.asarray(array_of(x)).dtype)


@public
def gradient(x: Array, *spacing: Option, axis=None, edge_order=1):
    """Return the slope along an axis, or a tuple of slopes along several, from the values x at points: NumPy's gradient.

    At an inner point, it is the slope of the parabola through the point and both neighbours. At the two ends, it is the slope
    of the line through the last two points. The result is differentiable in x and in the spacing. Raises ValueError for an axis
    with too few points and for a spacing that does not fit. For the derivatives dz/dx of a graph, see `grad`.

    In formulas, at inner points of spacing h:
        y[i] = (x[i+1] - x[i-1]) / (2 · h)
        dz/dx[i] = (dz/dy[i-1] - dz/dy[i+1]) / (2 · h)

    - spacing: the distance of neighbours (default 1), or the coordinates of the points; one for all axes, or one per axis
    - edge_order: 2 takes the parabola through the last three points at the ends

    >>> gradient([1.0, 2.0, 4.0, 7.0]), gradient([1.0, 4.0, 9.0], [1.0, 2.0, 3.0], edge_order=2)
    (array([1. , 1.5, 2.5, 3. ]), array([2., 4., 6.]))
    """
    shape = x.shape
    axes = axes_of("gradient", axis, shape)
    if not axes:
        raise ValueError("gradient: x is a 0-d array; at least one axis is needed")
    must_be_one_of("gradient", (1, 2), edge_order=edge_order)
    if len(spacing) not in (0, 1, len(axes)):
        raise ValueError(f"gradient: {len(spacing)} spacings for {len(axes)} axes; give one for each axis, or one for all")
    distances = spacing * len(axes) if len(spacing) == 1 else spacing or [1.0] * len(axes)
    found = [slopes(x, a, h, edge_order) for a, h in zip(axes, distances)]
    return found[0] if len(found) == 1 else tuple(found)


def slopes(x, axis, spacing, edge_order):
    shape, spacing = shape_of(x), with_dtype_of(spacing, x)
    n = shape[axis]
    if n <= edge_order:
        raise ValueError(f"gradient: axis {axis} of shape {shape} has {n} points; at least {edge_order + 1} are needed")
    if np.ndim(spacing) and np.shape(spacing) != (n,):
        raise ValueError(
            f"gradient: the spacing has shape {np.shape(spacing)}; axis {axis} of shape {shape} needs a number or {n} coordinates"
        )
    across = (*[1] * axis, n - 1, *[1] * (len(shape) - 1 - axis))
    h = reshape(diff(spacing), across) if np.ndim(spacing) else broadcast_to(spacing, across)
    line = div(diff(x, axis=axis), h)  # the slope between each two neighbours
    before, after = slice_along(h, axis, None, -1), slice_along(h, axis, 1, None)
    first, last = [slice_along(line, axis, *ends) for ends in ((None, 1), (-1, None))]
    if n == 2:
        return concatenate([first, last], axis)
    turn = div(sub(slice_along(line, axis, 1, None), slice_along(line, axis, None, -1)), add(before, after))  # half the curvature
    inside = add(slice_along(line, axis, None, -1), mul(turn, before))
    if edge_order == 2:
        first = sub(first, mul(slice_along(turn, axis, None, 1), slice_along(before, axis, None, 1)))
        last = add(last, mul(slice_along(turn, axis, -1, None), slice_along(after, axis, -1, None)))
    return concatenate([first, inside, last], axis)

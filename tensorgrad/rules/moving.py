"""Functions that move entries to other places, repeat them or leave some out: flip, roll, repeat, tile, pad, diagonals, triangles."""

import numpy as np

from tensorgrad.axes import axes_of, one_axis
from tensorgrad.public import public
from tensorgrad.rule import rule
from tensorgrad.rules.indexing import getitem, scatter_into_zeros
from tensorgrad.rules.reductions import sum
from tensorgrad.rules.shapes import broadcast_to, moveaxis, reshape

__all__ = ["flip", "roll", "repeat", "tile", "pad", "diagonal", "diag", "trace", "tril", "triu"]
METHODS = ["flip", "roll", "repeat", "pad", "diagonal", "diag", "trace", "tril", "triu"]
SHAPE_METHODS = ["tile"]


def flip_vjp(G, axis):
    """dz/dx = dz/dy, turned round again"""
    return np.flip(G, axis)


@rule(flip_vjp)
def flip(x, axis=None):
    """The entries in reverse order along one axis, several or all.

    >>> flip([[1, 2], [3, 4]], 1)
    array([[2., 1.],
           [4., 3.]])
    """
    return np.flip(x, axes_of("flip", axis, np.shape(x)))


def roll_vjp(G, shift, axis):
    """dz/dx = dz/dy, moved back"""
    return np.roll(G, -np.asarray(shift), axis)


@rule(roll_vjp)
def roll(x, shift, axis=None):
    """The entries moved on by `shift` places along an axis (or several), those that leave at the end back at the start.

    Without an axis all entries are moved in a row.

    >>> roll([1, 2, 3, 4], 1)
    array([4., 1., 2., 3.])
    """
    return np.roll(x, shift, axis)


@public
def repeat(x, repeats, axis=None):
    """Every entry (or slice along an axis) `repeats` times, or each as often as a list says: NumPy's repeat.

    Without an axis x is taken as one row. PyTorch's Tensor.repeat is tile.

    >>> repeat([1, 2], 2), repeat([1, 2], [1, 3])
    (array([1., 1., 2., 2.]), array([1., 2., 2., 2.]))
    """
    if axis is None or not np.ndim(x):  # where axis 0, of one entry, can be meant
        axes_of("repeat", axis, np.shape(x))
        x, axis = reshape(x, -1), 0
    shape = np.shape(x)
    axis = one_axis("repeat", axis, shape)
    before, n, after = shape[:axis], shape[axis], shape[axis + 1 :]
    counts = np.asarray(repeats)
    if counts.dtype.kind not in "iu" or (counts < 0).any() or counts.ndim > 1 or counts.size not in (1, n):
        raise ValueError(f"repeat: repeats={repeats} for axis {axis} of length {n}: one whole number, or one for each of its entries")
    if counts.size == 1:
        m = int(counts.item())
        return reshape(broadcast_to(reshape(x, (*before, n, 1, *after)), (*before, n, m, *after)), (*before, n * m, *after))
    return getitem(x, (slice(None),) * axis + (np.repeat(np.arange(n), counts),))


@public
def tile(x, reps):
    """x laid side by side `reps` times along the last axes, as in NumPy; PyTorch calls it repeat.

    >>> tile([1, 2], (2, 2))
    array([[1., 2., 1., 2.],
           [1., 2., 1., 2.]])
    """
    reps = (reps,) if isinstance(reps, int | np.integer) else tuple(reps)
    if not all(isinstance(times, int | np.integer) and times >= 0 for times in reps):
        raise ValueError(f"tile: reps={reps}: whole numbers from 0 on are needed, one for each axis from the last")
    shape = np.shape(x)
    n = max(len(reps), len(shape))
    reps, shape = (1,) * (n - len(reps)) + reps, (1,) * (n - len(shape)) + shape
    apart = tuple([m for length in shape for m in (1, length)])
    copied = tuple([m for times, length in zip(reps, shape) for m in (times, length)])
    return reshape(broadcast_to(reshape(x, apart), copied), tuple([times * length for times, length in zip(reps, shape)]))


def pad_constant_vjp(G, x_shape, pad_width):
    """dz/dx = dz/dy without the border"""
    return G[interior_of_padded(x_shape, pad_width)]


@rule(pad_constant_vjp)
def pad_constant(x, pad_width, constant_values=0):
    """x with a border of one number: pad."""
    shape = [before + n + after for (before, after), n in zip(pad_width, np.shape(x))]
    y = np.full(shape, constant_values, x.dtype)
    y[interior_of_padded(np.shape(x), pad_width)] = x
    return y


def interior_of_padded(shape, pad_width):
    """The index of what lies within the border."""
    return (*[slice(before, before + n) for (before, _), n in zip(pad_width, shape)], ...)


@public
def pad(x, pad_width, mode="constant", constant_values=0):
    """x with a border: `pad_width` lists (before, after) for each axis; one pair, or one number, holds for all axes.

    mode "constant" fills it with `constant_values`, one number; "reflect" mirrors x at its outermost entries, "symmetric"
    behind them, "edge" repeats them, "wrap" goes on from the other side. This is np.pad (PyTorch lists the widths backwards).
    A negative width cuts entries off, after the other side is filled, as in PyTorch. ValueError if more are cut than there are.

    >>> pad([1, 2, 3], 1), pad([1, 2, 3], (2, -1), mode="reflect")
    (array([0., 1., 2., 3., 0.]), array([3., 2., 1., 2.]))
    """
    shape = np.shape(x)
    widths = pad_widths(pad_width, shape)
    if mode == "constant":
        if np.ndim(constant_values):
            raise ValueError("pad: constant_values is one number here; for several pad twice")
        y = pad_constant(x, tuple([(max(a, 0), max(b, 0)) for a, b in widths]), constant_values)
        cut = tuple([slice_left_by_cut(n, width) for n, width in zip(shape, widths)])
        return y if all(stretch == slice(0, None) for stretch in cut) else getitem(y, cut)
    if mode not in ("reflect", "symmetric", "edge", "wrap"):
        raise ValueError(f"pad: there is no mode {mode!r}; use constant, reflect, symmetric, edge or wrap")
    for axis, (width, n) in enumerate(zip(widths, shape)):
        if width != (0, 0):
            if not n:
                raise ValueError(f"pad: axis {axis} of shape {shape} has no entries to fill a border from")
            places = np.pad(np.arange(n), [max(m, 0) for m in width], mode)
            x = getitem(x, (slice(None),) * axis + (places[slice_left_by_cut(n, width)],))
    return x


def slice_left_by_cut(n, width):
    """What negative widths leave of an axis of n entries to which positive ones have been added."""
    before, after = width
    return slice(max(-before, 0), n + max(before, 0) + after if after < 0 else None)


def pad_widths(pad_width, shape):
    """(before, after) for each axis. ValueError for widths that do not fit the shape, or cut more off than there is."""
    try:
        widths = tuple([(int(a), int(b)) for a, b in np.broadcast_to(np.asarray(pad_width), (len(shape), 2)).tolist()])
    except ValueError:
        raise ValueError(f"pad: pad_width={pad_width} does not fit shape {shape}: give (before, after) for each axis") from None
    for axis, (n, (before, after)) in enumerate(zip(shape, widths)):
        if n + before + after < 0:
            raise ValueError(f"pad: pad_width={pad_width} cuts more off axis {axis} of shape {shape} than its {n} entries")
    return widths


# Diagonals and triangles


@public
def diagonal(x, offset=0, axis1=0, axis2=1):
    """The diagonal of every matrix that two axes span, along a new last axis; `offset` places above the main one.

    >>> diagonal([[1, 2], [3, 4]])
    array([1., 4.])
    """
    shape = np.shape(x)
    if len(shape) < 2:
        raise ValueError(f"diagonal: shape {shape} has no matrix; two axes are needed (diag makes a matrix of a vector)")
    x = moveaxis(x, axes_of("diagonal", (axis1, axis2), shape), (-2, -1))
    return getitem(x, (..., *along_diagonal(*np.shape(x)[-2:], offset)))


def along_diagonal(rows, columns, offset):
    """The row and the column of every entry of a diagonal."""
    first_row, first_column = max(-offset, 0), max(offset, 0)
    steps = np.arange(max(min(rows - first_row, columns - first_column), 0))
    return first_row + steps, first_column + steps


@public
def diag(x, k=0):
    """A vector as the diagonal of a square matrix, or the diagonal of a matrix; `k` places above the main one.

    >>> diag([1, 2]), diag([[1, 2], [3, 4]], 1)
    (array([[1., 0.],
           [0., 2.]]), array([2.]))
    """
    shape = np.shape(x)
    if len(shape) == 2:
        return diagonal(x, k)
    if len(shape) != 1:
        raise ValueError(f"diag: shape {shape} is neither a vector nor a matrix; diagonal takes stacks of matrices")
    n = shape[0] + abs(k)
    return scatter_into_zeros(x, (n, n), along_diagonal(n, n, k))


@public
def trace(x, offset=0, axis1=0, axis2=1):
    """The sum of the diagonal of every matrix that two axes span.

    >>> trace([[1, 2], [3, 4]])
    np.float64(5.0)
    """
    return sum(diagonal(x, offset, axis1, axis2), -1)


def tril_vjp(G, k):
    """dz/dx = the same triangle of dz/dy, and 0 outside"""
    return np.tril(G, k)


@rule(tril_vjp)
def tril(x, k=0):
    """The entries on and below the diagonal that lies `k` places above the main one, and 0 elsewhere, of every matrix.

    >>> tril([[1, 2], [3, 4]])
    array([[1., 0.],
           [3., 4.]])
    """
    return triangle("tril", np.tril, x, k)


def triu_vjp(G, k):
    """dz/dx = the same triangle of dz/dy, and 0 outside"""
    return np.triu(G, k)


@rule(triu_vjp)
def triu(x, k=0):
    """The entries on and above the diagonal that lies `k` places above the main one, and 0 elsewhere, of every matrix.

    >>> triu([[1, 2], [3, 4]])
    array([[1., 2.],
           [0., 4.]])
    """
    return triangle("triu", np.triu, x, k)


def triangle(name, function, x, k):
    if np.ndim(x) < 2:
        raise ValueError(f"{name}: shape {np.shape(x)} is no matrix; two axes are needed")
    return function(x, k)

"""Functions that move, repeat or drop entries: flip, roll, repeat, tile, pad, diagonals and triangles."""

from functools import lru_cache
from math import prod

import numpy as np

from scalargrad.messages.errors import unknown_choice
from tensorgrad.arrays.axes import axes_of, must_be_integer, one_axis, sum_over
from tensorgrad.errors.errors import not_a_matrix
from tensorgrad.kernels.elementwise import BITS
from tensorgrad.kernels.scatter import Distinct
from tensorgrad.numpy_dispatch import numpy
from tensorgrad.public import Array, Option, method, shape_method
from tensorgrad.rule import rule
from tensorgrad.rules.indexing import getitem, scatter_into_zeros
from tensorgrad.rules.reductions import sum
from tensorgrad.rules.shapes import broadcast_to, moveaxis, reshape
from tensorgrad.vjp import vjp

__all__ = ["flip", "roll", "repeat", "tile", "pad", "diagonal", "diag", "trace", "tril", "triu"]

MOST_KEPT = 1 << 17  # entries of a triangle that is kept for the next call


@method
@rule(vjp("dz/dx = dz/dy, flipped back", lambda G, axis: np.flip(G, axis)))
def flip(x, axis=None):
    """Return x with the entries reversed along one axis, several or all.

    In formulas, along an axis of n entries:
        y[i] = x[n - 1 - i]
        dz/dx[i] = dz/dy[n - 1 - i]

    >>> flip([[1, 2], [3, 4]], 1)
    array([[2., 1.],
           [4., 3.]])
    """
    return np.flip(x, axes_of("flip", axis, x.shape))


@method
@rule(vjp("dz/dx = dz/dy, moved back", lambda G, shift, axis: np.roll(G, -np.asarray(shift), axis)))
def roll(x, shift, axis=None):
    """Return x with the entries shifted by `shift` places along an axis or several; those past the end return at the start.

    In formulas, along an axis of n entries:
        y[i] = x[(i - shift) mod n]
        dz/dx[i] = dz/dy[(i + shift) mod n]

    Without an axis, x is flattened for the shift.

    >>> roll([1, 2, 3, 4], 1)
    array([4., 1., 2., 3.])
    """
    return np.roll(x, shift, axis)


@method
def repeat(x: Array, repeats: Option, axis=None):
    """Return x with each entry, or each slice along an axis, repeated: NumPy's repeat.

    In formulas, for one number of repeats:
        y[i] = x[⌊i / repeats⌋]

    In the backward pass:
        dz/dx[i] = Σ over k < repeats: dz/dy[i · repeats + k]

    `repeats` is one integer, or one per entry of the axis. Without an axis, x is flattened first. PyTorch's Tensor.repeat is
    `tile`. Raises ValueError if `repeats` does not fit.

    >>> repeat([1, 2], 2), repeat([1, 2], [1, 3])
    (array([1., 1., 2., 2.]), array([1., 2., 2., 2.]))
    """
    if axis is None or not x.ndim:  # a 0-d array has axis 0, of one entry
        axes_of("repeat", axis, x.shape)
        x, axis = reshape(x, -1), 0
    shape = x.shape
    axis = one_axis("repeat", axis, shape)
    n, counts = shape[axis], np.asarray(repeats)
    fit = not counts.size or (counts.dtype.kind in "iu" and np.minimum.reduce(counts, None) >= 0)
    if not fit or counts.ndim > 1 or counts.size not in (1, n):
        raise ValueError(f"repeat: repeats={repeats} does not fit axis {axis} of length {n}; give one integer, or one for each entry")
    if counts.size == 1:
        return repeated(x, int(counts.item()), axis)
    return getitem(x, (slice(None),) * axis + (np.repeat(np.arange(n), counts.astype(int)),))


def repeated_vjp(G, x_shape, repeats, axis):
    """dz/dx = dz/dy, summed over the copies"""
    copies = G.reshape((*x_shape[: axis + 1], repeats, *x_shape[axis + 1 :]))
    return sum_over(copies, (axis + 1,)).reshape(x_shape)


@rule(repeated_vjp, name="repeat")
def repeated(x, repeats, axis):
    """Return x with each slice along an axis repeated equally often."""
    return x.repeat(repeats, axis)


@shape_method
def tile(x: Array, reps: Option):
    """Return copies of x side by side, `reps` of them along each of the last axes, as in NumPy. PyTorch calls it repeat.

    In formulas, along an axis of n entries:
        y[i] = x[i mod n]

    In the backward pass:
        dz/dx[i] = Σ over k where k mod n = i: dz/dy[k]

    >>> tile([1, 2], (2, 2))
    array([[1., 2., 1., 2.],
           [1., 2., 1., 2.]])
    """
    reps = (reps,) if isinstance(reps, int | np.integer) else tuple(reps)
    if not all(isinstance(times, int | np.integer) and times >= 0 for times in reps):
        raise ValueError(f"tile: reps={reps} is not a list of integers from 0 on; give one for each axis from the last")
    shape = x.shape
    n = max(len(reps), len(shape))
    reps, shape = (1,) * (n - len(reps)) + reps, (1,) * (n - len(shape)) + shape
    apart = tuple([m for length in shape for m in (1, length)])
    copied = tuple([m for times, length in zip(reps, shape) for m in (times, length)])
    return reshape(broadcast_to(reshape(x, apart), copied), tuple([times * length for times, length in zip(reps, shape)]))


@rule(vjp("dz/dx = dz/dy without the border", lambda G, x_shape, pad_width: G[interior_of_padded(x_shape, pad_width)]))
def pad_constant(x, pad_width, constant_values=0):
    """Return x with a border of one number."""
    shape = [before + n + after for (before, after), n in zip(pad_width, x.shape)]
    y = np.full(shape, constant_values, x.dtype)
    y[interior_of_padded(x.shape, pad_width)] = x
    return y


def interior_of_padded(shape, pad_width):
    """Return the index of what lies within the border."""
    return (*[slice(before, before + n) for (before, _), n in zip(pad_width, shape)], ...)


PAD = pad_constant.under("pad")


@method
def pad(x: Array, pad_width: Option, mode="constant", constant_values=0):
    """Return x with a border, as np.pad does: `pad_width` holds (before, after) for each axis, or one pair or number for all.

    In formulas, for one width w and n entries:
        y[i] = x[i - w] where w <= i < n + w, else constant_values
        dz/dx[i] = dz/dy[i + w]

    A negative width removes entries after the border is filled, or before with mode "wrap", as in PyTorch, which lists the widths
    from the last axis on. Raises ValueError if an axis has fewer entries than are removed.

    - mode "constant": fill the border with `constant_values`, one number
    - mode "reflect": mirror x about its outermost entries
    - mode "symmetric": mirror x past its outermost entries, which are repeated
    - mode "edge": repeat the outermost entries
    - mode "wrap": continue with the entries from the opposite side, of those that remain

    >>> pad([1, 2, 3], 1), pad([1, 2, 3], (2, -1), mode="reflect")
    (array([0., 1., 2., 3., 0.]), array([3., 2., 1., 2.]))
    """
    shape = x.shape
    widths = pad_widths(pad_width, shape)
    if mode == "constant":
        if np.ndim(constant_values):
            raise ValueError("pad: constant_values is not one number; for several numbers pad twice")
        y = PAD(x, tuple([(max(a, 0), max(b, 0)) for a, b in widths]), constant_values)
        cut = tuple([slice_left_by_cut(n, width) for n, width in zip(shape, widths)])
        return y if all(stretch == slice(0, None) for stretch in cut) else getitem(y, cut)
    if mode not in ("reflect", "symmetric", "edge", "wrap"):
        raise unknown_choice("pad", "mode", mode, ("constant", "reflect", "symmetric", "edge", "wrap"))
    for axis, (width, n) in enumerate(zip(widths, shape)):
        if width != (0, 0):
            x = getitem(x, (slice(None),) * axis + (places_of_padded(n, width, mode, axis, shape),))
    return x


def places_of_padded(n, width, mode, axis, shape):
    """Return which of n entries each entry of the padded axis is."""
    before, after = width
    places, border = np.arange(n), [max(m, 0) for m in width]
    if mode == "wrap":
        places = places[max(-before, 0) : n + min(after, 0)]
    if not places.size and any(border):
        raise ValueError(f"pad: axis {axis} of shape {shape} has no entries to fill a border from")
    places = np.pad(places, border, mode)
    return places if mode == "wrap" else places[slice_left_by_cut(n, width)]


def slice_left_by_cut(n, width):
    """Return the slice that negative widths leave of an axis of n entries after positive widths were added."""
    before, after = width
    return slice(max(-before, 0), n + max(before, 0) + after if after < 0 else None)


def pad_widths(pad_width, shape):
    """Return (before, after) for each axis; raise ValueError if they do not fit the shape or remove too many entries."""
    if type(pad_width) is int and pad_width >= 0:
        return ((pad_width, pad_width),) * len(shape)
    try:
        widths = tuple([(int(a), int(b)) for a, b in np.broadcast_to(np.asarray(pad_width), (len(shape), 2)).tolist()])
    except ValueError:
        raise ValueError(f"pad: pad_width={pad_width} does not fit shape {shape}; give (before, after) for each axis") from None
    for axis, (n, (before, after)) in enumerate(zip(shape, widths)):
        if n + before + after < 0:
            raise ValueError(f"pad: pad_width={pad_width} cuts more off axis {axis} of shape {shape} than its {n} entries")
    return widths


# Diagonals and triangles


@method
def diagonal(x: Array, offset=0, axis1=0, axis2=1):
    """Return the diagonal of each matrix in the axes `axis1` and `axis2`, along a new last axis.

    In formulas:
        y[i] = x[i,i + offset]

    In the backward pass:
        dz/dx[i,j] = dz/dy[i] where j = i + offset, else 0

    `offset` selects a diagonal that many places above the main one. Raises ValueError for fewer than two axes.

    >>> diagonal([[1, 2], [3, 4]])
    array([1., 4.])
    """
    shape = x.shape
    if len(shape) < 2:
        raise ValueError(f"diagonal: shape {shape} is not a matrix; diag makes one of a vector")
    must_be_integer("diagonal", offset, "offset")
    axes = axes_of("diagonal", (axis1, axis2), shape)
    if axes == (len(shape) - 1, len(shape) - 2):
        offset = -offset  # of the matrix itself, not of its transpose
    elif axes != (len(shape) - 2, len(shape) - 1):
        x = moveaxis(x, axes, (-2, -1))
    rows, columns = x.shape[-2:]
    return getitem(x, Distinct((..., *along_diagonal(rows, columns, offset))))


@lru_cache(64)
def along_diagonal(rows, columns, offset):
    """Return the row and the column of each entry of a diagonal."""
    first_row, first_column = max(-offset, 0), max(offset, 0)
    steps = np.arange(max(min(rows - first_row, columns - first_column), 0))
    found = first_row + steps, first_column + steps
    for numbers in found:
        numbers.setflags(write=False)
    return found


@method
def diag(x: Array, k=0):
    """Return a square matrix with the vector x as its diagonal, or the diagonal of the matrix x.

    In formulas, for a vector and k = 0:
        y[i,j] = x[i] where i = j, else 0
        dz/dx[i] = dz/dy[i,i]

    The diagonal lies `k` places above the main one. Raises ValueError unless x has one or two axes.

    >>> diag([1, 2]), diag([[1, 2], [3, 4]], 1)
    (array([[1., 0.],
           [0., 2.]]), array([2.]))
    """
    shape = x.shape
    must_be_integer("diag", k, "k")
    if len(shape) == 2:
        return diagonal(x, k)
    if len(shape) != 1:
        raise ValueError(f"diag: shape {shape} is not a vector or a matrix; diagonal takes stacks of matrices")
    n = shape[0] + abs(k)
    return scatter_into_zeros(x, (n, n), Distinct(along_diagonal(n, n, k)))


@method
def trace(x: Array, offset=0, axis1=0, axis2=1):
    """Return the sum of the diagonal of each matrix in the axes `axis1` and `axis2`. See `diagonal`.

    In formulas:
        y = Σ over i: x[i,i]
        dz/dx[i,j] = dz/dy where i = j, else 0

    >>> trace([[1, 2], [3, 4]])
    np.float64(5.0)
    """
    return sum(diagonal(x, offset, axis1, axis2), -1)


@method
@rule(vjp("dz/dx = the same triangle of dz/dy, and 0 outside", lambda G, k: tril(G, k)))
def tril(x, k=0):
    """Return the lower triangle of each matrix: the entries on and below the k-th diagonal, and 0 elsewhere.

    In formulas:
        y[i,j] = x[i,j] where j <= i + k, else 0
        dz/dx[i,j] = dz/dy[i,j] where j <= i + k, else 0

    Diagonal k lies k places above the main one. Raises ValueError for fewer than two axes.

    >>> tril([[1, 2], [3, 4]])
    array([[1., 0.],
           [3., 4.]])
    """
    return triangle("tril", np.tril, x, k)


@method
@rule(vjp("dz/dx = the same triangle of dz/dy, and 0 outside", lambda G, k: triu(G, k)))
def triu(x, k=0):
    """Return the upper triangle of each matrix: the entries on and above the k-th diagonal, and 0 elsewhere.

    In formulas:
        y[i,j] = x[i,j] where j >= i + k, else 0
        dz/dx[i,j] = dz/dy[i,j] where j >= i + k, else 0

    Diagonal k lies k places above the main one. Raises ValueError for fewer than two axes.

    >>> triu([[1, 2], [3, 4]])
    array([[1., 2.],
           [0., 4.]])
    """
    return triangle("triu", np.triu, x, k)


def triangle(name, function, x, k):
    if x.ndim < 2:
        raise not_a_matrix(name, x.shape)
    must_be_integer(name, k, "k")
    if x.dtype not in BITS or prod(x.shape[-2:]) > MOST_KEPT:
        return function(x, k)
    bits = BITS[x.dtype]  # np.tril makes its mask again at each call, and takes three times as long to apply it
    return (x.view(bits) & ones_in(function, *x.shape[-2:], k, bits)).view(x.dtype)


@lru_cache(16)
def ones_in(function, rows, columns, k, kind):
    """Return a matrix of integers with all bits in a triangle, and none outside."""
    return function(np.full((rows, columns), -1, kind), k)


# NumPy's functions of matrices take the last two axes
numpy(np.linalg.diagonal)(lambda x, *, offset=0: diagonal(x, offset, -2, -1))
numpy(np.linalg.trace)(lambda x, *, offset=0: trace(x, offset, -2, -1))

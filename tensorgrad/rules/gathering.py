"""Read and write entries at integer positions along an axis: gather, scatter, embedding, one_hot.

A position outside the axis raises IndexError with its place in the index; so does a negative one, unless the function counts it
from the end. With total=True, a position outside gives 0 without a gradient. A 0-d array counts as an array of one entry along
axis 0.
"""

from functools import lru_cache
from math import prod

import numpy as np

from scalargrad.messages.errors import unknown_choice
from tensorgrad.arrays.axes import axes_of, one_axis, shape_of
from tensorgrad.arrays.errstate import quietly
from tensorgrad.errors.errors import refuse_tensor_as_index
from tensorgrad.kernels.scatter import FEW_ENTRIES, Grid
from tensorgrad.public import Array, Option, method, public
from tensorgrad.rules.elementwise import where
from tensorgrad.rules.indexing import added_at, assigned_at, getitem, scatter_into_zeros
from tensorgrad.rules.shapes import reshape
from tensorgrad.tensor import array_of

__all__ = [
    "take_along_axis", "take", "gather", "index_select", "embedding", "one_hot",
    "scatter", "scatter_add", "index_add",
]  # fmt: skip


@public
def take_along_axis(x: Array, indices: Option, axis=-1):
    """Return the entries of x at the positions `indices` along an axis, as argsort and argmax(keepdims=True) give them.

    In formulas, for axis=1:
        y[i,j] = x[i,indices[i,j]]
        dz/dx[i,k] = Σ over j where indices[i,j] = k: dz/dy[i,j]

    Along the other axes, the lengths of x and `indices` are equal or 1. A negative position counts from the end, as in NumPy.
    axis=None flattens x first. Raises IndexError outside of x and ValueError if the numbers of axes differ.

    >>> take_along_axis([[3, 1, 2]], [[2, 0]], 1)
    array([[2., 3.]])
    """
    indices = integer_index("take_along_axis", indices)
    if axis is None:
        x, axis = reshape(x, -1), 0
        if indices.ndim == 0:  # argsort of a 0-d array
            return getitem(x, indices)
    shape = x.shape
    axis = one_axis("take_along_axis", axis, shape)
    if indices.ndim != len(shape):
        raise ValueError(f"take_along_axis: indices of shape {indices.shape} do not fit x of shape {shape}; give as many axes")
    if must_lie_within("take_along_axis", indices, -shape[axis], shape[axis], f"axis {axis}, of length {shape[axis]}"):
        indices = np.where(indices < 0, indices + shape[axis], indices)
    return getitem(x, open_grid(shape, axis, indices, shape))


def open_grid(shape, axis, index, of=None):
    """Return the index that reads `index` along an axis, and each other axis at its own positions.

    For an array of the shape `of`, within which the positions are known to lie, a large index knows the places of its entries.
    """
    own = own_positions(shape)
    entries = (*own[:axis], index, *own[axis + 1 :])
    if of is None or len(of) < 2 or index.size <= FEW_ENTRIES:
        return entries
    steps = [prod(of[a + 1 :]) for a in range(len(of))]
    offset = sum([own[a] * steps[a] for a in range(len(of)) if a != axis], np.array(0))
    places = quietly(np.add, index if steps[axis] == 1 else index.astype(int, copy=False) * steps[axis], offset)
    kept = index.astype(np.min_scalar_type(-of[axis]))  # a copy, in few bytes: the user may change theirs
    return Grid((*own[:axis], kept, *own[axis + 1 :]), places)


@lru_cache(64)
def own_positions(shape):
    """Return the positions along each axis, in a shape that broadcasts to `shape`."""
    found = [np.arange(n).reshape((n,) + (1,) * (len(shape) - 1 - a)) for a, n in enumerate(shape)]
    for one in found:
        one.setflags(write=False)
    return tuple(found)


@method
def take(x: Array, indices: Option, axis=None, total=False, *, mode="raise"):
    """Return the slices of x at `indices` along an axis; the shape of `indices` replaces the axis.

    In formulas, for a vector x and a matrix of indices:
        y[i,j] = x[indices[i,j]]

    In the backward pass:
        dz/dx[k] = Σ over i, j where indices[i,j] = k: dz/dy[i,j]

    axis=None flattens x first. A negative position counts from the end, as in NumPy. Raises IndexError outside of x; with
    total=True the result is 0 there. mode="wrap" counts on from the other end instead, "clip" takes the nearest position.

    >>> take([10, 20, 30], [[2, 0], [0, -1]])
    array([[30., 10.],
           [10., 30.]])
    """
    indices = integer_index("take", indices)
    if axis is None:
        x, axis = reshape(x, -1), 0
    elif not x.ndim:
        x, axis = one_entry("take", x, axis), 0
    axis = one_axis("take", axis, x.shape)
    n = x.shape[axis]
    if mode not in ("raise", "wrap", "clip"):
        raise unknown_choice("take", "mode", mode, ("raise", "wrap", "clip"))
    if mode != "raise" and n:
        indices = indices % n if mode == "wrap" else np.clip(indices, 0, n - 1)
    if total:
        return take_slices(x, axis, np.where(indices < 0, indices + n, indices), total)
    must_lie_within("take", indices, -n, n, f"axis {axis}, of length {n}")
    return take_slices(x, axis, indices, total)


@method
def index_select(x: Array, axis: Option, index: Option, total=False):
    """Return the slices of x at a list of positions along an axis.

    In formulas, for axis=1:
        y[i,j] = x[i,index[j]]
        dz/dx[i,k] = Σ over j where index[j] = k: dz/dy[i,j]

    Raises IndexError outside of x; with total=True the result is 0 there. Raises ValueError if the index has more than one
    axis.

    >>> index_select([[1, 2], [3, 4]], 1, [1, 1, 0])
    array([[2., 2., 1.],
           [4., 4., 3.]])
    """
    index = integer_index("index_select", index)
    if index.ndim > 1:
        raise ValueError(f"index_select: index has shape {index.shape}; give one list, or use take")
    if not x.ndim:
        must_be_one_place("index_select", index)
        return reshape(index_select(one_entry("index_select", x, axis), 0, index, total), ())
    axis = one_axis("index_select", axis, x.shape)
    n = x.shape[axis]
    if not total:
        must_lie_within("index_select", index, 0, n, f"axis {axis}, of length {n}")
    return take_slices(x, axis, index.reshape(-1), total)


@public
def embedding(index: Option, table: Array, total=False, padding_idx=None):
    """Return the rows of `table` at the integers `index`, in the shape (*index.shape, columns), as in PyTorch.

    In formulas, for a matrix of integers:
        y[i,j,k] = table[index[i,j],k]
        dz/dtable[r,k] = Σ over i, j where index[i,j] = r: dz/dy[i,j,k]

    The gradient of a row that is read several times is the sum over all readings. The row `padding_idx` gets no gradient; a
    negative one counts from the end. Raises IndexError for an integer that is not a row; with total=True the result is 0 there.

    >>> embedding([[1, 0]], [[1, 2], [3, 4]])
    array([[[3., 4.],
            [1., 2.]]])
    """
    try:
        index = integer_index("embedding", index)
    except TypeError as wrong:
        raise TypeError(f"{wrong}; signature: embedding(index, table)") from None
    shape = table.shape
    if len(shape) != 2:
        raise ValueError(f"embedding: table has shape {shape}; two axes are needed, rows and columns")
    if not total:
        must_lie_within("embedding", index, 0, shape[0], f"the table's {shape[0]} rows")
    rows = take_slices(table, 0, index, total)
    if padding_idx is None:
        return rows
    padding = integer_index("embedding", padding_idx)
    must_lie_within("embedding", padding, -shape[0], shape[0], f"the table's {shape[0]} rows")
    return where((index == padding % shape[0])[..., None], array_of(rows), rows)


def take_slices(x, axis, index, total):
    """Return x at `index` along an axis; with `total`, zeros where the index lies outside."""
    before = (slice(None),) * axis
    if not total:
        return getitem(x, (*before, index))
    shape = shape_of(x)
    there = (index >= 0) & (index < shape[axis])
    return scatter_into_zeros(getitem(x, (*before, index[there])), (*shape[:axis], *index.shape, *shape[axis + 1 :]), (*before, there))


@method
def gather(x: Array, axis: Option, index: Option, total=False):
    """Return the entries of x at the positions `index` along an axis, as in PyTorch.

    In formulas, for axis=1:
        y[i,j] = x[i,index[i,j]]
        dz/dx[i,k] = Σ over j where index[i,j] = k: dz/dy[i,j]

    `index` has as many axes as x; along the others it may be shorter. Raises IndexError outside of x; with total=True the
    result is 0 there.

    >>> gather([[1, 2], [3, 4]], 1, [[0, 0], [1, 0]])
    array([[1., 1.],
           [4., 3.]])
    """
    if not x.ndim:
        index = integer_index("gather", index)
        return reshape(gather(one_entry("gather", x, axis), 0, flat_index("gather", index), total), index.shape)
    index, axis, places = element_grid("gather", x, axis, index, total)
    if not total:
        return getitem(x, places)
    there = (index >= 0) & (index < x.shape[axis])
    return scatter_into_zeros(getitem(x, tuple([np.broadcast_to(p, index.shape)[there] for p in places])), index.shape, there)


@method
def scatter(x: Array, axis: Option, index: Option, src: Array):
    """Return a new array: x with the entries of `src` (or one number) written at the positions `index` along an axis.

    In formulas, for axis=1:
        y[i,index[i,j]] = src[i,j]; elsewhere it is x
        dz/dx[i,k] = dz/dy[i,k] · Π over j: (0 where index[i,j] = k, else 1)
        dz/dsrc[i,j] = dz/dy[i,index[i,j]], and 0 for an entry that a later one replaced

    It writes where `gather` reads. If a position is repeated, the last entry is written, and only that entry has a gradient.
    Raises IndexError outside of x.

    >>> scatter([[0, 0, 0]], 1, [[2, 0]], [[5, 6]])
    array([[6., 0., 5.]])
    """
    if not x.ndim:
        return reshape(scatter(one_entry("scatter", x, axis), 0, flat_index("scatter", index), src), ())
    index, _, places = element_grid("scatter", x, axis, index)
    return assigned_at.applied((x, cut_to_index(index, src)), (places,))


@method
def scatter_add(x: Array, axis: Option, index: Option, src: Array):
    """Return a new array: x with the entries of `src` added at the positions `index` along an axis.

    In formulas, for axis=1:
        y[i,k] = x[i,k] + Σ over j where index[i,j] = k: src[i,j]
        dz/dx = dz/dy
        dz/dsrc[i,j] = dz/dy[i,index[i,j]]

    A repeated position adds up all of its entries. `index` and `src` have as many axes as x. `src` may be larger than `index`;
    the rest is not used. Raises IndexError outside of x.

    >>> scatter_add([[0, 0, 0]], 1, [[2, 2]], [[5, 6]])
    array([[ 0.,  0., 11.]])
    """
    if not x.ndim:
        return reshape(scatter_add(one_entry("scatter_add", x, axis), 0, flat_index("scatter_add", index), src), ())
    index, _, places = element_grid("scatter_add", x, axis, index)
    return added_at.applied((x, cut_to_index(index, src)), (places,))


@method
def index_add(x: Array, axis: Option, index: Option, source: Array):
    """Return a new array: x with the slices of `source` added at the positions `index` along an axis.

    In formulas, for axis=0:
        y[k,j] = x[k,j] + Σ over i where index[i] = k: source[i,j]
        dz/dx = dz/dy
        dz/dsource[i,j] = dz/dy[index[i],j]

    A repeated position adds up all of its slices. Raises IndexError outside of x, and ValueError unless there is one slice per
    position.

    >>> index_add([[1, 1], [1, 1]], 0, [0, 0], [[1, 2], [3, 4]])
    array([[5., 7.],
           [1., 1.]])
    """
    index = integer_index("index_add", index)
    if not x.ndim:
        must_be_one_place("index_add", index)
        if source.shape:
            raise ValueError(f"index_add: source has shape {source.shape}; x is a 0-d array, so give one number")
        return reshape(index_add(one_entry("index_add", x, axis), 0, index.reshape(1), reshape(source, 1)), ())
    axis = one_axis("index_add", axis, x.shape)
    n = x.shape[axis]
    must_lie_within("index_add", index, 0, n, f"axis {axis}, of length {n}")
    needed = (*x.shape[:axis], *index.shape, *x.shape[axis + 1 :])
    if source.shape != needed:
        raise ValueError(
            f"index_add: source has shape {source.shape}; for an index of shape {index.shape} along axis {axis} it needs {needed}"
        )
    return added_at.applied((x, source), ((slice(None),) * axis + (index,),))


def one_entry(name, x, axis):
    """Return a 0-d array as an array of one entry, for an `axis` that is 0 or -1."""
    axes_of(name, axis, ())
    return reshape(x, 1)


def flat_index(name, index):
    """Return an index into a 0-d array as a list of positions."""
    index = integer_index(name, index)
    if index.ndim > 1:
        raise ValueError(f"{name}: index of shape {index.shape} for a 0-d array; give one index, or a list of them")
    return index.reshape(-1)


def must_be_one_place(name, index):
    if index.size != 1:
        raise ValueError(f"{name}: index of shape {index.shape} for a 0-d array; give one index")


def element_grid(name, x, axis, index, total=False):
    """Return the index as an array, the axis counted from the first, and NumPy's index of the entries."""
    index, shape = integer_index(name, index), shape_of(x)
    axis = one_axis(name, axis, shape)
    if index.shape != shape and (index.ndim != len(shape) or any(m > n for a, (m, n) in enumerate(zip(index.shape, shape)) if a != axis)):
        raise ValueError(f"{name}: index of shape {index.shape} does not fit x of shape {shape}; only axis {axis} may be longer")
    if not total:
        must_lie_within(name, index, 0, shape[axis], f"axis {axis}, of length {shape[axis]}")
    return index, axis, open_grid(index.shape, axis, index, None if total else shape)


def cut_to_index(index, src):
    """Return the part of src that is as large as the index; a number stays as it is."""
    return src if not src.ndim or src.shape == index.shape else getitem(src, tuple([slice(n) for n in index.shape]))


@public
def one_hot(index: Option, num_classes=None):
    """Return a plain array of 0 and 1, in the shape (*index.shape, num_classes), with a 1 at the position of each integer.

    By default, num_classes is the largest integer plus one. Raises IndexError for an integer that is not a class.

    >>> one_hot([2, 0])
    array([[0, 0, 1],
           [1, 0, 0]])
    """
    index = integer_index("one_hot", index)
    n = int(index.max(initial=-1)) + 1 if num_classes is None else num_classes
    must_lie_within("one_hot", index, 0, n, f"the {n} classes")
    return (index[..., None] == np.arange(n)).astype(int)


def integer_index(name, index):
    """Return an index as an integer array; raise TypeError for anything else."""
    refuse_tensor_as_index(name, index)
    index = np.asarray(index)
    if not index.size:
        index = index.astype(int)
    if index.dtype.kind not in "iu":
        raise TypeError(f"{name}: index has dtype {index.dtype}; give integers")
    return index


def must_lie_within(name, index, low, high, what):
    """Return whether any integer is negative. Raise IndexError for the first one outside low to high; high itself is outside."""
    if not index.size or (index.dtype == np.intp and np.maximum.reduce(index.view(np.uintp), None) < high):
        return False  # as unsigned, a negative number is huge
    least = np.minimum.reduce(index, None)
    if least < low or np.maximum.reduce(index, None) >= high:
        place = tuple(np.argwhere((index < low) | (index >= high))[0].tolist())
        raise IndexError(f"{name}: index {index[place]} at position {place} is outside {what}")
    return least < 0

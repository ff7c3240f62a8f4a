"""Entries picked by arrays of whole numbers along an axis, and put there: gather, scatter, embedding, one_hot.

Numbers must lie within the axis: what is outside, or negative, is an IndexError that says where it stands. With `total=True`
an entry from outside is 0 instead, and has no gradient. A number without axes counts as an array of one entry along axis 0.
"""

import numpy as np

from tensorgrad.axes import axes_of, one_axis
from tensorgrad.errors.errors import refuse_tensor_as_index
from tensorgrad.public import public
from tensorgrad.rules.elementwise import where
from tensorgrad.rules.indexing import getitem, index_put, scatter_into_zeros
from tensorgrad.rules.shapes import reshape
from tensorgrad.tensor import plain

__all__ = [
    "take_along_axis", "take", "gather", "index_select", "embedding", "one_hot",
    "scatter", "scatter_add", "index_add",
]  # fmt: skip
METHODS = ["take", "gather", "index_select", "scatter", "scatter_add", "index_add"]


@public
def take_along_axis(x, indices, axis=-1):
    """For each place of `indices` the entry of x that stands there along the axis: what argsort and argmax(keepdims) are for.

    Along the other axes the lengths of x and `indices` are equal or 1. Negative numbers count from the end, as in NumPy.
    `axis=None` takes x as one row. IndexError outside of x.

    >>> take_along_axis([[3, 1, 2]], [[2, 0]], 1)
    array([[2., 3.]])
    """
    indices = integer_index("take_along_axis", indices)
    if axis is None:
        x, axis = reshape(x, -1), 0
        if indices.ndim == 0:  # the order of a number without axes
            return getitem(x, indices)
    shape = np.shape(x)
    axis = one_axis("take_along_axis", axis, shape)
    if indices.ndim != len(shape):
        raise ValueError(f"take_along_axis: indices of shape {indices.shape} for an array of shape {shape}: as many axes are needed")
    must_lie_within("take_along_axis", indices, -shape[axis], shape[axis], f"axis {axis}, of length {shape[axis]}")
    return getitem(x, open_grid(shape, axis, indices))


def open_grid(shape, axis, index):
    """The index of the entries at `index` along an axis, everything else at its own place."""
    own = [np.arange(n).reshape((n,) + (1,) * (len(shape) - 1 - a)) for a, n in enumerate(shape)]
    return (*own[:axis], index, *own[axis + 1 :])


@public
def take(x, indices, axis=None, total=False):
    """The slices of x at `indices` along an axis, whose shape takes the place of the axis; `axis=None` takes x as one row.

    Negative numbers count from the end, as in NumPy. IndexError outside of x; with `total` zeros stand there.

    >>> take([10, 20, 30], [[2, 0], [0, -1]])
    array([[30., 10.],
           [10., 30.]])
    """
    indices = integer_index("take", indices)
    if axis is None:
        x, axis = reshape(x, -1), 0
    elif not np.ndim(x):
        x, axis = one_entry("take", x, axis), 0
    axis = one_axis("take", axis, np.shape(x))
    n = np.shape(x)[axis]
    if total:
        return take_slices(x, axis, np.where(indices < 0, indices + n, indices), total)
    must_lie_within("take", indices, -n, n, f"axis {axis}, of length {n}")
    return take_slices(x, axis, indices, total)


@public
def index_select(x, axis, index, total=False):
    """The slices of x that a list of whole numbers names along an axis. IndexError outside; with `total` zeros stand there.

    >>> index_select([[1, 2], [3, 4]], 1, [1, 1, 0])
    array([[2., 2., 1.],
           [4., 4., 3.]])
    """
    index = integer_index("index_select", index)
    if index.ndim > 1:
        raise ValueError(f"index_select: the index has shape {index.shape}; it is one list (take also picks by arrays)")
    if not np.ndim(x):
        must_be_one_place("index_select", index)
        return reshape(index_select(one_entry("index_select", x, axis), 0, index, total), ())
    axis = one_axis("index_select", axis, np.shape(x))
    n = np.shape(x)[axis]
    if not total:
        must_lie_within("index_select", index, 0, n, f"axis {axis}, of length {n}")
    return take_slices(x, axis, index.reshape(-1), total)


@public
def embedding(index, table, total=False, padding_idx=None):
    """The rows of a table that whole numbers name: of shape (*index.shape, columns), as in PyTorch.

    A row that is named several times gets the sum of its gradients; the row `padding_idx` (which may count from the end) gets
    none. IndexError for a number that is no row; with `total` zeros stand there.

    >>> embedding([[1, 0]], [[1, 2], [3, 4]])
    array([[[3., 4.],
            [1., 2.]]])
    """
    try:
        index = integer_index("embedding", index)
    except TypeError as wrong:
        raise TypeError(f"{wrong}; signature: embedding(index, table)") from None
    shape = np.shape(table)
    if len(shape) != 2:
        raise ValueError(f"embedding: the table has shape {shape}; a table has rows and columns")
    if not total:
        must_lie_within("embedding", index, 0, shape[0], f"the table's {shape[0]} rows")
    rows = take_slices(table, 0, index, total)
    if padding_idx is None:
        return rows
    padding = integer_index("embedding", padding_idx)
    must_lie_within("embedding", padding, -shape[0], shape[0], f"the table's {shape[0]} rows")
    return where((index == padding % shape[0])[..., None], plain(rows), rows)


def take_slices(x, axis, index, total):
    """x at `index` along an axis; with `total`, zeros where the index lies outside."""
    before = (slice(None),) * axis
    if not total:
        return getitem(x, (*before, index))
    shape = np.shape(x)
    there = (index >= 0) & (index < shape[axis])
    return scatter_into_zeros(getitem(x, (*before, index[there])), (*shape[:axis], *index.shape, *shape[axis + 1 :]), (*before, there))


@public
def gather(x, axis, index, total=False):
    """For each place of `index` the entry of x that stands there along the axis, as in PyTorch.

    `index` has as many axes as x, and along the others it may be shorter than x. IndexError outside of x; with `total` 0
    stands there.

    >>> gather([[1, 2], [3, 4]], 1, [[0, 0], [1, 0]])
    array([[1., 1.],
           [4., 3.]])
    """
    if not np.ndim(x):
        index = integer_index("gather", index)
        return reshape(gather(one_entry("gather", x, axis), 0, flat_index("gather", index), total), index.shape)
    index, axis, places = element_grid("gather", x, axis, index, total)
    if not total:
        return getitem(x, places)
    there = (index >= 0) & (index < np.shape(x)[axis])
    return scatter_into_zeros(getitem(x, tuple([np.broadcast_to(p, index.shape)[there] for p in places])), index.shape, there)


@public
def scatter(x, axis, index, src):
    """A new array: x with the entries of `src` (or one number) put at `index` along the axis, where gather would read them.

    Where a place is named several times the last entry stands, and only that one has a gradient. IndexError outside of x.

    >>> scatter([[0, 0, 0]], 1, [[2, 0]], [[5, 6]])
    array([[6., 0., 5.]])
    """
    if not np.ndim(x):
        return reshape(scatter(one_entry("scatter", x, axis), 0, flat_index("scatter", index), src), ())
    index, _, places = element_grid("scatter", x, axis, index)
    return index_put(x, places, cut_to_index(index, src))


@public
def scatter_add(x, axis, index, src):
    """A new array: x with the entries of `src` added at `index` along the axis; all of them where a place is named several times.

    `index` and `src` have as many axes as x; of `src` the part as large as `index` is used. IndexError outside of x.

    >>> scatter_add([[0, 0, 0]], 1, [[2, 2]], [[5, 6]])
    array([[ 0.,  0., 11.]])
    """
    if not np.ndim(x):
        return reshape(scatter_add(one_entry("scatter_add", x, axis), 0, flat_index("scatter_add", index), src), ())
    index, _, places = element_grid("scatter_add", x, axis, index)
    return index_put(x, places, cut_to_index(index, src), accumulate=True)


@public(arrays=["source"])
def index_add(x, axis, index, source):
    """A new array: x with the slices of `source` added at the places that `index` lists along the axis.

    All of them where a place is listed several times. IndexError outside of x; ValueError unless there is one slice for each place.

    >>> index_add([[1, 1], [1, 1]], 0, [0, 0], [[1, 2], [3, 4]])
    array([[5., 7.],
           [1., 1.]])
    """
    index = integer_index("index_add", index)
    if not np.ndim(x):
        must_be_one_place("index_add", index)
        if source.shape:
            raise ValueError(f"index_add: source has shape {source.shape}; to a number a number is added")
        return reshape(index_add(one_entry("index_add", x, axis), 0, index.reshape(1), reshape(source, 1)), ())
    axis = one_axis("index_add", axis, np.shape(x))
    n = np.shape(x)[axis]
    must_lie_within("index_add", index, 0, n, f"axis {axis}, of length {n}")
    needed = (*np.shape(x)[:axis], *index.shape, *np.shape(x)[axis + 1 :])
    if source.shape != needed:
        raise ValueError(
            f"index_add: source has shape {source.shape}; for an index of shape {index.shape} along axis {axis} it needs {needed}"
        )
    return index_put(x, (slice(None),) * axis + (index,), source, accumulate=True)


def one_entry(name, x, axis):
    """A number without axes as an array of one entry, for an `axis` that is 0 or -1."""
    axes_of(name, axis, ())
    return reshape(x, 1)


def flat_index(name, index):
    """An index into a number without axes, as a list of places."""
    index = integer_index(name, index)
    if index.ndim > 1:
        raise ValueError(f"{name}: index of shape {index.shape} for a number without axes: one place is needed, or a list of them")
    return index.reshape(-1)


def must_be_one_place(name, index):
    if index.size != 1:
        raise ValueError(f"{name}: index of shape {index.shape} for a number without axes: one place is needed")


def element_grid(name, x, axis, index, total=False):
    """The index as an array, the axis from the first, and x's index of the entries that are meant."""
    index, shape = integer_index(name, index), np.shape(x)
    axis = one_axis(name, axis, shape)
    if index.ndim != len(shape) or any(m > n for a, (m, n) in enumerate(zip(index.shape, shape)) if a != axis):
        raise ValueError(f"{name}: index of shape {index.shape} for an array of shape {shape}: as many axes, none longer but axis {axis}")
    if not total:
        must_lie_within(name, index, 0, shape[axis], f"axis {axis}, of length {shape[axis]}")
    return index, axis, open_grid(index.shape, axis, index)


def cut_to_index(index, src):
    """The part of src that is as large as the index; a number as it is."""
    return src if not np.ndim(src) or np.shape(src) == index.shape else getitem(src, tuple([slice(n) for n in index.shape]))


@public
def one_hot(index, num_classes=None):
    """A plain array of 0 and 1: for each whole number a row with a 1 at that place, of shape (*index.shape, num_classes).

    Without `num_classes`, one more than the largest number. IndexError for a number that is no class.

    >>> one_hot([2, 0])
    array([[0, 0, 1],
           [1, 0, 0]])
    """
    index = integer_index("one_hot", index)
    n = int(index.max(initial=-1)) + 1 if num_classes is None else num_classes
    must_lie_within("one_hot", index, 0, n, f"the {n} classes")
    return (index[..., None] == np.arange(n)).astype(int)


def integer_index(name, index):
    """An index as an array of whole numbers; TypeError if it is anything else."""
    refuse_tensor_as_index(name, index)
    index = np.asarray(index)
    if not index.size:
        index = index.astype(int)
    if index.dtype.kind not in "iu":
        raise TypeError(f"{name}: the index holds {index.dtype}, and places are whole numbers")
    return index


def must_lie_within(name, index, low, high, what):
    """IndexError for the first number that does not lie between low and high, high not included."""
    wrong = (index < low) | (index >= high)
    if wrong.any():
        place = tuple(np.argwhere(wrong)[0].tolist())
        raise IndexError(f"{name}: index {index[place]} at position {place} is outside {what}")

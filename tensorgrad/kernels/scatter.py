"""Add entries to an array at any NumPy index, and contributions that are 0 except at an index: `Scattered`, and `Parts` of tensors."""

from math import prod

import numpy as np

from tensorgrad.kernels.blocks import LARGE, slices
from tensorgrad.kernels.registry import kernel

FEW_ENTRIES = 256  # up to so many, np.add.at is quickest without flat positions
SINGLE = frozenset({slice, int, bool, type(None), type(...)})  # types of what names each entry of an index once
LONG = 512  # entries of a row from which a loop over the rows is quickest
MEDIUM = 128  # entries of a row from which it is quicker to copy the first row for each place than to add it to zeros
AT_A_TIME = 1 << 14  # entries of rows that are added by one call
PAIRS = {np.dtype(np.float32): np.complex64, np.dtype(np.float64): np.complex128}


class Grid(tuple):
    """An index of single entries within an array, with an array for each axis. `places` are their flat positions, in the index's shape."""

    def __new__(cls, entries, places):
        self = tuple.__new__(cls, entries)
        self.places = places
        return self

    def __getnewargs__(self):  # for copies and pickles
        return tuple(self), self.places


class Distinct(tuple):
    """An index that names each entry once. Later calls share its arrays, which are read-only."""

    __slots__ = ()


class Scattered:
    """A contribution to x that is 0 except at an index: what x[index] passes to x. It holds only the entries there."""

    __slots__ = ("part", "shape", "index")
    __array_ufunc__ = None  # so that NumPy leaves array + scattered to __radd__
    dtype = None

    def __init__(self, part, shape, index):
        self.part, self.shape, self.index = part, shape, index

    def __radd__(self, total):
        return OwnSum(np.array(total, order="C")) + self

    def __array__(self, dtype=None, copy=None):
        return zeros_with(self.part, self.shape, self.index)


class OwnSum:
    """A sum that adds in place, to an array that nothing else refers to. `total + term` uses up the total: it returns the same object.

    So n parts of x take as long as their entries, and not n times as long as x.

    >>> (OwnSum(np.ones(3)) + Scattered(np.array([2.0, 3.0]), (3,), [0, 0]) + np.ones(3)).array
    array([7., 2., 2.])
    """

    __slots__ = ("array",)

    def __init__(self, array):
        self.array = array

    def total(self):
        return self.array

    def __add__(self, term):
        if type(term) is Scattered:
            add_at(self.array, term.index, term.part)
        else:
            self.array += term
        return self


class Parts:
    """A sum of tensors, each of which is 0 except at its index: what x[i], x[j], ... pass to x if derivatives are differentiated again.

    `total + term` uses up the total, as with OwnSum. When the sum is complete, join(tensors, shape, indices) makes it one variable.
    """

    __slots__ = ("tensors", "shape", "indices", "join")
    dtype = None

    def __init__(self, tensor, shape, index, join):
        self.tensors, self.shape, self.indices, self.join = [tensor], shape, [index], join

    def __add__(self, term):
        self.tensors += term.tensors if type(term) is Parts else [term]
        self.indices += term.indices if type(term) is Parts else [...]
        return self

    def total(self):
        return self.join(self.tensors, self.shape, self.indices)

    def __array__(self, dtype=None, copy=None):
        whole = np.zeros(self.shape)
        for tensor, index in zip(self.tensors, self.indices):
            add_at(whole, index, tensor.data)
        return whole


def zeros_with(part, shape, index):
    """Return zeros of `shape` with the entries of `part` added at an index."""
    if part.size > FEW_ENTRIES and (rows := rows_of(index)) is not None and prod(shape[1:]) >= MEDIUM:
        found = rows_with(part, shape, rows)
        if found is not None:
            return found
    whole = np.zeros(shape, np.asarray(part).dtype)
    if may_repeat(index):
        add_at(whole, index, part)
    else:
        whole[with_ellipsis(index)] = part
    return whole


def rows_of(index):
    """Return the positions along the first axis that are all of an index; None of any other index, and of an empty one."""
    rows = index[0] if type(index) is tuple and len(index) == 1 else index
    return rows if type(rows) is np.ndarray and rows.dtype.kind == "i" and rows.size else None


def rows_with(part, shape, index):
    """Return zeros with rows added: the first row for each place is copied there, without a pass of zeros and a sum.

    None if the rows are not long, and most of them are not the first.
    """
    count, places = shape[0], index.reshape(-1).astype(int, copy=False)  # a position may be too large for their own dtype
    part = part.reshape(len(places), -1)
    places = np.where(places < 0, places + count, places)
    order, first = np.arange(len(places)), np.full(count, -1)
    first[places[::-1]] = order[::-1]  # the last of those that are written in turn remains
    there = first >= 0
    long, most = part.shape[1] >= LONG, np.count_nonzero(there) >= count // 2
    if not long and not (most and np.count_nonzero(there) >= len(places) // 2):
        return None
    if not most:
        whole = np.zeros((count, part.shape[1]), part.dtype)
        whole[there] = part[first[there]]
    else:
        whole = part.take(first, 0, mode="wrap")
        whole[~there] = 0
    others = np.flatnonzero(first[places] != order)
    if not long:
        np.add.at(*of_rows(whole.reshape(-1), places[others], np.ravel(part[others]), part.shape[1]))
        return whole.reshape(shape)
    for place, number in zip(places[others].tolist(), others.tolist()):
        row = whole[place]
        np.add(row, part[number], row)
    return whole.reshape(shape)


@kernel("scatter")
def add_at(whole, index, x):
    """Compute whole[index] += x, where a repeated place adds up all of its entries. `whole` must be C-contiguous."""
    if not may_repeat(index):
        whole[with_ellipsis(index)] += x
        return
    if type(index) is Grid:
        np.add.at(whole.reshape(-1), index.places.reshape(-1), np.ravel(x))
        return
    if x.size > FEW_ENTRIES and is_list_of_columns(index, x, whole.shape[-1]):
        add_columns(whole.reshape(-1, whole.shape[-1]), index[-1].astype(int, copy=False), x.reshape(-1, x.shape[-1]))
        return
    places, length = flat_positions(whole.shape, index) if x.size > FEW_ENTRIES else (None, 1)
    if places is None:
        np.add.at(whole, index, x)
    elif length >= LONG:
        rows = whole.reshape(-1, length)
        for place, part in zip(places.tolist(), x.reshape(-1, length)):
            np.add(rows[place], part, out=rows[place])
    else:
        np.add.at(*of_rows(whole.reshape(-1), places, np.ravel(x), length))  # NumPy is several times as fast along one axis


def is_list_of_columns(index, x, length):
    """Return whether an index is one list of positions along the last axis of an array that has others, such as x[:, [0, 2, ...]]."""
    if type(index) is not tuple or len(index) < 2 or np.ndim(x) != len(index) or type(index[-1]) is not np.ndarray:
        return False
    *before, last = index
    return all(type(one) is slice and one == slice(None) for one in before) and last.dtype.kind in "iu" and within(last, length)


def add_columns(whole, columns, x):
    """Compute whole[:, columns] += x, for some rows at a time: their places relative to the first row are the same for all."""
    length = whole.shape[1]
    many = max(1, AT_A_TIME // len(columns))
    places = (np.arange(min(many, len(whole)))[:, None] * length + np.where(columns < 0, columns + length, columns)).reshape(-1)
    for rows in slices(len(whole), many):
        part = np.ravel(x[rows])
        np.add.at(whole[rows].reshape(-1), places[: part.size], part)


def entries_at(x, index):
    """Return x[index]. Many single entries are read by their flat positions, which takes half the time of NumPy's own index."""
    places = places_at(x.shape, index)
    return x[index] if places is None else x.reshape(-1).take(places, mode="clip").reshape(shape_at(x, index))


def slices_at(x, positions, axis):
    """Return the slices of x at positions along an axis. Columns are read in a fifth less time if NumPy need not check each position."""
    columns = axis == x.ndim - 1 and x.size >= LARGE and positions.size and within(positions, x.shape[axis])
    return x.take(positions, axis, mode="wrap" if columns else "raise")


def places_at(shape, index):
    """Return the flat positions of the entries at an index of an array of this shape; None unless they are many single ones within it."""
    if type(index) is Grid:
        return index.places.reshape(-1)
    if type(index) is not tuple or len(index) != len(shape) or len(shape) < 2:
        return None
    for entry in index:
        if type(entry) is np.ndarray and entry.size > FEW_ENTRIES:
            integers = all(type(one) is np.ndarray and one.dtype.kind == "i" and one.size for one in index)
            return flat_positions(shape, index)[0] if integers else None
    return None


def within(numbers, n):
    """Return whether all integers of a non-empty array are positions along an axis of n entries, counted from the start or the end."""
    return -n <= int(numbers.min()) and int(numbers.max()) < n


def shape_at(x, index):
    """Return the shape of x[index], mostly without reading x."""
    if type(index) is Grid:
        return index.places.shape
    entries = index if type(index) is tuple else (index,)
    rows = 0
    while rows < len(entries) and type(entries[rows]) is slice and entries[rows] == slice(None):
        rows += 1
    if rows < len(entries) and all([type(entry) is np.ndarray and entry.dtype.kind in "iu" for entry in entries[rows:]]):
        return (*x.shape[:rows], *np.broadcast(*entries[rows:]).shape, *x.shape[len(entries) :])
    return x[with_ellipsis(index)].shape


def of_rows(whole, places, x, length):
    """Return the arguments of np.add.at that add the rows of x, of `length` entries, to the rows of `whole` at these places.

    An even row is added as half as many complex numbers. That is the same sum, and NumPy takes about as long for each as for a float.
    """
    if length % 2 == 0 and x.dtype == whole.dtype and x.dtype in PAIRS:
        whole, x, length = whole.view(PAIRS[x.dtype]), x.view(PAIRS[x.dtype]), length // 2
    return whole, (places[:, None] * length + np.arange(length)).reshape(-1) if length > 1 else places, x


def flat_positions(shape, index):
    """Return (places, length): x[index] reads the rows at these places of x, in turn, if x is parted into rows of `length` entries.

    For an index of integers, and of slices before or after them; for any other, and for one that leaves x, places is None.
    """
    index = without_ellipsis(shape, index)
    while isinstance(index[-1], slice) and index[-1] == slice(None):
        index.pop()
    numbers = [None if isinstance(entry, slice) else np.asarray(entry) for entry in index]
    given = [axis for axis, number in enumerate(numbers) if number is not None]
    if given[-1] - given[0] >= len(given) or any(numbers[axis].dtype.kind not in "iu" for axis in given):
        return None, 1
    new_axes = (1,) * max(numbers[axis].ndim for axis in given)
    places = np.zeros((), int)
    for axis, (n, number) in enumerate(zip(shape, numbers)):
        if number is None:
            places = places[..., None] * n + np.arange(*index[axis].indices(n))
            continue
        if axis == given[0]:
            places = places.reshape(*places.shape, *new_axes)
        if number.size and not within(number, n):
            return None, 1
        along_axis = number.astype(int, copy=False)  # a position may be too large for their own dtype
        counted = np.where(along_axis < 0, along_axis + n, along_axis) if along_axis.size and along_axis.min() < 0 else along_axis
        places = places * n + counted
    return places.reshape(-1), prod(shape[len(index) :])


def without_ellipsis(shape, index):
    """Return the index as a list of one entry for each axis, if it has neither None nor masks."""
    index = [*index] if type(index) is tuple else [index]
    at = next((i for i, entry in enumerate(index) if entry is Ellipsis), len(index))
    return [*index[:at], *[slice(None)] * (len(shape) - len(index) + (at < len(index))), *index[at + 1 :]]


def may_repeat(index):
    """Return whether an index may name an entry twice; only integer arrays can."""
    if type(index) is Distinct:
        return False
    for entry in index if isinstance(index, tuple) else (index,):
        if type(entry) not in SINGLE and not isinstance(entry, (np.integer, np.bool)):
            array = np.asarray(entry)
            if array.dtype.kind != "b" and array.size > 1:
                return True
    return False


def with_ellipsis(index):
    """Return the index with an ellipsis, so that it gives an array even for a single entry."""
    index = index if isinstance(index, tuple) else (index,)
    return index if type(...) in map(type, index) else (*index, Ellipsis)

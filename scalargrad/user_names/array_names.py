"""The names of the plain arrays that a program computes with, X and Xᵀ. An array cannot hold its name, so they stand here while it lives.

A function keeps a copy of such an array, so the name is found by shape and numbers. If two arrays fit, the copy has no name.
"""

from weakref import ref

from scalargrad.graph import by_key

MOST_ROWS = 1000  # of an array of which each item may be a name of its own
NAMES: dict = {}  # {id of an array: (a weak reference to it, its name)}


def is_array(x):
    """Return whether this is an array of NumPy that holds numbers; scalargrad itself does not import NumPy."""
    return type(x).__name__ == "ndarray" and x.ndim > 0 and x.dtype.kind in "biuf"


def fitting_arrays(a, known):
    """Return {id of an array: its name} for the known arrays that have the numbers of `a`, or else those of its transpose."""
    found: dict = {}
    for name, x in known:
        if id(x) not in found and same(a, x):
            found[id(x)] = name
    return found or {id(x): f"{name}ᵀ" for name, x in known if a.ndim == 2 and same(a.T, x)}


def fitting_rows(a, known):
    """Return {(id of an array, k): name[k]} for the arrays of which `a` is one item, such as X[2] in a loop over the rows of X."""
    found: dict = {}
    for name, x in known:
        if x.ndim > 1 and 0 < len(x) <= MOST_ROWS and x[0].size == a.size > 1 and have_one_shape(a, x[0]):
            equal = (x.reshape(len(x), -1).astype(a.dtype) == a.reshape(-1)).all(axis=1)
            found |= {(id(x), k): f"{name}[{k}]" for k in equal.nonzero()[0]}
    return found


def name_arrays(arrays, held, fitting=fitting_arrays):
    """Give each of these arrays the name that code has for the one array in `held`, [(name, object)], which has its numbers.

    Return the arrays that no array in `held` fits. `fitting` is fitting_arrays, or fitting_rows.
    """
    known = [(name, x) for name, x in held if is_array(x)]
    others = []
    for a in arrays:
        found = fitting(a, known)
        if len(found) == 1:
            place = id(a)
            NAMES[place] = ref(a, lambda _, place=place: NAMES.pop(place, None)), *found.values()
        elif not found:
            others.append(a)
    return others


def numbered(held):
    """Return [(name, array)] with x_1, x_2, … in place of a name that several arrays had one after the other."""
    return [(name if len(arrays) == 1 else f"{name}_{k}", x) for name, arrays in by_key(held).items() for k, x in enumerate(arrays, 1)]


def same(a, x):
    """Return whether two arrays have the same numbers and the same axes, but for those of length 1."""
    return have_one_shape(a, x) and bool((a.reshape(-1) == x.reshape(-1).astype(a.dtype)).all())


def have_one_shape(a, x):
    sides = [[n for n in shape if n != 1] for shape in (a.shape, x.shape)]
    turned = a.ndim == x.ndim == 2 and a.shape != x.shape  # a row and a column
    return sides[0] == sides[1] and not turned


def name_of_array(a):
    """Return the name that a program has for an array, or None."""
    found = NAMES.get(id(a))
    return found[1] if found and found[0]() is a else None

"""The dtype of plain arrays and numbers: floats keep theirs; integers and booleans count as float64, as in a Tensor."""

import numpy as np

from tensorgrad.arrays.operands import FLOATS, operand

ARRAY = np.ndarray
WHOLE = 2**53  # up to here float64 holds every integer exactly


def as_floats(name, values, may_lack=False, masks=()):
    """Return `values`, the arguments of the function `name`, as arrays and numbers of float32 or float64.

    Integers and booleans take the dtype of a tensor or an array of floats beside them. Booleans at the places `masks`, which are
    conditions, stay. Numbers alone become 0-d arrays. With `may_lack` a value may be None. Raises TypeError for other values.
    """
    if all_fit(values, masks):
        return values
    found = [x if type(x) is ARRAY and x.dtype in FLOATS else counted(name, x, may_lack) for x in values]
    kind = kind_among(found)
    if not any(hasattr(x, "node") or type(x) is ARRAY for x in found):
        return [x if x is None else np.asarray(x, kind or FLOATS[0]) for x in found]
    return [
        x.astype(kind or FLOATS[0]) if type(x) is ARRAY and x.dtype.kind in ("iu" if kind and i in masks else "iub") else x
        for i, x in enumerate(found)
    ]


def all_fit(values, masks):
    """Return whether all values are fine as they are: arrays of floats, conditions, and Python's numbers beside arrays."""
    floats = False
    for i, x in enumerate(values):
        kind = type(x)
        if kind is ARRAY:
            if x.dtype in FLOATS:
                floats = floats or i not in masks
            elif i not in masks or x.dtype != bool:
                return False
        elif kind is not float and (kind is not int or not -WHOLE <= x <= WHOLE):
            return False
    return floats


def kind_among(values):
    """Return the dtype of the first tensor, array or NumPy number that holds floats; None if there is none."""
    return next((x.dtype for x in values if hasattr(x, "dtype") and x.dtype in FLOATS), None)


def counted(name, x, may_lack):
    """Return `x` as a float or as an array of real numbers; a tensor as it is."""
    if hasattr(x, "node") or (x is None and may_lack) or (isinstance(x, np.floating) and x.dtype in FLOATS):
        return x
    if type(x) is ARRAY and x.dtype == object:
        return x  # of Values
    x = operand(name, x, ())
    if type(x) is not ARRAY:
        return float(x)
    own = x.dtype.newbyteorder("=")
    return x if x.dtype.kind != "f" else x.astype(own if own in FLOATS else FLOATS[0], copy=False)

"""What plain arrays and numbers count as: floats keep their kind; whole numbers and truth values count as float64, as in a Tensor."""

import numpy as np

from tensorgrad.operands import FLOATS, operand

ARRAY = np.ndarray
WHOLE = 2**53  # up to here every whole number is a float


def as_floats(name, values, may_lack=False, masks=()):
    """`values`, arguments of the function `name`, as floats: arrays and numbers of float32 or float64. TypeError for what is neither.

    Beside floats (of a tensor, too) whole numbers take the kind of those; truth values too, but at the places `masks`, which are
    conditions. Numbers alone become arrays without axes. With `may_lack` a value may be None.
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
    """Whether there is nothing to do, as a rule: float arrays, conditions and numbers of Python's, which take the kind of the arrays."""
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
    """The kind of the first tensor, or array or number of NumPy's, that holds floats; None if there is none."""
    return next((x.dtype for x in values if hasattr(x, "dtype") and x.dtype in FLOATS), None)


def counted(name, x, may_lack):
    """`x` as a number that counts as a float, or as an array of real numbers; a tensor as it is."""
    if hasattr(x, "node") or (x is None and may_lack) or (isinstance(x, np.floating) and x.dtype in FLOATS):
        return x
    if type(x) is ARRAY and x.dtype == object:
        return x  # of Values
    x = operand(name, x, ())
    if type(x) is not ARRAY:
        return float(x)
    own = x.dtype.newbyteorder("=")
    return x if x.dtype.kind != "f" else x.astype(own if own in FLOATS else FLOATS[0], copy=False)

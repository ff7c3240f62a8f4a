"""The variables that a program has made: numbers, and arrays if the program has imported their engine, which the page may not have."""

import gc
import sys

import scalargrad
from scalargrad import Value
from scalargrad.graph import ancestors

MOST_CHECKED = 100  # variables of a graph that is checked without being asked


def types():
    """Return the types of variables that a program can have made."""
    arrays = sys.modules.get("tensorgrad")
    return (Value, arrays.Tensor) if arrays else (Value,)


def alive():
    """Return all variables that exist."""
    known = types()
    return [v for v in gc.get_objects() if issubclass(type(v), known)]


def checked(z):
    """Return one sentence: whether finite differences agree with the derivatives of z."""
    size = len(ancestors(z)) + 1
    if size > MOST_CHECKED:
        return f"a graph of {size:,} variables; check(z) compares their derivatives with finite differences"
    check = scalargrad.check if isinstance(z, Value) else sys.modules["tensorgrad"].check
    try:
        return str(check(z)).splitlines()[0]
    except Exception as wrong:
        return f"check(z): {wrong}"

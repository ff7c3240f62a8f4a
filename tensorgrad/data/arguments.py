"""Check the arguments that data sets, loaders and transforms share: sizes, shares and seeds."""

from numbers import Integral, Real

from scalargrad.errors import brief, wrong_type


def must_be_integer(function, smallest, /, **given):
    """Raise TypeError or ValueError for an argument that is not an integer of at least `smallest`."""
    for name, n in given.items():
        if not isinstance(n, Integral) or isinstance(n, bool):
            raise wrong_type(function, name, n, "an integer")
        if n < smallest:
            raise ValueError(f"{function}: {name}={brief(n)} is smaller than {smallest}")


def must_be_number(function, smallest, largest, /, **given):
    """Raise TypeError or ValueError for an argument that is not a number from `smallest` to `largest`."""
    for name, x in given.items():
        if not isinstance(x, Real) or isinstance(x, bool):
            raise wrong_type(function, name, x, "a number")
        if not smallest <= x <= largest:
            raise ValueError(f"{function}: {name}={brief(x)} is not between {smallest} and {largest}")

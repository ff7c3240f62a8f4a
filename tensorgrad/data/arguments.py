"""Check the arguments that data sets, loaders and transforms share: sizes, shares, seeds and transforms."""

import inspect
from contextlib import suppress
from numbers import Integral, Real

from scalargrad.errors import brief, wrong_type


def must_be_integer(function, smallest, /, **given):
    """Raise TypeError or ValueError for an argument that is not an integer of at least `smallest`."""
    for name, n in given.items():
        if not isinstance(n, Integral) or isinstance(n, bool):
            raise wrong_type(function, name, n, "an integer")
        if n < smallest:
            raise ValueError(f"{function}: {name}={brief(n)} is smaller than {smallest}")


def must_be_bool(function, **given):
    """Raise TypeError for an argument that is not True or False: train="test" would count as True."""
    for name, x in given.items():
        if not isinstance(x, bool):
            raise wrong_type(function, name, x, "True or False")


def must_be_transform(function, transform):
    """Raise TypeError for a transform that cannot be called with an array and a generator."""
    if isinstance(transform, type):
        raise TypeError(f"{function}: {transform.__name__} is a class; make a transform of it: {transform.__name__}(...)")
    if not callable(transform):
        raise TypeError(f"{function}: {brief(transform)} is not a function (x, generator)")
    with suppress(ValueError):  # some functions of C have no signature
        try:
            inspect.signature(transform).bind(None, None)
        except TypeError:
            wrong = f"{function}: {brief(transform)} does not take (x, generator)"
            raise TypeError(f"{wrong}; write lambda x, generator: ...") from None


def must_be_number(function, smallest, largest, /, **given):
    """Raise TypeError or ValueError for an argument that is not a number from `smallest` to `largest`."""
    for name, x in given.items():
        if not isinstance(x, Real) or isinstance(x, bool):
            raise wrong_type(function, name, x, "a number")
        if not smallest <= x <= largest:
            raise ValueError(f"{function}: {name}={brief(x)} is not between {smallest} and {largest}")

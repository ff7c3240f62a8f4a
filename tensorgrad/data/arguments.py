"""Check the arguments that data sets and loaders share: truth values and transforms."""

import inspect
from contextlib import suppress

from scalargrad.messages.errors import brief, wrong_type


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

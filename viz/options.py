"""What an option of a function in viz may be. An option has one row here, and means the same in every function."""

import os
from collections.abc import Mapping, Sequence

from scalargrad.callers import called_function
from scalargrad.messages.errors import brief, is_integer, is_number


def is_text(x):
    return isinstance(x, str)


def is_length(x):
    return is_number(x) and x > 0  # also where it is inf, but not where it is nan


def are_scopes(x):
    return x is None or is_text(x) or (isinstance(x, Sequence) and all(map(is_text, x)))


def is_dictionary(x):
    return x is None or isinstance(x, Mapping)


# fmt: off
OPTIONS = {  # name: (what fits, what it is)
    "title":     (is_text,       "text"),
    "seconds":   (is_number,     "a number: how long each step is shown, for example 1.5"),
    "width":     (is_length,     "a positive number of points: a drawing that is wider is broken into rows"),
    "height":    (is_length,     "a positive number of points: of a higher graph each step shows the part that it is about"),
    "step":      (lambda x: x is None or is_integer(x), "the number of a step, an integer"),
    "names":     (is_dictionary, "a dictionary {variable: name}"),
    "gradients": (is_dictionary, "a dictionary {variable: derivative}"),
    "fold":      (are_scopes,    "the name of a scope, or a list of names"),
    "expand":    (are_scopes,    "the name of a scope, or a list of names"),
    "path":      (lambda x: isinstance(x, str | os.PathLike), "the name of a file"),
    "file":      (lambda x: x is None or callable(getattr(x, "write", None)), "an open file, which has a method write"),
}
# fmt: on
MORE = {"depth": ": 1 folds the outermost scopes", "blanks": ", or 'all'"}  # what an error adds


def require(**options):
    """Raise TypeError for the first option that does not fit its row. The error names the function that the user called."""
    for name, x in options.items():
        fits, what = OPTIONS[name]
        if not fits(x):
            raise TypeError(f"{called_function()}: {name}={brief(x)} is not {what}")


def count(**option):
    """Raise ValueError for an option that is not an integer from 1 on."""
    ((name, given),) = option.items()
    if type(given) is not int or given < 1:
        raise ValueError(f"{called_function()}: {name} is {brief(given)}; it must be an integer from 1 on{MORE.get(name, '')}")


def choose(known, **option):
    """Raise ValueError for an option that is not among the known ones, which are words or None."""
    ((name, given),) = option.items()
    if not (given is None or is_text(given)) or given not in known:
        raise ValueError(f"{called_function()}: {name} is {brief(given)}; choose one of {', '.join(map(repr, known))}")

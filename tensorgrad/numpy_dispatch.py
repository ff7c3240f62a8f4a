"""Dispatch NumPy functions to tensorgrad: np.tanh(A @ B), ndarray * tensor and np.sum(t, axis=0) call our functions.

A NumPy function that has no rule here is refused by name; nothing is silently computed outside the graph.
"""

from functools import cache
from inspect import signature

import numpy as np

from scalargrad.messages.errors import brief
from tensorgrad.arrays import operands
from tensorgrad.errors import errors
from tensorgrad.tensor import Tensor, array_of

DISPATCH: dict = {}  # {NumPy's function: ours}


def of_the_arrays(function):
    """Return a NumPy function without a derivative (a shape, an index, a comparison) as a function of the arrays of tensors."""
    return lambda *args, **settings: function(*map(array_of, args), **{name: array_of(x) for name, x in settings.items()})


LOOKS = (
    *(np.shape, np.ndim, np.size, np.array_equal, np.array_equiv, np.allclose, np.isclose, np.array_repr, np.array_str, np.array2string),
    *(np.zeros_like, np.ones_like, np.empty_like, np.nonzero, np.flatnonzero, np.argwhere, np.count_nonzero, np.may_share_memory),
)
DISPATCH.update({function: of_the_arrays(function) for function in LOOKS})
DISPATCH[np.shape] = lambda a: a.shape  # is asked most


THEIRS = {"out", "dtype", "copy", "order", "kind", "mode", "subok", "initial", "where"}  # arguments that our functions do not take


def numpy(*theirs):
    """Decorate a function with those of NumPy that call it for tensors. Functions of one name, as np.tanh and tanh, need no mark."""

    def marked(function):
        DISPATCH.update(dict.fromkeys(theirs, function))
        return function

    return marked


def open_for(functions):
    """Dispatch NumPy's functions, also of np.linalg, that have the names of ours, unless they are marked otherwise."""
    for name, function in functions.items():
        for theirs in (getattr(np, name, None), getattr(np.linalg, name, None)):
            if callable(theirs):
                DISPATCH.setdefault(theirs, function)


@cache
def theirs_alone(function):
    """Return (number of leading arguments that both functions take, the next one, which ours does not take), or None."""
    try:
        parameters = signature(function).parameters.values()
    except ValueError:  # a function of C without a signature
        return None
    names = [p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    ours = list(signature(DISPATCH[function]).parameters)
    return next(((i, n) for i, n in enumerate(names) if n in THEIRS and n not in ours[: i + 1]), None)


def __array_ufunc__(self, ufunc, method, *inputs, **settings):
    """Call our function for a ufunc. NumPy calls this if an argument is a tensor."""
    reduced = {"add": np.sum, "multiply": np.prod, "maximum": np.max, "minimum": np.min}
    called = ufunc if method == "__call__" else reduced.get(ufunc.__name__) if method == "reduce" else None
    if called is not None and settings.get("out") is None and called in DISPATCH:
        if method == "reduce" and "axis" not in settings:
            settings["axis"] = 0
        return DISPATCH[called](*inputs, **settings)
    name = f"np.{ufunc.__name__}" + (f".{method}" if method != "__call__" else "")
    if settings.get("out") is not None:
        raise TypeError(errors.no_out(name))
    raise TypeError(errors.no_rule(name))


def called(function):
    """Return what a program calls a function of NumPy: np.linalg.norm."""
    return f"{function.__module__.replace('numpy', 'np', 1)}.{function.__name__}"


def __array_function__(self, function, types, args, settings):
    """Call our function for any other NumPy function. NumPy calls this if an argument is a tensor."""
    if settings.get("out") is not None:
        raise TypeError(errors.no_out(called(function)))
    if function not in DISPATCH:
        raise TypeError(errors.no_rule(called(function)))
    if len(args) > 1 and function not in LOOKS and (alone := theirs_alone(function)) and len(args) > alone[0]:
        what = f"{alone[1]}={brief(args[alone[0]])}"
        raise TypeError(f"{called(function)}: {what} has no meaning here; leave it out, and give the arguments after it by name")
    return DISPATCH[function](*args, **settings)


def _mask(self):
    """Raise TypeError for np.ma, which would continue with the plain array: the mask, or the graph, would be lost."""
    raise TypeError(f"np.ma: {operands.MASKED}")


HOOKS = {"__array_ufunc__": __array_ufunc__, "__array_function__": __array_function__, "_mask": property(_mask)}
for _name, _hook in HOOKS.items():
    setattr(Tensor, _name, _hook)

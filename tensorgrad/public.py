"""@public: what all public functions that are not rules share: arguments as arrays, a result of their own, errors in our words."""

import inspect
from collections.abc import Callable
from functools import partial, wraps
from typing import TypeVar

import numpy as np

from tensorgrad.errors import calls
from tensorgrad.errors.calls import FROM_WITHIN
from tensorgrad.floats import ARRAY, as_floats, kind_among
from tensorgrad.identity import identity
from tensorgrad.operands import FLOATS, operand
from tensorgrad.tensor import Tensor

F = TypeVar("F", bound=Callable)

# fmt: off
ARRAYS = {  # a parameter of one of these names is an array of floats (or a tensor), in every public function
    "x", "x1", "x2", "x_q", "x_k", "x_v", "a", "b", "q", "v", "A", "B", "C", "W", "weight", "bias", "residual", "pos_weight",
    "in_bias", "out_weight", "out_bias", "input", "target", "var", "table", "src", "values",
}
KEPT = {"mask"}  # and of one of these an array that keeps its dtype
# fmt: on


def public(function: F | None = None, *, arrays=(), keeps=()) -> F:
    """Make a function public: lists and integers become arrays of floats, and errors name the function and its signature.

    `arrays` names parameters that are arrays in this function only. `keeps` names those whose arrays keep their dtype, such as
    classes, indices and masks. A result that is one of the arguments is copied. Rules do all this too.

    >>> @public
    ... def first(x, axis=0): return x[0]
    >>> first([3, 4]).item()
    3.0
    >>> first([3, 4], dim=0)
    Traceback (most recent call last):
    TypeError: first: unknown argument dim= (here: axis, as in NumPy); signature: first(x, axis=0)
    """
    if function is None:
        return partial(public, arrays=arrays, keeps=keeps)  # type: ignore[return-value]
    name, signature = function.__name__, inspect.signature(function)
    names, kept = list(signature.parameters), {*KEPT, *keeps}
    arrays = {n for n in names if n in ARRAYS | kept} | set(arrays)
    is_array = [n in arrays for n in names] or [False]
    last = len(is_array) - 1

    def fits(x):
        return x is None or (type(x) is ARRAY and x.dtype in FLOATS)

    @wraps(function)
    def call(*args, **options):
        for i, x in enumerate(args):
            if type(x) is not Tensor and is_array[i if i < last else last] and not fits(x):
                args, options = taken(args, options)
                break
        else:
            for n, x in options.items():
                if type(x) is not Tensor and n in arrays and not fits(x):
                    args, options = taken(args, options)
                    break
        try:
            y = function(*args, **options)
        except FROM_WITHIN as wrong:
            given = calls.must_bind(name, signature, args, options).arguments
            raise calls.explained(name, signature, given, wrong) from None
        if type(y) is Tensor or type(y) is ARRAY:
            for x in (*args, *options.values()) if options else args:
                if x is y:
                    return identity(y) if type(y) is Tensor else y.copy()
        return y

    def taken(args, options):
        """Return the arguments, with arrays of floats for parameters that are arrays."""
        given = {**{i: (names[min(i, last)], x) for i, x in enumerate(args)}, **{n: (n, x) for n, x in options.items()}}
        floats = {place: x for place, (n, x) in given.items() if n in arrays and n not in kept}
        found = {place: operand(name, x, ()) if type(x) in (list, tuple) and n in kept else x for place, (n, x) in given.items()}
        arrays_alone = as_floats(name, floats.values(), may_lack=True)
        kind = kind_among(arrays_alone)
        found |= {place: np.asarray(x, kind) if type(x) is float else x for place, x in zip(floats, arrays_alone)}
        return [found[i] for i in range(len(args))], {n: found[n] for n in options}

    return call  # type: ignore[return-value]

"""What all public functions that are no rules have in common: lists stand for arrays, and a call that does not fit is explained."""

import inspect
from collections.abc import Callable
from functools import wraps
from typing import TypeVar

from tensorgrad import words
from tensorgrad.refusals import operand

F = TypeVar("F", bound=Callable)

# fmt: off
ARRAYS = {  # a parameter of one of these names is an array (or a tensor), in every public function
    "x", "x1", "x2", "x_q", "x_k", "x_v", "a", "b", "q", "v", "A", "B", "C", "W", "weight", "bias", "residual", "pos_weight",
    "in_bias", "out_weight", "out_bias", "mask", "input", "target", "var", "table", "src", "values",
}
# fmt: on


def public(function: F) -> F:
    """A function that users call: (nested) lists are made arrays, and a wrong call is answered in our words. Rules do so themselves.

    >>> @public
    ... def first(x, axis=0): return x[0]
    >>> first([3, 4]).item()
    3
    >>> first([3, 4], dim=0)
    Traceback (most recent call last):
    TypeError: first: there is no dim= (it is called axis, as in NumPy); it is first(x, axis=0)
    """
    name, signature = function.__name__, inspect.signature(function)
    arrays = [n in ARRAYS for n in signature.parameters]

    @wraps(function)
    def call(*args, **options):
        for i, x in enumerate(args):
            if (type(x) is list or type(x) is tuple) and arrays[min(i, len(arrays) - 1)]:
                args = (*args[:i], operand(name, x, ()), *args[i + 1 :])
        for n, x in options.items():
            if (type(x) is list or type(x) is tuple) and n in ARRAYS:
                options[n] = operand(name, x, ())
        try:
            return function(*args, **options)
        except (TypeError, IndexError) as wrong:
            given = words.must_bind(name, signature, args, options).arguments
            raise words.wrong_kind(name, signature, given) or wrong from None

    return call  # type: ignore[return-value]

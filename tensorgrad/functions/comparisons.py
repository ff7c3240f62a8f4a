"""Comparisons and logic, entry by entry. The results are plain truth values, which have no gradient."""

from inspect import Parameter, Signature

import numpy as np

from tensorgrad.arrays import operands
from tensorgrad.arrays.errstate import quietly
from tensorgrad.errors import errors
from tensorgrad.public import AsGiven, method
from tensorgrad.tensor import Tensor

# fmt: off
__all__ = [
    "greater", "greater_equal", "less", "less_equal", "equal", "not_equal",
    "logical_and", "logical_or", "logical_xor", "logical_not", "isnan", "isinf", "isfinite", "signbit",
]
# fmt: on


def comparison(ufunc):
    """Return NumPy's `ufunc` as a function of numbers, arrays and tensors."""
    name = ufunc.__name__

    def compare(*args):
        if len(args) != ufunc.nin:
            raise TypeError  # NumPy would write the result into a further array; `public` words the error
        values = [x._data if type(x) is Tensor else operands.operand(name, x, args) for x in args]
        try:
            return quietly(ufunc, *values)
        except ValueError:
            raise errors.clash(name, values) from None

    compare.__name__ = name
    compare.__signature__ = Signature([Parameter(n, Parameter.POSITIONAL_OR_KEYWORD, annotation=AsGiven) for n in "ab"[: ufunc.nin]])
    entries, text = ([0.0, -np.inf, np.nan], "[0.0, -np.inf, np.nan]") if ufunc.nin == 1 else ([1.0, 2.0], "[1.0, 2.0]")
    compare.__doc__ = (
        f"Return np.{name} of the entries as plain truth values, which have no gradient.\n\n"
        f">>> {name}(Tensor({text}){', 2.0' * (ufunc.nin - 1)})\n{ufunc(*[np.array(entries), 2.0][: ufunc.nin])!r}"
    )
    return method(compare)


# fmt: off
greater,     greater_equal = comparison(np.greater),     comparison(np.greater_equal)
less,        less_equal    = comparison(np.less),        comparison(np.less_equal)
equal,       not_equal     = comparison(np.equal),       comparison(np.not_equal)
logical_and, logical_or    = comparison(np.logical_and), comparison(np.logical_or)
logical_xor, logical_not   = comparison(np.logical_xor), comparison(np.logical_not)
isnan,       isinf         = comparison(np.isnan),       comparison(np.isinf)
isfinite,    signbit       = comparison(np.isfinite),    comparison(np.signbit)
# fmt: on


def sameness(function):
    """Return == or != of tensors. For an operand that is neither a number nor an array, Python decides: a tensor is not None."""

    def compare(self, other):
        try:
            return function(self, other)
        except TypeError:
            return NotImplemented

    return compare


OPERATORS = {
    "__gt__": lambda a, b: greater(a, b),
    "__ge__": lambda a, b: greater_equal(a, b),
    "__lt__": lambda a, b: less(a, b),
    "__le__": lambda a, b: less_equal(a, b),
    "__eq__": sameness(equal),
    "__ne__": sameness(not_equal),
}
for _sign, _compare in OPERATORS.items():
    setattr(Tensor, _sign, _compare)

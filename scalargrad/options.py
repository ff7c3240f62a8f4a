"""Functions with options, made of rows of the table; and FUNCTIONS, the public function of each name.

They use rows and operators alone. So they serve plain numbers, Values, formulas and, in tensorgrad, arrays.
"""

from functools import wraps
from inspect import signature
from math import inf
from typing import Any

from scalargrad import rules
from scalargrad.rule import unknown_argument

__all__ = ["sqrt", "clamp", "round", "softplus", "gelu"]


def made_of(row):
    """Decorate a function with the row that its help describes. A call with an unknown argument raises our error."""

    def answering(function):
        name, takes = function.__name__, signature(function)

        @wraps(function)
        def call(*args, **named):
            for word in named:
                if word not in takes.parameters:
                    raise unknown_argument(name, word, takes)
            return function(*args, **named)

        call.row = row
        return call

    return answering


@made_of(rules.sqrt)
def sqrt(x, total=False):
    """With total=True the derivative is 0 for all x <= 0."""
    return (rules.sqrt_total if total else rules.sqrt)(x)


@made_of(rules.clamp)
def clamp(x, min=None, max=None, total=False):
    """Either bound may be left out. Where min > max the result is max. With total=True the derivative is 0 on a bound.

    Raises ValueError if both bounds are left out.
    """
    if min is None and max is None:
        raise ValueError("clamp: neither min nor max is given; give one of them, or both")
    return (rules.clamp_open if total else rules.clamp)(x, -inf if min is None else min, inf if max is None else max)


@made_of(rules.round)
def round(x, decimals=0):
    """With decimals=2 the result is the nearest number with two decimals. A negative number of decimals rounds to tens."""
    return rules.round(x) if decimals == 0 else rules.round(x * 10.0**decimals) / 10.0**decimals


@made_of(rules.softplus)
def softplus(x, beta=1, threshold=None):
    """With beta the value is log(1 + exp(beta · x)) / beta.

    With threshold: if beta · x > threshold, the value is x and the derivative is 1.

    PyTorch's default, threshold=20, changes the value by less than 3e-9.
    """
    y = rules.softplus(x) if beta == 1 else rules.softplus(x * beta) / beta
    return y if threshold is None else rules.where(x * beta > threshold, x, y)


@made_of(rules.gelu)
def gelu(x, approximate="none"):
    """approximate="tanh" replaces erf by tanh, which is right to about three digits. Raises ValueError for any other text."""
    if approximate not in ("none", "tanh"):
        raise ValueError(f"gelu: approximate={approximate!r} is unknown; use 'none' or 'tanh'")
    return (rules.gelu if approximate == "none" else rules.gelu_tanh)(x)


#: the public function of each name: a row, or the function with options that replaces it
FUNCTIONS: dict[str, Any] = {row.name: row for row in rules.TABLE if not row.option_of} | {name: globals()[name] for name in __all__}
#: those that are also methods of a variable; where is not, because its first argument is the condition
METHODS = {name: function for name, function in FUNCTIONS.items() if function is not rules.where}

"""A number that knows its largest error by rounding: whether 1.1e-16 is a small number, or a 0 that was not computed exactly.

Each sum and product rounds its result, and passes on the errors of what it takes.
Source: Higham, "Accuracy and Stability of Numerical Algorithms", 2002, section 3.3 (running error analysis).
"""

import operator
from math import inf, isfinite
from sys import float_info

from scalargrad.numeric import held

EPSILON = float_info.epsilon  # relative error of a number; the nearest float is at most half as far
NEGLIGIBLE = 1e-9  # beside its terms: a larger number is shown, even if rounding may have made it
NOTHING = 1e-9  # what comes of lost digits is 0 only if it is small, too
add, mul = held(operator.add), held(operator.mul)  # no integer is too large for them


class Rounded(float):
    """A float that knows its largest error by rounding. It is `lost` if nothing but errors is left of the terms that made it.

    Sums and products of such numbers are such numbers. As a float, in JSON and in `repr`, it is the number that was computed.

    >>> x = Rounded(0.1) + Rounded(0.2); x + -0.3, (x + -0.3).lost, (x + -0.2).lost, Rounded(1e-20).lost
    (5.551115123125783e-17, True, False, False)
    """

    __slots__ = ("error", "lost")

    def __new__(cls, number, error=0.0, lost=False):
        found = super().__new__(cls, number)
        found.error, found.lost = error + EPSILON * abs(number), lost
        return found

    def __add__(self, other):
        if not isinstance(other, float | int):
            return NotImplemented
        return self if other == 0 and not error_of(other) else settled(self, other, float(self) + float(other), (1, 1))

    def __mul__(self, other):
        if not isinstance(other, float | int):
            return NotImplemented
        return self if other == 1 and not error_of(other) else settled(self, other, float(self) * float(other), (other, self))

    __radd__, __rmul__ = __add__, __mul__

    def __neg__(self):
        return Rounded(-float(self), self.error, self.lost)

    def __reduce__(self):
        return float, (float(self),)


def settled(a, b, number, partials):
    return made(number, [a, b], partials)


def made(number, inputs, partials):
    """Return what a function makes of its inputs, a plain number if it is exact or not finite."""
    if not is_rounded(number):
        return number
    size, error = abs(number), sum([mul(abs(p), error_of(x)) for x, p in zip(inputs, partials)])
    if not error < inf:
        return number
    cancelled = size <= NEGLIGIBLE * sum([mul(abs(p), abs(x)) for x, p in zip(inputs, partials)])
    lost = size <= error + EPSILON * size and (cancelled or (size <= NOTHING and any(map(is_lost, inputs))))
    return Rounded(number, error, lost)


def error_of(x):
    """Return how wrong a number may be by rounding; integers and fractions are exact."""
    return x.error if isinstance(x, Rounded) else 0.0


def is_lost(x):
    """Return whether a number is only the rounding of terms that cancel. Then it is not 0, but as good as 0."""
    return isinstance(x, Rounded) and x.lost


def is_rounded(number):
    """Return whether a number may have lost digits: a finite float."""
    return isinstance(number, float) and isfinite(number)

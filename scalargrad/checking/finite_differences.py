"""Finite differences: the slope of a function at a point, and the derivatives that agree with it. Serves numbers and arrays.

v is the step from the point x; for arrays it is a direction, and a slope along v has one entry for each entry of the result.
"""

import sys
from typing import NamedTuple

RELATIVE, SMALLEST, LARGEST = 1e-3, 1e-6, 1e-2  # the step: relative to x between these bounds
VALUE_ERROR = 1e-15  # of the values of a function, relative
LEAST = sys.float_info.min  # below it floats have fewer digits, down to none: smaller differences count as equal
CLOSER = 1e-2  # a second look from a hundredth of the distance leaves out a kink near x


def step(x):
    """Return the step at x: about 1e-3 · |x|, but at least 1e-6, and at most 1e-2 (1e-6 · |x| where that is more)."""
    size = abs(x)
    return SMALLEST * (1 + size) + RELATIVE * size / (1 + size * RELATIVE / LARGEST)


def around(x, v):
    """Return the five points at which `slope` needs the function."""
    return x - v, x - v / 2, x, x + v / 2, x + v


class Slope(NamedTuple):
    """How much a function changes along v."""

    value: float
    size: float  # |value|
    width: float  # at a kink: how far the slopes of its two sides are from value; else 0
    noise: float  # how wrong value may be
    known: bool  # false at a jump and at the border of the domain

    def allows(self, got, tolerance, floor=0.0):
        """Return whether `got` agrees, up to the relative `tolerance`, the noise and `floor`. An unknown slope allows everything."""
        slack = tolerance * max(abs(got), self.size) + self.noise + floor
        return not self.known or bool(abs(got - self.value) <= self.width + slack)

    def weighted(self, G):
        """Return the slope of the sum over all entries times G, for a slope that holds arrays."""
        sums = [(abs(G) * spread).sum() for spread in (self.size, self.width, self.noise)]
        return Slope((G * self.value).sum(), *sums, bool(self.known.all()))


def slope(values):
    """Return the Slope of a function from its `values` at the five points around x: Richardson's extrapolation to step 0."""
    far_left, left, here, right, far_right = values
    wide, narrow = (far_right - far_left) / 2, right - left
    rounding = VALUE_ERROR * (abs(here) + abs(far_left) + abs(far_right))
    on_the_left, on_the_right = 2 * (here - left), 2 * (right - here)
    bend, wide_bend = abs(on_the_right - on_the_left), abs(far_right - 2 * here + far_left)
    noticeable = (bend > 1e-3 * abs(on_the_left)) & (bend > 1e-3 * abs(on_the_right))
    kink = (bend > 0.75 * wide_bend) & noticeable  # a smooth function bends half as much at half the step
    steady = (abs(narrow) <= 1.9 * abs(wide)) | (abs(narrow) <= 100 * rounding)  # over a jump, half the step has twice the slope
    value = narrow + (1 - kink) * (narrow - wide) / 3
    return Slope(value, abs(value), kink * bend / 2, abs(narrow - wide) / 10 + rounding + LEAST, steady & (abs(value) < float("inf")))


def agrees(slope_at, got, tolerance, floor=0.0):
    """Return whether `got` agrees with the slope along v or, nearer to x, along v / 100. slope_at(c) is the slope along c · v."""
    return any(slope_at(c).allows(got * c, tolerance, floor * c) for c in (1, CLOSER))

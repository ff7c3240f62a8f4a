"""What the arguments of schedules and of clipping must be."""

from math import isfinite
from numbers import Integral, Real

from scalargrad.errors import wrong_type


def number(who, name, x):
    if not isinstance(x, Real) or isinstance(x, bool):
        raise wrong_type(who, name, x, "a number")
    return x


def finite(who, name, x):
    if not isfinite(number(who, name, x)):
        raise ValueError(f"{who}: {name}={x} is not finite")
    return x


def positive(who, name, x):
    if not isinstance(x, Integral) or isinstance(x, bool) or x < 1:
        raise wrong_type(who, name, x, "a positive integer")
    return int(x)


def several(who, name, xs):
    if not isinstance(xs, list | tuple) or not xs:
        raise wrong_type(who, name, xs, "a list")
    return list(xs)


def each_group(who, name, x, groups):
    """Return a list with a number for each parameter group. Raises ValueError for a number below 0, or another count of numbers."""
    found = list(x) if isinstance(x, list | tuple) else [x] * groups
    if groups and len(found) != groups:
        raise ValueError(f"{who}: {name} has {len(found)} numbers for {groups} parameter groups; give one for each group")
    for one in found or [x]:
        if finite(who, name, one) < 0:
            raise ValueError(f"{who}: {name}={one} is out of range; it must be 0 or more")
    return found

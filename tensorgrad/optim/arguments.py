"""What the arguments of schedules and of clipping must be."""

from math import isfinite

from scalargrad.messages.errors import is_number, number, wrong_type


def finite(who, name, x, least=None):
    if is_number(x) and not isfinite(x):
        raise ValueError(f"{who}: {name}={x} is not finite")
    return number(who, name, x, least)


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
        finite(who, name, one, 0)
    return found

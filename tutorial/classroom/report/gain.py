"""The gain between two votes: the share of wrong answers that became right. Its interval is from the jackknife."""

from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple

FEWEST = 20  # students below which a gain has no interval: it would say nothing
NORMAL = 1.96  # standard errors on each side, for 95 %


class Gain(NamedTuple):
    """A gain, and the ends of its interval of 95 %, or None where there are too few students."""

    value: float
    interval: tuple[float, float] | None


def gain(pairs: Sequence[tuple[bool, bool]]) -> Gain | None:
    """Return the gain of those who voted twice, (right before, right after) each; None if nobody was wrong before.

    It is (after - before) / (1 - before), of the shares of right answers. Source: Hake, "Interactive-engagement versus traditional
    methods", 1998. The jackknife leaves out one student at a time.

    >>> gain([(False, True), (False, False), (True, True)])
    Gain(value=0.5, interval=None)
    """
    n, before, after = len(pairs), sum(a for a, _ in pairs), sum(b for _, b in pairs)
    if n == before:
        return None
    value = (after - before) / (n - before)
    if n < FEWEST or n - before < 2:
        return Gain(value, None)
    without = [(after - b - before + a) / (n - 1 - before + a) for a, b in pairs]
    mean = sum(without) / n
    error = sqrt((n - 1) / n * sum((found - mean) ** 2 for found in without))
    return Gain(value, (value - NORMAL * error, value + NORMAL * error))

"""The gain between two votes or two tests: the share of what was wrong that became right. Its interval is from the jackknife."""

from collections.abc import Sequence
from typing import NamedTuple

from tutorial.classroom.report.statistics.intervals import FEWEST, jackknife


class Gain(NamedTuple):
    """A gain, and the ends of its interval of 95 %, or None where there are too few students."""

    value: float
    interval: tuple[float, float] | None


def gain(pairs: Sequence[tuple[float, float]]) -> Gain | None:
    """Return the gain of those who answered twice, (share right before, share right after) each; None if nothing was wrong before.

    It is (after - before) / (1 - before), of the means. Source: Hake, "Interactive-engagement versus traditional methods", 1998. The
    jackknife leaves out one student at a time.

    >>> gain([(False, True), (False, False), (True, True)])
    Gain(value=0.5, interval=None)
    """
    n, before, after = len(pairs), sum(a for a, _ in pairs), sum(b for _, b in pairs)
    if n == before:
        return None
    value = (after - before) / (n - before)
    if n < FEWEST or any(n - 1 == before - a for a, _ in pairs):
        return Gain(value, None)
    return Gain(value, jackknife(value, [(after - b - before + a) / (n - 1 - before + a) for a, b in pairs])[1:])


def gain_of_groups(before: Sequence[float], after: Sequence[float]) -> Gain | None:
    """Return the gain between two groups of students of whom nobody knows who is in both; None if nothing was wrong before."""
    first, second, n, m = sum(before), sum(after), len(before), len(after)
    if n == first:
        return None
    of = lambda one, other: (other - one) / (1 - one)
    value = of(first / n, second / m)
    if min(n, m) < FEWEST or any(n - 1 == first - a for a in before):
        return Gain(value, None)
    parts = (
        jackknife(value, [of((first - a) / (n - 1), second / m) for a in before]),
        jackknife(value, [of(first / n, (second - b) / (m - 1)) for b in after]),
    )
    half = sum((part.high - value) ** 2 for part in parts) ** 0.5
    return Gain(value, (value - half, value + half))

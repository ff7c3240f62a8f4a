"""Estimates with intervals of 95 %. Where there are few students an interval is wide, and below FEWEST there is none."""

from collections.abc import Sequence
from math import atanh, exp, inf, log, sqrt, tanh
from statistics import NormalDist, fmean
from typing import NamedTuple

FEWEST = 20  # students below which only counts are shown: an interval would say nothing
LEVEL = 0.95


class Estimate(NamedTuple):
    """A number that was estimated, and the ends of its interval."""

    value: float
    low: float
    high: float


def normal(level=LEVEL) -> float:
    """Return how many standard errors an interval has on each side, by the normal distribution."""
    return NormalDist().inv_cdf((1 + level) / 2)


def student(degrees) -> float:
    """Return the same by Student's distribution, to 5 digits from 10 degrees of freedom on. Source: Abramowitz and Stegun, 26.7.5.

    >>> round(student(19), 4), round(student(29), 4)
    (2.093, 2.0452)
    """
    z, n = normal(), degrees
    first, second = (z**3 + z) / 4, (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    fourth = (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160
    return z + first / n + second / n**2 + third / n**3 + fourth / n**4


def of_share(share, n, level=LEVEL) -> Estimate:
    """Return a share of n students with its interval. Source: Wilson, "Probable inference", 1927.

    >>> [round(x, 3) for x in of_share(0.4, 30)]
    [0.4, 0.246, 0.577]
    """
    z = normal(level)
    middle, half = share + z * z / (2 * n), z * sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return Estimate(share, max(0.0, (middle - half) / (1 + z * z / n)), min(1.0, (middle + half) / (1 + z * z / n)))


def of_ratio(parts: Sequence[float], wholes: Sequence[float], level=LEVEL) -> Estimate:
    """Return the share of all parts in all wholes, of which each student has one, with its interval.

    A student's answers resemble each other, so they are worth fewer independent ones: as many as give the error of the jackknife, which
    leaves out one student at a time. If all students are alike, each counts as one.
    """
    part, whole = sum(parts), sum(wholes)
    share, n = part / whole, sum(w > 0 for w in wholes)
    without = [(part - p) / (whole - w) for p, w in zip(parts, wholes) if 0 < w < whole]
    error = sqrt((n - 1) / n * sum((found - share) ** 2 for found in without))
    return of_share(share, share * (1 - share) / error**2 if error and 0 < share < 1 else n, level)


def of_change(before: Estimate, after: Estimate, alike=0.0) -> Estimate:
    """Return after - before with its interval; `alike` is the correlation of both in the same students, 0 in different ones.

    Source: Newcombe, "Improved confidence intervals for the difference between binomial proportions based on paired data", 1998, method 10.
    """
    value = after.value - before.value
    ends = []
    for one, other in ((after.value - after.low, before.high - before.value), (after.high - after.value, before.value - before.low)):
        ends.append(sqrt(max(0.0, one**2 - 2 * alike * one * other + other**2)))
    return Estimate(value, value - ends[0], value + ends[1])


def correlation(a: Sequence[float], b: Sequence[float]) -> float:
    """Return the correlation of two lists, or 0 if all numbers of one are equal."""
    mean_a, mean_b = fmean(a), fmean(b)
    both = sum((x - mean_a) * (y - mean_b) for x, y in zip(a, b))
    square = sum((x - mean_a) ** 2 for x in a) * sum((y - mean_b) ** 2 for y in b)
    return both / sqrt(square) if square else 0.0


def of_correlation(a, b) -> Estimate | None:
    """Return a correlation with its interval by Fisher's z; None if all numbers of one list are equal."""
    if len(set(a)) == 1 or len(set(b)) == 1:
        return None
    found = correlation(a, b)
    if abs(found) > 1 - 1e-12:
        return Estimate(found, found, found)
    error = normal() / sqrt(len(a) - 3)
    return Estimate(found, tanh(atanh(found) - error), tanh(atanh(found) + error))


def jackknife(value, without: Sequence[float]) -> Estimate:
    """Return a number with its interval from the same number `without` each of the students. Source: Tukey, 1958."""
    n, mean = len(without), fmean(without)
    half = student(n - 1) * sqrt((n - 1) / n * sum((found - mean) ** 2 for found in without))
    return Estimate(value, value - half, value + half)


def of_reliability(value, without: Sequence[float]) -> Estimate:
    """Return a reliability with its interval: the jackknife on the logarithm of what it lacks to 1."""
    lacks = lambda found: -log(1 - found) if found < 1 else inf
    found = jackknife(lacks(value), [lacks(other) for other in without])
    return Estimate(value, *(1 - exp(-end) for end in found[1:]))

"""The statistics of the items of a test: how hard each is, how well it tells students apart, who chose what, how reliable the sum is."""

from collections import Counter
from collections.abc import Sequence
from statistics import variance
from typing import NamedTuple

from tutorial.classroom.report.statistics.answers import Taken
from tutorial.classroom.report.statistics.intervals import FEWEST, Estimate, of_correlation, of_reliability, of_share


class Item(NamedTuple):
    """An item: how many chose each choice, and last nothing; the share of right answers, and its correlation with the rest of the test.

    The correlation, called discrimination, is None below FEWEST students, or if all were right or all wrong.
    """

    counts: list[int]
    right: Estimate
    discrimination: Estimate | None


def items(test: Taken) -> list[Item]:
    """Return the statistics of each item of a test that somebody took."""
    right, n = test.right(), len(test.sheets)
    sums, found = [sum(row) for row in right], []
    for k, question in enumerate(test.questions):
        chosen = Counter(sheet.choices[k] for sheet in test.sheets)
        own = [row[k] for row in right]
        rest = [total - mine for total, mine in zip(sums, own)]
        counts = [chosen[choice] for choice in [*range(len(question.choices)), None]]
        found.append(Item(counts, of_share(sum(own) / n, n), of_correlation(own, rest) if n >= FEWEST else None))
    return found


def reliability(test: Taken) -> Estimate | None:
    """Return KR-20, by which the sum of one half of the items tells that of the other; None below FEWEST students, or if all have one sum.

    Source: Kuder and Richardson, "The theory of the estimation of test reliability", 1937, formula 20.
    """
    right = test.right()
    if len(right) < FEWEST or len({sum(row) for row in right}) == 1:
        return None
    without = [kr20([*right[:k], *right[k + 1 :]]) for k in range(len(right))]
    return of_reliability(kr20(right), without)


def kr20(right: Sequence[Sequence[bool]]) -> float:
    """Return KR-20 of [student][item]: k/(k-1) (1 - sum of the items' variances / variance of the sums).

    >>> round(kr20([[True, True, True], [True, True, False], [True, False, False], [False, False, False]]), 6)
    0.75
    """
    k = len(right[0])
    return k / (k - 1) * (1 - sum(map(variance, zip(*right))) / variance(map(sum, right)))

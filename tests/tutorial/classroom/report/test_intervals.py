"""Intervals: the numbers of textbooks and of NumPy, and in simulated classes they hold the truth as often as they say."""

import random
from math import sqrt

import numpy as np
import pytest

from tutorial.classroom.report.statistics.gain import gain, gain_of_groups
from tutorial.classroom.report.statistics.intervals import (
    Estimate,
    correlation,
    jackknife,
    of_change,
    of_correlation,
    of_ratio,
    of_reliability,
    of_share,
    student,
)

rounded = lambda estimate, digits=4: tuple(round(number, digits) for number in estimate)


def test_the_numbers_are_those_of_textbooks():
    """Newcombe 1998, Table I: Wilson's interval of 81 of 263, 15 of 148, 0 of 20, 1 of 29. Tables of Student's t."""
    shares = {(81, 263): (0.2553, 0.3662), (15, 148): (0.0624, 0.1605), (0, 20): (0, 0.1611), (1, 29): (0.0061, 0.1718)}
    assert {(k, n): rounded(of_share(k / n, n))[1:] for k, n in shares} == shares
    assert [round(student(n), 3) for n in (10, 19, 30, 120)] == [2.228, 2.093, 2.042, 1.980]
    # Newcombe 1998, differences: 56 of 70 minus 48 of 80 by method 10 is 0.2, from 0.0524 to 0.3339
    assert rounded(of_change(of_share(48 / 80, 80), of_share(56 / 70, 70))) == (0.2, 0.0524, 0.3339)


def test_the_correlation_is_numpys_and_its_interval_is_that_of_fishers_z():
    dice = np.random.default_rng(3)
    a = dice.integers(0, 2, 40)
    b = a + dice.normal(size=40)
    found = of_correlation(a.tolist(), b.tolist())
    assert found.value == pytest.approx(np.corrcoef(a, b)[0, 1]) == pytest.approx(correlation(a.tolist(), b.tolist()))
    z = np.arctanh(found.value) + np.array([-1, 1]) * 1.959964 / sqrt(37)
    assert found[1:] == pytest.approx(np.tanh(z), abs=1e-6)
    assert of_correlation([1, 1, 1, 1], [1, 2, 3, 4]) is None and of_correlation([1, 2, 3, 4], [2, 4, 6, 8]) == pytest.approx((1, 1, 1))


def test_scipy_gives_the_same_numbers():
    stats = pytest.importorskip("scipy.stats")
    for k, n in ((0, 20), (7, 20), (12, 30), (29, 30), (81, 263)):
        wilson = stats.binomtest(k, n).proportion_ci(method="wilson")
        assert of_share(k / n, n)[1:] == pytest.approx((wilson.low, wilson.high), abs=1e-12)
    assert [student(n) for n in (10, 19, 29, 120)] == pytest.approx([stats.t.ppf(0.975, n) for n in (10, 19, 29, 120)], abs=2e-5)
    dice = np.random.default_rng(4)
    right, rest = dice.integers(0, 2, 30), dice.normal(size=30)
    theirs = stats.pearsonr(right, rest)
    assert of_correlation(right.tolist(), rest.tolist()) == pytest.approx((theirs.statistic, *theirs.confidence_interval()))
    assert theirs.statistic == pytest.approx(stats.pointbiserialr(right, rest).statistic)  # the discrimination of an item
    error = stats.sem(rest)
    assert jackknife(rest.mean(), [np.delete(rest, k).mean() for k in range(30)])[1:] == pytest.approx(
        stats.t.interval(0.95, 29, rest.mean(), error), abs=1e-5
    )


def test_the_jackknife_of_a_mean_is_students_interval():
    x = np.array([3.0, 1.0, 4.0, 1.0, 5.0, 9.0, 2.0, 6.0, 5.0, 3.0, 5.0, 9.0])
    found = jackknife(x.mean(), [np.delete(x, k).mean() for k in range(len(x))])
    assert found.high - found.value == pytest.approx(2.200985 * x.std(ddof=1) / sqrt(len(x)), abs=1e-4)
    assert of_reliability(0.75, [0.75] * 20) == pytest.approx((0.75, 0.75, 0.75))


def test_a_share_of_answers_is_that_of_students_if_each_has_one_and_less_sure_if_their_answers_are_alike():
    one_each = [1] * 12 + [0] * 18
    assert of_ratio(one_each, [1] * 30)[1:] == pytest.approx(of_share(0.4, 30)[1:], abs=0.02)
    alike, mixed = of_ratio([3 * k for k in one_each], [3] * 30), of_ratio([1, 1, 1, 2, 1] * 6, [3] * 30)
    assert alike[1:] == pytest.approx(of_ratio(one_each, [1] * 30)[1:]) and mixed.high - mixed.low < (alike.high - alike.low) / 2
    assert of_ratio([0] * 30, [3] * 30) == of_share(0, 30) and of_ratio([2, 0], [2, 0]) == of_share(1, 1)


def test_the_interval_of_a_change_is_smaller_if_the_same_students_are_alike():
    before, after = Estimate(0.5, 0.35, 0.65), Estimate(0.4, 0.25, 0.55)
    widths = [(found := of_change(before, after, alike)).high - found.low for alike in (0, 0.5, 0.9)]
    assert widths == sorted(widths, reverse=True)


@pytest.mark.parametrize("students", [20, 40])
def test_in_classes_whose_truth_is_known_the_intervals_hold_it_as_often_as_they_say(students):
    """Students know each item with a chance of their own, and believe a misconception or not. Each interval holds in 89 to 99 of 100."""
    dice, classes, items = random.Random(5), 200, 12
    held = dict.fromkeys(("gain", "gain of groups", "share", "change"), 0)
    truth = {"gain": 0.4, "gain of groups": 0.4, "share": 0.6 * 0.9, "change": -0.36}

    def one_class():
        known = [dice.betavariate(4, 6) for _ in range(students)]  # mean 0.4, and after the course p + 0.4 (1 - p)
        right = lambda p: sum(dice.random() < p for _ in range(items)) / items
        believes = [dice.random() < 0.6 for _ in known]
        cured = [dice.random() < 2 / 3 for _ in known]
        chosen = lambda who: [sum(dice.random() < 0.9 for _ in range(3)) if one else 0 for one in who]
        pairs = [(right(p), right(p + 0.4 * (1 - p))) for p in known]
        return pairs, chosen(believes), chosen([one and not gone for one, gone in zip(believes, cured)])

    for _ in range(classes):
        pairs, before, after = one_class()
        others, *_ = one_class()
        share, later = (of_ratio(chosen, [3] * students) for chosen in (before, after))
        found = {
            "gain": gain(pairs).interval,
            "gain of groups": gain_of_groups([a for a, _ in pairs], [b for _, b in others]).interval,
            "share": share[1:],
            "change": of_change(share, later, correlation(before, after))[1:],
        }
        for name, (low, high) in found.items():
            held[name] += low <= truth[name] <= high
    assert {name: times for name, times in held.items() if not 0.89 <= times / classes <= 0.99} == {}

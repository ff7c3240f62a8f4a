"""The statistics of items: those of NumPy, and none where there are few students."""

import numpy as np
import pytest

from tests.tutorial.classroom.report.planted import a_class
from tutorial.classroom.report.statistics.answers import Taken
from tutorial.classroom.report.statistics.items import items, kr20, reliability


def few(test, n):
    return Taken(test.form, test.questions, test.sheets[:n])


def test_counts_shares_and_discrimination_are_those_that_numpy_finds():
    test = a_class(3)[1]
    right = np.array(test.right(), float)
    rest = right.sum(axis=1, keepdims=True) - right
    for k, found in enumerate(items(test)):
        chosen = [sheet.choices[k] for sheet in test.sheets]
        assert found.counts == [chosen.count(choice) for choice in (0, 1, 2, 3, None)] and sum(found.counts) == 30
        assert found.right.value == pytest.approx(right[:, k].mean())
        assert found.discrimination.value == pytest.approx(np.corrcoef(right[:, k], rest[:, k])[0, 1])
        assert found.discrimination.low < found.discrimination.value < found.discrimination.high


def test_kr20_is_cronbachs_alpha_and_its_interval_holds_what_many_students_show():
    test, many = a_class(3)[1], np.array([row for seed in range(40) for row in a_class(seed)[1].right()], float)
    right = np.array(test.right(), float)
    alpha = 20 / 19 * (1 - np.trace(np.cov(right.T)) / np.cov(right.T).sum())
    found = reliability(test)
    assert found.value == pytest.approx(alpha) == pytest.approx(kr20(test.right()))
    assert found.low < 20 / 19 * (1 - np.trace(np.cov(many.T)) / np.cov(many.T).sum()) < found.high


def test_a_planted_bad_item_has_a_discrimination_below_the_good_ones():
    """In many students the items rank as they were made: the one that all guess comes last."""
    dice = np.random.default_rng(0)
    able = dice.normal(size=400)
    right = [[bool(x) for x in dice.random(20) < 1 / (1 + np.exp(-1.5 * one))] for one in able]
    for row in right:
        row[7] = bool(dice.random() < 0.25)
    question = a_class(0)[0].questions
    sheets = [type("Sheet", (), {"choices": [q.right if r else None for q, r in zip(question, row)]})() for row in right]
    found = [item.discrimination for item in items(Taken("A", question, sheets))]
    assert found[7].low < 0 < found[7].high and all(other.low > found[7].high for k, other in enumerate(found) if k != 7)


def test_below_20_students_there_is_no_discrimination_and_no_reliability():
    test = a_class(3)[0]
    assert all(item.discrimination is None for item in items(few(test, 19))) and reliability(few(test, 19)) is None
    assert any(item.discrimination for item in items(few(test, 20))) and reliability(few(test, 20))
    assert reliability(Taken("A", test.questions, [test.sheets[0]] * 30)) is None  # all have one sum

"""A test of many cases: it runs them all, names those that failed, and loses no skip and no warning."""

import re
import warnings

import pytest

from tests import each as module
from tests.each import each, swept


def test_every_combination_runs_once_and_fixtures_are_passed_on(tmp_path):
    seen = []

    @each("a", [1, 2])
    @each(("b", "c"), [("x", 0.5), ("y", 0.25)])
    def test(a, tmp_path, b, c):
        seen.append((a, b, c, tmp_path))

    test(tmp_path=tmp_path)
    assert seen == [(a, b, c, tmp_path) for b, c in (("x", 0.5), ("y", 0.25)) for a in (1, 2)]
    assert str(test.__signature__) == "(tmp_path)"


def test_all_failures_are_named_with_their_messages():
    @each("number", range(5))
    @each("name", ["one", "other"], ids=str.upper)
    def test(number, name):
        if number == 4:
            pytest.fail("by hand")
        if number == 3:
            warnings.warn("heard", stacklevel=1)
        assert number != 2 or name == "one", f"{number} of {name}"

    with pytest.raises(BaseExceptionGroup, match=re.escape("5 of 10 cases failed: ONE-3, ONE-4, OTHER-2, OTHER-3, OTHER-4")) as all_of_them:
        test()
    said = {error.__notes__[0]: str(error) for error in all_of_them.value.exceptions}
    assert said["This is the case ONE-4"] == "by hand" and said["This is the case OTHER-3"] == "heard"
    assert said["This is the case OTHER-2"].startswith("2 of other")


def test_a_test_is_skipped_if_all_its_cases_are():
    tried = []

    @each("number", [1, 2])
    def test(number):
        tried.append(number)
        if number in few:
            pytest.skip("not here")

    few = {1}
    test()
    few = {1, 2}
    with pytest.raises(pytest.skip.Exception, match="not here"):
        test()
    assert tried == [1, 2, 1, 2]


def test_one_case_can_be_chosen_and_none_is_an_error(monkeypatch):
    tried = []
    test = each("function", [abs, max, min])(lambda function: tried.append(function))
    monkeypatch.setattr(module, "chosen", "m")
    test()
    assert tried == [max, min]
    monkeypatch.setattr(module, "chosen", "median")
    with pytest.raises(pytest.skip.Exception, match="no case has 'median' in its name"):
        test()
    monkeypatch.setattr(module, "chosen", "")
    with pytest.raises(AssertionError, match="a test without a case"):
        each("x", [])(lambda x: None)()


def test_of_a_sweep_each_case_runs_once_in_a_sample_or_in_the_rest():
    seen = []

    @swept("number", range(7), every=3)
    def test(number):
        seen.append(number)

    sample, rest = (param for [mark] in [test.pytestmark] for param in mark.args[1])
    test(sample)
    assert seen == [0, 3, 6] and str(test.__signature__) == "(part)"
    test(*rest.values)
    assert sorted(seen) == list(range(7)) and [mark.name for mark in rest.marks] == ["sweep"]


def test_a_sample_may_be_chosen_and_each_case_keeps_its_name():
    seen = []

    @swept("number", range(4), every=lambda number: number > 1, ids=["zero", "one", "two", "three"])
    def test(number):
        seen.append(number)
        assert number != 3

    with pytest.raises(BaseExceptionGroup, match="^1 of 2 cases failed: three$"):
        test("a sample")
    test("the rest")
    assert seen == [2, 3, 0, 1]

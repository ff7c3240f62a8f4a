"""JUnit XML, as a reader of JUnit reads it: a suite per unit, the type of a failure is the misconception, and errors are not failures."""

import pytest

from tests.tutorial.exports.results_for_tests import CRASHED, HOSTILE, NOT_STARTED, TIMEOUT, UNGRADED, WRONG, hostile, result

reader = pytest.importorskip("junitparser")


def read(text):
    return reader.JUnitXml.fromstring(text.encode())


def test_each_state_is_what_a_ci_system_takes_it_for(export):
    states = ("right", WRONG, CRASHED, TIMEOUT, NOT_STARTED, UNGRADED)
    found = read(export("junit", [result("ada", f"{k:02}", state) for k, state in enumerate(states, 2)]))
    cases = {case.name[:2]: case for suite in found for case in suite}
    assert [type(cases[f"{k:02}"].result[0]).__name__ for k in range(3, 8)] == ["Failure", "Error", "Error", "Skipped", "Error"]
    assert cases["02"].is_passed and cases["02"].classname == "ada"
    assert [cases[f"{k:02}"].result[0].type for k in (3, 4, 5, 7)] == ["M02", "crashed", "timeout", "ungraded"]
    assert cases["03"].result[0].message == "dz/dx4 was 14, expected 16." and "got: 14" in cases["03"].result[0].text
    assert (found.tests, found.failures, found.errors, found.skipped) == (6, 1, 3, 1)


def test_a_suite_is_a_unit_and_its_counts_are_those_of_its_cases(export):
    found = read(export("junit", [result(name, number, WRONG) for name in ("ada", "bob") for number in ("02", "zz")]))
    assert [suite.name for suite in found] == ["unit A", "unit other"]
    for suite in found:
        assert (suite.tests, suite.failures) == (len(list(suite)), 2)
        suite.update_statistics()
        assert (suite.tests, suite.failures) == (2, 2)


def test_hostile_texts_are_data(export):
    (suite,) = read(export("junit", hostile()))
    names = [case.classname for case in suite]
    assert len(names) == len(HOSTILE) and "<script>alert(1)</script>" in names and "=cmd|' /C calc'!A0" in names
    assert all(name.isprintable() for name in names)

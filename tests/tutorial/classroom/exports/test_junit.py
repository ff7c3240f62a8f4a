"""JUnit XML, as a reader of XML reads it: a suite per unit, the type of a failure is the misconception, and errors are not failures."""

import sys
from xml.etree import ElementTree

import pytest

from tests.tutorial.classroom.exports.results_for_tests import CRASHED, HOSTILE, NOT_STARTED, TIMEOUT, UNGRADED, WRONG, hostile, result


def read(text):
    return ElementTree.fromstring(text.encode())


def counts(suite):
    return {name: int(suite.get(name)) for name in ("tests", "failures", "errors", "skipped")}


def test_each_state_is_what_a_ci_system_takes_it_for(export):
    states = ("right", WRONG, CRASHED, TIMEOUT, NOT_STARTED, UNGRADED)
    found = read(export("junit", [result("ada", f"{k:02}", state) for k, state in enumerate(states, 2)]))
    cases = {case.get("name")[:2]: case for case in found.iter("testcase")}
    said = {number: [(one.tag, one.get("type")) for one in case] for number, case in cases.items()}
    assert said == {
        "02": [],
        "03": [("failure", "M02")],
        "04": [("error", "crashed")],
        "05": [("error", "timeout")],
        "06": [("skipped", None)],
        "07": [("error", "ungraded")],
    }
    assert cases["02"].get("classname") == "ada"
    assert cases["03"][0].get("message") == "dz/dx4 was 14, expected 16." and "got: 14" in cases["03"][0].text
    assert found.tag == "testsuites" and counts(found) == {"tests": 6, "failures": 1, "errors": 3, "skipped": 1}


def test_a_suite_is_a_unit_and_its_counts_are_those_of_its_cases(export):
    found = read(export("junit", [result(name, number, WRONG) for name in ("ada", "bob") for number in ("02", "zz")]))
    assert [(suite.tag, suite.get("name")) for suite in found] == [("testsuite", "unit A"), ("testsuite", "unit other")]
    for suite in found:
        assert len(suite) == 2 and counts(suite) == {"tests": 2, "failures": 2, "errors": 0, "skipped": 0}


def test_hostile_texts_are_data(export):
    (suite,) = read(export("junit", hostile()))
    names = [case.get("classname") for case in suite]
    assert len(names) == len(HOSTILE) and "<script>alert(1)</script>" in names and "=cmd|' /C calc'!A0" in names
    assert all(name.isprintable() for name in names)


def test_without_junitparser_one_line_says_what_to_install(export, monkeypatch):
    monkeypatch.setitem(sys.modules, "junitparser", None)
    monkeypatch.delitem(sys.modules, "tutorial.classroom.exports.junit", raising=False)
    with pytest.raises(ValueError, match=r"^junitparser is not installed; run: pip install 'gradsteps\[junit\]'$"):
        export("junit", [result("ada")])

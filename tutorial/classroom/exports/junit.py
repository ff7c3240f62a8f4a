"""JUnit XML, which CI systems read: a suite for each unit, a case for each student and exercise.

A wrong answer is a failure whose type is the misconception. What crashed, ran too long or is ungraded is an error of this type, and what
was not started is skipped. The cases stay in memory until they are counted, about 1 kB each.
"""

from collections import defaultdict
from collections.abc import Iterator

try:
    from junitparser import Error, Failure, JUnitXml, Skipped, TestCase, TestSuite
except ImportError:
    raise ValueError("junitparser is not installed; run: pip install 'gradsteps[junit]'") from None

from tutorial.classroom.exports.result_text import about, details, message, misconception, name_of
from tutorial.classroom.exports.students import Results
from tutorial.classroom.grading.results.results import UNGRADED
from tutorial.exercises.checking.verdict import CRASHED, NOT_STARTED, TIMEOUT, WRONG

KINDS = {WRONG: Failure, CRASHED: Error, TIMEOUT: Error, UNGRADED: Error, NOT_STARTED: Skipped}
HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'


def files(results: Results, options) -> Iterator[tuple[str, str]]:
    units = defaultdict(list)
    for student in results:
        for number, result in student.results.items():
            units[about(number)[1]].append(case(student.name, result))
    whole = JUnitXml("gradsteps")
    for unit, cases in sorted(units.items()):
        suite = TestSuite(f"unit {unit}")
        suite.add_testcases(cases)
        whole.add_testsuite(suite)
    whole.update_statistics()
    yield "", HEAD + whole.tostring().decode()


def case(student, result) -> TestCase:
    found, kind = TestCase(name_of(result["exercise"]), student), KINDS.get(result["state"])
    if kind is not None:
        said = kind(message(result), {Failure: misconception(result), Skipped: None}.get(kind, result["state"]))
        said.text = details(result)
        found.append(said)
    return found

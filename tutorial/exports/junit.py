"""JUnit XML, which CI systems read: a suite for each unit, a case for each student and exercise.

A wrong answer is a failure whose type is the misconception. What crashed, ran too long or is ungraded is an error of this type, and what
was not started is skipped.
"""

import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack

from scalargrad.formulas.text import escape
from tutorial.exercises.verdict import CRASHED, NOT_STARTED, TIMEOUT, WRONG
from tutorial.exports.said import about, details, message, misconception, name_of
from tutorial.exports.students import Results
from tutorial.grading.results import UNGRADED

KINDS = {WRONG: "failure", CRASHED: "error", TIMEOUT: "error", UNGRADED: "error", NOT_STARTED: "skipped"}
COUNTED = {"tests": "", "failures": "failure", "errors": "error", "skipped": "skipped"}  # attribute: the kind that it counts
HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'


def files(results: Results, options) -> Iterator[tuple[str, str]]:
    """Yield the pieces of the file."""
    with ExitStack() as stack:
        yield from (("", piece) for piece in pieces(results, stack))


def pieces(results, stack) -> Iterator[str]:
    """Yield the text. The cases of each unit wait in a temporary file, because their counts stand before them."""
    suites: dict = {}
    for student in results:
        for number, result in student.results.items():
            unit = about(number)[1]
            if unit not in suites:
                suites[unit] = Counter(), stack.enter_context(tempfile.TemporaryFile("w+", encoding="utf-8"))  # noqa: SIM115
            counts, cases = suites[unit]
            counts.update(["", KINDS.get(result["state"])])
            cases.write(case(student, result))
    whole: Counter = sum((counts for counts, _ in suites.values()), Counter())
    yield f"{HEAD}<testsuites{attributes(name='gradsteps', **numbers(whole))}>\n"
    for unit, (counts, cases) in sorted(suites.items()):
        cases.seek(0)
        yield f"  <testsuite{attributes(name=f'unit {unit}', **numbers(counts))}>\n"
        yield from cases
        yield "  </testsuite>\n"
    yield "</testsuites>\n"


def numbers(counts) -> dict:
    return {name: counts[kind] for name, kind in COUNTED.items()}


def case(student, result) -> str:
    """Return the element of one result."""
    named = attributes(name=name_of(result["exercise"]), classname=student.name)
    kind = KINDS.get(result["state"])
    if kind is None:
        return f"    <testcase{named}/>\n"
    said = {} if kind == "skipped" else {"type": misconception(result) if kind == "failure" else result["state"]}
    return f"    <testcase{named}><{kind}{attributes(**said, message=message(result))}>{escape(details(result))}</{kind}></testcase>\n"


def attributes(**values) -> str:
    return "".join(f' {name}="{escape(str(value))}"' for name, value in values.items())

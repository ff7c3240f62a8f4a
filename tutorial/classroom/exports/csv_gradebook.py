"""A gradebook as CSV: a row for each student, a column for each exercise, then the total, the tier, and how often each state occurs.

An exercise that is ungraded, because the checker failed, or that has no result stands there in words, and the total is empty: never 0.
A spreadsheet runs a cell that begins as a formula does, so such a cell is marked as text, or refused.
"""

import csv
import io
from collections import Counter
from collections.abc import Iterable, Iterator

from tutorial.classroom.exports.students import Results, Student
from tutorial.classroom.grading.results.stream import ALL_STATES

MISSING = "no result"


def files(results: Results, options) -> Iterator[tuple[str, str]]:
    """Yield the lines of the gradebook."""
    yield from (("", line) for line in lines(rows(results)))


def rows(results) -> Iterator[list]:
    """Yield the head and the row of each student."""
    of = sum(results.exercises.values())
    yield ["student", *results.exercises, "total", "of", "tier", *ALL_STATES]
    for student in results:
        states = Counter(result["state"] for result in student.results.values())
        total = student.total(results.exercises)
        counts = [states[state] for state in ALL_STATES]
        points = [score(student, number) for number in results.exercises]
        yield [student.name, *points, "" if total is None else total, of, student.tiers, *counts]


def score(student: Student, number):
    """Return the points of an exercise, or in words why there are none."""
    if number not in student.results:
        return MISSING
    result = student.results[number]
    return result["state"] if result["score"] is None else result["score"]


FORMULA = tuple("=+-@\t\r") + tuple("\uff1d\uff0b\uff0d\uff20")  # and the same signs in full width


def is_formula(text) -> bool:
    """Return whether a spreadsheet may take a text for a formula."""
    return text.lstrip().startswith(FORMULA) or text.startswith(FORMULA)


def cell(value):
    """Return the value of a cell; a text that a spreadsheet may run gets an apostrophe.

    >>> cell("=1+1"), cell("ada"), cell(-1)
    ("'=1+1", 'ada', -1)
    """
    return f"'{value}" if isinstance(value, str) and is_formula(value) else value


def lines(rows: Iterable[list]) -> Iterator[str]:
    """Yield each row as a line of CSV."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    for row in rows:
        writer.writerow(map(cell, row))
        yield buffer.getvalue()
        buffer.seek(0)
        buffer.truncate()

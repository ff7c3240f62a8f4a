"""A gradebook as CSV: a row for each student, a column for each exercise, then the total, the tier, and how often each state occurs.

An exercise that is ungraded, because the checker failed, or that has no result stands there in words, and the total is empty: never 0.
"""

from collections import Counter
from collections.abc import Iterator

from tutorial.classroom.exports.csv_cells import lines
from tutorial.classroom.exports.students import Results, Student
from tutorial.classroom.grading.results.stream import ALL_STATES

MISSING = "no result"


def files(results: Results, options) -> Iterator[tuple[str, str]]:
    yield from (("", line) for line in lines(rows(results)))


def rows(results) -> Iterator[list]:
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

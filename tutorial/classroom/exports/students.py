"""Read a file of results one student at a time, and a roster, which says who each student is in a learning management system.

A class of any size needs the memory of one student.
A line that is not a result is refused, not left out: a gradebook in which a student lacks a point has to say so.
"""

import csv
from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from tutorial.classroom.exports.csv_cells import is_formula
from tutorial.classroom.grading.results.results import printable_text
from tutorial.classroom.grading.results.stream import result_in


class Student(NamedTuple):
    """A student with the results, {number of the exercise: result}."""

    name: str
    results: dict

    def total(self, exercises):
        """Return the points in these exercises; None if one of them has none because it is ungraded or there is no result."""
        scores = [self.results[number]["score"] if number in self.results else None for number in exercises]
        return None if None in scores else sum(scores)

    @property
    def tiers(self) -> str:
        """The isolation in which the programs ran: one word, or several if the results come from several runs."""
        return printable_text(" ".join(sorted({result["tier"] for result in self.results.values()})))


class Results:
    """The results in a file of `teach grade` or `teach merge`: for student in results. Each loop reads the file again.

    `exercises` are {number: most points} in order, `count` is the number of students, `without_total` of those who have no total.
    Raises ValueError if a line is not a result, or if the file does not have each student and exercise once, in one place; OSError.
    """

    def __init__(self, path):
        self.path, self.exercises = path, {}
        seen: set = set()
        scored: Counter = Counter()  # how many students have points in so many exercises
        for student in self:
            if student.name in seen:
                raise ValueError(f"the results of {student.name} stand in two places; `teach merge` brings them together")
            seen.add(student.name)
            scored[sum(result["score"] is not None for result in student.results.values())] += 1
            for number, result in student.results.items():
                if self.exercises.setdefault(number, result["max_score"]) != result["max_score"]:
                    most = sorted({self.exercises[number], result["max_score"]})
                    raise ValueError(f"exercise {number} has {most[0]} points at {most[1]} in one file (see {student.name}); grade again")
        if not seen:
            raise ValueError(f"there are no results in {path}")
        self.exercises = dict(sorted(self.exercises.items()))
        self.count, self.without_total = len(seen), len(seen) - scored[len(self.exercises)]

    def __iter__(self) -> Iterator[Student]:
        for name, found in groupby(self.lines(), key=lambda result: result["student"]):
            results: dict = {}
            for result in found:
                if result["exercise"] in results:
                    raise ValueError(
                        f"{printable_text(name)} has two results for exercise {result['exercise']}; grade again, into a new file"
                    )
                results[result["exercise"]] = result
            yield Student(printable_text(name), results)

    def lines(self) -> Iterator[dict]:
        with open(self.path, "rb") as file:
            for k, line in enumerate(file, 1):
                result = result_in(line)
                if result is None:
                    raise ValueError(f"line {k} of {Path(self.path).name} is not a result; was the grading interrupted?")
                yield result


STUDENT = "student"  # the column that names the folder
IDS = ("ID", "SIS User ID", "SIS Login ID")  # each belongs to one student
MOST = 200_000  # rows


def read_roster(path) -> dict[str, dict]:
    """Return {student: {column: text}}. Raises ValueError if a student stands there twice, or a cell is a formula; OSError."""
    found: dict = {}
    ids: set = set()
    with open(path, encoding="utf-8-sig", newline="") as file:
        try:
            rows = csv.DictReader(file, strict=True)
            if STUDENT not in (rows.fieldnames or ()):
                raise ValueError(f"the roster {path} has no column {STUDENT!r}, which names the folder of each student")
            for row in rows:
                add(found, ids, row, path)
        except (csv.Error, UnicodeDecodeError) as wrong:
            raise ValueError(f"the roster {path} is not a CSV file in UTF-8: {wrong}") from None
    return found


def add(found, ids, row, path):
    name = printable_text(row[STUDENT] or "")
    if name in found:
        raise ValueError(f"{name} stands twice in the roster {path}")
    if None in row or len(found) >= MOST:
        raise ValueError(f"the row of {name} in the roster {path} has more cells than the head, or there are more than {MOST:,} rows")
    cells = {column: printable_text(text or "") for column, text in row.items()}
    for column, text in cells.items():
        if column != STUDENT and is_formula(text):
            raise ValueError(f"the {printable_text(column)} of {name} in the roster {path} begins as a formula: {text!r}")
    taken = ids & (new := {(column, cells[column]) for column in IDS if cells.get(column)})
    if taken:
        raise ValueError(f"the {' '.join(min(taken))} of {name} stands twice in the roster {path}")
    ids |= new
    found[name] = cells

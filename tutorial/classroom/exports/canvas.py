"""A CSV file that Canvas imports into its gradebook: one assignment, with the total of each student.

The columns are Student, ID, SIS User ID, SIS Login ID, Section and the assignment; the row below the head says `Points Possible`.
Canvas finds a student by the first of ID, SIS User ID, SIS Login ID and name that it knows, and leaves a grade as it is where the cell
is empty. So is the cell of a student without a total. An assignment `Name (1234)` is the one with this ID; another name makes a new one.
Source: lib/gradebook_importer.rb in github.com/instructure/canvas-lms.
"""

from collections.abc import Iterator

from tutorial.classroom.exports.csv_cells import is_formula, lines
from tutorial.classroom.exports.students import Results
from tutorial.classroom.grading.results.results import printable_text

IDENTITY = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
POINTS = "    Points Possible"


def files(results: Results, options) -> Iterator[tuple[str, str]]:
    """Yield the lines of the file. Raises ValueError if a student is not in the roster, or the name of the assignment is a formula."""
    if is_formula(options.assignment):
        raise ValueError(f"the assignment {options.assignment!r} begins as a formula; choose another name")
    yield from (("", line) for line in lines(rows(results, options)))


def rows(results, options) -> Iterator[list]:
    """Yield the head, the row of the most points, and the row of each student."""
    yield [*IDENTITY, printable_text(options.assignment)]
    yield [POINTS, *[""] * (len(IDENTITY) - 1), sum(results.exercises.values())]
    for student in results:
        total = student.total(results.exercises)
        yield [*identity(student.name, options.roster), "" if total is None else total]


def identity(student, roster) -> list[str]:
    """Return the columns that say who a student is: those of the roster, or only the name if there is no roster."""
    if roster is None:
        return [student, *[""] * (len(IDENTITY) - 1)]
    if student not in roster:
        raise ValueError(f"{student} is not in the roster; nothing was written")
    known = roster[student]
    return [known.get(column, "") or (student if column == IDENTITY[0] else "") for column in IDENTITY]

"""Read a roster: a CSV file that says who the student of each folder is in a learning management system."""

import csv

from tutorial.classroom.exports.csv_cells import is_formula
from tutorial.classroom.grading.results.results import printable_text

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
    """Add a row of the roster."""
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

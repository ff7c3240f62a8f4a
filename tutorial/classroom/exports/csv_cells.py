"""Cells of a CSV file. A spreadsheet runs a cell that begins as a formula does, so such a cell is marked as text, or refused."""

import csv
import io
from collections.abc import Iterable, Iterator

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
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    for row in rows:
        writer.writerow(map(cell, row))
        yield buffer.getvalue()
        buffer.seek(0)
        buffer.truncate()

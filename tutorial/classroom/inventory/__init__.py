"""The concept inventory: twenty questions of a draft in two forms with other numbers, for a class before and after a course."""

import re
from importlib import resources
from zlib import crc32

from tutorial.reading.chapter import Block, Cell, blocks_of

NAMES = {"inventory": "A", "inventory-b": "B"}  # by which a teacher asks for a form
ITEMS = resources.files(__package__).joinpath("items.md")
FORMS = {"A": "before", "B": "after"}  # the course, of the test; half of the students take the other form
FIRST = {"A": "an odd day", "B": "an even day"}  # who takes a form before the course, by the day in the mark
NOT_HERE = "the version for students has no inventory, since it is a test; use the version that made theirs"


def is_here() -> bool:
    """Return whether this version has the inventory. That for students has not."""
    return ITEMS.is_file()


def blocks(form) -> list[Block]:
    """Return the blocks of a form, A or B. Its first cell says which, and the cells below compute the numbers.

    Raises ValueError in the version for students.

    >>> blocks("B")[0].source
    "form = 'B'"
    """
    if not is_here():
        raise ValueError(NOT_HERE)
    return [Cell(f"form = {form!r}", ("remove-cell",)), *blocks_of(ITEMS.read_text(encoding="utf-8"))]


def other_form_first(mark, sid) -> bool:
    """Return whether a student takes form B before the course and A after it: the day in the mark is even.

    Half of all days are. So if one form is harder, this is neither a gain nor a loss of the class. A mark without a day is as good as
    another name, and without a mark the student's id decides.

    >>> [other_form_first(mark, "") for mark in ("ET17", "et 17", "LM03", "LM30")]
    [False, False, False, True]
    """
    if days := re.findall(r"\d+", mark):
        return int(days[-1]) % 2 == 0
    return crc32(("".join(mark.split()).casefold() or sid).encode()) % 2 == 1

"""The concept inventory: twenty questions of a draft in two forms with other numbers, for a class before and after a course."""

from importlib import resources

from tutorial.book.reading.chapter import Block, Cell, blocks_of

NAMES = {"inventory": "A", "inventory-b": "B"}  # by which a teacher asks for a form


def blocks(form) -> list[Block]:
    """Return the blocks of a form, A or B. Its first cell says which, and the cells below compute the numbers.

    >>> blocks("B")[0].source
    "form = 'B'"
    """
    text = resources.files(__package__).joinpath("items.md").read_text(encoding="utf-8")
    return [Cell(f"form = {form!r}", ("remove-cell",)), *blocks_of(text)]

"""The page on the intended differences between the two engines, from their one table."""

from scalargrad.messages import differences
from tutorial.book.reference.markdown import is_listed

PAGE = """\
# How the two engines differ

`scalargrad` computes with numbers, `tensorgrad` with arrays. They use the same names, arguments and defaults, except for these intended
differences. A test compares all that both have. `help(scalargrad)` and `help(tensorgrad)` end with the same list.

{table}
"""


def pages(book, folder):
    if is_listed("two-engines", book):
        yield "two-engines.md", PAGE.format(table=differences.markdown())

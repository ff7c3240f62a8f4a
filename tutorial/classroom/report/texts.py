"""Texts of students as text of a page: without control characters, not too long, escaped."""

from scalargrad.formulas.text import escape, printable

LONGEST = 60  # characters of a name
LONGEST_MESSAGE = 400


def cut(text, most=LONGEST) -> str:
    """Return a text in one line that is at most so long.

    >>> cut("one\\ntwo three", 7)
    'one tw…'
    """
    text = printable(" ".join(text[: 4 * most].split()))
    return text if len(text) <= most else f"{text[: most - 1]}…"


def shown(text, most=LONGEST) -> str:
    """Return a text as HTML.

    >>> shown("<b>Ada</b>")
    '&lt;b&gt;Ada&lt;/b&gt;'
    """
    return escape(cut(text, most))


def name(student) -> str:
    """Return the name of a student as HTML. A name written from right to left does not change the order of what stands beside it."""
    return f"<bdi>{shown(student)}</bdi>"


def percent(part, of) -> str:
    """Return a share as text; one that is not 0 or 1 is not shown as such.

    >>> percent(1, 3), percent(1999, 2000), percent(1, 2000), percent(0, 0)
    ('33%', '99%', '1%', '–')
    """
    if not of:
        return "–"
    share = round(100 * part / of)
    return f"{min(max(share, int(part > 0)), 100 - (part < of))}%"

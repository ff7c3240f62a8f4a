"""The colours of the screen, and lines of at most so many columns. A Chinese letter and an emoji take two columns."""

import re
import textwrap

from rich.cells import cell_len, chop_cells, set_cell_size

from scalargrad.formulas.text import END_ISOLATE, ISOLATE

X, Y, CHILD, PARTIAL, DIM, WHY = "bold dark_orange3", "bold dark_cyan", "dark_cyan", "dodger_blue1", "dim", "bold dodger_blue1"
CURRENT, MARKED, HEAD, NOT_FINITE = "reverse dark_orange3", "reverse dark_cyan", "bold", "bold red"


def cut(text, width, formatter):
    """Return a string in at most `width` columns; `…` replaces what is cut off."""
    if cell_len(text) <= width:
        return text
    dots = formatter("…")
    if width <= len(dots):
        return dots[: max(0, width)]
    begin = set_cell_size(text, width - len(dots)).rstrip()
    return begin + END_ISOLATE * (begin.count(ISOLATE) - begin.count(END_ISOLATE)) + dots


FILLER, JOINED = "\ue000", "\ue001"  # stand for the second column of a letter, and the space of d loss; a printable text has none
AFTER_D = re.compile(r"\bd (?=\w)")


def wrapped(text, width, **options):
    """Return a text as lines of at most `width` columns. `options` are those of `textwrap.wrap`, which counts letters."""
    room = width - len(options.get("subsequent_indent", ""))
    broken = re.sub(r"\S+", lambda word: " ".join(chop_cells(word[0], room)), text) if cell_len(text) > len(text) else text
    broken = AFTER_D.sub(f"d{JOINED}", broken)
    filled = "".join(letter + FILLER * (cell_len(letter) - 1) for letter in broken)
    return [line.replace(FILLER, "").replace(JOINED, " ") for line in textwrap.wrap(filled, width, **options)]

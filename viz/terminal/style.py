"""The colours of the screen, and a line cut to a width."""

from rich.cells import cell_len, set_cell_size

X, Y, CHILD, PARTIAL, DIM, WHY = "bold dark_orange3", "bold dark_cyan", "dark_cyan", "dodger_blue1", "dim", "bold dodger_blue1"
CURRENT, MARKED, HEAD, NOT_FINITE = "reverse dark_orange3", "reverse dark_cyan", "bold", "bold red"


def cut(text, width, ink):
    """Return a string in at most `width` columns; `…` replaces what is cut off."""
    if cell_len(text) <= width:
        return text
    dots = ink("…")
    return (set_cell_size(text, width - len(dots)).rstrip() + dots) if width > len(dots) else dots[: max(0, width)]

"""Write arrays as lines of a terminal: a matrix as lines in brackets, sums of matrices side by side. Does not know variables."""

from rich.cells import cell_len
from rich.text import Text

from scalargrad.formulas.lost_entries import nested_lists
from scalargrad.formulas.text import shape_text, shown_in_full
from viz.text.array_text import entries, is_array
from viz.text.formatter import FREED


def lines_of(x, formatter):
    """Return a number, a formula or an array as lines of the same width. A small matrix has a line per row, aligned to the right."""
    if not is_array(x) or not shown_in_full(x.shape):
        return [formatter.number(x)]
    rows = entries(x, formatter)
    widths = [max(map(cell_len, column)) for column in zip(*rows)]
    return [f"[{'  '.join(' ' * (w - cell_len(cell)) + cell for cell, w in zip(row, widths))}]" for row in rows]


def height_of(shape):
    """Return the number of lines of an array of this shape."""
    return shape[0] if len(shape) == 2 and shown_in_full(shape) else 1


def in_a_cell(x, formatter, width):
    """Return a number, or an array in full, such as 6 6; 13 13. An array that is wider than `width` columns is its shape."""
    if x is None:
        return FREED
    if not is_array(x):
        return formatter.formula(nested_lists(x) if hasattr(x, "tolist") else x)
    text = "; ".join(map(" ".join, entries(x, formatter))) if shown_in_full(x.shape) else ""
    return text if 0 < cell_len(text) <= width else formatter(shape_text(x.shape))


def beside(parts):
    """Return blocks (lists of texts) side by side as lines. A single text, as in [block, " + ", block], stands at half height."""
    high = max(len(part) for part in parts if not isinstance(part, str | Text))
    middle = (high - 1) // 2
    found = []
    for row in range(high):
        line = Text()
        for part in parts:
            if isinstance(part, str | Text):
                line.append_text(Text(part) if isinstance(part, str) else part) if row == middle else line.append(" " * cell_len(str(part)))
                continue
            above = (high - len(part)) // 2
            inside = 0 <= row - above < len(part)
            line.append(part[row - above] if inside else " " * part[0].cell_len)
        found.append(line)
    return found

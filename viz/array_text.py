"""Write arrays as text: a matrix as lines in brackets, sums of matrices side by side. Knows shapes and numbers, not variables."""

from rich.cells import cell_len
from rich.text import Text

from scalargrad.formulas.text import shape_text, shown_in_full
from viz.ink import FREED

DIGITS = 4  # of a number in an array


def is_array(x):
    """Return whether x has axes; a number does not."""
    return bool(getattr(x, "shape", ()))


def rounded(number):
    """Return a number as a table shows it."""
    return float(format(number, f".{DIGITS}g")) if isinstance(number, float) else number


def in_few_digits(array):
    """Return a copy of an array with its entries as a table shows them."""
    found = array.copy()
    found.flat = [rounded(number) for number in array.ravel().tolist()]
    return found


def entries(array, ink):
    """Return the numbers of an array of one or two axes as text, row by row. A vector is one row."""
    rows = array.tolist() if len(array.shape) == 2 else [array.tolist()]
    return [[ink.formula(rounded(number)) for number in row] for row in rows]


def lines_of(x, ink):
    """Return a number, a formula or an array as lines of the same width. A small matrix has a line per row, aligned to the right."""
    if not is_array(x) or not shown_in_full(x.shape):
        return [ink.number(x)]
    rows = entries(x, ink)
    widths = [max(map(cell_len, column)) for column in zip(*rows)]
    return [f"[{'  '.join(' ' * (w - cell_len(cell)) + cell for cell, w in zip(row, widths))}]" for row in rows]


def height_of(shape):
    """Return the number of lines of an array of this shape."""
    return shape[0] if len(shape) == 2 and shown_in_full(shape) else 1


def in_a_cell(x, ink, width):
    """Return a number, or an array in full, such as 6 6; 13 13. An array that is wider than `width` columns is its shape."""
    if x is None:
        return FREED
    if not is_array(x):
        return ink.formula(rounded(x.tolist() if hasattr(x, "tolist") else x))
    text = "; ".join(map(" ".join, entries(x, ink))) if shown_in_full(x.shape) else ""
    return text if 0 < cell_len(text) <= width else ink(shape_text(x.shape))


def statistics(array, ink):
    """Return the minimum, the maximum and the mean of an array that is too large to be shown."""
    if 0 in array.shape:
        return "no entries"
    low, high, mean = (ink.formula(rounded(found.tolist())) for found in (array.min(), array.max(), mean_of(array)))
    return f"min {low}, max {high}, mean {mean}" if low != high else f"all {low}"


def mean_of(array):
    """Return the mean of an array. The sum of finite numbers may be infinite, but their mean is not."""
    import numpy as np

    with np.errstate(over="ignore"):
        mean = array.mean()
    return mean if np.isfinite(mean) else (array / array.size).sum()


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


def numbers_of(x):
    """Return the entries of an array, or the one number."""
    return x.reshape(-1).tolist() if hasattr(x, "reshape") else [x]

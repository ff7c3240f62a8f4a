"""Draw a large array as a small picture. The colour of a cell is the mean of a block of numbers."""

from math import isfinite
from typing import NamedTuple

from scalargrad.formulas.text import shown_in_full
from viz.drawing.html_label import sized

ROWS, COLUMNS, CELL = 8, 16, 8  # at most so many rows and columns; points
LEVELS = 16  # shades of a colour


class Block(NamedTuple):
    """A table of a drawing and its size in points."""

    table: str
    width: int
    height: int


def heatmap(array, theme):
    """Return the block of an array. Return None for an empty array, and for one that is small enough to show its numbers."""
    if array is None or not getattr(array, "shape", ()) or shown_in_full(array.shape) or 0 in array.shape:
        return None
    means = block_means(array)
    largest = max((abs(m) for row in means for m in row if isfinite(m)), default=0) or 1
    lines = [runs([shade(m / largest, theme) for m in row]) for row in means]
    inside = "".join(f"<TR>{''.join(cell(*run) for run in line)}</TR>" for line in lines)
    look = f'BORDER="1" COLOR="{theme.faint}" CELLBORDER="0" CELLSPACING="0" CELLPADDING="0"'
    return Block(f"<TABLE {look}>{inside}</TABLE>", len(means[0]) * CELL + 2, len(means) * CELL + 2)


def as_matrix(shape):
    """Return (rows, columns) of an array. A vector is one row; the first of several axes goes down, the others go across."""
    size = 1
    for n in shape:
        size *= n
    rows = shape[0] if len(shape) > 1 else 1
    return rows, size // rows


def block_means(array):
    """Return the means of at most ROWS × COLUMNS blocks of about the same size."""
    rows, columns = as_matrix(array.shape)
    matrix = array.reshape(rows, columns)
    across, down = borders(columns, COLUMNS), borders(rows, ROWS)
    return [[float(matrix[a:b, c:d].mean()) for c, d in across] for a, b in down]


def borders(n, most):
    k = min(n, most)
    return [(i * n // k, (i + 1) * n // k) for i in range(k)]


def shade(share, theme):
    """Return the colour of a number between -1 and 1. nan has the colour of a line."""
    if not isfinite(share):
        return theme.line
    level = round(abs(share) * LEVELS) / LEVELS
    return mix(theme.zero_fill, theme.positive if share > 0 else theme.negative, level)


def mix(a, b, share):
    """Return the colour that lies between a and b at this share."""
    channels = [(int(a[i : i + 2], 16), int(b[i : i + 2], 16)) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(x + (y - x) * share):02x}" for x, y in channels)


def runs(colours):
    """Return [colour, how often it occurs in a row] for each run of colours."""
    found = []
    for colour in colours:
        if found and found[-1][0] == colour:
            found[-1][1] += 1
        else:
            found.append([colour, 1])
    return found


def cell(colour, times):
    where = sized(CELL * times, CELL).removesuffix(">")
    return f'{where} COLSPAN="{times}" BGCOLOR="{colour}"></TD>'

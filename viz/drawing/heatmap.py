"""A large array as a small picture: cells tinted by the mean of the block of numbers that each stands for."""

from math import isfinite
from typing import NamedTuple

from scalargrad.formulas.text import shown_in_full
from viz.drawing.html_label import sized

ROWS, COLUMNS, CELL = 8, 16, 8  # at most; points
LEVELS = 16  # of a colour


class Block(NamedTuple):
    """A table of a drawing and its size in points."""

    table: str
    width: int
    height: int


def heatmap(array, theme):
    """The block of an array; None of one so small that its numbers are shown, and of an empty one."""
    if array is None or not getattr(array, "shape", ()) or shown_in_full(array.shape) or 0 in array.shape:
        return None
    means = block_means(array)
    largest = max((abs(m) for row in means for m in row if isfinite(m)), default=0) or 1
    lines = [runs([shade(m / largest, theme) for m in row]) for row in means]
    inside = "".join(f"<TR>{''.join(cell(*run) for run in line)}</TR>" for line in lines)
    look = f'BORDER="1" COLOR="{theme.faint}" CELLBORDER="0" CELLSPACING="0" CELLPADDING="0"'
    return Block(f"<TABLE {look}>{inside}</TABLE>", len(means[0]) * CELL + 2, len(means) * CELL + 2)


def as_matrix(shape):
    """The shape of an array laid out in rows: a vector is one row, of more axes the first goes down and the others across."""
    size = 1
    for n in shape:
        size *= n
    rows = shape[0] if len(shape) > 1 else 1
    return rows, size // rows


def block_means(array):
    """The means of at most ROWS × COLUMNS blocks of about the same size."""
    rows, columns = as_matrix(array.shape)
    matrix = array.reshape(rows, columns)
    across, down = borders(columns, COLUMNS), borders(rows, ROWS)
    return [[float(matrix[a:b, c:d].mean()) for c, d in across] for a, b in down]


def borders(n, most):
    k = min(n, most)
    return [(i * n // k, (i + 1) * n // k) for i in range(k)]


def shade(share, theme):
    """The colour of a number between -1 and 1; what is no number has the colour of a line."""
    if not isfinite(share):
        return theme.line
    level = round(abs(share) * LEVELS) / LEVELS
    return mix(theme.zero_fill, theme.positive if share > 0 else theme.negative, level)


def mix(a, b, share):
    """A colour between a and b."""
    channels = [(int(a[i : i + 2], 16), int(b[i : i + 2], 16)) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(x + (y - x) * share):02x}" for x, y in channels)


def runs(colours):
    """(colour, how often in a row)."""
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

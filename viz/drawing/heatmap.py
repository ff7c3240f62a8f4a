"""Draw a large array as a small picture. The colour of a cell is the mean of a block of numbers."""

from math import isfinite, prod
from typing import NamedTuple

from scalargrad.formulas.text import shown_in_full
from viz.drawing.html_label import gap, row, rows, sized, space

ROWS, COLUMNS, CELL = 8, 16, 8  # at most so many rows and columns; points
SIDE, SMALL, GAP = 8, 6, 3  # rows and columns of an image; points of a cell if there are several images, and between them
MOST_IMAGES, ACROSS = 8, 4  # images of an array that are drawn one by one, and in a row
LEVELS = 16  # shades of a colour


class Block(NamedTuple):
    """A table of a drawing and its size in points."""

    table: str
    width: int
    height: int


def heatmap(array, theme):
    """Return the block of an array. Return None for an empty array, and for one that is small enough to show its numbers.

    An array of more than two axes is a few pictures of its last two axes, such as the channels of an image, or one matrix.
    """
    if array is None or not getattr(array, "shape", ()) or shown_in_full(array.shape) or 0 in array.shape:
        return None
    pictures = [block_means(image, SIDE) for image in images(array)] or [block_means(array)]
    largest = max((abs(m) for means in pictures for line in means for m in line if isfinite(m)), default=0) or 1
    size = CELL if len(pictures) == 1 else SMALL
    blocks = [picture(means, largest, size, theme) for means in pictures]
    across = array.shape[-3] if len(array.shape) > 2 and 1 < array.shape[-3] <= ACROSS else ACROSS
    return tiled([blocks[i : i + across] for i in range(0, len(blocks), across)])


def images(array):
    """Return the matrices of the last two axes of an array, if they are few; [] otherwise and for an array of at most two axes."""
    many = prod(array.shape[:-2])
    return list(array.reshape(many, *array.shape[-2:])) if len(array.shape) > 2 and many <= MOST_IMAGES else []


def picture(means, largest, size, theme):
    """Return the block of a matrix in which the darkest colour stands for `largest`."""
    lines = [runs([shade(m / largest, theme) for m in line]) for line in means]
    inside = "".join(f"<TR>{''.join(cell(*run, size) for run in line)}</TR>" for line in lines)
    look = f'BORDER="1" COLOR="{theme.faint}" CELLBORDER="0" CELLSPACING="0" CELLPADDING="0"'
    return Block(f"<TABLE {look}>{inside}</TABLE>", len(means[0]) * size + 2, len(means) * size + 2)


def tiled(grid):
    """Return one block with blocks of one size in rows, GAP points apart; a single block as it is."""
    first = grid[0][0]
    if len(grid) == len(grid[0]) == 1:
        return first
    wide, high = (n * (each + GAP) - GAP for n, each in ((len(grid[0]), first.width), (len(grid), first.height)))
    lines = [between([f"<TD>{block.table}</TD>" for block in line], gap(GAP, 1)) for line in grid]
    return Block(rows(*between([row(*line) for line in lines], space(GAP))), wide, high)


def between(things, each):
    """Return things with `each` between them."""
    return [part for thing in things for part in (each, thing)][1:]


def as_matrix(shape):
    """Return (rows, columns) of an array. A vector is one row; the first of several axes goes down, the others go across."""
    size = 1
    for n in shape:
        size *= n
    rows = shape[0] if len(shape) > 1 else 1
    return rows, size // rows


def block_means(array, side=None):
    """Return the means of at most ROWS × COLUMNS blocks, or side × side blocks, of about the same size."""
    high, wide = as_matrix(array.shape)
    matrix = array.reshape(high, wide)
    across, down = borders(wide, side or COLUMNS), borders(high, side or ROWS)
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


def cell(colour, times, size):
    where = sized(size * times, size).removesuffix(">")
    return f'{where} COLSPAN="{times}" BGCOLOR="{colour}"></TD>'

"""Draw the picture of an array as tables of the layout engine: cells, and a scale below them."""

from functools import lru_cache
from typing import NamedTuple

from viz.array_picture import LEVELS, picture
from viz.drawing.svg.html_label import Line, around, gap, row, rows, sized, space, table

CELL, SIDE, SMALL_SIDE = 8, 96, 48  # points: of a cell at most; of a matrix that is alone; of one of several
SMALLEST, GAP = 2, 3  # points of a cell at least; between matrices
BAR_CELL, BAR_HEIGHT, LABEL = 6, 6, 11  # points of the bar of a scale; font size of its numbers


class Block(NamedTuple):
    """A table of a drawing and its size in points."""

    table: str
    width: int
    height: int


def heatmap(array, theme):
    """Return the block of an array's picture with its scale; None for an array without a picture: see `viz.array_picture`."""
    found = picture(array)
    if found is None:
        return None
    blocks = [cells(matrix, cell_size(found), theme) for matrix in found.levels]
    return stacked([tiled([blocks[i : i + found.across] for i in range(0, len(blocks), found.across)]), *scale(found, theme)])


def cell_size(found):
    side = SIDE if len(found.matrices) == 1 else SMALL_SIDE
    return max(SMALLEST, min(CELL, side // max(found.rows, found.columns)))


def cells(matrix, size, theme):
    lines = [line_of(line, size, size, theme) for line in matrix]
    return Block(boxed(rows(*lines), theme), len(matrix[0]) * size + 2, len(matrix) * size + 2)


def line_of(levels, wide, high, theme):
    """Return a row of cells of this size: a table of its own, so that its cells have their widths and not those of other rows."""
    return row(*(cell(*run, wide, high) for run in runs([shade(level, theme) for level in levels])))


def boxed(inside, theme):
    return table(f"<TR><TD>{inside}</TD></TR>", f'BORDER="1" COLOR="{theme.faint}" CELLPADDING="0"')


def scale(found, theme):
    """Return the blocks of a picture's scale: a bar, the numbers at its ends and 0 below it, and the note."""
    lines = [Line(label, LABEL, theme.ink) for label in found.labels]
    between = 0 if found.zero is None else Line("0", LABEL, theme.ink).width + 4
    wide = max(len(found.bar) * BAR_CELL, sum(line.width for line in lines) + 4 + between)
    size = -(-wide // len(found.bar))
    wide = size * len(found.bar)
    bar = boxed(line_of(found.bar, size, BAR_HEIGHT, theme), theme)
    note = [Line(found.note, LABEL, theme.quiet)] if found.note else []
    return [
        Block(space(3), 1, 3),
        Block(bar, wide + 2, BAR_HEIGHT + 2),
        Block(numbers(lines, found.zero, wide, theme), wide, lines[0].height),
        *[Block(row(line.cell()), line.width, line.height) for line in note],
    ]


def numbers(lines, zero, wide, theme):
    """Return the row of numbers below a bar. The 0 is as near to its place as the others allow."""
    high = lines[0].height
    if len(lines) == 1:
        return around(row(lines[0].cell()), wide, lines[0].width)
    first, last = lines
    room = wide - first.width - last.width
    if zero is None:
        return row(first.cell(), gap(room, high), last.cell())
    middle = Line("0", LABEL, theme.ink)
    left = round(min(max(zero * wide - first.width - middle.width / 2, 2), room - middle.width - 2))
    return row(first.cell(), gap(left, high), middle.cell(), gap(room - left - middle.width, high), last.cell())


def stacked(blocks):
    """Return blocks one above the other as one block, each in the middle."""
    wide = max(block.width for block in blocks)
    return Block(rows(*[around(block.table, wide, block.width) for block in blocks]), wide, sum(block.height for block in blocks))


def tiled(grid):
    """Return one block with blocks of one size in rows, GAP points apart; a single block as it is."""
    first = grid[0][0]
    if len(grid) == len(grid[0]) == 1:
        return first
    wide, high = (n * (each + GAP) - GAP for n, each in ((len(grid[0]), first.width), (len(grid), first.height)))
    empty = lambda line: [gap(first.width, first.height)] * (len(grid[0]) - len(line))
    lines = [between([f"<TD>{block.table}</TD>" for block in line] + empty(line), gap(GAP, 1)) for line in grid]
    return Block(rows(*between([row(*line) for line in lines], space(GAP))), wide, high)


def between(things, each):
    """Return things with `each` between them."""
    return [part for thing in things for part in (each, thing)][1:]


def shade(level, theme):
    """Return the colour of a level from -16 to 16. What is not finite has the colour of a line."""
    if level is None:
        return theme.line
    return mix(theme.zero_fill, theme.positive if level > 0 else theme.negative, abs(level) / LEVELS)


@lru_cache(1000)  # a picture has thousands of cells, and 33 shades
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


def cell(colour, times, wide, high):
    return f'{sized(wide * times, high).removesuffix(">")} BGCOLOR="{colour}"></TD>'

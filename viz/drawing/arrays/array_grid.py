"""Draw an array: every number with its sign, on a tint by its sign. A large array is a picture with a scale."""

from scalargrad.formulas.lost_entries import without_lost
from scalargrad.formulas.text import shown_in_full
from viz.drawing.arrays.heatmap import Block, heatmap
from viz.drawing.svg.html_label import Line, around, gap, row, rows, space, table
from viz.text.array_text import entries, statistics
from viz.text.formatter import FREED, UNICODE

SIZE, SMALL, PADDING, SPACING = 12, 11, 4, 2  # font size; that of words; points beside a number; points between numbers


def block(array, theme, ink, shape, others=()):
    """Return the block of an array of this shape, with room for the arrays in `others`. With array=None, return empty room.

    An array that is too large to show its numbers is a picture with a scale.
    """
    known = [a for a in (array, *others) if a is not None]
    if known and shown_in_full(shape):
        return numbers(array, known, theme, ink)
    if not known or 0 in shape:
        return words(FREED if not known else statistics(known[0], UNICODE), ink)
    pictures = [heatmap(a, theme) for a in known]
    wide, high = max(each.width for each in pictures), max(each.height for each in pictures)
    if array is None:
        return Block(row(gap(wide, high)), wide, high)
    first = pictures[0]
    below = [space(high - first.height)] * (high > first.height)  # another array of this room has a note
    return Block(rows(around(first.table, wide, first.width), *below), wide, high)


def words(text, ink):
    line = Line(text, SMALL, ink)
    return Block(row(line.cell(), gap(1, line.height + 2)), line.width + 1, line.height + 2)


def numbers(array, known, theme, ink):
    """Return the block with all numbers in rows and columns, aligned to the right."""
    grids = [[[Line(text, SIZE, ink) for text in texts] for texts in entries(a, UNICODE)] for a in known]
    widths = [max(line.width for grid in grids for line in column(grid, j)) for j in range(len(grids[0][0]))]
    high = grids[0][0][0].height + 2
    wide = sum(w + 2 * PADDING + SPACING for w in widths) + SPACING
    tall = len(grids[0]) * (high + SPACING) + SPACING
    if array is None:
        return Block(row(gap(wide, tall)), wide, tall)
    entered = without_lost(array).tolist() if len(array.shape) == 2 else [without_lost(array).tolist()]
    lines = ["".join(cell(n, line, w, high, theme) for n, line, w in zip(*each, widths)) for each in zip(entered, grids[0])]
    inside = "".join(f"<TR>{line}</TR>" for line in lines)
    return Block(f'<TABLE BORDER="0" CELLBORDER="0" CELLPADDING="0" CELLSPACING="{SPACING}">{inside}</TABLE>', wide, tall)


def column(grid, j):
    return [texts[j] for texts in grid]


def cell(number, line, width, high, theme):
    tint = theme.positive_fill if number > 0 else theme.negative_fill if number < 0 else theme.zero_fill
    inside = f"<TR>{gap(width - line.width + PADDING, high)}{line.cell()}{gap(PADDING, high)}</TR>"
    look = f'BORDER="0" CELLPADDING="0" BGCOLOR="{tint}"'
    return f"<TD>{table(inside, look)}</TD>"

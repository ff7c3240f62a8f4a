"""Where a graph that is wider than a page is broken into rows, as text is, and where the rows stand.

Knows the widths of ranks, not what stands in them.

Legend: a break is a rank at which a row begins; [0, 5] are two rows, of the ranks 0 to 4 and from 5 on.
"""

from itertools import accumulate
from math import inf
from typing import NamedTuple

PAGE = 900  # points: 1200 pixels, which can be read on paper and in a README, where it is smaller
ROW, LINE, ALONE = 1.0, 0.05, 1.0  # what a row costs; a line that turns to it; if it holds one box
TURN, MOST_TURNS = 7, 6  # between lines that turn to the next row; how many have a place of their own
BETWEEN = 20  # rows, apart from the lines that turn there


def covered(spans, last):
    """Return how many of these spans of ranks lie over the border before each rank.

    >>> covered([(0, 2), (1, 2)], 2)
    [0, 1, 2, 0]
    """
    steps = [0] * (last + 2)
    for begin, end in spans:
        steps[begin + 1] += 1
        steps[end + 1] -= 1
    return list(accumulate(steps))


def best_breaks(columns, limit, lines, held):
    """Return the ranks at which rows begin, so that each row fits into a limit, if a rank alone does.

    `columns` are the left and the right of each rank, `lines` how many lines lead over the border before it, `held` how many boxes it
    holds. Few rows are best, then rows of the same width, of several boxes, with few lines from row to row.

    >>> best_breaks([(60 * k, 60 * k + 40) for k in range(6)], 230, [0, 1, 1, 1, 1, 1], [1] * 6)
    [0, 3]
    """
    best, begin = [0.0], []
    lefts, turning = [left for left, _ in columns], [LINE * min(n, MOST_TURNS) for n in lines]
    for end, (_, right) in enumerate(columns, 1):
        least, start, boxes = inf, end, 0
        for first in range(end - 1, -1, -1):
            wide, boxes = right - lefts[first], boxes + held[first]
            if wide > limit and first < end - 1:
                break
            alone = boxes == 1 and len(columns) > 1
            cost = best[first] + (ROW + (1 - min(wide / limit, 1)) ** 2 + turning[first] + ALONE * alone)
            if cost <= least:
                least, start = cost, first
        best.append(least)
        begin.append(start)
    breaks, end = [], len(columns)
    while end:
        end = begin[end - 1]
        breaks.append(end)
    return breaks[::-1]


class Row(NamedTuple):
    """The ranks from `first` to before `end`, how far they move across and down, and the ends and the top of the row after that.

    `close` is how close lines turn to it, as a share of TURN and BETWEEN.
    """

    first: int
    end: int
    across: float
    down: float
    left: float
    right: float
    top: float
    close: float = 1


def breaks_within(columns, width, lines, held, close=1):
    """Return (breaks, margin) of a graph in rows that is at most `width` wide with the margins for the lines that turn."""
    for turns in range(1, MOST_TURNS + 1):
        margin = close * margin_for(turns)
        breaks = best_breaks(columns, width - 2 * margin, lines, held)
        if max((lines[r] for r in breaks[1:]), default=0) <= turns:
            break
    return breaks, margin


def margin_for(turns):
    """Return the room at the left and at the right of rows in which so many lines turn."""
    return TURN * (turns + 1.5)


def between_rows(turns, close):
    """Return the room between two rows in which so many lines turn."""
    return close * (BETWEEN + TURN * min(turns, MOST_TURNS))


def rows_of(columns, tops, bottoms, lines, breaks, margin, indent=0, close=1):
    """Return the rows of a graph. `tops` and `bottoms` are the ends of each rank. All rows but the first have an indent.

    >>> rows = rows_of([(0, 40), (60, 100), (120, 160)], [0] * 3, [20] * 3, [0, 1, 1], [0, 2], 10)
    >>> [(row.first, row.end, row.across, row.down) for row in rows]
    [(0, 2, 10, 0.0), (2, 3, -110, 47.0)]
    """
    found, y = [], 0.0
    for first, end in zip(breaks, [*breaks[1:], len(columns)]):
        y += between_rows(lines[first], close) * (first > 0)
        move, top = margin + indent * (first > 0) - columns[first][0], min(tops[first:end])
        found.append(Row(first, end, move, y - top, margin, columns[end - 1][1] + move, y, close))
        y += max(bottoms[first:end]) - top
    return found

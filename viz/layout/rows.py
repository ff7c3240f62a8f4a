"""Where a graph that is wider than a page is broken into rows, as text is, and where the rows stand.

Knows the widths of ranks, not what stands in them.

Legend: a break is a rank at which a row begins; [0, 5] are two rows, of the ranks 0 to 4 and from 5 on.
"""

from itertools import accumulate, takewhile
from math import inf
from typing import NamedTuple

PAGE = 1180  # points: 1600 pixels, less the edge of the paper
ABOUT = 1.15  # rows that are at most so much wider count as equally wide
WORTH = 1.05  # rows are chosen if one row would be so much wider
WIDER, SHORT = 1.25, 0.6  # one row may be so much wider than a page, if a row would else be so much shorter than the longest
TURN, MOST_TURNS = 7, 6  # between lines that turn to the next row; how many have a place of their own
MARGIN = TURN * (MOST_TURNS + 2)  # at the left and at the right of rows, for the turns
BETWEEN = 20  # rows, apart from the lines that turn there
LIMITS = tuple(range(100, 16, -4))  # of a row, in hundredths of a page


def best_breaks(widths, allowed, page=PAGE):
    """Return (the breaks, the width of the graph). The breaks are None if all fits into one row, or rows would be no narrower.

    `allowed` yields lists of ranks at which a row may begin: first those that are best, then more of them if no rows of these fit.

    >>> best_breaks(Widths([300] * 6, [20] * 6, list(range(7)), 20), [range(1, 6)])
    ([0, 3], 980)
    """
    if widths.row(0, widths.end) <= page:
        return None, 0
    found = candidates(widths, allowed, page)
    one_row, narrowest = widths.rows([0]), min(found.values(), default=inf)
    if narrowest * WORTH > one_row:
        return None, one_row
    if one_row <= WIDER * page and all(widths.has_short_row(breaks) for breaks in found):
        return None, one_row  # a few boxes alone in a row would be cut off from the others
    narrow = page if narrowest <= page else ABOUT * narrowest
    breaks = min(found, key=lambda breaks: (max(found[breaks], narrow), len(breaks), found[breaks]))
    return list(breaks), found[breaks]


def candidates(widths, allowed, page):
    """Return {breaks: the width of the graph}."""
    found: dict = {}
    for ranks in allowed:
        for limit in LIMITS:
            breaks = widths.filled(ranks, limit * page / 100)
            if len(breaks) > 1:
                found.setdefault(breaks, widths.rows(breaks) + 2 * widths.between)  # for the lines from row to row
        if min(found.values(), default=inf) <= page:
            break
    return found


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


class Widths:
    """The width of each rank and of the gap to its left; `begin` gives the first rank of a row that begins at a break, which may be
    earlier; `between` is the least gap.
    """

    def __init__(self, columns, gaps, begin, between):
        self.columns, self.gaps, self.begin, self.between, self.end = columns, gaps, begin, between, len(columns)

    def row(self, a, b):
        """Return the width of a row that begins at rank a and ends before rank b."""
        return sum(self.columns[self.begin[a] : b]) + sum(self.gaps[self.begin[a] + 1 : b])

    def filled(self, allowed, limit):
        """Return breaks, out of those allowed, so that each row takes as much as fits into its limit."""
        breaks = [0]
        for here, following in zip(allowed, [*allowed[1:], self.end]):
            if self.row(breaks[-1], following) > limit:
                breaks.append(here)
        return tuple(breaks)

    def has_short_row(self, breaks):
        """Return whether a row is much shorter than the longest."""
        found = [self.row(a, b) for a, b in zip(breaks, [*breaks[1:], self.end])]
        return min(found) < SHORT * max(found)

    def rows(self, breaks):
        """Return the width of a graph in rows: the first ranks of all rows stand below each other, and so on."""
        spans = [(self.begin[row], end) for row, end in zip(breaks, [*breaks[1:], self.end])]
        total = 0
        for k in range(max(last - first for first, last in spans)):
            at = [first + k for first, last in spans if first + k < last]
            total += max(self.columns[r] for r in at) + max((self.gaps[r] for r in at if k), default=0)
        return total


def balanced(widths, allowed, limit):
    """Return the fewest breaks with which each row fits into a limit, so that the widest is as narrow as possible."""
    few = widths.filled(allowed, limit)
    tried = (widths.filled(allowed, limit * percent / 100) for percent in range(98, 40, -2))
    return [few, *takewhile(lambda breaks: len(breaks) == len(few), tried)][-1]


class Row(NamedTuple):
    """The ranks from `first` to before `end`, how far they move across and down, and the right end and the top of the row after that."""

    first: int
    end: int
    across: float
    down: float
    right: float
    top: float


def rows_of(columns, tops, bottoms, lines, width):
    """Return the rows of a graph that is at most `width` wide, if a rank alone is: as few as possible, of about the same width.

    `columns` are the left and the right of each rank, `tops` and `bottoms` its ends, `lines` how many lines lead over the border before it.

    >>> [(row.first, row.end) for row in rows_of([(0, 40), (60, 100), (120, 160)], [0] * 3, [20] * 3, [0, 1, 1], 240)]
    [(0, 2), (2, 3)]
    """
    gaps = [0, *(b - a for (_, a), (b, _) in zip(columns, columns[1:]))]
    widths = Widths([b - a for a, b in columns], gaps, list(range(len(columns) + 1)), 0)
    breaks = balanced(widths, range(1, len(columns)), width - 2 * MARGIN)
    found, y = [], 0.0
    for first, end in zip(breaks, [*breaks[1:], len(columns)]):
        y += (BETWEEN + TURN * min(lines[first], MOST_TURNS)) * (first > 0)
        move, top = MARGIN - columns[first][0], min(tops[first:end])
        found.append(Row(first, end, move, y - top, columns[end - 1][1] + move, y))
        y += max(bottoms[first:end]) - top
    return found

"""Where a drawing that is wider than a page is broken into rows. Knows statements and their ranks, not how they are written.

Legend: a break is a rank at which a row begins; [0, 5] are two rows, of the ranks 0 to 4 and from 5 on.
"""

from itertools import accumulate
from math import inf

from viz.drawing.statements import node_of

PAGE = 1180  # points: 1600 pixels, less the edge of the paper
FRAME = 18  # points that a frame takes at its left and at its right
ABOUT = 1.15  # rows that are at most so much wider count as equally wide
WORTH = 1.05  # rows are chosen if one row would be so much wider
WIDER, SHORT = 1.25, 0.6  # one row may be so much wider than a page, if a row would else be so much shorter than the longest
LIMITS = tuple(range(100, 16, -4))  # of a row, in hundredths of a page


def row_breaks(statements, rank, row_of, between, page=PAGE):
    """Return (the breaks, the width of the drawing). The breaks are None if all fits into one row, or rows would be no narrower.

    `row_of` gives {node: the node in whose row it stands}; `between` is the distance between ranks in points,
    and `page` the width of a page.
    """
    widths = Widths(statements, rank, row_of, between)
    if widths.row(0, widths.end) <= page:
        return None, 0
    found = candidates(statements, rank, row_of, widths, page)
    one_row, narrowest = widths.rows([0]), min(found.values(), default=inf)
    if narrowest * WORTH > one_row:
        return None, one_row
    if one_row <= WIDER * page and all(widths.has_short_row(breaks) for breaks in found):
        return None, one_row  # a few boxes alone in a row would be cut off from the others
    narrow = page if narrowest <= page else ABOUT * narrowest
    breaks = min(found, key=lambda breaks: (max(found[breaks], narrow), len(breaks), found[breaks]))
    return list(breaks), found[breaks]


def candidates(statements, rank, row_of, widths, page):
    """Return {breaks: the width of the drawing}. Frames are torn only if nothing else fits, the outermost first."""
    found: dict = {}
    for depth in range(2 + max(statements.depth.values(), default=-1)):
        allowed = possible_breaks(statements, rank, row_of, depth)
        for limit in LIMITS:
            breaks = widths.filled(allowed, limit * page / 100)
            if len(breaks) > 1:
                found.setdefault(breaks, widths.rows(breaks) + 2 * widths.between)  # for the lines from row to row
        if min(found.values(), default=inf) <= page:
            break
    return found


def possible_breaks(statements, rank, row_of, depth):
    """Return the ranks before which one node alone is the tail of all edges, and which lie only in frames less deep than `depth`."""
    reach: dict = {}
    for tail, head, *_ in statements.edges:
        if node_of(tail) not in row_of:
            reach[node_of(tail)] = max(reach.get(node_of(tail), 0), rank[node_of(head)])
    tails = [(rank[name], end) for name, end in reach.items()]
    inner = [[rank[name] for name in names] for frame, names in statements.frames.items() if statements.depth[frame] >= depth]
    last = max(rank.values(), default=0)
    over, torn = covered(tails, last), covered([(min(ranks), max(ranks)) for ranks in inner], last)
    return [r for r in range(1, last + 1) if over[r] == 1 and not torn[r]]


def covered(spans, last):
    """Return how many of these spans lie over the border before each rank.

    >>> covered([(0, 2), (1, 2)], 2)
    [0, 1, 2, 0]
    """
    steps = [0] * (last + 2)
    for begin, end in spans:
        steps[begin + 1] += 1
        steps[end + 1] -= 1
    return list(accumulate(steps))


class Widths:
    """The width of each rank and of the gap to its left; `begin` gives the first rank of a row that begins at a break.

    A row begins before its break if a branch that it holds does.
    """

    def __init__(self, statements, rank, row_of, between):
        self.between, self.end = between, max(rank.values(), default=0) + 1
        self.columns, self.gaps, self.begin = [0] * self.end, [between] * self.end, list(range(self.end + 1))
        for name, r in rank.items():
            self.columns[r] = max(self.columns[r], statements.width[name])
        for tail, head, wide, _ in statements.edges:
            if node_of(tail) not in statements.owner:
                self.gaps[rank[node_of(head)]] = max(self.gaps[rank[node_of(head)]], between + wide)
        for names in statements.frames.values():
            at = [rank[name] for name in names]
            self.gaps[min(at)] += FRAME
            self.columns[max(at)] += FRAME
        for name, served in row_of.items():
            for r in range(rank[name] + 1, rank[served] + 1):
                self.begin[r] = min(self.begin[r], rank[name])

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
        """Return the width of a drawing in rows: the first ranks of all rows stand below each other, and so on."""
        spans = [(self.begin[row], end) for row, end in zip(breaks, [*breaks[1:], self.end])]
        total = 0
        for k in range(max(last - first for first, last in spans)):
            at = [first + k for first, last in spans if first + k < last]
            total += max(self.columns[r] for r in at) + max((self.gaps[r] for r in at if k), default=0)
        return total

"""Lay a graph out in layers, from left to right: the places of its boxes, its links as splines, the frames of its scopes.

A size is (w, h, pad): `pad` is room above and below the box, at which no link ends. A link is (i, j), from box i to box j. Links of one
box that pass a rank share a gap: they run together and part where they end.
"""

from bisect import bisect
from functools import cached_property, lru_cache
from math import inf
from typing import NamedTuple

from viz.layout.arrangement import Arranged, arrangement, chains_of, pieces, without_cycles
from viz.layout.ordering import in_order
from viz.layout.places import Lane, Places, Spacing, columns_of, places
from viz.layout.ranks import latest_ranks
from viz.layout.routes import STUB, Route, splines
from viz.layout.rows import between_rows, breaks_within, covered, rows_of

SPACING = Spacing(apart=10, gap=16, title=34, side=12)
NARROW_GAP = -4


def layered(n, links, major=None, earlier=None, keys=None):
    """Return the Layers of a graph of n boxes.

    The first `major` boxes are major, the others minor. A link between two minor boxes has no points unless their columns are
    neighbours; a longer link to or from a minor box is a stub. `earlier` is {box: how many columns further left it stands}. A column of
    boxes that all have a key in `keys` is in this order, from top to bottom.

    >>> found = layered(2, [(0, 1)]).layout([(40, 20, 4), (40, 20, 4)], lambda i, j: 60)
    >>> found.places, found.splines[0][0], found.splines[0][-1]
    ([(20.0, 14.0), (120.0, 14.0)], (40.0, 14.0), (100.0, 14.0))
    """
    rank, earlier = ranked(n, tuple(links)), earlier or {}
    return layered_in_ranks(n, links, major, [rank[i] - earlier.get(i, 0) for i in range(n)], keys)


def layered_in_ranks(n, links, major, rank, keys=None):
    """Return what `layered` does, for boxes in these ranks."""
    major, low = n if major is None else major, min(rank, default=0)
    lines = [(i, j, i) for i, j in links]
    order = in_order([r - low for r in rank], lines, lambda link: max(link[:2]) < major, keys)
    return Layers([Arranged(list(range(n)), lines, order)], [[(0, *line)] for line in lines], major)


@lru_cache(maxsize=500)
def layered_again(n, links, major):
    """Return what `layered` does; the same Layers for a graph that is laid out again."""
    return layered(n, links, major)


@lru_cache(maxsize=500)
def ranked(n, links):
    """Return the rank of each of n boxes."""
    return tuple(latest_ranks(range(n), links).values())


def least_size(sizes, links, long, short):
    """Return the width of what `layered` makes of boxes of these sizes, and the height that they take at least, without gaps for links.
    `long` are the shortest lengths of some links, `short` that of the others.
    """
    rank = ranked(len(sizes), links)
    last = max(rank)
    wide, high, rooms = [0.0] * (last + 1), [-SPACING.apart] * (last + 1), [0, *[max(2 * STUB, short)] * last]
    for r, (w, h, pad) in zip(rank, sizes):
        if w > wide[r]:
            wide[r] = w
        high[r] += h + 2 * pad + SPACING.apart
    for (_, j), length in long.items():
        if length > rooms[rank[j]]:
            rooms[rank[j]] = length
    return sum(wide) + sum(rooms), max(high)


def layered_in_scopes(links, around, parents, ranked=latest_ranks, keys=None):
    """Return the Layers of a graph in which each scope has a frame, with no other box inside, and the scope of each frame.

    `around` holds the number of the scope of each box, `parents` the scope around each scope; number 0 is the whole graph. A box stands
    after those that lead to it. A scope that leads out and back in has several frames. `ranked` and `keys`: see `arrangement`; the key
    of scope k is that of -1 - k.
    """
    around, parents, scopes = without_cycles(around, links, parents)
    keys = (keys or {}) | {-1 - k: keys[-1 - scope] for k, scope in enumerate(scopes) if keys and -1 - scope in keys}
    chains = chains_of(parents)
    ways = [[(*piece, i) for piece in pieces(i, chains[around[i]], j, chains[around[j]])] for i, j in links]
    return Layers(arrangement(around, links, parents, lambda x, a, b: x, ranked, keys), ways, len(around), around, parents), scopes


class Layers:
    """The boxes of a graph in layers and in order, for boxes of any sizes. A way is the pieces of a link: see `arrangement.pieces`."""

    def __init__(self, arranged, ways, major, around=(), parents=()):
        self.arranged, self.ends, self.major = arranged, [(way[0][1], way[-1][2]) for way in ways], major
        self.around, self.parents = around, parents  # the scope of each box, the scope around each scope
        self.heights: dict = {}
        place = {(scope, t): e for scope, each in enumerate(arranged) for e, t in enumerate(each.things)}
        rank = {(scope, e): r for scope, each in enumerate(arranged) for r, entries in enumerate(each.order.ranks) for e in entries}
        chains = {(scope, *link): chain for scope, each in enumerate(arranged) for link, chain in zip(each.links, each.order.chains)}
        around = {-1 - t: (scope, e) for (scope, t), e in place.items() if t < 0}
        meetings = [next((scope, place[scope, a], place[scope, b]) for scope, a, b, _ in way if None not in (a, b)) for way in ways]
        self.key = {t: key for (scope, t), e in place.items() for key in [(scope, e)]}
        self.column = {}  # {(scope, entry): its rank in the whole graph}
        for scope, e in rank:
            self.column[scope, e] = rank[0, e] if scope == 0 else self.column[around[scope]]
        self.before = [(scope, rank[scope, b] - 1) for scope, _, b in meetings]  # for each link the room between ranks that has its label
        apart = [rank[scope, b] - rank[scope, a] > 1 for scope, a, b in meetings]
        self.course_of = lambda way, far: Course(way, far, place, chains, around, arranged)
        self.ways = list(zip(ways, apart))

    @cached_property
    def courses(self):
        """The Course of each link."""
        return [self.course_of(*way) for way in self.ways]

    def layout(
        self,
        sizes,
        gap,
        titles=(),
        apart=SPACING.apart,
        width=inf,
        arrivals=None,
        roomy=0,
        turned=False,
        between=2 * STUB,
        indent=0,
        widths=None,
        close=1,
    ):
        """Return the Layout for boxes of these sizes, those of a column `apart`, and up to `roomy` if it is not the highest.

        `gap(i, j)` is the shortest length of a link, `between` that of any, `titles` the least widths of frames. A graph that is wider
        than `width` stands in rows. `arrivals` are the heights of the sides at which links end, if these are lower than the boxes. A
        `turned` layout is for a graph from top to bottom, and has width and height exchanged. `indent` is room before each
        row but the first, for labels; `widths` are those of the boxes, if these are narrower than their sizes. `close` is how close
        lines turn to the next row, 1 or less.
        """
        spacing = SPACING._replace(apart=apart, roomy=roomy, turned=turned, gap=SPACING.gap if close == 1 else NARROW_GAP)
        least = [(0, title, 0) if turned else (title, 0, 0) for title in reversed(titles)]
        sized = [*sizes, *least]
        columns = columns_of(self.arranged, sized, self.rooms(gap, between), spacing)
        broken = None
        if columns[0][-1][1] > width:
            lines = self.lines_over(len(columns[0]))
            broken = Broken(lines, *breaks_within(columns[0], width - indent, lines, self.held_by_ranks, close), indent, close)
        return Layout(self, sized, columns, spacing, broken, widths or [w for w, *_ in sizes], arrivals or [h for _, h, _ in sizes])

    def rooms(self, gap, least):
        """Return the room between the ranks of each scope. A long link has its label before its end."""
        found = [[float(least)] * (len(each.order.ranks) - 1) for each in self.arranged]
        for (i, j), (scope, r) in zip(self.ends, self.before):
            if r >= 0:
                found[scope][r] = max(found[scope][r], gap(i, j))
        return found

    def in_rows(self, found, columns, *more):
        """Return Places in rows, and the rows."""
        ends = [[self.ends_of(found, e) for e in rank] for rank in self.arranged[0].order.ranks]
        tops, bottoms = ([choose(y for pair in rank for y in pair) for rank in ends] for choose in (min, max))
        rows = rows_of(columns, tops, bottoms, *more)
        row_of = [row for row in rows for _ in range(row.first, row.end)]
        across = {key: row_of[rank].across for key, rank in self.column.items()}
        down = {key: row_of[rank].down for key, rank in self.column.items()}
        lanes = {key: lane.moved(across[key], down[key]) for key, lane in found.lanes.items()}
        boxes = {t: (x + across[self.key[t]], y + down[self.key[t]], w, h) for t, (x, y, w, h) in found.boxes.items()}
        return Places(boxes, lanes), rows

    @cached_property
    def held_by_ranks(self):
        """How many boxes the entries of each rank of the whole graph are or hold, 2 of one for many."""
        return [sum(map(self.held, rank)) for rank in self.arranged[0].order.ranks]

    def held(self, entry):
        """Return how many boxes an entry of the whole graph is or holds, 2 for many."""
        things = self.arranged[0].things
        return 0 if entry >= len(things) else 1 if things[entry] >= 0 else min(2, len(self.arranged[-1 - things[entry]].things))

    def ends_of(self, found, entry):
        """Return the top and the bottom of an entry of the whole graph."""
        things, y = self.arranged[0].things, found.lanes[0, entry].y
        high = found.boxes[things[entry]][3] if entry < len(things) else SPACING.gap
        return y - high / 2, y + high / 2

    def lines_over(self, n):
        """Return how many lines lead over the border before each of n ranks."""
        reach: dict = {}
        for (_, _, line), chain in zip(self.arranged[0].links, self.arranged[0].order.chains):
            first, last = (self.column[0, chain[k]] for k in (0, -1))
            reach[line] = min(first, reach.get(line, (first, last))[0]), max(last, reach.get(line, (first, last))[1])
        return covered(reach.values(), n - 1)[:n]


class Broken(NamedTuple):
    """Rows: how many lines lead over the border before each rank, the ranks at which rows begin, and what else `rows_of` takes."""

    lines: list
    breaks: list
    margin: float
    indent: float
    close: float


class Layout:
    """The centres `places` of the boxes, the `width` of all, the row of each (`row_of`, from 0 or 1 on), `frames` {scope: (left, top,
    right, bottom)}, and the links as splines. All but the width is computed when it is asked for, since it takes longer.
    """

    def __init__(self, layers, sized, columns, spacing, broken, widths, arrivals):
        self.layers, self.sized, self.columns, self.spacing, self.broken = layers, sized, columns, spacing, broken
        self.widths, self.arrivals = widths, arrivals

    @cached_property
    def found(self):
        """The Places of everything, and the rows."""
        layers, breaks = self.layers, self.broken.breaks if self.broken else ()
        found = places(layers.arranged, self.sized, self.columns, self.spacing, layers.heights, breaks)
        return layers.in_rows(found, self.columns[0], *self.broken) if self.broken else (found, [])

    @property
    def rows(self):
        return self.found[1]

    @property
    def lanes(self):
        return self.found[0].lanes

    @cached_property
    def places(self):
        found = self.found[0].boxes
        return [found[i][:2] for i in range(len(self.widths))]

    @cached_property
    def boxes(self):
        return [(*place, wide, h) for place, wide, (_, h, _) in zip(self.places, self.widths, self.sized)]

    @cached_property
    def row_of(self):
        column, key = self.layers.column, self.layers.key
        return [bisect(self.rows, column[key[i]], key=lambda row: row.first) for i in range(len(self.widths))]

    @cached_property
    def frames(self):
        found = self.found[0].boxes.items()
        return {-1 - t: (x - w / 2, y - h / 2, x + w / 2, y + h / 2) for t, (x, y, w, h) in found if t < 0}

    @property
    def width(self):
        if self.broken:
            return max([x + w / 2 for x, _, w, _ in self.found[0].boxes.values()], default=0)
        return self.columns[0][-1][1]

    @property
    def least_size(self):
        """The width of all boxes of a graph without scopes, and the height that they take at least. Lines at the rim take none."""
        columns, spans = self.columns[0], list(map(self.spans, self.layers.arranged[0].order.ranks))
        breaks = self.broken.breaks if self.broken else [0]
        rows = list(zip(breaks, [*breaks[1:], len(columns)]))
        high = [max([span[first > 0][end < len(columns)] for span in spans[first:end]]) for first, end in rows]
        between = [between_rows(self.broken.lines[first], self.broken.close) for first in breaks[1:]]
        return max([columns[end - 1][1] - columns[first][0] for first, end in rows]), sum(high) + sum(between)

    def spans(self, rank):
        """Return how high a rank is at least: ((its boxes, with the lines below them), (with those above them, with all))."""
        many, apart, sized = len(self.widths), self.spacing.apart, self.sized
        high = [sized[e][1] + 2 * sized[e][2] if e < many else self.spacing.gap for e in rank]
        boxes = [k for k, e in enumerate(rank) if e < many] or [0]
        span = lambda k, end: sum(high[k:end]) + apart * (end - k - 1)
        return [[span(k, end) for end in (boxes[-1] + 1, len(rank))] for k in (boxes[0], 0)]

    @cached_property
    def splines(self):
        routes = [Route(*ends, *course.along(self.lanes)) for ends, course in zip(self.layers.ends, self.layers.courses)]
        return splines(routes, self.boxes, self.arrivals, self.layers.major, self.rows)


class Course:
    """Where a link runs, whatever the sizes are: between the left of one lane and the right of another, in the free room of a third."""

    def __init__(self, way, far, place, chains, around, arranged):
        scope, tail, *_ = way[0]
        self.tail, self.enters, self.passed = (scope, place[scope, tail]), None, []
        self.leaves = self.tail
        for scope, a, b, line in way:
            for entry in chains.get((scope, a, b, line), ()):
                if entry >= len(arranged[scope].things):
                    self.passed.append([self.enters or (scope, entry), (scope, entry), (scope, entry)])
                    self.enters = None
            if b is None and self.passed:  # straight on, until the rank of this scope ends
                self.passed[-1][2] = around[scope]
            elif b is None:
                self.leaves = around[scope]
            else:
                self.enters = self.enters or (scope, place[scope, b])
        self.head = scope, place[scope, b]
        self.stub = far and not self.passed

    def along(self, lanes):
        """Return the lane from its first box on, the lanes that it passes, the lane up to its last box, and whether it is a stub."""
        joined = lambda left, at, right: lanes[at] if left == at == right else Lane(lanes[left].left, lanes[right].right, *lanes[at][2:])
        first, last = joined(self.tail, self.tail, self.leaves), joined(self.enters, self.head, self.head)
        return first, tuple(joined(*at) for at in self.passed), last, self.stub

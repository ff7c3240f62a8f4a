"""Lay a small graph out in layers, as columns from left to right. Knows sizes and links, not what they show. Fast: for thousands of scenes.

The method is Sugiyama's: assign layers, let each long link pass through a place of its own in every layer between, order each
layer by the mean of its neighbours. So no link runs through a box. A long link to or from a minor box is only a stub.

A size is (w, h, pad): `pad` is room above and below the box, at which no link ends. A link is (i, j), from box i to box j.
"""

from collections import defaultdict

APART = 10  # between the boxes of a column
PASSING = 16  # the height of the place where a link passes a column
CORNER = 12  # links end no closer to a corner of a box
PITCH = 40  # between links at the side of a box, if there is room
STUB = 22  # the length of a stub
BEND = 24  # between the handles of links between the same two boxes
SWEEPS = 4  # times that all columns are ordered


def layered_layout(sizes, links, gap, major, earlier=None, order=None):
    """Return the centres of the boxes, and the links as splines (lists of points). `gap(i, j)` is the shortest length of a link.

    The first `major` boxes are major, the others minor. A link between two minor boxes has no points unless their columns are
    neighbours. `earlier` is {box: how many columns further left it stands}. `order` is {box: a key}: a column of boxes that all have
    a key is in this order, from top to bottom.

    >>> places, splines = layered_layout([(40, 20, 4), (40, 20, 4)], [(0, 1)], lambda i, j: 60, 2)
    >>> places, splines[0][0], splines[0][-1]
    ([(0.0, 0.0), (100.0, 0.0)], (20.0, 0.0), (80.0, 0.0))
    """
    rank = [r + (earlier or {}).get(i, 0) for i, r in enumerate(ranks(len(sizes), links))]
    column = [max(rank, default=0) - r for r in rank]
    chains, passing = through_columns(links, column, len(sizes), major)
    sizes, column = [*sizes, *[(0, PASSING, 0)] * len(passing)], [*column, *passing]
    xs, wide = across(sizes, links, column, gap)
    places = [(xs[c], y) for c, y in zip(column, rows(sizes, column, neighbours(chains, column), order or {}))]
    return places[: len(rank)], Splines(places, sizes, column, wide, major).of(chains)


def through_columns(links, column, count, major):
    """Return each link as a chain of boxes, one in each column, and the columns of the places that this adds after box `count`."""
    chains, passing = [], []
    for i, j in links:
        between = range(column[i] + 1, column[j]) if max(i, j) < major else ()
        first = count + len(passing)
        chains.append([i, *range(first, first + len(between)), j])
        passing += between
    return chains, passing


def neighbours(chains, column):
    """Return the pieces (i, j) of the chains between neighbouring columns."""
    return [(i, j) for chain in chains for i, j in zip(chain, chain[1:]) if column[j] == column[i] + 1]


def across(sizes, links, column, gap):
    """Return the centre and the width of each column."""
    last = max(column, default=0)
    wide, room = [0.0] * (last + 1), [0.0] * (last + 1)  # room is to the right of a column
    for (w, _, _), c in zip(sizes, column):
        wide[c] = max(wide[c], w)
    for i, j in links:
        end = column[j] - 1
        room[end] = max(room[end], gap(i, j))  # a long link has its label before its end
        for c in range(column[i], end):
            room[c] = max(room[c], 2 * STUB)
    xs = [0.0]
    for c in range(last):
        xs.append(xs[-1] + wide[c] / 2 + room[c] + wide[c + 1] / 2)
    return xs, wide


def ranks(n, links):
    """Return the length of the longest path from each box to the end of the graph, in links."""
    into, waiting = defaultdict(list), [0] * n
    for i, j in links:
        into[j].append(i)
        waiting[i] += 1
    rank, ready = [0] * n, [j for j in range(n) if not waiting[j]]
    for j in ready:
        for i in into[j]:
            rank[i] = max(rank[i], rank[j] + 1)
            waiting[i] -= 1
            if not waiting[i]:
                ready.append(i)
    return rank


def rows(sizes, column, pairs, order):
    """Return the height of each box: near the mean of its neighbours, and never on another box."""
    near = [[] for _ in sizes]
    for i, j in pairs:
        near[i].append(j)
        near[j].append(i)
    members_of = defaultdict(list)
    for i, c in enumerate(column):
        members_of[c].append(i)
    for members in members_of.values():
        if order.keys() >= set(members):
            members.sort(key=order.get)
    ys = [0.0] * len(sizes)
    for members in members_of.values():
        stack(members, sizes, ys, [0.0] * len(members))
    for sweep in range(SWEEPS):
        for c in sorted(members_of, reverse=sweep % 2 == 0):
            wished = {i: sum(ys[j] for j in near[i]) / len(near[i]) if near[i] else ys[i] for i in members_of[c]}
            if sweep < SWEEPS - 1 and not order.keys() >= set(members_of[c]):
                members_of[c].sort(key=lambda i: (wished[i], i))
            stack(members_of[c], sizes, ys, [wished[i] for i in members_of[c]])
    return ys


def stack(members, sizes, ys, wished):
    """Set the heights of the members of a column: one below the other, as close to the wished heights as their sizes allow."""
    low, pushed = None, 0.0
    for i, wish in zip(members, wished):
        half = sizes[i][1] / 2 + sizes[i][2]
        ys[i] = wish if low is None else max(wish, low + APART + half)
        low = ys[i] + half
        pushed += ys[i] - wish
    for i in members:
        ys[i] -= pushed / len(members)


class Splines:
    """Draws links between boxes that have their places."""

    def __init__(self, places, sizes, column, wide, major):
        self.places, self.sizes, self.column, self.wide, self.major = places, sizes, column, wide, major

    def of(self, chains):
        """Return a spline for each chain."""
        starts = self.ports([(chain[0], chain[1]) for chain in chains])
        ends = self.ports([(chain[-1], chain[-2]) for chain in chains])
        bends = bent_apart([(chain[0], chain[-1]) for chain in chains])
        return [self.spline(*found) for found in zip(chains, starts, ends, bends)]

    def ports(self, pairs):
        """Return the height at which each link meets its box, for pairs of a box and what the link comes from.

        At the side of a box the links are in the order of the heights they come from, so that few cross.
        """
        at, found = defaultdict(list), [0.0] * len(pairs)
        for k, (box, other) in enumerate(pairs):
            at[box].append((self.places[other][1], k))
        for box, links in at.items():
            pitch = min(max(self.sizes[box][1] - 2 * CORNER, 0) / max(len(links) - 1, 1), PITCH)
            for n, (_, k) in enumerate(sorted(links)):
                found[k] = self.places[box][1] + (n - (len(links) - 1) / 2) * pitch
        return found

    def spline(self, chain, start, end, bend):
        """Return the points of a link: a curve between two columns, a straight line through a column."""
        first, last = chain[0], chain[-1]
        if len(chain) == 2 and self.column[last] - self.column[first] > 1:
            return self.stub(first, last, start, end)
        points = [(self.right(first), start)]
        edge = self.column_side(first, 1)
        for i in chain[1:]:
            y = end if i == last else self.places[i][1]
            points += straight(points[-1], (edge, points[-1][1]))
            points += curve(points[-1], (self.column_side(i, -1), y), bend)
            edge = self.column_side(i, 1)
            points += straight(points[-1], (self.left(i) if i == last else edge, y))
        return points

    def stub(self, first, last, start, end):
        """Return the end of a long link at its major box."""
        if last < self.major:
            x = self.left(last)
            return [(x - STUB, end), *straight((x - STUB, end), (x, end))]
        x = self.right(first)
        return [(x, start), *straight((x, start), (x + STUB, start))] if first < self.major else []

    def left(self, i):
        return self.places[i][0] - self.sizes[i][0] / 2

    def right(self, i):
        return self.places[i][0] + self.sizes[i][0] / 2

    def column_side(self, i, side):
        """Return the left (-1) or the right (1) side of the column of a box."""
        return self.places[i][0] + side * self.wide[self.column[i]] / 2


def bent_apart(pairs):
    """Return how far down each link is bent: those between the same two boxes are bent apart."""
    between = defaultdict(list)
    for k, pair in enumerate(pairs):
        between[pair].append(k)
    bends = {k: BEND * (n - (len(same) - 1) / 2) for same in between.values() for n, k in enumerate(same)}
    return [bends[k] for k in range(len(pairs))]


def straight(a, b):
    """Return the points of a straight line after its start; none if b is not to the right of a."""
    return [tuple(p + (q - p) * t / 3 for p, q in zip(a, b)) for t in (1, 2)] + [b] if b[0] > a[0] else []


def curve(a, b, down=0):
    """Return the points, after its start, of a cubic that leaves and arrives level, or bent down."""
    reach = (b[0] - a[0]) * 0.45
    return [(a[0] + reach, a[1] + down), (b[0] - reach, b[1] + down), b]

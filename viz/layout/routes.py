"""The links as splines, lists of points: level through the rank of a box or of a gap, curved between ranks."""

from bisect import bisect_right
from collections import Counter, defaultdict
from typing import NamedTuple

from viz.layout.rows import BETWEEN, MARGIN, MOST_TURNS, TURN

CORNER = 12  # links end no closer to a corner of a box
PITCH = 40  # between links at the side of a box, if there is room
STUB = 22  # the length of a stub
BEND = 24  # between the handles of links between the same two boxes
REACH = 0.45  # of the way between two ranks: how far the handles of a curve reach
RADIUS, ROUND = 10, 0.55  # of a turn; how far the handles of an arc reach toward its corner
TILT = 0.6  # a line leaves a box in this share of the direction to what it meets next
DOWN = 9  # a line through a gap of its own leads so far up or down from the middle, at most


class Route(NamedTuple):
    """The way of a link from box to box: where it leaves the rank of the first and enters that of the last, and the lanes between them.

    A lane is (left, right, y): where lines pass a rank. A route that is a stub has no lanes; only its ends at major boxes are drawn.
    """

    tail: int
    head: int
    leaves: float
    enters: float
    lanes: tuple = ()
    stub: bool = False


def splines(routes, boxes, major, rows=()):
    """Return a spline for each route between boxes (x, y, w, h). The first `major` boxes are major; a stub between others has no points.

    A line that goes on in the next of `rows` turns between them.
    """
    starts = ports([(r.tail, met(r.lanes[:1], boxes[r.head], k)) for k, r in enumerate(routes)], boxes)
    ends = ports([(r.head, met(r.lanes[-1:], boxes[r.tail], k)) for k, r in enumerate(routes)], boxes)
    bends = bent_apart([(r.tail, r.head) for r in routes])
    shared, turns = Counter(lane for r in routes for lane in r.lanes), Turns(rows)
    return [spline(*found, boxes, major, shared, turns) for found in zip(routes, starts, ends, bends)]


def met(lanes, box, k):
    """Return what route number k meets next: a lane, which it may share with others, or a box. The first number is its height."""
    return (lanes[0][2], 0, lanes[0][0]) if lanes else (box[1], 1, k)


def ports(pairs, boxes):
    """Return the height at which each link meets its box, for pairs of a box and what the link meets next.

    At the side of a box the links are in the order of the heights of what they meet, so that few cross. Those of one lane leave together.
    """
    at = defaultdict(set)
    for box, other in pairs:
        at[box].add(other)
    found = {}
    for box, others in at.items():
        pitch = min(max(boxes[box][3] - 2 * CORNER, 0) / max(len(others) - 1, 1), PITCH)
        for n, other in enumerate(sorted(others)):
            found[box, other] = boxes[box][1] + (n - (len(others) - 1) / 2) * pitch
    return [found[pair] for pair in pairs]


def bent_apart(pairs):
    """Return how far down each link is bent: those between the same two boxes are bent apart."""
    between = defaultdict(list)
    for k, pair in enumerate(pairs):
        between[pair].append(k)
    bends = {k: BEND * (n - (len(same) - 1) / 2) for same in between.values() for n, k in enumerate(same)}
    return [bends[k] for k in range(len(pairs))]


def spline(route, start, end, bend, boxes, major, shared, turns):
    """Return the points of a route: a straight line through each rank, a curve between two."""
    (x, _, w, _), (other, _, wide, _) = boxes[route.tail], boxes[route.head]
    right, left = x + w / 2, other - wide / 2
    if route.stub:
        return stub(right, start, left, end, route.tail < major, route.head < major)
    stops = [(right, route.leaves, start), *route.lanes, (route.enters, left, end)]
    first, *passed, last = [((a, y), (b, y)) for a, b, y in stops]
    if near_enough(first, (passed or [last])[0][0]):
        first = first[0], first[0]
    if near_enough(last, (passed or [first])[-1][-1]):
        last = last[1], last[1]
    passed = [
        lane if shared[stop] > 1 else tilted(lane, before, after)
        for lane, stop, before, after in zip(passed, route.lanes, stops, stops[2:])
    ]
    points, through = [(right, start)], [first, *passed, last]
    for (a, b), (c, d) in zip(through, through[1:]):
        points += straight(points[-1], b)
        points += turns.between(b, c, route.tail) if c[0] < b[0] else curve(b, c, direction(a, b, c), direction(d, c, b), bend)
    return points + straight(points[-1], (left, end))


class Turns:
    """Where lines turn to the next row: each line from one box has a place of its own, if there is room."""

    def __init__(self, rows):
        self.rows, self.tops, self.taken = rows, [row.top for row in rows], defaultdict(dict)

    def between(self, a, b, tail):
        """Return the points of a turn, after its start, from the end a of a row back to the begin b of the next."""
        n = bisect_right(self.tops, a[1]) - 1
        row, following = self.rows[n], self.rows[n + 1]
        k = self.taken[n].setdefault(tail, len(self.taken[n])) % MOST_TURNS
        y, aside = following.top - BETWEEN / 2 - TURN * k, TURN * (k + 1.5)
        corners = [a, (row.right + aside, a[1]), (row.right + aside, y), (MARGIN - aside, y), (MARGIN - aside, b[1]), b]
        return rounded(corners)


def tilted(lane, before, after):
    """Return a lane that leads from the stop before it toward the stop after it, as far as the gap allows."""
    (left, y), (right, _) = lane
    if before[1] >= left or after[0] <= right:  # it turns to another row there
        return lane
    slopes = sorted(((y - before[2]) / (left - before[1]), (after[2] - y) / (after[0] - right)), key=abs)
    down = max(min(slopes[0] * (right - left) / 2, DOWN), -DOWN) if slopes[0] * slopes[1] > 0 else 0.0  # level where it turns
    return (left, y - down), (right, y + down)


def direction(a, b, c):
    """Return the slope at which a line from a through b goes on to c. At a box, where a is b, it leads toward c in part."""
    return (b[1] - a[1]) / (b[0] - a[0]) if a != b else TILT * (c[1] - b[1]) / (c[0] - b[0])


def near_enough(beside, other):
    """Return whether a line may be a curve beside a narrow box too, since it stays away from wider boxes of the rank."""
    (left, y), (right, _) = beside
    return abs(other[1] - y) * (right - left) <= CORNER * min(abs(other[0] - left), abs(other[0] - right))


def stub(right, start, left, end, at_tail, at_head):
    """Return the end of a long link at its major box."""
    if at_head:
        return [(left - STUB, end), *straight((left - STUB, end), (left, end))]
    return [(right, start), *straight((right, start), (right + STUB, start))] if at_tail else []


def straight(a, b):
    """Return the points of a straight line after its start; none if b is not to the right of a."""
    return thirds(a, b) if b[0] > a[0] else []


def curve(a, b, leaving, arriving, down):
    """Return the points, after its start, of a cubic that leaves and arrives with these slopes, bent down."""
    reach = (b[0] - a[0]) * REACH
    return [(a[0] + reach, a[1] + reach * leaving + down), (b[0] - reach, b[1] - reach * arriving + down), b]


def rounded(corners):
    """Return the points, after its start, of a line along these corners, each rounded."""
    points, here = [], corners[0]
    for corner, following in zip(corners[1:], corners[2:]):
        before, after = toward(corner, here), toward(corner, following)
        points += [*thirds(here, before), *[tuple(p + (q - p) * ROUND for p, q in zip(end, corner)) for end in (before, after)], after]
        here = after
    return points + thirds(here, corners[-1])


def toward(corner, other):
    """Return the point where a line from or to another point begins to turn."""
    far = max(abs(q - p) for p, q in zip(corner, other)) or 1
    return tuple(p + (q - p) * min(RADIUS / far, 0.5) for p, q in zip(corner, other))


def thirds(a, b):
    """Return the points of a straight line after its start."""
    return [tuple(p + (q - p) * t / 3 for p, q in zip(a, b)) for t in (1, 2)] + [b]

"""The links as splines, lists of points: level through the rank of a box or of a gap, curved between ranks."""

from collections import defaultdict
from typing import NamedTuple

CORNER = 12  # links end no closer to a corner of a box
PITCH = 40  # between links at the side of a box, if there is room
STUB = 22  # the length of a stub
BEND = 24  # between the handles of links between the same two boxes
REACH = 0.45  # of the way between two ranks: how far a curve is level


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


def splines(routes, boxes, major):
    """Return a spline for each route between boxes (x, y, w, h). The first `major` boxes are major; a stub between others has no points."""
    starts = ports([(r.tail, met(r.lanes[:1], boxes[r.head], k)) for k, r in enumerate(routes)], boxes)
    ends = ports([(r.head, met(r.lanes[-1:], boxes[r.tail], k)) for k, r in enumerate(routes)], boxes)
    bends = bent_apart([(r.tail, r.head) for r in routes])
    return [spline(*found, boxes, major) for found in zip(routes, starts, ends, bends)]


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


def spline(route, start, end, bend, boxes, major):
    """Return the points of a route: a straight line through each rank, a curve between two."""
    (x, _, w, _), (other, _, wide, _) = boxes[route.tail], boxes[route.head]
    right, left = x + w / 2, other - wide / 2
    if route.stub:
        return stub(right, start, left, end, route.tail < major, route.head < major)
    points = [(right, start), *straight((right, start), (route.leaves, start))]
    for begin, stop, y in (*route.lanes, (route.enters, left, end)):
        points += curve(points[-1], (begin, y), bend)
        points += straight((begin, y), (stop, y))
    return points


def stub(right, start, left, end, at_tail, at_head):
    """Return the end of a long link at its major box."""
    if at_head:
        return [(left - STUB, end), *straight((left - STUB, end), (left, end))]
    return [(right, start), *straight((right, start), (right + STUB, start))] if at_tail else []


def straight(a, b):
    """Return the points of a straight line after its start; none if b is not to the right of a."""
    return [tuple(p + (q - p) * t / 3 for p, q in zip(a, b)) for t in (1, 2)] + [b] if b[0] > a[0] else []


def curve(a, b, down=0):
    """Return the points, after its start, of a cubic that leaves and arrives level, or bent down."""
    reach = (b[0] - a[0]) * REACH
    return [(a[0] + reach, a[1] + down), (b[0] - reach, b[1] + down), b]

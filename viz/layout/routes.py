"""The links as splines, lists of points: as straight as the boxes and the other links allow, and smooth."""

from bisect import bisect_right
from collections import defaultdict
from functools import cache
from itertools import pairwise
from math import inf
from typing import NamedTuple

from viz.layout.places import CLEAR, CORNER, Lane
from viz.layout.rows import BETWEEN, MOST_TURNS, TURN

PITCH = 40  # between links at the side of a box, if there is room
STUB = 22  # the length of a stub
BEND, LONG = 24, 40  # between the handles of links between the same two boxes, if they are so long
REACH, TOWARD = 0.45, 0.6  # of the way between two knots; of the way to where the tangents meet: how far the handles of a curve reach
SHARES = 1, 0.6, 0.3, 0.1, 0  # of that, until the curve stays in its lanes
RADIUS, ROUND = 10, 0.55  # of a turn; how far the handles of an arc reach toward its corner
SLACK = 1  # a curve may leave its lanes by so much
TILT = 0.6  # a line without corners leaves and meets boxes in this share of its direction


class Route(NamedTuple):
    """The way of a link from box to box: the lanes of the ranks of the first box, of those that it passes, of the last box.

    Only the ends of a stub at major boxes are drawn.
    """

    tail: int
    head: int
    first: Lane
    passed: tuple
    last: Lane
    stub: bool = False


def splines(routes, boxes, arrivals, major, rows=()):
    """Return a spline for each route between boxes (x, y, w, h). The first `major` boxes are major; a stub between others has no points.

    `arrivals` are the heights of the left sides, where links end. A line that goes on in the next of `rows` turns between them. Links
    that share lanes run together until they fork.
    """
    starts = ports([(r.tail, met(r.passed[:1], boxes[r.head], k)) for k, r in enumerate(routes)], boxes, [h for *_, h in boxes])
    ends = ports([(r.head, met(r.passed[-1:], boxes[r.tail], k)) for k, r in enumerate(routes)], boxes, arrivals)
    bends = bent_apart([(r.tail, r.head) for r in routes])
    after = defaultdict(set)
    for r in routes:
        for lane, following in pairwise([*r.passed, r.head]):
            after[lane].add(following)
    forks, turns, found = {lane: None for lane, ways in after.items() if len(ways) > 1}, Turns(rows), {}
    for k in sorted(range(len(routes)), key=lambda k: -len(routes[k].passed)):
        r = routes[k]
        (x, _, w, _), (other, _, wide, _) = boxes[r.tail], boxes[r.head]
        begin, end = (x + w / 2, starts[k]), (other - wide / 2, ends[k])
        if r.stub:
            found[k] = stub(begin, end, r.tail < major, r.head < major)
        elif r.passed or rows or not (points := straight_on(begin, end, r.first, r.last, bends[k])):
            found[k] = spline(r, begin, end, bends[k], forks, turns)
        else:
            found[k] = points
    return [found[k] for k in range(len(routes))]


def straight_on(begin, end, first, last, bend):
    """Return the points of a route without corners between neighbouring ranks, as `spline` does in less time; None if it has a corner."""
    (x, y), (other, last_y) = begin, end
    slope = (last_y - y) / (other - x)
    for at, top, bottom in ((first.right + CLEAR, *first[3:]), (last.left - CLEAR, *last[3:])):
        if x < at < other and not top <= y + slope * (at - x) <= bottom:
            return None
    points = curve(begin, end, TILT * slope, TILT * slope, 1, bend * min(1, (other - x) / LONG))
    low, high = min(y, last_y, points[0][1], points[1][1]), max(y, last_y, points[0][1], points[1][1])
    inside = all(lane.top <= low and high <= lane.bottom for lane in (first, last))
    return [begin, *points] if inside else None


def met(lanes, box, k):
    """Return what route number k meets next: a lane, which it may share with others, or a box. The first number is its height."""
    return (lanes[0].y, 0, lanes[0].left) if lanes else (box[1], 1, k)


def ports(pairs, boxes, sides):
    """Return the height at which each link meets its box, for pairs of a box and what the link meets next, and the heights of all sides.

    At the side of a box the links are in the order of the heights of what they meet, so that few cross. Those of one lane leave together.
    """
    at = defaultdict(set)
    for box, other in pairs:
        at[box].add(other)
    found = {}
    for box, others in at.items():
        if len(others) == 1:
            found[box, *others] = boxes[box][1]
            continue
        pitch = min(max(sides[box] - 2 * CORNER, 0) / (len(others) - 1), PITCH)
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


def spline(route, begin, end, bend, forks, turns):
    """Return the points of a route between two points, through its lanes.

    `forks` holds the lanes at whose ends links part, each with the points of the way to there and its slope once they are known.
    """
    first, last = route.first, route.last
    first, last = Lane(begin[0], first.right, begin[1], *first[3:]), Lane(last.left, end[0], end[1], *last[3:])
    lanes = [first, *route.passed, last]
    known = max((k for k, lane in enumerate(lanes) if forks.get(lane)), default=0)
    points, slope = forks[lanes[known]] if known else ([begin], None)
    points, row = list(points), []
    for lane, following in pairwise([*lanes[known:], None]):
        row.append(lane)
        if following and turns.row(lane.y) < turns.row(following.y):
            smooth(points, taut(points[-1], row, (lane.right, lane.y), forks), (slope, 0.0), row, forks)
            points += turns.between(points[-1], (following.left, following.y), route.tail)
            slope, row = 0.0, []
    smooth(points, taut(points[-1], row, end, forks), (slope, None), row, forks, bend)
    return points


def taut(begin, lanes, end, forks):
    """Return the corners of the shortest way through lanes, like a string that is pulled tight, and its points where links part."""
    gates = [(x, *room) for left, right, _, *room in lanes for x in (left - CLEAR, right + CLEAR) if begin[0] < x < end[0]]
    gates.append((*end, end[1]))
    found, k = [begin], 0
    while found[-1] != end:
        (x, y), low, high, knot = found[-1], (-inf,), (inf,), None
        for n, (at, top, bottom) in enumerate(gates[k:], k + 1):
            up, down = (top - y) / (at - x), (bottom - y) / (at - x)
            knot = high if up > high[0] else low if down < low[0] else None
            if knot:
                break
            low, high = max(low, (up, n, (at, top))), min(high, (down, -n, (at, bottom)))
        k, corner = (abs(knot[1]), knot[2]) if knot else (len(gates), end)
        found += [(at, y + (corner[1] - y) * (at - x) / (corner[0] - x)) for at in parting(lanes, forks) if x < at < corner[0]]
        found.append(corner)
    return found


def parting(lanes, forks):
    return [lane.right for lane in lanes if lane in forks]


def smooth(points, knots, slopes, lanes, forks, bend=0.0):
    """Add the points of curves from knot to knot, which stay in their lanes. `slopes` are those at both ends; None at a box."""
    chords = [((y - before) / (x - left), x - left) for (left, before), (x, y) in pairwise(knots)]
    if not chords:
        return
    between = [gentle((s * a + t * b) / (a + b), s, t) for (s, a), (t, b) in pairwise(chords)]
    outer = [(3 * chords[k][0] - between[k]) / 2 if between else TILT * chords[0][0] for k in (0, -1)]  # at the end of a parabola
    ends = [other if slope is None else slope for slope, other in zip(slopes, outer)]
    slopes = [ends[0], *between, ends[1]]
    alone = max(parting(lanes, forks), default=-inf)  # from here on no link from the box to another one runs there
    for k, (a, b) in enumerate(pairwise(knots)):
        passed = [lane for lane in lanes if lane.left - CLEAR < b[0] and a[0] < lane.right + CLEAR]
        bent = bend * min(1, (b[0] - a[0]) / LONG) if a[0] >= alone else 0.0
        curves = (curve(a, b, *slopes[k : k + 2], share, bent) for share in SHARES)
        points += next((c for c in curves if within([a, *c], passed)), thirds(a, b))
        for lane in passed:
            if lane in forks and lane.right == b[0] and not forks[lane]:
                forks[lane] = list(points), slopes[k + 1]


def gentle(slope, *chords):
    """Return a slope at a knot with which no curve goes beyond the ends of its chord, 0 where the way turns back.

    Source: Fritsch and Carlson, "Monotone Piecewise Cubic Interpolation", 1980; here with the handles of `curve`.
    """
    flattest = min(map(abs, chords)) / TOWARD if min(chords) * max(chords) > 0 else 0.0
    return max(-flattest, min(slope, flattest))


def within(cubic, lanes):
    """Return whether a cubic stays in the free room of the lanes through which it leads."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = cubic
    low, high = min(ay, by, cy, dy), max(ay, by, cy, dy)
    if all(lane.top <= low and high <= lane.bottom for lane in lanes):
        return True
    rooms = [(lane.left - CLEAR, lane.right + CLEAR, lane.top - SLACK, lane.bottom + SLACK) for lane in lanes]
    for a, b, c, d in weights(6 * len(lanes) + 6):
        x, y = a * ax + b * bx + c * cx + d * dx, a * ay + b * by + c * cy + d * dy
        for left, right, top, bottom in rooms:
            if left <= x <= right and not top <= y <= bottom:
                return False
    return True


@cache
def weights(n):
    """Return how much each of the four points of a cubic counts at 0, 1/n, ..., 1 of its way."""
    return [((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3) for t in [k / n for k in range(n + 1)]]


class Turns:
    """Where lines turn to the next row: each line from one box has a place of its own, if there is room."""

    def __init__(self, rows):
        self.rows, self.tops, self.taken = rows, [row.top for row in rows], defaultdict(dict)

    def row(self, y):
        return bisect_right(self.tops, y) - 1

    def between(self, a, b, tail):
        """Return the points of a turn, after its start, from the end a of a row back to the begin b of the next."""
        n = self.row(a[1])
        row, following = self.rows[n], self.rows[n + 1]
        k = self.taken[n].setdefault(tail, len(self.taken[n])) % MOST_TURNS
        y, aside = following.top - row.close * (BETWEEN / 2 + TURN * k), row.close * TURN * (k + 1.5)
        corners = [a, (row.right + aside, a[1]), (row.right + aside, y), (following.left - aside, y), (following.left - aside, b[1]), b]
        return rounded(corners)


def stub(begin, end, at_tail, at_head):
    """Return the end of a long link at its major box."""
    if at_head:
        return [(end[0] - STUB, end[1]), *thirds((end[0] - STUB, end[1]), end)]
    return [begin, *thirds(begin, (begin[0] + STUB, begin[1]))] if at_tail else []


def curve(a, b, leaving, arriving, share, down):
    """Return the points, after its start, of a cubic that leaves and arrives with these slopes, bent down. It turns one way if it can."""
    wide, down = b[0] - a[0], down * share
    first, last = leaving - (b[1] - a[1]) / wide, (b[1] - a[1]) / wide - arriving
    meet = TOWARD * last / (first + last) if first * last > 0 else REACH
    far, near = wide * share * meet, wide * share * (TOWARD - meet if first * last > 0 else REACH)
    return [(a[0] + far, a[1] + far * leaving + down), (b[0] - near, b[1] - near * arriving + down), b]


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

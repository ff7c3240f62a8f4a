"""Place labels on edges so that no label overlaps another label or a box. Knows rectangles and splines, not what they show."""

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from functools import cache, lru_cache
from itertools import count, groupby, islice, pairwise
from math import ceil, floor, hypot, inf

from viz.layout.routes import weights

POINTS, CLOSE = 12, 6  # on each piece of a spline; between the points of a line that a label should not cover
RIM = 6, 3  # of a label at its sides, above and below, where a line hides no letter
CELL = 6  # of the grid that finds the lines that run through a label
SPACE, ARROW = 4, 16  # around a label; the length of an arrow's tip, which stays free
ASIDE = 0.36  # a label may sit this fraction of its height above or below its edge
MOST_LINES = 100  # other edges that a label should not cover
MOST_PLACES = 40  # along an edge
STEP = 20  # distance between other places that are tried
SQUARE = 100  # the side of a square of the grid that finds rectangles


def place_labels(paths, sizes, boxes, within=None, stretches=None, most_off=inf, alone=False):
    """Return the centre of each label, and the number of labels that are not on their edges; None if these are more than `most_off`.

    `paths` are splines (lists of points). `sizes` are (w, h) of their labels, or None. `boxes` are rectangles (x, y, w, h) around x, y.
    A label stands on its path, or on its one of the `stretches`, splines too; `alone` where no other line runs through it if possible, so
    that a reader sees whose it is. Labels stay between the two heights `within`, as long as the edge passes under them.

    >>> place_labels([[(0, 0), (30, 0), (60, 0), (90, 0)]], [(20, 10)], [])
    ([(45.0, 0.0)], 0)
    """
    wanted = [k for k, size in enumerate(sizes) if size]
    if not wanted:
        return [None] * len(paths), 0
    lines = list(map(sampled, paths))
    places = lines if stretches is None else list(map(sampled, stretches))
    clear = Rectangles((x - ARROW / 2, y, w + ARROW, h) for x, y, w, h in boxes)  # arrows end at the left side
    free, off = {}, 0
    for k in wanted:
        free[k] = apart_from(clear.near, candidates(places[k], *sizes[k], within), sizes[k])
        off += not free[k]
        if off > most_off:
            return None
    extents = list(map(extent, lines))
    roomy = [k for k in wanted if free[k]]
    first, others = crossing(paths) if alone else (0, ())
    own = {k: [p for p in free[k] if is_free(p, sizes[k], first, others[k])] if alone else free[k] for k in wanted}
    by_x, reaches = {k: columns(own[k] or free[k]) for k in roomy}, {k: grown(extent(free[k]), sizes[k]) for k in roomy}
    centres, placed, off = [None] * len(paths), Rectangles([]), 0
    taken = Rectangles(boxes)  # and the labels that are placed
    others_near = Rectangles((*reaches[k], k) for k in roomy)
    for k in sorted(wanted, key=lambda k: (len(own[k] or free[k]), k)):
        its_own = apart_from(placed.near, own[k], sizes[k])
        possible = its_own or apart_from(placed.near, free[k], sizes[k])
        if possible:
            reach, many = grown(extent(possible), sizes[k]), 0 if alone and its_own else min(len(lines), MOST_LINES)
            near = [lines[j] for j in range(many) if j != k and meets(extents[j], reach)]
            waiting = [(sizes[j], by_x[j]) for *_, j in others_near.near(reach) if j != k and centres[j] is None]
            centres[k] = first_best(possible, sizes[k], waiting, columns(inside(reach, near)))
        elif off >= most_off:
            return None
        else:
            centres[k] = nearest_free(places[k][len(places[k]) // 2], sizes[k], taken.near)
            off += 1
        for rectangles in (placed, taken):
            rectangles.add((*centres[k], *sizes[k]))
    return centres, off


def hides(label, lines):
    """Return whether a label (x, y, w, h) around x, y hides a point of one of some splines.

    >>> line = (0, 0), (30, 0), (60, 0), (90, 0)
    >>> hides((45, 2, 20, 16), [line]), hides((45, 6, 20, 16), [line])
    (True, False)
    """
    return any(covered(letters(label), close_points(line)) for line in lines)


def letters(label):
    """Return the part of a label (x, y, w, h) that has letters."""
    x, y, w, h = label
    return x, y, w - 2 * RIM[0], h - 2 * RIM[1]


def close_by(path, fewest):
    """Return points of a path so close to each other that no label misses all, at least so many on each piece."""
    pieces = [path[i : i + 4] for i in range(0, len(path) - 3, 3)]
    far = [hypot(d[0] - a[0], d[1] - a[1]) for a, *_, d in pieces]
    return [p for piece, far in zip(pieces, far) for p in points_on(piece, max(fewest, ceil(far / CLOSE)))]


@lru_cache(maxsize=2000)
def close_points(path):
    """Return the same as `columns`."""
    return columns(close_by(path, POINTS))


@lru_cache(maxsize=2000)
def cells(path):
    """Return the cells of a fine grid through which a path runs: its first column, and {row: the columns from there on, as bits}."""
    found: dict = {}
    columns, rows = zip(*[(round(x / CELL), round(y / CELL)) for x, y in close_by(path, 3)])
    first = min(columns)
    for column, row in zip(columns, rows):
        found[row] = found.get(row, 0) | 1 << column - first
    return first, found


def crossing(paths):
    """Return the first column of all paths, and for each path the cells through which another one runs: {row: the columns, as bits}."""
    each = [cells(tuple(path)) for path in paths]
    first = min(column for column, _ in each)
    each = [{row: bits << column - first for row, bits in found.items()} for column, found in each]
    once, more = defaultdict(int), defaultdict(int)
    for found in each:
        for row, bits in found.items():
            more[row] |= once[row] & bits
            once[row] |= bits
    return first, [{row: bits & ~own.get(row, 0) | more[row] for row, bits in once.items()} for own in each]


def is_free(place, size, first, others):
    """Return whether no other path runs through the letters of a label. `first`, and `others` of its own path, are from `crossing`."""
    (x, y), across, down = place, size[0] / 2 - RIM[0], size[1] / 2 - RIM[1]
    left, right = round((x - across) / CELL) - first, round((x + across) / CELL) - first
    columns = (1 << max(right + 1, 0)) - (1 << max(left, 0))
    rows = range(round((y - down) / CELL), round((y + down) / CELL) + 1)
    return not any([others[row] & columns for row in rows if row in others])


def own_stretches(paths, sizes):
    """Return for each spline with a label its longest part that no other such spline shares; all of it if the label has no room there.

    >>> down, across = [(0, 9), (0, 6), (0, 3), (0, 0)], [(30, 0), (60, 0), (90, 0)]
    >>> own_stretches([[*down, *across], down], [(20, 10), (20, 10)])[0]
    [(0, 0), (30, 0), (60, 0), (90, 0)]
    """
    pieces = lambda path: [tuple(path[i : i + 4]) for i in range(0, len(path) - 3, 3)]
    shared = Counter(piece for path, size in zip(paths, sizes) if size for piece in dict.fromkeys(pieces(path)))
    found = []
    for path, size in zip(paths, sizes):
        parts = [list(part) for own, part in groupby(pieces(path), lambda piece: shared[piece] < 2) if own]
        runs = [[*part[0], *(point for piece in part[1:] for point in piece[1:])] for part in parts]
        longest = max(runs, key=lambda run: extent(run)[2], default=path)
        found.append(longest if size and extent(longest)[2] > size[0] else path)
    return found


def first_best(places, size, waiting, others):
    """Return the place where a label leaves most places to the waiting labels and covers least of the other edges."""
    least, best = (inf, inf), places[0]
    for p in places:
        box = (*p, *size)
        taken = taken_from(box, waiting, least[0])
        if taken <= least[0] and (cost := (taken, covered(box, others))) < least:
            least, best = cost, p
            if least == (0, 0):
                break
    return best


def extent(points):
    """Return the rectangle (x, y, w, h) around points, with x, y at its centre."""
    across, down = zip(*points)
    left, right, top, bottom = min(across), max(across), min(down), max(down)
    return (left + right) / 2, (top + bottom) / 2, right - left, bottom - top


def grown(rectangle, size):
    """Return the rectangle that labels of this size cover if their centres are in a rectangle."""
    x, y, w, h = rectangle
    return x, y, w + size[0], h + size[1]


def apart_from(near, places, size):
    """Return those places where a label of this size meets no box. `near(rectangle)` are the boxes that a rectangle meets."""
    for x, y, w, h in near(grown(extent(places), size)) if places else ():
        across, down = (size[0] + w) / 2 + SPACE, (size[1] + h) / 2 + SPACE
        places = [p for p in places if not (-across < p[0] - x < across and -down < p[1] - y < down)]
    return places


def sampled(points):
    """Return points along a spline of cubic pieces, in order."""
    return samples(tuple(points))


@lru_cache(maxsize=2000)  # the labels of a spline are placed several times
def samples(points):
    return [points[0], *(p for i in range(0, len(points) - 3, 3) for p in points_on(points[i : i + 4], POINTS))]


def points_on(piece, many):
    """Return so many points on a cubic piece after its first."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = piece
    return [(a * ax + b * bx + c * cx + d * dx, a * ay + b * by + c * cy + d * dy) for a, b, c, d in weights(many)[1:]]


def candidates(line, width, height, within):
    """Return possible centres of a label: on its edge, from the middle to the ends, then a little above and below the edge."""
    ordered = [line[k] for k in from_the_middle(len(line))]
    next_to = (line[0][0] + SPACE + width / 2, line[-1][0] - ARROW - SPACE - width / 2)
    ordered += [p for x in next_to for p in crossed(line, x)]
    found = [(x, y + aside * height) for aside in (0, -ASIDE, ASIDE) for x, y in ordered]
    if not within:
        return found
    low, high = within[0] + height / 2, within[1] - height / 2
    inside = lambda y: min(max(y, low, y - ASIDE * height), max(high, low), y + ASIDE * height)
    return [p if low <= p[1] <= high else (p[0], inside(p[1])) for p in found]


@cache
def from_the_middle(n):
    """Return at most MOST_PLACES of n places along an edge, from the middle to the ends."""
    middle, every = n // 2, -(-n // MOST_PLACES)
    return sorted(range(middle % every, n, every), key=lambda k: abs(k - middle))


def crossed(line, x):
    """Return the point of a line at x, in a list; [] if there is none."""
    pieces = ((a, b) for a, b in pairwise(line) if a[0] <= x < b[0])
    return [(x, ay + (by - ay) * (x - ax) / (bx - ax)) for (ax, ay), (bx, by) in islice(pieces, 1)]


def inside(rectangle, lines):
    """Return the points of lines that are in a rectangle."""
    x, y, wide, high = rectangle
    left, right, top, bottom = x - wide / 2, x + wide / 2, y - high / 2, y + high / 2
    return [p for line in lines for p in line if left <= p[0] <= right and top <= p[1] <= bottom]


def meets(a, b):
    return abs(a[0] - b[0]) < (a[2] + b[2]) / 2 + SPACE and abs(a[1] - b[1]) < (a[3] + b[3]) / 2 + SPACE


def columns(points):
    """Return the x of points in ascending order, and the y of each. So the points of a rectangle are found without reading all."""
    ordered = sorted(points)
    return [x for x, _ in ordered], [y for _, y in ordered]


def within_rectangle(points, left, right, top, bottom):
    """Return how many points, as `columns` gives them, are inside a rectangle."""
    across, down = points
    return len([1 for y in down[bisect_right(across, left) : bisect_left(across, right)] if top < y < bottom])


def taken_from(box, waiting, least):
    """Return the share of places, in quarters, that a label takes from the waiting label that loses most; any share above the least one
    is as bad.
    """
    x, y, w, h = box
    most = 0
    for (width, height), free in waiting:
        across, down = (w + width) / 2 + SPACE, (h + height) / 2 + SPACE
        hidden = within_rectangle(free, x - across, x + across, y - down, y + down)
        most = max(most, 4 * hidden // len(free[0]))
        if most > least:
            break
    return most


def covered(box, points):
    """Return the number of points, as `columns` gives them, that a label hides."""
    x, y, w, h = box
    return within_rectangle(points, x - w / 2, x + w / 2, y - h / 2, y + h / 2)


class Rectangles:
    """Rectangles (x, y, w, h, …) by the squares of a grid in which they are: those near another are found without reading all."""

    def __init__(self, rectangles):
        self.in_square = defaultdict(list)
        for rectangle in rectangles:
            self.add(rectangle)

    def add(self, rectangle):
        for square in squares(rectangle):
            self.in_square[square].append(rectangle)

    def near(self, rectangle):
        """Return those that a rectangle meets, in the order in which its squares have them."""
        beside = [found for square in squares(rectangle, SPACE) for found in self.in_square.get(square, ())]
        return [other for other in dict.fromkeys(beside) if meets(other, rectangle)]


def squares(rectangle, around=0):
    """Return the squares of a grid that a rectangle touches, with a space around it."""
    x, y, w, h = rectangle[:4]
    across, down = w / 2 + around, h / 2 + around
    rows = range(floor((y - down) / SQUARE), floor((y + down) / SQUARE) + 1)
    return [(column, row) for column in range(floor((x - across) / SQUARE), floor((x + across) / SQUARE) + 1) for row in rows]


def crossings(paths, boxes):
    """Return how often a spline runs through a box."""
    inner, found = Rectangles((x, y, w - 2 * SPACE, h - 2 * SPACE) for x, y, w, h in boxes), 0
    for line in map(sampled, paths):
        near = inner.near(extent(line))
        points = columns(line) if near else ()
        found += sum(covered(box, points) > 0 for box in near)
    return found


def nearest_free(start, size, near):
    """Return the free place nearest to a point, in steps from it. `near(rectangle)` are the boxes that a rectangle meets.

    The search ends: far enough away every place is free. It looks at what is taken in a window, and in a larger one if need be.
    """
    reach = SQUARE
    while True:
        column, row = nearest_step(start, size, near((*start, 2 * reach, 2 * reach)))
        if max(abs(column), abs(row)) * STEP + max(size) <= reach:
            return start[0] + column * STEP, start[1] + row * STEP
        reach *= 2


def nearest_step(start, size, taken):
    """Return the free place nearest to a point, as the columns and rows from it."""
    (x, y), (width, height) = start, size
    beside = defaultdict(list)  # {row: [(x of what is taken there, how near a label may not be)]}
    for bx, by, w, h in taken:
        reach = (height + h) / 2 + SPACE
        for row in range(ceil((by - reach - y) / STEP), floor((by + reach - y) / STEP) + 1):
            if abs(by - (y + row * STEP)) < reach:
                beside[row].append((bx, (width + w) / 2 + SPACE))
    nearest = (inf,)
    for ring in count():
        if nearest[0] < ring:
            return nearest[-2:]
        for row in {-ring, ring}:
            for way in (-1, 1):
                column = way * first_free(x, way, beside[row])
                nearest = min(nearest, (max(abs(column), ring), column**2 + row**2, column, row))


def first_free(x, way, beside):
    """Return how many steps to one side of x no label is in the way. `beside` are (place, how near a label may not be)."""
    steps = 0
    while hit := next(((bx, near) for bx, near in beside if abs(x + way * steps * STEP - bx) < near), None):
        steps = max(steps + 1, ceil((way * (hit[0] - x) + hit[1]) / STEP))
    return steps

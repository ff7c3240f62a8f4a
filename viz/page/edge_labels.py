"""Place labels on edges so that no label overlaps another label or a box. Knows rectangles and splines, not what they show."""

from math import inf

POINTS = 12  # on each piece of a spline
SPACE, ARROW = 4, 16  # around a label; the length of an arrow's tip, which stays free
ASIDE = 0.36  # a label may sit this fraction of its height above or below its edge
MOST_LINES = 100  # other edges that a label should not cover
MOST_PLACES = 40  # along an edge
STEP = 20  # distance between other places that are tried


def place_labels(paths, sizes, boxes, within=None):
    """Return the centre of each label, and the number of labels that are not on their edges.

    `paths` are splines (lists of points). `sizes` are (w, h) of their labels, or None. `boxes` are rectangles (x, y, w, h) around x, y.
    Labels stay between the two heights `within`, as long as the edge passes under them.

    >>> place_labels([[(0, 0), (30, 0), (60, 0), (90, 0)]], [(20, 10)], [])
    ([(45.0, 0.0)], 0)
    """
    lines = list(map(sampled, paths))
    wanted = [k for k, size in enumerate(sizes) if size]
    clear = [(x - ARROW / 2, y, w + ARROW, h) for x, y, w, h in boxes]  # arrows end at the left side
    free = {k: [p for p in candidates(lines[k], *sizes[k], within) if not meets_any((*p, *sizes[k]), clear)] for k in wanted}
    centres, placed, off = [None] * len(paths), [], 0
    for k in sorted(wanted, key=lambda k: (len(free[k]), k)):
        possible = [p for p in free[k] if not meets_any((*p, *sizes[k]), placed)]
        if possible:
            others = [line for j, line in enumerate(lines[:MOST_LINES]) if j != k]
            waiting = [(sizes[j], free[j]) for j in wanted if j != k and centres[j] is None]
            centres[k] = first_best(possible, sizes[k], waiting, others)
        else:
            centres[k] = nearest_free(lines[k][len(lines[k]) // 2], sizes[k], [*boxes, *placed])
            off += 1
        placed.append((*centres[k], *sizes[k]))
    return centres, off


def first_best(places, size, waiting, lines):
    """Return the place where a label leaves most places to the waiting labels and covers least of the other edges."""
    least, best = None, places[0]
    for p in places:
        cost = taken_from((*p, *size), waiting), covered((*p, *size), lines)
        if least is None or cost < least:
            least, best = cost, p
        if least == (0, 0):
            break
    return best


def sampled(points):
    """Return points along a spline of cubic pieces, in order."""
    found = [points[0]]
    for i in range(0, len(points) - 3, 3):
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = points[i : i + 4]
        found += [(a * ax + b * bx + c * cx + d * dx, a * ay + b * by + c * cy + d * dy) for a, b, c, d in WEIGHTS]
    return found


WEIGHTS = [((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3) for t in [k / POINTS for k in range(1, POINTS + 1)]]


def candidates(line, width, height, within):
    """Return possible centres of a label: on its edge, from the middle to the ends, then a little above and below the edge."""
    middle, every = len(line) // 2, -(-len(line) // MOST_PLACES)
    ordered = [line[k] for k in sorted(range(middle % every, len(line), every), key=lambda k: abs(k - middle))]
    next_to = (line[0][0] + SPACE + width / 2, line[-1][0] - ARROW - SPACE - width / 2)
    ordered += [p for x in next_to for p in crossed(line, x)]
    low, high = (within[0] + height / 2, within[1] - height / 2) if within else (-inf, inf)
    inside = lambda y: min(max(y, low, y - ASIDE * height), max(high, low), y + ASIDE * height)
    return [(x, inside(y + aside * height)) for aside in (0, -ASIDE, ASIDE) for x, y in ordered]


def crossed(line, x):
    """Return the point of a line at x, in a list; [] if there is none."""
    return [(x, ay + (by - ay) * (x - ax) / (bx - ax)) for (ax, ay), (bx, by) in zip(line, line[1:]) if ax <= x < bx][:1]


def meets(a, b):
    return abs(a[0] - b[0]) < (a[2] + b[2]) / 2 + SPACE and abs(a[1] - b[1]) < (a[3] + b[3]) / 2 + SPACE


def meets_any(a, others):
    return any(meets(a, b) for b in others)


def taken_from(box, waiting):
    """Return the share of places, in quarters, that a label takes from the waiting label that loses most."""
    x, y, w, h = box
    most = 0
    for (width, height), free in waiting:
        if free:
            across, down = (w + width) / 2 + SPACE, (h + height) / 2 + SPACE
            most = max(most, 4 * sum(abs(px - x) < across and abs(py - y) < down for px, py in free) // len(free))
    return most


def covered(box, lines):
    """Return the number of points of other edges that a label hides."""
    x, y, w, h = box
    left, right, top, bottom = x - w / 2, x + w / 2, y - h / 2, y + h / 2
    return sum(left < px < right and top < py < bottom for line in lines for px, py in line)


def crossings(paths, boxes):
    """Return how often a spline runs through a box."""
    inner = [(x, y, w - 2 * SPACE, h - 2 * SPACE) for x, y, w, h in boxes]
    return sum(covered(box, [line]) > 0 for line in map(sampled, paths) for box in inner)


def nearest_free(start, size, taken):
    """Return the free place nearest to a point. The search ends: far enough away every place is free."""
    ring = 0
    while True:
        offsets = [(i * STEP, j * STEP) for i in range(-ring, ring + 1) for j in range(-ring, ring + 1) if max(abs(i), abs(j)) == ring]
        for dx, dy in sorted(offsets, key=lambda d: d[0] ** 2 + d[1] ** 2):
            if not meets_any((start[0] + dx, start[1] + dy, *size), taken):
                return start[0] + dx, start[1] + dy
        ring += 1

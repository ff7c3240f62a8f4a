"""Puts labels onto edges so that no label meets another label or a box. Knows rectangles and splines, not what they show."""

POINTS = 12  # on each piece of a spline
SPACE, ARROW = 4, 16  # between a label and what is next to it; the tip of an arrow, which stays free
ASIDE = 0.36  # of its height: so far aside of the middle of a label its edge may still pass under it
MOST_LINES = 100  # other edges that a label should not cover
STEP = 20  # how far apart other places are tried


def place_labels(paths, sizes, boxes):
    """The centre of each label, and how many of them are not on their edges.

    `paths` are splines (lists of points), `sizes` (w, h) of their labels or None, `boxes` rectangles (x, y, w, h) with their centres.

    >>> place_labels([[(0, 0), (30, 0), (60, 0), (90, 0)]], [(20, 10)], [])
    ([(45.0, 0.0)], 0)
    """
    lines = list(map(sampled, paths))
    wanted = [k for k, size in enumerate(sizes) if size]
    clear = [(x - ARROW / 2, y, w + ARROW, h) for x, y, w, h in boxes]  # arrows arrive at the left
    free = {k: [p for p in candidates(lines[k], *sizes[k]) if not meets_any((*p, *sizes[k]), clear)] for k in wanted}
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
    """The first of the places at which a label takes least from those that wait, and covers least of the other edges."""
    least, best = None, places[0]
    for p in places:
        cost = taken_from((*p, *size), waiting), covered((*p, *size), lines)
        if least is None or cost < least:
            least, best = cost, p
        if least == (0, 0):
            break
    return best


def sampled(points):
    """Points along a spline of cubic pieces, in order."""
    found = [points[0]]
    for i in range(0, len(points) - 3, 3):
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = points[i : i + 4]
        found += [(a * ax + b * bx + c * cx + d * dx, a * ay + b * by + c * cy + d * dy) for a, b, c, d in WEIGHTS]
    return found


WEIGHTS = [((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3) for t in [k / POINTS for k in range(1, POINTS + 1)]]


def candidates(line, width, height):
    """Where the middle of a label may be: on its edge, near the middle first, next to its ends last; or a little above and below it."""
    middle = len(line) // 2
    ordered = [line[k] for k in sorted(range(len(line)), key=lambda k: abs(k - middle))]
    next_to = (line[0][0] + SPACE + width / 2, line[-1][0] - ARROW - SPACE - width / 2)
    ordered += [p for x in next_to for p in crossed(line, x)]
    return [(x, y + aside * height) for aside in (0, -ASIDE, ASIDE) for x, y in ordered]


def crossed(line, x):
    """Where a line of points is at x."""
    return [(x, ay + (by - ay) * (x - ax) / (bx - ax)) for (ax, ay), (bx, by) in zip(line, line[1:]) if ax <= x < bx][:1]


def meets(a, b):
    return abs(a[0] - b[0]) < (a[2] + b[2]) / 2 + SPACE and abs(a[1] - b[1]) < (a[3] + b[3]) / 2 + SPACE


def meets_any(a, others):
    return any(meets(a, b) for b in others)


def taken_from(box, waiting):
    """How much of their places a label takes from the labels that wait: of the one that loses most, in quarters."""
    x, y, w, h = box
    most = 0
    for (width, height), free in waiting:
        if free:
            across, down = (w + width) / 2 + SPACE, (h + height) / 2 + SPACE
            most = max(most, 4 * sum(abs(px - x) < across and abs(py - y) < down for px, py in free) // len(free))
    return most


def covered(box, lines):
    """How many points of other edges a label would hide."""
    x, y, w, h = box
    left, right, top, bottom = x - w / 2, x + w / 2, y - h / 2, y + h / 2
    return sum(left < px < right and top < py < bottom for line in lines for px, py in line)


def crossings(paths, boxes):
    """How often a spline runs through a box."""
    inner = [(x, y, w - 2 * SPACE, h - 2 * SPACE) for x, y, w, h in boxes]
    return sum(covered(box, [line]) > 0 for line in map(sampled, paths) for box in inner)


def nearest_free(start, size, taken):
    """The free place that is nearest to a point: further out there always is one."""
    ring = 0
    while True:
        around = [(i * STEP, j * STEP) for i in range(-ring, ring + 1) for j in range(-ring, ring + 1) if max(abs(i), abs(j)) == ring]
        for dx, dy in sorted(around, key=lambda d: d[0] ** 2 + d[1] ** 2):
            if not meets_any((start[0] + dx, start[1] + dy, *size), taken):
                return start[0] + dx, start[1] + dy
        ring += 1

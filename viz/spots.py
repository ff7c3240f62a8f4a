"""Puts labels onto edges so that no label meets another label or a box. Knows rectangles and splines, not what they show."""

POINTS = 12  # on each piece of a spline
SPACE = 4  # between a label and what is next to it
ON_THE_EDGE, STEP = 0.5, 20  # of a label's height that its middle may be off its edge; how far apart other places are tried


def place_labels(paths, sizes, boxes):
    """The centre of each label, and whether all of them are on their edges.

    `paths` are splines (lists of points), `sizes` (w, h) of the labels, `boxes` rectangles (x, y, w, h) with x, y their centres.
    """
    lines = [sampled(p) for p in paths]
    free = [[c for c in candidates(line, size) if not meets_any((*c, *size), boxes)] for line, size in zip(lines, sizes)]
    spots, placed, all_on = {}, [], True
    for k in sorted(range(len(paths)), key=lambda k: (len(free[k]), k)):
        open_spots = [c for c in free[k] if not meets_any((*c, *sizes[k]), placed)]
        if open_spots:
            others = [point for j, line in enumerate(lines) if j != k for point in line]
            spot = min(open_spots, key=lambda c: (covered((*c, *sizes[k]), others), free[k].index(c)))
        else:
            spot, all_on = nearest_free(lines[k][len(lines[k]) // 2], sizes[k], [*boxes, *placed]), False
        spots[k] = spot
        placed.append((*spot, *sizes[k]))
    return [spots[k] for k in range(len(paths))], all_on


def sampled(points):
    """Points along a spline of cubic pieces, in order."""
    found = [points[0]]
    for i in range(0, len(points) - 3, 3):
        a, b, c, d = points[i : i + 4]
        for k in range(1, POINTS + 1):
            t = k / POINTS
            weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
            found.append(tuple(sum(w * p[axis] for w, p in zip(weights, (a, b, c, d))) for axis in (0, 1)))
    return found


def candidates(line, size):
    """Where the middle of a label may stand: points of its edge, the middle ones first."""
    middle = len(line) // 2
    return sorted(line, key=lambda p: abs(line.index(p) - middle))


def meets(a, b):
    return abs(a[0] - b[0]) < (a[2] + b[2]) / 2 + SPACE and abs(a[1] - b[1]) < (a[3] + b[3]) / 2 + SPACE


def meets_any(a, others):
    return any(meets(a, b) for b in others)


def covered(box, points):
    """How many points of other edges a label would hide."""
    x, y, w, h = box
    return sum(abs(px - x) < w / 2 and abs(py - y) < h / 2 for px, py in points)


def nearest_free(start, size, taken):
    """The free place that is nearest to a point: there is always one further out."""
    ring = 0
    while True:
        found = [
            (start[0] + i * STEP, start[1] + j * STEP)
            for i in range(-ring, ring + 1)
            for j in range(-ring, ring + 1)
            if max(abs(i), abs(j)) == ring
        ]
        spot = next(
            (c for c in sorted(found, key=lambda c: (c[0] - start[0]) ** 2 + (c[1] - start[1]) ** 2) if not meets_any((*c, *size), taken)),
            None,
        )
        if spot:
            return spot
        ring += 1

"""Place labels on edges one after the other, in less time than `labels.py` takes for all together."""

from collections import defaultdict
from functools import cache
from math import inf

from viz.layout.labels import ARROW, SPACE, STEP, candidates, columns, covered, crossed, extent, grown, meets, nearest_step, sampled

NOISE = 1e-6  # of sums of places: a label that has just the room that it needs has room


def place_in_turn(paths, sizes, boxes, ends, groups=None):
    """Return the centre of each label, as `place_labels` does in less time: the first place on its edge where it meets nothing.

    Few labels find such a place in any order; those of short edges choose first. A place at an arrow's tip, or over another line, is
    taken if there is no better one. `ends` are the numbers of the boxes at the ends of each edge. Labels of different `groups` may meet.

    >>> place_in_turn([[(0, 0), (30, 0), (60, 0), (90, 0)]], [(20, 10)], [(-10, 0, 20, 8), (100, 0, 20, 8)], [(0, 1)])
    [(45.0, 0.0)]
    """
    centres, extents, taken_in = [None] * len(paths), list(map(extent, paths)), defaultdict(lambda: list(boxes))
    points_of = cache(lambda j: columns(sampled(paths[j])))
    for k in sorted([k for k, size in enumerate(sizes) if size], key=lambda k: (paths[k][-1][0] - paths[k][0][0], k)):
        size, line, taken = sizes[k], sampled(paths[k]), taken_in[groups and groups[k]]
        reach = grown(extents[k], (2 * size[0], 2 * size[1]))
        walls = [(other, ARROW / 2 if n < len(boxes) else 0) for n, other in enumerate(taken) if meets(other, reach)]
        others = [j for j, around in enumerate(extents) if j != k and meets(around, reach)]
        hidden = lambda box, others=others: sum(covered(box, points_of(j)) for j in others if meets(extents[j], box))
        (x, _, w, _), (other, _, wide, _) = (boxes[end] for end in ends[k])
        between = crossed(line, (x + w / 2 + other - wide / 2) / 2)
        centres[k] = first_free_place([*between, *candidates(line, *size, None)], size, walls, hidden)
        if centres[k] is None:
            (x, y), (column, row) = line[len(line) // 2], nearest_step(line[len(line) // 2], size, taken)
            centres[k] = x + column * STEP, y + row * STEP
        taken.append((*centres[k], *size))
    return centres


def first_free_place(places, size, walls, hidden):
    """Return the first place where a label meets no box, no arrow's tip and no line, else one where it meets the least; None if it meets a
    box everywhere. `walls` are boxes, each with how far arrows reach from its sides; hidden(label) is how much it hides of lines.
    """
    w, h = size
    least, best = (True, inf), None
    walls = [(x, y, (w + wide) / 2 + SPACE - NOISE, (h + high) / 2 + SPACE - NOISE, tip) for (x, y, wide, high), tip in walls]
    for p in places:
        at_tip = False
        for x, y, across, down, tip in walls:
            off = abs(p[0] - x)
            if off < across + tip and abs(p[1] - y) < down:
                at_tip = True
                if off < across:
                    break
        else:
            if (at_tip,) > least[:1]:
                continue
            cost = at_tip, hidden((*p, w, h))
            if cost < least:
                least, best = cost, p
                if cost == (False, 0):
                    break
    return best

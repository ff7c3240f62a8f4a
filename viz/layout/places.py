"""The places of all boxes, if the arrangement of each scope is known. An open scope is as large as what it holds."""

from math import inf
from typing import NamedTuple

from viz.layout.heights import heights

CLEAR, BESIDE_LINES, CORNER = 10, 4, 12  # how near a line comes to a box, or to the middle between it and a line; to a corner of its box


class Lane(NamedTuple):
    """Where a line passes a rank: from left to right at the height y, or anywhere between top and bottom, where no box is near."""

    left: float
    right: float
    y: float
    top: float = -inf
    bottom: float = inf

    def moved(self, across, down):
        return Lane(self.left + across, self.right + across, *(y + down for y in self[2:]))


class Spacing(NamedTuple):
    """Distances: between the boxes of a rank; the height of the gap through which a line passes; in the frame of an open scope, the room
    above what it holds, and on its other sides; between the boxes of a rank that is not the highest, if that is more. In a layout that
    will be `turned`, the title is before what the frame holds."""

    apart: float
    gap: float
    title: float
    side: float
    roomy: float = 0
    turned: bool = False


class Inside(NamedTuple):
    """What stands in an open scope: its size, the box of each entry, the open scopes among them."""

    size: tuple
    boxes: dict
    held: dict


class Places(NamedTuple):
    """{thing: its box (x, y, w, h) around x, y}, and {(scope, entry): the Lane of its rank at the height of the entry}."""

    boxes: dict
    lanes: dict


def columns_of(arranged, sizes, rooms, spacing):
    """Return for each scope of an arrangement whose scopes are all open the (left, right) of its ranks, from its own left side on.

    `sizes` are the (w, h, pad) of the nodes, then the least (w, h, ...) of the scopes from the last to the first, `rooms` the distances
    between the ranks of each scope.
    """
    beside, _ = around_frame(spacing)
    found: list = [[]] * len(arranged)
    for scope in reversed(range(len(arranged))):  # those that a scope holds come after it
        things, _, order = arranged[scope]
        wide = [sizes[t][0] if t >= 0 else max(found[-1 - t][-1][1], sizes[t][0]) + beside for t in things]
        columns, left = [], 0.0
        for rank, room in zip(order.ranks, [*rooms[scope], 0]):
            columns.append((left, left + max([wide[e] for e in rank if e < len(wide)], default=0)))
            left = columns[-1][1] + room
        found[scope] = columns
    return found


def around_frame(spacing):
    """Return the room beside, and that above and below, what the frame of an open scope holds."""
    both, title = 2 * spacing.side, spacing.title + spacing.side
    return (title, both) if spacing.turned else (both, title)


def places(arranged, sizes, columns, spacing, known, breaks=()):
    """Return the Places of everything in an arrangement whose scopes are all open. At the ranks `breaks` of the whole graph rows begin.

    `sizes` and `columns` are those of `columns_of`. `known` holds the heights that were computed before, for other columns.
    """
    found = Places({}, {})
    spread(arranged, 0, inside(arranged, 0, sizes, columns, spacing, known, breaks), columns, 0.0, 0.0, spacing, found)
    return found


def inside(arranged, scope, sizes, columns, spacing, known, breaks=()):
    """Return what stands in a scope, from its top left corner on."""
    things, _, order = arranged[scope]
    held = {e: inside(arranged, -1 - t, sizes, columns, spacing, known) for e, t in enumerate(things) if t < 0}
    size = [framed(held[e], sizes[t], spacing) if e in held else (sizes[t][0], sizes[t][1] + 2 * sizes[t][2]) for e, t in enumerate(things)]
    size += [(0, spacing.gap)] * (sum(map(len, order.ranks)) - len(things))
    key = scope, spacing.apart, spacing.roomy, tuple(breaks), tuple([h for _, h in size])
    high = key[-1]
    if key not in known:
        known[key] = heights(order.ranks, high, order.neighbours(breaks), len(things), spacing.apart, spacing.roomy)
    middle = known[key]
    top = min([y - h / 2 for y, h in zip(middle, high)], default=0)
    bottom = max([y + h / 2 for y, h in zip(middle, high)], default=0)
    boxes = {e: ((a + b) / 2, middle[e] - top, *size[e]) for rank, (a, b) in zip(order.ranks, columns[scope]) for e in rank}
    return Inside((columns[scope][-1][1], bottom - top), boxes, held)


def framed(held, least, spacing):
    """Return the size of the frame of an open scope."""
    return tuple(max(size, other) + more for size, other, more in zip(held.size, least, around_frame(spacing)))


def spread(arranged, scope, inner, columns, left, top, spacing, found):
    """Put what a scope holds at its place in the whole graph."""
    things, _, order = arranged[scope]
    sides = (0.0, inner.size[1]) if scope else (-inf, inf)
    for rank, (a, b) in zip(order.ranks, columns[scope]):
        lanes = free([(inner.boxes[e][1], inner.boxes[e][3], e < len(things)) for e in rank], *sides)
        for e, lane in zip(rank, lanes):
            x, y, w, h = inner.boxes[e]
            found.lanes[scope, e] = Lane(left + a, left + b, top + y, top + lane[0], top + lane[1])
            if e < len(things):
                found.boxes[things[e]] = (left + x, top + y, w, h)
    for e, held in inner.held.items():
        x, y, _, h = inner.boxes[e]
        before = (spacing.title - spacing.side) / 2 if spacing.turned else 0
        above = spacing.side if spacing.turned else spacing.title
        spread(arranged, -1 - things[e], held, columns, left + x - held.size[0] / 2 + before, top + y - h / 2 + above, spacing, found)


def free(entries, top, bottom):
    """Return the free room (top, bottom) around the middle of each entry of a rank, for entries (y, h, whether it is a thing).

    >>> free([(0, 20, True), (30, 16, False), (90, 20, True)], -50, 150)
    [(-50, 10.0), (20.0, 70.0), (80.0, 150)]
    """
    tops, bottoms = [top], []
    for (y, h, is_thing), (below, high, other) in zip(entries, entries[1:]):
        edge, rim, between = y + h / 2, below - high / 2, (y + below) / 2
        if is_thing and other:  # each line stays away from the other box, but reaches its own
            bottoms.append(max(rim - CLEAR, edge - CORNER, y))
            tops.append(min(edge + CLEAR, rim + CORNER, below))
        else:
            bottoms.append(edge if is_thing else rim - CLEAR if other else between - BESIDE_LINES)
            tops.append(rim if other else edge + CLEAR if is_thing else between + BESIDE_LINES)
    return list(zip(tops, [*bottoms, bottom]))

"""The places of all boxes, if the arrangement of each scope is known. An open scope is as large as what it holds."""

from typing import NamedTuple

from viz.layout.heights import heights


class Spacing(NamedTuple):
    """Distances: between the boxes of a rank; the height of the gap through which a line passes; in the frame of an open scope, the room
    above what it holds, and on its other sides."""

    apart: float
    gap: float
    title: float
    side: float


class Inside(NamedTuple):
    """What stands in an open scope: its size, the left and right of each rank, the box of each entry, the open scopes among them."""

    size: tuple
    columns: list
    boxes: dict
    held: dict


class Places(NamedTuple):
    """{thing: its box (x, y, w, h) around x, y}, and {(scope, entry): the lane (left, right, y) of its rank at the height of the entry}."""

    boxes: dict
    lanes: dict


def places(arranged, sizes, rooms, spacing, known):
    """Return the Places of everything in an arrangement whose scopes are all open.

    `sizes` are the (w, h, pad) of the nodes, then the least (w, ...) of the scopes from the last to the first, `rooms` the distances
    between the ranks of each scope. `known` holds the heights that were computed before, for other rooms.
    """
    found = Places({}, {})
    spread(arranged, 0, inside(arranged, 0, sizes, rooms, spacing, known), 0.0, 0.0, spacing, found)
    return found


def inside(arranged, scope, sizes, rooms, spacing, known):
    """Return what stands in a scope, from its top left corner on."""
    things, _, order = arranged[scope]
    held = {e: inside(arranged, -1 - t, sizes, rooms, spacing, known) for e, t in enumerate(things) if t < 0}
    size = [
        framed(held[e], sizes[t][0], spacing) if e in held else (sizes[t][0], sizes[t][1] + 2 * sizes[t][2]) for e, t in enumerate(things)
    ]
    size += [(0, spacing.gap)] * (sum(map(len, order.ranks)) - len(things))
    key = scope, spacing.apart, tuple([h for _, h in size])
    high = key[-1]
    if key not in known:
        known[key] = heights(order.ranks, high, order.neighbours(), len(things), spacing.apart)
    middle = known[key]
    top = min([y - h / 2 for y, h in zip(middle, high)], default=0)
    bottom = max([y + h / 2 for y, h in zip(middle, high)], default=0)
    columns, left = [], 0.0
    for rank, room in zip(order.ranks, [*rooms[scope], 0]):
        columns.append((left, left + max([size[e][0] for e in rank], default=0)))
        left = columns[-1][1] + room
    boxes = {e: ((a + b) / 2, middle[e] - top, *size[e]) for rank, (a, b) in zip(order.ranks, columns) for e in rank}
    return Inside((columns[-1][1], bottom - top), columns, boxes, held)


def framed(held, least, spacing):
    """Return the size of the frame of an open scope."""
    (w, h), side = held.size, 2 * spacing.side
    return max(w, least) + side, h + spacing.title + spacing.side


def spread(arranged, scope, inner, left, top, spacing, found):
    """Put what a scope holds at its place in the whole graph."""
    things, _, order = arranged[scope]
    for rank, (a, b) in zip(order.ranks, inner.columns):
        for e in rank:
            x, y, w, h = inner.boxes[e]
            found.lanes[scope, e] = (left + a, left + b, top + y)
            if e < len(things):
                found.boxes[things[e]] = (left + x, top + y, w, h)
    for e, held in inner.held.items():
        x, y, _, h = inner.boxes[e]
        spread(arranged, -1 - things[e], held, left + x - held.size[0] / 2, top + y - h / 2 + spacing.title, spacing, found)

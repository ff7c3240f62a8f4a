"""A view or reshape where an axis was to be moved: it keeps the entries in their order, so it mixes the axes.

(B, T, H·D) becomes (B, H, T, D) only by .view(B, T, H, D).transpose(1, 2). The sizes alone show it: each axis of the input is found
among those of the result, whole or split, but not in its place. Where sizes are equal by chance, they show nothing, and nothing is said.
"""

import linecache
import re
from itertools import accumulate, combinations
from math import prod

RESHAPES = {"view", "reshape"}
PRODUCT = re.compile(r"[\w)\]]\s*\*\s*[\w(]")  # a written product: axes are merged on purpose


def mixed_axes(call, before, after):
    """Return what is odd about a call of view or reshape from one shape to another, or ""."""
    if not call.written or PRODUCT.search(linecache.getline(call.file, call.line)):
        return ""
    if len(after) > 2 and (found := moved(before, after)):
        split, order = found
        first = "" if split == before else f".view({', '.join(map(str, split))})"
        return f"makes {after} of {before} and keeps the order of the entries, so axes are mixed; to move an axis, {first}{moving(order)}"
    if len(after) == 2 and len(before) > 2 and after[1] == before[1] and 1 < before[1] != before[-1] and prod(before[2:]) > 1:
        what = f"makes {after} of {before} and keeps the order of the entries, so a row is not the {after[1]} numbers along axis 1"
        return f"{what}; to move that axis, .movedim(1, -1).reshape(-1, {after[1]})"
    return ""


def moving(order):
    """Return the call that brings axes into an order: .transpose(1, 2), or .permute(0, 3, 1, 2)."""
    moves = [i for i, place in enumerate(order) if i != place]
    return f".transpose({moves[0]}, {moves[1]})" if len(moves) == 2 else f".permute({', '.join(map(str, order))})"


def moved(before, after):
    """Return (the shape `before` with axes split, the order of its axes in `after`) if that takes a move of axes; else None.

    >>> moved((3, 5, 8), (3, 2, 5, 4)), moved((3, 5, 8), (3, 5, 2, 4))
    (((3, 5, 2, 4), (0, 2, 1, 3)), None)
    """
    split, order, is_moved, first = [], [], False, 0
    for mine, theirs in groups(before, after):
        parts = assigned(mine, theirs) if len(theirs) >= len(mine) > 1 else [[*range(len(theirs))]] if len(mine) == 1 else None
        if parts is None or (len(mine) > 1 and not any(len(part) == 1 for part in parts)):
            return None
        is_moved |= len(mine) > 1
        places = [place for part in parts for place in part]
        split += [theirs[place] for place in places]
        order += [first + places.index(place) for place in range(len(theirs))]
        first += len(theirs)
    return (tuple(split), tuple(order)) if is_moved else None


def groups(before, after):
    """Return [(axes of before, axes of after)]: the smallest runs of axes with equal numbers of entries. Axes of size 1 are left out."""
    before, after = ([n for n in shape if n > 1] for shape in (before, after))
    ends = [{done: k for k, done in enumerate(accumulate(shape, int.__mul__), 1)} for shape in (before, after)]
    found, start = [], (0, 0)
    for done in sorted(ends[0].keys() & ends[1].keys()):
        end = ends[0][done], ends[1][done]
        found.append((before[start[0] : end[0]], after[start[1] : end[1]]))
        start = end
    return found


def assigned(mine, theirs, places=None):
    """Return, for each axis of `mine`, the places of those axes of `theirs` that it is split into; None if there are none."""
    places = range(len(theirs)) if places is None else places
    if not mine:
        return None if places else []
    for many in range(1, len(places) - len(mine) + 2):
        for chosen in combinations(places, many):
            if prod(theirs[k] for k in chosen) == mine[0]:
                rest = assigned(mine[1:], theirs, [k for k in places if k not in chosen])
                if rest is not None:
                    return [list(chosen), *rest]
    return None

"""Tear scopes whose frames are wider than a row: each part has a frame of its own, so that the graph can go on in the next row."""

from bisect import bisect

from viz.layout.arrangement import chains_of
from viz.layout.layered import layered_in_scopes
from viz.layout.rows import best_breaks


def layered_in_torn_scopes(links, around, parents, ranked, keys, laid_out, width):
    """Return what `layered_in_scopes` does, with no frame that is wider than `width`, if a rank alone is not.

    `laid_out(layers, scopes)` gives the Layout that tells how wide a frame is.
    """
    whole = range(len(parents))  # for each scope the one of which it is a part
    while True:
        of_parts = {-1 - k: keys[-1 - scope] for k, scope in enumerate(whole) if -1 - scope in keys}
        layers, found = layered_in_scopes(links, around, parents, ranked, keys | of_parts)
        scopes = [whole[scope] for scope in found]
        parts = torn(layers, laid_out(layers, scopes), width)
        if parts is None:
            return layers, scopes
        around, parents, found = parts
        whole = [scopes[scope] for scope in found]


def torn(layers, layout, width):
    """Return the arguments `around` and `parents` in which the innermost scopes with frames wider than `width` are torn, and for each scope
    the one of `layers` of which it is a part; None if no scope can be torn.
    """
    parents, part = layers.parents, {}  # {(scope, thing): its part}
    wide = [scope for scope, (left, _, right, _) in layout.frames.items() if right - left > width]
    breaks = {scope: found for scope in wide if len(found := breaks_of(layers.arranged[scope], scope, layout, width)) > 1}
    around = {outer for scope in breaks for outer in chains_of(parents)[scope][:-1]}
    parts = {scope: len(found) for scope, found in breaks.items() if scope not in around}
    for scope in parts:
        things, _, order = layers.arranged[scope]
        for r, rank in enumerate(order.ranks):
            part |= {(scope, things[e]): bisect(breaks[scope], r) - 1 for e in rank if e < len(things)}
    if not parts:
        return None
    number: dict = {}  # {(scope, its part): the number of the new scope}
    for scope in range(len(parents)):
        number |= {(scope, k): len(number) + k for k in range(parts.get(scope, 1))}
    inside = lambda scope, thing: number[scope, part.get((scope, thing), 0)]
    around = [inside(scope, v) for v, scope in enumerate(layers.around)]
    outer = [None if parents[scope] is None else inside(parents[scope], -1 - scope) for scope, _ in number]
    return around, outer, [scope for scope, _ in number]


def breaks_of(arranged, scope, layout, width):
    """Return the ranks at which the parts of a scope begin, if each has a frame of at most this width."""
    (things, _, order), (left, _, right, _) = arranged, layout.frames[scope]
    columns = [layout.lanes[scope, rank[0]][:2] for rank in order.ranks]
    sides = right - left - (columns[-1][1] - columns[0][0])
    held = [sum(e < len(things) for e in rank) for rank in order.ranks]
    return best_breaks(columns, max(width - sides, 1), [0] * len(columns), held)

"""Split a scope into parts if folding it would make a cycle between boxes.

Legend: as in viz/drawing/scopes/scopes.py.
"""

from collections import Counter, deque

from scalargrad.graph import by_key
from viz.drawing.scopes.scopes import Box, neighbours

MOST_PARTS = 200  # of a scope; if there are more, they are not joined again


def split_cycles(variables, scopes):
    """Return the boxes of folded scopes. A scope that would be both before and after another thing is split."""
    groups = by_key((scopes[v], v) for v in variables if scopes[v] is not None)
    cyclic = on_cycles(variables, scopes)
    boxes = []
    phases = phases_of(variables, scopes) if cyclic else {}
    for path, inside in groups.items():
        parts = by_key((phases[v] if path in cyclic else 0, v) for v in inside)
        boxes += [Box(path, parts[phase]) for phase in sorted(parts)]
    return joined(variables, boxes) if cyclic else boxes


def on_cycles(variables, scopes):
    """Return the paths of folded scopes that depend on themselves through other things. All others are taken off, from both ends."""
    group = lambda v: scopes[v] if scopes[v] is not None else v
    edges = {(group(x), group(y)) for y in variables for x in y.inputs if group(x) is not group(y)}
    left = set(map(group, variables))
    for ends in (edges, {(b, a) for a, b in edges}):
        waiting, onward = Counter(b for a, b in ends), by_key(ends)
        ready = deque(g for g in map(group, variables) if not waiting[g])
        while ready:
            g = ready.popleft()
            if waiting[g] == 0:
                left.discard(g)
                waiting[g] = -1
                for b in onward.get(g, ()):
                    waiting[b] -= 1
                    if waiting[b] == 0:
                        ready.append(b)
    return {g for g in left if type(g) is tuple}


def phases_of(variables, scopes):
    """Return {v: its phase}, the most borders of boxes on a path to v. Along an edge a phase never falls, across a border it grows."""
    phase = {}
    for y in variables:
        own = scopes[y]
        phase[y] = max((phase[x] + (own is None or scopes[x] is not own) for x in y.inputs), default=0)
    needed = {}  # a leaf has the phase of its first use
    for y in variables:
        for x in y.inputs:
            if not x.inputs:
                needed.setdefault(x, []).append(phase[y] - (scopes[x] is None or scopes[x] is not scopes[y]))
    phase.update({x: min(phases) for x, phases in needed.items()})
    return phase


def joined(variables, boxes):
    """Join parts of one scope again if that makes no cycle."""
    thing = {v: v for v in variables}
    for box in boxes:
        thing.update(dict.fromkeys(box.variables, box))
    _, after = neighbours(list(dict.fromkeys(thing.values())), thing)
    parts, found = by_key((box.path, box) for box in boxes), []
    for several in parts.values():
        kept = several[:1]
        for box in several[1:]:
            if len(several) <= MOST_PARTS and not leads_around(kept[-1], box, after) and not leads_around(box, kept[-1], after):
                merge(kept[-1], box, after)
            else:
                kept.append(box)
        for i, box in enumerate(kept, 1):
            box.part = (i, len(kept)) if len(kept) > 1 else None
        found += kept
    place = {v: i for i, v in enumerate(variables)}
    for box in found:
        box.variables.sort(key=place.get)
    return found


def leads_around(a, b, after):
    """Return whether a path leads from a to b through another thing."""
    walk = [t for t in after[a] if t is not b and t is not a]
    seen = set(walk)
    while walk:
        for t in after[walk.pop()]:
            if t is b:
                return True
            if t not in seen and t is not a:
                seen.add(t)
                walk.append(t)
    return False


def merge(a, b, after):
    """Move all variables of b into a."""
    a.variables += b.variables
    after[a] = (after[a] | after.pop(b)) - {a, b}
    for following in after.values():
        if b in following:
            following.discard(b)
            following.add(a)

"""Scopes folded into boxes: which variables are drawn one by one, which stand together in one box, and which boxes repeat.

Knows that a variable has `inputs` and may have a `scope`; not what it holds, nor how it is drawn.
Legend: y is a variable that some function made, x one of its inputs, a path the names of nested scopes, the outermost first;
a thing is what is drawn: a variable or a Box.
"""

import re
from collections import Counter, deque
from fnmatch import fnmatchcase

from scalargrad.modes import gc_paused
from scalargrad.value import Constant

PAGE = 40  # things that fit on one page
MOST_PARTS = 200  # of a scope that is split; beyond, they are left as they are


class Box:
    """A folded scope, or a part of one, or several in a row that are alike: `paths` are theirs, `variables` stand in it."""

    def __init__(self, path, variables):
        self.paths, self.variables = [path], variables
        self.part = None  # (its number, of how many), where a scope had to be split

    @property
    def path(self):
        return self.paths[0]

    @property
    def title(self):
        """The scope's own name; of several the first and the last."""
        first, last = self.paths[0][-1], self.paths[-1][-1]
        named = first if len(self.paths) == 1 else f"{first} … {last}"
        return f"{named} ({self.part[0]} of {self.part[1]})" if self.part else named

    @property
    def inputs(self):
        """The variables outside that those inside take, each as often as it is taken."""
        inside = set(self.variables)
        return [x for y in self.variables for x in y.inputs if x not in inside]


class Folded:
    """What is drawn instead of `variables` (inputs first): for each of them its thing, the boxes, the path each stands in."""

    def __init__(self, variables, paths, closed, depth=None):
        self.paths, self.depth = paths, depth
        same: dict = {}
        scopes = {v: same.setdefault(path, path) for v, path in zip(paths, map(closed, paths.values()))}
        self.thing = {v: v for v in variables}
        for box in split_cycles(variables, scopes):
            self.thing.update(dict.fromkeys(box.variables, box))
        self.things = list(dict.fromkeys(self.thing[v] for v in variables))
        self.repeats()
        self.boxes = [t for t in self.things if type(t) is Box]
        used = [x for t in self.things for x in t.inputs]
        taken = {x for y in variables for x in y.inputs}
        self.outputs: dict = {}  # {box: those of its variables that something outside takes, or nothing at all}
        for x in dict.fromkeys([*used, *(v for v in variables if v not in taken)]):
            self.outputs.setdefault(self.thing[x], []).append(x)

    def only_output(self, box):
        """The one variable of a box that others take; None where there are several."""
        outputs = self.outputs[box]
        return outputs[0] if len(outputs) == 1 else None

    def repeats(self):
        """Put boxes in a row that are alike into one."""
        before, after = neighbours(self.things, self.thing)
        seen: dict = {}
        signs = {b: (b.path[:-1], stem(b.path[-1]), b.part, shape_of(b, seen)) for b in self.things if type(b) is Box}
        following = {}
        for box in signs:
            onward = next(iter(after[box])) if len(after[box]) == 1 else None
            if onward in signs and signs[onward] == signs[box] and len(before[onward]) == 1:
                following[box] = onward
        gone = set(following.values())
        for first in signs:
            last = first
            while first not in gone and last in following:
                last = following[last]
                first.paths, first.variables = first.paths + last.paths, first.variables + last.variables
            if first not in gone:
                self.thing.update(dict.fromkeys(first.variables, first))
        self.things = [t for t in self.things if t not in gone]

    def names(self, boxes):
        """{box: as much of the end of its path as tells it from the others}."""
        ends = Counter(box.path[-k:] for box in boxes for k in range(1, len(box.path) + 1))
        return {b: "/".join(next((b.path[-k:] for k in range(1, len(b.path)) if ends[b.path[-k:]] == 1), b.path)) for b in boxes}

    def place(self, thing):
        """The path of the open scope that a thing stands in."""
        return thing.path[:-1] if type(thing) is Box else self.paths[thing]


def is_constant(v):
    """Whether v has no gradient: a Constant, or a tensor without a node."""
    return isinstance(v, Constant) or getattr(v, "node", v) is None


def folding(fold=None, depth=None, expand=None):
    """A function of (variables, max_nodes) that says what is drawn: Folded; None where there is no scope at all."""
    fold, expand = (() if given is None else (given,) if isinstance(given, str) else tuple(given) for given in (fold, expand))

    def choose(variables, most):
        if not fold and not expand and not any(getattr(v, "scope", None) for v in variables):
            return None
        paths = places(variables)
        scopes = list(dict.fromkeys(path[:k] for path in paths.values() for k in range(1, len(path) + 1)))
        for keyword, patterns in (("fold", fold), ("expand", expand)):
            for pattern in patterns:
                if not any(matches(scope, pattern) for scope in scopes):
                    known = ", ".join(map("/".join, scopes[:10])) + ", …" * (len(scopes) > 10)
                    raise ValueError(f"draw: {keyword}={pattern!r} is no scope of this graph; there are {known or 'none'}")
        opened = {scope[:k] for scope in scopes if any(matches(scope, p) for p in expand) for k in range(1, len(scope) + 1)}
        shut = {scope for scope in scopes if any(matches(scope, p) for p in fold)}
        innermost = set(scopes) - {scope[:-1] for scope in scopes}
        working = {path for v, path in paths.items() if v.inputs}  # scopes of inputs alone are as good as open
        closed_at = lambda d: closing(opened, shut | (innermost & working if d else set()), d)
        at = lambda d: Folded(variables, paths, closed_at(d), d)
        single = lambda d: sum(path is None for path in map(closed_at(d), paths.values()))  # variables in no box
        if depth is not None or len(variables) <= most or (fold and single(None) <= most and len(at(None).things) <= most):
            return at(depth)
        page = min(PAGE, most)
        depths = [d for d in range(max(map(len, scopes)), 1, -1) if single(d) <= page]
        return next((found for d in depths if len((found := at(d)).things) <= page), None) or at(1)

    def folded(variables, most):
        with gc_paused():
            return choose(variables, most)

    return folded


def matches(path, pattern):
    """Whether a pattern such as layer1, layer1/neuron3 or neuron* names this scope: by the end of its path."""
    names = pattern.split("/")
    return len(names) <= len(path) and all(map(fnmatchcase, path[-len(names) :], names))


def closing(opened, shut, depth):
    """A function that gives the outermost folded scope of a path; None if it has none."""

    def closed(path):
        for k in range(1, len(path) + 1):
            if path[:k] not in opened and (path[:k] in shut or (depth is not None and k >= depth)):
                return path[:k]
        return None

    return closed


def places(variables):
    """{v: the path of the scope that it stands in}. A parameter stands where it is used, if that is one scope only."""
    paths = {v: tuple(getattr(v, "scope", None) or ()) for v in variables}
    used = {}
    for y in variables:
        for x in y.inputs:
            if not x.inputs and not paths[x] and not is_constant(x):
                used.setdefault(x, set()).add(paths[y])
    return paths | {x: next(iter(scopes)) for x, scopes in used.items() if len(scopes) == 1}


def stem(name):
    """layer1 and layer2 are both a layer."""
    return re.sub(r"\d+$", "", name)


def neighbours(things, thing):
    """{thing: the things it takes from}, {thing: the things that take from it}."""
    before, after = {t: set() for t in things}, {t: set() for t in things}
    for t in things:
        for x in t.inputs:
            before[t].add(thing[x])
            after[thing[x]].add(t)
    return before, after


def shape_of(box, seen):
    """What a box computes, whatever the numbers: equal for boxes that are alike. `seen` numbers what was met before."""
    inside = {}
    for v in box.variables:
        made_of = tuple(inside.get(x, "outside") for x in v.inputs)
        inside[v] = seen.setdefault((v.rule.name if v.rule else "leaf", getattr(v, "shape", ()), made_of), len(seen))
    return tuple(sorted(Counter(inside.values()).items()))


# Cycles between boxes


def split_cycles(variables, scopes):
    """The boxes of folded scopes; a scope that would be both before and after another thing is split into parts."""
    groups = {}
    for v in variables:
        if scopes[v] is not None:
            groups.setdefault(scopes[v], []).append(v)
    cyclic = on_cycles(variables, scopes)
    boxes = []
    phases = phases_of(variables, scopes) if cyclic else {}
    for path, inside in groups.items():
        parts = {}
        for v in inside:
            parts.setdefault(phases[v] if path in cyclic else 0, []).append(v)
        boxes += [Box(path, parts[phase]) for phase in sorted(parts)]
    return joined(variables, boxes) if cyclic else boxes


def on_cycles(variables, scopes):
    """The paths of folded scopes that depend on themselves through other things: what is left when all others are taken off."""
    group = lambda v: scopes[v] if scopes[v] is not None else v
    edges = {(group(x), group(y)) for y in variables for x in y.inputs if group(x) is not group(y)}
    left = set(map(group, variables))
    for ends in (edges, {(b, a) for a, b in edges}):
        waiting, onward = Counter(b for a, b in ends), {}
        for a, b in ends:
            onward.setdefault(a, []).append(b)
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
    """{v: how many borders of boxes lie on the longest way to it}: along an edge it never falls, and across a border it grows."""
    phase = {}
    for y in variables:
        own = scopes[y]
        phase[y] = max((phase[x] + (own is None or scopes[x] is not own) for x in y.inputs), default=0)
    needed = {}  # a leaf comes in where it is needed first
    for y in variables:
        for x in y.inputs:
            if not x.inputs:
                needed.setdefault(x, []).append(phase[y] - (scopes[x] is None or scopes[x] is not scopes[y]))
    phase.update({x: min(phases) for x, phases in needed.items()})
    return phase


def joined(variables, boxes):
    """Parts of one scope, put together again where that makes no cycle."""
    thing = {v: v for v in variables}
    for box in boxes:
        thing.update(dict.fromkeys(box.variables, box))
    _, after = neighbours(list(dict.fromkeys(thing.values())), thing)
    parts = {}
    for box in boxes:
        parts.setdefault(box.path, []).append(box)
    found = []
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
    """Whether a way leads from a to b through something else."""
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
    """Put all of b into a."""
    a.variables += b.variables
    after[a] = (after[a] | after.pop(b)) - {a, b}
    for following in after.values():
        if b in following:
            following.discard(b)
            following.add(a)

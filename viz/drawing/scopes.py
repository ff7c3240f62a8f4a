"""Scopes as boxes: in which scope each variable stands, which of them a pattern names, what a box computes.

Legend: y is a variable that some function made, x one of its inputs, a path the names of nested scopes, the outermost first;
a thing is what is drawn: a variable or a Box.
"""

import re
from collections import Counter
from fnmatch import fnmatchcase

from scalargrad.value import Constant


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


def is_constant(v):
    """Whether v has no gradient: a Constant, or a tensor without a node."""
    return isinstance(v, Constant) or getattr(v, "node", v) is None


def is_leaf(a):
    """Whether an argument of a function is a variable that no function made; a constant is none."""
    return hasattr(a, "inputs") and not a.inputs and not is_constant(a)


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


def natural(thing):
    """Sorts neuron2 before neuron10, and what has no name where it was."""
    name = thing.path[-1] if type(thing) is Box else thing.name or ""
    digits = name[len(stem(name)) :]
    return stem(name), int(digits or 0)


def neighbours(things, thing):
    """{thing: the things it takes from}, {thing: the things that take from it}, of these things."""
    before, after = {t: set() for t in things}, {t: set() for t in things}
    for t in things:
        for x in t.inputs:
            if thing[x] is not t and thing[x] in before:
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

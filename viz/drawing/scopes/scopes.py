"""Scopes as boxes: the scope of each variable, the scopes that a pattern names, the structure of a box.

Legend: y is a variable that a function computed, x one of its inputs. A path is the names of nested scopes, the outermost
first. A thing is what is drawn: a variable or a Box.
"""

import re
from collections import Counter
from fnmatch import fnmatchcase

from scalargrad.fast.value import Constant


class Box:
    """A folded scope, a part of one, or several equal scopes: `paths` are theirs, `variables` stand in it."""

    def __init__(self, path, variables):
        self.paths, self.variables = [path], variables
        self.part = None  # (its number, of how many), if a scope had to be split

    @property
    def path(self):
        return self.paths[0]

    @property
    def title(self):
        """The scope's own name, or the names of the first and the last of several."""
        first, last = scope_title(self.paths[0]), self.paths[-1][-1]
        named = first if len(self.paths) == 1 else f"{first} … {last}"
        return f"{named} ({self.part[0]} of {self.part[1]})" if self.part else named

    @property
    def last_title(self):
        """The name of what the box gives, which its last scope computes."""
        return self.title if len(self.paths) == 1 else scope_title(self.paths[-1])

    @property
    def inputs(self):
        """The variables outside that those inside use, each as often as it is used."""
        inside = set(self.variables)
        return [x for y in self.variables for x in y.inputs if x not in inside]


def scope_title(path):
    """Return the name of a scope. Before a bare number stands the name of the scope around it: layer1.0, or module0 without one."""
    if not path[-1].isdigit():
        return path[-1]
    return ".".join(path[-2:]) if len(path) > 1 else f"module{path[-1]}"


def is_constant(v):
    """Return whether v has no gradient: a Constant, or a tensor without a node."""
    return isinstance(v, Constant) or getattr(v, "node", v) is None


def is_leaf(a):
    """Return whether an argument of a function is a leaf that has a gradient."""
    return hasattr(a, "inputs") and not a.inputs and not is_constant(a)


def matches(path, pattern):
    """Return whether a pattern such as layer1, layer1/neuron3 or neuron* names this scope. It fits the end of the path."""
    names = pattern.split("/")
    return len(names) <= len(path) and all(map(fnmatchcase, path[-len(names) :], names))


def closing(opened, shut, depth):
    """Return a function that gives the outermost folded scope of a path, or None."""

    def closed(path):
        for k in range(1, len(path) + 1):
            if path[:k] not in opened and (path[:k] in shut or (depth is not None and k >= depth)):
                return path[:k]
        return None

    return closed


def stem(name):
    """Return a name without its number: both layer1 and layer2 are a layer."""
    return re.sub(r"\d+$", "", name)


def natural_order(thing):
    """Return a key that sorts neuron2 before neuron10, and keeps the order of things without names."""
    name = thing.path[-1] if type(thing) is Box else thing.name or ""
    digits = name[len(stem(name)) :]
    return stem(name), int(digits or 0)


def neighbours(things, thing):
    """Return {thing: the things it uses} and {thing: the things that use it}, among these things."""
    before, after = {t: set() for t in things}, {t: set() for t in things}
    for t in things:
        for x in t.inputs:
            if thing[x] is not t and thing[x] in before:
                before[t].add(thing[x])
                after[thing[x]].add(t)
    return before, after


def structure_of(box, seen):
    """Return what a box computes, apart from its numbers. Boxes of equal structure are alike. `seen` numbers what was met before."""
    inside = {}
    for v in box.variables:
        made_of = tuple(inside.get(x, "outside") for x in v.inputs)
        inside[v] = seen.setdefault((v.rule.name if v.rule else "leaf", getattr(v, "shape", ()), made_of), len(seen))
    return tuple(sorted(Counter(inside.values()).items()))

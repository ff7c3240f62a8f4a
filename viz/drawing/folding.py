"""Choose what is drawn of a large graph: folded scopes, one box for equal scopes, parameters inside functions.

This file reads the inputs and the scope of a variable, and whether it holds an array. It does not know how a variable is drawn.
Legend: as in viz/drawing/scopes/scopes.py.
"""

from collections import Counter
from functools import cached_property

from scalargrad.graph import by_key, scopes_of
from scalargrad.modes import gc_paused
from viz.drawing.scopes.scope_cycles import split_cycles
from viz.drawing.scopes.scopes import Box, closing, is_leaf, matches, natural_order, neighbours, stem, structure_of
from viz.text.array_text import is_array

ONE_SCREEN, PAGE = 25, 40  # things


class Folded:
    """What is drawn instead of `variables` (inputs first): the thing of each variable, the boxes, and the path of each variable."""

    def __init__(self, variables, paths, closed, depth=None):
        self.paths, self.depth = paths, depth
        same: dict = {}
        scopes = {v: same.setdefault(path, path) for v, path in zip(paths, map(closed, paths.values()))}
        self.thing = {v: v for v in variables}
        for box in split_cycles(variables, scopes):
            self.thing.update(dict.fromkeys(box.variables, box))
        self.things = list(dict.fromkeys(self.thing[v] for v in variables))
        self.inside: dict = {}  # {function: the inputs that stand in its box}
        self.merge_consecutive()

    @cached_property
    def boxes(self):
        return [t for t in self.things if type(t) is Box]

    @cached_property
    def outputs(self):
        """{box: its outputs}. An output is a variable that something outside the box uses, or that nothing uses."""
        used = [x for t in self.things for x in t.inputs]
        taken = {x for y in self.thing for x in y.inputs}
        return by_key((self.thing[x], x) for x in dict.fromkeys([*used, *(v for v in self.thing if v not in taken)]))

    def only_output(self, box):
        """Return the output of a box, or None if it has several."""
        outputs = self.outputs[box]
        return outputs[0] if len(outputs) == 1 else None

    def signatures(self):
        """Return {box: its signature}. Boxes of the same signature compute the same function."""
        seen: dict = {}
        return {b: (b.path[:-1], stem(b.path[-1]), b.part, structure_of(b, seen)) for b in self.things if type(b) is Box}

    def merge_consecutive(self):
        """Merge boxes of the same signature that form a chain, if only the next box uses each of them."""
        before, after = neighbours(self.things, self.thing)
        signatures, following = self.signatures(), {}
        for box in signatures:
            onward = next(iter(after[box])) if len(after[box]) == 1 else None
            if onward in signatures and signatures[onward] == signatures[box] and len(before[onward]) == 1:
                following[box] = onward
        gone = set(following.values())
        for first in signatures:
            row = [first]
            while first not in gone and row[-1] in following:
                row.append(following[row[-1]])
            self.merge(row)

    def merge_parallel(self):
        """Merge boxes of the same signature that have the same inputs and the same users."""
        before, after = neighbours(self.things, self.thing)
        alike = by_key(((sign, frozenset(before[box]), frozenset(after[box])), box) for box, sign in self.signatures().items())
        for several in alike.values():
            self.merge(sorted(several, key=natural_order))

    def merge(self, several):
        first, *others = several
        for box in others:
            first.paths, first.variables = first.paths + box.paths, first.variables + box.variables
        self.thing.update(dict.fromkeys(first.variables, first) if others else {})
        gone = set(others)
        self.things = [t for t in self.things if t not in gone] if gone else self.things

    def move_parameters_inside(self):
        """Move parameters, the leaves that only one function uses, into the box of this function."""
        uses = Counter(x for y in self.thing for x in y.inputs)
        for y in self.thing:
            alone = [x for x in y.inputs if not x.inputs and uses[x] == 1 and self.thing[x] is x]
            found = self.parameters(y, alone)
            if found and self.thing[y] is y:
                self.inside[y] = found
                self.thing.update(dict.fromkeys(found, y))
        gone = {x for found in self.inside.values() for x in found}
        self.things = [t for t in self.things if t not in gone]

    def parameters(self, y, leaves):
        """Return which of a function's own leaves are parameters: arrays, if y computes with other arrays; numbers in y's scope.

        A single number, such as the factor of a product, stays a variable of its own.
        """
        arrays = [x for x in leaves if is_array(x)]
        if arrays:
            return arrays if any(is_array(a) and not is_leaf(a) for a in y.arguments) else []
        numbers = [x for x in leaves if self.paths[x] == self.paths[y] != ()]
        return numbers if 1 < len(numbers) < len(y.inputs) else []

    def names(self, boxes):
        """Return {box: the shortest end of its path that no other box has, and that does not begin with a bare number}."""
        ends = Counter(box.path[-k:] for box in boxes for k in range(1, len(box.path) + 1))
        tells = lambda end: ends[end] == 1 and not end[0].isdigit()
        return {b: "/".join(next((b.path[-k:] for k in range(1, len(b.path)) if tells(b.path[-k:])), b.path)) for b in boxes}

    def place(self, thing):
        """Return the path of the open scope that a thing stands in."""
        return thing.path[:-1] if type(thing) is Box else self.paths[thing]


class Folding:
    """Choose what is drawn of a graph, by the options of `draw`.

    In a graph of more than `together` things, parameters stand inside their functions, and equal boxes beside an expanded
    scope are one box. With inside=False parameters never stand inside their functions.
    """

    def __init__(self, fold=None, depth=None, expand=None, together=ONE_SCREEN, inside=True):
        self.fold, self.expand = (() if given is None else (given,) if isinstance(given, str) else tuple(given) for given in (fold, expand))
        self.depth, self.together, self.inside = depth, together, inside

    def __call__(self, variables, most):
        """Return what is drawn, at most `most` things if possible. Return None if all variables are drawn one by one."""
        scoped = self.fold or self.expand or any(getattr(v, "scope", None) for v in variables)
        if not scoped and len(variables) <= self.together:
            return None
        with gc_paused():
            scopes = Scopes(variables, self.fold, self.expand)
            found = self.at_the_right_depth(variables, scopes, most)
        return found if found.boxes or found.inside or any(scopes.paths.values()) else None

    def at_the_right_depth(self, variables, scopes, most):
        """Fold at the depth that the user chose, or not at all if the graph fits, or at the largest depth that fits on a page."""
        at = lambda depth: self.at(depth, variables, scopes)
        fits = len(variables) <= most or (self.fold and scopes.variables_in_no_box(None) <= most and len(at(None).things) <= most)
        if self.depth is not None or fits:
            return at(self.depth)
        page = min(PAGE, most)
        depths = [d for d in range(scopes.deepest, 1, -1) if scopes.variables_in_no_box(d) <= page]
        return next((found for d in depths if len((found := at(d)).things) <= page), None) or at(1)

    def at(self, depth, variables, scopes):
        found = Folded(variables, scopes.paths, scopes.closed(depth), depth)
        if self.expand and len(found.things) > self.together:
            found.merge_parallel()
        if self.inside and len(variables) > self.together:
            found.move_parameters_inside()
        return found


class Scopes:
    """The scopes of a graph. The patterns `fold` and `expand` say which of them are folded and expanded."""

    def __init__(self, variables, fold, expand):
        self.paths = scopes_of(variables)
        self.all = list(dict.fromkeys(path[:k] for path in self.paths.values() for k in range(1, len(path) + 1)))
        self.deepest = max(map(len, self.all), default=0)
        self.shut = self.named("fold", fold)
        self.opened = {scope[:k] for scope in self.named("expand", expand) for k in range(1, len(scope) + 1)}
        working = {path for v, path in self.paths.items() if v.inputs}  # scopes that hold more than inputs
        self.innermost = (set(self.all) - {scope[:-1] for scope in self.all}) & working

    def named(self, keyword, patterns):
        """Return the scopes that the patterns name. Raises ValueError if one names none."""
        found: set = set()
        for pattern in patterns:
            scopes = [scope for scope in self.all if matches(scope, pattern)]
            if not scopes:
                known = ", ".join(map("/".join, self.all[:10])) + ", …" * (len(self.all) > 10)
                raise ValueError(f"draw: {keyword}={pattern!r} is not a scope of this graph; there are {known or 'none'}")
            found.update(scopes)
        return found

    def closed(self, depth):
        """Return a function that gives the outermost folded scope of a path. With a depth, the innermost scopes are always folded."""
        return closing(self.opened, self.shut | (self.innermost if depth else set()), depth)

    def variables_in_no_box(self, depth):
        return sum(path is None for path in map(self.closed(depth), self.paths.values()))

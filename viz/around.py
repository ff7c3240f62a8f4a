"""What a page shows of a large graph while it looks at one variable: its inputs, its children, and what else these are made of.

Everything else is folded into boxes that say how many variables they hold; nothing is left out and nothing is counted twice.
"""

from typing import NamedTuple

FEW, MANY = 2, 3  # inputs or children beside, and other inputs of children; what a step goes through, at once


class Around(NamedTuple):
    """What is shown; a place is that of a variable in the graph, a fold is a number from 0."""

    shown: list  # places of variables
    folds: list  # [(how many variables, what they are: "input", "child", "variable", or "z" for those up to z)]
    links: list  # [(from, to)], each a place, or ~fold
    edges: list  # [(place of x, place of y, slot)] between variables that are shown


class Whole:
    """A graph by the places of its variables, and what each depends on, as sets of bits."""

    def __init__(self, graph):
        place = {v: i for i, v in enumerate(graph.variables)}
        self.inputs = [[place[x] for x in v.inputs] for v in graph.variables]
        self.children = [[(place[y], slot) for y, slot in graph.children[v]] for v in graph.variables]
        self.z = place[graph.z]
        self.everything = (1 << len(place)) - 1
        self.above, self.below = [0] * len(place), [0] * len(place)  # ancestors, descendants
        for i, inputs in enumerate(self.inputs):
            for x in inputs:
                self.above[i] |= self.above[x] | 1 << x
        for i in range(len(place) - 1, -1, -1):
            for x in self.inputs[i]:
                self.below[x] |= self.below[i] | 1 << i

    def groups(self, v, scattering=False):
        """What a step goes through at v, its children or (where v hands on, or is z) its inputs, `MANY` at a time."""
        way = self.inputs[v] if scattering or not self.children[v] else [y for y, _ in self.children[v]]
        once = list(dict.fromkeys(way))
        return [once[i : i + MANY] for i in range(0, len(once), MANY)] or [[]]

    def around(self, v, group, scattering=False, few=FEW):
        """What is shown around v while a step goes through `group`: `few` of what is on v's other side, and of its children's inputs."""
        inputs = list(dict.fromkeys(self.inputs[v]))
        children = list(dict.fromkeys(y for y, _ in self.children[v]))
        shown = dict.fromkeys([v, *group])
        if scattering or not children:
            shown |= dict.fromkeys(children[:few])
        else:
            shown |= dict.fromkeys(inputs[:few])
            others = dict.fromkeys(x for y in group for x in self.inputs[y] if x not in shown)
            shown |= dict.fromkeys(list(others)[:few])
        found = self.folded(sorted(shown), v)
        return self.folded(sorted([*shown, self.z]), v) if (1, "z") in found.folds else found

    def folded(self, shown, v):
        """The other variables, folded: inputs of v and what else is before what is shown, what is between, children of v, the rest."""
        before, after = 0, 0
        for s in shown:
            if s != self.z:
                before |= self.above[s]
                after |= self.below[s]
        hidden = self.everything & ~bits(shown)
        inputs, children = bits(self.inputs[v]), bits(y for y, _ in self.children[v])
        earlier, later = hidden & before & ~after, hidden & ~before
        folds = [
            ("input", earlier & inputs),
            ("variable", earlier & ~inputs),
            *(("variable", group) for group in self.between(shown, hidden & before & after)),
            ("child", later & children),
            ("z" if later & ~children & 1 << self.z else "variable", later & ~children),
        ]
        folds = [(noun, fold) for noun, fold in folds if fold]
        edges = [(x, y, slot) for x in shown for y, slot in self.children[x] if y in shown]
        return Around(shown, [(fold.bit_count(), noun) for noun, fold in folds], self.links(shown, [fold for _, fold in folds]), edges)

    def between(self, shown, hidden):
        """Hidden variables on a way from one that is shown to another, by what is shown before them: so no two folds make a circle."""
        found = {}
        while hidden:
            lowest = hidden & -hidden
            h = lowest.bit_length() - 1
            key = tuple(s for s in shown if self.above[h] >> s & 1)
            found[key] = found.get(key, 0) | lowest
            hidden ^= lowest
        return list(found.values())

    def links(self, shown, folds):
        """Which folds and shown variables are linked: by an edge from a variable of the one to one of the other."""
        found = {}
        for s in shown:
            inputs, children = bits(self.inputs[s]), bits(y for y, _ in self.children[s])
            for k, fold in enumerate(folds):
                if fold & inputs:
                    found[~k, s] = None
                if fold & children:
                    found[s, ~k] = None
        leading = {a for a, _ in found}
        for k, fold in enumerate(folds):
            if ~k not in leading and not fold >> self.z & 1:  # it leads to z by way of another fold
                found[~k, ~self.next_fold(fold, folds)] = None
        return list(found)

    def next_fold(self, fold, folds):
        """The number of a fold that has a child of a variable in this one."""
        left = fold
        while True:
            last = left.bit_length() - 1
            for y, _ in self.children[last]:
                for k, other in enumerate(folds):
                    if other >> y & 1 and other != fold:
                        return k
            left ^= 1 << last


def bits(places):
    """Places as a set of bits."""
    found = 0
    for i in places:
        found |= 1 << i
    return found

"""The neighbourhood of a variable in a large graph: its inputs, its children, and other inputs of its children.

All other variables are folded into boxes that say how many variables they hold. Each variable is shown or in exactly one fold.
"""

from functools import cached_property
from itertools import zip_longest
from typing import NamedTuple
from weakref import WeakKeyDictionary

from viz.layout.view import distances, rings, wishes

FEW, MANY = 2, 3  # other inputs and children that are shown; children or inputs that a step visits, shown together


class Neighbourhood(NamedTuple):
    """The variables that are shown, by their places in the graph, and the folds, numbered from 0."""

    shown: list  # places of variables
    folds: list  # [(how many variables, what they are: "input", "child", "variable", or "z" for those up to z)]
    links: list  # [(from, to)], each a place, or ~fold
    edges: list  # [(place of x, place of y, slot)] between variables that are shown


class Neighbourhoods:
    """The neighbourhoods of a graph. Sets of variables are integers with a bit for each place: ancestors, descendants, folds."""

    def __init__(self, graph):
        place = {v: i for i, v in enumerate(graph.variables)}
        self.inputs = [[place[x] for x in v.inputs] for v in graph.variables]
        self.children = [[(place[y], slot) for y, slot in graph.children[v]] for v in graph.variables]
        self.taken = [list(dict.fromkeys(inputs)) for inputs in self.inputs]  # each once
        self.takers = [list(dict.fromkeys(y for y, _ in children)) for children in self.children]
        self.taken_bits, self.taker_bits = list(map(bits, self.taken)), list(map(bits, self.takers))
        self.distance = [graph.distance[v] for v in graph.variables]
        self.z = place[graph.z]
        self.known: dict = {}
        self.wished: dict = {}
        self.everything = (1 << len(place)) - 1
        self.ancestors, self.descendants = [0] * len(place), [0] * len(place)
        for i, inputs in enumerate(self.taken):
            for x in inputs:
                self.ancestors[i] |= self.ancestors[x] | 1 << x
        for i in range(len(place) - 1, -1, -1):
            for x in self.taken[i]:
                self.descendants[x] |= self.descendants[i] | 1 << i

    def wishes(self, v):
        """Return what a picture of v and z should show too: see `viz.layout.view`. It is found once for all windows."""
        if v not in self.wished:
            self.wished[v] = wishes(v, self.to_z, self.taken, self.takers)
        return self.wished[v]

    @cached_property
    def to_z(self):
        """How far each variable is from z."""
        return distances(self.z, self.taken)

    def visited(self, v, scattering=False):
        """Return what the steps at v visit: its children; its inputs if v scatters, or is z."""
        return self.taken[v] if scattering or not self.children[v] else self.takers[v]

    def groups(self, v, scattering=False):
        """Return the same, `MANY` at a time."""
        way = self.visited(v, scattering)
        return [way[i : i + MANY] for i in range(0, len(way), MANY)] or [[]]

    def of(self, v, group, scattering=False, few=FEW, alike=()):
        """Return what is shown while a step visits `group` at v: both, `few` other neighbours of v, `few` of its children's inputs, those
        that are `alike` first.

        If `few` is negative there are no others, and fewer folds; if it is below -1, z too is in a fold.
        """
        brief = few < -1
        shown = dict.fromkeys([v, *group])
        middle = v if few >= 0 else None
        few = max(few, 0)
        if scattering or not self.children[v]:
            shown |= dict.fromkeys(self.takers[v][:few])
        else:
            shown |= dict.fromkeys(self.taken[v][:few])
            others = (x for inputs in (alike, *map(self.taken.__getitem__, group)) for x in inputs if x not in shown)
            shown |= dict.fromkeys(first_different(others, few))
        found = self.folded(sorted(shown), middle)
        return self.folded(sorted([*shown, self.z]), middle) if (1, "z") in found.folds and not brief else found

    def nearest(self, starts, shown, many):
        """Return the variables that are nearest to some and not shown."""
        found, both_ways = [], (rings(starts, following) for following in (self.taken, self.takers))
        for both in zip_longest(*both_ways, fillvalue=()):
            found += sorted(set().union(*both).difference(shown, found))
            if len(found) >= many:
                break
        return found[:many]

    def folded(self, shown, v=None):
        """Return the neighbourhood that shows these variables, with its folds. Each is found once for all windows."""
        key = (v, *shown)
        if key not in self.known:
            self.known[key] = self.with_folds(shown, v)
        return self.known[key]

    def with_folds(self, shown, v):
        folds = self.folds(shown, v)
        links = self.links(shown, [fold for _, fold in folds])
        return Neighbourhood(shown, [(fold.bit_count(), noun) for noun, fold in folds], links, self.edges(shown))

    def alone(self, shown, v=None):
        """Return the variables that have a fold for themselves: it takes nearly as much room as they would."""
        return [fold.bit_length() - 1 for _, fold in self.folds(shown, v) if not fold & fold - 1]

    def folds(self, shown, v):
        """Return [(noun, bits)] of the folds: inputs of v, other earlier variables, those between, children of v, the rest."""
        before, after = 0, 0
        for s in shown:
            if s != self.z:
                before |= self.ancestors[s]
                after |= self.descendants[s]
        hidden = self.everything & ~bits(shown)
        inputs, children = (0, 0) if v is None else (self.taken_bits[v], self.taker_bits[v])
        earlier, later = hidden & before & ~after, hidden & ~before
        folds = [
            ("input", earlier & inputs),
            ("variable", earlier & ~inputs),
            *(("variable", group) for group in self.between(shown, hidden & before & after)),
            ("child", later & children),
            ("z" if later & ~children & 1 << self.z else "variable", later & ~children),
        ]
        return [(noun, fold) for noun, fold in folds if fold]

    def edges(self, shown):
        """Return the edges between shown variables. Search from the side that has fewer edges."""
        slots, among = sum(len(self.inputs[y]) for y in shown), set(shown)
        found = []
        for x in shown:
            if len(self.children[x]) <= slots:
                found += [(x, y, slot) for y, slot in self.children[x] if y in among]
            else:
                near = {(y, slot) for y in shown for slot, input in enumerate(self.inputs[y]) if input == x}
                found += sorted(((x, *edge) for edge in near), key=lambda edge: (self.distance[edge[1]], *edge))
        return found

    def between(self, shown, hidden):
        """Return the hidden variables on paths between shown ones, grouped by their shown ancestors, so that no two folds form a cycle."""
        found = [hidden]
        for s in shown:
            found = [part for fold in found for part in (fold & self.descendants[s], fold & ~self.descendants[s]) if part]
        return sorted(found, key=lambda fold: fold & -fold)

    def links(self, shown, folds):
        """Return the links (from, to) between folds and shown variables: those with an edge between their variables."""
        found = {}
        for s in shown:
            for k, fold in enumerate(folds):
                if fold & self.taken_bits[s]:
                    found[~k, s] = None
                if fold & self.taker_bits[s]:
                    found[s, ~k] = None
        leading = {a for a, _ in found}
        for k, fold in enumerate(folds):
            if ~k not in leading and not fold >> self.z & 1:  # it leads to z through another fold
                found[~k, ~self.next_fold(fold, folds)] = None
        return list(found)

    def next_fold(self, fold, folds):
        """Return the number of a fold that holds a child of the last variable of this one."""
        last = fold.bit_length() - 1
        return next(k for y in self.takers[last] for k, other in enumerate(folds) if other >> y & 1)


NEIGHBOURHOODS: WeakKeyDictionary = WeakKeyDictionary()


def neighbourhoods_of(graph):
    """Return the Neighbourhoods of a graph, which are the same in all looks."""
    if graph not in NEIGHBOURHOODS:
        NEIGHBOURHOODS[graph] = Neighbourhoods(graph)
    return NEIGHBOURHOODS[graph]


def bits(places):
    """Return places as a set of bits."""
    if not places:
        return 0
    found = bytearray(max(places) // 8 + 1)
    for i in places:
        found[i // 8] |= 1 << i % 8
    return int.from_bytes(found, "little")


def first_different(items, most):
    """Return the first `most` different items."""
    found = {}
    for item in items:
        if len(found) == most:
            break
        found[item] = None
    return found

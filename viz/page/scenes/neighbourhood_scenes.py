"""The scenes of a graph that a window cannot show whole: one for the neighbourhood of each variable. Those of ways are in `ways.py`.

Those of each kind have one size, so that nothing jumps between steps.
"""

from bisect import bisect
from collections import Counter, defaultdict
from functools import cached_property, partial
from itertools import accumulate, islice, takewhile
from math import isfinite
from typing import NamedTuple

from viz.graphs.inputs import asked_input, inputs_of
from viz.layout.view import distances, most
from viz.page.scenes.box_sizes import FACTOR, lines_of, size_of_fold
from viz.page.scenes.neighbourhoods import FEW, MANY, neighbourhoods_of
from viz.page.scenes.overview import overview
from viz.page.scenes.placed import Placed
from viz.page.scenes.placing import Parts
from viz.page.scenes.text_sizes import COMPACT, LOW, LOW_CLOSE, NEAR_SLIM, NEAR_SLIM_LOW, Look
from viz.page.scenes.whole_graph import has_arrays

MOST_LABELLED = 24  # edges with a label in a scene; there is no room for more if a function takes one variable more often
WIDEST_LABEL = 0.6  # of the largest scene; a longer one is left out: the sum shows it too
STRONGEST = 3  # ways from each variable, of which the first that has room is shown whole
SHORT = 14  # units of an edge beside its label, on a way that else has no room
TAG = 13  # units above a box of a turned scene
MISSES = 12  # variables without room, after which a scene of ways tries no others
MOST_MORE, WORK = 8, 160  # variables that a scene shows besides; in all scenes of a graph, of which each takes long
MISSES_ALONE, MOST_ALIKE = 2, 8  # the same of variables that have a fold for themselves; inputs of the same functions that it tries


class Room(NamedTuple):
    """The look of boxes of numbers, and those of boxes of arrays, of which the first is taken in which a way from each input to z has room;
    the largest scene, in its units: a larger one shows fewer variables, so that its texts stay readable; the
    length of edges beside their labels, and of those without a label.
    """

    of_numbers: Look
    of_arrays: tuple[Look, ...]
    width: float
    height: float
    beside: float
    unlabelled: float


ACROSS = Room(COMPACT, (LOW, LOW_CLOSE), 1500, 420, 36, 44)
DOWN = Room(NEAR_SLIM, (NEAR_SLIM_LOW,), 413, 556, 10, 18)


def neighbourhood_scenes(trace, room=ACROSS, functions=False):
    """Return the scenes of all variables, that of the steps before, and an overview: see `scene`."""
    found = scenes_in(trace, room, functions)
    of_each = [(i, *scene) for i, scenes in found.different.values() for _, *scene in scenes]
    toward_z = (None, *found.toward_z())
    return joined(found, [of_each, [toward_z]]) | {
        "at": found.scene_of_steps(before=len(of_each)),
        "of": found.first,
        "overview": overview(trace.graph, found.parts.edges),
    }


def joined(found, kinds):
    """Return {width, height, look, boxes, numbers, layouts, scenes} of kinds of scenes, [[(variable, neighbourhood, layout)]]: see `scene`.

    The scenes of one kind have one size. Equal ones of the ways have one layout.
    """
    layouts, scenes, place = [], [], {}
    for kind in kinds:
        size = largest(layout for *_, layout in kind)
        for i, (shown, folds, _, edges), layout in kind:
            middle = None if i is None else shown.index(i)
            if (layout, middle) not in place:
                place[layout, middle] = len(layouts)
                layouts.append(layout.placed.framed(middle, *size))
            edges = [found.parts.at[j, slot] for _, j, slot in edges]
            folds = [{"count": count, "lines": lines_of(count, noun, found.parts.z)} for count, noun in folds]
            scenes.append({"variable": i, "layout": place[layout, middle], "nodes": shown, "edges": edges, "folds": folds})
    return {
        "width": max(layout["width"] for layout in layouts),
        "height": max(layout["height"] for layout in layouts),
        "look": found.parts.look.for_page(),
        "boxes": found.parts.nodes,
        "numbers": [[k, n] for k, n in enumerate(found.parts.numbers) if n],
        "layouts": layouts,
        "scenes": scenes,
    }


def scenes_in(trace, room, functions=False):
    """Return the Scenes in the first look in which a way from each input to z has room; if there is none, in the last."""
    looks = room.of_arrays if has_arrays(trace) else (room.of_numbers,)
    for look in looks:
        found = Scenes(trace, room, look._replace(functions=functions))
        if look is looks[-1] or all(found.whole_way(found.parts.place[v]) is not None for v in inputs_of(trace)):
            return found


def largest(layouts):
    """Return the width and the height that hold each of the layouts that fit."""
    sizes = [layout.placed.size for layout in dict.fromkeys(layouts) if layout.fits]
    return tuple(map(max, zip(*sizes))) if sizes else (0, 0)


class Layout(NamedTuple):
    """What is Placed, in a room. A wider room with the same lengths of edges has the same places."""

    placed: Placed
    room: Room

    def __hash__(self):  # without the many sizes of a look
        return hash(self.placed)

    @property
    def fits(self):
        size, known = (self.room.width, self.room.height), self.placed.fitting
        if size not in known:
            known[size] = all(self.holds(box) for box in self.placed.boxes_around())
        return known[size]

    @property
    def may_fit(self):
        return all(map(self.holds, self.placed.boxes_around_some()))

    def holds(self, box):
        left, top, right, bottom = box
        return right - left <= self.room.width and bottom - top <= self.room.height


class Scenes:
    """For each variable its scenes: the variables that steps visit, the neighbourhood that is shown, and its layout."""

    most_labelled, misses = MOST_LABELLED, MISSES

    def __init__(self, trace, room, look):
        self.trace, self.room, self.parts, self.neighbourhoods = trace, room, Parts(trace, look), neighbourhoods_of(trace.graph)
        self.scattering = trace.schedule.scatters
        self.placed: dict = {}
        self.room_for = Counter()  # how many wishes the last ways had room for

    def off(self, pad):
        """Less room above a box than for the formula below it, by so much."""
        return max(0, pad - TAG) / 2

    @cached_property
    def offs(self):
        return [self.off(box["pad"]) for box in self.parts.nodes]

    def size(self, box):
        """Return the size of a box in a layout."""
        off, (along, across, pad) = self.off(box["pad"]), self.parts.size(box)
        return (along - 2 * off, across, pad) if self.parts.look.turned else (along, across, pad - off)

    @cached_property
    def sizes(self):
        return list(map(self.size, self.parts.nodes))

    @cached_property
    def pads(self):
        pads = map(self.parts.pads, range(len(self.parts.nodes)))
        return [(start, end - 2 * off) if self.parts.look.turned else (start, end) for (start, end), off in zip(pads, self.offs)]

    @cached_property
    def scenes(self):
        """For each variable its scenes: see `scenes_of`. Inputs of the same functions have the same scenes, if these show them."""
        near, found, alike = self.neighbourhoods, {}, defaultdict(list)
        for v in self.parts.inputs:
            alike[tuple(near.takers[v])].append(v)
        for v in range(len(self.parts.place)):
            if v not in found:
                others = alike[tuple(near.takers[v])] if v in self.parts.inputs else []
                others = islice((w for w in islice(others, bisect(others, v), None) if w not in found), MOST_ALIKE)
                found |= self.shared(v, list(others))
        return [found[v] for v in range(len(self.parts.place))]

    def shared(self, v, alike):
        """Return {variable: its scenes} of v and those inputs among some that are `alike` that its scenes show too. After a group that has
        no room the next ones are smaller.
        """
        own, many, rest = [], MANY, self.neighbourhoods.visited(v, self.scattering)
        while rest or not own:
            found = self.scenes_of(v, rest[:many], alike)
            own, rest, many = [*own, *found], rest[many:], len(found[0][0])
        shown = {v, *alike}.intersection(*(shown for _, (shown, *_), _ in own))
        return dict.fromkeys(shown if all(layout.fits for *_, layout in own) else [v], own)

    @cached_property
    def different(self):
        """The different scenes of variables, with the first variable that has them: {id: (variable, scenes)}."""
        found: dict = {}
        for v, own in enumerate(self.scenes):
            found.setdefault(id(own), (v, own))
        return found

    @cached_property
    def first(self):
        """For each variable the number of the first of its scenes."""
        many = [len(own) for _, own in self.different.values()]
        number = dict(zip(self.different, accumulate(many, initial=0)))
        return [number[id(own)] for own in self.scenes]

    def scenes_of(self, middle, group, alike=()):
        """Return the scenes of a variable while steps visit a group: [(group, neighbourhood, layout)].

        If a scene is too large, it shows fewer other variables, or the group is split into two scenes. Inputs that are `alike` are shown
        before others.
        """
        for few in range(FEW, -3, -1):
            shown = self.neighbourhoods.of(middle, group, self.scattering, few, alike)
            layout = self.layout(shown, self.visited((middle, *alike), group, shown.edges), self.room)
            if layout.may_fit and (scene := self.with_more(middle, group, (shown, layout), alike))[1].fits:
                return [(group, *scene)]
            if few == 1 and len(group) > 1:
                half = (len(group) + 1) // 2
                return self.scenes_of(middle, group[:half], alike) + self.scenes_of(middle, group[half:], alike)
        return [(group, shown, layout)]

    def with_more(self, middle, group, scene, alike):
        """Return (neighbourhood, layout) with what has a fold for itself, what is `alike`, and what is nearest, if there is room."""
        shown, many = scene[0].shown, min(MOST_MORE, WORK // len(self.parts.place))
        made, alone = partial(self.near, (middle, *alike), group, shown), self.neighbourhoods.alone(shown)
        nearest = self.neighbourhoods.nearest((middle, *group), shown, many) if many else ()
        wished = [v for v in dict.fromkeys([*alone, *alike, *nearest]) if v not in shown]
        guess = min(self.room_for["near"], len(wished))
        scene = self.most(lambda more: made(more) if more else scene, wished, MISSES_ALONE, guess)
        self.room_for["near"] = max(1, len(scene[0].shown) - 1 - len(group))
        return scene

    def near(self, middles, group, shown, more):
        """Return (neighbourhood, layout) of these variables and `more` while steps visit a group."""
        found = self.neighbourhoods.folded(sorted([*shown, *more]), middles[0])
        return found, self.layout(found, self.visited(middles, group, found.edges), self.room)

    def with_alone(self, made, scene):
        """Return made(more) for those variables with a fold for themselves that have room; `scene` is made([])."""
        alone = self.neighbourhoods.alone(scene[0].shown)
        made_with = lambda more: made(more) if more else scene
        return self.most(made_with, alone, MISSES_ALONE, len(alone)) if alone else scene

    def most(self, *search):
        return most(*search, fits=lambda scene: scene[1].fits, may_fit=lambda scene: scene[1].may_fit)

    def ways(self, v, told=(), first=(), beside=()):
        """Return (neighbourhood, layout) of the ways from v to z: as much as has room of the strongest one, of what is wished `first`, of
        the others, and of the inputs `beside` v, which have factors too. If variables are `told`, they are shown, and no edge has a factor.
        """
        found, z = self.neighbourhoods, self.neighbourhoods.z
        way, room = (not told and self.whole_way(v)) or ((), self.room)
        made = partial(self.way, v, told=told, room=room, alike=beside)
        if told and not (least := made([]))[1].may_fit:
            return least
        strong = () if told else self.strongest(v)[:1]
        from_ends = [x for path in strong for k in range(len(path)) for x in (path[k], path[-1 - k])]
        shown, wishes, kind = {v, z, *told, *way}, found.wishes(v), (bool(told), room.width)
        on_ways = [x for x in wishes if found.descendants[v] >> x & 1] if beside else ()
        wished = [x for x in dict.fromkeys([*from_ends, *first, *on_ways, *beside, *wishes]) if x not in shown]
        guess = self.room_for[kind] or (self.room_for[False, room.width] if told else self.first_tried(v) - len(shown))
        scene = self.most(lambda more: made([*way, *more]), wished, 1 if told else self.misses, guess)
        self.room_for[kind] = sum(1 for _ in takewhile(set(scene[0].shown).__contains__, wished))
        return self.with_alone(lambda more: made([*scene[0].shown, *more]), scene) if scene[1].fits else scene

    def first_tried(self, v):
        """Return how many variables a scene of the ways from v tries to show at first."""
        return 0

    def way(self, v, wished, told=(), room=None, alike=()):
        """Return (neighbourhood, layout) of v, z and others; edges on the ways from v, and from those `alike`, have factors."""
        found, z = self.neighbourhoods, self.neighbourhoods.z
        on_ways, shown = found.descendants[v] | 1 << v, found.folded(sorted({v, z, *told, *wished}))
        for w in alike:
            on_ways |= found.descendants[w] | 1 << w
        return shown, self.layout(shown, [not told and on_ways >> i & 1 for i, _, _ in shown.edges], room or self.room, short=True)

    def whole_way(self, v):
        """Return what stands on the strongest way from v to z that has room, () if all ways are one arrow, and that room, with short edges
        if needed; None if none has room.
        """
        strong, rooms = self.strongest(v), (self.room, self.room._replace(beside=min(self.room.beside, SHORT)))
        if not strong:
            return (), self.room
        return next(
            ((path, room) for room in rooms for path in strong if self.is_short(v, path) and self.way(v, path, (), room)[1].fits), None
        )

    def strongest(self, v):
        """Return what stands on the ways of several arrows from v to z whose products of partials are the largest in size; between arrays
        each arrow counts as a half, so these are the shortest ways.
        """
        return [path for _, path in self.products[v] if path]

    def is_short(self, v, path):
        """Whether a way may have room: its boxes, without the labels of its edges, have."""
        along = self.room.height if self.parts.look.turned else self.room.width
        return sum(self.sizes[i][0] + self.room.unlabelled for i in (v, *path)) + self.sizes[self.neighbourhoods.z][0] <= along

    @cached_property
    def products(self):
        """For each variable the size of the products of partials along its strongest ways to z, and what stands on them."""
        trace, place, z = self.trace, self.parts.place, self.neighbourhoods.z
        found, arrays = [[] for _ in place], has_arrays(trace)
        found[z] = [(1.0, ())]
        for x in reversed(trace.graph.variables):
            for y, slot in trace.graph.children[x]:
                size = 0.5 if arrays else abs(trace.on.partials(y)[slot])
                between = () if place[y] == z else (place[y],)
                found[place[x]] += [(size * product, (*between, *path)) for product, path in found[place[y]] if isfinite(size)]
            found[place[x]] = sorted(found[place[x]], key=lambda way: -way[0])[:STRONGEST] if x is not trace.graph.z else found[z]
        return found

    def toward_z(self):
        """Return (neighbourhood, layout) of z and as much of what leads to it as there is room for: first what stands on the strongest way
        from the asked input, then what is nearest, without labels.
        """
        found, z, asked = self.neighbourhoods, self.neighbourhoods.z, self.parts.place[asked_input(self.trace)]
        way = [*(self.strongest(asked) or [()])[0][::-1], asked]
        wished = [x for x in dict.fromkeys([*way, *distances(z, found.taken)]) if x != z]
        return self.most(lambda more: self.way(z, more, (z,)), wished, MISSES)

    def layout(self, neighbourhood, labelled, room, short=False):
        """Return the Layout of a neighbourhood. An edge that is `labelled` has a label, and all labels with an equal number there are shown
        together. A `short` label is a factor, × 0.25.
        """
        parts, (shown, folds, links, edges) = self.parts, neighbourhood
        number = {i: n for n, i in enumerate(shown)} | {~k: len(shown) + k for k in range(len(folds))}
        folded = [parts.turned(size_of_fold(count, noun, parts.z, parts.look)) for count, noun in folds]
        sizes = (*[self.sizes[i] for i in shown], *[(*size, 0) for size in folded])
        arrivals = (*[parts.arrivals[i] for i in shown], *[high for _, high in folded])
        pads, offs = (*[self.pads[i] for i in shown], *[(0, 0)] * len(folds)), tuple([self.offs[i] for i in shown])
        left, labels = self.most_labelled, []
        for (_, j, slot), has_label in zip(edges, labelled):
            edge = parts.at[j, slot]
            size = self.size_of_factor(edge) if short else parts.labels[edge]
            labels.append(size if has_label and left and max(size) <= WIDEST_LABEL * room.width else None)
            left -= labels[-1] is not None
        ends = (*[(number[i], number[j]) for i, j, _ in edges], *[(number[i], number[j]) for i, j in links])
        together: dict = {}
        groups = tuple([together.setdefault(number, len(together)) if label else 0 for label, number in zip(labels, labelled)])
        key = room.beside, room.unlabelled, sizes, len(shown), ends, tuple(labels), groups, arrivals, pads, offs
        if key not in self.placed:
            self.placed[key] = self.placed_in(room, *key)
        return Layout(self.placed[key], room)

    def size_of_factor(self, edge):
        """Return the size of the label of an edge that is short: a factor, × 0.25."""
        parts, turned = self.parts, self.parts.turned
        return turned((min(turned(parts.labels[edge])[0], FACTOR * parts.look.label), turned(parts.labels[edge])[1]))

    def placed_in(self, room, *pieces):
        return Placed(self.parts.look.turned, *pieces)

    def visited(self, middles, group, edges):
        """Return for each edge which of the middles has steps that visit it, to or from a group: 1 for the first, 0 for none."""
        number = {v: n for n, v in enumerate(middles, 1)}
        return [j in group and number.get(i, 0) or i in group and number.get(j, 0) for i, j, _ in edges]

    def visits(self, step):
        """Return the places of the variable whose scene shows a step, and of the other at which it looks; None if there is none."""
        middle, other = (step.y, step.x) if self.scattering else (step.x, step.y)
        return self.parts.place.get(middle), self.parts.place.get(other)

    def scene_of_steps(self, before):
        """Return the number of the scene for each step: the scene of its variable and of the group that the step visits; `before` the first
        of these that which shows what the pass is to come to.
        """
        group_of = [{j: n for n, (group, *_) in reversed(list(enumerate(scenes))) for j in group} for scenes in self.scenes]
        at, found = before, []
        for i, j in map(self.visits, self.trace.steps):
            if i is not None and (at != before or (i, j) != (self.neighbourhoods.z, None)):
                first, groups = self.first[i], group_of[i]
                at = first + groups[j] if j in groups else at if first <= at < first + len(self.scenes[i]) else first
            found.append(at)
        return found

    def scene_of(self, visited):
        """Return the scene of `visits` alone, joined with its layout; without a variable that of the ways from the asked input."""
        i, j = visited or (None, None)
        if i is None:
            (shown, folds, _, edges), layout = self.ways(self.parts.place[asked_input(self.trace)])
        else:
            groups = self.neighbourhoods.groups(i, self.scattering)
            scenes = self.scenes_of(i, next((group for group in groups if j in group), groups[0]))
            _, (shown, folds, _, edges), layout = next((scene for scene in scenes if j in scene[0]), scenes[0])
        found, parts = layout.placed.framed(None, *layout.placed.size), self.parts
        lines = [parts.at[y, slot] for _, y, slot in edges]
        return {
            **found,
            "nodes": [{"variable": v, **place, **parts.nodes[v]} for v, place in zip(shown, found["nodes"])],
            "edges": [{"edge": k, **place, "number": parts.numbers[k]} for k, place in zip(lines, found["edges"])],
            "folds": [
                {**place, "count": count, "lines": lines_of(count, noun, parts.z)}
                for place, (count, noun) in zip(found.get("folds", ()), folds)
            ],
            "look": parts.look.for_page(),
        }

"""The scenes of the acts in which something changes all the way to z: the ways from each input to z, for several sizes of windows.

A window has room in two dimensions, so boxes stand in rows. All ways of an input are whole if there is room; then what is beside them is
shown too. What still has no room is in folds.
"""

from collections import defaultdict, deque
from functools import cached_property
from itertools import islice
from typing import NamedTuple

from viz.graphs.inputs import asked_input, inputs_of
from viz.layout.routes import STUB
from viz.page.scenes.box_sizes import FACTOR_HEIGHT, factor_width, texts_of
from viz.page.scenes.neighbourhood_scenes import SHORT, TAG, Room, Scenes, joined
from viz.page.scenes.neighbourhoods import bits
from viz.page.scenes.placed import PlacedInRows
from viz.page.scenes.text_sizes import (
    CLOSE,
    CLOSE_LOW,
    CLOSEST,
    CLOSEST_LOW,
    COMPACT,
    LOW_CLOSE,
    LOW_SLIM,
    NEAR_SLIM,
    NEAR_SLIM_LOW,
    NEAREST_SLIM,
    NEAREST_SLIM_LOW,
    SLIM,
    Look,
)
from viz.page.scenes.whole_graph import Panel, has_arrays
from viz.questions.first_act import groups

UNLABELLED, UNLABELLED_DOWN, SHORT_DOWN = 30, 18, 10  # the length of an edge without a label; beside its label
OF_FACTOR, NO_FACTOR = 0.4, 0.05  # an edge has room for so much of its factor if ways are not whole else; a factor with a place is shown
PLAIN_NARROW, PLAIN = {"foot": 0, "above": 4, "below": 4, "narrowest": 44}, {"foot": 0, "above": 6, "below": 6, "narrowest": 66}
ANY = 6  # units by which a value under its name makes a box of the last look narrower
FORMER = 0.96  # the smallest type of a former number, in sizes of an entry: as SMALLER in live_marks.js
MOST_FACTORS, MISSES = 60, 3  # of a scene; variables without room, after which it tries no others
LINE = 18  # pixels by which the line below a part is higher than that below a whole graph
MOST_IN_ROWS, FEWER = 16, 3  # inputs whose ways stand in rows; of a large graph, which takes longer, at least so many
MOST_ALIKE = 24  # inputs of the same functions that a scene tries to show
FILLED = 0.2  # of the room, by boxes, is usual
WORK = 200  # variables of their scenes, if each shows all
MOST_TOLD = 400  # variables of a graph in which each function has a scene where it is told of


class Window(NamedTuple):
    """The room for a part of a graph in a window, and the looks of boxes of numbers and of arrays. The last ones are the smallest."""

    panel: Panel
    of_numbers: tuple[Look, ...]
    of_arrays: tuple[Look, ...]
    line: float = LINE  # 0 where the page scrolls

    def holds_whole(self, whole):
        """Return whether the scene of the whole graph can be read, in place of a part and the line below it."""
        return self.panel._replace(height=self.panel.height + self.line).holds(whole)

    def looks(self, trace):
        """Return the looks with the share of a factor for which an edge has room. At the end there is less room for factors, and a box is a
        name above a value; on a phone the rows are columns before.
        """
        looks = self.of_arrays if has_arrays(trace) else self.of_numbers
        found = [look._replace(cell=max(look.cell, look.smallest / FORMER)) for look in looks]
        last, rows = found[-1], found[-1]._replace(turned=False, saved=ANY)
        plain = rows._replace(**(PLAIN_NARROW if last.turned else PLAIN))
        return [*((look, 1) for look in found), (last, OF_FACTOR), *([(rows, OF_FACTOR)] if last.turned else []), (plain, NO_FACTOR)]

    def room(self, look):
        """Return the room in units of a scene of this look."""
        unit, (short, unlabelled) = self.panel.least / look.smallest, (SHORT_DOWN, UNLABELLED_DOWN) if look.turned else (SHORT, UNLABELLED)
        return Room(look, (look,), self.panel.width / unit, self.panel.height / unit, short, unlabelled)


WIDE_LOOKS = (COMPACT, CLOSE, CLOSEST), (LOW_CLOSE, CLOSE_LOW, CLOSEST_LOW)
NARROW_LOOKS = (SLIM, NEAR_SLIM, NEAREST_SLIM), (LOW_SLIM, NEAR_SLIM_LOW, NEAREST_SLIM_LOW)
WINDOWS = (
    Window(Panel(1867, 442, 16), *WIDE_LOOKS),  # 1920 × 1080, where texts are larger
    Window(Panel(1244, 293, 12), *WIDE_LOOKS),  # 1280 × 720
    Window(Panel(994, 416, 12), *WIDE_LOOKS),  # 1024 × 768
    Window(Panel(734, 560, 12), *WIDE_LOOKS, 0),  # 768 × 1024
    Window(Panel(361, 487, 11), *NARROW_LOOKS, 0),  # 390 × 844
)


USUAL, FOR_EACH = (WINDOWS[1], WINDOWS[-1]), 40  # the windows of a graph of more variables, whose scenes take longer


def scenes_of_ways(trace, wholes, functions=False):
    """Return the scenes for windows of several sizes, the largest first: see `scene`.

    A window that holds one of the `wholes`, or the scenes of another window, has none of its own.
    """
    found, is_large = [], len(trace.graph.variables) > FOR_EACH
    for window in USUAL if is_large else WINDOWS[1:]:
        if not any(map(window.holds_whole, filter(None, wholes))) and not any(map(window.panel.holds, found)):
            ways = ways_in(trace, window, functions)
            may_show_more = window is WINDOWS[1] and not (is_large or ways.all_shown)
            larger = ways_in(trace, WINDOWS[0], functions) if may_show_more else ways
            found += [each.data() for each in ([larger, ways] if larger.shown > ways.shown else [ways])]
    return found


def ways_in(trace, window, functions=False):
    """Return the Ways in the first look in which all ways from each input are whole; if there is none, in that with the most whole ones."""
    found = []
    for look, share in window.looks(trace):
        found.append(Ways(trace, window.room(look), look._replace(functions=functions), share))
        if len(found[-1].whole) == len(found[-1].rowed):
            return found[-1]
    return max(found[::-1], key=lambda ways: (ways.asked in ways.whole, len(ways.whole)))


class Ways(Scenes):
    """For each input the scene of its ways to z, and scenes of what these do not show but the act Question tells of."""

    most_labelled, misses, in_rows = MOST_FACTORS, MISSES, True

    def __init__(self, trace, room, look, share=1):
        super().__init__(trace, room, look)
        self.share, self.areas = share, {}
        self.asked = self.parts.place[asked_input(trace)]
        self.inputs = list(dict.fromkeys([self.asked, *map(self.parts.place.get, inputs_of(trace))]))
        self.rowed = self.inputs[: min(MOST_IN_ROWS, max(FEWER, WORK // len(self.parts.place)))]

    def off(self, pad):
        return super().off(pad) if self.parts.look.turned else (pad - TAG) / 2  # room for tags, also above a box without formula

    @cached_property
    def ways_of(self):
        """The scene of each input: (neighbourhood, layout). One scene serves all inputs of which it shows the ways as well."""
        found, near, groups = {}, self.neighbourhoods, defaultdict(deque)
        for v in self.inputs:
            groups[near.descendants[v], *near.takers[v]].append(v)
        for in_rows, inputs in ((True, self.rowed), (False, self.inputs)):
            self.place_in_rows(in_rows)
            last = defaultdict(list)
            for v in inputs:
                if v not in found:
                    group = groups[near.descendants[v], *near.takers[v]]
                    while group[0] in found:
                        group.popleft()
                    alike = [w for w in islice(group, MOST_ALIKE) if w not in found and w != v]
                    found |= self.serving(v, alike, found, last[id(group)])
        return {v: found[v] for v in self.inputs}

    def serving(self, v, alike, known, last):
        """Return {input: scene} of v and others that are not `known`: the `last` scene of inputs of the same functions with v and some that
        are `alike` in their place, if it fits; else that of the ways from v.
        """
        for others, many, room in last:  # what that scene shows besides, of how many inputs
            own = alike[: many - 1]
            scene = self.way(v, [*others, *own], (), room, own)
            if scene[1].fits:
                return dict.fromkeys([v, *own], scene)
        scene = self.ways(v, beside=alike)
        own, hidden, ways = {v, *alike} & {*scene[0].shown}, ~bits(scene[0].shown), self.neighbourhoods.descendants
        others = [w for w in scene[0].shown if w in self.parts.inputs and not (w in own or w in known or ways[w] & hidden)]
        last[:] = [([x for x in scene[0].shown if x not in own], len(own), scene[1].room)]
        if others and not self.holds_everything:
            other = self.way(v, scene[0].shown, (), scene[1].room, [*own, *others])
            scene, others = (other, others) if other[1].fits else (scene, [])
        return dict.fromkeys([*own, *others], scene)

    @cached_property
    def whole(self):
        """The first inputs of which all ways have room."""
        holds = lambda i: self.may_hold(self.on_ways(i)) and self.way(i, self.on_ways(i))[1].fits
        return [i for i in self.rowed if self.holds_everything or holds(i)]

    @cached_property
    def holds_everything(self):
        return self.may_hold(range(len(self.parts.place))) and self.everything[1].fits

    def may_hold(self, variables):
        """Return whether the boxes of these variables take no more than the whole room."""
        look, whole = self.parts.look, self.room.width * self.room.height
        return len(variables) * look.narrowest * (look.head + look.foot) <= whole and sum(map(self.area, variables)) <= whole

    def area(self, i):
        """Return the area that the box of a variable takes. In many looks only a few are asked for."""
        if i not in self.areas:
            w, h, pad = self.size(self.parts.node(i))
            self.areas[i] = (w + STUB) * (h + 2 * pad)
        return self.areas[i]

    @cached_property
    def smallest(self):
        """The area of the smallest box."""
        return min([(w + STUB) * (h + 2 * pad) for w, h, pad in self.sizes])

    def on_ways(self, i):
        """Return the variables on the ways from one to z."""
        below = self.neighbourhoods.descendants[i] | 1 << i
        return {k for k in range(len(self.parts.place)) if below >> k & 1}

    @property
    def shown(self):
        """How many variables the scenes of all inputs show."""
        return sum(len(found.shown) for found, _ in self.ways_of.values())

    @property
    def all_shown(self):
        return self.shown == len(self.ways_of) * len(self.parts.nodes)

    def ways(self, v, told=(), first=(), beside=()):
        """Return (neighbourhood, layout) of the ways from v to z, with all of the graph if there is room."""
        return self.everything if not told and self.holds_everything else super().ways(v, told, first, beside)

    @cached_property
    def everything(self):
        """The scene of all variables, with all factors."""
        found = self.neighbourhoods.folded(list(range(len(self.parts.place))))
        return found, self.layout(found, [True] * len(found.edges), self.room, short=True)

    def is_short(self, v, path):
        return self.may_hold(path)

    def first_tried(self, v):
        return min(len(self.on_ways(v)), int(FILLED * self.room.width * self.room.height / self.smallest)) if self.in_rows else 0

    def size_of_factor(self, edge):
        look, numbers = self.parts.look, self.partials
        size = self.share * factor_width(numbers[edge], look), self.share * FACTOR_HEIGHT * look.label
        return self.parts.turned(size)

    @cached_property
    def partials(self):
        """The partial of each edge as text, None between arrays."""
        texts = texts_of(self.trace)
        return [texts.partials.get((self.trace.graph.variables[j], slot)) for _, j, slot in self.parts.edges]

    def place_in_rows(self, in_rows):
        if in_rows != self.in_rows:
            self.in_rows, self.placed = in_rows, {}

    def placed_in(self, room, *pieces):
        turned = self.parts.look.turned
        if not self.in_rows:
            return super().placed_in(room, *pieces)
        return PlacedInRows(turned, *((room.height, room.width) if turned else (room.width, room.height)), *pieces)

    def told(self, ways):
        """Return {v: (neighbourhood, layout)} for functions that the act Question tells of, and that are not among the ways from its input:
        v with that input, z, what v takes, and the next of these functions; without that input if it has no room. One scene serves all
        functions that it shows with what they take. Of a large graph it has only the last function of each part.
        """
        place, trace = self.parts.place, self.trace
        asked = place[asked_input(trace)]
        made = [part[-1] for _, part in groups(trace)] if len(place) > MOST_TOLD else [v for v in trace.graph.variables if v.rule]
        waiting, found = [v for v in map(place.get, made) if v not in ways[asked][0].shown], {}
        for n, v in enumerate(waiting):
            if v not in found:
                first = [x for u in waiting[n:] for x in (*self.neighbourhoods.taken[u], u)]
                scene = self.ways(asked, (v,), first)
                scene = scene if scene[1].fits else self.ways(v, (v,), self.neighbourhoods.taken[v])
                shown = set(scene[0].shown)
                found |= {v: scene} | {u: scene for u in waiting[n:] if u not in found and shown >= {u, *self.neighbourhoods.taken[u]}}
        return found

    def data(self):
        """Return the scenes as a page has them."""
        ways = self.ways_of
        self.place_in_rows(len(self.rowed) == len(self.inputs))
        told = self.told(ways)
        found = {id(scene): scene for scene in [*ways.values(), *told.values()]}
        number = {key: k for k, key in enumerate(found)}
        numbered = lambda scenes: [[i, number[id(scene)]] for i, scene in scenes.items()]
        return joined(self, [[(None, *scene) for scene in found.values()]]) | {"ways": numbered(ways), "told": numbered(told)}

"""The scene of each slide: the whole graph, if a slide can hold it; else what the slide is about, and as much around it as there is room.

A slide shows z, the asked input, and the variables of its step. All other variables are shown, or are in a fold that counts them.
"""

from functools import partial
from math import isfinite
from typing import NamedTuple

from viz.graphs.inputs import asked_input, inputs_of
from viz.layout.labels import RIM, hides, own_stretches, place_labels
from viz.layout.layered import layered_again
from viz.layout.view import most
from viz.page.scenes.box_sizes import lines_of, size_of_fold
from viz.page.scenes.neighbourhood_scenes import DOWN, SHORT, scenes_in
from viz.page.scenes.neighbourhoods import neighbourhoods_of
from viz.page.scenes.placing import GLASS, GLASS_BESIDE, MARGINS, Parts, bounds, clear_labels, framed, rectangles
from viz.page.scenes.text_sizes import CLOSE, CLOSE_LOW, CLOSEST, CLOSEST_LOW, COMPACT, LOW, LOW_CLOSE, ROOMY, UPRIGHT
from viz.page.scenes.ways import Ways, Window
from viz.page.scenes.whole_graph import (
    BESIDE_LABELS,
    MOST_TRIED_OF_MANY,
    MOST_VARIABLES,
    PHONE,
    SMALL,
    Panel,
    bare,
    has_arrays,
    has_pictures,
    in_rows,
    most_readable,
    narrow_graph,
    packed,
    spaced,
    spacious,
    spacious_if_larger,
    too_large,
)
from viz.page.scenes.whole_graph import CLOSE as BETWEEN
from viz.text.array_text import numbers_of

# The room for the graph on a slide of 1280 × 720 pixels: the texts are below the graph, or beside it. All of a slide grows with the window.
LEAST, COMFORTABLE = 13.8, 16  # pixels: the height of the smallest text, and of one that is chosen where there is a choice
BELOW, BESIDE = Panel(1228, 384, LEAST), Panel(826, 600, LEAST)
MOST_TURNING = 3  # variables from which lines turn to another row: lines of more are hard to follow
WORTH = 1.15  # texts stand beside the graph if it would else be so much smaller
LEGEND = 21  # pixels: the line below small boxes that says what their derivatives are
RUBBING = 6  # twice as near to a label a line already runs across it
QUEUE = 44  # pixels: the line below the graph that shows the queue of a schedule
LABELLED, UNLABELLED = 32, 30  # the least room for an edge: beside its label, and without one
NEAR = ROOMY._replace(stacked=True, widest_formula=300)  # as wide as the page paints a formula
TAGGED = COMPACT._replace(above=13)  # an input may stand below the two lines of a formula: its tag keeps clear of them
PICTURED = LOW._replace(widest_formula=300)
BRIEF = PICTURED._replace(entries=False)
LOOKS, LOOKS_OF_ARRAYS = (NEAR, TAGGED, CLOSE, CLOSEST), (PICTURED, BRIEF, LOW_CLOSE, CLOSE_LOW, CLOSEST_LOW)  # of boxes in rows
MOST_IN_ROWS = 40  # variables; no slide holds more
ENOUGH, ENOUGH_ARRAYS = 0.7, 0.5  # large boxes are chosen if they leave room for so much of what small boxes leave room for
MOST_LOOKED = 4  # children of a variable for which boxes and texts become smaller
WIDEST_LABEL, FACTOR = 0.4, 5.4  # of the panel; the width of a factor, in font sizes
MOST_WISHED, MISSES = 40, 4  # variables beside those of the step; those without room, after which no others are tried


MOVES = "moves"  # in place of a step of the backward pass


class About(NamedTuple):
    """What a slide is about: the variables that it must show, by their places; the others of its step; those that it shows if there is
    room, the most important first; the variable of which neighbours are folded; the edges with labels."""

    must: list
    looked: list
    wished: list
    middle: int
    labelled: set


def slide_scenes(trace, steps):
    """Return {"beside", "scenes", "of", "onPhone"}: whether the texts stand beside the graph, the scenes, for each slide the place of its
    scene, and {"scenes", "of"} for a narrow window.

    `steps` are the slides' steps of the backward pass; MOVES for the slide where all inputs move, None for a slide of another act.
    """
    below, beside = (panel._replace(height=panel.height - QUEUE * trace.schedule.scatters) for panel in (BELOW, BESIDE))
    narrow = {"onPhone": scenes_on_a_phone(trace, steps)}
    found = [scene for panel in (below, beside) if (scene := whole_scene(trace, panel))]
    whole = {panel: most_readable(held, panel) for panel in (below, beside) if (held := [*filter(panel.holds, found)])}
    if whole:
        size = {panel: panel.scale(scene) * scene["look"]["smallest"] for panel, scene in whole.items()}
        best = below if size.get(below, 0) * WORTH >= size.get(beside, 0) else beside
        return {"beside": best is beside, "scenes": [whole[best]], "of": [0] * len(steps)} | narrow
    focus = Focus(trace, below)
    return (
        {"beside": False}
        | narrow
        | shared(steps, focus.looked_at, lambda own: focus.scene(focus.moves() if own is MOVES else focus.about(*own)))
    )


def shared(steps, about, scene):
    """Return {"scenes", "of"} with scene(what a slide is about); slides about the same share it."""
    abouts = list(map(about, steps))
    different = list(dict.fromkeys(abouts))
    return {"scenes": list(map(scene, different)), "of": list(map(different.index, abouts))}


def scenes_on_a_phone(trace, steps):
    """Return {"scenes", "of"} from top to bottom: the whole graph, or parts as a narrow page shows them."""
    whole = narrow_graph(trace)
    if whole and PHONE.holds(whole):
        return {"scenes": [whole], "of": [0] * len(steps)}
    found = scenes_in(trace, DOWN)
    return shared(steps, lambda i: None if i in (None, MOVES) else found.visits(trace[i]), found.scene_of)


def whole_scene(trace, panel):
    """Return the scene of the whole graph with the largest texts; None if the panel cannot hold one."""
    if too_large(trace, MOST_VARIABLES):
        return None
    roomy, close = Parts(trace, ROOMY), Parts(trace, ROOMY if has_arrays(trace) else COMPACT)
    ways = [roomy, close, *([Parts(trace, UPRIGHT)] if has_pictures(roomy) else [])]
    if close.scopes:
        found = [spacious(parts, BETWEEN, True) for parts in ways]
    else:
        comfortable, large = panel._replace(least=COMFORTABLE), too_large(trace, SMALL)
        hopeful = not large and comfortable.holds(bare(roomy, spaced(roomy, BESIDE_LABELS)))
        found = [spacious(roomy, BESIDE_LABELS)] if hopeful else []
        if not any(scene and comfortable.holds(scene) for scene in found):
            small = [packed(parts, panel, MOST_TRIED_OF_MANY) for parts in ways]
            found = [*(found if hopeful or large else [spacious_if_larger(roomy, BESIDE_LABELS, small, panel)]), *small]
    if not any(scene and panel.holds(scene) for scene in found):
        found += [scene for parts in ways if (scene := in_rows(parts, panel)) and turning(parts, scene) <= MOST_TURNING]
    best = most_readable(found, panel)
    return best if best and panel.holds(best) else None


def turning(parts, scene):
    """Return the number of variables from which lines turn to another row."""
    sides = {box["variable"]: (box["x"] - box["w"] / 2, box["x"] + box["w"] / 2) for box in scene["nodes"]}
    return len({i for i, j in parts.ends if sides[j][0] < sides[i][1]})


class Focus:
    """The scenes of a graph that is too large for a slide."""

    def __init__(self, trace, panel):
        self.trace, self.panel, self.graph = trace, panel, neighbourhoods_of(trace.graph)
        arrays, window = has_arrays(trace), Window(panel, (), ())
        looks = ((PICTURED, PICTURED), (PICTURED, BRIEF), (BRIEF, BRIEF)) if arrays else ((NEAR, NEAR), (TAGGED, TAGGED))
        parts = {look: Parts(trace, look) for look in dict.fromkeys(look for pair in looks for look in pair)}
        self.looks = [(parts[own], parts[others]) for own, others in looks]  # of what a slide must show, and of what is around it
        self.enough = ENOUGH_ARRAYS if arrays else ENOUGH
        self.place = {v: i for i, v in enumerate(trace.graph.variables)}
        self.asked, self.z = self.place[asked_input(trace)], self.place[trace.graph.z]
        self.rows = [Ways(trace, window.room(look), look) for look in (LOOKS_OF_ARRAYS if arrays else LOOKS)]

    def looked_at(self, step):
        """Return the variables at which a step of the backward pass looks, the current one first; () if it looks at none but z."""
        if step is MOVES:
            return step
        s = self.trace[step] if step is not None else None
        own = () if s is None else (s.y, s.x) if self.trace.schedule.scatters else (s.x, s.y)
        found = tuple(self.place[v] for v in own if v in self.place)
        return () if found == (self.z,) else found

    def about(self, *own):
        """Return what a slide is About: the ways from the asked input to z; or the current variable, and the other of a step."""
        graph, must = self.graph, list(dict.fromkeys([self.asked, self.z, *own]))
        ways = self.ways(self.asked)
        if not own:
            on_ways = graph.descendants[self.asked] | 1 << self.asked
            labelled = {(x, y) for y, inputs in enumerate(graph.taken) for x in inputs if on_ways >> x & 1}
            return About(must, [], ways[:MOST_WISHED], self.asked, labelled)
        x = own[0]
        others = graph.taken[x] if self.trace.schedule.scatters else graph.takers[x]
        wished = dict.fromkeys([*others, *graph.taken[x], *self.ways(x), *ways])
        labelled = {pair for other in others for pair in ((x, other), (other, x))}
        return About(must, others, [v for v in wished if v not in must][:MOST_WISHED], x, labelled)

    def moves(self):
        """Return what the slide of a step of descent is About: the inputs with the largest derivatives, which move most."""
        slope = lambda v: max((abs(n) for n in numbers_of(self.trace.computed[v].number) if isfinite(n)), default=0)
        given = [v for v in inputs_of(self.trace) if v in self.trace.computed]
        moving = [self.place[v] for v in sorted(given, key=slope, reverse=True)[:MOST_LOOKED]] or [self.asked]
        must = list(dict.fromkeys([moving[0], self.asked, self.z]))
        wished = dict.fromkeys([*moving, *(v for x in moving for v in self.ways(x))])
        return About(must, moving[1:], [v for v in wished if v not in must][:MOST_WISHED], moving[0], set())

    def ways(self, x):
        return self.graph.wishes(x)

    def scene(self, about):
        """Return the scene of all variables in rows, in the largest boxes for which there is room; of some, if there is room for none."""
        everything = [v for v in range(len(self.place)) if v not in about.must] if len(self.place) <= MOST_IN_ROWS else []
        found = (self.in_rows(ways, beside, about, everything) for ways in self.rows for beside in (LABELLED, SHORT) if everything)
        if scene := next(filter(None, (scene_in_rows(*row) for row in found if row[-1].fits)), None):
            return scene
        best = self.part(about)
        looked = {box["variable"] for box in best["nodes"]} & {*about.looked}
        for ways in self.rows:
            made = partial(self.in_rows, ways, SHORT, about)
            row = most(made, about.wished, MISSES, len(about.wished), fits=lambda row: row[-1].fits)
            larger = row[-1].fits and len(row[1].shown) > len(best["nodes"]) and looked <= {*row[1].shown}
            best = larger and scene_in_rows(*row) or best
        return best

    def in_rows(self, ways, beside, about, found):
        """Return (ways, neighbourhood, layout) of what a slide must show and of what was found, with so much room beside labels."""
        shown = ways.neighbourhoods.folded(sorted({*about.must, *found}), about.middle)
        labelled = [(i, j) in about.labelled for i, j, _ in shown.edges]
        legend = LEGEND * ways.parts.look.smallest / self.panel.least if about.looked else 0
        room = ways.room._replace(height=ways.room.height - legend, beside=beside)
        return ways, shown, ways.layout(shown, labelled, room, short=not about.looked)

    def part(self, about):
        """Return the scene with as many variables as there is room for at a comfortable size; at a readable one, if that shows more of the
        step.
        """
        best, most_looked = None, -1
        for least in (COMFORTABLE, LEAST):
            found = [one for looks in self.looks if (one := self.fullest(looks, about, self.panel._replace(least=least))).fits]
            looked = [min(len(set(about.looked) & set(one.shown)), MOST_LOOKED) for one in found]
            if max(looked, default=-1) > most_looked:
                enough, most_looked = self.enough * max(len(one.shown) for one in found), max(looked)
                chosen = (one for one, n in zip(found, looked) if n == most_looked and len(one.shown) >= enough)
                best = next(chosen, found[looked.index(most_looked)])
            if most_looked == min(len(about.looked), MOST_LOOKED):
                break
        return (best or self.fullest(self.looks[-1], about, self.panel)).scene()

    def fullest(self, looks, about, panel):
        """Return what the slide must show, Arranged with as many other variables as fit."""
        made = lambda found: Arranged(looks, self.graph, about, sorted({*about.must, *found}), panel)
        return most(made, about.wished, MISSES, fits=lambda arranged: arranged.fits)


def scene_in_rows(ways, shown, layout):
    """Return the scene of a Layout with the labels that have a place of their own; None if these have no room."""
    parts, placed = ways.parts, layout.placed
    lines, many = [*filter(None, placed.paths)], len(placed.labels)
    sizes = [*placed.labels, *[None] * (len(lines) - many)]
    (_, top, _, bottom), ways_of_labels = placed.around_lines, [own_stretches(lines, sizes), lines]

    def place(boxes):
        found = [place_labels(lines, sizes, boxes, (top, bottom), way, alone=True) for way in ways_of_labels]
        return min(found, key=lambda placed: placed[1] + len(crossed_by_others(lines, sizes, placed[0])))

    painted = [(x, y - off) for (x, y), off in zip(placed.places, placed.offs)]
    sticking_out = parts.sticking_out(painted, ((i, parts.nodes[i]) for i in shown.shown))
    centres, _ = clear_labels(place, rectangles(placed.places, placed.sizes), sticking_out)
    crossed = crossed_by_others(lines, sizes, centres)
    order = painted_in_turn(many, crossed)
    turn = {k: n for n, k in enumerate(order)}
    covered = {k for k, others in crossed.items() if any(turn[j] > turn[k] for j in others)}
    labels = [centre and (centre, size) for centre, size in zip(centres, placed.labels)]
    has_place = lambda k, at: k not in covered and not any(overlap((*at[0], *at[1]), each) for each in sticking_out)
    pieces = placed.parts([at if at and has_place(k, at) else None for k, at in enumerate(labels)])
    if not layout.holds(bounds(*pieces)):
        return None
    found, edges = framed(*pieces), [parts.at[j, slot] for _, j, slot in shown.edges]
    boxes = zip(shown.shown, found["nodes"], placed.offs)
    folds = zip(found.get("folds", ()), shown.folds)
    return found | {
        "nodes": [{"variable": i, **parts.nodes[i], "x": box["x"], "y": box["y"] - off} for i, box, off in boxes],
        "edges": [{"edge": edges[k], "number": parts.numbers[edges[k]], **found["edges"][k]} for k in order],
        "folds": [{"count": count, "lines": lines_of(count, noun, parts.z), **box} for box, (count, noun) in folds],
        "look": parts.look.for_page(),
        "apart": True,
    }


def overlap(a, b):
    """Return whether two rectangles (x, y, w, h) around x, y overlap."""
    return abs(a[0] - b[0]) < (a[2] + b[2]) / 2 and abs(a[1] - b[1]) < (a[3] + b[3]) / 2


def crossed_by_others(lines, sizes, centres):
    """Return {line: the others with a label that run across its label}."""
    frame = lambda centre, size: (*centre, size[0] + 2 * RIM[0] + RUBBING, size[1] + 2 * RIM[1] + RUBBING)
    labelled = [(k, tuple(map(tuple, lines[k])), frame(centres[k], size)) for k, size in enumerate(sizes) if size]
    found = {k: {j for j, line, _ in labelled if j != k and hides(label, [line])} for k, _, label in labelled}
    return {k: others for k, others in found.items() if others}


def painted_in_turn(many, crossed):
    """Return the numbers of lines in an order in which, if possible, each comes after those that run across its label.

    >>> painted_in_turn(3, {0: {2}})
    [1, 2, 0]
    """
    waiting, found = dict.fromkeys(range(many)), []
    while waiting:
        k = next((k for k in waiting if crossed.get(k, set()).isdisjoint(waiting)), next(iter(waiting)))
        found.append(k)
        del waiting[k]
    return found


class Arranged:
    """Variables and the folds of all others, in one row, or in several rows if that is larger."""

    def __init__(self, looks, graph, about, shown, panel):
        parts, others = looks
        self.parts, (self.shown, self.folds, links, edges) = parts, graph.folded(shown, about.middle)
        self.nodes = [(parts if i in about.must else others).nodes[i] for i in shown]
        number = {i: n for n, i in enumerate(shown)} | {~k: len(shown) + k for k in range(len(self.folds))}
        self.edges = [parts.at[j, slot] for _, j, slot in edges]
        self.labels = [self.label_of(k, panel, short=not about.looked) if parts.ends[k] in about.labelled else None for k in self.edges]
        self.ends = [(number[i], number[j]) for i, j, _ in edges] + [(number[i], number[j]) for i, j in links]
        folds = (size_of_fold(count, noun, parts.z, parts.look) for count, noun in self.folds)
        self.sizes = [*((box["w"], box["h"], box["pad"]) for box in self.nodes), *((*size, 0) for size in folds)]
        glass = lambda i: GLASS / 2 + GLASS_BESIDE if i < len(shown) and parts.opens[shown[i]] else 0
        room = {(i, j): label[0] + LABELLED + glass(i) for (i, j), label in zip(self.ends, self.labels) if label}
        layers, gap = layered_again(len(self.sizes), tuple(self.ends), len(shown)), lambda i, j: room.get((i, j), UNLABELLED)
        width = panel.width * parts.look.smallest / panel.least - 2 * MARGINS[0]
        self.layout = layers.layout(self.sizes, gap, width=width)
        self.panel = panel
        self.fits = self.holds([None] * len(self.labels))

    def holds(self, labels):
        """Return whether the panel holds the scene with these labels."""
        left, top, right, bottom = bounds(*self.pieces(labels))
        return self.panel.holds({"width": right - left, "height": bottom - top, "look": self.parts.look.for_page()})

    def label_of(self, edge, panel, short):
        """Return the size of a label, as a `short` one that of a factor, × 0.25; None for one that is too long, which the sum shows too."""
        (w, h), look = self.parts.labels[edge], self.parts.look
        if short:
            w = min(w, FACTOR * look.label)
        return (w, h) if w * panel.least / look.smallest <= WIDEST_LABEL * panel.width else None

    def pieces(self, labels):
        """Return boxes, edges, folds and links, as `placing` takes them."""
        boxes = [{"x": x, "y": y, "w": w, "h": h, "pad": pad} for (x, y), (w, h, pad) in zip(self.layout.places, self.sizes)]
        nodes = [{"variable": i, **node, **box} for i, node, box in zip(self.shown, self.nodes, boxes)]
        paths = self.layout.splines
        edges = [
            {"edge": k, "path": path, "label": label, "number": self.parts.numbers[k]} for k, path, label in zip(self.edges, paths, labels)
        ]
        folds = [
            {**box, "count": count, "lines": lines_of(count, noun, self.parts.z)}
            for box, (count, noun) in zip(boxes[len(self.shown) :], self.folds)
        ]
        at = lambda box: box if box < len(nodes) else len(nodes) - box - 1
        links = list(zip(paths, self.ends))[len(self.edges) :]
        return nodes, edges, folds, [{"path": path, "from": at(i), "to": at(j)} for path, (i, j) in links if path]

    def scene(self):
        """Return the scene, with its labels, which take longer to place."""
        lines = [(path, size) for path, size in zip(self.layout.splines, [*self.labels, *[None] * len(self.ends)]) if path]
        paths, sizes = zip(*lines)
        ways = [own_stretches(paths, sizes), paths]

        def place(boxes):
            found, off = min((place_labels(paths, sizes, boxes, None, way) for way in ways), key=lambda placed: placed[1])
            labels = [centre and dict(zip("xywh", (*centre, *size))) for centre, size in zip(found, self.labels)]
            return labels, off + (not self.holds(labels))

        more = self.parts.sticking_out(self.layout.places, zip(self.shown, self.nodes))
        labels, _ = clear_labels(place, rectangles(self.layout.places, self.sizes), more)
        return {**framed(*self.pieces(labels)), "look": self.parts.look.for_page(), "apart": True}

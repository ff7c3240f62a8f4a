"""Where everything of a trace stands: boxes, edges and their labels, in CSS pixels, from left to right, inputs at the left.

The page paints it in its own way. A graph of one screen is laid out by the layout engine; of a larger one there is a scene for
each variable that a step looks at, and a small map of the whole.
"""

from math import ceil, floor

from viz.around import Whole
from viz.boxes import boxes_of, fold_box, in_short, label_of
from viz.columns import columns
from viz.overview import overview
from viz.ranked import ranked
from viz.spots import crossings, place_labels
from viz.words import SCATTERING

ONE_SCREEN, MOST_EDGES, WIDEST, HIGHEST = 25, 60, 2600, 1200  # what is more or larger could not be read at once
MARGIN, BESIDE_LABELS, UNLABELLED = 28, 60, 44
COMFORTABLE = 1600  # pixels; a wider neighbourhood leaves out what a step does not look at
MORE_ROOM, FEW_OFF = (0, 50, 100), 2  # beside labels: tried until all are on their edges; labels that may be off them


def scene(trace):
    """Where the variables and edges of a trace stand.

    width, height    of the picture
    nodes            [{variable, x, y, w, h, pad}]: the centre and size of a variable's box. There is room for a tag above it, and
                     for its formula below it, `pad` pixels each. Of an array, within the box, from its corner at the top left:
                     `value` and `total` {x, y, w, h}, where the array and its gradient stand, and `columns`, the widths of its columns
    edges            [{edge, path, label, number}]: SVG path data from the input to the tip of the arrow at the output; the label's
                     {x, y, w, h}, x and y its centre; `number` is 1, 2, ... where a function uses a variable more than once, else null
    `variable` and `edge` are places in to_dict()'s lists. Of a graph that could not be read at once, with more than
    25 variables or 60 edges, too wide, too high or too dense, there are instead, `nodes` and `edges` being empty,
    scenes           [{width, height, variable, nodes, edges, folds, links}]: the neighbourhood of a variable; `folds` [{x, y, w, h,
                     count, lines}] stand for the variables that are not shown, `links` [{path}] lead to and from them, short ones
                     to where there is no room for more; only edges that a step at this variable looks at have a label, others null
    at               for each step the scene that shows it
    of               for each variable a scene that shows it
    overview         the place of every variable in the whole: see `overview`

    >>> from scalargrad import Trace, Value
    >>> x = Value(3, name="x"); found = scene(Trace(x * x, names={}))
    >>> [edge["number"] for edge in found["edges"]], found["nodes"][0]["x"] < found["nodes"][1]["x"]
    ([1, 2], True)
    """
    parts = Parts(trace)
    few = len(parts.nodes) <= ONE_SCREEN and len(parts.edges) <= MOST_EDGES
    return (parts.one_screen() if few else None) or parts.neighbourhoods()


class Parts:
    """The boxes of a trace's variables, its edges (place of x, place of y, slot) and the sizes of their labels."""

    def __init__(self, trace):
        self.trace, self.graph = trace, trace.graph
        self.place = {v: i for i, v in enumerate(self.graph.variables)}
        self.nodes = boxes_of(trace)
        edges = [(x, y, slot) for x in self.graph.variables for y, slot in self.graph.children[x]]
        on = in_short(trace)
        self.labels = [label_of(on, y, slot) for _, y, slot in edges]
        self.edges = [(self.place[x], self.place[y], slot) for x, y, slot in edges]
        self.at = {(j, slot): k for k, (_, j, slot) in enumerate(self.edges)}
        self.numbers = numbered([(i, j) for i, j, _ in self.edges])

    # A graph of one screen

    def one_screen(self):
        """The scene of the whole graph; None where it could not be read."""
        ends = [(i, j) for i, j, _ in self.edges]
        sizes = [(n["w"], n["h"], n["pad"]) for n in self.nodes]
        beside = max((w for w, _ in self.labels), default=0) + BESIDE_LABELS
        found = []
        for more in MORE_ROOM:
            places, paths = ranked(sizes, ends, beside + more)
            spots, off = place_labels(paths, self.labels, rectangles(places, sizes))
            off += (FEW_OFF + 1) * crossings(paths, [(x, y, w, h) for (x, y), (w, h, _) in zip(places, sizes)])
            found.append((off, more, places, paths, spots))
            if not off:
                break
        off, _, places, paths, spots = min(found)
        scene = framed(self.painted(range(len(sizes)), places), self.lines(range(len(ends)), paths, spots))
        return scene if off <= FEW_OFF and scene["width"] <= WIDEST and scene["height"] <= HIGHEST else None

    def painted(self, variables, places):
        return [{"variable": i, "x": x, "y": y, **self.nodes[i]} for i, (x, y) in zip(variables, places)]

    def lines(self, edges, paths, spots):
        label = lambda k, spot: None if spot is None else {"x": spot[0], "y": spot[1], "w": self.labels[k][0], "h": self.labels[k][1]}
        return [{"edge": k, "path": p, "label": label(k, s), "number": self.numbers[k]} for k, p, s in zip(edges, paths, spots)]

    # A larger graph

    def neighbourhoods(self):
        whole, scattering = Whole(self.graph), self.trace.schedule in SCATTERING
        groups = [whole.groups(i, scattering) for i in range(len(self.nodes))]
        first, scenes = [], []
        for i, found in enumerate(groups):
            first.append(len(scenes))
            for group in found:
                part = self.neighbourhood(i, group, whole.around(i, group, scattering))
                if part["width"] > COMFORTABLE:
                    part = self.neighbourhood(i, group, whole.around(i, group, scattering, few=0))
                scenes.append(part)
        return {
            "width": max(s["width"] for s in scenes),
            "height": max(s["height"] for s in scenes),
            "nodes": [],
            "edges": [],
            "scenes": scenes,
            "at": self.scene_of_steps(groups, first, scattering),
            "of": first,
            "overview": overview(self.graph, self.edges),
        }

    def scene_of_steps(self, groups, first, scattering):
        """The number of the scene for each step: that of its variable, and of the group that the step is at."""
        at, found = first[self.place[self.graph.z]], []
        for s in self.trace.steps:
            middle, other = (s.y, s.x) if scattering else (s.x, s.y)
            i, j = self.place.get(middle), self.place.get(other)
            if i is not None:
                last = first[i] + len(groups[i])
                group = next((n for n, members in enumerate(groups[i]) if j in members), None)
                at = first[i] + group if group is not None else at if first[i] <= at < last else first[i]
            found.append(at)
        return found

    def neighbourhood(self, middle, group, around):
        """The scene around one variable; folds stand after the variables in what is laid out."""
        shown, folds, links, edges = around
        number = {i: n for n, i in enumerate(shown)} | {~k: len(shown) + k for k in range(len(folds))}
        boxes = [fold_box(count, noun) for count, noun in folds]
        sizes = [(b["w"], b["h"], b.get("pad", 0)) for b in [*(self.nodes[i] for i in shown), *boxes]]
        numbers = [self.at[j, slot] for _, j, slot in edges]
        looked_at = {frozenset((middle, other)) for other in group}
        labels = [self.labels[k] if frozenset(self.edges[k][:2]) in looked_at else None for k in numbers]
        room = {(number[i], number[j]): label[0] + BESIDE_LABELS for (i, j, _), label in zip(edges, labels) if label}
        ends = [(number[i], number[j]) for i, j, *_ in [*edges, *links]]
        places, paths = columns(sizes, ends, lambda i, j: room.get((i, j), UNLABELLED), len(shown))
        spots, _ = place_labels(paths, [*labels, *[None] * len(links)], rectangles(places, sizes))
        found = framed(
            self.painted(shown, places),
            self.lines(numbers, paths, spots),
            [{"x": x, "y": y, **b} for (x, y), b in zip(places[len(shown) :], boxes)],
            [{"path": p} for p in paths[len(edges) :] if p],
            digits=0,
        )
        return {"variable": middle, **found}


def numbered(ends):
    """For each edge its number among those between the same two variables, from 1; None where it is the only one."""
    count, found = {}, []
    for pair in ends:
        count[pair] = count.get(pair, 0) + 1
        found.append(count[pair])
    return [n if count[pair] > 1 else None for n, pair in zip(found, ends)]


def rectangles(places, sizes):
    return [(x, y, w, h + 2 * pad) for (x, y), (w, h, pad) in zip(places, sizes)]


def framed(nodes, edges, folds=(), links=(), digits=1):
    """The scene, moved to where x and y are positive, with its size; numbers have so many digits behind the point."""
    boxes = [*nodes, *folds, *(e["label"] for e in edges if e["label"])]
    across = [b["x"] + s * b["w"] / 2 for b in boxes for s in (-1, 1)]
    down = [b["y"] + s * (b["h"] / 2 + b.get("pad", 0)) for b in boxes for s in (-1, 1)]
    for line in (*edges, *links):
        across += [x for x, _ in line["path"]]
        down += [y for _, y in line["path"]]
    left, top = floor(min(across)) - MARGIN, floor(min(down)) - MARGIN
    short = lambda number: round(number, digits) if digits else round(number)
    to = lambda box: box and {**box, "x": short(box["x"] - left), "y": short(box["y"] - top)}
    found = {
        "width": ceil(max(across)) - left + MARGIN,
        "height": ceil(max(down)) - top + MARGIN,
        "nodes": [to(n) for n in nodes],
        "edges": [{**e, "path": path(e["path"], left, top, digits), "label": to(e["label"])} for e in edges],
    }
    if not folds:
        return found
    return {**found, "folds": [to(f) for f in folds], "links": [{"path": path(line["path"], left, top, digits)} for line in links]}


def path(points, left, top, digits):
    """SVG path data of a spline."""
    start, *more = [f"{x - left:.{digits}f} {y - top:.{digits}f}" for x, y in points]
    return f"M{start}C{' '.join(more)}"

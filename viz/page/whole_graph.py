"""A whole graph on one screen: in roomy boxes by the layout engine where that can be read easily, else packed close."""

from collections import defaultdict
from itertools import product

from viz.page.box_sizes import COMPACT, ROOMY
from viz.page.edge_labels import crossings, place_labels
from viz.page.layered_layout import columns, ranks
from viz.page.placing import Parts, framed, rectangles, size_of
from viz.page.ranked_layout import ranked

MOST_VARIABLES, MOST_EDGES = 25, 60  # what is more could not be read at once
PANEL, TALL = (777, 303), (777, 506)  # the graph's place on a page of 1280 × 720; where it is given more of the height
EASY, READABLE = 0.6, 0.46  # so many of its pixels for one of a scene, in which texts have 18 to 25
BESIDE_LABELS, CLOSE = 60, 28  # beside labels; where room is scarce
MORE_ROOM, FEW_OFF = range(0, 151, 25), 2  # tried until all labels are on their edges; so many may be off them
MOST_TRIED = 8  # layouts in which labels are placed
WAYS, MANY_INPUTS = (1, 2, 3), 3  # columns that inputs may take, if they are more
CROWDED = 0.4  # a gap between columns has more room where its labels take more than this part of the height


def at_once(trace):
    """The scene of the whole graph, with small boxes where larger ones could not be read; None where those could not be either.

    >>> from scalargrad import Trace, Value
    >>> x = Value(3, name="x"); at_once(Trace(x * x, names={}))["compact"]
    False
    """
    graph = trace.graph
    if len(graph.variables) > MOST_VARIABLES or sum(map(len, graph.children.values())) > MOST_EDGES:
        return None
    roomy = Parts(trace, ROOMY)
    found = by_the_engine(roomy)
    if found is None or scale(found, PANEL) < EASY:
        arrays = any(hasattr(v, "shape") for v in graph.variables)
        close = packed(roomy if arrays else Parts(trace, COMPACT))
        found = max((scene for scene in (found, close) if scene), key=lambda scene: scale(scene, TALL), default=None)
    if found is None or scale(found, TALL) < READABLE:
        return None
    return {**found, "tall": scale(found, PANEL) < min(EASY, 0.9 * scale(found, TALL))}


def scale(scene, panel):
    """How many pixels of a panel there are for one of the scene."""
    return min(panel[0] / scene["width"], panel[1] / scene["height"])


def by_the_engine(parts):
    """The scene as the layout engine lays it out; None where labels cannot be at their edges."""
    beside = max((w for w, _ in parts.labels), default=0) + BESIDE_LABELS
    found = []
    for more in MORE_ROOM:
        found.append(labelled(parts, *ranked(parts.sizes, parts.ends, beside + more)))
        if not found[-1][0]:
            break
    return best(parts, found)


def packed(parts):
    """The scene as narrow and low as its labels allow, inputs in several columns if need be; None where it could not be read."""
    layouts = []
    for crowded, earlier in product(MORE_ROOM, WAYS):
        places, paths = columns(parts.sizes, parts.ends, gaps(parts, crowded), len(parts.sizes), dealt(parts, earlier))
        layouts.append((round(scale(size_of(parts.painted(places), ()), TALL), 2), crowded, places, paths))
    layouts = sorted((layout for layout in layouts if layout[0] >= READABLE), key=lambda layout: layout[:2], reverse=True)
    found = []
    for _, _, places, paths in layouts[:MOST_TRIED]:
        found.append(labelled(parts, places, paths))
        if not found[-1][0]:
            break
    return best(parts, found)


def gaps(parts, crowded):
    """How long an edge must be: as its label, and more where there are many labels between two columns."""
    rank = ranks(len(parts.sizes), parts.ends)
    boxes, labels, wide = defaultdict(float), defaultdict(float), defaultdict(float)  # the first two: the heights in all
    for r, (_, h, pad) in zip(rank, parts.sizes):
        boxes[r] += h + 2 * pad
    for (i, j), (w, h) in zip(parts.ends, parts.labels):
        labels[rank[j]] += h
        wide[i, j] = max(wide[i, j], w)
    many = {r for r, height in labels.items() if height > CROWDED * max(boxes.values())}
    return lambda i, j: wide[i, j] + CLOSE + (crowded if rank[j] in many else 0)


def dealt(parts, ways):
    """How many columns earlier inputs stand: many that would stand in one column are dealt out to several."""
    rank, inputs = ranks(len(parts.sizes), parts.ends), defaultdict(list)
    for i, v in enumerate(parts.graph.variables):
        if not v.rule:
            inputs[rank[i]].append(i)
    return {i: n % ways for many in inputs.values() if len(many) > MANY_INPUTS for n, i in enumerate(many)}


def labelled(parts, places, paths):
    """How much is wrong with a layout (labels off their edges, edges that run through boxes), and the layout."""
    spots, off = place_labels(paths, parts.labels, rectangles(places, parts.sizes))
    through = crossings(paths, [(x, y, w, h) for (x, y), (w, h, _) in zip(places, parts.sizes)])
    return off + (FEW_OFF + 1) * through, places, paths, spots


def best(parts, layouts):
    """The scene of the best of several layouts; None where none is good."""
    wrong, places, paths, spots = min(layouts, key=lambda layout: layout[0], default=(FEW_OFF + 1, 0, 0, 0))
    if wrong > FEW_OFF:
        return None
    return {**framed(parts.painted(places), parts.lines(paths, spots)), "compact": parts.look.compact}

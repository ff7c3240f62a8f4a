"""The scene of a graph that can be read on one screen: roomy boxes by the layout engine, or small boxes close together."""

from collections import defaultdict
from itertools import product

from viz.page.box_sizes import COMPACT, ROOMY
from viz.page.edge_labels import crossings, place_labels
from viz.page.layered_layout import layered_layout, ranks
from viz.page.placing import Parts, framed, rectangles, size_of
from viz.page.ranked_layout import ranked

MOST_VARIABLES, MOST_EDGES = 25, 60  # a larger graph is not readable on one screen
PANEL, TALL = (777, 303), (777, 506)  # width and height of the graph's panel on a page of 1280 × 720, and with more of the page's height
EASY, READABLE = 0.6, 0.46  # pixels of the panel for a pixel of the scene; texts have 18 to 25 pixels in the scene
BESIDE_LABELS, CLOSE = 60, 28  # room beside labels; the same in a scene of small boxes
MORE_ROOM, FEW_OFF = range(0, 151, 25), 2  # added until all labels are on their edges; labels that may be off
MOST_TRIED = 8  # layouts for which labels are placed
WAYS, MANY_INPUTS = (1, 2, 3), 3  # columns for the inputs, if there are more than MANY_INPUTS
CROWDED = 0.4  # a gap between columns gets more room if its labels take more than this fraction of the height


def whole_graph(trace):
    """Return the scene of the whole graph; None if it is not readable even with small boxes.

    >>> from scalargrad import Trace, Value
    >>> x = Value(3, name="x"); whole_graph(Trace(x * x, names={}))["compact"]
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
    """Return the pixels of a panel for one pixel of the scene."""
    return min(panel[0] / scene["width"], panel[1] / scene["height"])


def by_the_engine(parts):
    """Return the scene as the layout engine arranges it; None if labels do not fit onto their edges."""
    beside = max((w for w, _ in parts.labels), default=0) + BESIDE_LABELS
    found = []
    for more in MORE_ROOM:
        found.append(labelled(parts, *ranked(parts.sizes, parts.ends, beside + more)))
        if not found[-1][0]:
            break
    return best(parts, found)


def packed(parts):
    """Return the scene as narrow and low as its labels allow, with inputs in several columns if needed; None if it is not readable."""
    layouts = []
    for crowded, earlier in product(MORE_ROOM, WAYS):
        places, paths = layered_layout(parts.sizes, parts.ends, gaps(parts, crowded), len(parts.sizes), dealt(parts, earlier))
        layouts.append((round(scale(size_of(parts.painted(places), ()), TALL), 2), crowded, places, paths))
    layouts = sorted((layout for layout in layouts if layout[0] >= READABLE), key=lambda layout: layout[:2], reverse=True)
    found = []
    for _, _, places, paths in layouts[:MOST_TRIED]:
        found.append(labelled(parts, places, paths))
        if not found[-1][0]:
            break
    return best(parts, found)


def gaps(parts, crowded):
    """Return the function gap(i, j): the shortest length of an edge. It has room for the label, and more if a gap has many labels."""
    rank = ranks(len(parts.sizes), parts.ends)
    boxes, labels, wide = defaultdict(float), defaultdict(float), defaultdict(float)  # the first two are sums of heights
    for r, (_, h, pad) in zip(rank, parts.sizes):
        boxes[r] += h + 2 * pad
    for (i, j), (w, h) in zip(parts.ends, parts.labels):
        labels[rank[j]] += h
        wide[i, j] = max(wide[i, j], w)
    many = {r for r, height in labels.items() if height > CROWDED * max(boxes.values())}
    return lambda i, j: wide[i, j] + CLOSE + (crowded if rank[j] in many else 0)


def dealt(parts, ways):
    """Return {input: how many columns further left it stands}: many inputs of one column are distributed over several."""
    rank, inputs = ranks(len(parts.sizes), parts.ends), defaultdict(list)
    for i, v in enumerate(parts.graph.variables):
        if not v.rule:
            inputs[rank[i]].append(i)
    return {i: n % ways for many in inputs.values() if len(many) > MANY_INPUTS for n, i in enumerate(many)}


def labelled(parts, places, paths):
    """Return the faults of a layout (labels off their edges, edges through boxes) as a number, and the layout."""
    centres, off = place_labels(paths, parts.labels, rectangles(places, parts.sizes))
    through = crossings(paths, [(x, y, w, h) for (x, y), (w, h, _) in zip(places, parts.sizes)])
    return off + (FEW_OFF + 1) * through, places, paths, centres


def best(parts, layouts):
    """Return the scene of the best of several layouts; None if none is good."""
    wrong, places, paths, centres = min(layouts, key=lambda layout: layout[0], default=(FEW_OFF + 1, 0, 0, 0))
    if wrong > FEW_OFF:
        return None
    return {**framed(parts.painted(places), parts.lines(paths, centres)), "compact": parts.look.compact}

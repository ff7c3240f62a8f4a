"""The parts of a scene: boxes of variables, edges with labels, and the frame around them. Knows sizes, not how to arrange them."""

import re
from functools import cached_property
from math import ceil, floor

from scalargrad.graph import scopes_of
from viz.layout.places import CORNER
from viz.page.scenes.box_sizes import box_of, label_of, painted_formula, texts_of, with_function

ENTRY = re.compile(r"(\D+)(\d[\d,]*)")
OF_FUNCTION = 0.6  # edges end at so much of the side of a function's node
GLASS, GLASS_BESIDE, GLASS_ABOVE = 24, 2, 7  # the size of a magnifier, and its middle from the corner of its box: as in nodes.js
MARGINS, TURNED_MARGINS = (14, 10), (7, 8)  # at the sides; above and below


class Parts:
    """The boxes of a trace's variables in one look, the edges (place of x, place of y, slot), and the sizes of the labels.

    Layouts run from left to right. For a look that is turned, `sizes` and `labels` have width and height exchanged, and the places that
    a layout finds are turned here: what is at the left of the layout is at the top of the scene. With `entries` variables are
    entries of arrays, a11, a12, ..., and stand in this order.
    """

    def __init__(self, trace, look, entries=False):
        graph, self.look, self.scatters = trace.graph, look, trace.schedule.scatters
        self.order = {i: key for i, v in enumerate(graph.variables) if (key := entry_of(trace.names[v]))} if entries else None
        self.scopes = [paths[v] for v in graph.variables] if any((paths := scopes_of(graph.variables)).values()) else ()
        self.place = {v: i for i, v in enumerate(graph.variables)}
        self.inputs = dict.fromkeys(i for i, v in enumerate(graph.variables) if not v.rule)
        self.trace, self.texts = trace, texts_of(trace)
        self.z = self.texts.names[graph.z]
        self.edges = [(self.place[x], self.place[y], slot) for x in graph.variables for y, slot in graph.children[x]]
        self.ends = [(i, j) for i, j, _ in self.edges]
        self.numbers = numbered(self.ends)

    @cached_property
    def at(self):
        """The number of the edge into (variable, slot)."""
        return {(j, slot): k for k, (_, j, slot) in enumerate(self.edges)}

    @cached_property
    def nodes(self):
        return list(map(self.node, range(len(self.place))))

    def node(self, i):
        """Return the box of a variable."""
        v = self.trace.graph.variables[i]
        return with_function(box_of(self.texts, v, self.look), v, self.look)

    def size(self, node):
        return (node["h"] + 2 * node["pad"], node["w"], 0) if self.look.turned else (node["w"], node["h"], node["pad"])

    @cached_property
    def sizes(self):
        return list(map(self.size, self.nodes))

    @cached_property
    def arrivals(self):
        return [self.arrival(n, size[1]) for n, size in zip(self.nodes, self.sizes)]

    @cached_property
    def labels(self):
        variables, texts, look = self.trace.graph.variables, self.texts, self.look
        labels = (label_of(texts, variables[j], slot, n is not None, look) for (_, j, slot), n in zip(self.edges, self.numbers))
        return list(map(self.turned, labels))

    @cached_property
    def opens(self):
        """Whether each variable opens."""
        trace = self.trace
        return [bool(trace.statements) and (v in trace.passes or getattr(v.rule, "opens", False)) for v in trace.graph.variables]

    @cached_property
    def formulas(self):
        """The widths of the formulas below the boxes."""
        return [painted_formula(self.texts, v, box, self.look) for v, box in zip(self.trace.graph.variables, self.nodes)]

    @cached_property
    def key(self):
        """What is equal in Parts that look the same."""
        known = self.look, self.scatters, self.ends, self.inputs, self.nodes, self.opens, self.labels, self.scopes, self.order
        return repr(known)

    def arrival(self, node, side):
        """Return the height of the side at which edges end: near the middle of the node of a function, which is lower than the box."""
        return OF_FUNCTION * node["function"]["w" if self.look.turned else "h"] + 2 * CORNER if "function" in node else side

    def turned(self, pair):
        """Return a point or a size of a layout as one of the scene, or the other way round."""
        return (pair[1], pair[0]) if self.look.turned else pair

    def sticking_out(self, places, boxes):
        """Return the rectangles of magnifiers at the right lower corners of boxes, and of formulas that are wider than their boxes.

        `boxes` are [(place of a variable, its box)].
        """
        found = []
        for (i, box), (x, y) in zip(boxes, map(self.turned, places)):
            w, foot, pad = box["w"], y + box["h"] / 2, box["pad"]
            if self.opens[i]:
                found.append(((x + w / 2 + GLASS_BESIDE, foot - GLASS_ABOVE), (GLASS, GLASS)))
            if self.formulas[i] > w:
                found.append(((x, foot + pad / 2), (self.formulas[i], pad)))
        return [(*self.turned(at), *self.turned(size)) for at, size in found]

    def shown_together(self):
        """Return lists of edges whose labels are visible at the same time: those that steps at one variable look at."""
        found = {}
        for k, pair in enumerate(self.ends):
            found.setdefault(pair[self.scatters], []).append(k)
        return list(found.values())

    def painted(self, places):
        """Return the boxes of all variables with their places."""
        at = map(self.turned, places)
        return [{"variable": i, "x": x, "y": y, **node} for i, ((x, y), node) in enumerate(zip(at, self.nodes))]

    def lines(self, paths, centres):
        """Return all edges with the labels that have a centre."""
        label = lambda centre, size: centre and dict(zip("xywh", (*self.turned(centre), *self.turned(size))))
        paths = [self.to_boxes(path, *pair) for path, pair in zip(paths, self.ends)] if self.look.turned else paths
        edges = zip(paths, map(label, centres, self.labels), self.numbers)
        return [{"edge": k, "path": path, "label": found, "number": number} for k, (path, found, number) in enumerate(edges)]

    def to_boxes(self, path, i, j):
        """Return a turned path from box to box."""
        return [self.turned(point) for point in stretched(path, self.pads(i)[0], self.pads(j)[1])]

    def pads(self, i):
        """Return by how much a path along x is moved where it leaves and where it enters a box: if the graph is turned, it starts below the
        formula, or at the lower side of a box without one, and ends at the upper side.
        """
        pad = self.nodes[i]["pad"] if self.look.turned else 0
        return -pad if i in self.inputs or self.look.bare else 0, pad


def entry_of(name):
    """Return a key that sorts the entries of arrays by rows and columns; None for another name.

    >>> sorted(["b11", "a21", "a12"], key=entry_of), entry_of("v")
    (['a12', 'a21', 'b11'], None)
    """
    found = ENTRY.fullmatch(name)
    return found and (found[1], len(found[2]), found[2])


def numbered(ends):
    """Return for each edge its number among those between the same two variables, from 1; None if it is the only one."""
    count, found = {}, []
    for pair in ends:
        count[pair] = count.get(pair, 0) + 1
        found.append(count[pair])
    return [n if count[pair] > 1 else None for n, pair in zip(found, ends)]


def stretched(path, start, end):
    """Return a path whose start and end are moved along x, with their handles."""
    moved = [start, start, *[0] * (len(path) - 4), end, end]
    return [(x + by, y) for (x, y), by in zip(path, moved)]


def size_of(nodes, edges, margins=MARGINS):
    left, top, right, bottom = bounds(nodes, edges, margins=margins)
    return {"width": right - left, "height": bottom - top}


def clear_labels(place, boxes, more):
    """Return place(rectangles) for all rectangles that no label should cover; for the boxes alone if else a label is not on its edge.

    It returns the labels, and how many are not on their edges, or None.
    """
    found = place([*boxes, *more])
    if not more or found and not found[1]:
        return found
    return min(filter(None, (place(boxes), found)), key=lambda placed: placed[1], default=None)


def rectangles(places, sizes):
    return [(x, y, w, h + 2 * pad) for (x, y), (w, h, pad) in zip(places, sizes)]


def bounds(nodes, edges, folds=(), links=(), margins=MARGINS):
    """Return the left, top, right and bottom of a scene with its margins."""
    boxes = [*nodes, *folds, *(e["label"] for e in edges if e["label"])]
    across = [b["x"] + s * b["w"] / 2 for b in boxes for s in (-1, 1)]
    down = [b["y"] + s * (b["h"] / 2 + b.get("pad", 0)) for b in boxes for s in (-1, 1)]
    for line in (*edges, *links):
        across += [x for x, _ in line["path"]]
        down += [y for _, y in line["path"]]
    left, top, right, bottom = floor(min(across)), floor(min(down)), ceil(max(across)), ceil(max(down))
    return left - margins[0], top - margins[1], right + margins[0], bottom + margins[1]


def framed(nodes, edges, folds=(), links=(), within=None, digits=1, margins=MARGINS, frames=()):
    """Return the scene with its size, moved so that x and y are positive. Numbers have `digits` decimals."""
    left, top, right, bottom = within or bounds(nodes, edges, (*folds, *frames), links, margins)
    short = lambda number: round(number, digits) if digits else round(number)
    to = lambda box: box and {**box, "x": short(box["x"] - left), "y": short(box["y"] - top)}
    found = {
        "width": right - left,
        "height": bottom - top,
        "nodes": [to(n) for n in nodes],
        "edges": [{**e, "path": path(e["path"], left, top, digits), "label": to(e["label"])} for e in edges],
    }
    if frames:
        found["frames"] = [to(f) for f in frames]
    if not folds:
        return found
    return {**found, "folds": [to(f) for f in folds], "links": [{**line, "path": path(line["path"], left, top, digits)} for line in links]}


def path(points, left, top, digits):
    """Return the SVG path data of a spline."""
    start, *more = [f"{x - left:.{digits}f} {y - top:.{digits}f}" for x, y in points]
    return f"M{start}C{' '.join(more)}"

"""The parts of a scene: boxes of variables, edges with labels, and the frame around them. Knows sizes, not how to arrange them."""

from math import ceil, floor

from viz.page.box_sizes import boxes_of, label_of, with_brief_names

AT_SIDES, ABOVE_AND_BELOW = 14, 28  # margins


class Parts:
    """The boxes of a trace's variables in one look, the edges (place of x, place of y, slot), and the sizes of the labels."""

    def __init__(self, trace, look):
        self.graph, self.look = trace.graph, look
        self.place = {v: i for i, v in enumerate(self.graph.variables)}
        self.nodes = boxes_of(trace, look)
        edges = [(x, y, slot) for x in self.graph.variables for y, slot in self.graph.children[x]]
        on = with_brief_names(trace)
        self.edges = [(self.place[x], self.place[y], slot) for x, y, slot in edges]
        self.at = {(j, slot): k for k, (_, j, slot) in enumerate(self.edges)}
        self.ends = [(i, j) for i, j, _ in self.edges]
        self.sizes = [(n["w"], n["h"], n["pad"]) for n in self.nodes]
        self.numbers = numbered(self.ends)
        self.labels = [label_of(on, y, slot, number is not None, look) for (_, y, slot), number in zip(edges, self.numbers)]

    def painted(self, places):
        """Return the boxes of all variables with their places."""
        return [{"variable": i, "x": x, "y": y, **node} for i, ((x, y), node) in enumerate(zip(places, self.nodes))]

    def lines(self, paths, centres):
        """Return all edges with the labels that have a centre."""
        label = lambda centre, size: centre and dict(zip("xywh", (*centre, *size)))
        edges = zip(paths, map(label, centres, self.labels), self.numbers)
        return [{"edge": k, "path": path, "label": found, "number": number} for k, (path, found, number) in enumerate(edges)]


def numbered(ends):
    """Return for each edge its number among those between the same two variables, from 1; None if it is the only one."""
    count, found = {}, []
    for pair in ends:
        count[pair] = count.get(pair, 0) + 1
        found.append(count[pair])
    return [n if count[pair] > 1 else None for n, pair in zip(found, ends)]


def size_of(nodes, edges):
    left, top, right, bottom = bounds(nodes, edges)
    return {"width": right - left, "height": bottom - top}


def rectangles(places, sizes):
    return [(x, y, w, h + 2 * pad) for (x, y), (w, h, pad) in zip(places, sizes)]


def bounds(nodes, edges, folds=(), links=()):
    """Return the left, top, right and bottom of a scene with its margins."""
    boxes = [*nodes, *folds, *(e["label"] for e in edges if e["label"])]
    across = [b["x"] + s * b["w"] / 2 for b in boxes for s in (-1, 1)]
    down = [b["y"] + s * (b["h"] / 2 + b.get("pad", 0)) for b in boxes for s in (-1, 1)]
    for line in (*edges, *links):
        across += [x for x, _ in line["path"]]
        down += [y for _, y in line["path"]]
    left, top, right, bottom = floor(min(across)), floor(min(down)), ceil(max(across)), ceil(max(down))
    return left - AT_SIDES, top - ABOVE_AND_BELOW, right + AT_SIDES, bottom + ABOVE_AND_BELOW


def framed(nodes, edges, folds=(), links=(), within=None, digits=1):
    """Return the scene with its size, moved so that x and y are positive. Numbers have `digits` decimals."""
    left, top, right, bottom = within or bounds(nodes, edges, folds, links)
    short = lambda number: round(number, digits) if digits else round(number)
    to = lambda box: box and {**box, "x": short(box["x"] - left), "y": short(box["y"] - top)}
    found = {
        "width": right - left,
        "height": bottom - top,
        "nodes": [to(n) for n in nodes],
        "edges": [{**e, "path": path(e["path"], left, top, digits), "label": to(e["label"])} for e in edges],
    }
    if not folds:
        return found
    return {**found, "folds": [to(f) for f in folds], "links": [{"path": path(line["path"], left, top, digits)} for line in links]}


def path(points, left, top, digits):
    """Return the SVG path data of a spline."""
    start, *more = [f"{x - left:.{digits}f} {y - top:.{digits}f}" for x, y in points]
    return f"M{start}C{' '.join(more)}"

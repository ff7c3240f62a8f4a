"""Where everything of a trace stands: boxes, edges and their labels, in CSS pixels, from left to right, inputs at the left.

The page paints it in its own way. Positions and splines come from the layout engine; labels are put onto the splines here.
"""

import json

from viz.boxes import box_of, label_of
from viz.layout import Drawing
from viz.spots import place_labels

INCH = 72  # the layout engine's points to the inch; one of its points is one pixel here
MARGIN, BETWEEN_BOXES, BESIDE_LABELS = 28, 8, 70
STEPS = 4  # how much more room is tried before a label may leave its edge


def scene(trace):
    """Where the variables and edges of a trace stand.

    >>> from scalargrad import Trace, Value
    >>> x = Value(3, name="x"); found = scene(Trace(x * x, names={}))
    >>> len(found["nodes"]), len(found["edges"]), found["nodes"][0]["x"] < found["nodes"][1]["x"]
    (2, 2, True)
    """
    graph = trace.graph
    place = {v: i for i, v in enumerate(graph.variables)}
    nodes = [box_of(trace, v) for v in graph.variables]
    edges = [(x, y, slot) for x in graph.variables for y, slot in graph.children[x]]
    labels = [label_of(trace, y, slot) for _, y, slot in edges]
    ends = [(place[x], place[y]) for x, y, _ in edges]
    widest = max((w for w, _ in labels), default=0)
    for more in range(STEPS):
        positions, splines = lay_out([(n["w"], n["h"] + 2 * n["pad"]) for n in nodes], ends, widest + BESIDE_LABELS * (1 + more))
        boxes = [(x, y, n["w"], n["h"] + 2 * n["pad"]) for (x, y), n in zip(positions, nodes)]
        paths = [between_sides(s, positions[i], nodes[i], positions[j], nodes[j]) for s, (i, j) in zip(splines, ends)]
        spots, all_on_edges = place_labels(paths, labels, boxes)
        if all_on_edges:
            break
    return framed(
        [{"x": x, "y": y, **n} for (x, y), n in zip(positions, nodes)],
        [{"points": p, "label": {"x": x, "y": y, "w": w, "h": h}} for p, (x, y), (w, h) in zip(paths, spots, labels)],
    )


def lay_out(sizes, ends, apart):
    """The layout engine's centres of boxes of these sizes, and its splines between them, as lists of points."""
    d = Drawing("scene", format="json")
    d.attr(rankdir="LR", nodesep=str(BETWEEN_BOXES / INCH), ranksep=str(apart / INCH))
    d.attr("node", shape="box", fixedsize="true", label="")
    d.attr("edge", arrowhead="none")
    for i, (w, h) in enumerate(sizes):
        d.node(f"v{i}", width=str(w / INCH), height=str(h / INCH))
    for k, (i, j) in enumerate(ends):
        d.edge(f"v{i}", f"v{j}", id=str(k))
    found = json.loads(d.pipe("json0", encoding="utf-8"))
    height = float(found["bb"].split(",")[3])
    point = lambda text: (float(text.split(",")[0]), height - float(text.split(",")[1]))
    positions = {o["name"]: point(o["pos"]) for o in found["objects"]}
    splines = {int(e["id"]): [point(p) for p in e["pos"].split() if p[0] not in "se"] for e in found.get("edges", ())}
    return [positions[f"v{i}"] for i in range(len(sizes))], [splines[k] for k in range(len(ends))]


def between_sides(points, tail, tail_box, head, head_box):
    """A spline that begins at the right side of one box and ends at the left side of another."""
    start = (tail[0] + tail_box["w"] / 2, within(points[0][1], tail[1], tail_box["h"] / 2 - CORNER))
    end = (head[0] - head_box["w"] / 2, within(points[-1][1], head[1], head_box["h"] / 2 - CORNER))
    moved = lambda p, was, now: (p[0] + now[0] - was[0], p[1] + now[1] - was[1])
    second, last_but_one = moved(points[1], points[0], start), moved(points[-2], points[-1], end)
    return [start, second, *points[2:-2], last_but_one, end]


CORNER = 12  # no edge ends nearer to a corner of a box


def within(y, middle, reach):
    return min(max(y, middle - reach), middle + reach)


def framed(nodes, edges):
    """The scene moved to the positive quadrant, with its size; numbers rounded to a tenth of a pixel."""
    shapes = [(n["x"], n["y"], n["w"], n["h"] + 2 * n["pad"]) for n in nodes]
    shapes += [(e["label"]["x"], e["label"]["y"], e["label"]["w"], e["label"]["h"]) for e in edges]
    shapes += [(x, y, 0, 0) for e in edges for x, y in e["points"]]
    left, top = min(x - w / 2 for x, _, w, _ in shapes) - MARGIN, min(y - h / 2 for _, y, _, h in shapes) - MARGIN
    right, bottom = max(x + w / 2 for x, _, w, _ in shapes) + MARGIN, max(y + h / 2 for _, y, _, h in shapes) + MARGIN
    moved = lambda it: {**it, "x": round(it["x"] - left, 1), "y": round(it["y"] - top, 1)}
    return {
        "width": round(right - left, 1),
        "height": round(bottom - top, 1),
        "nodes": [moved(n) for n in nodes],
        "edges": [{"path": path([(x - left, y - top) for x, y in e["points"]]), "label": moved(e["label"])} for e in edges],
    }


def path(points):
    """SVG path data of a spline."""
    text = [f"{x:.1f} {y:.1f}" for x, y in points]
    return f"M{text[0]}C{' '.join(text[1:])}"

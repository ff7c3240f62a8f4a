"""Lay a small graph out from left to right with the layout engine. Knows sizes and ends, not what they show."""

import json
import re
from collections import defaultdict

from viz.drawing.graphviz_engine import Drawing, EngineFailed
from viz.drawing.scopes import scope_title

INCH = 72  # points of the layout engine; one of its points is one pixel here
CORNER, PARALLEL = 12, 50  # edges end no closer to a corner; the distance between edges of the same two boxes
MARGIN, TITLE = 8, 18.6  # of the frame of a scope; the font size of its name
AT_ENDS = 0.4  # of this distance remains at their ends


def ranked(sizes, ends, beside, between_boxes, scopes=()):
    """Return the centres of boxes, the edges (i, j) as splines from the right side of i to the left side of j, and frames of scopes.

    A size is (w, h, pad): `pad` is room above and below the box, at which no edge ends. `beside` is the room between
    columns, `between_boxes` that between the boxes of a column. `scopes` are the paths of the scopes in which the boxes stand, or ().
    The frames are {path: (left, top, right, bottom)}; no other box is inside.

    >>> places, splines, _ = ranked([(40, 40, 4), (40, 40, 4)], [(0, 1)], 60, 8)
    >>> places, splines[0][0], splines[0][-1]
    ([(20.0, 24.0), (120.0, 24.0)], (40.0, 24.0), (100.0, 24.0))
    """
    places, splines, frames = lay_out(sizes, ends, beside, between_boxes, scopes)
    between = defaultdict(list)
    for k, pair in enumerate(ends):
        between[pair].append(k)
    for (i, j), ks in between.items():
        found = sorted((splines[k] for k in ks), key=lambda points: sum(y for _, y in points) / len(points))
        for n, (k, points) in enumerate(zip(ks, found)):
            down = (n - (len(ks) - 1) / 2) * PARALLEL
            splines[k] = between_sides(points, places[i], sizes[i], places[j], sizes[j], down)
    return places, splines, frames


def lay_out(sizes, ends, beside, between_boxes, scopes):
    """Return the layout engine's centres of boxes of these sizes, its splines, as lists of points, and its frames of scopes."""
    d = Drawing("scene", format="json0")
    d.attr(rankdir="LR", nodesep=str(between_boxes / INCH), ranksep=str(beside / INCH))
    d.attr("node", shape="box", fixedsize="true", label="")
    d.attr("edge", arrowhead="none")
    ordered = sorted(sorted(scopes, key=natural, reverse=True), key=lambda path: natural(path[:1]))  # the engine draws inner frames upwards
    paths = list(dict.fromkeys(path[:k] for path in ordered for k in range(1, len(path) + 1)))
    d.body += clusters((), paths, scopes)
    for i, (w, h, pad) in enumerate(sizes):
        d.node(f"v{i}", width=str(w / INCH), height=str((h + 2 * pad) / INCH))
    for k, (i, j) in enumerate(ends):
        d.edge(f"v{i}", f"v{j}", id=str(k))
    try:
        found = json.loads(d.pipe())
    except ValueError:
        raise EngineFailed("wrote no JSON") from None
    height = float(found["bb"].split(",")[3])
    point = lambda text: (float(text.split(",")[0]), height - float(text.split(",")[1]))
    places = {o["name"]: point(o["pos"]) for o in found["objects"] if "pos" in o}
    corners = {o["name"]: [float(n) for n in o["bb"].split(",")] for o in found["objects"] if o["name"].startswith("cluster")}
    frames = {path: (x, height - top, right, height - y) for k, path in enumerate(paths) for x, y, right, top in [corners[f"cluster{k}"]]}
    splines = {int(e["id"]): [point(p) for p in e["pos"].split() if p[0] not in "se"] for e in found.get("edges", ())}
    return [places[f"v{i}"] for i in range(len(sizes))], [splines[k] for k in range(len(ends))], frames


def natural(path):
    """Return a key that sorts the scope neuron2 before neuron10."""
    return [(re.sub(r"\d+$", "", name), int((re.findall(r"\d+$", name) or [0])[0])) for name in path]


def clusters(outer, paths, scopes):
    """Return the lines of the engine's language that put the boxes of each scope into a frame, within the frame of the outer scope."""
    lines = []
    for k, path in enumerate(paths):
        if path[:-1] == outer:
            title = "n" * len(scope_title(path))  # only its width counts
            lines += [f'subgraph cluster{k} {{ graph [margin="{MARGIN}" label="{title}" fontname="Arial" fontsize="{TITLE}"]\n']
            lines += [f"v{i};" for i, scope in enumerate(scopes) if scope == path]
            lines += [*clusters(path, paths, scopes), "}\n"]
    return lines


def between_sides(points, tail, tail_size, head, head_size, down):
    """Return a spline bent so that it leads from the right side of one box to the left side of another, its inner part moved down."""
    (ax, ay), (bx, by) = points[0], points[-1]
    right, left = tail[0] + tail_size[0] / 2, head[0] - head_size[0] / 2
    at_tail = lambda y: within(y, tail[1], tail_size[1] / 2 - CORNER)
    at_head = lambda y: within(y, head[1], head_size[1] / 2 - CORNER)
    bent = []
    for x, y in points[1:-1]:
        t = (x - ax) / (bx - ax)  # 0 at the start, 1 at the end: each part moves with the nearer end
        bent.append((x + (1 - t) * (right - ax) + t * (left - bx), y + (1 - t) * (at_tail(ay) - ay) + t * (at_head(by) - by) + down))
    return [(right, at_tail(ay + AT_ENDS * down)), *bent, (left, at_head(by + AT_ENDS * down))]


def within(y, middle, reach):
    return min(max(y, middle - reach), middle + reach)

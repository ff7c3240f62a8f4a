"""Write statements onto a Drawing with their places. The engine only paints: its layout is `nop2`."""

from math import hypot

from graphviz.quoting import quote, quote_edge

from viz.drawing.placing import AROUND_TITLE, around, line
from viz.drawing.svg.html_label import size_of
from viz.layout.labels import Rectangles, extent, hides

INCH, EDGE_OF_PAPER = 72, 11  # points
TIP, SHORT = 7, 4  # points: the length of the tip of an arrow; tips: a shorter piece of an edge is straight
TITLE = 14  # points from the top of a frame to the middle of its title
BELOW = 8  # points between a graph and the lines below it


def write(d, statements, placed, width, below):
    """Write statements at their places onto a Drawing that is at most `width` points wide; `below` is the label below it, or None."""
    left, top, right, bottom = bounds(placed)
    if below:
        wide, high = size_of(below)
        d.attr(label=below, lp=at((left + right) / 2, bottom + BELOW + high / 2))
        left, right, bottom = min(left, (left + right - wide) / 2), max(right, (left + right + wide) / 2), bottom + BELOW + high
    d.attr(layout="nop2", bb=at(left, bottom, right, top), pad=f"{EDGE_OF_PAPER / INCH:.3f}")
    if right - left + 2 * EDGE_OF_PAPER > width:  # a rank alone is wider, so all is smaller
        d.attr(size=f"{(width - 2 * EDGE_OF_PAPER) / INCH:.3f},{1000 * INCH}")
    number = {name: n for n, name in enumerate(write_frames(d, statements, placed))}
    crossed = crossed_labels(statements.edges, placed, number)
    for k, ((tail, head, _, look), path, centre) in enumerate(zip(statements.edges, placed.paths, placed.centres)):
        places = {"pos": spline(path, look.get("arrowhead") != "none")} | ({"lp": at(*centre)} if centre and k not in crossed else {})
        if k in crossed:
            look = {name: value for name, value in look.items() if not name.startswith("label")}
        d.body.append(f"\t{quote_edge(tail)} -> {quote_edge(head)} {attributes(look | places)}\n")
    for k in crossed:
        write_label(d, k, statements.edges[k][-1], placed.centres[k])


def crossed_labels(edges, placed, number):
    """Return the edges across whose label runs the line of another that is painted later: lines are painted from node to node."""
    order = [(number[tail], k) for k, (tail, *_) in enumerate(edges)]
    return [k for k, box, lines in labels_and_lines(placed, order) if hides(box, [path for place, path in lines if place > order[k]])]


def share_crossed(placed):
    """Return the share of the labels across which the line of another edge runs."""
    found = [hides(box, [path for at, path in lines if at != k]) for k, box, lines in labels_and_lines(placed, range(len(placed.paths)))]
    return sum(found) / max(len(found), 1)


def labels_and_lines(placed, order):
    """Yield (edge, its label's box, [(the place in `order`, its points) of each edge near the box])."""
    lines = Rectangles((*extent(path), place, tuple(path)) for place, path in zip(order, placed.paths))
    for k, centre in enumerate(placed.centres):
        if centre:
            box = (*centre, *placed.way(placed.labels[k]))
            yield k, box, [(place, path) for *_, place, path in lines.near(box)]


def write_label(d, k, look, centre):
    """Write a label as a node, which is painted after all lines."""
    marks = {"class": "label"} | ({"id": f"{look['id']}-label"} if "id" in look else {})
    place = {"pos": at(*centre), "label": look["label"], "tooltip": look.get("labeltooltip", "")}
    d.body.append(f"\t{quote(f'label{k}')} {attributes(place | marks)}\n")


def write_frames(d, statements, placed):
    """Write the nodes, each in the frames around it. Return them in this order."""
    inside = {name: [] for name in (None, *statements.frames)}
    for name, outer in statements.around.items():
        inside[outer].append(name)
    walk, written = [iter(inside[None])], []
    while walk:
        name = next(walk[-1], None)
        if name is None:
            walk.pop()
            d.body.extend(["\t}\n"] * bool(walk))
        elif name in statements.frames:
            open_frame(d, name, *statements.frames[name], placed.frames.get(name, []))
            walk.append(iter(inside[name]))
        else:
            x, y, *_ = placed.boxes[name]
            d.body.append(f"\t{quote(name)} {attributes(statements.nodes[name] | {'pos': at(x, y)})}\n")
            written.append(name)
    return written


def attributes(look):
    """Return the attributes of a statement as graphviz writes them: its own functions pass each through six others."""
    own = [(key, look[key]) for key in sorted(look) if key != "label"]
    return f"[{' '.join(f'{key}={quote(text)}' for key, text in [('label', look.get('label')), *own] if text is not None)}]"


def open_frame(d, name, look, wide, parts):
    """Begin a frame. Where it goes on in other rows, each part has a frame of its own, with the same title."""
    for n, (left, top, right, bottom) in enumerate(parts[::-1], 1 - len(parts)):
        id = f"{name}_{-n}" if n else name
        places = f'bb="{at(left, bottom, right, top)}" lp="{at(left + AROUND_TITLE + wide / 2, top + TITLE)}"'
        d.body.append(f"\tsubgraph cluster_{id} {{\n\t\tgraph [peripheries=1 id={id} {places} {look}]\n")
        d.body.extend(["\t}\n"] * bool(n))


def bounds(placed):
    """Return the left, top, right and bottom of everything in a drawing."""
    boxes = [*placed.boxes.values()]
    boxes += [(*centre, *placed.way(size)) for centre, size in zip(placed.centres, placed.labels) if centre]
    return around(boxes, placed.frames.values(), (point for path in placed.paths for point in path))


def at(*numbers):
    """Return a point, or two, as the engine reads them: y ascends."""
    return ",".join(f"{-number if k % 2 else number:.1f}" for k, number in enumerate(numbers)).replace("-0.0", "0.0")


def spline(path, arrow):
    """Return the points of an edge as the engine reads them. With an arrow, the line ends where its tip begins."""
    if not arrow:
        return " ".join(at(*point) for point in path)
    (x, y), (before, above) = path[-1], next((p for p in path[-2::-1] if p != path[-1]), path[-2])
    far = hypot(x - before, y - above) or 1
    across, down = TIP * (before - x) / far, TIP * (above - y) / far
    end, start = (x + across, y + down), path[-4]
    curve = [start, path[-3], (path[-2][0] + across, path[-2][1] + down), end]
    last = curve if hypot(x - start[0], y - start[1]) > SHORT * TIP else line(start, end)
    return " ".join([f"e,{at(x, y)}", *(at(*point) for point in [*path[:-4], *last])])

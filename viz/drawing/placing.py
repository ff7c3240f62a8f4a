"""Where the statements of a drawing stand: their boxes, frames, edges and labels get places from `viz.layout`.

A layout runs from left to right. For a drawing from top to bottom, width and height are exchanged: it is `turned`.
"""

from collections import defaultdict
from functools import cached_property, lru_cache
from math import inf

from scalargrad.graph import by_key
from viz.drawing.small_boxes import SmallBoxes
from viz.layout.labels import crossings, place_labels
from viz.layout.layered import layered_in_scopes
from viz.layout.ranks import latest_ranks, ranks, ranks_within
from viz.layout.rows import margin_for
from viz.layout.tearing import layered_in_torn_scopes

BESIDE_LABEL, BESIDE_LABEL_TURNED = 28, 14  # the rest of an edge with a label
CLOSEST = 24  # of any two ranks, so that lines keep clear of the boxes on both sides
AROUND_TITLE = 10  # beside the title of a frame
NARROWER = 1, 0.7, 0.45  # shares of the distance between ranks, until all fits into one row
IN_ROWS, USUAL_TURNS = 0.7, 2  # the share of this distance in rows; lines from row to row for which torn frames leave room
DENSE = 1.8  # times the width: so wide may dense layers be; they get smaller then
MORE_ROOM = 0, 30, 60  # between ranks, until all labels are on their edges
TALL = 12  # boxes in one rank; more of a large graph
TITLE, CORNER = 26, 10  # the height of the title of a frame; no line ends so near to the corner of a box
KEPT = 40  # layouts; one drawing needs 18 at most: in three rooms, each in two directions, labels in one line and in several, twice


def placed(statements, **distances):
    """Return where statements stand, as `Placed` finds it for their geometry.

    The last layouts are kept: the steps of a trace, and the light and the dark drawing, have the same.
    """
    return kept(statements.geometry(), **distances)


class Placed:
    """The places of statements in a drawing that is at most `width` points wide, if a rank alone is not.

    boxes    {node: (x, y, w, h) around x, y}
    frames   {frame: [(left, top, right, bottom) of each of its parts]}
    paths    the points of each edge, from its tail to its head
    centres  the centre of each edge's label, or None
    turning  {row: its boxes from which lines turn to another row, in the order of their ranks}
    leaves_of_other_rows  [(leaf, the box that uses it in a row after the leaf's own)], all but the first of a leaf without uses in its row
    """

    def __init__(self, geometry, between, apart, turned, width):
        self.edges, self.apart, self.turned = geometry.edges, apart, turned
        self.titles, self.around, self.keys = map(dict, (geometry.frames, geometry.around, geometry.keys))
        self.size = {name: self.way(size) for name, size in geometry.sizes}
        self.labels = [size and self.way(size) for *_, size in geometry.edges]
        companions = dict(geometry.companions)
        self.names = in_order(self.size, self.edges, {name for names in companions.values() for name in names})
        self.number = {name: i for i, name in enumerate(self.names)}
        self.far = [k for k, (tail, *_) in enumerate(self.edges) if tail in self.number]  # the others lead to the box beside
        self.beside = SmallBoxes(companions, self.edges, self.size, () if turned else self.labels, apart)  # a row of labels is wide
        self.room, self.sides = list(map(self.beside.room_of, self.names)), [self.size[name][1] for name in self.names]
        self.dense = bool(self.number.keys() & self.keys.keys())  # layers with all lines between them, which have no room to turn
        self.wide = [self.size[name][0] for name in self.names]
        self.indent = max((label[0] for label in self.labels if label), default=-BESIDE_LABEL) + BESIDE_LABEL
        self.indent = min(self.indent, width / 4)
        self.arrange(between, width)

    def way(self, pair):
        """Return a point or a size of the layout as one of the drawing, or the other way round."""
        return (pair[1], pair[0]) if self.turned else pair

    def arrange(self, between, width):
        """Find the layers, and the distance between ranks with which all is in one row; of several rows no frame is wider than one."""
        frames = [None, *self.titles]
        place = {name: k for k, name in enumerate(frames)}
        graph = (
            [(self.number[tail], self.number[head]) for tail, head, *_ in map(self.edges.__getitem__, self.far)],
            [place[self.around[name]] for name in self.names],
            [None, *(place[self.around[name]] for name in self.titles)],
            self.ranked(width),
            {self.number[name] if name in self.number else -1 - place[name]: key for name, key in self.keys.items()},
        )
        layers, scopes = layered_in_scopes(*graph)
        width = inf if self.turned else width
        fitting = [share * between for share in NARROWER if self.layout(layers, scopes, share * between).width <= width]
        narrowest = self.layout(layers, scopes, NARROWER[-1] * between).width
        if self.dense and width < narrowest <= DENSE * width:
            fitting, width = [NARROWER[-1] * between], inf
        distance = max([*fitting, IN_ROWS * between])
        if not fitting:
            in_one_row = lambda layers, scopes: self.layout(layers, scopes, distance)
            layers, scopes = layered_in_torn_scopes(*graph, in_one_row, width - 2 * margin_for(USUAL_TURNS))
        self.layers, self.frame_of = layers, [frames[scope] for scope in scopes]
        self.with_room = lambda more: self.layout(layers, scopes, distance, more, width)

    @cached_property
    def closest(self):
        """The layout with no more room for labels than one needs. A drawing is hardly ever smaller than its boxes there."""
        return self.with_room(MORE_ROOM[0])

    @property
    def around_boxes(self):
        """The left, top, right and bottom of the boxes and frames of the closest layout."""
        return around(map(self.box, self.boxes_in(self.closest)[0].values()), self.frames_in(self.closest).values())

    @property
    def is_in_rows(self):
        return len(self.closest.rows) > 1

    @property
    def leaves_of_other_rows(self):
        return leaves_of_other_rows([edge[:2] for edge in self.edges], dict(zip(self.names, self.closest.row_of)))

    @cached_property
    def chosen(self):
        """The layout with the fewest faults, its boxes, and the paths and the labels of its edges, which take long to place."""
        found = []
        for more in MORE_ROOM if any(self.labels) else MORE_ROOM[:1]:
            layout = self.with_room(more) if more else self.closest
            boxes, beside = self.boxes_in(layout)
            paths = self.paths_of(layout.splines, [not course.passed for course in self.layers.courses], boxes)
            covered = [*boxes.values(), *self.rectangles_of_titles(layout)]
            covered += [(*centre, *self.labels[k]) for k, centre in beside.items()]
            sizes = [None if k in beside else label for k, label in enumerate(self.labels)]
            crossed = crossings(paths, boxes.values())
            most = found[-1][0] - 1 - crossed if found else inf  # with as many faults the layout before it is better
            if placed := place_labels(paths, sizes, covered, stretches=list(map(last_row, paths)), most_off=most, alone=True):
                centres = [beside.get(k, centre) for k, centre in enumerate(placed[0])]
                found.append((placed[1] + crossed, layout, boxes, paths, centres))
            if not found[-1][0]:
                break
        return found[-1][1:]

    def boxes_in(self, layout):
        """Return the boxes of a layout, and the centres of labels beside small boxes."""
        return self.beside.added({name: (*place, *self.size[name]) for name, place in zip(self.names, layout.places)})

    def frames_in(self, layout):
        """Return {frame: [(left, top, right, bottom) of each of its parts]}."""
        return by_key((self.frame_of[k], (*self.way(bounds[:2]), *self.way(bounds[2:]))) for k, bounds in layout.frames.items())

    def box(self, box):
        """Return a box of the layout as one of the drawing."""
        return *self.way(box[:2]), *self.way(box[2:])

    @cached_property
    def boxes(self):
        return {name: self.box(box) for name, box in self.chosen[1].items()}

    @cached_property
    def frames(self):
        return self.frames_in(self.chosen[0])

    @cached_property
    def paths(self):
        return [list(map(self.way, path)) for path in self.chosen[2]]

    @cached_property
    def centres(self):
        return [centre and self.way(centre) for centre in self.chosen[3]]

    @cached_property
    def turning(self):
        layout, _, paths, _ = self.chosen
        turning, row = {tail for (tail, *_), path in zip(self.edges, paths) if last_row(path) is not path}, layout.row_of
        return by_key((row[k], name) for k, name in enumerate(self.names) if name in turning and not self.turned)

    def layout(self, layers, scopes, between, more=0, width=inf):
        titles, sides = [0, *(wide + 2 * AROUND_TITLE for wide in self.titles.values())], self.sides
        titles = [titles[scope] for scope in scopes]
        options = {"turned": self.turned, "between": CLOSEST, "indent": self.indent, "widths": self.wide}
        return layers.layout(self.room, self.gap(between, more), titles, self.apart, width, sides, **options)

    def gap(self, between, more):
        """Return the function gap(i, j): the shortest length of an edge. One with a label is longer, and `more` longer still."""
        beside, wide = BESIDE_LABEL_TURNED if self.turned else BESIDE_LABEL, defaultdict(float)
        for (tail, head, *_), label in zip(self.edges, self.labels):
            if label and tail in self.number:
                pair = self.number[tail], self.number[head]
                wide[pair] = max(wide[pair], label[0] + beside + more)
        return lambda i, j: max(between, wide[i, j])

    def ranked(self, width):
        """Return the function that finds ranks: of at most so many boxes, or in a drawing downwards of boxes that are together so wide."""
        if self.dense:
            return latest_ranks
        sizes = {k: h + 2 * pad + self.apart if self.turned else 1 for k, (_, h, pad) in enumerate(self.room)}
        return lambda things, links: ranks_within(
            things, links, defaultdict(float, sizes), width if self.turned else max(TALL, 1.5 * len(self.names) ** 0.5)
        )

    def rectangles_of_titles(self, layout):
        """Return the rectangles of the titles of frames."""
        found = []
        for scope, (left, top, *_) in layout.frames.items():
            wide = self.titles[self.frame_of[scope]]
            (x, y), size = self.way((left, top)), (wide, TITLE)
            found.append((*self.way((x + AROUND_TITLE + wide / 2, y + TITLE / 2)), *self.way(size)))
        return found

    def paths_of(self, splines, short, boxes):
        """Return the points of all edges. A `short` spline passes no rank; it is straight on request if it stays in its row."""
        found, short = dict(zip(self.far, splines)), dict(zip(self.far, short))
        for k, (tail, head, straight, _) in enumerate(self.edges):
            if k not in found:
                (x, y, _, h), (middle, at, wide, high) = boxes[tail], boxes[head]
                side, reach = 1 if y < at else -1, max(wide / 2 - CORNER, 0)
                found[k] = line((x, y + side * h / 2), (min(max(x, middle - reach), middle + reach), at - side * high / 2))
            elif straight and short[k] and found[k][0][0] < found[k][-1][0]:
                found[k] = line(found[k][0], found[k][-1])
        return [found[k] for k in range(len(found))]


kept = lru_cache(KEPT)(Placed)


def around(boxes, frames, points=()):
    """Return the left, top, right and bottom of boxes (x, y, w, h), of the parts of frames, and of points."""
    ends = [end for x, y, w, h in boxes for end in ((x - w / 2, y - h / 2), (x + w / 2, y + h / 2))]
    ends += [end for parts in frames for bounds in parts for end in (bounds[:2], bounds[2:])]
    across, down = zip(*ends, *points) if ends else ((0,), (0,))
    return min(across), min(down), max(across), max(down)


def leaves_of_other_rows(edges, row):
    """Return the (leaf, box) of edges that lead to a later row, all but the first of a leaf that nothing in its own row uses.

    >>> leaves_of_other_rows(["ab", "ac", "bc", "dc"], {"a": 0, "b": 0, "c": 1, "d": 0})
    [('a', 'c')]
    """
    led_to, found = {head for _, head in edges}, []
    uses = by_key((tail, head) for tail, head in dict.fromkeys(map(tuple, edges)) if tail in row and tail not in led_to)
    for leaf, heads in uses.items():
        heads.sort(key=row.__getitem__)
        found += [(leaf, head) for head in heads[1:] if row[leaf] < row[head]]
    return found


def last_row(path):
    """Return the part of a path that runs forwards to its end, after it has turned to the last row."""
    k = len(path) - 1
    while k and path[k - 3][0] < path[k][0]:
        k -= 3
    return path[k:] if 0 < k < len(path) - 1 else path


def line(a, b):
    """Return a straight line as a spline."""
    return [tuple(p + (q - p) * t / 3 for p, q in zip(a, b)) for t in range(4)]


def in_order(nodes, edges, beside):
    """Return the nodes that have places of their own, not `beside` another, each after those that lead to it."""
    names = [name for name in nodes if name not in beside]
    rank = ranks(names, [(tail, head) for tail, head, *_ in edges if tail not in beside])
    return sorted(names, key=rank.__getitem__)

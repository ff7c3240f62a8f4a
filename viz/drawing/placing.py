"""Where the statements of a drawing stand: their boxes, frames, edges and labels get places from `viz.layout`.

A layout runs from left to right. For a drawing from top to bottom, width and height are exchanged: it is `turned`.
"""

from collections import Counter, defaultdict
from math import inf

from viz.drawing.html_label import size_of
from viz.layout.labels import crossings, place_labels
from viz.layout.layered import layered_in_scopes
from viz.layout.ranks import ranks
from viz.layout.rows import margin_for
from viz.layout.tearing import layered_in_torn_scopes

BESIDE, BESIDE_WITH_LABEL = 16, 30  # between a box and a small box above or below it
BESIDE_LABEL, BESIDE_LABEL_TURNED = 28, 14  # the rest of an edge with a label
CLOSEST = 24  # of any two ranks, so that lines keep clear of the boxes on both sides
AROUND_TITLE = 10  # beside the title of a frame
NARROWER = 1, 0.7, 0.45  # shares of the distance between ranks, until all fits into one row
IN_ROWS, USUAL_TURNS = 0.7, 2  # the share of this distance in rows; lines from row to row for which torn frames leave room
DENSE = 1.8  # times the width: so wide may dense layers be; they get smaller then
MORE_ROOM = 0, 30, 60  # between ranks, until all labels are on their edges
TALL, MANY = 12, 4  # boxes in one rank; inputs of one box, used by nothing else, that stand in two columns of a tall drawing


class Placed:
    """The places of statements in a drawing that is at most `width` points wide, if a rank alone is not.

    boxes    {node: (x, y, w, h) around x, y}
    frames   {frame: [(left, top, right, bottom) of each of its parts]}
    paths    the points of each edge, from its tail to its head
    centres  the centre of each edge's label, or None
    leaves_of_other_rows  [(leaf, the box that uses it in a row after the leaf's own)], all but the first of a leaf without uses in its row
    """

    def __init__(self, statements, between, apart, turned, width):
        self.statements, self.apart, self.turned = statements, apart, turned
        self.size = {name: self.way(size_of(look["label"])) for name, look in statements.nodes.items()}
        self.labels = [self.way(size_of(look["label"])) if "label" in look else None for *_, look in statements.edges]
        self.names = in_order(statements)
        self.number = {name: i for i, name in enumerate(self.names)}
        self.far = [k for k, (tail, *_) in enumerate(statements.edges) if tail in self.number]  # the others lead to the box beside
        self.room, self.sides = [self.room_of(name) for name in self.names], [self.size[name][1] for name in self.names]
        self.dense = bool(
            self.number.keys() & statements.keys.keys()
        )  # layers with all lines between them, which would have no room to turn
        self.lay_out(between, inf if turned else width)

    def way(self, pair):
        """Return a point or a size of the layout as one of the drawing, or the other way round."""
        return (pair[1], pair[0]) if self.turned else pair

    def lay_out(self, between, width):
        """Find the places, first in one row, narrower if need be; then in several rows, of which no frame is wider."""
        statements, frames = self.statements, [None, *self.statements.frames]
        place = {name: k for k, name in enumerate(frames)}
        graph = (
            [(self.number[tail], self.number[head]) for tail, head, *_ in map(statements.edges.__getitem__, self.far)],
            [place[statements.around[name]] for name in self.names],
            [None, *(place[statements.around[name]] for name in statements.frames)],
            self.earlier(),
            {self.number[name] if name in self.number else -1 - place[name]: key for name, key in statements.keys.items()},
        )
        layers, scopes = layered_in_scopes(*graph)
        fitting = [share * between for share in NARROWER if self.layout(layers, scopes, share * between).width <= width]
        narrowest = self.layout(layers, scopes, NARROWER[-1] * between).width
        if self.dense and width < narrowest <= DENSE * width:
            fitting, width = [NARROWER[-1] * between], inf
        distance = max([*fitting, IN_ROWS * between])
        if not fitting:
            in_one_row = lambda layers, scopes: self.layout(layers, scopes, distance)
            layers, scopes = layered_in_torn_scopes(*graph, in_one_row, width - 2 * margin_for(USUAL_TURNS))
        found = []
        for more in MORE_ROOM if any(self.labels) else MORE_ROOM[:1]:
            layout = self.layout(layers, scopes, distance, more, width)
            boxes = self.with_small_boxes(layout.places)
            paths = self.paths_of(layout.splines, [not course.passed for course in layers.courses], boxes)
            centres, off = place_labels(paths, self.labels, list(boxes.values()))
            found.append((off + crossings(paths, boxes.values()), more, layout, boxes, paths, centres))
            if not found[-1][0]:
                break
        _, _, layout, boxes, paths, centres = min(found, key=lambda each: each[:2])
        self.boxes = {name: (*self.way(box[:2]), *self.way(box[2:])) for name, box in boxes.items()}
        self.paths = [list(map(self.way, path)) for path in paths]
        self.centres = [centre and self.way(centre) for centre in centres]
        self.frames = defaultdict(list)
        for k, bounds in layout.frames.items():
            self.frames[frames[scopes[k]]].append((*self.way(bounds[:2]), *self.way(bounds[2:])))
        self.leaves_of_other_rows = leaves_of_other_rows([edge[:2] for edge in statements.edges], dict(zip(self.names, layout.row_of)))

    def layout(self, layers, scopes, between, more=0, width=inf):
        titles, sides = [0, *(wide + 2 * AROUND_TITLE for _, wide in self.statements.frames.values())], self.sides
        titles = [titles[scope] for scope in scopes]
        return layers.layout(self.room, self.gap(between, more), titles, self.apart, width, sides, turned=self.turned, between=CLOSEST)

    def gap(self, between, more):
        """Return the function gap(i, j): the shortest length of an edge. One with a label is longer, and `more` longer still."""
        beside, wide = BESIDE_LABEL_TURNED if self.turned else BESIDE_LABEL, defaultdict(float)
        for (tail, head, *_), label in zip(self.statements.edges, self.labels):
            if label and tail in self.number:
                pair = self.number[tail], self.number[head]
                wide[pair] = max(wide[pair], label[0] + beside + more)
        return lambda i, j: max(between, wide[i, j])

    def earlier(self):
        """Return {box: 1} for every second of many inputs that a tall drawing would have in one rank."""
        edges, around, found = [edge[:2] for edge in self.statements.edges if edge[0] in self.number], self.statements.around, {}
        if self.dense or max(Counter(ranks(self.names, edges).values()).values(), default=0) <= TALL:
            return found
        outputs, led_to, own = Counter(tail for tail, _ in dict.fromkeys(edges)), {head for _, head in edges}, defaultdict(list)
        for tail, head in dict.fromkeys(edges):
            if outputs[tail] == 1 and tail not in led_to and around[tail] == around[head]:
                own[head].append(tail)
        return {self.number[tail]: n % 2 for tails in own.values() if len(tails) >= MANY for n, tail in enumerate(tails)}

    # Small boxes beside their owners

    def room_of(self, name):
        """Return the size of a box with the room above and below it that its small boxes take."""
        (w, h), names = self.size[name], self.statements.companions.get(name, ())
        sizes = [self.size[each] for each in names]
        return (
            max([w, *(wide for wide, _ in sizes)]),
            h,
            max((high + self.beside(each) for each, (_, high) in zip(names, sizes)), default=0),
        )

    def beside(self, name):
        labels = [label for (tail, *_), label in zip(self.statements.edges, self.labels) if tail == name and label]
        return BESIDE_WITH_LABEL if labels else BESIDE

    def with_small_boxes(self, places):
        """Return {node: its box (x, y, w, h)}. Of two small boxes the first is above its owner, the second below it."""
        found = {name: (*place, *self.size[name]) for name, place in zip(self.names, places)}
        for owner, names in self.statements.companions.items():
            x, y, _, h = found[owner]
            for name, side in zip(names, (-1, 1)):
                w, high = self.size[name]
                found[name] = x, y + side * ((h + high) / 2 + self.beside(name)), w, high
        return found

    def paths_of(self, splines, short, boxes):
        """Return the points of all edges. A `short` spline passes no rank; it is straight on request if it stays in its row."""
        found, short = dict(zip(self.far, splines)), dict(zip(self.far, short))
        for k, (tail, head, straight, _) in enumerate(self.statements.edges):
            if k not in found:
                (x, y, _, h), (_, at, _, high) = boxes[tail], boxes[head]
                side = 1 if y < at else -1
                found[k] = line((x, y + side * h / 2), (x, at - side * high / 2))
            elif straight and short[k] and found[k][0][0] < found[k][-1][0]:
                found[k] = line(found[k][0], found[k][-1])
        return [found[k] for k in range(len(found))]


def leaves_of_other_rows(edges, row):
    """Return the (leaf, box) of edges that lead to a later row, all but the first of a leaf that nothing in its own row uses.

    >>> leaves_of_other_rows(["ab", "ac", "bc", "dc"], {"a": 0, "b": 0, "c": 1, "d": 0})
    [('a', 'c')]
    """
    led_to, uses = {head for _, head in edges}, defaultdict(list)
    for tail, head in dict.fromkeys(map(tuple, edges)):
        if tail in row and tail not in led_to:
            uses[tail].append(head)
    found = []
    for leaf, heads in uses.items():
        heads.sort(key=row.__getitem__)
        found += [(leaf, head) for head in heads[1:] if row[leaf] < row[head]]
    return found


def line(a, b):
    """Return a straight line as a spline."""
    return [tuple(p + (q - p) * t / 3 for p, q in zip(a, b)) for t in range(4)]


def in_order(statements):
    """Return the boxes that have places of their own, each after those that lead to it."""
    names = [name for name in statements.nodes if name not in statements.owner]
    rank = ranks(names, [(tail, head) for tail, head, *_ in statements.edges if tail not in statements.owner])
    return sorted(names, key=rank.__getitem__)

"""The places of a part of a graph: boxes, edges, labels, folds and links. Each is computed once. The size of a window is not known here."""

from collections import defaultdict
from functools import cached_property
from math import ceil, floor, inf

from viz.layout.labels_in_turn import place_in_turn
from viz.layout.layered import layered_again, layered_in_ranks, least_size
from viz.layout.ranks import ranks_within
from viz.layout.routes import STUB
from viz.layout.rows import BETWEEN, TURN
from viz.page.scenes.placing import MARGINS, TURNED_MARGINS, framed, rectangles, stretched

BEFORE = 0.4  # the variable in the middle stands at this fraction of the frame's length
ROUNDING = 0.01  # units by which sums of the same sizes may differ
WHOLE = 1.0001  # the share of a room that is more than all of it, in spite of rounding


def frame(box, x, y, width, height, turned=False):
    """Return a frame of at least this size around a box. The point x, y has the same place in all frames, as far as possible.

    >>> frame((0, 0, 60, 20), 10, 10, 100, 40), frame((0, 0, 100, 20), 10, 10, 100, 40)
    ((-30, -10, 70, 30), (0, -10, 100, 30))
    """
    left, top, right, bottom = box
    width, height = max(width, right - left), max(height, bottom - top)
    across, down = (0.5, BEFORE) if turned else (BEFORE, 0.5)
    left = max(min(floor(x - across * width), left), right - width)
    top = max(min(floor(y - down * height), top), bottom - height)
    return left, top, left + width, top + height


def sides_around(several):
    """Return the left, top, right and bottom around several such."""
    lefts, tops, rights, bottoms = zip(*several)
    return min(lefts), min(tops), max(rights), max(bottoms)


class Placed:
    """The places of boxes, edges, labels, folds and links. Scenes with boxes and labels of the same sizes share a layout.

    The first `shown` of the boxes are variables, the others folds; the first of the ends are those of edges, with the sizes of
    their labels (None: no label), the others those of links. Labels of different `groups` are not shown together. `pads` is by how much
    edges are longer at the start and the end of boxes, `offs` by how much the boxes of a turned graph stand above the middle of their
    sizes, which have room for formulas.
    """

    margins = MARGINS

    def __init__(self, turned, beside, unlabelled, sizes, shown, ends, labels, groups, arrivals, pads, offs):
        self.beside, self.unlabelled, self.turned = beside, unlabelled, turned
        self.sizes, self.shown, self.ends, self.labels, self.groups = sizes, shown, ends, labels, groups
        self.pads, self.offs, self.arrivals = pads, offs, arrivals
        self.fitting: dict = {}  # {the size of a room: whether all fits in there}

    def gap(self, i, j):
        return self.long.get((i, j), self.unlabelled)

    @cached_property
    def long(self):
        """The lengths of edges with labels."""
        return {pair: label[0] + self.beside for pair, label in zip(self.ends, self.labels) if label}

    @cached_property
    def layout(self):
        return self.raised(layered_again(len(self.sizes), self.ends, self.shown).layout(self.sizes, self.gap, arrivals=self.arrivals))

    def raised(self, layout):
        """Return a layout whose lines lead to boxes that stand above the middle of their sizes."""
        if not self.turned:
            layout.boxes = [(x, y - off, w, h) for (x, y, w, h), off in zip(layout.boxes, [*self.offs, *[0] * len(self.sizes)])]
        return layout

    @cached_property
    def places(self):
        return self.layout.places

    def boxes_around_some(self):
        """Yield the first of `boxes_around`, which say whether it may fit."""
        yield self.around_columns

    def boxes_around(self):
        """Yield the bounds of the columns, the boxes, the lines, the labels: each takes longer to place than what is before it."""
        yield from self.boxes_around_some()
        yield self.around_boxes
        yield self.around_lines
        yield self.box

    @cached_property
    def boxes(self):
        """The boxes of variables, then of folds, in the scene."""
        return [self.of_scene(at, size[:2]) | {"pad": size[2]} for at, size in zip(self.places, self.sizes)]

    @cached_property
    def paths(self):
        """The points of the edges, then of the links, [] for one without points, in the layout."""
        return [path and stretched(path, self.pads[i][0], self.pads[j][1]) for path, (i, j) in zip(self.layout.splines, self.ends)]

    def turn(self, pair):
        """Return a point or a size of the layout as one of the scene."""
        return pair[::-1] if self.turned else pair

    def of_scene(self, at, size):
        (x, y), (w, h) = self.turn(at), self.turn(size)
        return {"x": x, "y": y, "w": w, "h": h}

    def parts(self, labels):
        """Return its boxes, edges, folds and links, as `placing` takes them."""
        lines = [list(map(self.turn, path)) for path in self.paths]
        edges = [{"path": path, "label": label and self.of_scene(*label)} for path, label in zip(lines, labels)]
        number = lambda box: box if box < self.shown else self.shown - box - 1
        links = zip(lines[len(labels) :], self.ends[len(labels) :])
        links = [{"path": path, "from": number(i), "to": number(j)} for path, (i, j) in links if path]
        return self.boxes[: self.shown], edges, self.boxes[self.shown :], links

    @cached_property
    def labelled(self):
        """Its parts with their labels, which take longer to place."""
        every = [(path, end) for path, end in zip(self.paths, self.ends) if path]
        sizes, ends = [*self.labels, *[None] * (len(every) - len(self.labels))], [end for _, end in every]
        centres = place_in_turn([path for path, _ in every], sizes, rectangles(self.places, self.sizes), ends, self.groups)
        return self.parts([centre and (centre, size) for centre, size in zip(centres, self.labels)])

    @cached_property
    def box(self):
        if not any(self.labels):
            return self.around_lines
        labels = [edge["label"] for edge in self.labelled[1] if edge["label"]]
        sides = [(box["x"] - box["w"] / 2, box["y"] - box["h"] / 2, box["x"] + box["w"] / 2, box["y"] + box["h"] / 2) for box in labels]
        return self.with_margins(*sides_around([self.sides_of_lines, *sides]))

    @cached_property
    def around_columns(self):
        wide, high = self.turn(least_size(self.sizes, self.ends, self.long, self.unlabelled))
        return -MARGINS[0], -MARGINS[1], wide + MARGINS[0] - ROUNDING, high + MARGINS[1] - ROUNDING

    @cached_property
    def around_boxes(self):
        return self.with_margins(*self.sides_of_boxes)

    @cached_property
    def around_lines(self):
        return self.with_margins(*self.sides_of_lines)

    @cached_property
    def sides_of_boxes(self):
        """The left, top, right and bottom of all boxes in the scene."""
        boxes = [(x, y, w / 2, h / 2 + pad) for (x, y), (w, h, pad) in zip(self.places, self.sizes)]
        left, top = min([x - w for x, _, w, _ in boxes]), min([y - h for _, y, _, h in boxes])
        right, bottom = max([x + w for x, _, w, _ in boxes]), max([y + h for _, y, _, h in boxes])
        return (top, left, bottom, right) if self.turned else (left, top, right, bottom)

    @cached_property
    def sides_of_lines(self):
        """The same with all lines."""
        points = [point for path in self.paths for point in path]
        if not points:
            return self.sides_of_boxes
        across, down = reversed([*zip(*points)]) if self.turned else zip(*points)
        return sides_around([self.sides_of_boxes, (min(across), min(down), max(across), max(down))])

    def with_margins(self, left, top, right, bottom):
        return floor(left) - self.margins[0], floor(top) - self.margins[1], ceil(right) + self.margins[0], ceil(bottom) + self.margins[1]

    @property
    def size(self):
        left, top, right, bottom = self.box
        return right - left, bottom - top

    def framed(self, middle, width, height):
        """Return its parts in a frame of this size. The variable in the middle has the same place in all frames. Without one the frame is
        as small as its parts, which the window then shows larger.
        """
        left, top, right, bottom = self.box
        if middle is None:
            across, down = max(0, width // LARGER - (right - left)) // 2, max(0, height // LARGER - (bottom - top)) // 2
            within = left - across, top - down, right + across, bottom + down
        else:
            x, y = self.places[middle][:: -1 if self.turned else 1]
            within = frame(self.box, x, y, width, height, self.turned)
        found = framed(*self.labelled, within=within, digits=0)
        return {**found, "nodes": [{"x": node["x"], "y": round(node["y"] - off)} for node, off in zip(found["nodes"], self.offs)]}


LARGER = 1.7  # times as large as in the whole frame, at most, parts are shown that need little room
MOST_ROWS, MOST_TRIED = 6, 2  # rows of boxes; numbers of rows with which all is laid out, one more on a phone
HOPELESS, AMPLE = 0.9, 1.05  # so large in its room a scene seems that is larger than that; is one that fits with its lines
APART = 8  # between boxes that stand above each other
LANE = 15  # the height that a line takes in a rank that it passes
# Units of a row on a phone; its spaces: between boxes above each other, between ranks, how close lines run and turn to the next row.
SHORT_ROW, NARROW = 600, {"apart": 12, "between": 24, "close": 0.55}


class PlacedInRows(Placed):
    """The same in rows, so that a room of two dimensions is used: its size is `along` the way of the edges and `across` it.

    Boxes of a column take no more than the height of their row, so a wide graph gets more columns, and a long one more rows.
    """

    def __init__(self, turned, along, across, *more):
        super().__init__(turned, *more)
        self.narrow = along < SHORT_ROW
        self.margins = TURNED_MARGINS if turned or self.narrow else MARGINS
        self.spacing = NARROW if self.narrow else {"apart": APART}
        self.close = self.spacing.get("close", 1)
        beside, above = self.turn(self.margins)
        self.along, self.across = along - 2 * beside, across - 2 * above

    def boxes_around_some(self):
        if sum((w + STUB) * (h + 2 * pad) for w, h, pad in self.sizes) > self.along * self.across or self.likely[0][0] < HOPELESS:
            yield 0, 0, inf, inf
        if all(max(wide / self.along, high / self.across) > WHOLE for wide, high in (layout.least_size for layout in self.tried)):
            yield 0, 0, inf, inf
        yield self.around_boxes

    def boxes_around(self):
        """Yield what `Placed` does but the labels, which take long to place and seldom stand at the rim."""
        yield from self.boxes_around_some()
        yield self.around_lines

    @property
    def box(self):  # without labels, which the page places within the scene
        return self.around_lines

    @cached_property
    def layout(self):
        best, largest = None, 0
        for layout in self.tried:
            wide, high = layout.least_size
            if largest < min(self.along / wide, self.across / high) and largest < (scale := self.scale(layout)):
                best, largest = layout, scale
            if largest >= AMPLE:
                break
        return self.raised(best)

    @cached_property
    def tried(self):
        """The layouts that are tried, in which nothing has a height yet."""
        return [self.laid_out(rank) for _, rank in self.likely[: MOST_TRIED + self.narrow]]

    @cached_property
    def likely(self):
        """Numbers of rows: [(how large the scene seems to be in its room, the ranks of all boxes)], the largest first."""
        high, found = [h + 2 * pad + APART for _, h, pad in self.sizes], {}
        for rows in range(1, MOST_ROWS + 1):
            most = (self.across - (rows - 1) * self.close * (BETWEEN + 2 * TURN)) / rows
            rank = tuple(ranks_within(range(len(self.sizes)), self.ends, high, most).values())
            if rank not in found:
                found[rank] = self.likely_scale(rank, high)
        return sorted(((scale, rank) for rank, scale in found.items()), reverse=True)

    def likely_scale(self, rank, high):
        columns, rooms, heights = defaultdict(float), defaultdict(float), defaultdict(float)
        for r, (w, *_), h in zip(rank, self.sizes, high):
            columns[r], heights[r] = max(columns[r], w), heights[r] + h
        passed = {(i, r) for i, j in self.ends for r in range(rank[i] + 1, rank[j]) if i < self.shown or j < self.shown}
        for _, r in passed:
            heights[r] += LANE * self.close
        for i, j in self.ends:
            rooms[rank[j]] = max(rooms[rank[j]], self.gap(i, j))
        long = sum(columns.values()) + sum(rooms.values())
        rows = ceil(long / self.along)
        return min(self.along / (long / rows), self.across / (rows * (max(heights.values()) + self.close * BETWEEN)))

    def laid_out(self, rank):
        layers = layered_in_ranks(len(self.sizes), self.ends, self.shown, rank)
        return layers.layout(self.sizes, self.gap, arrivals=self.arrivals, width=self.along, **self.spacing)

    def scale(self, layout):
        """Return how large the scene can be in its room."""
        boxes = [(x - w / 2, y - h / 2 - pad, x + w / 2, y + h / 2 + pad) for (x, y), (w, h, pad) in zip(layout.places, self.sizes)]
        left, top, right, bottom = sides_around(boxes)
        return min(self.along / (right - left), self.across / (bottom - top))

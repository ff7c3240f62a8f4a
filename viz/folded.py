"""What is folded, drawn: boxes of scopes, frames around open ones, edges that are one, layers of neurons in columns.

Legend: as in viz/fold.py; an edge between two things stands for all uses (y, slot) of variables of one by functions of the other.
"""

from collections import Counter
from math import isfinite, log2, prod, sqrt

from scalargrad.spelling import shape_text, shown_in_full
from viz.fold import Box, is_constant, stem
from viz.heatmap import heatmap, mix
from viz.label import Line, apart, around, centred, cut, frame, row, rows, space, tip
from viz.layers import columns_of, neighbours_within, tree_of
from viz.words import UNICODE

NAME, VALUE, BAND, TEXT, LABEL = 14, 14, 12, 11, 11  # font sizes
MARGIN, NARROWEST, THICKEST = 8, 60, 3
LONGEST_TITLE, LONGEST_LINE = 24, 36  # characters
DIMMED = 0.3  # how much of its colour is left to what a step leaves aside
MOST_FUNCTIONS = 4  # a box of more kinds of functions does not list them
MOST_CONSTANTS = 8  # more are not drawn where they go into boxes


class Boxes:
    """Writes the boxes of a picture, the frames around things, and the edges between them."""

    def __init__(self, picture):
        self.picture, self.theme, self.here = picture, picture.theme, picture.here
        self.part, self.folded = picture.part, picture.part.folded
        near = {*self.part.variables, *self.part.boxes}
        self.things = [t for t in self.folded.things if t in near]
        self.place = {v: i for i, v in enumerate(self.part.graph.variables)}
        self.uses, self.beyond, self.wide = {}, Counter(), {}
        self.only_output = self.folded.only_output
        for y in self.part.graph.variables:
            self.sort_uses(y, near)
        known = self.here.final or self.picture.gradients  # of a trace what they come to, so that a colour stays what it is
        slopes = [known.get(self.only_output(box)) for box in self.part.boxes]
        self.steepest = max((abs(g) for g in slopes if g is not None and not is_array(g) and isfinite(g)), default=0) or 1

    def sort_uses(self, y, near):
        thing = self.folded.thing
        b = thing[y]
        for slot, x in enumerate(y.inputs):
            a = thing[x]
            if a is b or b not in near:
                continue
            if a not in near:
                self.beyond[b] += 1
            elif type(a) is Box or type(b) is Box:
                self.uses.setdefault((a, b), []).append((y, slot))

    def slope(self, box):
        """The gradient of a box that makes one number, once it is known."""
        y = self.only_output(box)
        return None if y is None or getattr(y, "shape", ()) or y in self.here.running else self.picture.gradients.get(y)

    # The drawing

    def write(self, d, direction):
        self.direction = direction
        before, after = neighbours_within(self.things, self.folded.thing)
        columns = columns_of(self.things, self.folded.place, before, after) if self.part.boxes else {}
        straight = {t for group in columns.values() for t in group}
        if columns:
            d.attr(splines="line", outputorder="edgesfirst", ranksep="1.6", nodesep="0.08")
        elif self.part.boxes:
            d.attr(ranksep="0.3")
        tree = tree_of(self.things, self.folded.place)
        walk, open_paths = [iter(tree[()])], [()]
        while walk:
            entry = next(walk[-1], None)
            if entry is None:
                walk.pop()
                if open_paths.pop() and walk:
                    d.body.append("\t}\n")
            elif type(entry) is not tuple:
                self.node(d, entry)
            elif entry in columns:
                self.column(d, entry, columns[entry])
            else:
                self.open_frame(d, entry)
                walk.append(iter(tree[entry]))
                open_paths.append(entry)
        for key, group in columns.items():
            self.chain(d, ([self.header(key)] if key in tree else []) + list(map(self.id, group)))
        for y in self.part.variables:
            self.picture.edges(d, y)
        for (a, b), uses in self.uses.items():
            self.edge(d, a, b, uses, straight=a in straight or b in straight)
        self.left_out(d)
        self.constants(d)

    def node(self, d, thing):
        self.box(d, thing) if type(thing) is Box else self.picture.node(d, thing)

    def id(self, thing):
        return f"s{self.place[thing.variables[0]]}" if type(thing) is Box else self.picture.id(thing)

    def open_frame(self, d, path):
        """The beginning of the frame around an open scope."""
        name = self.header(path)
        title = row(Line(cut(path[-1], LONGEST_TITLE), NAME, self.theme.ink, bold=True).cell())
        look = f'label=<{title}> style=rounded color="{self.theme.faint}" bgcolor="{self.wash()}" margin=10 labeljust=l'
        d.body.append(f'\tsubgraph "cluster_{name}" {{\n\t\tgraph [{look} id={name} class="scope open" tooltip="{quoted(path)}"]\n')

    def wash(self):
        return mix(self.theme.paper, self.theme.input_fill, 0.5)

    def header(self, path):
        return "f" + "_".join(str(n) for n in self.numbers(path))

    def numbers(self, path):
        """A frame's place among all: the first variable in it, and how deep it lies."""
        first = next(t for t in self.things if self.folded.place(t)[: len(path)] == path)
        return self.place[first.variables[0] if type(first) is Box else first], len(path)

    def column(self, d, path, group):
        """A layer: its name, and below it its neurons in order."""
        line = Line(cut("/".join(path), LONGEST_TITLE), NAME, self.theme.ink, bold=True)
        d.node(self.header(path), label=f"<{row(line.cell())}>", **self.picture.marks(self.header(path), ["scope", "column"]))
        boxes = [thing for thing in group if type(thing) is Box]
        self.wide.update(dict.fromkeys(boxes, max(map(self.width, boxes), default=0)))
        for thing in group:
            self.node(d, thing)

    def chain(self, d, ids):
        """Things that stand one below the other, in this order."""
        with d.subgraph() as same:
            same.attr(rank="same")
            for id in ids:
                same.node(id)
            for a, b in zip(ids, ids[1:]):
                same.edge(a, b, style="invis")

    # Boxes

    def box(self, d, box):
        theme, here = self.theme, self.here
        tags = {here.tags[v]: v for v in box.variables if v in here.tags}
        dim = here.current is not None and not tags
        fill, line, border, style = self.fill(box, dim), theme.faint if dim else theme.line, 1, "ROUNDED"
        if here.current in tags.values():
            fill, line, border = theme.current_fill, theme.current, THICKEST
        elif tags:
            line, border = theme.child, 2
            fill, style = (theme.child_fill, style) if here.active in tags.values() else (fill, "ROUNDED,DASHED")
        label = frame(self.inside(box, theme.quiet if dim else theme.ink, tags), fill, line, border, style, room=THICKEST)
        if len(box.paths) > 1:
            label = frame(label, theme.paper, line, 1, room=THICKEST)
        classes = ["scope", "folded", *["current"] * (here.current in tags.values()), *["neighbour"] * bool(tags), *["dimmed"] * dim]
        d.node(self.id(box), label=f"<{label}>", tooltip=tip(self.sentence(box)), **self.picture.marks(self.id(box), classes))

    def fill(self, box, dim):
        theme, slope = self.theme, self.slope(box)
        if slope is None or not isfinite(slope):
            return mix(theme.paper, theme.input_fill, 0.7)
        share = round(16 * abs(slope) / self.steepest) / 16
        tint = mix(theme.zero_fill, theme.positive if slope > 0 else theme.negative, min(share, 1) * theme.deepest)
        return mix(theme.paper, tint, DIMMED) if dim else tint

    def content(self, box, ink):
        """What stands in a box, of a neuron its value and gradient, else what is in it: name, value, lines shown, all lines, picture."""
        picture, y = self.picture, self.only_output(box)
        name = Line(cut(box.title, LONGEST_TITLE), NAME, ink, bold=True)
        if y is not None and not is_array(y) and not any(map(is_array, box.variables)):
            lines = [Line(text, BAND, ink) for text in picture.bands(y)]
            return name, Line(picture.number(picture.on.data(y)), VALUE, ink), lines[:1], lines, None
        shape = shape_text(y.shape) if y is not None else ""
        value = Line(f"×{len(box.paths)}" if len(box.paths) > 1 else shape, VALUE, self.theme.quiet)
        lines = [Line(cut(text, LONGEST_LINE), TEXT, self.theme.quiet) for text in self.about(box, shape)]
        return name, value, lines, lines, self.heat(box)

    def width(self, box):
        name, value, _, lines, heat = self.content(box, self.theme.ink)
        return max(NARROWEST, name.width + value.width + 14, *(line.width for line in lines), heat.width if heat else 0) + 2 * MARGIN

    def inside(self, box, ink, tags):
        name, value, lines, _, heat = self.content(box, ink)
        wide = self.wide.get(box) or self.width(box)
        inside = [picture_tag(self.picture, tags, wide)] if self.picture.stepping else []
        inside += [space(3), apart(name, value, wide, MARGIN), *(centred(line, wide) for line in lines)]
        if heat:
            inside += [space(2), around(heat.table, wide, heat.width), space(2)]
        return rows(*inside, space(3))

    def about(self, box, shape):
        """Lines on what a box holds."""
        inner = Counter(stem(v_path[len(box.path)]) for v_path in inner_paths(box, self.folded.paths))
        functions = Counter(v.rule.name for v in box.variables if v.rule)
        if len(box.paths) > 1 and shape:
            yield shape
        if inner:
            yield ", ".join(f"{n} × {name}" if n > 1 else name for name, n in inner.items())
        elif functions and len(functions) <= MOST_FUNCTIONS:
            yield " · ".join(f"{n} × {name}" if n > 1 else name for name, n in functions.items())
        yield from self.counts(box).split(", ")
        norm = self.norm(box)
        if norm is not None:
            yield f"‖gradient‖ = {picture_number(norm)}"
        largest = self.largest(box)
        if largest is not None:
            name = UNICODE.name(largest.name or "the largest parameter")
            yield f"{f'dz/d{name}' if largest in self.picture.gradients else name} {shape_text(largest.shape)}"

    def counts(self, box):
        leaves = parameters(box)
        numbers = sum(prod(getattr(v, "shape", ())) for v in leaves)
        many = plural(len(box.variables), "variable")
        return many if not leaves or len(leaves) == len(box.variables) else f"{many}, {plural(numbers, 'parameter')}"

    def norm(self, box):
        """The length of the gradient of all parameters of a box together; None where one of them is not known."""
        found = [self.picture.gradients.get(v) for v in parameters(box)]
        if not found or any(g is None for g in found):
            return None
        return sqrt(sum(float((g * g).sum() if is_array(g) else g * g) for g in found))

    def largest(self, box):
        """The parameter of a box that has a picture in it: the largest, of an array too large to be written and with no boxes in it."""
        arrays = [v for v in parameters(box) if is_array(v) and not shown_in_full(v.shape)]
        inner = len(box.paths) > 1 or inner_paths(box, self.folded.paths)
        return None if inner or not arrays else max(arrays, key=lambda v: prod(v.shape))

    def heat(self, box):
        """The gradient of the largest parameter of a box; its value, where no gradient is known."""
        v = self.largest(box)
        return None if v is None else heatmap(self.picture.gradients.get(v, self.picture.on.data(v)), self.theme)

    def sentence(self, box):
        """A box in words."""
        y, picture = self.only_output(box), self.picture
        where = "/".join(box.path) + (f" to {box.paths[-1][-1]}, {len(box.paths)} alike" if len(box.paths) > 1 else "")
        said = f"{where}{f' (part {box.part[0]} of {box.part[1]})' if box.part else ''}: {self.counts(box)}"
        if y is not None:
            said += f", gives {picture.number(picture.on.data(y))}"
            if y in picture.gradients and not is_array(y):
                said += f", gradient {picture.number(picture.gradients[y])}"
        norm = self.norm(box)
        return said + (f", ‖gradient‖ = {picture_number(norm)}" if norm is not None else "")

    # Edges

    def edge(self, d, a, b, uses, straight):
        theme, here, ends = self.theme, self.here, ("", "")
        classes = ["merged"]
        look = {"penwidth": f"{min(1 + log2(len(uses)) / 2, 5):.1f}"} if len(uses) > 1 else {}
        passed = dict.fromkeys(y.inputs[slot] for y, slot in uses)
        if straight:
            ends = (":e", ":w") if self.direction == "LR" else (":n", ":s")
            look = {"penwidth": "0.6", "arrowhead": "none"}
        elif len(passed) > 1:
            look["label"] = f"<{row(Line(f'×{len(uses):,}', LABEL, theme.quiet).cell())}>"
        if any(use in here.at_work for use in uses):
            look, classes = {**look, "color": theme.active, "penwidth": "3"}, [*classes, "active"]
        elif any(use in here.edges for use in uses):
            look, classes = {**look, "color": theme.child, "penwidth": "2", "style": "dashed"}, [*classes, "neighbour"]
        elif here.current is not None:
            look, classes = {**look, "color": theme.faint}, [*classes, "dimmed"]
        shapes = list(dict.fromkeys(shape_text(x.shape) for x in passed if is_array(x)))
        said = f"{self.title(a)} → {self.title(b)}: {plural(len(passed), 'variable')}, {plural(len(uses), 'use')}"
        said += "".join(f", {shape}" for shape in shapes[:3])
        marks = self.picture.marks(f"{self.id(a)}_{self.id(b)}", classes)
        d.edge(self.id(a) + ends[0], self.id(b) + ends[1], tooltip=tip(said), **look, **marks)

    def title(self, thing):
        return "/".join(thing.paths[0]) if type(thing) is Box else self.picture.name(thing)

    def left_out(self, d):
        """Inputs of boxes that are not drawn."""
        for box in self.part.boxes:
            if self.beyond[box]:
                at = f"m{self.id(box)}"
                line = Line(f"… {plural(self.beyond[box], 'input')}", TEXT, self.theme.quiet)
                d.node(at, label=f"<{row(line.cell())}>", **self.picture.marks(at, ["left-out"]))
                d.edge(at, self.id(box), style="dotted", **self.picture.marks(f"{at}e", ["left-out"]))

    def constants(self, d):
        """The constant tensors that functions in boxes take, where they are few: what a network is given."""
        taken: dict = {}
        for box in self.part.boxes:
            for c in (c for y in box.variables for c in self.picture.on.constants(y)):
                taken.setdefault(id(c), (c, {}))[1][box] = None
        if len(taken) <= MOST_CONSTANTS:
            for c, boxes in taken.values():
                self.picture.constant(d, c, map(self.id, boxes))

    def caption(self):
        """What was folded, and how to open it."""
        boxes, many = self.part.boxes, len(self.part.graph.variables)
        inside = sum(len(box.variables) for box in boxes)
        scopes = sum(len(box.paths) for box in boxes)
        said = f"graph has {plural(many, 'variable')}: {inside:,} folded into {plural(scopes, 'scope')}"
        said += f" (depth={self.folded.depth})" if self.folded.depth else ""
        rest = many - inside - len(self.part.variables)
        if rest:
            said += f", {rest:,} left out"
        largest = max(boxes, key=lambda box: len(box.variables))
        return f'{said}; expand="{"/".join(largest.path)}" opens one'


def inner_paths(box, paths):
    """The scopes right inside a box, each once for each of its paths."""
    found = {}
    for v in box.variables:
        for k in (len(box.path) + 1,):
            if len(paths[v]) >= k:
                found[paths[v][:k]] = None
    return [path for path in found if path[: len(box.path)] == box.path]


def parameters(box):
    """The leaves of a box that have a gradient."""
    return [v for v in box.variables if not v.inputs and not is_constant(v)]


def is_array(x):
    return bool(getattr(x, "shape", ()))


def plural(n, noun):
    return f"{n:,} {noun}{'s' * (n != 1)}"


def picture_number(x):
    return UNICODE.number(float(format(x, ".4g")))


def picture_tag(picture, tags, wide):
    """What a box holds that a step looks at; the place is kept free in others."""
    current = next((v for v in tags.values() if v is picture.here.current), None)
    return picture.tag(current if current is not None else next(iter(tags.values()), None), wide)


def quoted(path):
    return tip("/".join(path)).replace('"', '\\"')

"""Variables drawn one by one: each a box with its name, value, gradient and formula; the edges to it; constant tensors.

Legend: as in viz/drawing/captions.py.
"""

from collections import Counter
from math import inf

from scalargrad.anomaly import finite
from scalargrad.formulas.text import shape_text
from viz.array_text import is_array
from viz.drawing.array_grid import block
from viz.drawing.box_contents import in_four_digits, length
from viz.drawing.heatmap import heatmap
from viz.drawing.html_label import LONGEST, LONGEST_NAME, Line, apart, around, centred, cut, frame, gap, row, rows, space, table, tip
from viz.drawing.repeats import Repeats
from viz.drawing.scopes import is_constant
from viz.ink import UNICODE

LONGEST_AT_EDGES = 30  # characters of a formula at an edge; a longer one stands in the tooltip
NAME, VALUE, BAND, FORMULA, TAG, EDGE = 16, 15, 13, 12, 10, 12  # font sizes
MARGIN, NARROWEST, TAG_HEIGHT, THICKEST = 6, 60, 15, 3
MOST_CONSTANTS = 8  # more are not drawn where they go into boxes


class Nodes:
    """Puts the variables of a picture, and the edges between them, onto a sheet."""

    def __init__(self, picture, sheet):
        self.picture, self.sheet, self.part, self.here, self.theme = picture, sheet, picture.part, picture.here, picture.theme
        self.constants = taken_constants(picture)
        self.repeats = Repeats(picture, self.part.things, self.constants)

    def node(self, v):
        theme, here = self.theme, self.here
        dim = self.picture.dim(v)
        ink, line = (theme.quiet, theme.faint) if dim else (theme.ink, theme.line)
        fill = theme.function_fill if v.inputs else theme.input_fill
        border, style = 1, "ROUNDED,DOTTED" if is_constant(v) else "ROUNDED"
        if v is here.current:
            fill, line, border = theme.current_fill, theme.current, THICKEST
        elif v is here.active:
            fill, line, border = theme.child_fill, theme.child, THICKEST
        elif v in here.tags:
            line, border, style = theme.child, 2, "ROUNDED,DASHED"
        elif self.breaks(v):
            fill, line, border = theme.not_finite_fill, theme.not_finite, THICKEST
        inside, wide = self.inside(v, ink, dim, self.repeats.said(v))
        self.sheet.node(
            self.picture.id(v),
            wide,
            label=f"<{frame(inside, fill, line, border, style, room=THICKEST)}>",
            tooltip=tip(self.picture.sentence(v)),
            **self.picture.marks(self.picture.id(v), self.classes(v, dim)),
        )
        self.repeats.put(v, self.sheet)

    def inside(self, v, ink, dim, said):
        """What stands in the box of a variable: its name and value, its gradient, its formula, what else is said; and how wide that is."""
        theme, data = self.theme, self.picture.on.data(v)
        name = Line(cut(UNICODE.name(self.picture.on.name(v)), LONGEST_NAME), NAME, ink, italic=True)
        shape = getattr(v, "shape", ())
        matrix = (
            block(data, theme, ink, shape, pictured=self.picture.stepping or not is_array(self.picture.gradients.get(v))) if shape else None
        )
        value = Line(shape_and_kind(v, shape), FORMULA, theme.quiet) if shape else Line(self.picture.number(data), VALUE, ink, bold=True)
        bands = [Line(text, BAND, ink) for text in self.picture.bands(v)]
        total = self.gradient_block(v, ink) if bands and shape else None
        formulas = [Line(text, FORMULA, theme.quiet) for text in (*self.picture.formulas(v), *said)]
        formulas += [Line("! not finite", FORMULA, theme.not_finite, bold=True)] * self.breaks(v)
        parameters = [Parameter(x, self.picture) for x in self.part.inside(v)]
        blocks = [each.width for each in (matrix, total, *parameters) if each]
        wide = max(NARROWEST, name.width + value.width + 14, *(line.width for line in bands + formulas), *blocks) + 2 * MARGIN
        inside = [self.tag(v, wide)] if self.picture.stepping else []
        inside += [space(3), apart(name, value, wide, MARGIN)]
        if matrix:
            inside += [around(matrix.table, wide, matrix.width), space(3)]
        if total:
            inside += [space(1), centred(bands[0], wide), around(total.table, wide, total.width), space(2)]
        elif bands:
            inside += [around(frame(centred(bands[0], wide - 8), *self.tint(v, dim)), wide, wide - 6), space(2)]
        inside += [centred(line, wide) for line in formulas]
        for parameter in parameters:
            inside += [space(4), parameter.table(wide)]
        return rows(*inside, space(3)), wide + 2 * THICKEST

    def breaks(self, v, slot=None):
        """Whether v, or the edge in its input `slot`, is where the graph stops being finite."""
        first = self.picture.not_finite
        return first is not None and first.y is v and (slot is None or slot == first.slot)

    def gradient_block(self, v, ink):
        """The gradient of an array; in a trace room for all that it will be."""
        now = self.picture.gradients.get(v)
        later = [a for a in (*self.here.widest.get(v, ()), self.here.final.get(v)) if is_array(a)] if self.picture.stepping else []
        return block(now if is_array(now) else None, self.theme, ink, v.shape, later, pictured=not self.picture.stepping)

    def constant(self, at):
        """The constant tensor with this id, and its edges to what takes it; nothing is passed on to it."""
        c, takers = self.constants[at]
        dim = self.here.current is not None
        ink, line = (self.theme.quiet, self.theme.faint) if dim else (self.theme.ink, self.theme.line)
        inside, wide = self.inside(c, ink, dim, self.repeats.said(at))
        self.sheet.node(
            at,
            wide,
            label=f"<{frame(inside, self.theme.input_fill, line, 1, 'ROUNDED,DOTTED', room=THICKEST)}>",
            tooltip=tip(f"{UNICODE.name(self.picture.on.name(c))} = {self.picture.number(self.picture.on.data(c))} (constant)"),
            **self.picture.marks(at, ["variable", "constant"]),
        )
        for taker in takers:
            marks = self.picture.marks(f"{at}_{self.picture.id(taker)}", ["constant"])
            self.sheet.edge(self.repeats.tail(at, taker), self.picture.id(taker), style="dotted", **marks)

    def tint(self, v, dim):
        """The colours behind v's gradient and around it: by its sign once it is known."""
        theme, total = self.theme, self.picture.gradients.get(v)
        if total is None or v in self.here.running:
            return "transparent", "transparent"
        fill, edge = theme.zero_fill, theme.line
        if not finite(total):
            fill, edge = theme.not_finite_fill, theme.not_finite
        elif total > 0:
            fill, edge = theme.positive_fill, theme.positive
        elif total < 0:
            fill, edge = theme.negative_fill, theme.negative
        return fill, fill if dim else edge

    def tag(self, v, wide):
        """What v is to the step; the place is kept free in other boxes."""
        if v not in self.here.tags:
            return space(TAG_HEIGHT)
        color = self.theme.current if v is self.here.current else self.theme.child
        text = Line(self.here.tags[v], TAG, self.theme.paper, bold=True)
        return around(frame(row(gap(6, 1), text.cell(), gap(6, 1)), color, color), wide, text.width + 14)

    def classes(self, v, dim):
        here = self.here
        yield "variable"
        yield "constant" if is_constant(v) else "function" if v.inputs else "input"
        if v is self.part.z:
            yield "z"
        if v is here.current:
            yield "current"
        elif v in here.tags:
            yield "neighbour"
        if v is here.active:
            yield "active"
        if v in here.totals and v not in here.running:
            yield "finished"
        if self.breaks(v):
            yield "not-finite"
        if dim:
            yield "dimmed"

    def edges(self, y):
        """The edges to y; what is not drawn of its inputs is said in a box of its own."""
        uses = Counter(map(id, y.inputs))
        for slot, x in enumerate(y.inputs):
            if x in self.part.number:
                self.edge(x, y, slot, numbered=self.picture.arguments or uses[id(x)] > 1)
        missing = sum(
            x not in self.part.number and self.part.thing(x) is not y and self.part.thing(x) not in self.part.boxes for x in y.inputs
        )
        if missing:
            line = Line(f"… {missing:,} input{'s' * (missing > 1)}", FORMULA, self.theme.quiet)
            at = f"m{self.part.number[y]}"
            self.sheet.node(at, line.width, label=f"<{row(line.cell())}>", **self.picture.marks(at, ["left-out"]))
            self.sheet.edge(at, self.picture.id(y), style="dotted", **self.picture.marks(f"{at}e", ["left-out"]))

    def edge(self, x, y, slot, numbered):
        theme, here, use = self.theme, self.here, (y, slot)
        look, wide = {}, 0
        if use in here.at_work:
            look, said = {"color": theme.active, "penwidth": "3"}, "active"
        elif use in here.edges:
            look, said = {"color": theme.child, "penwidth": "2", "style": "dashed"}, "neighbour"
        elif self.breaks(y, slot):
            look, said = {"color": theme.not_finite, "penwidth": "3"}, "use"
        elif here.current is not None:
            look, said = {"color": theme.faint}, "dimmed"
        else:
            said = "use"
        longest = {"symbols": None, "both": LONGEST}.get(self.picture.partials, LONGEST_AT_EDGES)
        text = (
            self.picture.partial(y, slot, self.picture.partials or self.picture.on.at_edges, longest)
            if self.picture.partials or self.picture.stepping
            else ""
        )
        shown = self.picture.partials or (use in here.edges and use in here.known)
        parts = [f"input {slot + 1}"] * numbered + [text] * bool(text)
        if parts:
            ink = theme.quiet if said == "dimmed" else theme.active if use in here.edges else theme.ink
            line = Line(": ".join(parts), EDGE, ink)
            if text and not shown:  # the place is kept free, so that nothing moves from step to step
                number = Line(parts[0] if numbered else "", EDGE, ink)
                label = row(number.cell(), gap(line.width - number.width, line.height))
            else:
                label = table(f"<TR>{line.cell()}</TR>", f'BORDER="0" CELLPADDING="0" BGCOLOR="{theme.paper}"')
            look["label"], wide = f"<{row(gap(4, 1), f'<TD>{label}</TD>', gap(4, 1))}>", line.width + 8
        self.sheet.edge(
            self.repeats.tail(x, y),
            self.picture.id(y),
            wide,
            tooltip=tip(self.picture.partial(y, slot, "both", room=3 * LONGEST)),
            labeltooltip=tip(self.picture.partial(y, slot, "both", room=3 * LONGEST)),
            **look,
            **self.picture.marks(f"e{self.part.number[y]}_{slot}", [said, *["not-finite"] * self.breaks(y, slot)]),
        )


def taken_constants(picture):
    """{id: (a constant tensor, the things whose functions take it)}; of those that go into boxes none, where they are many."""
    taken: dict = {}
    for things, most in ((picture.part.boxes, MOST_CONSTANTS), (picture.part.variables, inf)):
        found: dict = {}
        for thing in things:
            for c in (c for y in getattr(thing, "variables", [thing]) for c in picture.on.constants(y)):
                found.setdefault(id(c), (c, {}))[1][thing] = None
        if len(found) <= most:
            for c, takers in found.values():
                taken.setdefault(id(c), (c, {}))[1].update(takers)
    return {f"c{n}": (c, list(takers)) for n, (c, takers) in enumerate(taken.values())}


class Parameter:
    """A parameter that stands in the box of its function: its name and shape, how long its gradient is, and a picture of that."""

    def __init__(self, x, picture):
        self.theme, gradient = picture.theme, picture.gradients.get(x)
        self.name = Line(cut(UNICODE.name(picture.on.name(x)), LONGEST_NAME), VALUE, self.theme.ink, italic=True)
        self.shape = Line(shape_and_kind(x, x.shape), FORMULA, self.theme.quiet)
        said = f"‖{picture.total(x)}‖ = {in_four_digits(length(gradient))}" if is_array(gradient) else ""
        self.band = Line(said, FORMULA, self.theme.ink)
        self.heat = heatmap(gradient if is_array(gradient) else picture.on.data(x), self.theme)
        self.width = max(self.name.width + self.shape.width + 14, self.band.width, self.heat.width if self.heat else 0) + 2 * MARGIN

    def table(self, wide):
        wide -= 2 * MARGIN
        inside = [apart(self.name, self.shape, wide, MARGIN)]
        inside += [centred(self.band, wide)] if self.band.text else []
        inside += [around(self.heat.table, wide, self.heat.width)] if self.heat else []
        return around(frame(rows(*inside, space(3)), self.theme.input_fill, self.theme.faint), wide + 2 * MARGIN, wide + 2)


def shape_and_kind(v, shape):
    """The shape of an array; and of what kind its numbers are, where it is not float64."""
    kind = str(getattr(v, "dtype", "float64"))
    return shape_text(shape) + ("" if kind == "float64" else f" {kind}")

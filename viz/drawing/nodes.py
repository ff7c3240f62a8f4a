"""Write variables as boxes, each with its name, value, gradient and formula; and constant tensors.

Legend: as in viz/drawing/captions.py.
"""

from itertools import chain
from math import prod

from scalargrad.formulas.text import shape_text
from scalargrad.messages.anomaly import is_finite
from viz.drawing.arrays.array_grid import block
from viz.drawing.arrays.heatmap import heatmap
from viz.drawing.box_contents import in_four_digits, length
from viz.drawing.highlight import THICK, box_look
from viz.drawing.scopes.scopes import is_constant
from viz.drawing.svg.html_label import LONGEST, LONGEST_NAME, Line, apart, around, centred, cut, frame, gap, row, rows, space, tip
from viz.graphs.marks import mark_of
from viz.text.array_text import is_array
from viz.text.formatter import UNICODE, plural

NAME, VALUE, GRADIENT, FORMULA, FUNCTION, TAG = 16, 15, 13, 12, 13, 10  # font sizes
MARGIN, NARROWEST, TAG_HEIGHT = 6, 60, 15  # points
MOST_PARAMETERS = 4  # arrays in the box of a function; of more, the box shows only the number and the norm


class Nodes:
    """Write the variables of a selection as nodes, with formulas in lines of at most `longest` characters."""

    def __init__(self, captions, statements, repeats, longest=LONGEST):
        self.longest = longest
        self.captions, self.statements, self.repeats = captions, statements, repeats
        self.selection, self.highlight, self.theme = captions.selection, captions.highlight, captions.theme

    def node(self, v):
        if self.captions.has_function_node(v):
            self.function(v)
        key = v, self.longest, *self.repeats.said(v)
        if key not in self.captions.nodes:
            self.captions.nodes[key] = self.attributes(v, *self.repeats.said(v))
        self.statements.node(self.captions.id(v), **self.captions.nodes[key])
        self.repeats.put(v, self.statements)

    def attributes(self, v, *said):
        theme, id = self.theme, self.captions.id(v)
        dim = self.captions.dim(v)
        style = "ROUNDED,DOTTED" if is_constant(v) else "ROUNDED"
        look = box_look([v], self.highlight, theme, theme.function_fill if v.inputs else theme.input_fill, style)
        if (mark := mark_of(v)) and v not in self.highlight.tags:
            look = getattr(theme, f"{mark.kind}_fill"), theme.faint if dim else getattr(theme, mark.kind), look[2], style
        if self.captions.breaks(v) and v not in self.highlight.tags:
            look = theme.not_finite_fill, theme.not_finite, THICK, style
        inside = self.inside(v, theme.quiet if dim else theme.ink, dim, said)
        label, sentence = frame(inside, *look, room=THICK), tip(self.captions.sentence(v))
        return {"label": f"<{label}>", "tooltip": sentence, **self.captions.marks(id, self.classes(v, dim))}

    def function(self, y):
        """Write the function that computed y as a node of its own."""
        captions, theme, id = self.captions, self.theme, self.captions.entry(y)
        uses, dim = [(y, slot) for slot in range(len(y.inputs))], captions.dim(y)
        at_work = any(use in self.highlight.at_work for use in uses)
        name = Line(cut(y.rule.name, LONGEST_NAME), FUNCTION, theme.quiet if dim else theme.ink)
        inside = rows(space(2), centred(name, name.width + 4 * MARGIN), space(2))
        line = theme.partial if at_work else theme.faint if dim else theme.line
        label = frame(inside, theme.function_node_fill, line, 2 if at_work else 1, room=THICK)
        marks = captions.marks(id, ["function-node", *["active"] * at_work, *["dimmed"] * dim])
        self.statements.node(id, label=f"<{label}>", tooltip=tip(captions.equation(y)), **marks)

    def inside(self, v, ink, dim, said):
        """Return what stands in the box of a variable: its name, value, gradient, formula, and what else is said."""
        name, value = self.heading(v, ink)
        if (v, ink) not in self.captions.blocks:  # a drawing is laid out several times
            self.captions.blocks[v, ink] = self.value_block(v, ink), self.gradient_block(v, ink)
        matrix, gradient = self.captions.blocks[v, ink]
        totals = [[Line(part, GRADIENT, ink) for part in parts] for parts in self.parts(self.captions.gradient_lines(v))]
        formulas = self.formula_lines(v, said)
        parameters = parameters_of(self.selection.inside(v), self.captions)
        blocks = [block.width for block in (matrix, gradient, *parameters) if block]
        wide = max(NARROWEST, name.width + value.width + 14, *(line.width for line in chain(formulas, *totals)), *blocks) + 2 * MARGIN
        inside = [self.tag(v, wide)] if self.captions.moves else []
        inside += [space(3), apart(name, value, wide, MARGIN)]
        if matrix:
            inside += [around(matrix.table, wide, matrix.width), space(3)]
        if gradient:
            inside += [space(1), *(centred(line, wide) for line in totals[0]), around(gradient.table, wide, gradient.width), space(2)]
        elif totals:
            band = rows(*(centred(line, wide - 8) for line in totals[0]))
            inside += [around(frame(band, *self.tint(v, dim)), wide, wide - 6), space(2)]
        inside += [centred(line, wide) for line in formulas]
        for parameter in parameters:
            inside += [space(4), parameter.table(wide)]
        return rows(*inside, space(3))

    def parts(self, texts):
        """Return each total with its number in one line, or all in two lines, if one of them is longer than a line."""
        is_long = any(len(text) > self.longest for text in texts)
        return [text.replace(" = ", "\n= ", is_long).split("\n") for text in texts]

    def heading(self, v, ink):
        """Return the name of a variable, and its value; of an array its shape."""
        on, shape = self.captions.on, getattr(v, "shape", ())
        name = Line(UNICODE.name(self.captions.short.name(v)), NAME, ink, italic=True)
        if shape:
            return name, Line(shape_and_kind(v, shape), FORMULA, self.theme.quiet)
        return name, Line(self.captions.number(on.data(v)), VALUE, ink, bold=True)

    def value_block(self, v, ink):
        return block(self.captions.on.data(v), self.theme, ink, v.shape) if getattr(v, "shape", ()) else None

    def gradient_block(self, v, ink):
        """Return the block of an array's gradient, or None. In a trace it has room for the gradients of all steps."""
        captions, now = self.captions, self.captions.gradients.get(v)
        if not getattr(v, "shape", ()) or not captions.gradient_lines(v):
            return None
        steps = [*self.highlight.widest.get(v, ()), self.highlight.final.get(v)] if captions.stepping else []
        now = now if is_array(now) else None
        return block(now, self.theme, ink, v.shape, [a for a in steps if is_array(a)])

    def formula_lines(self, v, said):
        """Return the lines below the gradient: the formula, what else is said, and whether v is the first that is not finite."""
        lines = [Line(text, FORMULA, self.theme.quiet) for text in (*self.captions.formulas(v, self.longest), *said)]
        if mark := mark_of(v):
            lines.append(Line(mark.label, FORMULA, getattr(self.theme, mark.kind), bold=True))
        return lines + [Line("! not finite", FORMULA, self.theme.not_finite, bold=True)] * self.captions.breaks(v)

    def constant(self, at):
        """Write the constant tensor with this id, and its edges. It gets no contribution."""
        captions, theme, (c, takers) = self.captions, self.theme, self.repeats.constants[at]
        dim = self.highlight.current is not None
        inside = self.inside(c, theme.quiet if dim else theme.ink, dim, self.repeats.said(at))
        label = frame(inside, *box_look([], self.highlight, theme, theme.input_fill, "ROUNDED,DOTTED"), room=THICK)
        said = tip(f"{UNICODE.name(captions.on.name(c))} = {captions.number(captions.on.data(c))} (constant)")
        self.statements.node(at, label=f"<{label}>", tooltip=said, **captions.marks(at, ["variable", "constant"]))
        for taker in takers:
            id = captions.entry(taker)
            self.statements.edge(self.repeats.tail(at, taker), id, style="dotted", **captions.marks(f"{at}_{id}", ["constant"]))

    def tint(self, v, dim):
        """Return the colours behind and around v's gradient, once it is known."""
        theme, total = self.theme, self.captions.gradients.get(v)
        if total is None or v in self.highlight.running:
            return "transparent", "transparent"
        fill, edge = (theme.total_fill, theme.total) if is_finite(total) else (theme.not_finite_fill, theme.not_finite)
        return fill, fill if dim else edge

    def tag(self, v, wide):
        """Return the tag that says what v is to the step, or empty room for it."""
        if v not in self.highlight.tags:
            return space(TAG_HEIGHT)
        color = self.theme.current if v is self.highlight.current else self.theme.child
        text = Line(self.highlight.tags[v], TAG, self.theme.paper, bold=True)
        return around(frame(row(gap(6, 1), text.cell(), gap(6, 1)), color, color), wide, text.width + 14)

    def classes(self, v, dim):
        highlight = self.highlight
        yield "variable"
        yield "constant" if is_constant(v) else "function" if v.inputs else "input"
        if v is self.selection.z:
            yield "z"
        if v is highlight.current:
            yield "current"
        elif v in highlight.tags:
            yield "neighbour"
        if v is highlight.active:
            yield "active"
        if v in highlight.totals and v not in highlight.running:
            yield "finished"
        if self.captions.breaks(v):
            yield "not-finite"
        if mark := mark_of(v):
            yield mark.kind
        if dim:
            yield "dimmed"


def parameters_of(inside, captions):
    """Return what the box of a function shows of the parameters in it: each, or one summary of many arrays."""
    if len(inside) > MOST_PARAMETERS and all(map(is_array, inside)):
        return [Summary(inside, captions)]
    return [(Parameter if is_array(x) else NumberParameter)(x, captions) for x in inside]


class Parameter:
    """A parameter in the box of its function: its name and shape, the norm of its gradient, and a picture of the gradient."""

    def __init__(self, x, captions):
        self.theme, gradient = captions.theme, captions.gradients.get(x)
        self.name = Line(UNICODE.name(captions.short.name(x)), VALUE, self.theme.ink, italic=True)
        self.shape = Line(shape_and_kind(x, x.shape), FORMULA, self.theme.quiet)
        said = f"‖{captions.total(x)}‖ = {in_four_digits(length(gradient))}" if is_array(gradient) else ""
        self.band = Line(said, FORMULA, self.theme.ink)
        self.heat = heatmap(gradient if is_array(gradient) else captions.on.data(x), self.theme)
        self.width = max(self.name.width + self.shape.width + 14, self.band.width, self.heat.width if self.heat else 0) + 2 * MARGIN

    def table(self, wide):
        wide -= 2 * MARGIN
        inside = [apart(self.name, self.shape, wide, MARGIN)]
        inside += [centred(self.band, wide)] if self.band.text else []
        inside += [around(self.heat.table, wide, self.heat.width)] if self.heat else []
        return around(frame(rows(*inside, space(3)), self.theme.input_fill, self.theme.faint), wide + 2 * MARGIN, wide + 2)


class Summary:
    """Many parameters in the box of their function, such as those of a block that is computed again: their number and their norm."""

    def __init__(self, inside, captions):
        self.theme, gradients = captions.theme, [captions.gradients.get(x) for x in inside]
        size = plural(sum(prod(x.shape) for x in inside), "number")
        self.texts = [Line(f"{plural(len(inside), 'parameter')}, {size}", FORMULA, self.theme.ink)]
        if all(map(is_array, gradients)):
            self.texts.append(Line(f"‖gradient‖ = {in_four_digits(length(*gradients))}", FORMULA, self.theme.ink))
        self.width = max(line.width for line in self.texts) + 2 * MARGIN

    def table(self, wide):
        inside = rows(space(2), *(centred(line, wide - 2 * MARGIN) for line in self.texts), space(3))
        return around(frame(inside, self.theme.input_fill, self.theme.faint), wide, wide - 2 * MARGIN + 2)


class NumberParameter:
    """A parameter that is a number, in one line of the box of its function: its name and value, and its gradient."""

    def __init__(self, x, captions):
        self.theme = captions.theme
        self.name = Line(f"{captions.name(x)} = {captions.number(captions.on.data(x))}", FORMULA, self.theme.ink)
        self.band = Line(next(iter(captions.gradient_lines(x)), ""), FORMULA, self.theme.ink)
        self.width = self.name.width + self.band.width + 14 + 2 * MARGIN

    def table(self, wide):
        wide -= 2 * MARGIN
        inside = rows(space(1), apart(self.name, self.band, wide, MARGIN), space(1))
        return around(frame(inside, self.theme.input_fill, self.theme.faint), wide + 2 * MARGIN, wide + 2)


def shape_and_kind(v, shape):
    """Return the shape of an array, and its dtype if it is not float64."""
    kind = str(getattr(v, "dtype", "float64"))
    return shape_text(shape) + ("" if kind == "float64" else f" {kind}")

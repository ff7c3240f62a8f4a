"""Draw a graph. Knows nodes, not what they hold.

Legend: y is a variable that some function made, x one of its inputs, an edge (y, slot) one use of a variable: the input
number `slot` of y's function.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from copy import copy

from scalargrad.graph import Graph, node_of
from scalargrad.names import name_all
from scalargrad.operators import SUM
from scalargrad.spelling import shape_text
from scalargrad.steps import quantities
from scalargrad.symbols import Symbol
from scalargrad.trace import Trace
from scalargrad.value import Constant
from viz.arrays import is_array
from viz.fold import folding, is_constant
from viz.folded import Boxes
from viz.grid import block
from viz.label import FONT, LONGEST, Line, apart, around, centred, cut, frame, gap, row, rows, space, table, tip
from viz.layout import Drawing
from viz.part import NOTHING, Together, highlight, part_of
from viz.theme import THEMES
from viz.words import UNICODE

DIRECTIONS = {"LR": "left to right", "TB": "top to bottom"}
PARTIALS = ("numbers", "symbols", "both")
LONGEST_NAME = 20
LONGEST_AT_EDGES = 30  # characters of a formula at an edge; a longer one stands in the tooltip
NAME, VALUE, BAND, FORMULA, TAG, EDGE = 16, 15, 13, 12, 10, 12  # font sizes
MARGIN, NARROWEST, TAG_HEIGHT, THICKEST = 6, 60, 15, 3


def draw(
    z,
    *,
    step: int | None = None,
    gradients: Mapping | None = None,
    partials: str | None = None,
    arguments: bool = False,
    saved: bool = False,
    direction: str = "LR",
    theme: str = "light",
    names: Mapping | None = None,
    fold: str | Sequence[str] | None = None,
    depth: int | None = None,
    expand: str | Sequence[str] | None = None,
    max_nodes: int = 200,
) -> Drawing:
    """The graph of a variable z as a graphviz.Digraph; a notebook shows it, `.render("name", format="svg")` writes a file.

    A box holds a variable's name (its own, the one in `names`, or the caller's), its value and its gradient: what `.grad`
    holds if backward() has run, or `gradients`, a dictionary such as backpropagation(z) gives ({} shows none). A gradient
    that is not dz/dx, because it was added up over calls or came from another z, is written `grad`. An array shows its shape
    and, up to 6×6, its numbers; a constant tensor, which has no gradient, is dotted. After backward() a graph of tensors is
    released and cannot be drawn (ValueError), unless backward(retain_graph=True).
    `partials` is "numbers", "symbols" or "both" for ∂y/∂x on the edges, for G_XY between tensors. Edges are numbered where a
    function uses a variable twice, all of them with `arguments=True`. `saved=True` says what each function's inputs are and
    what it keeps of them to go backward. `direction` is "LR" or "TB", `theme` "light" or "dark".
    z may also be a list or an array of Values, as zoom(...).z is.
    For a Trace the drawing shows what is known after its step number `step` (from 0, default the last), and what the
    step looks at.
    A scope (`with scope("layer1")`) is a frame; a folded one is a single box, and what repeats is drawn once, with ×n.
    `depth=1` folds the outermost scopes, `depth=2` those in them; `fold="layer1"` folds one, `fold="neuron*"` all of that
    name, `expand="layer1/neuron3"` opens one. A graph of more than `max_nodes` variables is folded until it fits on a page,
    and what is then still too much is left out: the nearest to z (and to the step) are drawn. The picture says so.

    >>> from scalargrad import Value
    >>> x = Value(3, name="x"); drawing = draw(x * x, partials="symbols")
    >>> drawing.pipe("png")[:4]
    b'\\x89PNG'
    """
    choose("direction", direction, DIRECTIONS)
    choose("theme", theme, THEMES)
    choose("partials", partials, (None, *PARTIALS))
    if type(max_nodes) is not int or max_nodes < 1:
        raise ValueError(f"draw: max_nodes is {max_nodes!r}; it must be a whole number from 1 on")
    here = NOTHING
    if isinstance(z, Trace):
        here = highlight(z, len(z) - 1 if step is None else step)
        names = {**z.names, **(names or {})}
        gradients = here.totals if gradients is None else gradients
    elif step is not None:
        raise TypeError(f"draw: step={step!r} needs a Trace, which has steps: draw(Trace(z), step={step!r})")
    if depth is not None and (type(depth) is not int or depth < 1):
        raise ValueError(f"draw: depth is {depth!r}; it must be a whole number from 1 on: 1 folds the outermost scopes")
    z = z.graph.z if isinstance(z, Trace) else z.z if isinstance(z, Graph) else z
    part = part_of(z, max_nodes, here.tags, folding(fold, depth, expand))
    return Picture(part, here, names, gradients, partials, arguments, saved, THEMES[theme]).drawing(direction)


def choose(keyword, given, known, who="draw"):
    if given not in known:
        raise ValueError(f"{who}: {keyword} is {given!r}; choose one of {', '.join(map(repr, known))}")


class Picture:
    """Everything that a drawing is made from; the methods write its parts."""

    def __init__(self, part, here, names, gradients, partials, arguments, saved, theme):
        self.part, self.here, self.partials, self.arguments, self.saved, self.theme = part, here, partials, arguments, saved, theme
        self.stepping = here.widest is not None
        self.drawn: dict = {}  # the constant tensors
        outputs = {y: box for box in part.boxes for y in part.folded.outputs[box][:1]}
        hidden = [v for v in (part.z, here.current, here.active) if v is not None and v not in part.number]
        beyond = dict.fromkeys([*hidden, *outputs, *(x for y in part.variables for x in y.inputs if x not in part.number)])
        names_of_boxes = part.folded.names(part.boxes) if part.boxes else {}
        titles = {y: names_of_boxes[box] for y, box in outputs.items() if y is not part.z}
        self.names = name_all(Together(part.z, [*beyond, *part.variables]), {**titles, **(names or {})})
        self.on = quantities(part.graph, self.names)
        self.short = copy(self.on)
        self.short.names = {v: cut(name, LONGEST_NAME) for v, name in self.names.items()}
        self.short.names |= {y: cut(box.title, LONGEST_NAME) for y, box in outputs.items() if y is not part.z}
        self.gradients, self.exact = {}, part.z is not None
        if gradients is not None:
            self.gradients = {node_of(v): total.data if hasattr(total, "inputs") else total for v, total in gradients.items()}
        elif part.z is not None:
            self.gradients, self.exact = self.on.gradients()

    # Text

    def name(self, v):
        return UNICODE.name(cut(self.names[v], LONGEST_NAME))

    def number(self, value):
        """A number in a few digits, with its sign; an array as it stands within a line."""
        return cut(UNICODE.number(value), LONGEST)

    def gradient(self, v, number):
        return f"{self.total(v)} = {number}"

    def total(self, v):
        """dz/dv, if that is what the gradient is."""
        return UNICODE.formula(self.short.total(v)) if self.exact else "grad"

    def equation(self, y):
        """y = f(x, ...), or as much of it as fits."""
        formula = self.on.written(y)
        if isinstance(formula, Symbol) and formula.size > LONGEST:
            inputs = ", ".join(map(self.name, y.inputs[:4])) + ", …" * (len(y.inputs) > 4)
            return cut(f"{self.name(y)} = {y.rule.name}({inputs})")
        return cut(f"{self.name(y)} = {UNICODE.formula(formula)}")

    def partial(self, y, slot, what, longest=None, room=LONGEST):
        """∂y/∂x = its formula = its number, as far as `what` asks for it; of tensors the contribution, as far as it is known."""
        parts = [UNICODE.formula(self.short.ratio(y, slot))]
        formula = self.on.written_partial(y, slot) if what != "numbers" else None
        if formula is not None and getattr(formula, "size", 1) <= LONGEST:
            text = UNICODE.factor(formula, first=True, loosest=SUM)
            parts += [cut(text, room)] if longest is None or len(text) <= longest else []
        number = self.on.on_edge(y, slot, self.here.final or (self.gradients if self.exact else {})) if what != "symbols" else None
        if number is not None:
            parts.append(self.number(number))
        return " = ".join(dict.fromkeys(parts))

    def sentence(self, v):
        """A variable in words: its formula, value and gradient."""
        said = f"{self.equation(v) if v.rule else self.name(v)} = {self.number(self.on.data(v))}"
        said += f", {v.dtype}" if is_array(v) else ""
        if is_constant(v):
            return f"{said} (constant)"
        return f"{said}, {self.gradient(v, self.number(self.gradients[v]))}" if v in self.gradients else said

    # The drawing

    def drawing(self, direction):
        theme, part = self.theme, self.part
        boxes = Boxes(self) if part.folded else None
        sentences = [self.sentence(v) for v in reversed(part.variables[-20:])] + [boxes.sentence(b) for b in part.boxes[:20]]
        d = Drawing("graph", filename="graph.gv", format="svg")
        d.attr(
            rankdir=direction,
            bgcolor=theme.paper,
            pad="0.15",
            ranksep="0.55" if direction == "LR" else "0.4",
            nodesep="0.2",
            id="graph",
            tooltip=tip(cut("; ".join(sentences), 2000)),
            fontname=FONT,
            fontsize="13",
            fontcolor=theme.ink,
        )
        d.attr("node", shape="plain", fontname=FONT, fontcolor=theme.ink)
        d.attr("edge", fontname=FONT, fontsize=str(EDGE), color=theme.line, arrowsize="0.7")
        if boxes:
            boxes.write(d, direction)
        else:
            for v in part.variables:
                self.node(d, v)
            for y in part.variables:
                self.edges(d, y)
        self.constants(d)
        many = len(part.graph.variables)
        if part.boxes:
            d.attr(label=f"<{row(Line(boxes.caption(), BAND, theme.quiet).cell())}>", labelloc="b")
        elif many > len(part.variables):
            d.attr(label=f"graph has {many:,} variables; showing {len(part.variables):,}", labelloc="b")
        return d

    def node(self, d, v):
        theme, here = self.theme, self.here
        dim = self.dim(v)
        ink, line = (theme.quiet, theme.faint) if dim else (theme.ink, theme.line)
        fill = theme.function_fill if v.inputs else theme.input_fill
        border, style = 1, "ROUNDED,DOTTED" if is_constant(v) else "ROUNDED"
        if v is here.current:
            fill, line, border = theme.current_fill, theme.current, THICKEST
        elif v is here.active:
            fill, line, border = theme.child_fill, theme.child, THICKEST
        elif v in here.tags:
            line, border, style = theme.child, 2, "ROUNDED,DASHED"
        d.node(
            self.id(v),
            label=f"<{frame(self.inside(v, ink, dim), fill, line, border, style, room=THICKEST)}>",
            tooltip=tip(self.sentence(v)),
            **self.marks(self.id(v), self.classes(v, dim)),
        )

    def inside(self, v, ink, dim):
        """What stands in the box of a variable: its name and value, its gradient, its formula."""
        theme, data = self.theme, self.on.data(v)
        name = Line(cut(UNICODE.name(self.on.name(v)), LONGEST_NAME), NAME, ink, italic=True)
        shape = getattr(v, "shape", ())
        matrix = block(data, theme, ink, shape, pictured=self.stepping or not is_array(self.gradients.get(v))) if shape else None
        value = Line(shape_and_kind(v, shape), FORMULA, theme.quiet) if shape else Line(self.number(data), VALUE, ink, bold=True)
        bands = [Line(text, BAND, ink) for text in self.bands(v)]
        total = self.gradient_block(v, ink) if bands and shape else None
        formulas = [Line(text, FORMULA, theme.quiet) for text in self.formulas(v)]
        blocks = [each.width for each in (matrix, total) if each]
        wide = max(NARROWEST, name.width + value.width + 14, *(line.width for line in bands + formulas), *blocks) + 2 * MARGIN
        inside = [self.tag(v, wide)] if self.stepping else []
        inside += [space(3), apart(name, value, wide, MARGIN)]
        if matrix:
            inside += [around(matrix.table, wide, matrix.width), space(3)]
        if total:
            inside += [space(1), centred(bands[0], wide), around(total.table, wide, total.width), space(2)]
        elif bands:
            inside += [around(frame(centred(bands[0], wide - 8), *self.tint(v, dim)), wide, wide - 6), space(2)]
        return rows(*inside, *[centred(line, wide) for line in formulas], space(3))

    def formulas(self, v):
        """What stands below a value: the function that made it, and what that keeps to go backward, if one asks."""
        if not v.rule:
            return ["constant, no gradient"] * (is_constant(v) and not isinstance(v, Constant))
        if not self.saved:
            return [self.equation(v)]
        kept = [
            f"{UNICODE.formula(name)} {shape_text(x.shape)}" if is_array(x) else f"{UNICODE.formula(name)} = {self.number(x)}"
            for name, x in self.on.saved(v)
        ]
        taken = ", ".join(map(self.name, v.inputs[:4])) + ", …" * (len(v.inputs) > 4)
        return [self.equation(v), cut(f"inputs: {taken}"), cut(f"saved: {', '.join(kept) or 'nothing'}")]

    def gradient_block(self, v, ink):
        """The gradient of an array; in a trace room for all that it will be."""
        now = self.gradients.get(v)
        later = [a for a in (*self.here.widest.get(v, ()), self.here.final.get(v)) if is_array(a)] if self.stepping else []
        return block(now if is_array(now) else None, self.theme, ink, v.shape, later, pictured=not self.stepping)

    def constants(self, d):
        """The constant tensors among the arguments of what is drawn; nothing is handed on to them."""
        taken = {}
        for y in self.part.variables:
            for c in self.on.constants(y):
                taken.setdefault(id(c), (c, []))[1].append(self.id(y))
        for c, takers in taken.values():
            self.constant(d, c, takers)

    def constant(self, d, c, takers):
        """A constant tensor, drawn once, and its edges to the things with these ids."""
        if id(c) not in self.drawn:
            self.drawn[id(c)] = at = f"c{len(self.drawn)}"
            dim = self.here.current is not None
            ink, line = (self.theme.quiet, self.theme.faint) if dim else (self.theme.ink, self.theme.line)
            inside = self.inside(c, ink, dim)
            d.node(
                at,
                label=f"<{frame(inside, self.theme.input_fill, line, 1, 'ROUNDED,DOTTED', room=THICKEST)}>",
                tooltip=tip(f"{UNICODE.name(self.on.name(c))} = {self.number(self.on.data(c))} (constant)"),
                **self.marks(at, ["variable", "constant"]),
            )
        at = self.drawn[id(c)]
        for taker in takers:
            d.edge(at, taker, style="dotted", **self.marks(f"{at}_{taker}", ["constant"]))

    def id(self, v):
        return f"v{self.part.number[v]}"

    def marks(self, id, classes):
        """What reaches the SVG for a page to style and animate; made by us, never the user's text."""
        return {"id": id, "class": " ".join(classes)}

    def dim(self, v):
        return self.here.current is not None and v not in self.here.tags

    def bands(self, v):
        """What v's gradient says now; and, so that boxes keep their size from step to step, what else it says in the trace."""
        if is_constant(v):
            return []
        if getattr(v, "shape", ()):
            return self.bands_of_array(v)
        if not self.stepping:
            return [self.gradient(v, self.number(self.gradients[v]))] if v in self.gradients else []
        now = self.number(self.gradients[v]) + " …" * (v in self.here.running) if v in self.gradients else "?"
        return [self.gradient(v, now), *(self.gradient(v, f"{self.number(n)} …") for n in self.here.widest.get(v, ()))]

    def bands_of_array(self, v):
        """What stands above the gradient of an array."""
        total, now = self.total(v), self.gradients.get(v)
        if not self.stepping:
            return [total] if now is not None else []
        asked, begun = f"{total} = ?", f"{total} = 0 …"
        if now is None:
            return [asked, begun]
        return [total if v not in self.here.running else f"{total} …" if is_array(now) else begun, asked, begun]

    def tint(self, v, dim):
        """The colours behind v's gradient and around it: by its sign once it is known."""
        theme, total = self.theme, self.gradients.get(v)
        if total is None or v in self.here.running:
            return "transparent", "transparent"
        fill, edge = theme.zero_fill, theme.line
        if total > 0:
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
        if dim:
            yield "dimmed"

    def edges(self, d, y):
        """The edges to y; what is not drawn of its inputs is said in a box of its own."""
        uses = Counter(map(id, y.inputs))
        for slot, x in enumerate(y.inputs):
            if x in self.part.number:
                self.edge(d, x, y, slot, numbered=self.arguments or uses[id(x)] > 1)
        missing = sum(x not in self.part.number and self.part.thing(x) not in self.part.boxes for x in y.inputs)
        if missing:
            line = Line(f"… {missing:,} input{'s' * (missing > 1)}", FORMULA, self.theme.quiet)
            at = f"m{self.part.number[y]}"
            d.node(at, label=f"<{row(line.cell())}>", **self.marks(at, ["left-out"]))
            d.edge(at, self.id(y), style="dotted", **self.marks(f"{at}e", ["left-out"]))

    def edge(self, d, x, y, slot, numbered):
        theme, here, use = self.theme, self.here, (y, slot)
        look = {}
        if use in here.at_work:
            look, said = {"color": theme.active, "penwidth": "3"}, "active"
        elif use in here.edges:
            look, said = {"color": theme.child, "penwidth": "2", "style": "dashed"}, "neighbour"
        elif here.current is not None:
            look, said = {"color": theme.faint}, "dimmed"
        else:
            said = "use"
        longest = {"symbols": None, "both": LONGEST}.get(self.partials, LONGEST_AT_EDGES)
        text = self.partial(y, slot, self.partials or self.on.at_edges, longest) if self.partials or self.stepping else ""
        shown = self.partials or (use in here.edges and use in here.known)
        parts = [f"input {slot + 1}"] * numbered + [text] * bool(text)
        if parts:
            ink = theme.quiet if said == "dimmed" else theme.active if use in here.edges else theme.ink
            line = Line(": ".join(parts), EDGE, ink)
            if text and not shown:  # the place is kept free, so that nothing moves from step to step
                number = Line(parts[0] if numbered else "", EDGE, ink)
                label = row(number.cell(), gap(line.width - number.width, line.height))
            else:
                label = table(f"<TR>{line.cell()}</TR>", f'BORDER="0" CELLPADDING="0" BGCOLOR="{theme.paper}"')
            look["label"] = f"<{row(gap(4, 1), f'<TD>{label}</TD>', gap(4, 1))}>"
        d.edge(
            self.id(x),
            self.id(y),
            tooltip=tip(self.partial(y, slot, "both", room=3 * LONGEST)),
            labeltooltip=tip(self.partial(y, slot, "both", room=3 * LONGEST)),
            **look,
            **self.marks(f"e{self.part.number[y]}_{slot}", [said]),
        )


def shape_and_kind(v, shape):
    """The shape of an array; and of what kind its numbers are, where it is not float64."""
    kind = str(getattr(v, "dtype", "float64"))
    return shape_text(shape) + ("" if kind == "float64" else f" {kind}")

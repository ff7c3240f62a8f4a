"""Draw a graph: `draw(z)` and its options. It knows nodes, not what they hold."""

import textwrap
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import cycle
from math import inf

from scalargrad.tracing.trace import Trace
from scalargrad.user_names.function_result import result_of
from viz.drawing.captions import Captions
from viz.drawing.dot_statements import Statements
from viz.drawing.edges import LINE, LINES, NUMBER, Edges
from viz.drawing.folded_nodes import FoldedNodes
from viz.drawing.folding import ONE_SCREEN, Folding
from viz.drawing.highlight import highlight_of
from viz.drawing.nodes import Nodes
from viz.drawing.placing import placed
from viz.drawing.repeats import Repeats
from viz.drawing.selection import select
from viz.drawing.svg.both_themes import follow_reader
from viz.drawing.svg.graphviz_engine import Drawing
from viz.drawing.svg.html_label import FONT, LONGEST, Line, centred, cut, rows, tip
from viz.drawing.writing import EDGE_OF_PAPER, bounds, share_crossed, write
from viz.graphs.detail import in_detail
from viz.graphs.marks import legend
from viz.layout.rows import PAGE
from viz.options import choose, count, require
from viz.theme import THEMES, TRACKS

DIRECTIONS = {"LR": "left to right", "TB": "top to bottom"}
PARTIALS = ("numbers", "symbols", "both")
FUNCTIONS = ("nodes",)
AUTO = "auto"  # a theme: light or dark, as the reader prefers
CAPTION, EDGE = 13, 12  # font sizes
NARROW, NARROW_BELOW = 24, 0.7  # characters of a line of a formula in a narrow box; of texts, the share below which boxes are to be narrow
AT_EDGES = "The number at an arrow from x to y is ∂y/∂x."
LONGEST_LINE, LONGEST_TOOLTIP = 60, 2000  # characters of a line below the drawing; of its tooltip
MANY_TRACKS = 4  # boxes of a row from which lines turn to another: those of fewer can be told apart without colours
HIGH, DOWNWARDS, SMALLEST = 1.5, 1.25, 0.6  # times as high as wide is too high; what a drawing downwards costs; of texts, this share
ANY_SHEET, UNFIT = (0, inf), 10  # the least size and the most height of a drawing; what one that is not so costs
TOO_SMALL = 2.4  # a drawing of half as large texts costs 2 to this power times as much
BETWEEN, APART = {"LR": 40, "TB": 29}, 14  # points between ranks; between the boxes of a rank


def draw(
    z,
    *,
    names: Mapping | None = None, gradients: Mapping | None = None, step: int | None = None,  # what is known of the variables
    partials: str | None = None, arguments: bool = False, saved: bool = False, functions: str | None = None,  # what is written
    detail: str | None = None, opened=(),  # statements or operations
    fold: str | Sequence[str] | None = None, depth: int | None = None, expand: str | Sequence[str] | None = None, max_nodes: int = 200,
    direction: str | None = None, theme: str = "light", width: float = PAGE,  # how it looks
) -> Drawing:  # fmt: skip
    """Draw the graph of a variable z. A notebook shows the drawing, `.save("z.svg")` writes it to a file.

    z is a Value, a Tensor, a Graph, a Trace, or a list or an array of Values such as zoom(...).z. It may be a function of no
    arguments that returns one: draw(lambda: loss(w, x)) shows the variables under the names that they have in the function.

    A box shows a variable's name, its value and its gradient. The name is its own, the one in `names`, the caller's, or the one that
    `named` gave it. The gradient is `.grad` after backward(), or the one in `gradients`, a dictionary such as backpropagation(z) returns
    ({} shows none). A gradient is written `grad` if it is not dz/dx: several calls were accumulated, or it came from another z.
    An array shows its shape and, up to 6×6, its numbers; a larger one is a picture with a scale. A constant tensor has no
    gradient, and a dotted frame.
    backward() releases a graph of tensors. The drawing computes arrays that your program does not hold again, from the leaves. An
    array that needs a lost leaf or a dropped constant, such as a random mask, is written `freed`. Raises ChangedError if a leaf has
    changed. Gradients are written `grad`, since they can no longer be checked; backward(retain_graph=True) keeps dz/dx.
    For a Trace, the drawing highlights step number `step` (from 0; the default is the last), and shows what is known after it.

    `partials` is "numbers", "symbols" or "both", and shows ∂y/∂x at the edges, between tensors G_XY. Where ∂y/∂x = 3 has no room at its
    edge, "numbers" is 3 alone. Edges are numbered if a
    function uses a variable twice, or with `arguments=True`. `saved=True` shows each function's inputs and saved values.
    `functions="nodes"` draws each function as a node of its own between its inputs and its output: A → matmul → C.

    A graph of more than ten variables is drawn in statements: a box for each name of the program, h = tanh(w·x + b), and at its arrows the
    partials of the whole formula. detail="operations" draws every operation, detail="statements" folds small graphs too. `opened` are
    variables, or their names, whose operations are drawn.

    A scope (`with scope("layer1")`) is a frame. A folded scope is one box. Equal boxes in a row are drawn once, with ×n.
    `depth=1` folds the outermost scopes, `depth=2` the scopes in them. `fold="layer1"` folds one scope, `fold="neuron*"` all
    scopes of that name, and `expand="layer1/neuron3"` opens one. A graph of more than `max_nodes` variables is folded until
    it fits on a page. If it is still too large, the variables nearest to z (and to the step) are drawn. The drawing says so.
    In a graph of more than one screen, parameters stand in the boxes of their functions, except in a trace.
    A variable that many functions use has one box, "used 100 times", and a small box beside each distant use.

    `direction` is "LR" or "TB"; without it a graph of which few boxes fit into a row runs from top to bottom. `theme` is "light", "dark"
    or "auto": an SVG with theme="auto" is dark for readers who prefer dark, by CSS inside it; other formats are light.
    No drawing is wider than `width` points (an inch has 72; by default 1200 pixels, which can still be
    read on paper and in a README). One from left to right continues in the
    next row, as text does. If a single rank is wider, all is smaller; so is a drawing that would be higher than 1.5 times `width`, down to
    0.6 of its size: more has room in a row then.

    Without a layout engine, saving the picture raises NoEngine.

    >>> from scalargrad import Value
    >>> x = Value(3, name="x"); drawing = draw(x * x, partials="symbols")
    >>> drawing.pipe("png")[:4]
    b'\\x89PNG'
    """
    choose((None, *DIRECTIONS), direction=direction)
    choose((*THEMES, AUTO), theme=theme)
    choose((None, *PARTIALS), partials=partials)
    choose((None, *FUNCTIONS), functions=functions)
    require(step=step, gradients=gradients, names=names, fold=fold, expand=expand, width=width)
    count(max_nodes=max_nodes)
    if depth is not None:
        count(depth=depth)
    z, leaves = result_of(z)  # the leaves, and `shown`, live until the captions have their arrays
    whole = functions is not None or fold is not None or depth is not None or expand is not None
    z, names, gradients, shown = in_detail(z, detail, opened, names, gradients, whole, max_nodes)
    highlight = highlight_of(z, step)
    together = inf if isinstance(z, Trace) else ONE_SCREEN  # a trace visits every variable, so each has its own box
    if isinstance(z, Trace):
        names = {**z.names, **(names or {})}
        gradients = highlight.totals if gradients is None else gradients
    selection = select(z, max_nodes, highlight.tags, Folding(fold, depth, expand, together, inside=functions is None))
    options = {"names": names, "gradients": gradients, "partials": partials, "arguments": arguments, "saved": saved, "functions": functions}
    captions = Captions(selection, highlight, THEMES["light" if theme == AUTO else theme], **options)
    light = drawing(captions, direction, width)
    if theme != AUTO:
        return light
    return follow_reader(light, drawing(captions.in_colours(THEMES["dark"]), direction, width, light.way))


def draw_part(trace, variables, step=None, width=PAGE, sheet=ANY_SHEET, unknown="?"):
    """Return a Drawing of some variables of a trace, z among them; it says how many the graph has.

    `sheet` is the least size of its texts, as a share of the usual one, and the most height, in points, if that is possible.
    `unknown` stands for a derivative that the step does not know. No other step has room in it.
    """
    highlight = highlight_of(trace, step)
    selection = select(trace, len(variables), variables)
    captions = Captions(selection, highlight, THEMES["light"], names=trace.names, gradients=highlight.totals)
    captions.sheet, captions.unknown, captions.moves = sheet, unknown, False
    return drawing(captions, None, width)


def drawing(captions, direction, width=PAGE, way=None):
    """Return a Drawing of a selection, with its captions, that is at most `width` points wide.

    If the graph from left to right is wider, the labels at its edges have several lines, and without a `direction` it may run downwards.
    `way` is that of a drawing of the same boxes in other colours.
    """
    shown = width - 2 * EDGE_OF_PAPER
    best = Arranged(captions, shown, *way) if way else arranged(captions, direction, shown)
    colour_tracks(best.statements, best.places, captions.theme)
    d = Drawing("graph", filename="graph.gv", format="svg")
    d.way = best.way
    set_attributes(d, captions, best.folded)
    write(d, best.statements, best.places, width, label_below(captions, best.folded, best.explains))
    return d


def arranged(captions, direction, room):
    """Return the Arranged of least cost. If it is higher than HIGH times its room is wide, it is laid out in a wider room and made smaller:
    twice as wide is half as high, and half of that when it is made smaller.
    """
    best = best_within(captions, direction, room, room)
    least = max(SMALLEST, (HIGH * room / max(best.high, 1)) ** 0.5)
    for scale in dict.fromkeys((least, SMALLEST)):
        if best.high > HIGH * room:
            best = cheapest([best, best_within(captions, direction, room / scale, room)])
    return best


def best_within(captions, direction, room, shown):
    """Return the Arranged of least cost for a room, `shown` in another."""
    best, labels = Arranged(captions, shown, direction or "LR", room), NUMBER if captions.has_plain_numbers else LINES
    if best.is_wide:
        labelled, downwards = captions.partials or captions.moves, not (direction or captions.selection.folded)
        ways = [direction or "LR"] * bool(labelled) + ["TB"] * downwards
        best = cheapest([best, *(Arranged(captions, shown, way, room, labels) for way in ways)])
    if best.scale < NARROW_BELOW:
        ways = [direction] if direction else list(DIRECTIONS)[: 1 if captions.selection.folded else 2]
        best = cheapest([best, *(Arranged(captions, shown, way, room, labels, longest=NARROW) for way in ways)])
    return best


def cheapest(ways):
    """Return the first Arranged of least cost. Labels take long to place, so one whose boxes alone cost more is not tried."""
    tried = []
    for k, way in sorted(enumerate(ways), key=lambda each: each[1].least):
        if tried and way.least > min(tried)[0]:
            break
        tried.append((way.cost, k))
    return ways[min(tried)[1]]


class Arranged:
    """The statements of a drawing in one direction, and their places in a room that is then made as small as `shown`. `labels` says
    how those of edges are written; formulas of more than `longest` characters have several lines.

    A leaf that would be used in a row after its own is drawn again there.
    """

    def __init__(self, captions, shown, direction, room, labels=LINE, longest=LONGEST):
        self.sheet, self.shown = captions.sheet, shown
        self.turned, self.room, self.way, repeats = direction == "TB", room, (direction, room, labels, longest), Repeats(captions)
        self.place(captions, direction, repeats, labels, longest)
        if repeats.add(self.places.leaves_of_other_rows):
            self.place(captions, direction, repeats, labels, longest)

    def place(self, captions, direction, repeats, labels, longest):
        self.statements, self.folded = gathered(captions, repeats, labels, longest)
        distances = {"between": BETWEEN[direction], "apart": APART} | (self.folded.distances() if self.folded else {})
        self.places = placed(self.statements, **distances, turned=self.turned, width=self.room)

    @property
    def explains(self):
        """Whether a line below says which numbers the edges have."""
        return NUMBER in self.way

    @property
    def is_wide(self):
        """Whether it is in rows, or smaller than its texts should be."""
        return self.places.is_in_rows or self.wide > self.room

    @cached_property
    def size(self):
        return size_of(bounds(self.places))

    @property
    def wide(self):
        return self.size[0]

    @property
    def scale(self):
        return min(1, self.shown / max(self.wide, 1))

    @property
    def high(self):
        """The height as it is shown."""
        return self.size[1] * self.scale

    @cached_property
    def cost(self):
        """Return its height, more if it runs downwards (what is read along a line is easier to follow), or if its texts are too small, or
        if lines run across labels; much more if a sheet of paper cannot show it.
        """
        least, high = self.sheet
        unfit = UNFIT if self.scale * min(1, high / max(self.high, 1)) < least else 1
        return self.cost_of(*self.size) * (1 + share_crossed(self.places)) * unfit

    @cached_property
    def least(self):
        """The cost of its boxes alone: with lines and labels it costs as much or more."""
        return self.cost_of(*size_of(self.places.around_boxes))

    def cost_of(self, wide, high):
        scale = min(1, self.shown / max(wide, 1))
        small = max(1, SMALLEST / scale) ** TOO_SMALL / max(scale, SMALLEST)
        return high * scale * (DOWNWARDS if self.turned else 1) * small


def size_of(bounds):
    left, top, right, bottom = bounds
    return right - left, bottom - top


def colour_tracks(statements, places, theme):
    """Give the lines from each box a colour where lines of many boxes run side by side to another row, so that each can be followed."""
    tracks = {name: colour for row in places.turning.values() if len(row) >= MANY_TRACKS for name, colour in zip(row, cycle(TRACKS[theme]))}
    for tail, _, _, look in statements.edges:
        if tail in tracks:
            look.setdefault("color", tracks[tail])


def gathered(captions, repeats, labels=LINE, longest=LONGEST):
    """Return the Statements of a drawing, and what writes folded scopes, if there are any."""
    selection, statements = captions.selection, Statements()
    nodes, edges = Nodes(captions, statements, repeats, longest), Edges(captions, statements, repeats, labels)
    folded = FoldedNodes(nodes, edges) if selection.folded else None
    if folded:
        folded.write()
    else:
        for v in selection.variables:
            nodes.node(v)
        for y in selection.variables:
            edges.edges(y)
    for at in repeats.constants:
        nodes.constant(at)
    return statements, folded


def set_attributes(d, captions, folded):
    """Set the attributes of the whole drawing, and of all nodes and edges."""
    theme, selection = captions.theme, captions.selection
    sentences = [captions.sentence(v) for v in reversed(selection.variables[-20:])]
    sentences += [folded.contents.sentence(box) for box in selection.boxes[:20]]
    text = {"fontname": FONT, "fontcolor": theme.ink}
    tooltip = tip(cut("; ".join(sentences), LONGEST_TOOLTIP))
    d.sentences = sentences
    d.attr(bgcolor=theme.paper, id="graph", tooltip=tooltip, fontsize=str(CAPTION), **text)
    d.attr("node", shape="plain", **text)
    d.attr("edge", fontname=FONT, fontsize=str(EDGE), color=theme.line, arrowsize="0.7")


def label_below(captions, folded, explained=False):
    """Return the label below a drawing, or None: which numbers are at edges if that is to be `explained`, what is not finite, and how much
    of the graph is shown.
    """
    theme, selection = captions.theme, captions.selection
    lines = [Line(AT_EDGES, CAPTION, theme.quiet)] * explained
    lines += [Line(line, CAPTION, theme.not_finite, bold=True) for line in textwrap.wrap(captions.warning(), LONGEST_LINE)]
    for kind, said in legend(selection.graph.variables):
        lines += [Line(line, CAPTION, getattr(theme, kind)) for line in textwrap.wrap(said, LONGEST_LINE, break_on_hyphens=False)]
    everything, shown = len(selection.graph.variables), len(selection.variables)
    if folded and (said := folded.caption()):
        lines.append(Line(said, CAPTION, theme.quiet))
    elif everything > shown:
        lines.append(Line(f"graph has {everything:,} variables; showing {shown:,}", CAPTION, theme.ink))
    wide = max((line.width for line in lines), default=0)
    return f"<{rows(*(centred(line, wide) for line in lines))}>" if lines else None

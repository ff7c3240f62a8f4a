"""Draw a graph: `draw(z)` and its options. Knows nodes, not what they hold."""

import textwrap
from collections.abc import Mapping, Sequence
from math import inf

from scalargrad.graph import Graph
from scalargrad.trace import Trace
from viz.drawing.captions import Picture
from viz.drawing.folded_nodes import Boxes
from viz.drawing.folding import ONE_SCREEN, folding
from viz.drawing.graphviz_engine import Drawing
from viz.drawing.html_label import FONT, Line, centred, cut, rows, tip
from viz.drawing.nodes import Nodes
from viz.drawing.row_wrapping import Sheet
from viz.drawing.selection import NOTHING, highlight, part_of
from viz.drawing.theme import THEMES
from viz.options import choose, require

DIRECTIONS = {"LR": "left to right", "TB": "top to bottom"}
PARTIALS = ("numbers", "symbols", "both")
CAPTION, EDGE = 13, 12  # font sizes
LONGEST_LINE = 60  # characters of a caption
APART = {"LR": 40, "TB": 29}  # points between ranks
INCH = 72  # points


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
    released: an array that your program does not hold is freed, and a gradient is written `grad`, since it can no longer be
    checked. backward(retain_graph=True) keeps both.
    `partials` is "numbers", "symbols" or "both" for ∂y/∂x on the edges, for G_XY between tensors. Edges are numbered where a
    function uses a variable twice, all of them with `arguments=True`. `saved=True` says what each function's inputs are and
    what it keeps of them to go backward. `direction` is "LR" or "TB", `theme` "light" or "dark".
    z may also be a list or an array of Values, as zoom(...).z is.
    For a Trace the drawing shows what is known after its step number `step` (from 0, default the last), and what the
    step looks at.
    A scope (`with scope("layer1")`) is a frame; a folded one is a single box, and what repeats is drawn once, with ×n.
    `depth=1` folds the outermost scopes, `depth=2` those in them; `fold="layer1"` folds one, `fold="neuron*"` all of that
    name, `expand="layer1/neuron3"` opens one. A graph of more than `max_nodes` variables is folded until it fits on a page,
    and what is then still too much is left out: the nearest to z (and to the step) are drawn. Beyond one screen of variables
    parameters stand in the boxes of their functions (not of a trace, which comes to each of them). The picture says all this.
    What many functions use is one box, "used 100 times", and again a small one beside each use that is far from it.
    What goes from left to right and is wider than a page is broken into rows where one line leads on; the terms of a long
    sum stand below each other.

    >>> from scalargrad import Value
    >>> x = Value(3, name="x"); drawing = draw(x * x, partials="symbols")
    >>> drawing.pipe("png")[:4]
    b'\\x89PNG'
    """
    choose(DIRECTIONS, direction=direction)
    choose(THEMES, theme=theme)
    choose((None, *PARTIALS), partials=partials)
    require(step=step, gradients=gradients, names=names, fold=fold, expand=expand)
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
    together = inf if isinstance(z, Trace) else ONE_SCREEN  # a trace comes to every variable, and shows each by itself
    z = z.graph.z if isinstance(z, Trace) else z.z if isinstance(z, Graph) else z
    part = part_of(z, max_nodes, here.tags, folding(fold, depth, expand, together))
    return drawing(Picture(part, here, names, gradients, partials, arguments, saved, THEMES[theme]), direction)


def drawing(picture, direction):
    """What is known of a picture, drawn."""
    theme, part, sheet = picture.theme, picture.part, Sheet(picture.theme.line)
    nodes = Nodes(picture, sheet)
    boxes = Boxes(nodes) if part.folded else None
    look = {"ranksep": APART[direction], "nodesep": "0.2"} | (boxes.look() if boxes else {})
    sentences = [picture.sentence(v) for v in reversed(part.variables[-20:])] + [boxes.contents.sentence(b) for b in part.boxes[:20]]
    d = Drawing("graph", filename="graph.gv", format="svg")
    d.attr(
        rankdir=direction,
        bgcolor=theme.paper,
        pad="0.15",
        id="graph",
        tooltip=tip(cut("; ".join(sentences), 2000)),
        fontname=FONT,
        fontsize=str(CAPTION),
        fontcolor=theme.ink,
        **look | {"ranksep": f"{look['ranksep'] / INCH:.2f}"},
    )
    d.attr("node", shape="plain", fontname=FONT, fontcolor=theme.ink)
    d.attr("edge", fontname=FONT, fontsize=str(EDGE), color=theme.line, arrowsize="0.7")
    if boxes:
        boxes.write(direction)
    else:
        for v in part.variables:
            nodes.node(v)
        for y in part.variables:
            nodes.edges(y)
    for at in nodes.constants:
        nodes.constant(at)
    sheet.write(d, look["ranksep"] if direction == "LR" else None)
    caption = [Line(line, CAPTION, theme.not_finite, bold=True) for line in textwrap.wrap(picture.warning(), LONGEST_LINE)]
    many = len(part.graph.variables)
    if boxes and (said := boxes.caption()):
        caption.append(Line(said, CAPTION, theme.quiet))
    elif many > len(part.variables):
        caption.append(Line(f"graph has {many:,} variables; showing {len(part.variables):,}", CAPTION, theme.ink))
    if caption:
        wide = max(line.width for line in caption)
        d.attr(label=f"<{rows(*(centred(line, wide) for line in caption))}>", labelloc="b")
    return d

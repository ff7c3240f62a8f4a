"""Write edges: one for each use of a variable, or one for all uses between two things; and how many inputs are left out.

Legend: as in viz/drawing/captions.py; a thing is a variable or a box.
"""

from collections import Counter
from math import log2

from scalargrad.formulas.text import shape_text
from viz.drawing.highlight import THICK, edge_look
from viz.drawing.scopes.scopes import Box
from viz.drawing.svg.html_label import LONGEST, Line, centred, gap, row, rows, table, tip
from viz.text.array_text import is_array
from viz.text.formatter import plural

MANY_ALIKE = 12  # uses of a variable by one function; of more, those whose edges say the same are one edge
LONGEST_AT_EDGES = 30  # characters of a formula at an edge; only the tooltip has a longer formula
EDGE, MERGED, LEFT_OUT = 12, 11, 12  # font sizes
LINE, LINES, NUMBER = "line", "lines", "number"  # how a label is written; LINES has one for each equals sign


class Edges:
    """Write the edges of a selection. A label is written as `written` says: in one LINE, in several LINES, or as NUMBER alone."""

    def __init__(self, captions, statements, repeats, written=LINE):
        self.written = written
        self.captions, self.statements, self.repeats = captions, statements, repeats
        self.selection, self.highlight, self.theme = captions.selection, captions.highlight, captions.theme

    def edges(self, y):
        """Write the edges to y. A box says how many of its inputs are not drawn."""
        uses = Counter(map(id, y.inputs))
        if self.captions.has_function_node(y):
            self.output(y)
        alike: dict = {}  # {what an edge says: the places of its uses}
        for slot, x in enumerate(y.inputs):
            if x in self.selection.number:
                alike.setdefault((id(x), self.partial(y, slot)) if uses[id(x)] > MANY_ALIKE else slot, []).append(slot)
        for slots in alike.values():
            x = y.inputs[slots[0]]
            self.edge(x, y, slots, numbered=self.captions.arguments or uses[id(x)] > 1)
        selection, things = self.selection, [self.selection.thing(x) for x in y.inputs if x not in self.selection.number]
        if missing := sum(thing is not y and thing not in selection.boxes for thing in things):
            self.left_out(f"{selection.number[y]}", self.captions.entry(y), missing, LEFT_OUT)

    def output(self, y):
        """Write the edge from the node of a function to its output y."""
        captions = self.captions
        look, mark = edge_look([(y, slot) for slot in range(len(y.inputs))], self.highlight, self.theme)
        marks = captions.marks(f"{captions.entry(y)}_out", ["output", *[mark] * bool(mark)])
        self.statements.edge(captions.entry(y), captions.id(y), tooltip=tip(captions.equation(y)), **look, **marks)

    def left_out(self, name, head, many, size):
        """Write a box that says how many inputs of a node are not drawn."""
        at, line = f"m{name}", Line(f"… {plural(many, 'input')}", size, self.theme.quiet)
        self.statements.node(at, label=f"<{row(line.cell())}>", **self.captions.marks(at, ["left-out"]))
        self.statements.edge(at, head, style="dotted", **self.captions.marks(f"{at}e", ["left-out"]))

    def edge(self, x, y, slots, numbered):
        """Write the edge of a use of x by y, or of several uses that say the same."""
        captions, slot = self.captions, slots[0]
        look, mark = edge_look([(y, slot) for slot in slots], self.highlight, self.theme)
        if self.captions.breaks(y, slot) and mark in ("", "dimmed"):
            look, mark = {"color": self.theme.not_finite, "penwidth": str(THICK)}, ""
        said = tip(captions.partial(y, slot, "both", room=3 * LONGEST))
        which = f"input {slot + 1}" if len(slots) == 1 else f"{len(slots):,} inputs"
        label = self.label(y, slot, which * numbered, dim=mark == "dimmed")
        marks = captions.marks(f"e{self.selection.number[y]}_{slot}", [mark or "use", *["not-finite"] * self.captions.breaks(y, slot)])
        ends = self.repeats.tail(x, y), captions.entry(y)
        self.statements.edge(*ends, tooltip=said, labeltooltip=said, **look, **label, **marks)

    def label(self, y, slot, which, dim):
        """Return the label of an edge (which inputs it is, the partial) as an attribute; {} without a label."""
        partials, text = self.captions.partials, self.partial(y, slot)
        parts = [part for part in (which, text) if part]
        if not parts:
            return {}
        near = (y, slot) in self.highlight.edges
        color = self.theme.quiet if dim else self.theme.partial if near else self.theme.ink
        written = ": ".join(parts).replace(" = ", " = " if self.written == LINE else "\n= ")
        lines = [Line(line, EDGE, color) for line in written.split("\n")]
        if not text or partials or (near and (y, slot) in self.highlight.known):
            inside = on_paper(lines, self.theme)
        else:  # empty room, so that nothing moves from step to step
            number = Line(which, EDGE, color)
            inside = rows(
                *(row(number.cell(), gap(line.width - number.width, line.height)) for line in lines[:1]),
                *(row(gap(line.width, line.height)) for line in lines[1:]),
            )
        return {"label": f"<{row(gap(4, 1), f'<TD>{inside}</TD>', gap(4, 1))}>"}

    def partial(self, y, slot):
        """Return the text of the partial at an edge, now or at a later step; "" if no partials are shown."""
        partials = self.captions.partials
        if not partials and not self.captions.moves:
            return ""
        longest = {"symbols": None, "both": LONGEST}.get(partials, LONGEST_AT_EDGES)
        said = self.captions.partial(y, slot, partials or self.captions.on.at_edges, longest)
        return said.rpartition(" = ")[2] if self.written == NUMBER else said

    def merged(self, a, b, uses, straight):
        """Write one edge for all uses of a by b."""
        passed = dict.fromkeys(y.inputs[slot] for y, slot in uses)
        look, mark = edge_look(uses, self.highlight, self.theme)
        shape = self.shape(uses, len(passed), straight)
        shapes = list(dict.fromkeys(shape_text(x.shape) for x in passed if is_array(x)))
        said = f"{self.title(a)} → {self.title(b)}: {plural(len(passed), 'variable')}, {plural(len(uses), 'use')}"
        said += "".join(f", {shape}" for shape in shapes[:3])
        marks = self.captions.marks(f"{self.captions.id(a)}_{self.captions.id(b)}", ["merged", *[mark] * bool(mark)])
        self.statements.edge(self.repeats.tail(a, b), self.captions.entry(b), straight, tooltip=tip(said), **shape | look, **marks)

    def shape(self, uses, passed, straight):
        """Return the attributes of an edge for so many uses. A straight edge between layers is thin."""
        if straight:
            return {"penwidth": "0.6", "arrowhead": "none"}
        thick = min(1 + log2(len(uses)) / 2, 5)
        look = {"penwidth": f"{thick:.1f}"} if len(uses) > 1 else {}
        if passed == 1:
            return look
        line = Line(f"×{len(uses):,}", MERGED, self.theme.quiet)
        return look | {"label": f"<{on_paper([line], self.theme)}>"}

    def title(self, thing):
        return "/".join(thing.paths[0]) if type(thing) is Box else self.captions.name(thing)


def on_paper(lines, theme):
    """Return lines in the colour of the paper, so that they can be read on their edge."""
    wide = max(line.width for line in lines)
    cells = (line.cell() if wide - line.width < 2 else f"<TD>{centred(line, wide)}</TD>" for line in lines)
    inside = "".join(f"<TR>{cell}</TR>" for cell in cells)
    return table(inside, f'BORDER="0" CELLPADDING="0" BGCOLOR="{theme.paper}"')


def uses_of_boxes(selection):
    """Return {(a, b): the uses of a by b}, where a or b is a box, and {b: the number of its inputs that are not drawn}."""
    thing, near = selection.folded.thing, set(selection.things)
    uses: dict = {}
    left_out: Counter = Counter()
    for y in selection.graph.variables:
        b = thing[y]
        for slot, a in enumerate(map(thing.get, y.inputs)):
            if a is b or b not in near:
                continue
            if a not in near:
                left_out[b] += 1
            elif type(a) is Box or type(b) is Box:
                uses.setdefault((a, b), []).append((y, slot))
    return uses, left_out

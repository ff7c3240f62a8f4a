"""Write a graph as Mermaid text. A README, an issue or a wiki draws the text that stands between ```mermaid and ```.

Names stay text: a sign that means something in Mermaid, Markdown or HTML is written as its character number.
"""

import re
from collections import Counter, defaultdict

from scalargrad.tracing.trace import Trace
from scalargrad.user_names.function_result import result_of
from viz.drawing.captions import Captions
from viz.drawing.draw import DIRECTIONS, FUNCTIONS, PARTIALS
from viz.drawing.highlight import highlight_of
from viz.drawing.scopes.scopes import is_constant
from viz.drawing.selection import select
from viz.drawing.svg.html_label import width as width_of
from viz.graphs.detail import in_detail
from viz.layout.ranks import latest_ranks
from viz.options import choose, count, require
from viz.text.formatter import UNICODE
from viz.theme import LIGHT

MOST_EDGES, MOST_CHARACTERS = 500, 50_000  # Mermaid's own limits, unless the page sets others
FONT_SIZE, BESIDE_TEXT, BETWEEN_BOXES = 12, 24, 38  # points, by Mermaid's default style
OPENED = {"input": '(["', "function": '["', "constant": '("', "function node": '{{"'}
CLOSED = {'(["': '"])', '["': '"]', '("': '")', '{{"': '"}}'}
UNSAFE = r"(?![A-Za-z0-9=,+/()]|(?<=[0-9])[.][0-9])[!-~]"  # ASCII signs, except the point in 0.5

# fmt: off
LOOKS = {
    "input":    f"fill:{LIGHT.input_fill},stroke:{LIGHT.line},color:{LIGHT.ink}",
    "function": f"fill:{LIGHT.function_fill},stroke:{LIGHT.line},color:{LIGHT.ink}",
    "constant": f"fill:{LIGHT.input_fill},stroke:{LIGHT.line},color:{LIGHT.ink},stroke-dasharray:2 3",
    "current":  f"fill:{LIGHT.current_fill},stroke:{LIGHT.current},color:{LIGHT.ink},stroke-width:3px",
    "child":    f"fill:{LIGHT.child_fill},stroke:{LIGHT.child},color:{LIGHT.ink},stroke-width:2px,stroke-dasharray:6 3",
    "active":   f"fill:{LIGHT.child_fill},stroke:{LIGHT.child},color:{LIGHT.ink},stroke-width:3px",
    "functionNode": f"fill:{LIGHT.function_node_fill},stroke:{LIGHT.line},color:{LIGHT.ink}",
    "leftOut":  f"fill:none,stroke:none,color:{LIGHT.line}",
}
# fmt: on


def mermaid(
    z, *, step=None, partials=None, direction=None, names=None, max_nodes=60, functions=None, detail=None, opened=(), width=900
) -> str:
    """Return the graph of a variable z (or of a Trace) as the text of a Mermaid flowchart. The options are those of `draw`.

    Mermaid decides where the boxes stand. The graph runs from left to right if it will probably fit into `width` points, else downwards,
    unless `direction` is "LR" or "TB". The text has the `max_nodes` variables that are nearest to z, or fewer: Mermaid draws at most 500
    edges.

    >>> from scalargrad import Value
    >>> x = Value(3, name="x"); print(mermaid(x * 2, names={}).replace("x·2", "2x"))  # doctest: +ELLIPSIS
    flowchart LR
      v0(["x = 3"]):::input
      v1["z = 2x = 6"]:::function
      v0 --> v1
    ...
    """
    choose((None, *DIRECTIONS), direction=direction)
    choose((None, *PARTIALS), partials=partials)
    choose((None, *FUNCTIONS), functions=functions)
    require(step=step, names=names, width=width)
    count(max_nodes=max_nodes)
    z, leaves = result_of(z)  # the leaves, and what is `kept`, live until the captions have their arrays
    z, names, *kept = in_detail(z, detail, opened, names, None, functions is not None, max_nodes)
    while True:
        text, edges, drawn = _flowchart(z, step, partials, direction, names, max_nodes, functions, width)
        if drawn == 1 or (edges <= MOST_EDGES and len(text) <= MOST_CHARACTERS):
            return text
        max_nodes = drawn * 3 // 4


def _flowchart(z, step, partials, direction, names, max_nodes, functions, width):
    highlight, gradients = highlight_of(z, step), None
    if isinstance(z, Trace):
        names, gradients = {**z.names, **(names or {})}, highlight.totals
    selection = select(z, max_nodes, highlight.tags)
    captions = Captions(selection, highlight, LIGHT, names=names, gradients=gradients, partials=partials, functions=functions)
    writer = MermaidWriter(captions)
    return writer.text(direction or ("LR" if writer.width() <= width else "TB")), len(writer.edges), len(selection.variables)


class MermaidWriter:
    """Write what captions say: a line for each variable, a line for each edge, then their looks."""

    def __init__(self, captions):
        self.captions, self.nodes, self.edges, self.looks, self.number = captions, [], [], {}, {}
        self.long, self.links = {}, []  # {node: the width of its text}, (tail, head)
        for v in captions.selection.variables:
            self.number[v] = f"v{captions.selection.number[v]}"
            self.node(self.number[v], kind(v), self.lines(v), self.look(v))
        for y in captions.selection.variables:
            if captions.has_function_node(y):
                self.node(f"f{self.number[y]}", "function node", [y.rule.name], "functionNode")
                self.edge(f"f{self.number[y]}", self.number[y])
            self.uses(y, f"{'f' * captions.has_function_node(y)}{self.number[y]}")

    def text(self, direction):
        used = [f"classDef {name} {LOOKS[name]}" for name in LOOKS if any(line.endswith(f":::{name}") for line in self.nodes)]
        styles = [f"linkStyle {','.join(map(str, at))} {look}" for look, at in self.looks.items()]
        lines = [f"flowchart {direction}", *(f"  {line}" for line in [*self.nodes, *self.edges, *used, *styles])]
        everything, drawn = len(self.captions.selection.graph.variables), len(self.captions.selection.variables)
        if everything > drawn:
            lines.insert(1, f"  %% the graph has {everything:,} variables; here are the {drawn:,} nearest to z")
        return "\n".join(lines) + "\n"

    def width(self):
        """Return about how wide Mermaid draws the graph from left to right, in points."""
        wide: dict = defaultdict(float)
        for at, rank in latest_ranks(self.long, self.links).items():
            wide[rank] = max(wide[rank], self.long[at] + BESIDE_TEXT)
        return sum(wide.values()) + BETWEEN_BOXES * (len(wide) - 1)

    def node(self, at, kind, lines, look):
        self.long[at] = max(width_of(line, FONT_SIZE) for line in lines)
        opened = OPENED[kind]
        self.nodes.append(f"{at}{opened}{'<br/>'.join(map(escaped_text, lines))}{CLOSED[opened]}:::{look}")

    def lines(self, v):
        captions = self.captions
        written = captions.equation(v) if v.rule and not captions.has_function_node(v) else captions.name(v)
        lines = [f"{written} = {captions.number(captions.on.data(v))}"]
        if v in captions.gradients:
            running = " …" * (v in captions.highlight.running)
            lines.append(captions.gradient(v, captions.number(captions.gradients[v])) + running)
        return [*captions.highlight.tags.get(v, "").splitlines(), *lines]

    def look(self, v):
        highlight = self.captions.highlight
        return "current" if v is highlight.current else "active" if v is highlight.active else "child" if v in highlight.tags else kind(v)

    def uses(self, y, head):
        """Write the edges to y, which end at the node `head`, and how many of its inputs are left out."""
        captions, uses, missing = self.captions, Counter(map(id, y.inputs)), 0
        for slot, x in enumerate(y.inputs):
            if x not in self.number:
                missing += 1
                continue
            said = [f"input {slot + 1}"] if uses[id(x)] > 1 else []
            known = (y, slot) in captions.highlight.known
            if captions.partials or known:
                said.append(captions.partial(y, slot, captions.partials or captions.on.at_edges))
            self.edge(self.number[x], head, ": ".join(said), self.edge_look(y, slot))
        if missing:
            at = f"m{captions.selection.number[y]}"
            self.node(at, "function", [f"… {missing:,} input{'s' * (missing > 1)}"], "leftOut")
            self.edge(at, head, arrow="-.->")
        for c in captions.on.constants(y):
            if id(c) not in self.number:
                self.number[id(c)] = at = f"c{len(self.number)}"
                self.node(at, "constant", [f"{UNICODE.name(captions.on.name(c))} = {captions.number(captions.on.data(c))}"], "constant")
            self.edge(self.number[id(c)], head, arrow="-.->")

    def edge_look(self, y, slot):
        highlight, theme = self.captions.highlight, self.captions.theme
        if (y, slot) in highlight.at_work:
            return f"stroke:{theme.partial},stroke-width:3px"
        return f"stroke:{theme.child},stroke-width:2px,stroke-dasharray:6 3" if (y, slot) in highlight.edges else ""

    def edge(self, start, end, said="", look="", arrow="-->"):
        if look:
            self.looks.setdefault(look, []).append(len(self.edges))
        self.links.append((start, end))
        self.edges.append(f"""{start} {arrow}{f'|"{escaped_text(said)}"|' if said else ""} {end}""")


def kind(v):
    return "constant" if is_constant(v) else "function" if v.inputs else "input"


def escaped_text(text):
    """Return text in which Mermaid sees only text.

    >>> escaped_text('x"] --> y'), escaped_text("dz/dx₁ = 3")
    ('x#34;#93; #45;#45;#62; y', 'dz/dx₁ = 3')
    """
    text = "".join(c for c in " ".join(text.split()) if c.isprintable())
    return re.sub(UNSAFE, lambda sign: f"#{ord(sign[0])};", text)

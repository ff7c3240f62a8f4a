"""A graph as Mermaid text: pasted into a README, an issue or a wiki (between ```mermaid and ```) it is drawn there.

Whatever a name holds, it stays text: all that Mermaid, Markdown or HTML could obey is written as the number of its character.
"""

import re
from collections import Counter

from scalargrad.graph import Graph
from scalargrad.trace import Trace
from viz.drawing.captions import Picture
from viz.drawing.draw import DIRECTIONS, PARTIALS
from viz.drawing.scopes import is_constant
from viz.drawing.selection import NOTHING, highlight, part_of
from viz.drawing.theme import LIGHT
from viz.ink import UNICODE
from viz.options import choose, require

MOST_EDGES, MOST_CHARACTERS = 500, 50_000  # Mermaid draws no more, unless its page says otherwise
OPENED = {"input": '(["', "function": '["', "constant": '("'}
CLOSED = {'(["': '"])', '["': '"]', '("': '")'}
UNSAFE = r"(?![A-Za-z0-9=,+/()]|(?<=[0-9])[.][0-9])[!-~]"  # ASCII signs, but for the point of 0.5

# fmt: off
LOOKS = {
    "input":    f"fill:{LIGHT.input_fill},stroke:{LIGHT.line},color:{LIGHT.ink}",
    "function": f"fill:{LIGHT.function_fill},stroke:{LIGHT.line},color:{LIGHT.ink}",
    "constant": f"fill:{LIGHT.input_fill},stroke:{LIGHT.line},color:{LIGHT.ink},stroke-dasharray:2 3",
    "current":  f"fill:{LIGHT.current_fill},stroke:{LIGHT.current},color:{LIGHT.ink},stroke-width:3px",
    "child":    f"fill:{LIGHT.child_fill},stroke:{LIGHT.child},color:{LIGHT.ink},stroke-width:2px,stroke-dasharray:6 3",
    "active":   f"fill:{LIGHT.child_fill},stroke:{LIGHT.child},color:{LIGHT.ink},stroke-width:3px",
    "leftOut":  f"fill:none,stroke:none,color:{LIGHT.line}",
}
# fmt: on


def mermaid(z, *, step=None, partials=None, direction="LR", names=None, max_nodes=60) -> str:
    """The graph of a variable z as the text of a Mermaid flowchart; the options are those of `draw`.

    At most `max_nodes` variables are written, those nearest to z, and never more than Mermaid draws (500 edges).

    >>> from scalargrad import Value
    >>> x = Value(3, name="x"); print(mermaid(x * 2, names={}).replace("x·2", "2x"))  # doctest: +ELLIPSIS
    flowchart LR
      v0(["x = 3"]):::input
      v1["z = 2x = 6"]:::function
      v0 --> v1
    ...
    """
    choose(DIRECTIONS, direction=direction)
    choose((None, *PARTIALS), partials=partials)
    require(step=step, names=names)
    if type(max_nodes) is not int or max_nodes < 1:
        raise ValueError(f"mermaid: max_nodes is {max_nodes!r}; it must be a whole number from 1 on")
    while True:
        text, edges, drawn = _flowchart(z, step, partials, direction, names, max_nodes)
        if drawn == 1 or (edges <= MOST_EDGES and len(text) <= MOST_CHARACTERS):
            return text
        max_nodes = drawn * 3 // 4


def _flowchart(z, step, partials, direction, names, max_nodes):
    here, gradients = NOTHING, None
    if isinstance(z, Trace):
        here = highlight(z, len(z) - 1 if step is None else step)
        names, gradients = {**z.names, **(names or {})}, here.totals
    elif step is not None:
        raise TypeError(f"mermaid: step={step!r} needs a Trace, which has steps: mermaid(Trace(z), step={step!r})")
    part = part_of(z.graph.z if isinstance(z, Trace) else z.z if isinstance(z, Graph) else z, max_nodes, here.tags)
    picture = Picture(part, here, names, gradients, partials, False, False, LIGHT)
    writer = Writer(picture)
    return writer.text(direction), len(writer.edges), len(part.variables)


class Writer:
    """Writes what a picture shows: a line for each variable, a line for each edge, then how they look."""

    def __init__(self, picture):
        self.picture, self.nodes, self.edges, self.looks, self.number = picture, [], [], {}, {}
        for v in picture.part.variables:
            self.number[v] = f"v{picture.part.number[v]}"
            self.node(self.number[v], kind(v), self.lines(v), self.look(v))
        for y in picture.part.variables:
            self.uses(y)

    def text(self, direction):
        used = [f"classDef {name} {LOOKS[name]}" for name in LOOKS if any(line.endswith(f":::{name}") for line in self.nodes)]
        styles = [f"linkStyle {','.join(map(str, at))} {look}" for look, at in self.looks.items()]
        lines = [f"flowchart {direction}", *(f"  {line}" for line in [*self.nodes, *self.edges, *used, *styles])]
        everything, drawn = len(self.picture.part.graph.variables), len(self.picture.part.variables)
        if everything > drawn:
            lines.insert(1, f"  %% the graph has {everything:,} variables; here are the {drawn:,} nearest to z")
        return "\n".join(lines) + "\n"

    def node(self, at, kind, lines, look):
        opened = OPENED[kind]
        self.nodes.append(f"{at}{opened}{'<br/>'.join(map(plain, lines))}{CLOSED[opened]}:::{look}")

    def lines(self, v):
        """What stands in the box of a variable."""
        picture = self.picture
        written = picture.equation(v) if v.rule else picture.name(v)
        lines = [f"{written} = {picture.number(picture.on.data(v))}"]
        if v in picture.gradients:
            running = " …" * (v in picture.here.running)
            lines.append(picture.gradient(v, picture.number(picture.gradients[v])) + running)
        return [*picture.here.tags.get(v, "").splitlines(), *lines]

    def look(self, v):
        here = self.picture.here
        return "current" if v is here.current else "active" if v is here.active else "child" if v in here.tags else kind(v)

    def uses(self, y):
        """The edges to y; what is not written of its inputs is said."""
        picture, uses, missing = self.picture, Counter(map(id, y.inputs)), 0
        for slot, x in enumerate(y.inputs):
            if x not in self.number:
                missing += 1
                continue
            said = [f"input {slot + 1}"] if uses[id(x)] > 1 else []
            known = (y, slot) in picture.here.known
            if picture.partials or known:
                said.append(picture.partial(y, slot, picture.partials or picture.on.at_edges))
            self.edge(self.number[x], self.number[y], ": ".join(said), self.edge_look(y, slot))
        if missing:
            at = f"m{picture.part.number[y]}"
            self.node(at, "function", [f"… {missing:,} input{'s' * (missing > 1)}"], "leftOut")
            self.edge(at, self.number[y], arrow="-.->")
        for c in picture.on.constants(y):
            if id(c) not in self.number:
                self.number[id(c)] = at = f"c{len(self.number)}"
                self.node(at, "constant", [f"{UNICODE.name(picture.on.name(c))} = {picture.number(picture.on.data(c))}"], "constant")
            self.edge(self.number[id(c)], self.number[y], arrow="-.->")

    def edge_look(self, y, slot):
        here, theme = self.picture.here, self.picture.theme
        if (y, slot) in here.at_work:
            return f"stroke:{theme.active},stroke-width:3px"
        return f"stroke:{theme.child},stroke-width:2px,stroke-dasharray:6 3" if (y, slot) in here.edges else ""

    def edge(self, start, end, said="", look="", arrow="-->"):
        if look:
            self.looks.setdefault(look, []).append(len(self.edges))
        self.edges.append(f"""{start} {arrow}{f'|"{plain(said)}"|' if said else ""} {end}""")


def kind(v):
    return "constant" if is_constant(v) else "function" if v.inputs else "input"


def plain(text):
    """Text that Mermaid takes as nothing but text.

    >>> plain('x"] --> y'), plain("dz/dx₁ = 3")
    ('x#34;#93; #45;#45;#62; y', 'dz/dx₁ = 3')
    """
    text = "".join(c for c in " ".join(text.split()) if c.isprintable())
    return re.sub(UNSAFE, lambda sign: f"#{ord(sign[0])};", text)

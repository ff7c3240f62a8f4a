"""Write what a drawing says about variables: names, numbers, formulas, partials and gradients. Knows nothing of how it is drawn.

Legend: y is a variable that some function made, x one of its inputs, an edge (y, slot) one use of a variable: the input
number `slot` of y's function.
"""

from collections import Counter
from copy import copy

from rich.cells import cell_len

from scalargrad.fast.value import Constant
from scalargrad.formulas.operators import SUM
from scalargrad.formulas.symbols import Ratio, Symbol
from scalargrad.formulas.text import shape_text
from scalargrad.graph import Variables, node_of
from scalargrad.tracing.quantities import quantities
from scalargrad.user_names.names import name_all, within_scopes
from viz.drawing.scopes.scopes import Box, is_constant
from viz.drawing.svg.html_label import LONGEST, LONGEST_NAME, cut
from viz.graphs.finite import first_not_finite, warning
from viz.text.array_text import is_array
from viz.text.formatter import UNICODE, broken
from viz.text.short_names import short_names

LONGEST_WHOLE = 200  # characters of a long name in a tooltip, where it is whole


class Captions:
    """A selection, and what is known about it: the names, the gradients, what a step highlights."""

    def __init__(
        self, selection, highlight, theme, *, names=None, gradients=None, partials=None, arguments=False, saved=False, functions=None
    ):
        self.functions, self.blocks = functions, {}  # blocks: {(variable, colour): the blocks of its array and of its gradient}
        self.sheet = 0, float("inf")  # the least size of texts, and the most height, of a drawing on paper
        self.unknown = "?"  # a derivative that the step does not know
        self.nodes = {}  # {(variable, what else is said): the attributes of its node}, because a drawing is laid out several times
        self.selection, self.highlight, self.theme = selection, highlight, theme
        self.partials, self.arguments, self.saved = partials, arguments, saved
        self.stepping = highlight.widest is not None
        self.moves = self.stepping  # whether boxes and edges have room for what other steps show
        self.place = {v: i for i, v in enumerate(selection.graph.variables)}
        outputs = {y: box for box in selection.boxes for y in selection.folded.outputs[box][:1]}
        hidden = [v for v in (selection.z, highlight.current, highlight.active) if v is not None and v not in selection.number]
        beyond = dict.fromkeys([*hidden, *outputs, *(x for y in selection.variables for x in y.inputs if x not in selection.number)])
        names_of_boxes = selection.folded.names(selection.boxes) if selection.boxes else {}
        titles = {y: names_of_boxes[box] for y, box in outputs.items() if y is not selection.z}
        self.names = name_all(Variables(selection.z, [*beyond, *selection.variables]), {**titles, **(names or {})})
        self.on = quantities(selection.graph, self.names)
        in_frames = {v: name for v, name in within_scopes(self.names).items() if name != self.names[v]}
        titles = {y: box.last_title for y, box in outputs.items() if y is not selection.z}
        self.short = self.on.renamed(shortened(in_boxes(self.names, titles) | in_frames))
        self.gradients, self.exact = {}, selection.z is not None
        if gradients is not None:
            self.gradients = {node_of(v): total.data if hasattr(total, "inputs") else total for v, total in gradients.items()}
        elif selection.z is not None:
            self.gradients, self.exact = self.on.gradients()
        self.totals = self.highlight.final or (self.gradients if self.exact else {})
        self.not_finite = first_not_finite(self.on, self.totals)

    @property
    def has_plain_numbers(self):
        """Whether the edges show numbers that a reader of the boxes knows without their names: partials of numbers, of single variables."""
        return self.partials == "numbers" and not self.selection.folded and not any(map(is_array, self.selection.variables))

    def in_colours(self, theme):
        """Return the same captions in the colours of another theme."""
        found = copy(self)
        found.theme, found.blocks, found.nodes = theme, {}, {}
        return found

    def name(self, v):
        return UNICODE.name(self.short.name(v) if cell_len(self.names[v]) > LONGEST_NAME else self.names[v])

    def number(self, value):
        """Return a number in a few digits with its sign, or an array in one line."""
        return cut(UNICODE.number(value), LONGEST)

    def gradient(self, v, number):
        return f"{self.total(v)} = {number}"

    def total(self, v):
        """Return dz/dv, or grad if the gradient is not dz/dv."""
        return UNICODE.formula(self.short.total(v)) if self.exact else "grad"

    def total_of(self, name):
        """Return dz/dname, or grad of name if the gradient is not dz/dname. It may be the name of a variable that is not drawn."""
        return UNICODE.formula(Ratio("d", self.short.names[self.selection.z], name)) if self.exact else f"grad of {UNICODE.name(name)}"

    def equation(self, y, below_name=False, room=LONGEST):
        """Return y = f(x, ...), or as much of it as fits. Below the name of y, one that does not fit into `room` is = f(x, ...)."""
        formula, name = self.short.written(y), lambda v: UNICODE.name(self.short.name(v))
        if isinstance(formula, Symbol) and formula.size > LONGEST:
            inputs = ", ".join(map(name, y.inputs[:4])) + ", …" * (len(y.inputs) > 4)
            right = f"{y.rule.name}({inputs})"
        else:
            right = UNICODE.formula(formula)
        whole = f"{name(y)} = {right}"
        return cut(f"= {right}" if below_name and len(whole) > room else whole)

    def partial(self, y, slot, what, longest=None, room=LONGEST):
        """Return ∂y/∂x = its formula = its number, as far as `what` asks for it; for tensors the contribution, as far as it is known."""
        parts = [UNICODE.formula(self.short.ratio(y, slot))]
        formula = self.short.written_partial(y, slot) if what != "numbers" else None
        if formula is not None and getattr(formula, "size", 1) <= LONGEST:
            text = UNICODE.factor(formula, first=True, loosest=SUM)
            parts += [cut(text, room)] if longest is None or len(text) <= longest else []
        number = self.on.on_edge(y, slot, self.totals) if what != "symbols" else None
        if number is not None:
            parts.append(self.number(number))
        return " = ".join(dict.fromkeys(parts))

    def sentence(self, v):
        """Describe a variable in a sentence: its formula, value and gradient."""
        whole = cut(UNICODE.name(self.names[v]), LONGEST_WHOLE)
        said = f"{self.equation(v) if v.rule else self.name(v)} = {self.number(self.on.data(v))}"
        said = f"{whole}: {said}" if cell_len(self.names[v]) > LONGEST_NAME else said
        said += f", {v.dtype}" if is_array(v) else ""
        if is_constant(v):
            return f"{said} (constant)"
        return f"{said}, {self.gradient(v, self.number(self.gradients[v]))}" if v in self.gradients else said

    def warning(self):
        """Return which function is the first that is not finite, and its effect on z; "" if all are finite."""
        return warning(self.on, self.not_finite, self.totals) if self.not_finite else ""

    def breaks(self, v, slot=None):
        """Return whether the graph stops being finite at v, or at the edge in its input number `slot`."""
        first = self.not_finite
        return first is not None and first.y is v and (slot is None or slot == first.slot)

    def id(self, thing):
        """Return the id of a variable or a box in the drawing. A constant is given by its id."""
        if isinstance(thing, str):
            return thing
        return f"s{self.place[thing.variables[0]]}" if type(thing) is Box else f"v{self.selection.number[thing]}"

    def entry(self, thing):
        """Return the id at which edges to a thing end: that of its function, if functions are nodes, else its own."""
        return f"fn{self.selection.number[thing]}" if self.has_function_node(thing) else self.id(thing)

    def has_function_node(self, thing):
        return self.functions == "nodes" and getattr(thing, "rule", None) is not None

    def marks(self, id, classes):
        """Return the attributes that a page uses to style and animate the SVG. They never hold the user's text."""
        return {"id": id, "class": " ".join(classes)}

    def dim(self, v):
        return self.highlight.current is not None and v not in self.highlight.tags

    def gradient_lines(self, v):
        """Return the line of v's gradient now, then its lines at other steps, so that a box keeps its size."""
        if is_constant(v):
            return []
        if getattr(v, "shape", ()):
            return self.array_gradient_lines(v)
        if not self.stepping:
            return [self.gradient(v, self.number(self.gradients[v]))] if v in self.gradients else []
        now = self.number(self.gradients[v]) + " …" * (v in self.highlight.running) if v in self.gradients else self.unknown
        return [self.gradient(v, now), *(self.gradient(v, f"{self.number(n)} …") for n in self.highlight.widest.get(v, ()))]

    def array_gradient_lines(self, v):
        """Return the line above the gradient of an array, then its lines at other steps."""
        total, now = self.total(v), self.gradients.get(v)
        if not self.stepping:
            return [total] if now is not None else []
        asked, begun = f"{total} =" + " ?" * self.moves, f"{total} = 0 …"
        if now is None:
            return [asked, begun]
        return [total if v not in self.highlight.running else f"{total} …" if is_array(now) else begun, asked, begun]

    def formulas(self, v, room=LONGEST):
        """Return the lines below a value: the function that made it, in parts of at most `room` characters; its inputs and saved values
        if the user asks for them.
        """
        if not v.rule:
            return ["constant, no gradient"] * (is_constant(v) and not isinstance(v, Constant))
        if not self.saved:
            if self.has_function_node(v):
                return []
            return [part.strip() for part in broken(self.equation(v, below_name=True, room=room), room)]
        kept = [
            f"{UNICODE.formula(name)} {shape_text(x.shape)}" if is_array(x) else f"{UNICODE.formula(name)} = {self.number(x)}"
            for name, x in self.on.saved(v)
        ]
        taken = ", ".join(map(self.name, v.inputs[:4])) + ", …" * (len(v.inputs) > 4)
        return [self.equation(v, below_name=True), cut(f"inputs: {taken}"), cut(f"saved: {', '.join(kept) or 'nothing'}")]


def in_boxes(names, titles):
    """Return {v: the name in its box}. The output of a box has the box's title if no other has it.

    >>> in_boxes({1: "layer1/neuron1", 2: "layer2/neuron1", 3: "w"}, {1: "neuron1", 2: "neuron1"})
    {1: 'layer1/neuron1', 2: 'layer2/neuron1', 3: 'w'}
    """
    wished = {v: titles.get(v, name) for v, name in names.items()}
    often = Counter(wished.values())
    return {v: names[v] if often[name] > 1 else name for v, name in wished.items()}


def shortened(names):
    """Return {v: name} with short forms of long names."""
    short = short_names(names.values(), LONGEST_NAME)
    return {v: short.get(name, name) for v, name in names.items()}

"""What one step of a trace does, in a sentence or two: the table SENTENCES. Knows steps, not where the sentences are shown."""

from collections import Counter

from scalargrad.formulas.operators import ATOM, COMPARISON
from scalargrad.formulas.rounding_error import is_lost
from scalargrad.formulas.symbols import Name, Ratio, Symbol
from scalargrad.tracing.quantities import mul, same, written_call
from viz.text.formatter import UNICODE, listed, name_of, plural, product, total_of
from viz.text.glossary import letters_of, listing_of

ALWAYS_IN_BRACKETS = COMPARISON - 1  # how tightly a negative number binds


def heading(trace, i):
    """Return how far the run has come: iteration 4 of 6; at a variable of a folded loop also: pass 1 of 20."""
    step = trace[i]
    if step.act == "done":
        return "end"
    if not step.iteration:
        return "start"
    return f"iteration {step.iteration} of {trace.iterations}{passes_at(trace, step.y if trace.schedule.scatters else step.x)}"


def passes_at(trace, v):
    """Return ", pass 1 of 20" for a variable of a folded loop, else ""."""
    return f", {trace.passes[v]}" if v in trace.passes else ""


def sentence(trace, i, formatter=UNICODE):
    """Return where step i is in the graph and what it does there.

    >>> from scalargrad import Trace, Value
    >>> x = Value(3, name="x"); y = x * x; y.name = "y"; sentence(Trace(y), 5)
    'Current node x, child y (edge 1 of 2). Calculate ∂y/∂x = x = 3.'
    """
    return " ".join(filter(None, facts(trace, i, formatter)))


def facts(trace, i, formatter=UNICODE):
    """Return the two parts of the sentence: ("Current node x, child y.", "Calculate ∂y/∂x = 3."); the first may be empty."""
    s = StepText(trace, i, formatter)
    return formatter(s.where()), formatter(SENTENCES.get(trace[i].act, other)(s))


class StepText:
    """A step, and its variables, derivatives and numbers as text. `x`, `y` and `z` are names, `dz_dx` and `dz_dy` total derivatives."""

    def __init__(self, trace, i, formatter):
        self.trace, self.i, self.step, self.formatter = trace, i, trace[i], formatter
        self.state = self.step.state or {}

    def name(self, v):
        return name_of(self.trace, v, self.formatter)

    def names(self, variables):
        return listed([self.name(v) for v in variables])

    def number(self, q):
        return self.formatter.number(q.number)

    x = property(lambda self: self.name(self.step.x))
    y = property(lambda self: self.name(self.step.y))
    z = property(lambda self: self.name(self.trace.graph.z))
    dz_dx = property(lambda self: total_of(self.trace, self.step.x, self.formatter))
    dz_dy = property(lambda self: total_of(self.trace, self.step.y, self.formatter))
    partial = property(lambda self: self.formatter.formula(self.trace.ratio(self.step.y, self.step.slot)))

    def where(self):
        """Return the variable or the edge that the step is at: `Current node x₁, child y₁.`, or `From y₁ to x₁.`"""
        if self.step.act not in AT_A_PLACE:
            return ""
        x, y, edge = self.step.x, self.step.y, which_edge(self.trace, self.step)
        if self.trace.schedule.scatters:
            return "" if x is None or y is None else f"From {self.y} to {self.x}{edge}."
        child = "" if y is None or self.step.slot is None or self.trace.schedule.along_paths else f", child {self.y}{edge}"
        return f"Current node {self.x}{child}."


def which_edge(trace, at):
    """Return " (edge 1 of 2)" if a step or a question is at one of several edges between the same two variables, else ""."""
    number, many = trace.graph.edge_numbers.get((at.y, at.slot), (1, 1))
    return f" (edge {number} of {many})" if many > 1 else ""


def distinct_children(trace, x):
    """Return the children of x, each once: x * x is one child with two edges."""
    return list(dict.fromkeys(edge.child for edge in trace.graph.children.get(x, ())))


def partials_at(trace, x, formatter=UNICODE, quantity=None):
    """Return the partials on the edges of x as text: ["∂z/∂x = y = 6", …]. Edges of one function are told apart by their input.

    `quantity(edge)` writes what stands after the first =; by default the formula and the number.

    >>> from scalargrad import Trace, Value
    >>> x = Value(3, name="x"); partials_at(Trace(x * x, names={}), x)
    ['∂z/∂x = x = 3 (input 1)', '∂z/∂x = x = 3 (input 2)']
    """
    edges = trace.graph.children[x]
    uses = Counter(y for y, _ in edges)
    which = lambda edge: f" (input {edge.slot + 1})" if uses[edge.child] > 1 else ""
    quantity = quantity or (lambda edge: formatter.quantity(trace.on.partial(*edge)))
    sides = [(formatter.formula(trace.ratio(*e)), quantity(e), which(e)) for e in edges]
    return [f"{left} = {right}{which}" if left != right else f"{left}{which}" for left, right, which in sides]  # a name without a formula


# The sentences that are longer than a line


def goal(s):
    names, z = s.trace.names, s.trace.graph.z
    wanted = s.formatter.formula(Ratio("d", names[z], letters_of(names)["x"]))
    many, x = len(s.trace.graph.variables) - 1, s.formatter.name(letters_of(names)["x"])
    ancestors = f"for the {plural(many, 'ancestor') if many > 1 else 'only ancestor'} {x} of {s.z}"
    found = f"{wanted} {ancestors}" if many else f"{total_of(s.trace, z, s.formatter)}. {s.z} has no ancestors"
    return f"Goal: {found}. The forward pass gave the values; the backward pass gives the derivatives."


def sort(s):
    said = f"Sort the variables so that each comes after its children: {s.names(s.trace.graph.order)}."
    mended = " The tutorial's printed sort repeats shared nodes; here each comes once."
    return said + mended * ("nodes" in s.trace.schedule.keeps)


def visit(s):
    if "place" in s.trace.schedule.keeps:
        leaf = "" if s.step.y.inputs else " It has no inputs."
        return f"Visit entry #{s.state['place']} on the tape: {s.y}.{leaf}"
    if s.trace.schedule.scatters:
        return f"Current node {s.y}. It passes contributions to its inputs."
    return f"Its set of children is c({s.x}) = {{{s.names(distinct_children(s.trace, s.step.x))}}}."


def look_up(s):
    upstream = s.step.upstream
    read = s.number(upstream) if s.formatter.formula(upstream.symbol) == s.dz_dy else s.formatter.quantity(upstream)
    return f"Look up {s.dz_dy} = {read}."


def multiply(s):
    path = " → ".join(map(s.name, [s.step.x, *(edge.child for edge in s.state["path"])]))
    return f"Multiply the partials along the path {path}. Their product is {s.formatter.quantity(s.step.term)}."


def add(s):
    step, now = s.step, f"{s.dz_dx} is now {s.number(s.step.total)}."
    if step.upstream is None:
        return f"Add the product {s.number(step.term)}. {now}"
    chain_rule, _, numbers = (product(factors, s.formatter) for factors in s.trace.on.factors(step.y, step.slot, step))
    if step.partial.number is None:
        return f"Add {chain_rule} = {numbers}. {now}"
    if not is_product(step):
        return f"Add {s.number(step.term)}, not {chain_rule} = {numbers}. {now}"
    return f"Add {chain_rule} = {numbers} = {s.number(step.term)}. {now}"


def is_product(step):
    """Return whether the term of a step is that of equation (1). In a loop of the user's own it may be another number."""
    right = mul(step.upstream.number, step.partial.number)
    return same(right, step.term.number, abs(right))


def stopped(s):
    said = s.formatter.words(s.state["error"])
    return f"The loop raised an exception here: {said}{'' if said.endswith(('.', '?', '!')) else '.'}"


def count(s):
    uses = [f"{s.name(v)}: {n}" for v, n in s.state["pending"].items()]
    return f"Count the uses of each intermediate variable: {listed(uses)}."


def take(s):
    final = s.trace.known_total(s.step.y, s.i)
    return f"Take {s.y} from ready. Its total derivative is complete: {s.dz_dy} = {s.formatter.quantity(final)}."


def call_backward(s):
    made = s.formatter.words(s.step.y.rule.name)
    return f"Call the backward function of {s.y} = {made}(…) with the upstream gradient {s.y}.grad = {s.number(s.step.upstream)}."


def disconnect(s):
    names = listed([s.formatter.formula(name) for name, _ in s.trace.on.saved(s.step.y)])
    saved = f" It frees what that saved: {names}." if names else ""
    return f"Disconnect {s.y} from the graph. It drops its inputs and its backward function.{saved}"


def keep(s):
    if s.state["nodes"][s.step.y].keep_grad:
        return f"{s.y} keeps its gradient, because its keep_grad is on."
    return f"{s.y} drops its gradient, because its keep_grad is off and no later step needs it: {s.y}.grad is None again."


def given(s):
    many = len(s.state["tape"]) - 1 - s.trace[s.i + 1].state["place"]
    passed = s.names(dict.fromkeys(step.x for step in s.state["given"]))
    later = "The last entry of the tape has" if many == 1 else f"The last {many} entries of the tape have"
    return f"{later} passed {'gradients to ' + passed if passed else 'nothing'}. The loop goes on from there."


def done(s):
    many = len(s.trace.computed)
    known = f"each of {many:,} variables" if many > 1 else "the only variable"
    return f"The backward pass is complete. The total derivative of {s.z} is known for {known}."


def other(s):
    """Return the pseudocode of a step that has no sentence, and its x and y; of a step of a user-defined loop, the name of its act."""
    if s.trace.loop is s.trace.schedule.loop:
        here = ", ".join(f"{letter} = {s.name(v)}" for letter, v in (("x", s.step.x), ("y", s.step.y)) if v is not None)
        line = listing_of(s.trace)[s.step.line].strip()
        return f"{line} ({here})." if here else f"{line}."
    return f"The loop calls this step {s.formatter.words(str(s.step.act))}."


# fmt: off
SENTENCES = {  # what a line of a schedule did: what is said of it
    "call":       goal,
    "sort":       sort,
    "count":      count,
    "start":      lambda s: f"The derivative of {s.x} with respect to itself is {s.dz_dx} = {s.number(s.step.total)}.",
    "visit":      visit,
    "given":      given,
    "skip":       lambda s: f"Skip {s.y}: {s.z} does not depend on {s.y}.",
    "take":       take,
    "zero":       lambda s: f"Let {s.dz_dx} = 0.",
    "partial":    lambda s: f"Calculate {s.partial} = {s.formatter.quantity(s.step.partial)}.",
    "call backward": call_backward,
    "get":        look_up,
    "multiply":   multiply,
    "add":        add,
    "count down": lambda s: f"Contributions still missing for {s.x}: {s.state['pending'][s.step.x]}.",
    "ready":      lambda s: f"{s.x} has all its contributions. Put {s.x} into ready.",
    "disconnect": disconnect,
    "keep":       keep,
    "insert":     lambda s: f"Insert {s.dz_dx} = {s.formatter.quantity(s.step.total)} into computed.",
    "stop":       stopped,
    "done":       done,
}
# fmt: on
AT_A_PLACE = {"visit", "zero", "partial", "get", "multiply", "add", "count down", "ready", "insert"}  # acts at a variable or an edge


# The forward pass


class Held(Symbol):
    """A number that stands in a formula as it is."""

    __slots__ = ("number", "level")

    def __init__(self, number):
        self.number, self.size = number, 1
        self.level = ALWAYS_IN_BRACKETS if number < 0 and not is_lost(number) else ATOM

    def written(self, notation):
        return notation.number(self.number)


def in_numbers(y, on, held=Held):
    """Return y's function as a formula of the numbers of its inputs, 3·4; of arrays, the name of the function.

    `on` knows the numbers, and `held` makes one a part of a formula.
    """
    if hasattr(y, "shape"):
        return Name(y.rule.name)
    numbers = list(map(on.data, y.inputs))
    return written_call(y, list(map(held, numbers)), list(map(UNICODE.number, numbers)))

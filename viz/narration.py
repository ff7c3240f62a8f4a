"""What one step says in a sentence, and the characters it is said in: Unicode, or ASCII where the output has no more."""

import re
from copy import copy

from scalargrad.formulas.notations import PRETTY, Text, in_short
from scalargrad.formulas.operators import ATOM, COMPARISON, MINUS, PRODUCT, SUM, Operator
from scalargrad.formulas.symbols import Application, Name, Ratio, Symbol, render
from scalargrad.formulas.text import short
from scalargrad.steps import written_call

LONGEST_FORMULA = 30
LONGEST_ARRAY = 40  # characters; a longer one is written as its shape and its range where it stands within a line
FREED = "freed"  # the array of a variable that nobody holds any more
MOST_NAMES = 8
ALWAYS_IN_BRACKETS = COMPARISON - 1  # how tightly a negative number binds
PLACED = {"zero", "partial", "get", "multiply", "add", "count down", "ready", "insert"}  # what is done at a variable or an edge


class AsciiNotation(Text):
    """Formulas where there is no ₁, ∂ or ·."""

    regroups = True

    def name(self, name):
        return re.sub(r"[^ -~]", "?", name.encode("ascii", "backslashreplace").decode())

    def number(self, value):
        return short(value)

    def words(self, text):
        return re.sub(r"[^ -~]", "?", text.translate(str.maketrans(PLAIN)))

    def ratio(self, r):
        return f"d{self.name(r.top)}/d{self.name(r.bottom)}"


class Ink:
    """The characters to write with: a notation for formulas, and a table for our own words."""

    def __init__(self, notation, table):
        self.notation, self.table = notation, str.maketrans(table)

    def __call__(self, text):
        return text.translate(self.table)

    def formula(self, formula):
        return render(formula, self.notation)

    def name(self, name):
        return self.notation.name(name)

    def number(self, x):
        """A number, or an array as it stands within a line: in full while it is short."""
        if x is None:
            return FREED
        text = self.formula(x)
        return text if len(text) <= LONGEST_ARRAY or not getattr(x, "shape", ()) else self.notation.words(in_short(x))

    def quantity(self, q):
        """A formula and its number, x₁ = 3; the number alone where the formula is one, or is too long to be read."""
        if q.number is None:
            return self.formula(q.symbol)
        number = self.number(q.number)
        formula = (
            self.factor(q.symbol, first=True, loosest=SUM) if isinstance(q.symbol, Symbol) and q.symbol.size <= LONGEST_FORMULA else ""
        )
        return f"{formula} = {number}" if 0 < len(formula) <= LONGEST_FORMULA else number

    def factor(self, formula, first=False, loosest=PRODUCT):
        """A formula as a factor of a product, in brackets where it needs them; `first` if nothing stands before it.

        What binds at least as tightly as `loosest` needs none: SUM for one side of an equation, which only a comparison is not.
        """
        text = self.formula(formula) if isinstance(formula, Symbol) else self.number(formula)
        head = formula.head if isinstance(formula, Application) else formula
        level = head.level if isinstance(head, Operator | Symbol) else ATOM
        loose = level < loosest or (level == MINUS and not first)
        return self.brackets(text) if loose or (not first and self.begins_with_minus(text)) else text

    def begins_with_minus(self, text):
        return self.notation.begins_with_minus(text)

    def brackets(self, text):
        return f"({text})"


def remembering(ink):
    """An ink that writes each name, number, formula and quantity once: in a run they come again and again."""
    ink = copy(ink)
    for what in ("name", "number", "formula", "quantity"):
        setattr(ink, what, remembered(getattr(ink, what)))
    return ink


def remembered(write):
    known = {}

    def written(x):
        key = key_of(x)
        if key not in known:
            known[key] = write(x), x  # x is kept, so that its id stays its own
        return known[key][0]

    return written


def key_of(x):
    """What tells a name, a number, a formula or a quantity from others, as long as these are kept."""
    match x:
        case str():
            return x
        case float() | int():
            return type(x), x
        case Ratio():
            return x.d, x.top, x.bottom
        case (number, symbol):
            return key_of(number), key_of(symbol)
    return id(x)


# fmt: off
PLAIN = {
    "·": "*", "∂": "d", "−": "-", "▶": ">", "→": "->", "←": "<-", "↓": "v", "↑": "^", "…": "...", "─": "-", "×": "x",
    "ᵀ": "^T", "ᵢ": "_i", "²": "^2",
}
# fmt: on
UNICODE = Ink(PRETTY, {})
ASCII = Ink(AsciiNotation(), PLAIN)
SAMPLE = "₀₁₂₃₄₅₆₇₈₉⁰¹²³⁴⁵⁶⁷⁸⁹·∂−▶→←↓↑…─×ᵀ\N{REPLACEMENT CHARACTER}"


def ink_for(file):
    """The characters that `file` can take: found out by trying."""
    try:
        SAMPLE.encode(getattr(file, "encoding", None) or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return ASCII
    return UNICODE


def name_of(trace, v, ink):
    return ink.name(trace.names.get(v) or v.name or "?")  # a tape may hold variables that z does not depend on


def total_of(trace, x, ink):
    """dz/dx, written."""
    return ink.formula(Ratio("d", trace.names[trace.graph.z], trace.names.get(x) or x.name or "?"))


def listed(names, separator=", ", most=MOST_NAMES):
    """Names in a row, the first of them where they are many."""
    more = len(names) - most
    return separator.join(names if more <= 0 else [*names[:most], f"… {more} more"])


def plural(n, noun):
    """1 edge, 2 edges, 1,000 edges."""
    return f"{n:,} {noun}{'s' * (n != 1)}"


def distinct_children(trace, x):
    """The children of x, each once: x * x is one child with two edges."""
    return list(dict.fromkeys(edge.child for edge in trace.graph.children.get(x, ())))


def product(factors, ink, first=True, loosest=PRODUCT):
    """Factors as a product; a single one is no product, and `loosest` says what needs no brackets."""
    return ink(" · ").join(ink.factor(f, first and not k, loosest) for k, f in enumerate(factors))


def heading(trace, i):
    """How far the run has come: iteration 4 of 6."""
    if trace[i].act == "done":
        return "end"
    return f"iteration {trace[i].iteration} of {trace.iterations}" if trace[i].iteration else "start"


def sentence(trace, i, ink=UNICODE):
    """What step i does, in one sentence.

    >>> from scalargrad import Trace, Value
    >>> x = Value(3, name="x"); y = x * x; y.name = "y"; sentence(Trace(y), 5)
    'current node x, child y (edge 1 of 2): calculate ∂y/∂x = x = 3'
    """
    where, said = facts(trace, i, ink)
    return f"{where}: {said}" if where else said


def facts(trace, i, ink=UNICODE):
    """Where step i is in the graph, and what it does there: ("current node x, child y", "calculate ∂y/∂x = 3")."""
    s, graph = trace[i], trace.graph
    name = lambda v: name_of(trace, v, ink)
    total = lambda v: total_of(trace, v, ink)
    partial = lambda: ink.formula(trace.ratio(s.y, s.slot))
    number = lambda q: ink.number(q.number)
    where = _place(trace, s, name) if s.act in PLACED else ""
    match s.act:
        case "call":
            wanted, z = ink.formula(Ratio("d", trace.names[graph.z], "x")), name(graph.z)
            each = f"each of its {plural(len(graph.variables) - 1, 'ancestor')} {ink.name('x')}"
            said = f"wanted: {wanted}, the derivative of {z} with respect to {each}; values went forward, derivatives go backward"
        case "sort":
            said = f"topological order, each variable after its children: {listed([name(v) for v in graph.order])}"
        case "count":
            counts = [f"{name(v)} {n}" for v, n in s.state["pending"].items()]
            said = f"uses of each variable that a function made: {listed(counts)}"
        case "start":
            said = f"the derivative of {name(s.x)} with respect to itself: {total(s.x)} = {number(s.total)}"
        case "visit" if "place" in trace.schedule.keeps:
            said = f"place {s.state['place'] + 1} of {len(s.state['tape'])} on the tape: {name(s.y)}"
        case "visit" if trace.schedule.scatters:
            said = f"current node {name(s.y)}, which passes {total(s.y)} to its inputs"
        case "visit":
            said = f"current node {name(s.x)}, c({name(s.x)}) = {{{listed([name(y) for y in distinct_children(trace, s.x)])}}}"
        case "skip":
            said = f"nothing was handed to {name(s.y)}: {name(graph.z)} does not depend on it"
        case "take":
            said = f"take {name(s.y)} out of ready: {total(s.y)} = {ink.quantity(trace.known_total(s.y, i))} is final"
        case "zero":
            said = f"let {total(s.x)} = 0"
        case "partial":
            said = f"calculate {partial()} = {ink.quantity(s.partial)}"
        case "get":
            found = number(s.upstream) if ink.formula(s.upstream.symbol) == total(s.y) else ink.quantity(s.upstream)
            said = f"look up {total(s.y)} = {found}"
        case "multiply":
            path = " → ".join(map(name, [s.x, *(edge.child for edge in s.state["path"])]))
            said = f"path {path}: the product of its partials is {ink.quantity(s.term)}"
        case "add" if s.upstream is None:
            said = f"add the product {number(s.term)}: {total(s.x)} is now {number(s.total)}"
        case "add":
            chain_rule, _, numbers = (product(row, ink) for row in trace.on.factors(s.y, s.slot, s))
            result = f"{numbers} = {number(s.term)}" if s.partial.number is not None else numbers
            said = f"add {chain_rule} = {result}: {total(s.x)} is now {number(s.total)}"
        case "count down":
            said = f"{name(s.x)} has {s.state['pending'][s.x]} still to wait for"
        case "ready":
            said = f"{name(s.x)} waits for nothing more: put it into ready"
        case "insert":
            said = f"insert {total(s.x)} = {ink.quantity(s.total)} into computed"
        case "stop":
            said = f"the loop stopped here: {s.state['error']}"
        case "done":
            said = f"computed holds the total derivative of {name(graph.z)} for each of {plural(len(trace.computed), 'variable')}"
        case _ if trace.loop is trace.schedule.loop:
            said = trace.schedule.listing[s.line].strip()
        case act:
            said = str(act)  # of a user-defined loop
    return ink(where), ink(said)


def _place(trace, s, name):
    """Where in the graph a step is: `current node x₁, child y₁`, or who hands on to whom."""
    if trace.schedule.scatters:
        return f"from {name(s.y)} to {name(s.x)}{_edge(trace, s)}" if s.x is not None and s.y is not None else ""
    child = f", child {name(s.y)}{_edge(trace, s)}" if s.y is not None and s.slot is not None and not trace.schedule.along_paths else ""
    return f"current node {name(s.x)}{child}"


def _edge(trace, s):
    """Which of several edges between two variables a step is about."""
    number, many = trace.graph.edge_numbers.get((s.y, s.slot), (1, 1))
    return f" (edge {number} of {many})" if many > 1 else ""


class Held(Symbol):
    """A number that stands in a formula as it is."""

    __slots__ = ("number", "level")

    def __init__(self, number):
        self.number, self.size = number, 1
        self.level = ALWAYS_IN_BRACKETS if number < 0 else ATOM

    def written(self, notation):
        return notation.number(self.number)


def in_numbers(y):
    """y's function with the numbers of its inputs in their places; of arrays what it gives."""
    if hasattr(y, "shape"):
        return Name(y.rule.name)
    return written_call(y, [Held(x.data) for x in y.inputs], [UNICODE.number(x.data) for x in y.inputs])

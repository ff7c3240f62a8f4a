"""The live program of a page: the graph's values, partials and totals at any numbers, as straight-line JavaScript.

Each line comes from a row of the table of rules, as the lines of `program` do. Python writes it; the page runs it.
"""

from math import isfinite

from scalargrad import rules
from scalargrad.fast.value import Constant
from scalargrad.formulas.notations import Text
from scalargrad.formulas.operators import ATOM, COMPARISON, POW
from scalargrad.formulas.straight_line import StraightLine, free, is_formula, spelled
from scalargrad.formulas.symbols import Application, Name, Symbol, render
from scalargrad.rule import Row, VariadicRow
from viz.graphs.inputs import inputs_of
from viz.text.formatter import plural

MOST_VARIABLES = 300  # of a graph that the page can compute at other numbers
LONGEST_PROGRAM = 250_000  # characters; functions of a few variables may be very long too
LARGEST_EXACT = 2**53  # JavaScript's numbers are floats
ROWS = {row.name: row for row in rules.TABLE}
# fmt: off
KEYWORDS = {  # of JavaScript
    "arguments", "await", "break", "case", "catch", "class", "const", "continue", "debugger", "default", "delete", "do", "else", "enum",
    "eval", "export", "extends", "false", "finally", "for", "function", "if", "implements", "import", "in", "Infinity", "instanceof",
    "interface", "let", "NaN", "new", "null", "package", "private", "protected", "public", "return", "static", "super", "switch",
    "this", "throw", "true", "try", "typeof", "undefined", "var", "void", "while", "with", "yield",
}
# fmt: on


class NotLive(ValueError):
    """The page cannot compute this graph at other numbers; the message says why, in a sentence for the page."""


class JavaScript(Text):
    """JavaScript. `called` holds each function that a formula calls, with its row and its number of arguments. `sweeps` says whether a
    program has passes of a loop.
    """

    def __init__(self):
        self.called, self.sweeps = {}, False

    def number(self, value):
        return number(value)

    def infix(self, op, a, b):
        return self.call("pow", [a, b]) if op is POW else super().infix(op, a, b)

    def call(self, name, parts):
        row = ROWS.get(name)
        if row is None:
            raise NotLive(f"The function {name} is not in the table of rules, so the page cannot compute it at other numbers.")
        called = f"{name}${len(parts)}" if isinstance(row, VariadicRow) else name
        self.called.setdefault(called, (row, len(parts)))
        return super().call(called, parts)


class Lines(StraightLine):
    """The lines of one JavaScript function."""

    assignment = "const {} = {};"

    def __init__(self, notation, taken):
        super().__init__(taken)
        self.notation, self.made = notation, set()  # the ids of operations of loops that have their lines

    def define(self, name, formula):
        """Yield the lines that define `name`. A condition becomes the number 1 or 0."""
        short = yield from self.in_parts(name, formula)
        line = self.line(name, short)
        yield line.replace(" = ", " = +(").replace(";", ");") if is_condition(short) else line


class Literal(Symbol):
    """A plain number that stays in its formula: 0·x is written, because it is nan where x is infinite."""

    __slots__ = ("number",)

    def __init__(self, number):
        self.number, self.size = number, 1

    def written(self, notation):
        return constant(self.number)


def script_of(programs, notation) -> str:
    """Return the script `const programs = {key: program}` with the functions that the programs call."""
    listed = ",\n".join(f'"{key}": {program}' for key, program in programs.items())
    return f"const programs = (() => {{\n{definitions(notation)}return {{\n{listed}\n}};\n}})();\n"


def definitions(notation):
    """Return the lines that make the called functions known: those of functions.js, and rows that are formulas in other rows."""
    lines, done, plain = [], set(), ["pow", "swept"] if notation.sweeps else ["pow"]
    while missing := [called for called in notation.called if called not in done]:
        for called in missing:
            done.add(called)
            row, count = notation.called[called]
            if is_formula(row):
                lines.append(definition(notation, called, row, count))
            else:
                plain.append(called)
    return f"const {{ {', '.join(dict.fromkeys(plain))} }} = functions;\n" + "".join(lines)


def definition(notation, called, row, count):
    """Return the line that defines a row which is a formula: const sigmoid = (x) => 1/(1 + exp(-x));"""
    names = [f"x{k}" for k in range(1, count + 1)] if isinstance(row, VariadicRow) else row.parameters
    return f"const {called} = ({', '.join(names)}) => {render(row.value(*map(Name, names)), notation)};\n"


class Writer:
    """The writer of a live program. `inputs` are the variables that can be changed, if their order is not that of the graph. A `plain`
    program calls the variables v0, v1, ...: graphs that differ in names and in starting numbers have the same one. Raises NotLive if the
    graph is too large, or has a function that is not a formula.
    """

    def __init__(self, trace, notation, inputs=None, plain=False):
        require_numbers(trace)
        self.inputs = inputs or [v for v in inputs_of(trace) if not isinstance(v, Constant)]
        self.graph, self.notation, self.start = trace.graph, notation, [] if plain else [number(v.data) for v in self.inputs]
        taken = {*KEYWORDS, *ROWS, "functions"}
        self.names = {v: free(f"v{i}" if plain else trace.names[v], taken) for i, v in enumerate(self.graph.variables)}
        self.edges = {edge: free(self.partial_name(*edge), taken) for x in self.graph.variables for edge in self.graph.children[x]}
        self.totals = {v: free(f"d{self.names[self.graph.z]}_d{name}", taken) for v, name in self.names.items()}
        self.taken = taken
        self.passes = Passes(self)
        self.formulas = {y: self.passes.edges_of(y) or self.partials_of(y) for y in self.graph.variables if y.inputs}
        self.parts = self.program()
        if (length := sum(map(len, self.parts))) > LONGEST_PROGRAM:
            raise NotLive(f"The formulas of this graph have {length:,} characters. The page can nudge graphs of up to {LONGEST_PROGRAM:,}.")

    def program(self):
        place, inputs = {v: i for i, v in enumerate(self.graph.variables)}, self.inputs
        names = list(self.names.values())
        return [
            f"inputs: [{', '.join(str(place[v]) for v in inputs)}], start: [{', '.join(self.start)}]",
            function("values", [self.names[v] for v in inputs], self.values(), names),
            function("partials", names, self.partials(), self.edges.values()),
            function("totals", self.edges.values(), self.sums(), self.totals.values()),
        ]

    def source(self, ledger=None):
        """Return the program, the JavaScript object {inputs, start, values, partials, totals} of a graph of numbers.

        inputs     the places of the variables that can be changed, and `start` their numbers
        values     (the numbers of the inputs) => the value of each variable
        partials   (values) => the partial of each edge
        totals     (partials) => dz/dx of each variable x

        Variables and edges have their order in `page_data`. JavaScript computes with floats: an integer beyond 2**53 and a fraction
        are rounded. `ledger` holds the live numbers of a run, if the page can show the run at another point.

        >>> from scalargrad import Trace, Value
        >>> x = Value(3, name="x"); print(Writer(Trace(x * x, names={}), JavaScript()).source())
        {inputs: [0], start: [3],
        values: ([x]) => {
        const z = x*x;
        return [x, z];
        },
        partials: ([x, z]) => {
        const z_by_x_1 = x;
        const z_by_x_2 = x;
        return [z_by_x_1, z_by_x_2];
        },
        totals: ([z_by_x_1, z_by_x_2]) => {
        const dz_dz = 1;
        const dz_dx = dz_dz*z_by_x_1 + dz_dz*z_by_x_2;
        return [dz_dx, dz_dz];
        }}
        """
        replay = [] if ledger is None else self.replay(ledger)
        return "{" + ",\n".join([*self.parts, *replay]) + "}"

    def partial_name(self, y, slot):
        """Return y_by_x, with a number if y uses x several times."""
        number, many = self.graph.edge_numbers[y, slot]
        return f"{self.names[y]}_by_{self.names[y.inputs[slot]]}" + f"_{number}" * (many > 1)

    def replay(self, ledger):
        """Return the functions for another point: the numbers of all steps; conditions that choose formulas of `choosing`."""
        names, chosen, place = list(self.names.values()), self.conditions(), {v: i for i, v in enumerate(self.graph.variables)}
        head = f"numbers: ([{', '.join(names)}], [{', '.join(self.edges.values())}]) => {{"
        return [
            "\n".join([head, *ledger.lines, f"return [{', '.join(ledger.names)}];", "}"]),
            function("conditions", names, self.choices([c for _, c in chosen]), [f"$c{k}" for k in range(len(chosen))]),
            f"choosing: {[place[y] for y, _ in chosen]}",
        ]

    def choices(self, conditions):
        lines = Lines(self.notation, self.taken)
        for k, condition in enumerate(conditions):
            yield from lines.define(f"$c{k}", condition)

    def conditions(self):
        """Return (y, condition) for each `where` in a partial of y. A formula on the page is written with the side that holds."""
        found, stack = {}, [(y, e) for y, formulas in self.formulas.items() for e in formulas]
        while stack:
            y, e = stack.pop()
            if isinstance(e, Application) and id(e) not in found:
                found[id(e)] = y, e
                stack.extend((y, part) for part in e.args)
        return [(y, e.args[0]) for y, e in found.values() if e.head is rules.where]

    def arguments(self, y):
        """Return the arguments of y's function as symbols."""
        return y.rule.arguments([Name(self.names[x]) for x in y.inputs])

    def values(self):
        lines = Lines(self.notation, self.taken)
        for y in self.graph.variables:
            if y in self.passes.outputs:
                yield from self.passes.values(y, lines)
            elif y.inputs:
                yield from lines.define(self.names[y], value_of(y, self.arguments))
            elif isinstance(y, Constant):
                yield lines.line(self.names[y], Literal(y.data))

    def partials_of(self, y):
        return local_partials(y, self.arguments, self.names[y])

    def partials(self):
        lines = Lines(self.notation, self.taken)
        yield from self.passes.partials(lines)
        for (y, slot), name in self.edges.items():
            if y not in self.passes.outputs:
                yield from lines.define(name, self.formulas[y][slot])

    def sums(self):
        """Yield equation (1) for each variable x: dz/dx is the sum of dz/dy · ∂y/∂x over the children y of x."""
        for x in self.graph.order:
            terms = [f"{self.totals[y]}*{self.edges[y, slot]}" for y, slot in self.graph.children[x]]
            yield f"const {self.totals[x]} = {' + '.join(terms) or '1'};"


class Passes:
    """The operations of folded loops, a line for each. The formulas of the outputs would repeat all passes, once for each input.

    A backward sweep computes the partials of an output, over a tape that has the inputs of each operation and its partials.
    """

    def __init__(self, writer):
        self.writer, outputs = writer, [y for y in writer.graph.variables if getattr(y.rule, "times", 1) > 1]
        self.outputs = dict.fromkeys(outputs)
        given = {x: writer.names[shown] for y in outputs for x, shown in zip(y.rule.inputs, y.inputs)}
        self.names = given | {y.rule.y: writer.names[y] for y in outputs}
        self.operations: list = []
        writer.notation.sweeps |= bool(outputs)
        for v in dict.fromkeys(v for y in outputs for v in y.rule.operations):
            self.names.setdefault(v, free(f"o{len(self.operations)}", writer.taken))
            self.operations.append(v)
        made = set(self.operations)
        self.place = {v: i for i, v in enumerate([*(x for x in given if x not in made), *self.operations])}

    def edges_of(self, y):
        return [Name(self.writer.edges[y, slot]) for slot in range(len(y.inputs))] if y in self.outputs else []

    def arguments(self, v):
        return v.rule.arguments([Name(self.names[x]) if x in self.names else Literal(x.data) for x in v.inputs])

    def values(self, y, lines):
        """Yield the lines of the operations that an output needs and no earlier one has needed."""
        for v in y.rule.operations:
            if id(v) not in lines.made:
                lines.made.add(id(v))
                yield from lines.define(self.names[v], value_of(v, self.arguments))

    def partials(self, lines):
        if not self.outputs:
            return
        shown = {y.rule.y for y in self.outputs}  # whose values are given
        tape = []
        for v in self.operations:
            if v not in shown:
                yield from lines.define(self.names[v], value_of(v, self.arguments))
        for v in self.operations:
            entries = []
            for x, partial in zip(v.inputs, local_partials(v, self.arguments, self.names[v])):
                if x in self.place:
                    short = yield from lines.in_parts(self.names[v], partial)
                    written = render(short, self.writer.notation)
                    entries += [str(self.place[x]), f"+({written})" if is_condition(short) else written]
            tape.append(f"[{', '.join(entries)}]")
        given = "," * (len(self.place) - len(self.operations))  # holes: a sweep ends at what the loops are given
        yield "const $tape = [" + given + ",\n".join(tape) + "];"
        for y in self.outputs:
            edges = ", ".join(self.writer.edges[y, slot] for slot in range(len(y.inputs)))
            yield f"const [{edges}] = swept($tape, {self.place[y.rule.y]}, [{', '.join(str(self.place[x]) for x in y.rule.inputs)}]);"


def value_of(y, arguments):
    return formula_of(y, lambda: spelled(y.rule, kept(y.rule, arguments(y))))


def local_partials(y, arguments, name):
    """Return the formulas of y's partials; a plain number for one that is the same everywhere."""
    found = formula_of(y, lambda: y.rule.partials_for(range(len(y.inputs)), kept(y.rule, arguments(y)), Name(name)))
    return [partial.number if isinstance(partial, Literal) else partial for partial in found]


def function(name, parameters, lines, returned):
    return f"{name}: ([{', '.join(parameters)}]) => {{\n" + "\n".join([*lines, f"return [{', '.join(returned)}];"]) + "\n}"


def require_numbers(trace):
    """Raise NotLive for a graph that no program can be written for, whatever its functions are."""
    variables = trace.graph.variables
    if any(hasattr(v, "shape") for v in variables):
        raise NotLive("Arrays can be nudged in the graph of the whole program, not in a large part of it. Press Esc to go back.")
    if len(variables) > MOST_VARIABLES:
        raise NotLive(f"This graph has {plural(len(variables), 'variable')}. The page can nudge graphs of up to {MOST_VARIABLES}.")
    if all(v.inputs or isinstance(v, Constant) for v in variables):
        raise NotLive("All inputs of this graph are constants.")


def formula_of(y, write):
    """Return what `write` returns. Raise NotLive if y's function cannot be written as a formula."""
    if y.rule is None:
        raise NotLive("This graph has a variable whose function is not known, so the page cannot compute it at other numbers.")
    row = getattr(y.rule, "row", y.rule)
    if isinstance(row, Row) and ROWS.get(row.name) is not row:
        raise NotLive(f"The function {row.name} is not in the table of rules, so the page cannot compute it at other numbers.")
    try:
        return write()
    except (TypeError, ValueError, AttributeError, ArithmeticError):
        raise NotLive(f"The function {y.rule.name} is not a formula, so the page cannot compute it at other numbers.") from None


def kept(rule, arguments):
    """Return arguments in which plain numbers are kept. The power rule looks at its exponent, and a user's function at any number."""
    row = getattr(rule, "row", rule)
    if not isinstance(row, Row) or row is rules.pow:
        return arguments
    return tuple(x if isinstance(x, Symbol) else Literal(x) for x in arguments)


def constant(value):
    """Return a number as a part of a formula in JavaScript."""
    text = number(value)
    return f"({text})" if text.startswith("-") else text


def number(value):
    """Return a number in JavaScript, as the nearest float if it is a fraction or an integer beyond 2**53."""
    if isinstance(value, bool | int) and abs(value) <= LARGEST_EXACT:
        return str(int(value))
    try:
        value = float(value)
    except OverflowError:
        return "Infinity" if value > 0 else "-Infinity"
    if isfinite(value):
        return repr(value)
    return "NaN" if value != value else "Infinity" if value > 0 else "-Infinity"


def is_condition(formula):
    head = formula.head if isinstance(formula, Application) else None
    return getattr(head, "level", ATOM) == COMPARISON


def writer_of(trace, notation):
    """Return the writer of a trace's live program, or the NotLive that says why there is none."""
    try:
        return Writer(trace, notation)
    except NotLive as reason:
        return reason

"""Derivative programs: a function and its gradient as straight-line Python.

`program(f)` runs f once on symbols. It writes the forward pass and the backward pass with one line per variable: equation (1)
for this function. The program takes plain numbers, or arrays with one entry (a "lane") per sample.
"""

import inspect
from collections.abc import Callable
from fractions import Fraction
from itertools import repeat

from scalargrad import numeric, rules
from scalargrad.custom_function import refuse_outside
from scalargrad.fast.totals import total_derivatives
from scalargrad.fast.value import Constant, Value
from scalargrad.formulas.notations import Text
from scalargrad.formulas.operators import POW
from scalargrad.formulas.straight_line import StraightLine, free, is_formula, spelled
from scalargrad.formulas.symbols import Application, Name, Symbol, render
from scalargrad.graph import Graph
from scalargrad.messages import errors
from scalargrad.modes import recording
from scalargrad.numeric import PLAIN, plain
from scalargrad.user_names.names import name_all


class Program:
    """A traced function: `program(*args)` is (value, derivatives), with the derivatives nested like the arguments.

    If an argument is an array, the value is an array, and so is the derivative in that argument. The derivative in a plain
    number is then the sum over the lanes. Raises ValueError if arrays differ in shape. `source` is the Python code for plain
    numbers.
    """

    def __init__(self, f, *like):
        if not callable(f):
            raise errors.not_a_function("program", f, "program(lambda x, y: x * y)")
        self.parameters = parameters_of(f)
        if like and len(like) != len(self.parameters):
            raise TypeError(f"program: f takes {len(self.parameters)} arguments, got {len(like)} examples; give one for each argument")
        self.parameters = [name + "_" * (name in RESERVED) for name in self.parameters]
        self.f, self.__doc__ = f, f.__doc__
        taken = {*RESERVED, *self.parameters}
        self.arguments = [_named(x, name, taken) for x, name in zip(like or self.parameters, self.parameters)]
        self.leaves = list(_flat(self.arguments))
        self.graph = Graph(_traced(f, self.arguments, self.leaves))
        writer = ProgramWriter(self, frozenset())
        self.source, self._unpack = writer.source(), writer.unpack()
        self._has_fractions = any(type(x) is Fraction for v in self.graph.variables for x in v.arguments)
        self._arrays, self._compiled = {}, {}  # the places of arrays by the types of the arguments; the programs by the places

    def __call__(self, *args):
        numbers = self._flattened(args)
        kinds = tuple(map(type, numbers))
        if kinds not in self._arrays:
            self._arrays[kinds] = [i for i, kind in enumerate(kinds) if kind not in PLAIN]
        places = self._arrays[kinds]
        lanes = tuple([i for i in places if getattr(numbers[i], "shape", ()) != ()])
        if len(lanes) < len(places):  # NumPy's numbers and 0-d arrays
            numbers = [x if type(x) in PLAIN or i in lanes else self._plain(x) for i, x in enumerate(numbers)]
            kinds = tuple(map(type, numbers))
        if lanes not in self._compiled:
            self._compiled[lanes] = ProgramWriter(self, lanes).compile()
        run = self._compiled[lanes]
        if not lanes:
            if Fraction in kinds or (self._has_fractions and float not in kinds):
                return self._on_values(numbers)
            try:
                return run(numbers)
            except (ZeroDivisionError, OverflowError):
                return self._on_values(numbers)
        self._require_one_shape(numbers, lanes)
        arrays = numbers[lanes[0]].__array_namespace__()
        with arrays.errstate(all="ignore"):
            return run(numbers, arrays)

    def _require_one_shape(self, numbers, lanes):
        first = numbers[lanes[0]].shape
        for i in lanes:
            if numbers[i].shape != first:
                raise ValueError(
                    f"program: {self.leaves[lanes[0]].name} has shape {first} and {self.leaves[i].name} has shape {numbers[i].shape}; "
                    "all arrays must have the same shape; use numpy.broadcast_arrays first"
                )

    def _flattened(self, args):
        try:
            return self._unpack(*args)
        except (TypeError, ValueError) as reason:
            raise TypeError(f"program: the arguments are not nested as the examples were: {reason}") from None

    @staticmethod
    def _plain(x):
        try:
            return plain(x.item() if hasattr(x, "item") else x)
        except TypeError:
            raise TypeError(f"program: {errors.brief(x)} is not a plain number or an array") from None

    def _on_values(self, numbers):
        """Return the same by backpropagation. Plain Python has no answer for 1 / 0, and rounds 1 / 3 beside Fractions."""
        xs = [Value(x) for x in numbers]
        with recording():
            z = self.f(*_refilled(self.arguments, iter(xs)))
        totals = total_derivatives(z)
        return z.data, tuple(_refilled(self.arguments, (totals.get(x, 0) for x in xs)))


def program(f: Callable, *like) -> Program:
    """Return f and its gradient as one straight-line program. Call it for (value, derivatives); print its `.source` to read it.

    f takes numbers, or lists of numbers if `like` gives an example of each argument, and returns one number. It runs only once.
    Raises TypeError if f branches on a number or takes any number of arguments (*x), ValueError if f uses a Value that is not an
    argument. The derivative in an argument that f does not use is 0.

    >>> p = program(lambda x1, x2: x1 * x2 + x1.sin())
    >>> p(0.0, 3.0)
    (0.0, (4.0, 0.0))
    >>> print(p.source)
    def program(x1, x2):
        # forward: each function once, inputs first
        v1 = x1*x2
        v2 = sin(x1)
        z = v1 + v2
        # backward: dz/dx = sum of dz/dy * ∂y/∂x over the children y of x
        dz_dv2 = 1
        dz_dv1 = 1
        dz_dx2 = x1
        dz_dx1 = x2 + cos(x1)
        return z, (dz_dx1, dz_dx2)
    """
    return Program(f, *like)


def _traced(f, arguments, leaves):
    with recording():
        z = f(*arguments)
    if not isinstance(z, Value):
        raise errors.wrong_result(f"program: {getattr(f, '__name__', 'f')}", z, "one Value made from its arguments")
    refuse_outside("program", z, leaves)
    return z


class ProgramText(Text):
    """Python with the powers of IEEE 754: (-8.0) ** (1/3) is nan here, but a complex number in Python."""

    def infix(self, op, a, b):
        return super().infix(op, a, b) if op is not POW or b.isdigit() else f"power({a}, {b})"


PROGRAM = ProgramText()


class ProgramWriter(StraightLine):
    """The writer of a graph's program. `lanes` are the places of the arguments that are arrays."""

    notation = PROGRAM

    def __init__(self, program, lanes):
        super().__init__(RESERVED)
        self.graph, self.leaves = program.graph, program.leaves
        self.parameters, self.arguments = program.parameters, program.arguments
        taken = self.taken
        self.names = {x: free(x.name, taken) for x in self.leaves}  # first: a part that f detached is a formula in these names
        wishes = {v: name for v, name in name_all(self.graph).items() if v not in self.names and not isinstance(v, Constant)}
        self.names |= {v: free(name, taken) for v, name in wishes.items()}
        self.total_names = {v: Name(free(f"d{self.names[self.graph.z]}_d{name}", taken)) for v, name in self.names.items()}
        self.symbols = {v: v.data if isinstance(v, Constant) else Name(self.names[v]) for v in self.graph.variables}
        self.lanes = {self.leaves[i] for i in lanes}
        self.lane_names = {self.names[x] for x in self.lanes}
        for v in self.graph.variables:
            if any(x in self.lanes for x in v.inputs) or (isinstance(v, Constant) and self.is_wide(v.data)):
                self.lanes.add(v)
        self.lane_names |= {self.names[v] for v in self.lanes if v in self.names}
        # A plain number beside arrays becomes a 0-d array, which NumPy multiplies fastest.
        meets = {x: None for y in self.graph.variables if y in self.lanes for x in y.inputs if not x.inputs and x not in self.lanes}
        self.wide_symbols = {x: Name(free(f"lanes_{self.names[x]}", taken)) for x in meets if not isinstance(x, Constant)}
        self.per_lane = bool(lanes) and self.graph.z not in self.lanes  # z is the same number in all lanes
        self.totals, self.partials = {self.graph.z: Name("lane_count") if self.per_lane else 1}, {}
        self.body = [
            "# forward: each function once, inputs first",
            *self.forward(),
            "# backward: dz/dx = sum of dz/dy * ∂y/∂x over the children y of x",
            *self.backward(),
        ]

    def source(self):
        return self._function(f"def program({', '.join(self.parameters)}):", [*self._taken_apart(), *self.body, self._returned()])

    def unpack(self):
        """Return a function that unpacks the arguments and returns their numbers in one tuple."""
        lines = [*self._taken_apart(), f"return {self._tuple([self.names[x] for x in self.leaves])}"]
        return self._executed(self._function(f"def program({', '.join(self.parameters)}):", lines))

    def compile(self):
        """Return the program as a function of (all numbers in one sequence, the arrays' library or None)."""
        lines = [f"{self._tuple([self.names[x] for x in self.leaves])} = numbers"]
        if self.lanes:
            lines.append(f"lane_dot, lane_count = arrays.vdot, {self.lane}.size")
            lines.append(f"lane_sum = arrays.add.reduce if {self.lane}.ndim == 1 else arrays.sum")
            lines += [f"{self.names[x]} = {self.names[x]}*1.0" for x in self.leaves if x in self.lanes]  # integers overflow silently
        if self.wide_symbols:
            wide, numbers = [s.name for s in self.wide_symbols.values()], [self.names[x] for x in self.wide_symbols]
            lines.append(f"{self._tuple(wide)} = map(arrays.asarray, {self._tuple(numbers)}, repeat({self.lane}.dtype))")
        return self._executed(self._function("def program(numbers, arrays=None):", [*lines, *self.body, self._returned()]))

    @staticmethod
    def _function(head, lines):
        return "\n    ".join([head, *lines])

    @staticmethod
    def _tuple(items):
        return f"({', '.join(items)}{',' * (len(items) == 1)})"

    def _executed(self, source):
        scope = dict(_FUNCTIONS)
        exec(compile(source, "<derivative program>", "exec"), scope)
        return scope["program"]

    def _taken_apart(self):
        for name, argument in zip(self.parameters, self.arguments):
            if isinstance(argument, list):
                yield f"{_nested(argument, self.names)} = {name}"
            elif name != self.names[argument]:
                yield f"{self.names[argument]} = {name}"

    def _returned(self):
        z, derivatives = self.names[self.graph.z], {x: self._derivative(x) for x in self.leaves}
        value = f"arrays.full_like({self.lane}, {z})" if self.per_lane else z
        return f"return {value}, {self._tuple([_nested(a, derivatives) for a in self.arguments])}"

    def _derivative(self, x):
        total = self.total_names[x] if x in self.graph.children else 0
        if not self.lanes or self.is_wide(total):
            return render(total)
        return f"arrays.full_like({self.names[x]}, {render(total)})" if x in self.lanes else f"float({render(total)})"

    @property
    def lane(self):
        """The name of the first argument that is an array."""
        return next(self.names[x] for x in self.leaves if x in self.lanes)

    def _arguments(self, y):
        """Return the arguments of y's function as symbols."""
        return y.rule.arguments([self.symbol(x, y) for x in y.inputs])

    def symbol(self, x, y):
        """Return the symbol of x as an input of y."""
        return self.wide_symbols[x] if y in self.lanes and x in self.wide_symbols else self.symbols[x]

    def forward(self):
        for y in self.graph.variables:
            if y.inputs:
                formula = yield from self.in_parts(self.names[y], spelled(y.rule, self._arguments(y)))
                yield self.line(self.names[y], formula)

    def backward(self):
        for x in self.graph.order[1:]:
            if isinstance(x, Constant):
                continue
            name, total = self.total_names[x].name, 0
            for y, slot in self.graph.children[x]:
                if y not in self.partials:
                    self.partials[y] = y.rule.partials_for(range(len(y.inputs)), self._arguments(y), self.symbols[y])
                partial = yield from self.in_parts(name, self.partials[y][slot])
                total = total + self.contribution(x, y, self.totals[y], partial)
            total = yield from self.in_parts(name, total)
            yield self.line(name, total)
            self.totals[x] = self.total_names[x] if isinstance(total, Symbol) else total
        if not self.graph.z.inputs:
            yield self.line(self.total_names[self.graph.z].name, self.totals[self.graph.z])

    def line(self, name, formula):
        if self.is_wide(formula):
            self.lane_names.add(name)
        return super().line(name, formula)

    def contribution(self, x, y, upstream, partial):
        """Return the contribution of y to x. If y has lanes and x is one number, sum the lanes; nothing else does."""
        if x in self.lanes or y not in self.lanes:
            return upstream * partial
        if self.is_wide(upstream) and self.is_wide(partial):
            return Application(LANE_DOT, (upstream, partial))
        if self.is_wide(upstream):
            return Application(LANE_SUM, (upstream,)) * partial
        if self.is_wide(partial):
            return upstream * Application(LANE_SUM, (partial,))
        return Name("lane_count") * upstream * partial

    def is_wide(self, formula):
        """Return whether a formula is an array: it names one, other than to sum its lanes."""
        stack = [formula]
        while stack:
            e = stack.pop()
            if isinstance(e, Name) and e.name in self.lane_names:
                return True
            if isinstance(e, Application) and e.head not in (LANE_DOT, LANE_SUM):
                stack.extend(e.args)
        return False


class _Call:
    """The name of a function that only programs know."""

    def __init__(self, name):
        self.name = name


LANE_DOT, LANE_SUM = _Call("lane_dot"), _Call("lane_sum")

_FUNCTIONS = {row.name: row if is_formula(row) else row.value for row in rules.TABLE}
_FUNCTIONS |= {"power": numeric.power, "Fraction": Fraction, "repeat": repeat}
RESERVED = {*_FUNCTIONS, "float", "map", "arrays", "numbers", "lane_dot", "lane_sum", "lane_count", "program"}


def parameters_of(f):
    """Return the names of f's parameters. Raises TypeError if their number is not fixed, or if one cannot be given by position."""
    called = getattr(f, "__name__", "f")
    try:
        found = inspect.signature(f).parameters.values()
    except (TypeError, ValueError):
        raise TypeError(f"program: the parameters of {called} are not known; write a function of them, lambda x: {called}(x)") from None
    for p in found:
        if p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD):
            raise TypeError(
                f"program: {called} takes any number of arguments, {p}; name each, lambda x, y: …, or take a list and give an example: "
                "program(lambda xs: …, [0.0, 0.0])"
            )
        if p.kind is p.KEYWORD_ONLY and p.default is p.empty:
            raise TypeError(f"program: {called} takes {p.name} only by name; make {p.name} a parameter that can be given by position")
    return [p.name for p in found if p.kind is not p.KEYWORD_ONLY]


# Arguments may be nested lists.


def _named(example, name, taken):
    """Return the variables of one argument, over symbols: w, or w0, w1, … for a list w. `taken` are the names of others."""
    if isinstance(example, (list, tuple)):
        joint = "_" if name[-1:].isdigit() else ""
        return [_named(item, free(f"{name}{joint}{i}", taken), taken) for i, item in enumerate(example)]
    return Value(Name(name), name=name)


def _flat(argument):
    if isinstance(argument, list):
        for item in argument:
            yield from _flat(item)
    else:
        yield argument


def _refilled(arguments, items):
    """Return lists nested like `arguments`, filled with the next of `items`."""
    return [_refilled(a, items) if isinstance(a, list) else next(items) for a in arguments]


def _nested(argument, names):
    """Return an argument as source: a name, or a list of names."""
    return f"[{', '.join(_nested(item, names) for item in argument)}]" if isinstance(argument, list) else names[argument]

"""What the schedules of a trace run on: each number together with the formula that it comes from."""

from copy import copy
from typing import NamedTuple

from scalargrad.fast.comparing import number_of
from scalargrad.fast.value import Constant
from scalargrad.formulas.operators import ADD, MUL
from scalargrad.formulas.rounding_error import NEGLIGIBLE, NOTHING, Rounded, error_of, is_lost, is_rounded
from scalargrad.formulas.symbols import Name, Ratio, Symbol, settled
from scalargrad.formulas.text import short
from scalargrad.graph import ChangedError
from scalargrad.messages.anomaly import is_finite, is_masked
from scalargrad.statements.statement import Statement
from scalargrad.tracing.rounding import partials, values

WRITTEN_OUT = 40  # names and numbers in a total; formulas refer to a longer one as dz/dy
LONGEST = 100  # names and numbers in a partial; a longer one is written as ∂y/∂x
LONGEST_FUNCTION = 10_000  # names and numbers in a function; a longer one is written as f(x): shared parts may make it 2**n long
ROUNDING = 1e-9  # how much a sum of floats may change with the order of its terms, relative to their sizes


add, mul = ADD.function, MUL.function  # no number is too large for them


class Quantity(NamedTuple):
    """A number and its formula; a sum or product applies to both."""

    number: object
    symbol: object

    def __add__(self, other):
        return Quantity(add(self.number, other.number), self.symbol + other.symbol)

    def __mul__(self, other):
        if not isinstance(other, Quantity):
            return NotImplemented  # the vjp of a tensor's edge defines this product itself
        return Quantity(mul(self.number, other.number), self.symbol * other.symbol)


HOLE = Name("?")
HOLES = Quantity(HOLE, HOLE)


def quantities(graph, names):
    """Return what a trace of this graph runs on. A variable of another kind than Value brings its own, in a method of this name."""
    own = getattr(graph.variables[-1], "quantities", None)
    return Numbers(graph, names) if own is None else own(graph, names)


class Numbers:
    """The numbers of a graph of Values: a schedule computes with them, and each can be written as a formula."""

    at_edges = "numbers"  # what a drawing writes at an edge by default
    zero = Quantity(0, 0)
    one = Quantity(1, 1)

    def __init__(self, graph, names):
        self.z, self.variables, self.names = graph.z, graph.variables, names
        self.symbols = {v: Name(name) for v, name in names.items()}
        self._written: tuple = (None, {})  # the names, and {variable: its partials as `_partials_of` writes them}
        refuse_changed(self.variables, names)
        self.numbers = values(self.variables)  # a copy: the user may change the variables later
        self._partials: dict = {}  # {y: its partials, which know their errors by rounding}

    def renamed(self, names):
        found = copy(self)
        found.names, found.symbols = names, {v: Name(name) for v, name in names.items()}
        return found

    def require_saved(self):
        """Raise Released if a backward pass has released what a schedule needs; Values keep their partials."""

    def with_lost_entries(self, steps):
        """Return the steps of a trace, after noting which entries of arrays are only rounding; numbers know that themselves."""
        return steps

    # What a schedule computes with

    def partial(self, y, slot):
        return Quantity(self.partials(y)[slot], self.written_partial(y, slot))

    def partials(self, y):
        if y not in self._partials:
            self._partials[y] = partials(y, self.numbers)
        return self._partials[y]

    def keeps_grad(self, v):
        """Return whether v keeps its gradient under the tutorial's algorithm, by default: as in the tutorial, if it is a leaf."""
        return not v.inputs and not isinstance(v, Constant)

    def as_made(self, y, slot, partial):
        """Return whether a partial is the one that y was made with."""
        return partial.number is self.partials(y)[slot]

    def upstream(self, y, total):
        return Quantity(total.number, self.total(y)) if is_long(total.symbol, WRITTEN_OUT) else total

    def product(self, path):
        """Return the product of the partials along a path of edges."""
        found = self.one
        for y, slot in path:
            found = found * self.partial(y, slot)
        return found

    # How it is written

    def name(self, v):
        return self.names[v]

    def total(self, x):
        """Return dz/dx as a formula, not as a number."""
        return Ratio("d", self.names[self.z], self.names[x])

    def ratio(self, y, slot):
        """Return ∂y/∂x as a formula, not as a number."""
        return Ratio("∂", self.names[y], self.names[y.inputs[slot]])

    def written_partial(self, y, slot):
        """Return the formula of ∂y/∂(input `slot`) at this point; ∂y/∂x itself if the formula cannot be written down or is too long."""
        if self._written[0] is not self.names:
            self._written = self.names, {}
        known = self._written[1]
        if y not in known:
            known[y] = self._partials_of(y)
        return known[y][slot]

    def _partials_of(self, y):
        slots, symbols = range(len(y.inputs)), [self.symbols[x] for x in y.inputs]
        try:
            if isinstance(y.rule, Statement):
                formulas = y.rule.shown_partials(symbols, self.symbols[y])
            else:
                formulas = [None if is_long(f) else f for f in y.rule.partials_for(slots, y.rule.arguments(symbols), self.symbols[y])]
            numbers = {self.names[v]: self.numbers[v] for v in (y, *y.inputs)}
            return [self.ratio(y, slot) if formulas[slot] is None else settled(formulas[slot], numbers) for slot in slots]
        except (TypeError, ValueError, AttributeError, ArithmeticError):  # such as x / 0
            return [self.ratio(y, slot) for slot in slots]

    def written(self, y):
        """Return y's function as a formula."""
        return written_call(y, [self.symbols[x] for x in y.inputs], [self.names[x] for x in y.inputs])

    def factors(self, y, slot, done=None):
        """Return the term of equation (1) for one edge in three forms: chain rule, symbols, numbers. Each is a tuple of its factors.

        `done` is the latest step at this edge; a factor that it does not know yet is a `?`.
        """
        upstream = HOLES if done is None or done.upstream is None else done.upstream
        partial = HOLES if done is None or done.partial is None else done.partial
        return (self.total(y), self.ratio(y, slot)), (upstream.symbol, partial.symbol), (upstream.number, partial.number)

    # What variables hold

    def data(self, v):
        return self.numbers[v]

    def on_edge(self, y, slot, totals):
        """Return the number that is written at an edge: the partial. `totals` are the known total derivatives."""
        return self.partials(y)[slot]

    def saved(self, y):
        """Return what y saves for the backward pass, [(name, number)]: its partials."""
        return [(self.ratio(y, slot), partial) for slot, partial in enumerate(self.partials(y))]

    def constants(self, y):
        """Return the constants among y's arguments that a drawing shows: none, they stand in the formula."""
        return ()

    def taken(self, y):
        """Return {name: array} of what the formulas of y and of its contributions name, beside numbers: nothing."""
        return {}

    def not_finite(self, number):
        """Return (number, ()) if the number is inf or nan, else None: for an array, the first such entry and its index."""
        return None if is_finite(number) else (number, ())

    def anomaly(self, y):
        """Return (number, ()) if y's function made inf or nan, else None; an intended -inf is none, see `anomaly.py`."""
        return None if is_masked(y) else self.not_finite(self.data(y))

    def not_finite_inputs(self, y, place):
        """Return those inputs of y that are inf or nan where y's entry at `place` comes from."""
        return [x for x in y.inputs if self.not_finite(self.data(x))]

    def gradients(self):
        """Return what `.grad` holds, {} before backward(), and whether it is dz/dx for every x: whether equation (1) holds at each x."""
        if self.z.grad is None or self.z.grad == 0:
            return {}, True
        held = {v: number_of(v.grad) for v in self.variables if not isinstance(v, Constant)}
        terms: dict = {x: [] for x in self.variables}
        for y, total in held.items():
            for x, partial in zip(y.inputs, y.partials):
                terms[x].append(total * partial)
        terms[self.z] = [1]
        sizes = {x: sum(map(abs, terms[x])) for x in held}
        exact = all(same(total, sum(terms[x]), sizes[x]) for x, total in held.items())
        negligible = any(0 < abs(total) <= max(NEGLIGIBLE * sizes[x], NOTHING) for x, total in held.items())
        return (self.with_errors(held) if exact and negligible else held), exact

    def with_errors(self, totals):
        """Return total derivatives that know their errors by rounding."""
        found: dict = {self.z: 1}
        for y in reversed(self.variables):
            for x, partial in zip(y.inputs, self.partials(y)):
                found[x] = add(found.get(x, 0), mul(found[y], partial))
        return {x: Rounded(total, error_of(found[x]), is_lost(found[x])) if is_rounded(total) else total for x, total in totals.items()}


def is_long(formula, most=LONGEST):
    """Return whether a formula has more than `most` names and numbers."""
    return isinstance(formula, Symbol) and formula.size > most


def written_call(y, symbols, texts):
    """Return y's function of `symbols` as a formula; f(texts) if it cannot be written down or is too long."""
    try:
        formula = getattr(y.rule, "shown", y.rule)(*symbols)
    except (TypeError, ValueError, AttributeError, ArithmeticError):
        formula = None
    return Name(f"{y.rule.name}({', '.join(texts)})") if formula is None or is_long(formula, LONGEST_FUNCTION) else formula


def refuse_changed(variables, names):
    """Raise ChangedError if a variable differs from what its function makes of its inputs now: a trace cannot show 2 · 2 = 6."""
    for y in variables:
        if not y.rule:
            continue
        now = y.rule(*(x.data for x in y.inputs))
        if not same(now, y.data, abs(now)):
            inputs = dict.fromkeys(f"{names[x]} = {short(x.data)}" for x in y.inputs)
            raise ChangedError(
                f"{names[y]} is {short(y.data)}, but {y.rule.name} of {', '.join(inputs)} is {short(now)}; a number was changed after "
                f"{names[y]} had been made; make {names[variables[-1]]} again, and look at it before the next change"
            )


def same(a, b, size):
    return a == b or abs(a - b) <= ROUNDING * size or (a != a and b != b)

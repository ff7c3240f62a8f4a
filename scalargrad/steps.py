"""What a schedule is, and what each executed line of it leaves behind: a step. And the numbers and formulas that it runs on."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from inspect import signature
from typing import NamedTuple

from scalargrad.anomaly import finite
from scalargrad.formulas.operators import ADD, MUL
from scalargrad.formulas.symbols import Name, Ratio, Symbol, settled
from scalargrad.formulas.text import short
from scalargrad.graph import ChangedError
from scalargrad.value import Constant, number_of

WRITTEN_OUT = 40  # a longer total stands in later formulas as dz/dy, not in full
LONGEST = 100  # names and numbers in a formula; a longer partial is written as ∂y/∂x
LONGEST_FUNCTION = 10_000  # and in that of a function; a longer one is written as f(x): sharing its parts it may have 2**n


add, mul = ADD.function, MUL.function  # which no number is too large for


class Quantity(NamedTuple):
    """A number together with the formula it came from; both are added and multiplied."""

    number: object
    symbol: object

    def __add__(self, other):
        return Quantity(add(self.number, other.number), self.symbol + other.symbol)

    def __mul__(self, other):
        if not isinstance(other, Quantity):
            return NotImplemented  # what is no number says itself what it makes of an upstream gradient
        return Quantity(mul(self.number, other.number), self.symbol * other.symbol)


class Step(NamedTuple):
    """One executed line of a schedule. What a line does not touch is None.

    `act` says what the line did; `x` is the current variable, `y` its child, `slot` which input of y's function x is.
    `total` is dz/dx as far as it is summed up. `log` holds (variable, total) for every insertion of the whole run, of
    which the first `known` have happened; `state` is what else the schedule keeps (its queue, its counts, its path).
    """

    line: int | None
    act: str
    iteration: int = 0
    x: object = None
    y: object = None
    slot: int | None = None
    partial: object = None
    upstream: object = None
    term: object = None
    total: object = None
    known: int = 0
    log: list | tuple = ()
    state: dict | None = None

    @property
    def computed(self):
        """The dictionary {x: dz/dx} as it is after this step."""
        return dict(self.log[: self.known])


STATE = {  # what a step's `state` may hold; terminal, page and narration show each
    "pending": "{variable: how many contributions it still waits for}",
    "ready": "the variables whose total derivatives are complete, but not yet passed on",
    "tape": "all variables, in the order in which they were made",
    "place": "the place on the tape that is read",
    "path": "the edges of the path that is followed",
}


@dataclass(frozen=True)
class Schedule:
    """One way to evaluate equation (1), with everything that terminal, page, quiz and command line must know about it.

    `listing` is its pseudocode, {line number: text}. `loop` is a generator function of (graph, on), and of options of its own;
    it yields one Step for each executed line. In a schedule that `scatters`, a variable y passes a contribution to each of its inputs x;
    in the others x collects a term from each of its children y. A schedule that `takes_order` follows `graph.order`, which the user
    may choose. `keeps` names what its steps hold in `state`; STATE lists what there is.
    """

    name: str
    listing: Mapping[int, str]
    loop: Callable
    scatters: bool
    takes_order: bool
    keeps: tuple[str, ...]

    def __post_init__(self):
        unknown = set(self.keeps) - set(STATE)
        if unknown:
            raise ValueError(f"schedule {self.name}: nothing shows {', '.join(sorted(unknown))}; keep some of {', '.join(STATE)}")

    @property
    def along_paths(self):
        """Whether a term of its sum belongs to a path from x to z, and not to an edge."""
        return "path" in self.keeps

    @property
    def gathers(self):
        """Whether each iteration computes one total derivative from the edges to its children, as the tutorial does."""
        return not (self.scatters or self.along_paths)

    @property
    def options(self):
        """The names of the options that its loop takes."""
        return list(signature(self.loop).parameters)[2:]


def quantities(graph, names=None):
    """What a schedule runs on: numbers, or what the graph's variables say; with names, numbers and formulas side by side.

    A variable whose partials are more than numbers has a method of this name.
    """
    own = getattr(graph.variables[-1], "quantities", None)
    if own is not None:
        return own(graph, names)
    return Numbers(graph) if names is None else NumbersAndSymbols(graph, names)


class Numbers:
    """Lets a schedule run on plain numbers."""

    zero: object = 0
    one: object = 1

    def __init__(self, graph):
        self.z, self.variables = graph.z, graph.variables

    def require_saved(self):
        """Raise Released if a backward pass has dropped what a schedule needs; numbers keep their partials."""

    def partial(self, y, slot):
        return y.partials[slot]

    def as_made(self, y, slot, partial):
        """Whether a partial is the very one that y was made with."""
        return partial is y.partials[slot]

    def upstream(self, y, total):
        return total

    def product(self, path):
        """The product of the partials along a path of edges."""
        found = self.one
        for y, slot in path:
            found = found * self.partial(y, slot)
        return found


class NumbersAndSymbols(Numbers):
    """Lets a schedule run on numbers and formulas side by side, and says how each is written."""

    at_edges = "numbers"  # what a drawing writes at an edge when it is not told
    zero = Quantity(0, 0)
    one = Quantity(1, 1)

    def __init__(self, graph, names):
        super().__init__(graph)
        self.names = names
        self.symbols = {v: Name(name) for v, name in names.items()}
        self._written: tuple = (None, {})  # the names, and of each variable the partials as `_partials_of` writes them
        refuse_changed(self.variables, names)
        self.numbers = {v: v.data for v in self.variables}  # now: the user may go on and change them

    def partial(self, y, slot):
        return Quantity(y.partials[slot], self.written_partial(y, slot))

    def as_made(self, y, slot, partial):
        return super().as_made(y, slot, partial.number)

    def upstream(self, y, total):
        return Quantity(total.number, self.total(y)) if is_long(total.symbol, WRITTEN_OUT) else total

    # How things are written

    def name(self, v):
        return self.names[v]

    def total(self, x):
        """dz/dx as it is written before it is worked out."""
        return Ratio("d", self.names[self.z], self.names[x])

    def ratio(self, y, slot):
        """∂y/∂x as it is written before it is worked out."""
        return Ratio("∂", self.names[y], self.names[y.inputs[slot]])

    def written_partial(self, y, slot):
        """∂y/∂(input `slot`) as a formula at this point; ∂y/∂x itself where y's function cannot be written down, or is too long."""
        if self._written[0] is not self.names:
            self._written = self.names, {}
        known = self._written[1]
        if y not in known:
            known[y] = self._partials_of(y)
        return known[y][slot]

    def _partials_of(self, y):
        """The formulas of all partials of y at this point."""
        slots = range(len(y.inputs))
        try:
            formulas = y.rule.partials_for(slots, y.rule.arguments([self.symbols[x] for x in y.inputs]), self.symbols[y])
            numbers = {self.names[v]: self.numbers[v] for v in (y, *y.inputs)}
            return [self.ratio(y, slot) if is_long(formulas[slot]) else settled(formulas[slot], numbers) for slot in slots]
        except (TypeError, ValueError, AttributeError, ArithmeticError):  # such as x / 0
            return [self.ratio(y, slot) for slot in slots]

    def written(self, y):
        """y's function as a formula."""
        return written_call(y, [self.symbols[x] for x in y.inputs], [self.names[x] for x in y.inputs])

    def factors(self, y, slot, done=None):
        """The term of equation (1) for one edge, three times over: as it reads, in symbols, in numbers; each as its factors.

        `done` is the latest step at this edge; what it does not know yet is a `?`.
        """
        upstream, partial = (done.upstream, done.partial) if done else (None, None)
        known = [HOLES if q is None else q for q in (upstream, partial)]
        return (self.total(y), self.ratio(y, slot)), tuple(q.symbol for q in known), tuple(q.number for q in known)

    # What variables hold

    def data(self, v):
        """The number that v holds."""
        return self.numbers[v]

    def on_edge(self, y, slot, totals):
        """The number that is written at an edge: the partial. `totals` are the total derivatives that are known."""
        return y.partials[slot]

    def saved(self, y):
        """What y keeps to go backward, by its name: its partials."""
        return [(self.ratio(y, slot), partial) for slot, partial in enumerate(y.partials)]

    def constants(self, y):
        """The constants among y's arguments that are drawn but are no variables of the graph."""
        return ()

    def not_finite(self, number):
        """(number, ()) if it is inf or nan, else None; of an array the first such entry and its index."""
        return None if finite(number) else (number, ())

    def gradients(self):
        """What `.grad` holds, {} before backward() has run; and whether that is dz/dx for every x."""
        if self.z.grad is None or self.z.grad == 0:
            return {}, True
        variables = self.variables
        held = {v: number_of(v.grad) for v in variables if not isinstance(v, Constant)}
        totals, sizes = dict.fromkeys(variables, 0), dict.fromkeys(variables, 0)  # a size is what rounding is measured against
        totals[self.z] = sizes[self.z] = 1
        for y in reversed(variables):
            for x, partial in zip(y.inputs, y.partials):
                totals[x] += totals[y] * partial
                sizes[x] += sizes[y] * abs(partial)
        return held, all(same(number, totals[v], sizes[v]) for v, number in held.items())


def is_long(formula, most=LONGEST):
    """Whether a formula holds more than so many names and numbers."""
    return isinstance(formula, Symbol) and formula.size > most


def written_call(y, symbols, texts):
    """y's function of `symbols` as a formula; f(texts) where it cannot be written down, or is too long."""
    try:
        formula = y.rule(*symbols)
    except (TypeError, ValueError, AttributeError, ArithmeticError):
        formula = None
    return Name(f"{y.rule.name}({', '.join(texts)})") if formula is None or is_long(formula, LONGEST_FUNCTION) else formula


def refuse_changed(variables, names):
    """ChangedError if a variable is not what its function makes of its inputs now: nobody can show that 2 · 2 = 6."""
    for y in variables:
        if not y.rule:
            continue
        now = y.rule(*(x.data for x in y.inputs))
        if not same(now, y.data, abs(now)):
            inputs = dict.fromkeys(f"{names[x]} = {short(x.data)}" for x in y.inputs)
            raise ChangedError(
                f"{names[y]} is {short(y.data)}, but {y.rule.name} of {', '.join(inputs)} is {short(now)}: a number was changed after "
                f"{names[y]} had been made; make {names[variables[-1]]} again, and look at it before the next change"
            )


HOLE = Name("?")
HOLES = Quantity(HOLE, HOLE)
ROUNDING = 1e-9  # how far a sum of floats may be from the same sum in another order, relative to its terms


def same(a, b, size):
    return a == b or abs(a - b) <= ROUNDING * size or (a != a and b != b)

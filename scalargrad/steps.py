"""What one executed line of a schedule leaves behind: a step. And the number-and-formula pairs that steps show."""

from typing import NamedTuple

from scalargrad.symbols import ADD, MUL, Name, Ratio, Symbol, settled

WRITTEN_OUT = 40  # a longer total stands in later formulas as dz/dy, not in full


add, mul = ADD.function, MUL.function  # which no number is too large for


class Quantity(NamedTuple):
    """A number together with the formula it came from; both are added and multiplied."""

    number: object
    symbol: object

    def __add__(self, other):
        return Quantity(add(self.number, other.number), self.symbol + other.symbol)

    def __mul__(self, other):
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


class Numbers:
    """Lets a schedule run on plain numbers."""

    def __init__(self, graph):
        self.zero, self.one = 0, 1

    def partial(self, y, slot):
        return y.partials[slot]

    def upstream(self, y, total):
        return total


class NumbersAndSymbols:
    """Lets a schedule run on numbers and formulas side by side."""

    def __init__(self, graph, names):
        self.zero, self.one = Quantity(0, 0), Quantity(1, 1)
        self.z, self.names = graph.z, names
        self.symbols = {v: Name(name) for v, name in names.items()}

    def partial(self, y, slot):
        return Quantity(y.partials[slot], self.written_partial(y, slot))

    def written_partial(self, y, slot):
        """∂y/∂(input `slot`) as a formula at this point; ∂y/∂x itself where y's function cannot be written down."""
        try:
            formula = y.rule.partial(slot, y.rule.arguments([self.symbols[x] for x in y.inputs]), self.symbols[y])
            return settled(formula, {self.names[v]: v.data for v in (y, *y.inputs)})
        except (TypeError, ValueError, AttributeError):
            return Ratio("∂", self.names[y], self.names[y.inputs[slot]])

    def written(self, y):
        """y's function as a formula; f(x, ...) where it cannot be written down."""
        try:
            return y.rule(*(self.symbols[x] for x in y.inputs))
        except (TypeError, ValueError, AttributeError):
            return Name(f"{y.rule.name}({', '.join(self.names[x] for x in y.inputs)})")

    def upstream(self, y, total):
        long = isinstance(total.symbol, Symbol) and total.symbol.size > WRITTEN_OUT
        return Quantity(total.number, Ratio("d", self.names[self.z], self.names[y])) if long else total

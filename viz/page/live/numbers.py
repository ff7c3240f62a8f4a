"""Numbers that know what they are computed from. So the page computes each number of a run again at another point.

A trace on live numbers has the same steps and sentences as the trace itself. Its numbers stand in the texts as placeholders:
`<mrow data-n="3"><mn>9</mn></mrow>` is number 3 of the program, and 9 at the starting point.
"""

import re

from scalargrad.formulas.operators import ADD, ATOM, DIV, EQ, GT, LT, MUL, NEG, SUB, Operator
from scalargrad.formulas.symbols import Symbol
from scalargrad.formulas.text import short
from scalargrad.messages.anomaly import is_finite
from scalargrad.tracing.quantities import Numbers, Quantity
from viz.page.live.program import constant
from viz.text.mathml import PLACE, PlaceFormatter, ShortNames
from viz.text.narration import ALWAYS_IN_BRACKETS, Held

NUMBER = r"<mn>[^<]*</mn>|<mrow><mo>\N{MINUS SIGN}</mo><mn>[^<]*</mn></mrow>"
IN_BRACKETS = rf'<mrow><mo stretchy="false">\(</mo>(?:{NUMBER})<mo stretchy="false">\)</mo></mrow>'
PLACEHOLDER = re.compile(rf'<mrow data-n="(\d+)"(?: data-in="brackets")?>({NUMBER}|{IN_BRACKETS})</mrow>')
ABS, FINITE = Operator("Math.abs", ATOM, abs), Operator("Number.isFinite", ATOM, is_finite)
BEFORE_A_NAME = re.compile("(<(msub|msup|msubsup|mrow)[^>]*>)*<mi[^>]*>")


class Undecided(Exception):
    """A text depends on a comparison; the argument is its place in the ledger."""


class LiveNumber:
    """A number at the starting point, and its line in the ledger. Sums and products of live numbers are live numbers."""

    __slots__ = ("data", "ledger", "place")

    def __init__(self, data, ledger, place):
        self.data, self.ledger, self.place = data, ledger, place

    def __add__(a, b):
        return a if at_start(b) == 0 and not isinstance(b, LiveNumber) else a.ledger.made(ADD, a, b)

    def __mul__(a, b):
        return a if at_start(b) == 1 and not isinstance(b, LiveNumber) else a.ledger.made(MUL, a, b)

    __radd__, __rmul__ = __add__, __mul__

    def __sub__(a, b):
        return a.ledger.made(SUB, a, b)

    def __rsub__(b, a):
        return b.ledger.made(SUB, a, b)

    def __rtruediv__(b, a):
        return b.ledger.made(DIV, a, b)

    def __neg__(a):
        return a.ledger.made(NEG, a)

    def __abs__(a):
        return a.ledger.made(ABS, a)

    def __eq__(a, b):
        return a is b if a.ledger.assumed is None else a.ledger.outcome(EQ, a, b)

    __hash__ = object.__hash__

    def __gt__(a, b):
        return a.ledger.outcome(GT, a, b)

    def __lt__(a, b):
        return a.ledger.outcome(LT, a, b)

    def is_finite(a):
        return is_finite(a.data) or a.ledger.outcome(FINITE, a)  # where one is no longer finite, the page refuses to run

    def __float__(self):
        return float(self.data)

    def __str__(self):
        return short(self.data)


def at_start(x):
    """Return a number as it is at the starting point."""
    return x.data if isinstance(x, LiveNumber) else x


class Ledger:
    """The lines that compute all live numbers of a run, in JavaScript: from values, from partials, and from each other."""

    def __init__(self):
        self.lines, self.names, self.known, self.data = [], [], {}, []
        self.assumed = None  # while a text is written for other points too: {place of a comparison: its outcome}

    def cases(self, write, assumed=None):
        """Return what `write` returns; if that depends on a comparison, [its place, the text if it is true, the text if it is false]."""
        self.assumed = assumed = assumed or {}
        try:
            return write()
        except Undecided as undecided:
            (place,) = undecided.args
        finally:
            self.assumed = None
        true, false = (self.cases(write, {**assumed, place: outcome}) for outcome in (True, False))
        return true if true == false else [place, true, false]

    def at_start(self, cases):
        """Return the text of `cases` at the starting point."""
        while isinstance(cases, list):
            place, true, false = cases
            cases = true if self.data[place] else false
        return cases

    def outcome(self, op, *args):
        """Return how a comparison comes out: at the starting point, or as it is assumed."""
        if self.assumed is None:
            return op.function(*map(at_start, args))
        place = self.made(op, *args).place
        if place not in self.assumed:
            raise Undecided(place)
        return self.assumed[place]

    def given(self, name, value):
        """Return the live number that the program calls `name`."""
        return self.known.get(name) or self.added(name, name, value)

    def made(self, op, *args):
        """Return what an operator makes of live and plain numbers."""
        written = [self.names[x.place] if isinstance(x, LiveNumber) else constant(x) for x in args]
        key = (op.sign, *written)
        if key in self.known:
            return self.known[key]
        name = f"$n{len(self.names)}"
        formula = f" {op.sign} ".join(written) if len(written) > 1 else f"{op.sign}({written[0]})"
        self.lines.append(f"const {name} = {formula};")
        return self.added(key, name, op.function(*map(at_start, args)))

    def added(self, key, name, data):
        self.known[key] = LiveNumber(data, self, len(self.names))
        self.names.append(name)
        self.data.append(data)
        return self.known[key]


class LiveNumbers(Numbers):
    """What a trace runs on, in live numbers. `writer` is the writer of the graph's live program."""

    def __init__(self, trace, writer):
        super().__init__(trace.graph, trace.names)
        self.writer, self.ledger = writer, Ledger()

    def partial(self, y, slot):
        number, symbol = super().partial(y, slot)
        if not isinstance(self.writer.formulas[y][slot], Symbol):
            return Quantity(number, symbol)  # the same at every point
        return Quantity(self.ledger.given(self.writer.edges[y, slot], number), symbol)

    def as_made(self, y, slot, partial):
        return at_start(partial.number) is self.partials(y)[slot]

    def data(self, v):
        return self.ledger.given(self.writer.names[v], self.numbers[v])


class LiveHeld(Held):
    """A live number that stands in a formula. Whether it needs brackets is known when it is shown."""

    __slots__ = ()

    def __init__(self, number):
        self.number, self.size, self.level = number, 1, ALWAYS_IN_BRACKETS


class LiveMathML(ShortNames):
    """MathML with placeholders for live numbers. The page puts a number in brackets where it is negative, if data-in says so."""

    def number(self, value):
        written = super().number(at_start(value))
        return f'<mrow data-n="{value.place}">{written}</mrow>' if isinstance(value, LiveNumber) else written

    def begins_with_minus(self, part):
        return PLACEHOLDER.fullmatch(part) is not None or super().begins_with_minus(part)

    def brackets(self, part):
        found = PLACEHOLDER.fullmatch(part)
        if not found:
            return super().brackets(part)
        inner = super().brackets(found[2]) if super().begins_with_minus(found[2]) else found[2]
        return f'<mrow data-n="{found[1]}" data-in="brackets">{inner}</mrow>'

    def call(self, name, parts):
        return super().call(name, [f"<mrow>{part}</mrow>" for part in parts])  # the brackets of a call stand around any number

    def infix(self, op, a, b):
        if op is MUL and PLACEHOLDER.fullmatch(a) and BEFORE_A_NAME.match(b):
            return f'<mrow>{a}<mo data-dot="">{self.signs["*"]}</mo>{b}</mrow>'  # the page writes 2x without a dot
        return super().infix(op, a, b)


class LivePlaceFormatter(PlaceFormatter):
    """PlaceFormatter for live numbers."""

    def begins_with_minus(self, text):
        return self.placeholder(text) is not None or super().begins_with_minus(text)

    def brackets(self, text):
        found = self.placeholder(text)
        return super().brackets(text) if found is None else self.put(self.notation.brackets(found))

    def placeholder(self, text):
        """Return the placeholder that a text $12$ stands for; None if it stands for something else."""
        place = PLACE.fullmatch(text)
        found = self.strings.items[int(place[1])] if place else ""
        return found if PLACEHOLDER.fullmatch(found) else None

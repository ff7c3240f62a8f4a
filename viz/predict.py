"""A learner predicts dz/dx before it is shown: when there is something to ask, and what is said to an answer."""

import math
from collections import Counter
from decimal import Decimal, InvalidOperation
from fractions import Fraction

from scalargrad.symbols import short
from viz.words import SCATTERING, UNICODE, listed, name_of, total_of

ENOUGH_DIGITS = 3  # an answer with so many digits need only be right in them


def questions(trace):
    """The steps after which one more total derivative is known, in order: [(step, x), …]; z is not asked for.

    >>> from scalargrad import Trace, Value
    >>> x = Value(3, name="x"); questions(Trace(x * x))
    [(11, Value(3, name='x'))]
    """
    found, heard = [], Counter()
    for i, s in enumerate(trace):
        if s.act == "insert":
            found.append((i, s.x))
        elif s.act == "add" and trace.schedule in SCATTERING:
            heard[id(s.x)] += 1
            if heard[id(s.x)] == len(trace.graph.children[s.x]):
                found.append((i, s.x))
    return found


def parse(text):
    """The number that an answer is, and how far off it may be: 9, −2.5, 1e-3 and 1/3 are numbers. Nothing is evaluated.

    >>> parse("1/3"), parse("2.50")
    ((Fraction(1, 3), 0), (Decimal('2.50'), Fraction(1, 200)))
    """
    text = text.replace("\N{MINUS SIGN}", "-").replace(" ", "")
    top, bar, bottom = text.partition("/")
    try:
        if bar:
            return Fraction(int(top), int(bottom)), 0
        number = Decimal(text)
    except (InvalidOperation, ValueError, ZeroDivisionError):
        raise ValueError(f"{text!r} is no number; write one as 9, −2.5 or 1/3") from None
    if not number.is_finite() or abs(number.adjusted()) > 300:
        return float(number), 0
    _, digits, exponent = number.as_tuple()
    return number, Fraction(10) ** exponent / 2 if len(digits) >= ENOUGH_DIGITS else 0


def agrees(answer, right):
    """Whether an answer (as `parse` gives it) is the number `right`, as far as the answer goes."""
    given, slack = answer
    if not (math.isfinite(given) and math.isfinite(right)):
        return given == right or (given != given and right != right)
    if isinstance(right, float):
        slack = max(slack, abs(Fraction(right) - Fraction(short(right))), Fraction(1, 10**9) * abs(Fraction(right)))  # as it is shown
    return abs(Fraction(given) - Fraction(right)) <= slack


def products(trace, x):
    """The terms of equation (1) for x in numbers: [(dz/dy, ∂y/∂x), …]."""
    return [(trace.computed[y].number, trace.on.partial(y, slot).number) for y, slot in trace.graph.children[x]]


def mistakes(trace, x, ink=UNICODE):
    """The numbers that typical mistakes give for dz/dx, each with a sentence that names the mistake."""
    terms, total = products(trace, x), trace.computed[x].number
    z, name = name_of(trace, trace.graph.z, ink), name_of(trace, x, ink)
    through = []
    for (upstream, partial), (y, slot) in zip(terms, trace.graph.children[x]):
        written = f"{total_of(trace, y, ink)} · {ink.formula(trace.ratio(y, slot))} = {ink.formula(upstream * partial)}"
        through.append((upstream * partial, written, "directly" if y is trace.graph.z else f"through {name_of(trace, y, ink)}"))
    if len(terms) > 1:
        for term, written, way in through:
            yield total - term, f"The term {written} is missing: {name} also reaches {z} {way}."
    yield sum(partial for _, partial in terms), f"The upstream gradients d{z}/dy were left out: multiply each partial by its own."
    yield sum(upstream for upstream, _ in terms), "The partials ∂y/∂x were left out: multiply each upstream gradient by its own."
    if len(terms) > 1:
        yield math.prod(term for term, _, _ in through), "The terms were multiplied: along a path multiply, over the paths add."
        for term, written, _ in through:
            yield term, f"That is only the term {written}."
    yield -total, "The sign is the other way round."
    for term, written, _ in through:
        yield total + term, f"The term {written} was counted twice."
    yield x.data, f"That is the value of {name}, not its derivative."


def verdict(trace, x, answer, ink=UNICODE):
    """What to say to an answer, as the learner typed it; ValueError if it is no number.

    >>> from scalargrad import Trace, Value
    >>> x = Value(3, name="x"); z = x * x; z.name = "z"; verdict(Trace(z), x, "3")
    'not 3: dz/dx = 1 · 3 + 1 · 3 = 6. The term dz/dz · ∂z/∂x = 3 is missing: x also reaches z directly.'
    """
    given, right = parse(answer), trace.computed[x].number
    terms = [f"{ink.factor(u, k == 0)} · {ink.factor(p)}" for k, (u, p) in enumerate(products(trace, x))]
    why = f"{total_of(trace, x, ink)} = {listed(terms, ' + ', 4)} = {ink.formula(right)}"
    if agrees(given, right):
        return ink(f"right: {why}")
    mistake = next((said for number, said in mistakes(trace, x, ink) if agrees(given, number)), "")
    return ink(f"not {answer.strip()}: {why}. {mistake}".strip())

"""A learner predicts dz/dx before it is shown: when there is something to ask, and what is said to an answer."""

import math
import re
import warnings
from decimal import Decimal
from fractions import Fraction

from scalargrad.formulas.text import short
from scalargrad.steps import Step
from viz.array_text import is_array
from viz.narration import UNICODE, listed, name_of, product, total_of

ENOUGH_DIGITS = 3  # an answer with so many digits need only be right in them
MOST_ASKED = 6  # entries of an array that is asked for
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?|[+-]?inf(inity)?|[+-]?nan", re.IGNORECASE)
FRACTION = re.compile(r"([+-]?\d+)/([+-]?\d+)")


def questions(trace):
    """The steps after which one more total derivative is known, in order: [(step, x), …]; z is not asked for, nor large arrays.

    >>> from scalargrad import Trace, Value
    >>> x = Value(3, name="x"); questions(Trace(x * x))
    [(11, Value(3, name='x'))]
    """
    found, known = [], 0
    for i, s in enumerate(trace):
        found += [(i, x) for x, _ in s.log[known : s.known] if x is not trace.graph.z and trace.is_final(x, i)]
        known = max(known, s.known)
    return [(i, x) for i, x in found if math.prod(getattr(x, "shape", ())) <= MOST_ASKED]


def parse(text, like=0):
    """The number that an answer is, and how far off it may be: 9, −2.5, 1e-3 and 1/3 are numbers. Nothing is evaluated.

    Where an array `like` this is asked for, a list of them, row by row; brackets, commas and semicolons are as good as spaces.

    >>> parse("1/3"), parse("2.50")
    ((Fraction(1, 3), 0), (Decimal('2.50'), Fraction(1, 200)))
    """
    if is_array(like):
        found = list(map(parse, re.findall(r"[^][,;\s]+", text)))
        if len(found) != like.size:
            raise ValueError(f"it has {like.size} entries; write them row by row, such as 1 2; 3 4")
        return found
    text = re.sub(r"\s", "", text).replace("\N{MINUS SIGN}", "-")
    broken = FRACTION.fullmatch(text)
    if broken and int(broken[2]):
        return Fraction(int(broken[1]), int(broken[2])), 0
    if not NUMBER.fullmatch(text):
        raise ValueError(f"{text!r} is no number; write one as 9, −2.5 or 1/3")
    number = Decimal(text)
    if not number.is_finite() or abs(number.adjusted()) > 300:
        return float(number), 0
    _, digits, exponent = number.as_tuple()
    return number, Fraction(10) ** exponent / 2 if len(digits) >= ENOUGH_DIGITS else 0


def agrees(answer, right):
    """Whether an answer (as `parse` gives it) is the number `right`, as far as the answer goes."""
    if is_array(right):
        return all(agrees(one, entry) for one, entry in zip(answer, right.reshape(-1).tolist()))
    given, slack = answer
    right = right.tolist() if hasattr(right, "tolist") else right  # the one number of an array without axes
    if not (math.isfinite(given) and math.isfinite(right)):
        return given == right or (given != given and right != right)
    if isinstance(right, float):
        slack = max(slack, abs(Fraction(right) - Fraction(short(right))), Fraction(1, 10**9) * abs(Fraction(right)))  # as it is shown
    return abs(Fraction(given) - Fraction(right)) <= slack


def products(trace, x):
    """The terms of equation (1) for x, each as a step that knows its factors and its product."""
    found = []
    for y, slot in trace.graph.children[x]:
        upstream, partial = trace.on.upstream(y, trace.computed[y]), trace.on.partial(y, slot)
        found.append(Step(None, "add", x=x, y=y, slot=slot, partial=partial, upstream=upstream, term=upstream * partial))
    return found


def factors_of(trace, step, ink, first=False):
    """A term of equation (1) as it reads, and in numbers."""
    chain_rule, _, numbers = trace.on.factors(step.y, step.slot, step)
    return product(chain_rule, ink, first), product(numbers, ink, first)


def mistakes(trace, x, ink=UNICODE):
    """[(number, sentence), ...]: the numbers that typical mistakes give for dz/dx, each with a sentence that names the mistake."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # inf - inf is nan, and no answer is nan by mistake
        return list(mistaken_numbers(trace, x, ink))


def mistaken_numbers(trace, x, ink):
    terms, total = products(trace, x), trace.computed[x].number
    z, name = name_of(trace, trace.graph.z, ink), name_of(trace, x, ink)
    through = []
    for step in terms:
        written = f"{factors_of(trace, step, ink, first=True)[0]} = {ink.number(step.term.number)}"
        way = "directly" if step.y is trace.graph.z else f"through {name_of(trace, step.y, ink)}"
        through.append((step.term.number, written, way))
    if len(terms) > 1:
        for term, written, way in through:
            yield total - term, f"The term {written} is missing: {name} also reaches {z} {way}."
    if all(t.partial.number is not None for t in terms):  # at an edge between tensors stands a vjp, not a number
        yield sum(t.partial.number for t in terms), f"The upstream gradients d{z}/dy were left out: multiply each partial by its own."
        yield sum(t.upstream.number for t in terms), "The partials ∂y/∂x were left out: multiply each upstream gradient by its own."
    elif is_array(total) and total.shape == total.shape[::-1]:
        yield total.T, "That is transposed: rows and columns are exchanged."
    if len(terms) > 1:
        yield math.prod(term for term, _, _ in through), "The terms were multiplied: along a path multiply, over the paths add."
        for term, written, _ in through:
            yield term, f"That is only the term {written}."
    yield -total, "The sign is the other way round."
    for term, written, _ in through:
        yield total + term, f"The term {written} was counted twice."
    if trace.on.data(x) is not None:
        yield trace.on.data(x), f"That is the value of {name}, not its derivative."


def verdict(trace, x, answer, ink=UNICODE):
    """What to say to an answer, as the learner typed it; ValueError if it is no number.

    >>> from scalargrad import Trace, Value
    >>> x = Value(3, name="x"); z = x * x; z.name = "z"; verdict(Trace(z), x, "3")
    'not 3: dz/dx = 1 · 3 + 1 · 3 = 6. The term dz/dz · ∂z/∂x = 3 is missing: x also reaches z directly.'
    """
    right = trace.computed[x].number
    given = parse(answer, right)
    terms = [factors_of(trace, step, ink, first=k == 0)[1] for k, step in enumerate(products(trace, x))]
    result = ink.number(right)
    why = f"{total_of(trace, x, ink)} = {listed(list(dict.fromkeys([listed(terms, ' + ', 4), result])), ' = ')}"
    if agrees(given, right):
        return ink(f"right: {why}")
    mistake = next((said for number, said in mistakes(trace, x, ink) if agrees(given, number)), "")
    return ink(f"not {answer.strip()}: {why}. {mistake}".strip())

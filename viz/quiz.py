"""Ask the learner for dz/dx before it is shown: which steps have a question, and what is said about an answer."""

import math
import re
import warnings
from decimal import Decimal
from fractions import Fraction

from scalargrad.formulas.text import short
from scalargrad.steps import Step
from viz.array_text import is_array
from viz.ink import UNICODE, listed, name_of, product, total_of

ENOUGH_DIGITS = 3  # an answer with this many digits must be right in these digits only
MOST_ASKED = 6  # entries; there is no question about a larger array
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?|[+-]?inf(inity)?|[+-]?nan", re.IGNORECASE)
FRACTION = re.compile(r"([+-]?\d+)/([+-]?\d+)")


def questions(trace):
    """Return [(step, x), …] in order: after each of these steps one more total derivative is known. z and large arrays are left out.

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
    """Return the number that was typed, and how far off it may be. Numbers are 9, −2.5, 1e-3 and 1/3; nothing is evaluated.

    If `like` is an array, return a list of such pairs, row by row. Brackets, commas and semicolons separate entries, as spaces do.
    Raises ValueError if the text is not a number, or has the wrong number of entries.

    >>> parse("1/3"), parse("2.50")
    ((Fraction(1, 3), 0), (Decimal('2.50'), Fraction(1, 200)))
    """
    if is_array(like):
        found = list(map(parse, re.findall(r"[^][,;\s]+", text)))
        if len(found) != like.size:
            raise ValueError(f"enter all {like.size} entries row by row, for example 1 2; 3 4")
        return found
    text = re.sub(r"\s", "", text).replace("\N{MINUS SIGN}", "-")
    fraction = FRACTION.fullmatch(text)
    if fraction and int(fraction[2]):
        return Fraction(int(fraction[1]), int(fraction[2])), 0
    if not NUMBER.fullmatch(text):
        raise ValueError(f"{text!r} is not a number; write for example 9, −2.5 or 1/3")
    number = Decimal(text)
    if not number.is_finite() or abs(number.adjusted()) > 300:
        return float(number), 0
    _, digits, exponent = number.as_tuple()
    return number, Fraction(10) ** exponent / 2 if len(digits) >= ENOUGH_DIGITS else 0


def agrees(answer, right):
    """Return whether an answer, as `parse` returns it, agrees with the number `right` in the digits that were typed."""
    if is_array(right):
        return all(agrees(one, entry) for one, entry in zip(answer, right.reshape(-1).tolist()))
    given, slack = answer
    right = right.tolist() if hasattr(right, "tolist") else right  # the number in a 0-d array
    if not (math.isfinite(given) and math.isfinite(right)):
        return given == right or (given != given and right != right)
    if isinstance(right, float):
        shown = abs(Fraction(right) - Fraction(short(right)))  # the number as the program shows it is right, too
        slack = max(slack, shown, Fraction(1, 10**9) * abs(Fraction(right)))
    return abs(Fraction(given) - Fraction(right)) <= slack


def products(trace, x):
    """Return the terms of equation (1) for x, each as a step that holds its factors and its product."""
    found = []
    for y, slot in trace.graph.children[x]:
        upstream, partial = trace.on.upstream(y, trace.computed[y]), trace.on.partial(y, slot)
        found.append(Step(None, "add", x=x, y=y, slot=slot, partial=partial, upstream=upstream, term=upstream * partial))
    return found


def factors_of(trace, step, ink, first=False):
    """Return a term of equation (1) twice: as the chain rule writes it, and in numbers."""
    chain_rule, _, numbers = trace.on.factors(step.y, step.slot, step)
    return product(chain_rule, ink, first), product(numbers, ink, first)


def mistakes(trace, x, ink=UNICODE):
    """Return [(number, sentence), …]: what typical mistakes give for dz/dx, each with a sentence that names the mistake."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # inf - inf is nan, which is not a typical mistake
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
    if all(t.partial.number is not None for t in terms):  # an edge between tensors holds a vjp, not a number
        yield (
            sum(t.partial.number for t in terms),
            f"The upstream gradients d{z}/dy are missing: multiply each partial by its upstream gradient.",
        )
        yield sum(t.upstream.number for t in terms), "The partials ∂y/∂x are missing: multiply each upstream gradient by its partial."
    elif is_array(total) and total.shape == total.shape[::-1]:
        yield total.T, "This is the transpose: rows and columns are exchanged."
    if len(terms) > 1:
        yield math.prod(term for term, _, _ in through), "The terms were multiplied: multiply along a path, and add over the paths."
        for term, written, _ in through:
            yield term, f"This is only the term {written}."
    yield -total, "The sign is wrong."
    for term, written, _ in through:
        yield total + term, f"The term {written} was counted twice."
    if trace.on.data(x) is not None:
        yield trace.on.data(x), f"This is the value of {name}, not its derivative."


def verdict(trace, x, answer, ink=UNICODE):
    """Return what to say about an answer that the learner typed. Raises ValueError if it is not a number.

    >>> from scalargrad import Trace, Value
    >>> x = Value(3, name="x"); z = x * x; z.name = "z"; verdict(Trace(z), x, "3")
    'Not 3: dz/dx = 1 · 3 + 1 · 3 = 6. The term dz/dz · ∂z/∂x = 3 is missing: x also reaches z directly.'
    """
    right = trace.computed[x].number
    given = parse(answer, right)
    terms = [factors_of(trace, step, ink, first=k == 0)[1] for k, step in enumerate(products(trace, x))]
    result = ink.number(right)
    why = f"{total_of(trace, x, ink)} = {listed(list(dict.fromkeys([listed(terms, ' + ', 4), result])), ' = ')}"
    if agrees(given, right):
        return ink(f"Right: {why}.")
    mistake = next((said for number, said in mistakes(trace, x, ink) if agrees(given, number)), "")
    return ink(f"Not {answer.strip()}: {why}. {mistake}".strip())

"""Ask the learner for derivatives before they are shown: the numbers, what is said about an answer, and the learner's way through them."""

import math
import re
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

from scalargrad.formulas.rounding_error import is_lost
from scalargrad.formulas.text import short
from viz.questions.mistakes import KINDS, mistakes, products, term_of
from viz.text.array_text import is_array, numbers_of
from viz.text.formatter import UNICODE, listed, name_of, plural, total_of
from viz.text.narration import which_edge

ENOUGH_DIGITS = 3  # an answer with this many digits must be right in these digits only
MOST_ASKED = 6  # entries; there is no question about a larger array
MOST_PARTIALS = 4  # in a run: one for each kind of function
MOST_TERMS = 6  # a longer sum is not explained term by term
TRIES = 2  # after the first wrong answer the mistake is named, after the last the answer is shown
EASY = (0, 1, -1)  # partials that are asked for only if a function has no other
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?|[+-]?inf(inity)?|[+-]?nan", re.IGNORECASE)
FRACTION = re.compile(r"([+-]?\d+)/([+-]?\d+)")


class Question(NamedTuple):
    """A number to ask for: step `step` is the first to show it. It is the total derivative dz/dx, or the partial ∂y/∂x of input `slot`."""

    step: int
    x: object
    y: object = None
    slot: int | None = None


def questions(trace):
    """Return the Questions of a run in order: for a partial of each kind of function, and for every total derivative but dz/dz.

    Large arrays are left out, and so are partials between arrays, which are not numbers.

    >>> from scalargrad import Trace, Value
    >>> x = Value(3, name="x"); [(q.step, q.slot) for q in questions(Trace(x * x))]
    [(5, 0), (10, None)]
    """
    return sorted([*questions_for_partials(trace), *questions_for_totals(trace)], key=lambda q: q.step)


def questions_for_totals(trace):
    found, known = [], 0
    for i, s in enumerate(trace):
        found += [(i, x) for x, _ in s.log[known : s.known] if x is not trace.graph.z and trace.is_final(x, i)]
        known = max(known, s.known)
    complete = 0 if trace.schedule.scatters else 1  # the sum is complete one step before it is inserted
    return [Question(i - complete, x) for i, x in found if math.prod(getattr(x, "shape", ())) <= MOST_ASKED]


def questions_for_partials(trace):
    """Return one question for each kind of function, and at most MOST_PARTIALS. A partial other than 0, 1 and −1 is preferred."""
    found, met = {}, set()  # kind of function: (whether it is easy, question)
    for i, s in enumerate(trace):
        if s.act != "partial" or s.y.rule is None or (s.y, s.slot) in met or not is_number(data_of(s.partial.number)):
            continue
        met.add((s.y, s.slot))
        easy = data_of(s.partial.number) in EASY
        if s.y.rule.name not in found or found[s.y.rule.name][0] > easy:
            found[s.y.rule.name] = easy, Question(i, s.x, s.y, s.slot)
    return [question for _, question in sorted(found.values(), key=lambda row: row[0])[:MOST_PARTIALS]]


def data_of(number):
    """Return a number that knows where it comes from as a plain number."""
    return getattr(number, "data", number)


def is_number(partial):
    """Return whether a partial is a finite number. An edge between tensors holds a vjp, which is not."""
    return isinstance(partial, int | float | Fraction) and math.isfinite(partial)


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
        return all(agrees(one, entry) for one, entry in zip(answer, numbers_of(right)))
    given, slack = answer
    (right,) = numbers_of(right)  # the number in a 0-d array
    if not (math.isfinite(given) and math.isfinite(right)):
        return given == right or (given != given and right != right)
    if isinstance(right, float):
        shown = abs(Fraction(right) - (0 if is_lost(right) else Fraction(short(right))))  # the number as the program shows it is right, too
        slack = max(slack, shown, Fraction(1, 10**9) * abs(Fraction(right)))
    return abs(Fraction(given) - Fraction(right)) <= slack


def right_number(trace, question):
    return trace.computed[question.x].number if question.slot is None else trace.on.partial(question.y, question.slot).number


def asked_for(trace, question):
    """Return dz/dx or ∂y/∂x as a formula."""
    return trace.total(question.x) if question.slot is None else trace.ratio(question.y, question.slot)


def why(trace, question, formatter=UNICODE):
    """Return the answer with its calculation: dz/dx₁ = 1 · 6 + 3 · 1 = 9, or ∂y₂/∂x₄ = 2·x₄ = 8."""
    if question.slot is not None:
        return f"{formatter.formula(asked_for(trace, question))} = {formatter.quantity(trace.on.partial(question.y, question.slot))}"
    sides = dict.fromkeys([terms_of(trace, question.x, formatter, in_numbers=True), formatter.number(right_number(trace, question))])
    return f"{total_of(trace, question.x, formatter)} = {listed(list(sides), ' = ')}"


def hint(trace, question, formatter=UNICODE):
    """Return what helps after a first wrong answer that is not a typical mistake."""
    if question.slot is not None:
        function = f"{name_of(trace, question.y, formatter)} = {formatter.formula(trace.on.written(question.y))}"
        changes = f"{name_of(trace, question.x, formatter)} changes{which_edge(trace, question)}"
        return f"In {function}, only {changes}. How fast does {name_of(trace, question.y, formatter)} change?"
    return f"The chain rule says {total_of(trace, question.x, formatter)} = {terms_of(trace, question.x, formatter)}."


def terms_of(trace, x, formatter, in_numbers=False):
    """Return the sum of equation (1) for x as the chain rule writes it, or in numbers; of a long sum the first terms."""
    terms = [term_of(trace, step, formatter, k == 0, in_numbers) for k, step in enumerate(products(trace, x, MOST_TERMS))]
    return listed(terms, " + ", MOST_TERMS, len(trace.graph.children[x]))


def edges_of(trace, question):
    """Return the edges that a question is about: those of the sum, or that of the partial."""
    return tuple(trace.graph.children[question.x]) if question.slot is None else ((question.y, question.slot),)


class Verdict(NamedTuple):
    """What to say about an answer: the kind of mistake (None if the answer is right), the sentences, and the edges that they speak of."""

    kind: str | None
    said: str
    edges: tuple = ()


def verdict(trace, question, answer, tries=1, formatter=UNICODE):
    """Return the Verdict on an answer that the learner typed, after so many tries. Raises ValueError if it is not a number.

    After the first wrong answer it names the mistake; after the second it also gives the right number.

    >>> from scalargrad import Trace, Value
    >>> x = Value(3, name="x"); z = x * x; z.name = "z"; verdict(Trace(z), Question(10, x), "3").said
    'Not 3. The term dz/dz · ∂z/∂x = 3 is missing: x also reaches z directly. Try again.'
    """
    right = right_number(trace, question)
    given = parse(answer, right)
    if agrees(given, right):
        return Verdict(None, formatter(f"Right: {why(trace, question, formatter)}."))
    found = next((m for m in mistakes(trace, question, formatter) if agrees(given, m.number)), None)
    kind, said, edges = (found.kind, found.said, found.edges) if found else ("other", "", edges_of(trace, question))
    if tries < TRIES:
        return Verdict(kind, formatter(f"Not {answer.strip()}. {said or hint(trace, question, formatter)} Try again."), edges)
    return Verdict(kind, formatter(f"Not {answer.strip()}: {why(trace, question, formatter)}. {said}".strip()), edges)


class Quiz:
    """The questions of a run, and what a learner has answered. `src/predict.js` does the same on the page.

    `first` holds, for each question that is closed, the kind of the first mistake; None if the first answer was right.
    """

    def __init__(self, trace):
        self.trace, self.round = trace, questions(trace)
        self.first, self.tries, self.repeats = {}, 0, False
        self.mistake = None

    def between(self, start, stop):
        """Return the first open question whose answer a step after `start`, up to `stop`, shows; None if there is none."""
        return next((q for q in self.round if start < q.step <= stop and q not in self.first), None)

    def before(self, i):
        """Return the open question that must be answered before step i is shown, because step i shows the answer."""
        here = self.trace[i]
        for q in self.round:
            same = self.trace[q.step].iteration == here.iteration
            if q.step <= i and same and q not in self.first and (q.step == i or self.trace[q.step].x is here.x):
                return q
        return None

    def answer(self, question, text, formatter=UNICODE):
        """Return the Verdict on an answer. The question is closed if the answer is right, and after the last try."""
        found = verdict(self.trace, question, text, self.tries + 1, formatter)
        self.tries += 1
        self.mistake = self.mistake or found.kind
        if found.kind is None or self.tries == TRIES:
            self.close(question, self.mistake)
        return found

    def close(self, question, kind="shown"):
        """Close a question, with the kind of the first mistake."""
        self.first[question] = kind
        self.tries, self.mistake = 0, None

    def wrong(self):
        """Return the closed questions that were not right at the first try."""
        return [q for q in self.round if self.first.get(q) is not None]

    def again(self):
        """Ask only the questions that were not right at the first try. Return the first of them."""
        self.round, self.repeats = self.wrong(), True
        self.first.clear()
        return self.round[0]

    def tally(self, formatter=UNICODE):
        """Return the result in sentences, [] before the first answer: how many were right, and what each kind of mistake was made at.

        >>> from scalargrad import Trace, Value
        >>> x = Value(3, name="x"); quiz = Quiz(Trace(x * x)); quiz.answer(quiz.round[0], "-3").kind, quiz.answer(quiz.round[0], "3").kind
        ('sign', None)
        >>> quiz.tally()
        ['0 of 1 question right at the first try.', 'wrong sign: ∂z/∂x']
        """
        if not self.first:
            return []
        right = sum(kind is None for kind in self.first.values())
        found = [f"{right} of {plural(len(self.first), 'question')} right at the first try."]
        for kind, name in KINDS.items():
            asked = [formatter.formula(asked_for(self.trace, q)) for q in self.round if self.first.get(q) == kind]
            if asked:
                found.append(f"{name}: {listed(asked)}")
        return found

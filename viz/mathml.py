"""The inks of a page: formulas as MathML, and sentences with MathML in them. Every name is escaped by the notation."""

import re

from scalargrad.symbols import MATHML, PRETTY, Symbol, escape, in_short, render, shown_in_full
from viz.words import FREED, LONGEST_FORMULA, Ink

TALLEST_IN_A_SENTENCE = 3  # rows of a matrix


class MathInk(Ink):
    """Formulas as pieces of MathML, to stand between <math> and </math>."""

    def __init__(self):
        super().__init__(MATHML, {})

    def number(self, x):
        if x is None:
            return MATHML.words(FREED)
        if getattr(x, "shape", ()) and not shown_in_full(x.shape):
            return MATHML.words(in_short(x))
        return self.formula(x)

    def quantity(self, q):
        if q.number is None:
            return self.formula(q.symbol)
        return f"{self.formula(q.symbol)} = {self.number(q.number)}" if is_short(q.symbol) else self.number(q.number)

    def begins_with_minus(self, text):
        return re.match("(<math>|<mrow>)*<mo>\N{MINUS SIGN}", text) is not None

    def brackets(self, text):
        return MATHML.brackets(text)


class SentenceInk(MathInk):
    """The same, each formula in its own <math>, for sentences of HTML."""

    def formula(self, formula):
        return wrapped(super().formula(formula))

    def name(self, name):
        return wrapped(super().name(name))

    def number(self, x):
        shape = getattr(x, "shape", ())
        if shape and shown_in_full(shape) and (len(shape) == 1 or shape[0] > TALLEST_IN_A_SENTENCE) and x.size > 2 * TALLEST_IN_A_SENTENCE:
            return escape(in_short(x))
        written = super().number(x)
        return written if written.startswith("<math>") else wrapped(written)

    def brackets(self, text):
        return f"({text})"


def wrapped(mathml):
    return f"<math>{mathml}</math>"


def is_short(symbol):
    """Whether a formula says more than its number, and is short enough to be read beside it."""
    return isinstance(symbol, Symbol) and symbol.size <= LONGEST_FORMULA and len(render(symbol, PRETTY)) <= LONGEST_FORMULA


MATH, SENTENCE = MathInk(), SentenceInk()

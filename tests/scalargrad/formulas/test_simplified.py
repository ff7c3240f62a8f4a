"""Simplified formulas: one number before each term, powers, one fraction bar, and the same value as before."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scalargrad.formulas.notations import PRETTY
from scalargrad.formulas.simplified import simplified
from scalargrad.formulas.symbols import Name, evaluate, render
from scalargrad.rules import exp, tanh
from tests.each import each

h, x, p = Name("h"), Name("x"), Name("p3")


@each(
    ("formula", "text"),
    [
        (h * h, "h²"),
        ((1 - h * h) * x, "(1 − h²)·x"),
        (-(1 - h * h) * x, "−(1 − h²)·x"),
        ((1 - h * h) * 0.5, "0.5·(1 − h²)"),
        (Fraction(-1, 3) * (1 / p), "−1/(3·p₃)"),
        (100 * (2 * (x - h)), "200·(x − h)"),
        (x + x, "2·x"),
        (x - x, "0"),
        (-h + 1, "1 − h"),
        (x * x * x / x, "x²"),
        (x / (h * h) * h, "x/h"),
        (3 * x / (6 * h), "x/(2·h)"),
        ((x + h) * (x + h), "(x + h)²"),
        (exp(-h * h) * exp(-h * h), "exp(−h²)²"),
        (x * (h > 0), "x·(h > 0)"),
        (0.05 * (-4) * x, "−0.2·x"),
        (x**0.5 * x, "x^0.5·x"),
        (x / 0, "x/0"),
        (tanh(x) * 1.0, "tanh(x)"),
    ],
)
def test_a_formula_is_written_as_people_write_it(formula, text):
    assert render(simplified(formula), PRETTY) == text


def test_numbers_are_simplified_too():
    assert simplified(Fraction(4, 2)) == 2 and simplified(2.0) == 2 and simplified(0.5) == 0.5


FORMULAS = st.recursive(
    st.sampled_from([x, h, 1, 2, -1, Fraction(1, 3)]),
    lambda parts: st.one_of(
        st.tuples(parts, parts).map(lambda two: two[0] + two[1]),
        st.tuples(parts, parts).map(lambda two: two[0] - two[1]),
        st.tuples(parts, parts).map(lambda two: two[0] * two[1]),
        parts.map(lambda a: -a),
        parts.map(lambda a: a / (x * x + 1)),
        parts.map(lambda a: a**2),
    ),
    max_leaves=12,
)


@given(FORMULAS)
def test_a_formula_keeps_its_value(formula):
    point = {"x": Fraction(3, 7), "h": Fraction(-5, 2)}
    assert float(evaluate(simplified(formula), point)) == pytest.approx(float(evaluate(formula, point)), rel=1e-9, abs=1e-9)

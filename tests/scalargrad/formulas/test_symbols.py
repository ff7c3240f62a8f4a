"""Formulas: what is simplified and what is not, where brackets stand, the four notations, evaluation back to the number."""

import math
import operator
import re
from fractions import Fraction
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

import scalargrad as sg
from scalargrad.formulas.notations import LATEX, MATHML, PRETTY, TEXT
from scalargrad.formulas.symbols import BranchOnSymbol, Name, Ratio, Symbol, evaluate, render
from tests.each import each
from tests.examples import at_most

x, y, x1, x4 = Name("x"), Name("y"), Name("x1"), Name("x4")


@each(
    ("formula", "text"),
    [
        (0 * x, "0"),
        (x * 0, "0"),
        (1 * x, "x"),
        (x * 1, "x"),
        (x + 0, "x"),
        (0 + x, "x"),
        (x - 0, "x"),
        (0 - x, "-x"),
        (x / 1, "x"),
        (0 / x, "0"),
        (x**1, "x"),
        (operator.neg(-x), "x"),
        (+x, "x"),
        # and nothing else
        (x + x, "x + x"),
        (x - x, "x - x"),
        (x * x, "x*x"),
        (x / x, "x/x"),
        (x * y - y * x, "x*y - y*x"),
        (2 * (3 * x), "2*(3*x)"),
        (x**0, "x**0"),
        (x * -1, "x*(-1)"),
        (y + x, "y + x"),
    ],
)
def test_only_zeros_ones_and_double_negation_are_simplified(formula, text):
    assert str(formula) == text


@each(
    ("formula", "text", "pretty", "latex"),
    [
        (x1 + 2 * x4, "x1 + 2*x4", "x₁ + 2·x₄", "x_1 + 2x_4"),
        (x4**2, "x4**2", "x₄²", "x_4^2"),
        (x**-1, "x**-1", "x^−1", "x^{-1}"),
        (x ** (y + 1), "x**(y + 1)", "x^(y + 1)", "x^{y + 1}"),
        ((x + y) ** 2, "(x + y)**2", "(x + y)²", r"\left(x + y\right)^2"),
        (x - (y - x), "x - (y - x)", "x − (y − x)", r"x - \left(y - x\right)"),
        ((x + y) * x, "(x + y)*x", "(x + y)·x", r"\left(x + y\right) \cdot x"),
        (x / (y * x), "x/(y*x)", "x/(y·x)", r"\frac{x}{y \cdot x}"),
        (-(x + y), "-(x + y)", "−(x + y)", r"-\left(x + y\right)"),
        ((-x) ** 2, "(-x)**2", "(−x)²", r"\left(-x\right)^2"),
        (-(x**2), "-x**2", "−x²", "-x^2"),
        (sg.sin(x) * 2, "sin(x)*2", "sin(x)·2", r"\sin\left(x\right) \cdot 2"),
        (x <= y, "x <= y", "x <= y", r"x \le y"),
        (sg.exp(x * x * -0.5), "exp(x*x*(-0.5))", "exp(x·x·(−0.5))", r"\exp\left(x \cdot x \cdot \left(-0.5\right)\right)"),
        (x + -3, "x + (-3)", "x + (−3)", r"x + \left(-3\right)"),
        (x - (-y), "x - (-y)", "x − (−y)", r"x - \left(-y\right)"),
        (x * (-y * 2), "x*(-y*2)", "x·(−y·2)", r"x \cdot \left(-y \cdot 2\right)"),
        (x / -3, "x/(-3)", "x/(−3)", r"\frac{x}{-3}"),
        (-3 * x + y, "-3*x + y", "−3·x + y", r"-3 \cdot x + y"),
        (Ratio("∂", "y1", "x2"), "∂y1/∂x2", "∂y₁/∂x₂", r"\frac{\partial y_1}{\partial x_2}"),
        (Ratio("d", "z", "x10"), "dz/dx10", "dz/dx₁₀", r"\frac{dz}{dx_{10}}"),
        (x + Fraction(1, 3), "x + Fraction(1, 3)", "x + 1/3", r"x + \frac{1}{3}"),
    ],
    ids=str,
)
def test_a_formula_in_three_notations(formula, text, pretty, latex):
    assert (render(formula, TEXT), render(formula, PRETTY), render(formula, LATEX)) == (text, pretty, latex)


def test_mathml_has_fractions_indices_and_escaped_names():
    assert render(Ratio("∂", "y1", "x2"), MATHML) == (
        "<mfrac><mrow><mi>∂</mi><msub><mi>y</mi><mn>1</mn></msub></mrow><mrow><mi>∂</mi><msub><mi>x</mi><mn>2</mn></msub></mrow></mfrac>"
    )
    assert "<mi>d</mi><mspace" in render(Ratio("d", "z", "loss"), MATHML) and "mspace" not in render(Ratio("d", "z", "h_prev"), MATHML)
    assert render(Ratio("d", "z", "loss"), LATEX) == r"\frac{dz}{d\,\mathrm{loss}}"
    assert [render(2 * Name(name), MATHML).count("·") for name in ("x1", "penalty", "k_factor")] == [0, 1, 1]
    nasty = render(Name('<script>"&') + x, MATHML)
    assert "<script" not in nasty
    ElementTree.fromstring(f"<math>{nasty}</math>")


def test_zero_has_no_sign_for_people():
    assert [render(-0.0, notation) for notation in (PRETTY, LATEX, MATHML)] == ["0", "0", "<mn>0</mn>"]
    assert render(-0.0, TEXT) == "-0.0"  # Python reads it again
    assert render(sg.maximum(x, -0.0), PRETTY) == "maximum(x, 0)"


@each("name", ["مرحبا", "שלום4", "א_2"])
def test_a_name_from_right_to_left_is_kept_to_itself(name):
    for notation in (PRETTY, MATHML):
        assert re.search("\u2068[^\u2068\u2069]+\u2069", render(Ratio("d", "z", name), notation))
    assert "\u2068" not in render(Name("x1"), PRETTY)


@each("name", ["\x01", "a\u202eb", "\ud800", "a\u2069b", "\x7f"])
def test_what_a_page_or_terminal_would_obey_in_a_name_is_replaced(name):
    for notation in (PRETTY, MATHML):
        written = render(Name(name), notation)
        assert "\N{REPLACEMENT CHARACTER}" in written and all(c.isprintable() for c in written)


def test_numbers_that_python_cannot_write_are_written_so_that_it_can_read_them():
    for number in (math.inf, -math.inf):
        assert eval(render(x * number, TEXT), {"x": 2.0}) == number
    assert math.isnan(eval(render(x * math.nan, TEXT), {"x": 2.0}))
    for notation in (TEXT, PRETTY, LATEX, MATHML):
        assert render(math.inf, notation) and render(math.nan, notation) and render(-2.5, notation)


def test_a_number_alone_is_rendered_as_well():
    assert render(3) == "3" and render(0.1) == "0.1" and render(Fraction(-1, 3), LATEX) == r"\frac{-1}{3}" and render(True) == "1"


LEAVES = st.sampled_from([Name("a"), Name("b"), Name("x1"), 0, 1, 2, -3, 0.5, Fraction(2, 3)])


def grown(parts):
    binary = st.sampled_from(["+", "-", "*", "/", "neg", "<", ">=", "==", "maximum", "where"])
    return st.builds(combined, binary, parts, parts)


def combined(sign, a, b):
    if not isinstance(a, Symbol) and not isinstance(b, Symbol):
        a = Name("a")
    return {
        "+": lambda: a + b,
        "-": lambda: a - b,
        "*": lambda: a * b,
        "/": lambda: a / (sg.square(b) + 1),
        "neg": lambda: -(a if isinstance(a, Symbol) else b),
        "<": lambda: a < b,
        ">=": lambda: a >= b,
        "==": lambda: a == b,
        "maximum": lambda: sg.maximum(a, b),
        "where": lambda: sg.where(a > b, a, b),
    }[sign]()


@at_most(100)
@given(st.recursive(LEAVES, grown, max_leaves=12))
def test_text_is_python_that_gives_the_number_back(formula):
    values = {"a": Fraction(3, 7), "b": -2, "x1": Fraction(5)}
    names = {"maximum": sg.maximum, "where": sg.where, "square": sg.square, "Fraction": Fraction}
    text = render(formula, TEXT)
    assert eval(text, names, dict(values)) == evaluate(formula, values), text


@at_most(60)
@given(st.recursive(LEAVES, grown, max_leaves=12))
def test_every_notation_writes_every_formula(formula):
    ElementTree.fromstring(f"<math>{render(formula, MATHML)}</math>")
    latex = render(formula, LATEX)
    assert latex.count("{") == latex.count("}") and render(formula, PRETTY).count("(") == render(formula, PRETTY).count(")")


NEGATIVE = st.sampled_from([Name("a"), Name("b"), -3, -0.5, Fraction(-2, 3), 2])


@at_most(100)
@given(st.recursive(NEGATIVE, grown, max_leaves=12))
def test_no_sign_stands_beside_a_minus(formula):
    signs = {TEXT: "[-+*/] ?-", PRETTY: "[−+·/] ?−", LATEX: r"([-+]|\\cdot) ?-", MATHML: "<mo>[−+·]</mo>(<mrow>)*<mo>−"}
    for notation, beside in signs.items():
        assert not re.search(beside, render(formula, notation)), render(formula, notation)


def test_a_formula_that_shares_its_parts_is_evaluated_once_and_without_recursion():
    shared = x
    for _ in range(60):
        shared = shared + shared
    assert evaluate(shared, {"x": 1}) == 2**60
    deep = x
    for _ in range(20_000):
        deep = -deep * 2
    assert evaluate(deep, {"x": 0}) == 0
    flat = x
    for _ in range(2_000):
        flat = flat + y
    assert len(render(flat, TEXT)) == 1 + 4 * 2_000


def test_evaluate_never_raises_for_a_pole():
    assert evaluate(1 / x, {"x": 0}) == math.inf and math.isnan(evaluate(x / x, {"x": 0.0}))
    assert evaluate(sg.log(x), {"x": 0.0}) == -math.inf and evaluate(x**-1, {"x": 0.0}) == math.inf


def test_a_python_branch_on_a_formula_is_an_error_that_explains():
    with pytest.raises(BranchOnSymbol, match=r"whether x > 0 holds is not known here: .* use where\(condition, a, b\), relu"):
        if x > 0:
            pass
    with pytest.raises(BranchOnSymbol, match=r"x has no number here: use scalargrad's functions .*, not those of math"):
        math.exp(x)
    with pytest.raises(TypeError, match=r"write abs from scalargrad for \|x\|"):
        abs(x)


def test_names_with_and_without_indices():
    for name, pretty, latex in [
        ("x", "x", "x"),
        ("x12", "x₁₂", "x_{12}"),
        ("x_4", "x₄", "x_4"),
        ("weight", "weight", r"\mathrm{weight}"),
        ("w_out2", "w_out₂", r"w_{\mathrm{out},2}"),
        ("7", "7", "7"),
    ]:
        assert (render(Name(name), PRETTY), render(Name(name), LATEX)) == (pretty, latex)


def test_no_two_variables_of_a_trace_look_alike():
    x, also_x, x2, x_2, v1 = (sg.Value(k, name=name) for k, name in enumerate(["x", "x", "x2", "x_2", "v1"], 1))
    trace = sg.Trace(x * also_x + x2 * x_2 * v1)
    assert {trace.names[v] for v in (x, x2, v1)} == {"x", "x2", "v1"}
    assert len({render(Name(name), PRETTY) for name in trace.names.values()}) == len(trace.names)


@each(
    ("name", "pretty", "latex", "mathml"),
    [
        ("theta", "θ", r"\theta", "<mi>θ</mi>"),
        ("theta12", "θ₁₂", r"\theta_{12}", "<msub><mi>θ</mi><mn>12</mn></msub>"),
        ("beta_2", "β₂", r"\beta_2", "<msub><mi>β</mi><mn>2</mn></msub>"),
        ("mu[0][1]", "μ[0][1]", r"\mathrm{\mu[0][1]}", "<mi>μ[0][1]</mi>"),
        ("layer.sigma", "layer.σ", r"\mathrm{layer.\sigma}", "<mi>layer.σ</mi>"),
        ("lambda_", "λ", r"\lambda", "<mi>λ</mi>"),
        ("Omega", "Ω", r"\Omega", "<mi>Ω</mi>"),
        ("betas", "betas", r"\mathrm{betas}", "<mi>betas</mi>"),
        ("beta loss", "beta loss", r"\mathrm{beta loss}", "<mi>beta loss</mi>"),
        ("xi", "xi", r"\mathrm{xi}", "<mi>xi</mi>"),
    ],
)
def test_formulas_write_a_greek_letter_for_its_english_name(name, pretty, latex, mathml):
    assert [render(Name(name), notation) for notation in (PRETTY, LATEX, MATHML)] == [pretty, latex, mathml]
    assert render(Name(name), TEXT) == name

"""Formulas of the chapters as text."""

import pytest

from tutorial.text.plain_formulas import plain_formula


@pytest.mark.parametrize(
    "tex, text",
    [
        (r"\frac{\partial y_1}{\partial x_{12}}", "∂y₁/∂x₁₂"),
        (r"\frac{1}{1 + e^{-x}}", "1/(1 + e^(-x))"),
        (r"\frac{f(x) - 1}{2h} \cdot \frac{1}{12}", "(f(x) - 1)/(2h) · 1/12"),
        (r"\sqrt{x^2 + y^2}", "√(x² + y²)"),
        (r"W^{\mathsf{T}} \times \frac{dz}{dY}", "Wᵀ × dz/dY"),
        (r"x^n y^{10} z^{k+1}", "xⁿ y¹⁰ z^(k+1)"),
        (r"\max_i x_i, \quad \sum_{k} a_{ik}", "max[i] x_i, Σ[k] a_ik".replace(", Σ", ",   Σ")),
        (r"\{ 1, \ldots, n \}", "{ 1, …, n }"),
        (r"\left( a \le b \right)", "(a ≤ b)"),
        (r"\begin{aligned} a &= b \\ &= c \end{aligned}", "a = b; = c"),
    ],
)
def test_formulas_are_read_as_text(tex, text):
    assert plain_formula(tex) == text


@pytest.mark.parametrize("tex", [r"\unheardof{x}", "{x", r"\begin{pmatrix} 1"])
def test_what_cannot_be_written_is_an_error(tex):
    with pytest.raises(ValueError, match=r"is not known|does not end"):
        plain_formula(tex)

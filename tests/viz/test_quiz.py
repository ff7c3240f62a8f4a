"""Predictions: which derivatives are asked, which answers are numbers, which are right, and which mistakes are recognised."""

from fractions import Fraction

import pytest

from scalargrad import Trace, Value
from tests.viz.answers import ANSWERS
from tests.viz.graphs import SCHEDULES, figure1_trace, thirty_variables
from viz.ink import ASCII, UNICODE
from viz.quiz import agrees, parse, questions, verdict
from viz.terminal.variable_table import standing


def variable(trace, name):
    return next(v for v in trace.graph.order if trace.names[v] == name)


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_every_total_is_asked_for_once_just_when_it_becomes_known(schedule):
    trace = figure1_trace(schedule)
    asked = questions(trace)
    assert len(asked) == 6
    assert {id(x) for _, x in asked} == {id(v) for v in trace.graph.order[1:]}
    for i, x in asked:
        assert standing(trace, i)[x][1]
        assert not standing(trace, i - 1).get(x, (None, False))[1]
        assert standing(trace, i)[x][0].number == trace.computed[x].number


@pytest.mark.parametrize(("text", "right", "agree"), ANSWERS)
def test_typed_digits_must_be_right_and_other_text_is_refused_with_a_hint(text, right, agree):
    if agree is None:
        with pytest.raises(ValueError, match="write for example 9, −2.5 or 1/3"):
            parse(text)
    else:
        assert agrees(parse(text), right) is agree


def test_every_digit_of_an_integer_counts():
    assert agrees(parse("10000000000000000000001"), 10**22 + 1)
    assert not agrees(parse("10000000000000000000000"), 10**22 + 1)


def test_a_huge_exponent_is_answered_at_once():
    assert parse("1e999999999")[0] == float("inf")
    assert not agrees(parse("-1e999999999"), 3)


def test_right_answers_are_confirmed_with_the_sum():
    trace = figure1_trace()
    assert verdict(trace, variable(trace, "x1"), "9") == "Right: dz/dx₁ = 1 · 6 + 3 · 1 = 9."
    assert verdict(trace, variable(trace, "x1"), "27/3", ASCII) == "Right: dz/dx1 = 1 * 6 + 3 * 1 = 9."
    for x in trace.graph.order[1:]:
        assert verdict(trace, x, str(trace.computed[x].number)).startswith("Right")


@pytest.mark.parametrize(
    "name, answer, mistake",
    [
        ("x1", "6", "The term dz/dy₁ · ∂y₁/∂x₁ = 3 is missing: x₁ also reaches z through y₁."),
        ("x1", "3", "The term dz/dz · ∂z/∂x₁ = 6 is missing: x₁ also reaches z directly."),
        ("x1", "7", "The upstream gradients dz/dy are missing"),
        ("x1", "4", "The partials ∂y/∂x are missing"),
        ("x1", "18", "The terms were multiplied: multiply along a path, and add over the paths."),
        ("x1", "-9", "The sign is wrong."),
        ("x1", "15", "The term dz/dz · ∂z/∂x₁ = 6 was counted twice."),
        ("x1", "12", "The term dz/dy₁ · ∂y₁/∂x₁ = 3 was counted twice."),
        ("x4", "9", "The upstream gradients dz/dy are missing"),
        ("x4", "3", "The term dz/dy₂ · ∂y₂/∂x₄ = 8 is missing: x₄ also reaches z through y₂."),
        ("x2", "1", "The upstream gradients dz/dy are missing"),
        ("x3", "-2", "This is the value of x₃, not its derivative."),
    ],
)
@pytest.mark.parametrize("schedule", SCHEDULES)
def test_typical_mistakes_are_named(schedule, name, answer, mistake):
    trace = figure1_trace(schedule)
    said = verdict(trace, variable(trace, name), answer)
    assert said.startswith(f"Not {answer}: dz/d{UNICODE.name(name)} = ")
    assert mistake in said


def test_an_unknown_mistake_gets_only_the_sum():
    trace = figure1_trace()
    assert verdict(trace, variable(trace, "x1"), "1234") == "Not 1234: dz/dx₁ = 1 · 6 + 3 · 1 = 9."


def test_both_edges_of_a_square_are_terms():
    x = Value(3, name="x")
    trace = Trace(x * x, names={})
    assert "is missing" in verdict(trace, x, "3")
    assert verdict(trace, x, "6").startswith("Right")


def test_fractions_and_floats_are_judged():
    x = Value(Fraction(1, 3), name="x")
    trace = Trace(x * x * x, names={})
    assert verdict(trace, x, "1/3").startswith("Right")
    trace = thirty_variables()
    for _, x in questions(trace):
        assert verdict(trace, x, format(trace.computed[x].number, ".6g")).startswith("Right")

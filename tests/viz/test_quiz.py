"""Predictions: which derivatives are asked, which answers are numbers, which are right, and which mistakes are recognised."""

import re
from fractions import Fraction

import numpy as np
import pytest

from scalargrad import Trace, Value
from tensorgrad import Tensor
from tests.each import each
from tests.viz.answers import ANSWERS, MISTAKES
from tests.viz.graphs import EDGE_BY_EDGE, SCHEDULES, figure1_trace, thirty_variables
from tutorial.graphs.matrices import fan_out
from viz.questions.first_act import question as first_act
from viz.questions.mistakes import KINDS, mistakes
from viz.questions.quiz import Question, Quiz, agrees, parse, questions, right_number, verdict
from viz.text.formatter import ASCII, UNICODE
from viz.text.schedule_table import standing


@each("schedule", SCHEDULES)
def test_every_total_is_asked_for_once_just_when_it_becomes_known(schedule):
    trace = figure1_trace(schedule)
    asked = [q for q in questions(trace) if q.slot is None]
    assert len(asked) == 6
    assert {id(q.x) for q in asked} == {id(v) for v in trace.graph.order[1:]}
    known = lambda i, x: standing(trace, i).get(x, (None, False))
    for i, x, *_ in asked:
        assert known(i, x)[0].number == trace.computed[x].number
        assert trace[i].act == "add" and trace[i].x is x
        assert known(i if trace.schedule.scatters else i + 1, x)[1] and not known(i - 1, x)[1]


def partials(trace):
    return [(q.y.rule.name, right_number(trace, q)) for q in questions(trace) if q.slot is not None]


@each("schedule", EDGE_BY_EDGE)
def test_one_partial_of_each_function_is_asked_for_before_it_is_known(schedule):
    trace = figure1_trace(schedule)
    assert sorted(name for name, _ in partials(trace)) == ["f3", "square", "sum"]
    assert all(right not in (0, 1, -1) for name, right in partials(trace) if name != "sum"), "f3 has a partial of 1, too"
    for q in questions(trace):
        if q.slot is not None:
            assert trace[q.step].act == "partial" and (trace[q.step].y, trace[q.step].slot) == (q.y, q.slot)
            assert not any((s.y, s.slot) == (q.y, q.slot) and s.partial for s in trace.steps[: q.step])


def test_many_functions_give_few_questions_and_those_that_teach_something_come_first():
    x = Value(3, name="x")
    z = sum([-x, x + 1, x - 2, x * x, x**3, 6 / x, x.exp(), x.tanh()], start=x)
    found = partials(Trace(z, names={}))
    assert len(found) == 4 and not any(right in (0, 1, -1) for _, right in found)
    assert {right for _, right in partials(Trace(x + x + x, names={}))} == {1}, "a function with easy partials only is still asked about"


def test_partials_of_arrays_are_not_asked_for():
    tensors = fan_out()
    assert all(q.slot is None for q in questions(Trace(tensors["z"])))


@each("shape, asked", [((), 2), ((6,), 2), ((2, 3), 2), ((7,), 0), ((2, 4), 0)])
def test_the_total_of_an_array_of_up_to_six_entries_is_asked_for(shape, asked):
    x = Tensor(np.ones(shape), name="x")
    z = (x * x).sum()
    assert len([q for q in questions(Trace(z, names={})) if q.slot is None]) == asked


@each(("text", "right", "agree"), ANSWERS)
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


def question(trace, name, of=None):
    """Return the question for dz/dname, or for ∂of/∂name."""
    return next(
        Question(q.step, q.x, y, slot)
        for q in questions(trace)
        for y, slot in ([(None, None)] if of is None else trace.graph.children[q.x])
        if q.slot is None and q.x.name == name and (of is None or y.name == of)
    )


def said(trace, name, answer, tries=1, formatter=UNICODE):
    return verdict(trace, question(trace, name), answer, tries, formatter).said


def test_right_answers_are_confirmed_with_the_sum():
    trace = figure1_trace()
    assert said(trace, "x1", "9") == "Right: dz/dx₁ = 1 · 6 + 3 · 1 = 9."
    assert said(trace, "x1", "27/3", formatter=ASCII) == "Right: dz/dx1 = 1 * 6 + 3 * 1 = 9."
    for q in questions(trace):
        assert verdict(trace, q, str(right_number(trace, q))).kind is None


@each(("of", "name", "answer", "kind", "mistake", "edges"), MISTAKES)
@each("schedule", SCHEDULES)
def test_typical_mistakes_are_named_and_their_edges_are_marked(schedule, of, name, answer, kind, mistake, edges):
    trace = figure1_trace(schedule)
    q = question(trace, name, of)
    first, second = verdict(trace, q, answer), verdict(trace, q, answer, tries=2)
    assert first.kind == second.kind == kind and kind in KINDS
    assert first.said.startswith(f"Not {answer}. ") and mistake in first.said and first.said.endswith(" Try again.")
    assert second.said.startswith(f"Not {answer}: ") and mistake in second.said and f"= {right_number(trace, q)}" in second.said
    assert sorted(f"{y.name}-{y.inputs[slot].name}" for y, slot in first.edges) == sorted(edges.split())


def test_every_kind_of_mistake_is_in_the_table_of_answers_or_is_made_elsewhere():
    elsewhere = {"transpose", "other", "shown"}  # of matrices; without a diagnosis; without an answer
    assert {kind for _, _, _, kind, *_ in MISTAKES} | elsewhere == set(KINDS)


@each("schedule", SCHEDULES)
def test_the_first_reply_to_a_wrong_answer_does_not_give_the_answer(schedule):
    trace = figure1_trace(schedule, numbers=(31, 7, -53, 47))
    for q in questions(trace):
        right = str(right_number(trace, q))
        if len(right) > 2:
            replies = [verdict(trace, q, wrong).said for wrong in ("1234567", "-1", *(str(m.number) for m in mistakes(trace, q)))]
            assert not any(re.search(rf"= {right}\b", reply) for reply in replies), (q, replies)


def test_an_unknown_mistake_gets_the_chain_rule_and_then_the_sum():
    trace = figure1_trace()
    assert said(trace, "x1", "1234") == "Not 1234. The chain rule says dz/dx₁ = dz/dz · ∂z/∂x₁ + dz/dy₁ · ∂y₁/∂x₁. Try again."
    assert said(trace, "x1", "1234", tries=2) == "Not 1234: dz/dx₁ = 1 · 6 + 3 · 1 = 9."
    found = verdict(trace, question(trace, "x4", "y2"), "1234")
    assert found.said == "Not 1234. In y₂ = x₄², only x₄ changes. How fast does y₂ change? Try again." and found.kind == "other"


def test_both_edges_of_a_square_are_terms():
    x = Value(3, name="x")
    trace = Trace(x * x, names={})
    of_the_partial, of_the_total = questions(trace)
    assert "is missing" in verdict(trace, of_the_total, "3").said
    assert verdict(trace, of_the_total, "6").kind is None
    assert "only x changes (edge 1 of 2)" in verdict(trace, of_the_partial, "77").said


def test_fractions_and_floats_are_judged():
    x = Value(Fraction(1, 3), name="x")
    trace = Trace(x * x * x, names={})
    assert verdict(trace, questions(trace)[-1], "1/3").kind is None
    trace = thirty_variables()
    for q in questions(trace):
        assert verdict(trace, q, format(right_number(trace, q), ".6g")).kind is None


# The tally


def test_the_tally_counts_first_tries_by_kind_of_mistake_and_repeats_only_the_wrong_ones():
    quiz = Quiz(figure1_trace())
    assert quiz.tally() == []
    for q in quiz.round:
        wrong = {("x1", None): "3", ("x4", None): "8", ("x3", None): "-3"}.get((q.x.name, q.slot))
        if wrong:
            assert quiz.answer(q, wrong).kind and q not in quiz.first, "a second try"
        quiz.answer(q, str(right_number(quiz.trace, q)))
        assert q in quiz.first
    assert quiz.tally() == ["6 of 9 questions right at the first try.", "forgot a path: dz/dx₁, dz/dx₄", "wrong sign: dz/dx₃"]
    assert quiz.tally(ASCII)[1] == "forgot a path: dz/dx1, dz/dx4"
    assert quiz.again().x.name == "x1" and [q.x.name for q in quiz.round] == ["x1", "x3", "x4"]
    assert quiz.between(0, len(quiz.trace)).x.name == "x1"
    for q in quiz.round:
        quiz.answer(q, str(right_number(quiz.trace, q)))
    assert quiz.tally() == ["3 of 3 questions right at the first try."] and not quiz.wrong()


def test_a_walk_stops_at_the_first_open_question_after_it_began():
    quiz = Quiz(figure1_trace())
    first, second = quiz.round[:2]
    last = quiz.round[-1].step
    assert quiz.between(0, last) == first == quiz.between(first.step - 1, first.step)
    assert quiz.between(first.step, last) == second, "the step where the walk stands is shown already"
    assert quiz.between(0, first.step - 1) is None and quiz.between(last, last + 9) is None
    quiz.close(first)
    assert quiz.between(0, last) == second


def test_after_two_wrong_answers_a_question_is_closed_under_its_first_mistake():
    quiz = Quiz(figure1_trace())
    q = question(quiz.trace, "x1")
    assert "Try again" in quiz.answer(q, "-9").said
    with pytest.raises(ValueError):
        quiz.answer(q, "nine")
    assert quiz.answer(q, "6").said.startswith("Not 6: dz/dx₁ = ") and quiz.first[q] == "sign"
    quiz.close(question(quiz.trace, "x4"))
    assert quiz.tally()[1:] == ["wrong sign: dz/dx₁", "looked at the answer: dz/dx₄"]


def test_the_first_act_names_fewer_inputs_if_their_names_are_long():
    def said(names):
        inputs = [Value(1.0, name=name) for name in names]
        return first_act(Trace(sum(inputs)), UNICODE)[1]["said"]

    assert "go in: x₁, x₂, x₃, x₄, x₅, … 15 more." in said([f"x{i}" for i in range(1, 21)])
    assert "neurons[2].w[0], … 17 more." in said([f"neurons[{i}].w[0]" for i in range(20)])
    assert "x₅ and x₆." in said([f"x{i}" for i in range(1, 7)])  # not "… 1 more"

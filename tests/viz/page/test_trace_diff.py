"""Two traces of one graph: the first step that differs, the sentence about it, and the data of the page."""

import itertools
import json
import random
import re
from copy import copy

import pytest

from scalargrad import Trace, Value
from scalargrad.custom_function import function
from scalargrad.tracing.gathering import steps
from scalargrad.tracing.tape import tape
from tests.each import each, swept
from tests.viz.graphs import SCHEDULES, figure1_trace, thirty_variables
from tests.viz.loops import backwards, changed, overwriting
from tests.viz.script_data import script_data
from tutorial.graphs.matrices import fan_out
from viz import play
from viz.page.comparison.trace_diff import first_difference


def again(trace, loop=None):
    """Return another trace of the same graph, by another loop."""
    order = trace.graph.order if trace.schedule.takes_order else None
    return Trace(trace.graph.z, order, trace.schedule.name, trace.names, steps=loop)


def data(page):
    return json.loads(script_data(page))


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_a_trace_does_not_differ_from_itself(schedule):
    trace = figure1_trace(schedule)
    assert first_difference(trace, again(trace)) is None
    assert data(play(trace, beside=again(trace)))["beside"]["first"] is None


def test_a_sum_that_is_overwritten_differs_at_the_second_term_of_the_first_variable_with_two_children():
    trace = figure1_trace()
    i, said = first_difference(trace, again(trace, overwriting))
    step = trace[i]
    assert (step.act, trace.names[step.x], trace.names[step.y]) == ("add", "x1", "y1")
    assert said == (
        "dz/dx₁ should be 9. The other loop has 3. "
        "Likely cause: only the contribution of y₁, the latest child, is there: is the sum overwritten instead of added to?"
    )


def test_a_wrong_order_differs_at_the_first_variable():
    trace = figure1_trace()
    i, said = first_difference(trace, again(trace, backwards))
    assert trace[i].act == "visit"
    assert said == (
        "The current node should be y₂. The other loop has x₄. Likely cause: the order is not topological. x₄ needs dz/dy₁, dz/dy₂ first."
    )


def at_x1(act, **fields):
    """Return the tutorial's loop with other numbers, field=function(step), at the second term of x1 in Figure 1."""

    def change(s):
        if (s.act, s.x and s.x.name, s.y and s.y.name) != (act, "x1", "y1"):
            return s
        return s._replace(**{field: getattr(s, field)._replace(number=number(s)) for field, number in fields.items()})

    return changed(steps, change)


IGNORED = "the upstream gradient is ignored: the contribution of a child y is dz/dy · ∂y/∂x."
OVERWRITTEN = "only the contribution of y₁, the latest child, is there: is the sum overwritten instead of added to?"

# fmt: off
CAUSES = [  # a loop with one mistake: its likely cause
    (at_x1("partial", partial=lambda s: -s.partial.number), "the sign is wrong."),
    (at_x1("partial", partial=lambda s: 0),                 "it is 0: is a term forgotten?"),
    (at_x1("partial", partial=lambda s: 6),                 "that has the value of y₁ in place of its slope."),
    (at_x1("get", upstream=lambda s: 6),                    "it is the value of y₁, not its derivative."),
    (at_x1("get", upstream=lambda s: 1),                    "it is the partial derivative."),
    (at_x1("add", term=lambda s: 4),                        "the two factors are added instead of multiplied."),
    (at_x1("add", term=lambda s: 1),                        IGNORED),
    (at_x1("add", term=lambda s: 6),                        "it is counted twice."),
    (at_x1("add", total=lambda s: 3),                       OVERWRITTEN),
    (at_x1("add", total=lambda s: 6),                       "only the contribution of z is there: is it overwritten instead of added?"),
    (at_x1("add", total=lambda s: 12),                      "the contribution of y₁ is counted twice."),
    (at_x1("add", total=lambda s: 0),                       "it is 0: does nothing arrive there?"),
    (at_x1("add", total=lambda s: 1234),                    None),
]
# fmt: on


@each("loop, cause", CAUSES)
def test_the_likely_cause_is_named_where_it_is_known(loop, cause):
    trace = figure1_trace()
    _, said = first_difference(trace, again(trace, loop))
    assert said.endswith(f" Likely cause: {cause}") if cause else "cause" not in said, said


def test_an_upstream_gradient_of_1_is_not_said_to_be_another_total():
    def without_upstream(graph, on):
        on = copy(on)
        on.upstream = lambda y, total: on.one
        return steps(graph, on)

    x = Value(2, name="x")
    trace = Trace(3 * (x * x) + x, names={})
    assert first_difference(trace, again(trace, without_upstream))[1].endswith(" Likely cause: it is 1: is the upstream gradient left out?")


def test_of_a_variable_that_is_used_twice_the_other_edge_is_a_difference():
    x = Value(3, name="x")
    trace = Trace(x * x, names={})
    exchanged = changed(steps, lambda s: s if s.slot is None else s._replace(slot=1 - s.slot))
    assert first_difference(trace, again(trace, exchanged)) == (
        5,
        "The edge between x and z should be input 1. The other loop has input 2.",
    )


@function
def of_both(a, b):
    return 2 * a + 5 * b


def test_of_a_variable_that_is_used_twice_only_the_terms_so_far_explain_its_sum():
    """After its first edge the sum is 2. Its second edge adds 5 only later, so neither 5 nor 7 has a cause."""
    x = Value(3, name="x")
    trace = Trace(of_both(x, x), names={})
    cause = {}
    for wrong in (-2, 4, 5, 7, 12, 14):
        at_first = lambda s: s._replace(total=s.total._replace(number=wrong)) if (s.act, s.slot) == ("add", 0) else s  # noqa: B023
        _, said = first_difference(trace, again(trace, changed(steps, at_first)))
        cause[wrong] = said.partition("Likely cause: ")[2]
    assert cause == {
        -2: "the sign is wrong.",
        4: "it is counted twice: were gradients set to zero before?",
        5: "",
        7: "",
        12: "",
        14: "",
    }


def test_of_two_inputs_none_is_said_to_be_an_order():
    """A schedule that scatters goes through the inputs of a function; which of them comes next is not a topological order."""
    a, b = Value(2, name="a"), Value(5, name="b")
    z = a * b
    exchanged = changed(tape, lambda step: step._replace(x={a: b, b: a}.get(step.x, step.x)))
    _, said = first_difference(Trace(z, schedule="tape"), Trace(z, schedule="tape", steps=exchanged))
    assert said == "The input should be a. The other loop has b."


def test_a_lookup_that_fails_is_explained():
    def eager(graph, on):
        for s in steps(graph, on):
            if s.act == "get" and s.x.name == "x1":
                raise KeyError("z")
            yield s

    trace = figure1_trace()
    _, said = first_difference(trace, again(trace, eager))
    assert said == (
        "The other loop raised an exception here: KeyError: 'z'. This step should be: Look up dz/dz = 1. "
        "Likely cause: computed does not have this key yet. A variable must come after all its children."
    )


def stopping(graph, on):
    """Look up the derivative of the first variable before it is known."""
    yield from itertools.islice(steps(graph, on), 9)
    raise KeyError("dz/dy1")


def test_a_loop_that_raises_is_followed_up_to_there():
    trace = figure1_trace()
    other = again(trace, stopping)
    assert isinstance(other.error, KeyError) and len(other) == 10
    i, said = first_difference(trace, other)
    assert i == 9 and said.startswith("The other loop raised an exception here: KeyError: 'dz/dy1'. This step should be: Its set")
    assert "The loop raised an exception here: KeyError: 'dz/dy1'." in play(other).html
    assert data(play(trace, beside=other))["beside"]["first"]["step"] == 9


def test_a_loop_that_raises_before_its_first_step_raises():
    def none(graph, on):
        raise KeyError("z")
        yield

    with pytest.raises(KeyError):
        again(figure1_trace(), none)


def test_a_step_with_an_unknown_act_is_shown_by_its_name():
    def own(graph, on):
        return (s._replace(act="guess", slot=None) if i == 9 else s for i, s in enumerate(steps(graph, on)))

    trace = figure1_trace()
    i, said = first_difference(trace, again(trace, own))
    assert (
        i == 9 and said.endswith("The other loop does this: The loop calls this step guess.") and play(trace, beside=again(trace, own)).html
    )


def test_of_tensors_the_contributions_are_compared():
    tensors = fan_out()  # held, so that their arrays are
    trace = Trace(tensors["z"])
    i, said = first_difference(trace, again(trace, overwriting))
    assert trace[i].x is tensors["B"].node and trace[i].act == "add"
    assert said == (
        "dz/dB should be [[6, 6], [13, 13]]. The other loop has [[1, 1], [1, 1]]. "
        "Likely cause: only the contribution of E, the latest child, is there: is the sum overwritten instead of added to?"
    )
    assert first_difference(trace, again(trace)) is None


def wrong_at(i, field):
    """Return the tutorial's loop with a wrong number in one field of step i."""
    count = itertools.count()
    wrong = lambda q: q._replace(number=q.number + 1e-3 + abs(q.number))
    return changed(steps, lambda s: s._replace(**{field: wrong(getattr(s, field))}) if next(count) == i else s)


@swept("field", ["partial", "upstream", "term", "total"], every=2)
def test_one_wrong_number_anywhere_is_found_at_its_step_and_named(field):
    trace = thirty_variables()
    places = [i for i, s in enumerate(trace) if getattr(s, field) is not None]
    for i in random.Random(field).sample(places, 8):
        found = first_difference(trace, again(trace, wrong_at(i, field)))
        named = trace.names[trace[i].y if field == "upstream" else trace[i].x]
        assert found is not None and found[0] == i
        assert re.search(rf"{named[0]}_?{''.join(chr(0x2080 + int(d)) for d in named[1:])}\b", found[1]) and " should be " in found[1], (
            found
        )


def test_a_step_that_is_missing_or_too_many_is_found():
    trace = figure1_trace()
    without_zero = again(trace, changed(steps, lambda s: None if s.act == "zero" else s))
    assert first_difference(trace, without_zero) == (
        4,
        "This step should be: Let dz/dy₂ = 0. The other loop does this: Calculate ∂z/∂y₂ = 1.",
    )
    short = again(trace, changed(steps, lambda s: None if s.act == "done" else s))
    assert first_difference(trace, short)[0] == len(short)
    assert first_difference(trace, short)[1].startswith("This step is missing: The backward pass is complete.")
    assert first_difference(short, trace)[1].startswith("Here the loop should end. The other loop goes on: The backward pass is complete.")


def test_rounding_is_not_a_difference():
    trace = thirty_variables()
    rounded = lambda q: None if q is None else q._replace(number=q.number * (1 + 1e-13))
    other = again(trace, changed(steps, lambda s: s._replace(term=rounded(s.term), total=rounded(s.total))))
    assert first_difference(trace, other) is None


def test_only_traces_of_one_graph_by_one_schedule_stand_beside_each_other():
    trace = figure1_trace()
    with pytest.raises(ValueError, match="same graph"):
        play(trace, beside=figure1_trace())
    with pytest.raises(ValueError, match="both traces need the same schedule, got topological and tape"):
        play(trace, beside=Trace(trace.graph.z, schedule="tape"))
    with pytest.raises(TypeError, match=r"Trace\(z, steps=loop\)"):
        play(trace, beside=overwriting)


def test_a_loop_must_yield_steps():
    x = Value(3, name="x")
    for loop in (lambda graph, on: [1, 2], lambda graph, on: []):
        with pytest.raises(TypeError, match="yields a Step"):
            Trace(x * x, steps=loop)


def test_the_page_has_every_step_and_the_lines_of_the_other_loop():
    trace = figure1_trace()
    other = again(trace, overwriting)
    page = data(play(trace, beside=other))
    beside, strings, quantities = page["beside"], page["strings"], page["quantities"]
    assert beside["first"]["step"] == 28
    assert len(beside["steps"]) == len(other)
    assert [quantities[e["total"]]["number"] for e in beside["insertions"]] == [q.number for _, q in other[-1].log]
    assert [quantities[s["total"]]["number"] if "total" in s else None for s in beside["steps"]] == [
        s.total and s.total.number for s in other
    ]
    assert beside["python"][beside["steps"][28]["code"]].strip() == "total = term"
    for place in re.findall(r"\$(\d+)\$", beside["first"]["said"] + "".join(s["said"] for s in beside["steps"])):
        assert int(place) < len(strings)


def test_a_loop_without_source_still_has_a_page():
    trace = figure1_trace()
    assert data(play(trace, beside=again(trace, changed(steps, lambda s: s))))["beside"]["python"] == []

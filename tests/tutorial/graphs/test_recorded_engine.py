"""An engine that is a plain function: its steps are recorded as it makes them, right or wrong, for the player."""

import pytest

from scalargrad import Graph, Value, backpropagation
from tests.viz.graphs import figure1_trace, thirty_variables
from tutorial.graphs.figure1 import figure1
from tutorial.graphs.recorded_engine import run, tape, trace
from viz.page.comparison.trace_diff import first_difference
from viz.text.narration import sentence


@pytest.mark.parametrize("right", [figure1_trace("tape"), thirty_variables("tape")], ids=["Figure 1", "thirty variables"])
def test_the_right_engine_has_the_steps_of_a_tape(right):
    z = right.graph.z
    at = lambda trace: [(step.act, step.x, step.y, step.slot, step.total and step.total.number) for step in trace]
    assert at(trace(z)) == at(right)
    assert run(z) == pytest.approx(backpropagation(z))


def test_a_recursion_is_not_narrated_as_a_tape():
    def recursive(z, uses, grad):
        for x, partial in uses(z):
            grad[x] += grad[z] * partial
        for x in z.inputs:
            recursive(x, uses, grad)

    found = trace(figure1()[0], recursive)
    said = [sentence(found, i) for i in range(len(found))]
    assert said[2].startswith("Current node z. It passes contributions to its inputs.") and "tape" not in " ".join(said).lower()
    assert not any("tape" in line.lower() for line in found.schedule.listing.values())


def test_a_wrong_engine_differs_where_it_inserts_the_first_wrong_number():
    def overwriting(z, uses, grad):
        for y in reversed(Graph(z).variables):
            for x, partial in uses(y):
                grad[x] = grad[y] * partial

    x = Value(3, name="x")
    z = x * x
    step, said = first_difference(trace(z), trace(z, overwriting))
    assert trace(z)[step].act == "add" and "should be 6. The other loop has 3." in said
    assert run(z, overwriting)[x] == 3


def test_an_engine_may_change_a_variable_that_is_not_at_its_edge():
    def spreading(z, uses, grad):
        tape(z, uses, grad)
        grad[z] = 0

    z, _ = figure1()
    assert run(z, spreading)[z] == 0
    assert trace(z, spreading).computed[z].number == 0
    assert "in computed should be 1. The other loop has 0." in first_difference(trace(z), trace(z, spreading))[1]


def test_all_totals_that_an_engine_changes_at_once_are_named():
    def sharing(z, uses, grad):
        for y in reversed(Graph(z).variables):
            for x, partial in uses(y):
                if not x.inputs:
                    grad[z] = grad[y] = grad[y] + grad[y]
                grad[x] += grad[y] * partial

    x = Value(3, name="x")
    y = x * 2
    y.name = "y"
    z = y + 1
    z.name = "z"
    said = first_difference(trace(z), trace(z, sharing))[1]
    assert said == "dz/dz and dz/dy in computed should be 1 and 1. The other loop has 2 and 2."


def test_a_contribution_has_the_upstream_gradient_that_the_engine_read():
    def changing(z, uses, grad):
        for y in reversed(Graph(z).variables):
            for x, partial in uses(y):
                total = grad[x] + grad[y] * partial
                grad[y] = 0
                grad[x] = total

    x = Value(3, name="x")
    z = x + 1
    added = next(step for step in trace(z, changing) if step.act == "add")
    assert (added.upstream.number, added.term.number) == (1, 1)


def test_an_engine_that_raises_shows_the_steps_before_it():
    def raising(z, uses, grad):
        for x, partial in uses(z):
            grad[x] += grad[z] * partial
        raise RecursionError("too deep")

    x = Value(3, name="x")
    found = trace(x * 2, raising)
    assert [step.act for step in found] == ["call", "start", "visit", "partial", "add", "stop"]
    assert isinstance(found.error, RecursionError)

"""The passes of folded loops: which of them a box stands for, and one pass as a graph of its own."""

import json

import pytest

from scalargrad import Trace, Value, backpropagation, log, sqrt
from scalargrad.formulas.notations import PRETTY
from scalargrad.formulas.symbols import render
from scalargrad.statements.passes import one_pass
from scalargrad.statements.statement import inside
from scalargrad.statements.statement_graph import statements
from scalargrad.user_names.function_result import result_of
from tests.each import each
from tests.scalargrad.statements.programs import compound_interest, gru, kepler, logistic_map, spring
from tests.scalargrad.statements.test_loops import steps_in_steps


def folded(program):
    return statements(result_of(program)[0])


def alone(found, k):
    """The trace of one pass."""
    return Trace(one_pass(found, found.loops[0], k), names={})


# fmt: off
def test_each_box_of_a_loop_knows_its_passes():
    found = folded(spring)
    assert {found.names[v]: str(passes) for v, passes in found.passes.items()} == {
        "a_1": "pass 1 of 20", "v_1": "pass 1 of 20", "x_1": "pass 1 of 20",
        "v_19": "passes 2 to 19 of 20", "x_19": "passes 2 to 19 of 20",
        "a_20": "pass 20 of 20", "v_20": "pass 20 of 20", "x_20": "pass 20 of 20",
    }


def test_a_pass_ends_at_what_later_passes_take_times_its_derivative():
    inner = alone(folded(spring), 7)
    formulas = {inner.names[y]: render(inner.on.written(y), PRETTY) for y in inner.graph.variables if y.inputs}
    assert formulas == {
        "a_7": "−k·x₆/m", "v_7": "v₆ + 0.05·a₇", "x_7": "x₆ + 0.05·v₇", "error'": "−0.928639·v₇ − 0.421017·x₇",
    }
# fmt: on


def test_a_pass_that_is_one_statement_shows_its_operations():
    inner = alone(folded(logistic_map), 4)
    assert [y.rule.name for y in inner.graph.variables if y.inputs] == ["mul", "sub", "mul"]
    assert inner.names[inner.graph.z] == "x_4" and set(inner.names.values()) > {"r", "x_3"}


@each("program", [spring, kepler, gru, logistic_map, compound_interest, steps_in_steps], ids=lambda program: program.__name__)
def test_what_the_passes_contribute_is_the_derivative_of_the_whole(program):
    """To a variable that only the loop takes, the passes contribute its derivative. What a pass begins with has its whole derivative."""
    found = folded(program)
    loop, totals = found.loops[0], backpropagation(found.whole)
    here = {name: x for x, name in found.called.items()}
    only = {x for x in found.variable if not x.inputs and all(users_in(found, x, loop))}
    contributed = dict.fromkeys(only, 0)
    for k in range(1, len(loop.passes) + 1):
        inner = alone(found, k)
        z = inner.graph.z
        factor = 1 if z.name.endswith("'") else totals[here[inner.names[z]]]  # if the later passes take a single variable
        for x in inner.graph.variables:
            there = here.get(inner.names[x])
            if there in only:
                contributed[there] += factor * inner.computed[x].number
            elif there in loop.passes[k - 1]:
                assert factor * inner.computed[x].number == pytest.approx(totals[there]), inner.names[x]
    assert only and contributed == pytest.approx({x: totals[x] for x in only})


def users_in(found, x, loop):
    """Whether each operation that takes x belongs to a pass, for each of them."""
    within = {y for each_pass in loop.passes for y in operations_of(each_pass, found)}
    return [y in within for y in backpropagation(found.whole) if any(v is x for v in y.inputs)]


def operations_of(boxes, found):
    return {v for y in boxes for v in inside(y, set(found.called))[0]}


def test_a_trace_as_json_says_which_passes_a_variable_stands_for():
    data = json.loads(Trace(spring, detail="statements").to_json())
    passes = {v["name"]: v["passes"] for v in data["variables"] if "passes" in v}
    assert passes["x_19"] == {"loop": 0, "first": 2, "last": 19, "many": 20} and "k" not in passes
    assert not any("passes" in v for v in json.loads(Trace(Value(2.0) * 3).to_json())["variables"])


def likelihood():
    """The first pass of the loop adds to nothing, so it looks unlike the others, and the last variance is never used."""
    variance_of = Value(0.1), Value(0.2), Value(0.7)

    def variances(returns):
        omega, alpha, beta = variance_of
        variance = omega / (1 - alpha - beta)
        for r in returns:
            yield r, variance
            variance = omega + alpha * r**2 + beta * variance

    loss = 0
    for r, variance in variances([0.4, -1.1, 0.3, 2.0, -0.7, 0.1]):
        loss += 0.5 * (log(variance) + r**2 / variance)
    return loss


def test_passes_are_numbered_as_the_program_runs_them():
    found = folded(likelihood)
    assert {found.names[v]: str(passes) for v, passes in found.passes.items()} == {
        "loss_2": "pass 2 of 6",
        "loss_5": "passes 3 to 5 of 6",
        "loss_6": "pass 6 of 6",
        "variance_2": "pass 2 of 6",
        "variance_5": "passes 3 to 5 of 6",
        "variance_6": "pass 6 of 6",
    }
    assert found.variable[found.whole].inputs[0].rule.times == 3
    loop = found.loops[0]
    assert [loop.number(k) for k in range(1, 6)] == [2, 3, 4, 5, 6]


def march():
    """The program computes p once more after its loop of three passes, and the first p is a constant."""
    centre, radius, place = Value(4.0), Value(1.0), lambda t: 0.5 * t + 0.1 * t * t
    t = 0
    for _ in range(3):
        p = place(t)
        gap = sqrt((p - centre) ** 2 + 0.2) - radius
        t = t + gap * 0.9
    p = place(t)
    gap = sqrt((p - centre) ** 2 + 0.2) - radius
    return p * gap


def test_what_runs_once_more_after_a_loop_is_in_none_of_its_passes():
    found = folded(march)
    said = {found.names[v]: str(passes) for v, passes in found.passes.items()}
    assert said == {"gap_1": "pass 1 of 3", "t_1": "pass 1 of 3", "t_3": "passes 2 to 3 of 3"}
    assert {"p_3", "gap_4"} <= set(found.names.values())

"""The passes of folded loops: which of them a box stands for, and one pass as a graph of its own."""

import json

import pytest

from scalargrad import Trace, Value, backpropagation
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

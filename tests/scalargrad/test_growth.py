"""Costs grow in proportion to the graph: CPU time at n and at 4n, on graphs that once took quadratic time.

The tests that measure CPU time are slow ones, which .ci/run runs.
"""

import io
import random

import numpy as np
import pytest

import scalargrad as sg
import viz
from scalargrad import Trace, Value, check, function, grad, hvp, program
from scalargrad.formulas.symbols import Name, render
from scalargrad.tracing.schedules import MOST_EDGES, SCHEDULES
from tests.clock import assert_linear
from tests.each import each, swept
from tests.peak import peak_of


def chain(n):
    """Return z after n / 2 times z = z · c + x: every link uses the two leaves."""
    z = x = Value(1.0, name="x")
    c = Value(0.5, name="c")
    for _ in range(n // 2):
        z = z * c + x
    return z


def terms(n):
    """Return a sum of n variables, one function for each plus."""
    z, *xs = [Value(float(i)) for i in range(n)]
    for x in xs:
        z = z + x
    return z


def of_many(row):
    def graph(n):
        return row(*[Value(random.Random(i).random()) for i in range(n)])

    graph.__name__ = row.name
    return graph


OF_MANY = [of_many(row) for row in (sg.sum, sg.dot, sg.max, sg.logsumexp)]
GRAPHS = [chain, terms, *OF_MANY]
ALONG_EDGES = [name for name, schedule in SCHEDULES.items() if not schedule.along_paths]
EACH_GRAPH = pytest.mark.parametrize("graph", GRAPHS, ids=lambda graph: graph.__name__)


@pytest.mark.slow
@EACH_GRAPH
@pytest.mark.parametrize("schedule", ALONG_EDGES)
def test_a_trace_grows_with_its_graph(graph, schedule):
    assert_linear(lambda z: Trace(z, schedule=schedule, names={}), graph, 300)


@pytest.mark.sweep
@EACH_GRAPH
def test_the_json_of_a_trace_grows_with_its_graph(graph):
    def size(n):
        return len(Trace(graph(n), names={}).to_json())

    assert size(400) < 4.5 * size(100)


@pytest.mark.slow
@pytest.mark.parametrize("schedule", ALONG_EDGES)
def test_a_printed_walk_grows_with_its_graph(schedule):
    traces = {n: Trace(chain(n), schedule=schedule, names={}) for n in (80, 320)}
    assert_linear(lambda trace: viz.walk(trace, file=io.StringIO()), traces.get, 80)


@pytest.mark.slow
@each("graph", OF_MANY, ids=lambda graph: graph.__name__)
def test_functions_of_many_inputs_grow_with_their_number(graph):
    assert_linear(graph, lambda n: n, 500)


@pytest.mark.slow
@each("graph", OF_MANY, ids=lambda graph: graph.__name__)
def test_second_derivatives_of_functions_of_many_inputs_grow_with_their_number(graph):
    row = getattr(sg, graph.__name__)
    assert_linear(lambda xs: hvp(lambda *xs: row(*xs), xs, xs), lambda n: [1.0 + i for i in range(n)], 120)


@pytest.mark.slow
def test_max_of_many_numbers_of_which_one_is_nan_grows_with_their_number():
    assert_linear(lambda n: sg.max(Value(float("nan")), *map(Value, range(n))), lambda n: n, 500)


@pytest.mark.slow
@pytest.mark.parametrize("x", [1.0, np.ones(3)], ids=["numbers", "arrays"])
def test_a_program_grows_with_its_function(x):
    assert_linear(lambda n: program(lambda x, c: chained(x, c, n))(x, 0.5), lambda n: n, 300)


@pytest.mark.parametrize("row", [sg.max, sg.logsumexp], ids=lambda row: row.name)
def test_the_source_of_a_program_grows_with_its_function(row):
    size = lambda n: len(program(lambda xs: row(*xs), [0] * n).source)
    assert size(400) < 4.5 * size(100)


def chained(x, c, n):
    z = x
    for _ in range(n // 2):
        z = z * c + x
    return z


@swept(("row", "many"), [(sg.sum, 4000), (sg.dot, 8000), (sg.max, 400), (sg.logsumexp, 400)], every=4)
def test_a_program_of_a_long_formula_is_read_by_python_and_right(row, many):
    """A program writes a formula of thousands of operations in parts: Python's parser limits how deep brackets and sums nest."""
    numbers = [random.Random(i).random() for i in range(many)]
    value, (slopes,) = program(lambda xs: row(*xs), numbers)(numbers)
    xs = list(map(Value, numbers))
    z = row(*xs)
    assert value == pytest.approx(z.data)
    assert slopes == pytest.approx(grad(z, xs))


@function
def doubling(x):
    for _ in range(60):
        x = x * 0.25 + x * 0.75
    return x


def test_a_function_whose_formula_would_double_with_each_line_is_written_as_a_call():
    x = Value(1.0, name="x")
    z = doubling(x)
    z.name = "z"
    out = io.StringIO()
    viz.walk(z, file=out)
    assert "z = doubling(x) = 1" in out.getvalue() and "∂z/∂x = 1" in out.getvalue()
    assert len(Trace(z).to_json()) < 10_000 and len(program(doubling).source) < 20_000
    assert program(doubling)(3.0) == (3.0, (1.0,)) and check(z)


def test_a_running_sum_in_json_is_its_last_term_after_an_ellipsis_where_it_is_long():
    trace = Trace(chain(300), names={})
    texts = [step["total"]["text"] for step in trace.to_dict()["steps"] if step["act"] == "add"]
    assert any(text.startswith("… + ") for text in texts)
    assert any("…" not in text and " + " in text for text in texts)
    assert max(map(len, texts)) < 1000


def test_the_state_of_counting_is_what_a_copy_at_each_step_would_be():
    rng = random.Random(8)
    xs = [Value(float(i + 1)) for i in range(4)]
    for _ in range(40):
        xs.append(sg.mul(rng.choice(xs), rng.choice(xs)) if rng.random() < 0.5 else sg.add(*rng.sample(xs, 2)))
    z = sg.sum(*xs[-6:])
    for queue in ("fifo", "lifo", "random"):
        waits, ready = {}, []
        for step in Trace(z, schedule="counting", names={}, queue=queue):
            if step.act == "count":
                waits = dict(step.state["pending"])
            elif step.act == "start":
                ready = [z]
            elif step.act == "take":
                ready.remove(step.y)
            elif step.act == "count down":
                waits[step.x] -= 1
            elif step.act == "ready":
                ready.append(step.x)
            if step.state:
                assert step.state["pending"] == waits and len(step.state["pending"]) == len(waits)
                assert step.state.get("ready", ready) == ready and repr(step.state["pending"]) == repr(waits)
        assert not ready and not any(waits.values())


def test_the_sum_over_all_paths_counts_their_edges_too():
    with pytest.raises(ValueError, match=rf"would walk 1,001 paths .*of 500,500 edges in total \(at most {MOST_EDGES:,}\)"):
        Trace(sg.neg(_negated(999)), schedule="paths")


def _negated(n):
    z = Value(1.0)
    for _ in range(n):
        z = -z
    return z


def test_writing_a_long_sum_takes_memory_in_proportion_to_it():
    def peak(n):
        formula = Name("x")
        for i in range(n):
            formula = formula + Name(f"x{i}")
        return peak_of(lambda: render(formula))

    assert peak(2000) < 6 * peak(500)


# A loop that does not end


@each("schedule", SCHEDULES)
def test_a_loop_that_does_not_end_is_stopped_and_says_so(schedule):
    def loop(graph, on):
        step = next(SCHEDULES[schedule].loop(graph, on))
        while True:
            yield step

    trace = Trace(Value(3.0, name="x") * 2, schedule=schedule, steps=loop)
    assert "steps and no end, for 2 variables" in str(trace.error)
    assert trace[-1].act == "stop" and trace[-1].state["error"].startswith("EndlessLoop: 1")
    assert len(trace) < 150_000


@each("schedule", SCHEDULES)
def test_a_loop_that_ends_is_not_stopped(schedule):
    z = chain(16 if SCHEDULES[schedule].along_paths else 60)
    own = lambda graph, on: SCHEDULES[schedule].loop(graph, on)
    assert Trace(z, schedule=schedule, steps=own).error is None

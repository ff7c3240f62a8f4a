"""backward() and .grad: accumulation over calls, upstream gradients, zero_grad, create_graph, the order of the pass, memory."""

import gc
import tracemalloc
from fractions import Fraction

import pytest
from hypothesis import given

import scalargrad as sg
from scalargrad import Value, backpropagation, grad, topological_order
from scalargrad.fast import edges
from tests.examples import at_most
from tests.scalargrad.graphs import build, figure1, recipes


def test_every_ancestor_gets_its_total_derivative():
    v = figure1()
    v["z"].backward()
    assert {name: x.grad for name, x in v.items()} == {"x1": 9, "x2": 3, "x3": 3, "x4": 11, "y1": 3, "y2": 1, "z": 1}


def test_gradients_start_at_0():
    v = figure1()
    assert {x.grad for x in v.values()} == {0}


def test_leaves_accumulate_over_calls_and_intermediate_variables_hold_the_last_result():
    v = figure1()
    for calls in (1, 2, 3):
        v["z"].backward()
        assert [v[name].grad for name in ("x1", "x2", "x3", "x4")] == [9 * calls, 3 * calls, 3 * calls, 11 * calls]
        assert [v[name].grad for name in ("y1", "y2", "z")] == [3, 1, 1]


def test_backward_of_two_results_accumulates_in_the_shared_leaves_only():
    x = Value(3.0)
    y = x * x
    a, b = y * 2.0, y * y
    a.backward()
    assert (x.grad, y.grad) == (12.0, 2.0)
    b.backward()
    assert (x.grad, y.grad) == (12.0 + 108.0, 18.0)  # no stale gradient of y is used again
    x.zero_grad()
    b.backward()
    assert x.grad == 108.0


def test_backward_of_an_intermediate_variable_does_not_change_the_next_backward():
    v = figure1()
    v["y1"].backward()
    v["z"].zero_grad()
    v["z"].backward()
    assert v["x1"].grad == 9


def test_zero_grad_resets_only_the_variable_and_its_ancestors():
    v = figure1()
    other = v["x1"] * 2
    v["z"].backward()
    other.backward()
    v["z"].zero_grad()
    assert {x.grad for x in v.values()} == {0} and other.grad == 1


def test_an_upstream_gradient_multiplies_every_gradient():
    for upstream in (2, 0, -1, Fraction(1, 3), 0.5):
        v = figure1()
        v["z"].backward(upstream)
        assert [x.grad for x in v.values()] == [9 * upstream, 3 * upstream, 3 * upstream, 11 * upstream, 3 * upstream, upstream, upstream]


def test_backward_of_a_leaf_adds_dz_dz():
    x = Value(3.0)
    x.backward()
    x.backward(5)
    assert x.grad == 6


def test_a_variable_used_many_times_collects_every_use():
    x = Value(2)
    z = x * x * x + x * 3 + x - x
    z.backward()
    assert x.grad == 12 + 3
    y = Value(2)
    z = y
    for _ in range(10):
        z = z + y
    z.backward()
    assert y.grad == 11


def test_backward_does_not_change_dead_branches():
    x = Value(2.0)
    y = x * 3.0
    dead = y.exp()
    more = dead * x
    z = y * y
    z.backward()
    assert (dead.grad, more.grad) == (0, 0) and x.grad == 36.0


def test_exact_numbers_give_exact_gradients():
    a, b = Value(Fraction(1, 3)), Value(Fraction(2, 7))
    z = (a / b + b * b) ** 2
    z.backward()
    inner = Fraction(1, 3) / Fraction(2, 7) + Fraction(4, 49)
    assert a.grad == 2 * inner / Fraction(2, 7)
    assert b.grad == 2 * inner * (-Fraction(1, 3) / Fraction(4, 49) + 2 * Fraction(2, 7))
    assert {type(x.grad) for x in (a, b)} == {Fraction}


def test_create_graph_gives_gradients_that_can_be_differentiated_again():
    x = Value(2.0)
    (x**3).backward(create_graph=True)
    first = x.grad
    assert isinstance(first, Value) and first.data == 12.0
    assert grad(first, x) == 12.0
    x.grad = 0
    first.backward(create_graph=True)
    assert x.grad.data == 12.0 and grad(x.grad, x) == 6.0


def test_create_graph_accumulates_as_plain_backward_does():
    v = figure1((3.0, 1.0, -2.0, 4.0))
    for calls in (1, 2):
        v["z"].backward(create_graph=True)
        assert [getattr(v[n].grad, "data", v[n].grad) for n in ("x1", "x2", "x3", "x4")] == [9 * calls, 3 * calls, 3 * calls, 11 * calls]
        assert [getattr(v[n].grad, "data", v[n].grad) for n in ("y1", "y2", "z")] == [3, 1, 1]


@pytest.mark.parametrize("steps", [50])
def test_descent_by_hand_reaches_the_minimum(steps):
    x = Value(0.0)
    for _ in range(steps):
        z = (x - 3.0) ** 2 + 1.0
        z.zero_grad()
        z.backward()
        x.data -= 0.25 * x.grad
    assert x.data == pytest.approx(3.0, abs=1e-12)


# The order of the pass


@at_most(100)
@given(recipes())
def test_backward_walks_the_order_that_the_trace_shows(recipe):
    for z in build(recipe):
        if z.inputs:
            assert list(map(id, edges.computed_in_order(z))) == [id(v) for v in topological_order(z) if v.inputs]


@given(recipes(functions=20))
def test_backward_and_grad_agree_to_the_last_digit(recipe):
    made = build(recipe, float)
    z = made[-1]
    if type(z) is Value:
        z.backward()
        xs = [x for x in topological_order(z) if type(x) is Value]
        assert [x.grad for x in xs] == grad(z, xs)


@given(recipes(functions=20))
def test_backward_gives_exactly_what_the_tutorials_loop_gives_on_fractions(recipe):
    z = build(recipe)[-1]
    if type(z) is Value:
        totals = backpropagation(z)
        z.backward()
        assert all(x.grad == totals[x] for x in totals if type(x) is Value)


def test_a_variable_that_was_reached_first_as_a_later_input_comes_after_its_children():
    x = Value(2.0, name="x")
    a = x * 3.0
    b = a * x
    c = sg.sum(a, b, a, x)
    z = c * a
    assert [v is w for v, w in zip(edges.computed_in_order(z), [z, c, b, a], strict=True)] == [True] * 4
    z.backward()
    assert a.grad == c.data + a.data * (1 + x.data + 1)


# Memory


def multiply_and_add(x, w, c, times):
    for _ in range(times):
        x = x * w + c
    return x


def test_a_variable_of_two_inputs_takes_at_most_170_bytes_and_205_after_backward():
    x, w, c = Value(1.0), Value(0.999999), Value(0.001)
    n = 10_000
    gc.collect()
    tracemalloc.start()
    try:
        start, _ = tracemalloc.get_traced_memory()
        z = multiply_and_add(x, w, c, n // 2)
        forward, _ = tracemalloc.get_traced_memory()
        z.backward()
        backward, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert (forward - start) / n <= 170 and (backward - start) / n <= 205


def test_a_variable_of_two_inputs_is_the_only_object_that_the_collector_tracks():
    x, w, c = Value(1.0), Value(0.999999), Value(0.001)
    gc.collect()
    before = len(gc.get_objects())
    z = multiply_and_add(x, w, c, 500)
    assert 1000 <= len(gc.get_objects()) - before <= 1010
    z.backward()
    del z
    assert gc.collect() == 0

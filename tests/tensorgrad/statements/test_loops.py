"""Loops of arrays fold as those of numbers do: the first and the last pass, a box for those between, and any pass opened."""

import io

import numpy as np
import pytest

import tensorgrad as tg
import viz
from scalargrad import Graph, Trace, backpropagation
from scalargrad.statements.passes import one_pass
from scalargrad.statements.statement import inside
from scalargrad.statements.statement_graph import statements
from scalargrad.user_names.function_result import result_of
from tensorgrad import Tensor
from tests.each import swept
from tests.tensorgrad.statements.programs import LOOPS, k_means, layers, lstm, ridge, rnn
from viz.page.scalar_graphs import opened_loops
from viz.text.formatter import UNICODE


def shown(program, opened=()):
    """{name: formula} of the boxes of a program."""
    trace = Trace(program, detail="statements", opened=opened)
    return {trace.names[y]: UNICODE.formula(trace.on.written(y)) for y in trace.graph.variables if y.inputs}


def loops_in(program):
    z, leaves = result_of(program)  # the leaves live until the loops are found
    return leaves and statements(z).loops


# fmt: off
def test_a_descent_of_twenty_steps_is_its_first_and_its_last_step_and_what_is_between():
    assert shown(ridge) == {
        "r_1": "matmul(x, w₀) − y",   "g_1": "matmul(r₁, x)/6 + decay·w₀",    "w_1": "w₀ − 0.3·g₁",
                                                                              "w_19": "18 more times",
        "r_20": "matmul(x, w₁₉) − y", "g_20": "matmul(r₂₀, x)/6 + decay·w₁₉", "w_20": "w₁₉ − 0.3·g₂₀",
        "loss": "mean((matmul(x, w₂₀) − y)²)",
    }


def test_any_pass_is_opened_by_the_name_of_what_it_makes():
    assert shown(ridge, "w7").items() >= {
        "w_6": "5 more times", "r_7": "matmul(x, w₆) − y", "w_7": "w₆ − 0.3·g₇", "w_19": "12 more times",
    }.items()
    assert len(shown(ridge, "w19")) == 61
# fmt: on


def test_the_parameters_of_a_hidden_layer_are_hidden_with_it_and_shown_with_it():
    def leaves(opened):
        trace = Trace(layers, detail="statements", opened=opened)
        return {name for v, name in trace.names.items() if not v.inputs}

    assert leaves(()) == {"x_0", "w_1", "b_1", "w_8", "b_8"}
    assert leaves("x4") == {"x_0", "w_1", "b_1", "w_4", "b_4", "w_8", "b_8"}
    assert "w_7" in leaves("x6")  # pass 7, which would be hidden alone, has its parameters too


@swept("program", list(LOOPS), every=3, ids=lambda program: program.__name__)
def test_hidden_passes_change_no_derivative_and_each_pass_contributes_its_part(program):
    z, leaves = result_of(program)
    found, totals = statements(z), backpropagation(z)
    (loop,) = found.loops
    assert leaves and len(loop.passes) == LOOPS[program] and len(found.variable) <= 30 < len(Graph(z).variables)
    for x, total in backpropagation(found.z).items():
        (whole,) = (box for box, there in found.variable.items() if there is x)
        np.testing.assert_allclose(total, totals[whole], rtol=1e-9, atol=1e-12)
    here = {name: x for x, name in found.called.items()}
    passes = [{v for y in boxes for v in inside(y, set(found.called))[0]} for boxes in loop.passes]
    within = {v for operations in passes for v in operations}
    contributed: dict = {}
    for k, operations in enumerate(passes, 1):
        inner = Trace(one_pass(found, loop, k), names={})
        for x in filter(lambda x: inner.names[x] in here, inner.graph.variables):
            there, total = here[inner.names[x]], inner.computed[x].number
            if there in operations:
                np.testing.assert_allclose(total, totals[there], rtol=1e-9, atol=1e-12)
            elif not there.inputs and all(y in within for y, _ in Graph(z).children[there]):
                contributed[there] = contributed.get(there, 0) + total
    assert contributed
    for x, total in contributed.items():
        np.testing.assert_allclose(total, totals[x], rtol=1e-9, atol=1e-12)


def test_a_page_opens_every_pass_also_after_backward():
    z, leaves = result_of(rnn)
    (before,) = opened_loops(Trace(z, detail="statements"))
    assert leaves and list(before.passes) == list(range(2, 9))
    expected = {k: {inner.names[x]: q.number for x, q in inner.computed.items()} for k, inner in before.passes.items()}
    z.backward()
    (after,) = opened_loops(Trace(z, detail="statements"))
    for k, inner in after.passes.items():
        for x, q in inner.computed.items():
            np.testing.assert_allclose(q.number, expected[k][inner.names[x]])


def test_a_pass_ends_at_what_later_passes_take_times_its_derivative():
    (loop,) = opened_loops(Trace(lstm, detail="statements"))
    inner = loop.passes[3]
    assert UNICODE.formula(inner.on.written(inner.graph.z)) == "sum(c₃·d loss/dc₃) + sum(h₃·d loss/dh₃)"
    assert inner.names[inner.graph.z] == "loss'"


def test_every_picture_shows_the_loop():
    assert "4 more times" in viz.draw(k_means).svg and "4 more times" in viz.mermaid(k_means)
    text = io.StringIO()
    viz.walk(k_means, text)
    assert "pass 6 of 6" in text.getvalue() and "passes 2 to 5 of 6" in text.getvalue()


@pytest.mark.parametrize("repeats", [True, False])
def test_a_function_that_cannot_be_repeated_is_in_no_loop(repeats):
    def program():
        x, mean, var = Tensor(np.arange(8.0).reshape(4, 2)), np.zeros(2), np.ones(2)
        for _ in range(8):
            x = np.tanh(x * 0.5) if repeats else tg.batch_norm(x, mean, var, training=True) * 0.5
        return x.sum()

    assert bool(loops_in(program)) == repeats


def test_indices_may_differ_in_each_pass_and_axes_may_not():
    def program(axes):
        x, h = Tensor(np.arange(27.0).reshape(3, 3, 3) / 27), Tensor(np.ones((3, 3)))
        for k in range(9):
            h = np.tanh(h * x.sum(axis=axes(k)))
        return h.sum()

    assert loops_in(lambda: program(lambda k: 1))
    assert not loops_in(lambda: program(lambda k: k % 3))


def test_a_program_at_the_top_level_gives_its_passes_names_too():
    w, x = Tensor(np.eye(2) * 0.5), Tensor([1.0, 2.0])
    for _ in range(8):
        x = np.tanh(x @ w)
    found = statements(x.sum())
    assert {"x_1", "x_7", "x_8"} <= set(found.names.values())


def test_plain_arrays_of_a_loop_have_the_number_of_their_pass_and_do_not_hide_it():
    series = np.round(np.random.default_rng(0).normal(size=(9, 2)), 2)
    H = np.array([[1.0, 0.5]])

    def program():
        w, h = Tensor(np.eye(4)[:, :2] * 0.5), np.zeros(2)
        for x in series:
            hx = np.concatenate([h, x])
            h = np.tanh(hx @ w)
        return (h @ H.T).sum()

    assert shown(program) == {
        "h_1": "tanh(matmul(hx₀, w))", "hx_1": "concatenate(h₁, x₂)", "h_2": "tanh(matmul(hx₁, w))", "h_8": "6 more times",
        "hx_8": "concatenate(h₈, x₉)", "h_9": "tanh(matmul(hx₈, w))", "z": "sum(matmul(h₉, Hᵀ))",
    }  # fmt: skip


def test_the_entries_of_a_long_loop_are_not_written_as_functions_of_all_its_passes():
    def program(many):
        w, h = Tensor(np.eye(3) * 0.5), Tensor(np.ones(3))
        for _ in range(many):
            h = np.tanh(h @ w)
        return h.sum()

    short, long = (Trace(lambda many=many: program(many), detail="statements") for many in (8, 80))
    assert len(short.names) == len(long.names) and short.on.entries()
    with pytest.raises(ValueError, match="have 958 entries"):
        long.on.entries()


def test_the_first_pass_may_begin_with_an_array_of_zeros_and_a_loss_of_zero():
    def program():
        rng = np.random.default_rng(0)
        wx, wh, b, wy = (Tensor(rng.normal(size=shape).round(1)) for shape in ((2, 4), (4, 4), (4,), (4, 2)))
        h, loss = np.zeros((3, 4)), 0
        for x, y in zip(rng.normal(size=(3, 3, 2)), rng.normal(size=(3, 3, 2))):
            h = tg.tanh(x @ wx + h @ wh + b)
            out = h @ wy
            loss = loss + tg.mean((out - y) ** 2)
        return loss

    (loop,) = loops_in(program)
    assert len(loop.passes) == 3 and shown(program)["loss_3"] == "2 more times"

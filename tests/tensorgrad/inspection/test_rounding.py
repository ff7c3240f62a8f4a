"""Entries of arrays that are 0 but for rounding are written so, count as 0 in pictures, and keep their digits in records."""

import io
import json

import numpy as np
import pytest

import tensorgrad as tg
import viz
from scalargrad import Trace
from scalargrad.formulas.lost_entries import LOST, lost_entries, without_lost
from scalargrad.user_names.function_result import result_of
from tensorgrad import Tensor
from tests.each import each
from tests.viz.script_data import script_data

X = np.array([[0.3, 0.1], [0.2, -0.4], [0.7, 0.9]])


def cancelling():
    """The probabilities sum to 1 whatever w is. So its derivative is 0, and rounding makes it about 1e-17."""
    x, w, v = Tensor(X), Tensor([[0.1, 0.7, 0.2], [0.3, -0.4, 0.9]]), Tensor([0.5, -1.0])
    e = np.exp(x @ w)
    s = e / e.sum(axis=1, keepdims=True)
    loss = (0.7 * s).sum() + ((x @ v) ** 2).sum()
    return loss


def tiny():
    """Small numbers that no rounding has made."""
    x = Tensor([1.0, 2.0])
    small = np.exp(-40 * x)
    return (small * 1e-9).sum()


def computed(trace, name):
    (x,) = (v for v, called in trace.names.items() if called == name)
    return trace.computed[x].number


def lost_in(program, name):
    return lost_entries(computed(Trace(program), name))


def test_only_entries_without_a_correct_digit_are_lost():
    lost, w = lost_in(cancelling, "w"), computed(Trace(cancelling), "w")
    assert lost.any() and (lost == (w != 0)).all() and np.abs(w).max() < 1e-15
    assert lost_in(cancelling, "v") is None and lost_in(cancelling, "x") is None
    trace = Trace(tiny)
    assert 0 < np.abs(trace.computed[trace.graph.variables[0]].number).max() < 1e-20
    assert all(lost_entries(q.number) is None for q in trace.computed.values())


@each("schedule", ["topological", "propagate", "counting", "tape"])
def test_every_schedule_says_it(schedule):
    trace = Trace(cancelling, schedule=schedule)
    assert lost_entries(computed(trace, "w")).any() and "0 (rounding)" in "".join(viz_lines(trace))


def viz_lines(z):
    text = io.StringIO()
    viz.walk(z, text)
    return text.getvalue().splitlines()


@pytest.mark.sweep
def test_terminal_drawing_and_page_write_it():
    assert any("0 (rounding)" in line for line in viz_lines(cancelling))
    z, leaves = result_of(cancelling)
    z.backward(retain_graph=True)
    assert leaves and "0 (rounding)" in viz.draw(z).svg
    trace = Trace(cancelling)
    assert "0 (rounding)" in viz.draw(trace).svg
    data = json.loads(script_data(viz.play(trace)))
    shown = [q for q in data["quantities"] if any("0 (rounding)" in cell for row in q.get("cells", []) for cell in row)]
    assert shown and all(n == 0 or abs(n) > 1e-9 for q in shown for n in np.ravel(q["number"]))  # what colours are made of


def test_records_keep_the_digits():
    trace = Trace(cancelling)
    w = computed(trace, "w")
    assert (w != 0).any() and (without_lost(w) == 0).all()
    assert f"{w[w != 0][0].item()}" in trace.to_json()


def test_a_single_number_says_it_too():
    def program():
        x, w = Tensor([0.1, 0.2, 0.4]), Tensor(0.3)
        return ((x - x.sum() / 3) * w).sum()  # the sum of differences from the mean

    trace = Trace(program)
    value, slope = trace.on.data(trace.graph.z), computed(trace, "w")
    assert 0 < abs(slope) < 1e-15 and slope.shape == () and lost_entries(slope) and lost_entries(value)
    assert "dz/dw: G_wv₄ = 0 (rounding)" in "".join(viz_lines(trace))


def test_what_is_noted_is_forgotten_with_the_array():
    before = len(LOST)
    trace = Trace(cancelling)
    assert len(LOST) > before
    del trace
    assert len(LOST) == before


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_a_graph_without_tiny_numbers_is_not_computed_again(dtype, monkeypatch):
    monkeypatch.setattr("tensorgrad.inspection.rounding.Shaken", None)
    x = Tensor(X.astype(dtype))
    assert len(Trace((tg.softmax(x, axis=1) ** 2).sum())) > 10

"""Drawing, page, terminal and printed trace name the first function whose value or partial is not finite."""

import math

import numpy as np
import pytest

import tensorgrad as tg
from scalargrad import Trace, Value, exp, log, scope, sqrt, where
from tensorgrad import Tensor
from tests.each import each, swept
from tests.viz.graphs import figure1_trace
from viz import draw, play
from viz.graphs.finite import first_not_finite, warning
from viz.page.page_data import page_data
from viz.terminal.print_trace import lines
from viz.terminal.screen import screen
from viz.text.formatter import ASCII, UNICODE


def x_and_y(x, y=2.0):
    return Value(x, name="x"), Value(y, name="y")


def of(f, *numbers):
    return Trace(f(*x_and_y(*numbers)), names={})


SAID = [
    (of(lambda x, y: log(x) * y, -1.0), "log(−1) is undefined here: z and dz/dy are nan. No derivative through it has a meaning."),
    (of(lambda x, y: log(exp(x)) / (x - x) + y, 1.0), "1/0 is inf here: "),
    (of(lambda x, y: y / (x + 1), -1.0), "2/0 is inf here: z and dz/dy are inf, dz/dv₁ and dz/dx are −inf"),
    (of(lambda x, y: exp(y * 1000) * x, -1.0), "exp(2000) is inf here: z, dz/dv₁ and dz/dy are −inf, dz/dx is inf"),
    (of(lambda x, y: sqrt(x) * y, 0.0), "sqrt(0): ∂v₁/∂x is inf here: dz/dx is inf"),
    (of(lambda x, y: where(x > 0, log(x), y) * 1, -1.0), "log(−1) is undefined here: z and its derivatives are finite nevertheless"),
    (of(lambda x, y: x * 2 + y, math.inf), "inf·2 is inf here, because x is not finite: z is inf"),
    (of(lambda x, y: x - x + y, math.inf), "inf − inf is nan here, because x is not finite: z is nan"),
]


@each("trace, said", SAID, ids=[said for _, said in SAID])
def test_the_warning_names_the_first_function_that_is_not_finite_and_its_effect_on_z(trace, said):
    totals = {v: q.number for v, q in trace.computed.items()}
    assert warning(trace.on, first_not_finite(trace.on, totals), totals).startswith(said)


def test_a_finite_graph_has_no_warning():
    trace = figure1_trace()
    assert first_not_finite(trace.on, {}) is None
    assert "not-finite" not in draw(trace).source and "! " not in "\n".join(lines(trace, UNICODE))
    assert page_data(trace)["notFinite"] is None and 'id="warning"' not in play(trace).html


def test_the_warning_names_the_first_function_in_the_order_of_evaluation():
    trace = of(lambda x, y: log(log(x) * y) + sqrt(x), -1.0)
    assert first_not_finite(trace.on, {}).y.rule.name == "log"
    assert first_not_finite(trace.on, {}).y.inputs == (trace.graph.variables[0],)


def test_the_warning_gives_the_index_in_an_array():
    A = Tensor([[1.0, 0.0], [-1.0, 2.0]], name="A")
    trace = Trace(np.log(A).sum(), names={})
    found = first_not_finite(trace.on, {})
    assert (found.y.rule.name, found.place) == ("log", (0, 1))
    assert warning(trace.on, found, {}) == "log(A) is −inf at index (0, 1): z is nan."


def test_a_contribution_between_tensors_is_examined_once_its_upstream_gradient_is_known():
    A = Tensor([[1.0, 0.0]], name="A")
    trace = Trace(np.sqrt(A).sum(), names={})
    totals = {v: q.number for v, q in trace.computed.items()}
    assert first_not_finite(trace.on, {}) is None
    found = first_not_finite(trace.on, totals)
    assert warning(trace.on, found, totals) == "sqrt(A): G_Av₁ is inf at index (0, 1): dz/dA is inf."


def test_many_derivatives_are_counted_instead_of_listed():
    xs = [Value(float(i), name=f"x{i}") for i in range(8)]
    z = log(xs[0] - 1) * sum(xs[1:])
    trace = Trace(z, names={})
    totals = {v: q.number for v, q in trace.computed.items()}
    said = warning(trace.on, first_not_finite(trace.on, totals), totals)
    assert "more are not finite" in said and len(said) < 140


def test_the_printed_trace_shows_the_warning_in_unicode_and_ascii():
    trace = of(lambda x, y: log(x) * y, -1.0)
    assert "! log(−1) is undefined here: z and dz/dy are nan. No derivative through it has a" in list(lines(trace, UNICODE))
    assert any(line.startswith("! log(-1) is undefined here") for line in lines(trace, ASCII))


@each("step", [0, 7, -1])
def test_every_screen_of_the_stepper_shows_the_warning(step):
    shown = screen(of(lambda x, y: log(x) * y, -1.0), step % 22)
    assert [line.plain.strip() for line in shown if line.plain.startswith("!")] == [
        "! log(−1) is undefined here: z is nan. No derivative through it has a meaning."
    ]
    assert len(shown) == 24


def test_the_warning_does_not_answer_a_question():
    trace = of(lambda x, y: log(x) * y, -1.0)
    assert "dy" not in next(line.plain for line in screen(trace, 3) if line.plain.startswith("!"))
    html = play(trace).html
    said = html[html.index('<p id="warning"') : html.index("</p>", html.index('<p id="warning"'))]
    assert "undefined" in said and said.count("<math>") == 3  # log(−1), z, nan


@each("theme", ["light", "dark"])
def test_the_drawing_marks_the_box_and_shows_the_warning(theme):
    z = of(lambda x, y: log(x) * y, -1.0).graph.z
    source = draw(z, names={}, theme=theme).source
    assert source.count('class="variable function not-finite"') == 1 and "! not finite" in source
    assert "log(−1) is undefined here: z is nan. No derivative through" in source


def test_the_drawing_marks_the_edge_whose_partial_is_not_finite():
    z = of(lambda x, y: sqrt(x) * y, 0.0).graph.z
    z.backward()
    assert draw(z, names={}).source.count('class="use not-finite"') == 1


def test_the_page_marks_the_function_and_the_edge():
    trace = of(lambda x, y: sqrt(x) * y, 0.0)
    data = page_data(trace)
    edge = data["edges"][data["notFinite"]["edge"]]
    assert data["variables"][data["notFinite"]["variable"]]["name"] == "v1"
    assert (data["variables"][edge["input"]]["name"], edge["output"]) == ("x", data["notFinite"]["variable"])
    assert page_data(of(lambda x, y: log(x) * y, -1.0))["notFinite"]["edge"] is None


HIDDEN = np.triu(np.ones((4, 4), bool), 1)
AWAY = np.where(HIDDEN, -np.inf, 0.0)
CONSTANTS, LEAVES = ({t: Tensor(AWAY.astype(t), keep_grad=kept) for t in ("float32", "float64")} for kept in (False, True))
MASKS = {
    "where": lambda s: tg.where(HIDDEN, -np.inf, s),
    "numpy's where": lambda s: np.where(HIDDEN, -np.inf, s),
    "masked_fill": lambda s: tg.masked_fill(s, HIDDEN, -np.inf),
    "an array is added": lambda s: s + AWAY.astype(s.dtype),
    "a constant is added": lambda s: s + CONSTANTS[s.dtype.name],
    "a leaf is added": lambda s: s + LEAVES[s.dtype.name],
    "and then a bias": lambda s: (s + AWAY) / 2 + np.ones(4),
    "a function of its own": tg.function(lambda s: tg.where(HIDDEN, -np.inf, s)),
}


def masked_attention(mask, dtype=np.float64, layers=1):
    """Return z of attention written by hand, and its leaves, which must live as long as z is looked at after backward()."""
    dice = np.random.default_rng(0)
    draws = lambda *shape: Tensor(dice.normal(size=shape).astype(dtype))
    x = draws(4, 3)
    leaves = [x]
    for i in range(layers):
        with scope(f"block{i}"):
            with scope("scores"):
                W = draws(3, 3)
                s = mask(x @ W @ x.T)
            with scope("weights"):
                w = tg.softmax(s)
            x = x + w @ x
            leaves += [W, s, w]
    return (x * x).sum(), leaves


@swept("mask", MASKS.values(), every=4, ids=MASKS)
@each("dtype", [np.float64, np.float32])
def test_a_mask_of_infinities_is_no_alarm(mask, dtype):
    for back in (False, True):
        z, leaves = masked_attention(mask, dtype)
        if back:
            z.backward()
        assert np.isneginf(leaves[-2].data).any()
        assert draw(z, depth=2, max_nodes=50).source.count("not-finite") == 0
        trace = Trace(z)
        assert first_not_finite(trace.on, {v: q.number for v, q in trace.computed.items()}) is None


def test_a_mask_is_the_cause_if_z_is_infinite_and_nothing_else_is():
    s = Tensor([[1.0, 2.0], [3.0, 4.0]], name="s")
    z = tg.masked_fill(s, [[False, True], [False, False]], -np.inf).sum()
    assert "v₁ is −inf at index (0, 1)" in draw(z, names={}).source.replace("where(array 2×2, −inf, s)", "v₁")


def test_a_mask_of_numbers_is_no_alarm_either():
    scores = [Value(x, name=f"s{i}") for i, x in enumerate((0.5, -1.0, 2.0))]
    terms = [exp(s + away) for s, away in zip(scores, (0, -math.inf, 0))]
    z = terms[0] / sum(terms)
    trace = Trace(z)
    assert page_data(trace)["notFinite"] is None and "not-finite" not in draw(z).source
    assert first_not_finite(Trace(scores[0] + math.inf).on, {}).y.rule.name == "add"


@each("masked", [False, True])
def test_an_alarm_in_a_folded_scope_names_the_function_and_the_scope(masked):
    x = Tensor([[1.0, -1.0], [2.0, 3.0]], name="x")
    with scope("block"), scope("inner"):
        a = tg.log(tg.where([[False, False], [True, False]], -np.inf, x) if masked else x)
    z = (a * 2).sum()
    for back in (False, True):
        if back:
            z.backward(retain_graph=True)
        source = draw(z, depth=1).source
        assert "log in block/inner is undefined at index (0, 1): z is nan." in source
        assert source.count('class="scope folded not-finite"') == 1


@pytest.mark.sweep
def test_a_large_page_with_folded_scopes_says_what_is_not_finite():
    z, leaves = masked_attention(lambda s: tg.log(s * 0.0 - 1.0), layers=8)
    trace = Trace(z)
    data = page_data(trace)
    assert data.get("folded") and data["notFinite"]
    assert "log in block0/scores is undefined at index (0, 0)" in draw(z, max_nodes=40).source


def test_derivatives_that_a_drawing_does_not_show_are_counted():
    x = Value(0.0, name="x")
    with scope("inner"):
        y = sqrt(x) * 1.0
    z = where(y > 1.0, y, 2.0) + where(x > 1.0, y, 3.0)
    z.backward()
    said = draw(z, depth=1).source
    assert "sqrt in inner: its derivative for input 1 is inf here" in said

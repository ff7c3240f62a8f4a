"""Graphs of tensors in drawings, in the stepper, in the printed trace and in notebooks."""

import io
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from scalargrad import Graph, Trace, Value, backpropagation
from scalargrad.graph import ChangedError
from tensorgrad import Tensor, zoom
from tests.each import each, swept
from tests.examples import at_most
from tests.viz.drawing.test_draw import Shown, places
from tests.viz.graphs import EDGE_BY_EDGE
from tests.viz.test_notebook import session
from tutorial.graphs.matrices import fan_out, product
from viz import animate, draw, play, step, walk
from viz.page.play import with_programs
from viz.questions.quiz import parse, questions, right_number, verdict
from viz.terminal.array_lines import beside, in_a_cell, lines_of
from viz.terminal.screen import screen
from viz.terminal.stepper import Stepper
from viz.text.formatter import ASCII, UNICODE
from viz.theme import DARK, LIGHT


def drawn(v, **options):
    return Shown(draw(v["z"], names={}, **options))


def traced(v, **options):
    return Trace(v["z"], names={}, **options)


def walked(z, **options):
    file = io.StringIO()
    walk(z, file, **options)
    return file.getvalue()


def mlp():
    """Return the variables of a small perceptron on a batch of constants."""
    rng = np.random.default_rng(0)
    X = Tensor(rng.normal(size=(8, 3)), keep_grad=False, name="X")
    W, b = Tensor(rng.normal(size=(3, 4)), name="W"), Tensor(np.zeros(4), name="b")
    H = (X @ W + b).tanh()
    H.name = "H"
    return {"X": X, "W": W, "b": b, "H": H, "loss": (H * H).sum()}


def index(trace, act, x, nth=0):
    return [i for i, s in enumerate(trace) if s.act == act and s.x is x.node][nth]


# Drawings


def test_a_box_shows_name_shape_numbers_and_formula():
    shown = drawn(fan_out())
    assert {name: shown.text(name) for name in shown.nodes} == {
        "A": ["A", "2×2", "3", "7", "2", "5"],
        "B": ["B", "2×2", "2", "0", "0", "4"],
        "C": ["C", "2×2", "6", "28", "4", "20", "C = matmul(A, B)"],
        "D": ["D", "2×2", "5", "3", "1", "9"],
        "E": ["E", "2×2", "7", "3", "1", "13", "E = B + D"],
        "W": ["W", "2×2", "13", "31", "5", "33", "W = C + E"],
        "z": ["z", "82", "z = sum(W)"],
    }
    assert sorted(shown.labels()) == [("A", "C"), ("B", "C"), ("B", "E"), ("C", "W"), ("D", "E"), ("E", "W"), ("W", "z")]


def tints(drawing):
    return re.findall(r'CELLPADDING="0" BGCOLOR="(#\w+)"', drawing.source)


@each("theme, colours", [("light", LIGHT), ("dark", DARK)])
def test_negative_numbers_are_blue_and_positive_ones_vermillion_and_the_sign_is_printed(theme, colours):
    drawing = draw(Tensor([[1.5, -2.0], [0.0, np.nan]], name="A"), theme=theme)
    assert tints(drawing) == [colours.positive_fill, colours.negative_fill, colours.zero_fill, colours.zero_fill]
    assert Shown(drawing).text("A")[2:] == ["1.5", "−2", "0", "nan"]


def test_arrays_up_to_six_by_six_show_their_numbers_and_larger_arrays_minimum_maximum_and_mean():
    small, large, deep = Tensor(np.ones((6, 6)), name="s"), Tensor(np.arange(7.0) - 3, name="l"), Tensor(np.ones((2, 2, 2)), name="d")
    assert len(Shown(draw(small)).text("s")) == 2 + 36
    assert Shown(draw(large)).text("l") == ["l", "(7,)", "−3", "0", "3"]
    assert Shown(draw(deep)).text("d") == ["d", "2×2×2", "all 1"]
    assert Shown(draw(Tensor(np.zeros((0, 3)), name="e"))).text("e") == ["e", "0×3", "no entries"]


def test_gradients_show_after_backward_with_retain_graph():
    v = fan_out()
    assert "dz" not in " ".join(sum(map(drawn(v).text, "ABCDEWz"), []))
    v["W"].keep_grad = True
    v["z"].backward(retain_graph=True)
    shown = drawn(v)
    assert shown.text("B")[6:] == ["dz/dB", "6", "6", "13", "13"]
    assert shown.text("W")[6:-1] == ["dz/dW", "1", "1", "1", "1"]
    assert len(shown.text("C")) == 7  # it saves none
    v["z"].backward(retain_graph=True)
    assert drawn(v).text("B")[6:] == ["grad", "12", "12", "26", "26"]
    assert Shown(draw(v["C"], names={})).text("B")[6] == "grad"  # dz/dB in a drawing of C


def test_gradients_can_be_given():
    v = fan_out()
    assert drawn(v, gradients=backpropagation(v["z"])).text("A")[6:] == ["dz/dA", "2", "4", "2", "4"]
    assert drawn(v, gradients={v["A"]: np.zeros((2, 2))}).text("A")[6:] == ["dz/dA", "0", "0", "0", "0"]


def test_a_released_graph_is_drawn_with_the_arrays_that_are_left_and_the_gradients_of_leaves():
    v = mlp()
    loss = v["loss"]
    before = Shown(draw(loss, names={}))
    del v["b"], v["X"]
    loss.backward()
    shown = Shown(draw(loss, names={}, partials="symbols", saved=True))
    assert shown.text("W")[:3] == ["W", "3×4", f"{v['W'].data[0, 0]:.4g}".replace("-", "−")] and "grad" in shown.text("W")
    assert shown.text("H")[1:3] == before.text("H")[1:3] and shown.text("H")[-3:] == ["H = tanh(v₂)", "inputs: v₂", "saved: nothing"]
    assert shown.text("v₂")[:4] == ["v₂", "8×4", "freed", "v₂ = v₁ + b"] and shown.labels()["v₂", "H"] == ["G_v₂H = d loss/dH·(1 − H·H)"]
    assert "v₁ = matmul(X, W)" in shown.text("v₁") and "X" not in shown.nodes  # a constant that is no longer referenced has only a name
    assert shown.text("b")[:2] == ["b", "(4,)"] and "freed" in shown.text("b") and "grad" in shown.text("b")
    assert {*shown.nodes} == {*before.nodes} - {"X"} and len(shown.edges) == len(before.edges) - 1
    loss.zero_grad()
    assert "grad" not in Shown(draw(loss, names={})).text("W")


def test_a_released_graph_shows_the_constants_and_options_that_are_left():
    x, c = Tensor([[1.0, 2.0], [3.0, 4.0]], name="x"), Tensor([5.0, 6.0], keep_grad=False, name="c")
    z = ((x * c + np.ones((9, 2, 2))).sum(axis=(0, 1)) * 2 + x[[0, 1], 1]).mean(axis=0)
    z.backward()
    shown = Shown(draw(z, names={}))
    formulas = {shown.text(name)[-1] for name in shown.nodes}
    assert {"v₁ = x·c", "v₂ = v₁ + array 9×2×2", "v₃ = sum(v₂, axis=(0, 1))", "v₄ = v₃·2", "v₅ = x[…]"} <= formulas
    assert shown.classes("c") == {"variable", "constant"}


def test_a_leaf_that_changed_after_the_graph_used_it_is_not_drawn_beside_old_results():
    x, w = Tensor([1.0, 2.0], name="x"), Tensor([3.0, 4.0], name="w")
    z = (x * w * 2).sum()
    z.backward()
    draw(z)
    w.data = [30.0, 4.0]
    changed = r"z was computed from other numbers than x, w hold now, and backward\(\) has freed the arrays in between; compute z again"
    with pytest.raises(ChangedError, match=changed):
        draw(z)


def test_a_graph_is_shown_after_backward_as_before():
    v = product()
    trace = traced(v)
    before, (page, _) = walked(trace), with_programs(trace, None)  # without the panel of memory: what was saved is freed
    v["z"].backward()
    assert walked(trace) == before == walked(traced(v)) and len(Shown(draw(trace, names={})).nodes) == 4
    assert with_programs(trace, None)[0] == with_programs(traced(v), None)[0] == page and play(v["z"]).html


def test_after_a_change_of_a_leaf_a_released_graph_is_not_played():
    v = product()
    v["z"].backward()
    v["A"].data = v["A"].data + 1
    for show in play, walk, step:
        with pytest.raises(ChangedError, match=r"computed from other numbers than A, B hold now, .* compute z again"):
            show(v["z"])


def test_edges_show_the_formula_of_the_contribution_or_its_numbers():
    v = fan_out()
    assert drawn(v, partials="symbols").labels()["B", "C"] == ["G_BC = Aᵀ dz/dC"]
    assert drawn(v, partials="numbers").labels()["B", "C"] == ["G_BC"]
    totals = backpropagation(v["z"])
    assert drawn(v, partials="numbers", gradients=totals).labels()["B", "C"] == ["G_BC = [[5, 5], [12, 12]]"]
    assert drawn(v, partials="both", gradients=totals).labels()["A", "C"] == ["G_AC = dz/dC Bᵀ = [[2, 4], [2, 4]]"]
    assert drawn(v).labels()["A", "C"] == [""]
    m = v["W"].mean()
    m.name = "m"
    long = "dm/dm / 4, repeated along the averaged axes"
    assert drawn({"z": m}, partials="both", gradients=backpropagation(m)).labels()["W", "m"] == ["G_Wm = [[0.25, 0.25], [0.25, 0.25]]"]
    assert f"G_Wm = {long}" in draw(m, names={}).source  # in the tooltip


def test_constants_are_marked_and_have_no_gradient():
    v = mlp()
    v["loss"].backward(retain_graph=True)
    shown = Shown(draw(v["loss"], names={}))
    assert shown.classes("X") == {"variable", "constant"}
    assert shown.text("X") == ["X", "8×3", "−2.33", "0", "1.37", "constant, no gradient"]
    assert [y for x, y, _ in shown.edges if x == "X"] == ["v₁"]
    assert shown.text("v₁")[-1] == "v₁ = matmul(X, W)"
    assert shown.text("b")[:6] == ["b", "(4,)", "0", "0", "0", "0"]
    alone = Shown(draw(v["X"]))
    assert alone.classes("X") >= {"constant"} and alone.text("X")[-1] == "constant, no gradient"


def test_a_constant_that_is_used_twice_is_drawn_once():
    x, c = Tensor([1.0], name="x"), Tensor([2.0], keep_grad=False, name="c")
    shown = Shown(draw((x * c + c).sum(), names={}))
    assert sorted(y for a, y, _ in shown.edges if a == "c") == ["v₁", "v₂"] and len(shown.groups["node"]) == 5


def test_several_tensors_are_drawn_together():
    w = Tensor(np.ones((3, 2)), name="w")
    drawing = draw([(w * w).sum(), (w * 2).sum()], partials="both")
    assert len(Shown(drawing).nodes) == 5 and "dz/dv" in str(drawing)


def test_saved_values_are_told_from_inputs():
    v = mlp()
    shown = Shown(draw(v["loss"], names={}, saved=True))
    lines = {name: [line for line in shown.text(name) if re.match("inputs|saved", line)] for name in shown.nodes}
    assert lines["H"] == ["inputs: v₂", "saved: H 8×4"]  # tanh needs its output only
    assert lines["v₁"] == ["inputs: W", "saved: X 8×3"]  # X needs no gradient, so W is not saved
    assert lines["v₂"] == ["inputs: v₁, b", "saved: nothing"]
    assert lines["v₃"] == ["inputs: H, H", "saved: H 8×4"]
    assert lines["W"] == []
    A = Tensor(np.ones((2, 2)), name="A")
    batch = draw((np.ones((7, 2)) @ A).sum(), names={}, saved=True)  # matmul calls its inputs A and B
    assert Shown(batch).text("v₁")[-3:] == ["v₁ = matmul(array 7×2, A)", "inputs: A", "saved: array 7×2"]
    x, w = Value(3, name="x"), Value(2, name="w")
    assert Shown(draw(x * w, saved=True, names={})).text("z")[-2:] == ["inputs: x, w", "saved: ∂z/∂x = 2, ∂z/∂w = 3"]


def test_freed_arrays_are_computed_again_or_called_freed():
    v = mlp()
    loss = v["loss"]
    shown = Shown(draw(loss, names={}))
    assert shown.text("v₂")[2:5] == ["−2.08", "0", "1.75"]
    gone = (Tensor([1.0, 2.0]) + 1).sum()
    assert Shown(draw(gone, names={})).text("v₁") == ["v₁", "(2,)", "freed"]


@pytest.mark.sweep
def test_pictures_of_gradients_have_their_room_from_the_first_step_on():
    rng = np.random.default_rng(0)
    A, W = Tensor(rng.standard_normal((8, 8)), name="A"), Tensor(rng.standard_normal((20, 20)), name="W")
    trace = Trace((A @ W[:8, :8]).sum(), names={})
    drawings = [Shown(draw(trace, step=step)) for step in range(0, len(trace), 3)]
    assert len({drawing.root.get("viewBox") for drawing in drawings}) == 1
    assert len(drawings[-1].text("A")) > len(drawings[0].text("A")) and animate(trace).svg


def test_a_zoomed_graph_is_drawn_like_any_other():
    v = product()
    assert len(Shown(draw(zoom(v["z"]).z, names={})).nodes) >= 8 + 4 + 1
    C = zoom(v["C"].node).z
    shown = Shown(draw(C, names={}))
    roots = [name for name in shown.nodes if not any(x == name for x, _, _ in shown.edges)]
    assert C.shape == (2, 2) and len(roots) == 4
    assert {shown.text(name)[1] for name in roots} == {"6", "28", "4", "20"}
    assert set(roots) == {"c₁₁", "c₁₂", "c₂₁", "c₂₂"}  # named after C
    assert len(Shown(draw(list(C[0]), names={})).nodes) < len(shown.nodes)  # a row of C
    assert str(draw(zoom(v["C"].node), names={})) == str(draw(C, names={}))


def test_a_zoom_of_one_number_can_be_stepped(capsys):
    v = product()
    step(zoom(v["z"]))
    assert "z = c₁₁ + c₁₂ + c₂₁ + c₂₂ = 58" in capsys.readouterr().out
    inside = zoom(v["C"].node)
    with pytest.raises(ValueError, match="step: z must be one variable, got 4"):
        step(inside)
    step(inside.z[0, 1])
    assert "c₁₂ = " in capsys.readouterr().out


def test_a_list_of_other_things_than_variables_is_refused():
    with pytest.raises(TypeError, match="^draw: 2 is not a variable; give a Value"):
        draw([Value(1), 2])
    with pytest.raises(TypeError, match="^draw: array.* is not a variable"):
        draw(np.zeros(0))


@swept("schedule", EDGE_BY_EDGE, every=4)
@pytest.mark.parametrize("make", [fan_out, product], ids=["fan_out", "product"])
def test_nothing_moves_from_step_to_step(make, schedule):
    trace = traced(make(), schedule=schedule)
    assert len({str(places(draw(trace, step=i))) for i in range(0, len(trace), 3)}) == 1


def test_a_step_shows_its_formula_and_the_sum_so_far():
    v = fan_out()
    trace = traced(v)
    shown = Shown(draw(trace, step=index(trace, "add", v["B"])))
    assert shown.labels()["B", "C"] == ["G_BC = Aᵀ dz/dC"]
    assert shown.text("B") == ["current x", "B", "2×2", "2", "0", "0", "4", "dz/dB …", "5", "5", "12", "12"]
    assert shown.text("A")[-1] == "dz/dA = ?"
    assert Shown(draw(trace)).text("B")[-5:] == ["dz/dB", "6", "6", "13", "13"]


# Text


def test_a_matrix_is_written_in_columns():
    assert lines_of(np.array([[5.0, -5.25], [12.0, 1e-9]]), UNICODE) == ["[ 5  −5.25]", "[12  1e−09]"]
    assert lines_of(np.array([1.0, 2.0]), UNICODE) == ["[1  2]"]
    assert lines_of(np.arange(7.0), UNICODE) == ["7 entries, 0 to 6"]
    assert lines_of(np.full((2, 3, 4), -1.0), ASCII) == ["2x3x4, all -1"]
    assert in_a_cell(np.array([[6.0, 6], [13, 13]]), UNICODE, 16) == "6 6; 13 13"
    assert in_a_cell(np.ones((6, 6)), UNICODE, 16) == "6×6"
    assert in_a_cell(np.array(2.0), UNICODE, 16) == "2"


def test_blocks_stand_side_by_side_with_their_signs_at_half_height():
    from rich.text import Text

    high, low = list(map(Text, "abc")), [Text("x")]
    assert [line.plain for line in beside([high, " + ", low])] == ["a    ", "b + x", "c    "]


@swept("schedule", EDGE_BY_EDGE, every=3)
@pytest.mark.parametrize("size", [(80, 24), (60, 20), (100, 40)], ids=str)
def test_every_screen_fits(schedule, size):
    for z in (fan_out()["z"], mlp()["loss"]):
        trace = Trace(z, names={}, schedule=schedule)
        for formatter in (UNICODE, ASCII):
            for i in [i for i in range(len(trace)) if size == (80, 24) or formatter is (UNICODE, ASCII)[i % 5 % 2]]:
                lines = screen(trace, i, *size, formatter)
                assert len(lines) == size[1] and max(line.cell_len for line in lines) <= size[0]
                assert formatter is UNICODE or all(line.plain.isascii() for line in lines)


def test_the_screen_shows_the_sum_of_the_contributions():
    v = fan_out()
    trace = traced(v)
    text = "\n".join(line.plain.rstrip() for line in screen(trace, index(trace, "insert", v["B"])))
    assert (
        """\
 dz/dB = G_BC     + G_BE
       = Aᵀ dz/dC + dz/dE
       = [ 5   5] + [1  1] = [ 6   6]
         [12  12]   [1  1]   [13  13]"""
        in text
    )
    assert "dz/dB: G_BC + G_BE = [[6, 6], [13, 13]] ← new" in text
    assert re.search(r"x ▶ +B +2 0; 0 4 +6 6; 13 13 +C, E", text)


def test_the_equation_does_not_move():
    v = fan_out()
    trace = traced(v)
    heads = {next(k for k, line in enumerate(screen(trace, i)) if line.plain.startswith(" computed")) for i in range(len(trace))}
    assert len(heads) == 1


def test_the_printed_trace_shows_matrices_row_by_row():
    text = walked(traced(fan_out()))
    assert (
        """\
5. current node: B
"""
        in text
    )
    assert (
        """\
   calculate: G_BC = Aᵀ dz/dC, G_BE = dz/dE
   invoke chain rule: dz/dB = G_BC + G_BE
                            = Aᵀ dz/dC + dz/dE
                            = [ 5   5] + [1  1] = [ 6   6]
                              [12  12]   [1  1]   [13  13]
"""
        in text
    )
    assert text.startswith("A = [3  7]\n    [2  5]\n")
    assert "dz/dB: G_BC + G_BE = [[6, 6], [13, 13]]" in text[text.index("final output") :]


@at_most(25)
@given(st.lists(st.tuples(st.integers(0, 7), st.integers(1, 7)), min_size=1, max_size=4), st.sampled_from(EDGE_BY_EDGE))
def test_traces_of_any_shapes_are_printed_in_80_columns(shapes, schedule):
    z = Tensor(1.5, name="s")
    for k, shape in enumerate(shapes):
        x = Tensor(np.linspace(-1e6, 1 / 3, shape[0] * shape[1]).reshape(shape), name=f"x{k}")
        z = z + (x * x * z).sum()
    text = walked(z, names={}, schedule=schedule)
    assert max(map(cell_len, text.split("\n"))) <= 80 and "final output" in text
    draw(z, names={}, partials="both")


@pytest.mark.sweep
def test_the_trace_of_a_deep_graph_of_tensors_is_printed():
    y = Tensor([1.0, 2.0], name="x")
    for _ in range(500):
        y = y * 1
    assert walked(y.sum(), names={}).count("current node") == 501


def test_many_contributions_are_wrapped_and_complete():
    B = Tensor([[1.0, 2.0], [3.0, 4.0]], name="B")
    z = (B * 1).sum()
    for k in range(2, 13):
        z = z + (B * k).sum()
    trace = Trace(z, names={})
    text = walked(trace)
    assert text.count("[78  78]") == 2 and max(map(len, text.split("\n"))) <= 80
    at = screen(trace, next(i for i, s in enumerate(trace) if s.act == "insert" and s.x is B.node))
    assert any("more" in line.plain for line in at) and any("…" in line.plain and "78" in line.plain for line in at)


# Predictions


def test_an_answer_is_a_matrix_row_by_row():
    B = np.zeros((2, 2))
    assert parse("6 6; 13 13", B) == parse("[[6, 6], [13,13]]", B) == [parse(n) for n in ("6", "6", "13", "13")]
    with pytest.raises(ValueError, match="enter all 4 entries row by row, for example 1 2; 3 4"):
        parse("6", B)
    with pytest.raises(ValueError, match="'six' is not a number"):
        parse("six 6 13 13", B)


@each(
    "answer, said",
    [
        ("6 6; 13 13", "Right: dz/dB = [[5, 5], [12, 12]] + [[1, 1], [1, 1]] = [[6, 6], [13, 13]]."),
        ("5 5 12 12", "The term G_BE = [[1, 1], [1, 1]] is missing: B also reaches z through E."),
        ("6 13; 6 13", "This is the transpose"),
        ("-6 -6 -13 -13", "The sign is wrong."),
        ("2 0 0 4", "This is the value of B, not its derivative."),
        ("7 7; 14 14", "The term G_BE = [[1, 1], [1, 1]] was counted twice."),
    ],
)
def test_answers_are_checked_and_mistakes_named(answer, said):
    v = fan_out()
    trace = traced(v)
    question = next(q for q in questions(trace) if q.x is v["B"].node)
    assert said in verdict(trace, question, answer).said


@pytest.mark.filterwarnings("error")
@swept(
    "function",
    [
        lambda A: np.sqrt(np.sum(A * A)),
        lambda A: A.mean() * A.sum(),
        lambda A: (A * Tensor(2.0, name="s")).sum(),
        lambda A: ((A - 1) ** 2).mean() + 0.1 * (A * A).sum(),
        lambda A: (A / 0 + A * np.inf).sum() * A.sum(),
        lambda A: (A * 1e300 * A * 1e300 + A).sum(),
    ],
    every=2,
)
def test_single_numbers_in_a_graph_of_tensors_are_asked_for_and_checked(function):
    trace = Trace(function(Tensor([[1.0, 2.0]], name="A")))
    asked = questions(trace)
    assert asked and play(trace).html
    for question in asked:
        total = right_number(trace, question)
        assert verdict(trace, question, " ".join(map(repr, total.reshape(-1).tolist()))).said.startswith("Right")
        assert verdict(trace, question, " ".join(["77.5"] * total.size)).said.startswith("Not 77.5")


def test_large_arrays_are_not_asked_for():
    v = mlp()
    trace = Trace(v["loss"], names={})
    assert [trace.names[question.x] for question in questions(trace)] == ["b"]
    small = traced(fan_out())
    assert {small.names[question.x] for question in questions(small)} == set("ABCDEW")


def test_the_stepper_asks_and_shows_the_sum():
    stepper = Stepper(traced(fan_out()), UNICODE)
    for key in ["\x1b[B"] * 5 + ["q", "\x1b[B", *"6 6;13 13"]:
        assert stepper.press(key)
    assert any("What is dz/dB? 6 6;13 13" in line.plain for line in stepper.frame(80, 24))
    assert any("1 2; 3 4 is a matrix" in line.plain for line in stepper.frame(80, 24))
    assert not any("[ 6" in line.plain or "G_BC =" in line.plain for line in stepper.frame(80, 24))
    stepper.press("\r")
    assert any("Right: dz/dB" in line.plain for line in stepper.frame(80, 24))


def test_the_screen_hides_the_number_that_it_asks_for():
    stepper = Stepper(traced(fan_out(), schedule="counting"), UNICODE)
    stepper.press("q")
    for _ in stepper.trace:
        if stepper.question and stepper.trace.names[stepper.question.x] == "C":
            break
        stepper.press("\x1b" if stepper.question else "\x1b[C")
    shown = "\n".join(line.plain for line in stepper.frame(80, 24))
    assert "What is dz/dC?" in shown and re.search(r"dz/dC = G_CW\n +=* *\?", re.sub(" +\n", "\n", shown))
    assert "dz/dW\n" not in re.sub(" +\n", "\n", shown)


def test_names_can_be_given_for_tensors():
    v = fan_out()
    v["C"].name = None
    assert "K" in Shown(draw(v["z"], names={v["C"]: "K"})).nodes
    assert "G_BK = Aᵀ dz/dK" in walked(v["z"], names={v["C"]: "K"})


# Notebooks


def test_a_notebook_shows_the_graph_of_a_tensor_after_its_release():
    out = session("""
shell.run_cell("import viz; from tensorgrad import Tensor; A = Tensor([[1.0, -2.0]]); z = (A * A).sum()")
print(shown("z")["image/svg+xml"])
shell.run_cell("z.backward()")
assert ">grad<" in shown("z")["image/svg+xml"]
""")
    for text in (">A<", ">z<", ">1×2<", ">−2<", ">z = sum(v₁)<"):
        assert text in out


def test_graphs_draw_as_their_z():
    v = fan_out()
    assert draw(Graph(v["z"]), names={}).source == draw(v["z"], names={}).source

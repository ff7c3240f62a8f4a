"""Pictures in statements: a box for each name of the program. The default where there are more than about ten variables."""

import io
import json
import re

import pytest

import viz
from scalargrad import Graph, Trace, Value, scope
from scalargrad.user_names.function_result import result_of
from tensorgrad import Tensor, tanh
from tests.scalargrad.graphs import figure1
from tests.scalargrad.statements.programs import newton, perceptron, recurrent_network, spring
from viz import draw
from viz.questions.first_act import question
from viz.text.formatter import UNICODE
from viz.text.narration import heading


def test_a_drawing_of_many_operations_shows_the_names_of_the_program():
    svg = draw(perceptron, partials="both").svg
    assert len(re.findall('class="node variable', svg)) == 13
    assert "h₁ = tanh(w₁₁·0.5 + w₁₂·(−1) + b₁)" in svg and "= 0.5·(1 − h₁²) = 0.261211" in svg


def test_a_drawing_of_few_operations_shows_them_all():
    x, y = Value(2.0, name="x"), Value(3.0, name="y")
    assert len(re.findall('class="node variable', draw((x * y + x) * y).svg)) == 5


def test_figure_1_is_drawn_as_it_was():
    z = figure1()["z"]
    assert draw(z).source == draw(z, detail="operations").source


def test_all_operations_are_drawn_on_request():
    assert len(re.findall('class="node variable', draw(perceptron, detail="operations").svg)) == 25


def test_the_operations_of_one_box_are_drawn_on_request():
    drawn = lambda opened: len(re.findall('class="node variable', draw(perceptron, opened=opened).svg))
    assert drawn("h1") == drawn("h_1") == drawn("h₁") == 17 and drawn(["h1", "out"]) == 20
    with pytest.raises(ValueError, match=re.escape("draw: opened='q' is not a box of this graph; there are h₁, h₂, out, loss")):
        draw(perceptron, opened="q")


def test_gradients_are_those_of_the_whole_graph():
    z = perceptron()
    z.backward()
    w11 = next(v for v in Graph(z).variables if v.data == 0.3)
    svg = draw(z, names={w11: "w"}).svg
    assert "dz/dw = −0.185086" in svg
    assert "dz/dw = 7" in draw(z, names={w11: "w"}, gradients={w11: 7}).svg


def test_a_box_of_a_statement_shows_the_arrays_that_its_operations_show_after_the_function_has_returned():
    """Its leaves and its arrays have gone, but rules have saved them."""

    def loss():
        W, x, t = Tensor([[0.5, -0.25]], name="W"), Tensor([[0.8], [0.4]], name="x"), Tensor([[0.25]], name="t")
        h = tanh(W @ x)
        e = h * t
        return (e * e).sum() + (W * W).sum()

    z = loss()
    z.backward(retain_graph=True)
    operations, statements = (draw(z, detail=detail).svg for detail in ("operations", "statements"))
    assert "freed" not in operations and "freed" not in statements
    assert "0.0728" in operations and "0.0728" in statements  # e


def test_a_graph_of_scopes_that_is_too_large_is_folded_by_scopes():
    x = Value(1.0, name="x")
    for k in range(6):
        with scope(f"layer{k}"):
            for _ in range(5):
                x = x * 0.5 + 0.1
    assert 'class="node variable' not in draw(x, max_nodes=20, depth=1).svg.replace('class="node variable input', "")


def test_a_trace_keeps_its_detail():
    trace = Trace(perceptron, detail="statements")
    assert draw(trace, detail="statements").source == draw(trace).source
    with pytest.raises(TypeError, match="the detail of a trace cannot change"):
        draw(trace, detail="operations")
    with pytest.raises(ValueError, match="detail='lines' is unknown; use 'statements' or 'operations'"):
        draw(perceptron, detail="lines")


def test_the_terminal_walks_through_statements():
    text = io.StringIO()
    viz.walk(perceptron, text)
    assert "h1 = tanh(w11*0.5 + w12*(-1) + b1)" in text.getvalue().replace("·", "*").translate(str.maketrans("₀₁₂−", "012-"))
    assert text.getvalue().count("current node") == 12


def test_the_terminal_says_which_pass_of_a_loop_a_step_is_in():
    text = io.StringIO()
    viz.walk(spring, text)
    assert "pass 20 of 20" in text.getvalue() and "passes 2 to 19 of 20" in text.getvalue()
    trace = Trace(spring, detail="statements")
    assert [heading(trace, i).partition(", ")[2] for i in (0, 9, 35, 60, 80, -1)] == [
        "", "pass 20 of 20", "passes 2 to 19 of 20", "pass 1 of 20", "", "",
    ]  # fmt: skip


def test_a_trace_as_json_has_statements_with_their_formulas_and_partials():
    data = json.loads(Trace(recurrent_network, detail="statements").to_json())
    formulas = {v["name"]: v["formula"]["text"] for v in data["variables"] if v["formula"]}
    assert formulas["h_3"] == "tanh(wx*0.25 + wh*h_2 + b)"
    assert len(data["variables"]) == 10 and len(data["steps"]) == 94


def test_a_trace_of_your_own_order_visits_statements_in_it():
    loss, _ = result_of(perceptron)
    trace = Trace(loss, sorted(Graph(loss).order, key=Graph(loss).distance.get), detail="statements")
    assert [trace.names[v] for v in trace.graph.order[:5]] == ["loss", "out", "c", "h2", "v2"]


def test_a_trace_has_operations_unless_it_is_asked_for_statements():
    assert len(Trace(perceptron).graph.variables) == 25 and Trace(perceptron).statements is None
    assert len(Trace(perceptron, detail=None).graph.variables) == 13
    assert len(Trace(perceptron, detail=None, names="numbers").graph.variables) == 25


@pytest.mark.sweep
def test_mermaid_handout_and_animation_show_statements():
    assert viz.mermaid(perceptron).count(":::function") == 4
    handout = viz.handout(perceptron)
    assert "tanh" in handout.html and handout.trace.statements and viz.slides(perceptron).trace.statements
    assert viz.mermaid(perceptron, detail="operations").count(":::function") == 16


def test_a_page_opens_at_a_variable_of_the_program_also_in_statements():
    loss, _ = result_of(perceptron)
    h1 = next(v for v in Graph(loss).variables if v.name == "h1")
    page = viz.play(loss, start=h1)
    assert page.trace.statements and 'data-start="backward' in page.html
    assert viz.play(loss, start=h1.inputs[0]).trace.statements is None  # the pass comes to it if all operations are shown


def test_a_page_beside_another_trace_has_its_detail():
    loss, _ = result_of(perceptron)
    assert viz.play(loss, beside=Trace(loss)).trace.statements is None


def test_a_partial_whose_formula_would_be_too_long_is_a_number_alone():
    def program():
        w, b = Value(0.5), Value(-0.2)
        p = 1 / (1 + (w * 1.5 + b).exp())
        loss = -p.log() * p + p
        return loss

    text = io.StringIO()
    viz.walk(program, text, detail="statements")
    assert "∂p/∂w = −0.3" in text.getvalue() and "∂p/∂w = ∂p/∂w" not in text.getvalue()


def test_a_tape_of_statements_leaves_out_what_is_within_formulas():
    loss, _ = result_of(perceptron)
    recorded = Graph(loss).variables
    trace = Trace(loss, schedule="tape", recorded=recorded, detail="statements")
    whole = Trace(loss, schedule="tape", recorded=recorded)
    assert {trace.names[v]: q.number for v, q in trace.computed.items() if trace.names[v][0] in "wbc"} == pytest.approx(
        {whole.names[v]: q.number for v, q in whole.computed.items() if whole.names[v][0] in "wbc"}
    )


def test_the_question_tells_how_often_a_loop_runs():
    parts = question(Trace(spring, detail="statements"), UNICODE)
    said = next(part["said"] for part in parts if part["said"].startswith("After"))
    assert said.startswith("After 18 more passes of the loop comes v₁₉. It takes v₁, k, x₁ and m.")


def test_the_question_says_once_how_to_see_the_names_of_a_program_that_has_ended():
    said = lambda z, **options: " ".join(part["said"] for part in question(Trace(z, **options), UNICODE))
    assert said(newton()).count("Write play(f) in place of play(f())") == 1
    assert "play(f)" not in said(newton) + said(newton(), names="numbers")

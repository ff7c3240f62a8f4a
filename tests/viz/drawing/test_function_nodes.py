"""functions="nodes": the tutorial's own form of the graph, in which a function is a node between its inputs and its output."""

import numpy as np
import pytest

import tensorgrad as tg
from scalargrad import Value
from tests.each import swept
from tests.viz.drawing.test_draw import Shown, places
from tests.viz.drawing.test_folding import Shown as Folded
from tests.viz.graphs import figure1_trace
from tests.viz.networks import resnet50
from tests.viz.test_mermaid import read
from viz import animate, draw, mermaid


def product():
    A, B = tg.Tensor([[3.0, 7.0], [2.0, 5.0]], name="A"), tg.Tensor([[2.0, 0.0], [0.0, 4.0]], name="B")
    C = A @ B
    C.name = "C"
    return C.sum()


def links(drawing):
    return {tuple(end.split(":")[0] for end in title) for title in Folded(drawing).edges}


def test_a_product_is_drawn_as_in_the_tutorial():
    z = product()
    shown = Folded(draw(z, names={}, functions="nodes"))
    assert {(shown.said[list(shown.nodes).index(a)][0], shown.said[list(shown.nodes).index(b)][0]) for a, b in shown.edges} == {
        ("A", "matmul"),
        ("B", "matmul"),
        ("matmul", "C"),
        ("C", "sum"),
        ("sum", "z"),
    }


def test_every_use_leads_to_a_function_and_every_function_to_its_output():
    trace = figure1_trace()
    drawing = draw(trace.graph.z, functions="nodes", partials="both", names=trace.names)
    variables = trace.graph.variables
    place = {v: i for i, v in enumerate(variables)}
    uses = {(f"v{place[x]}", f"fn{place[y]}") for y in variables for x in y.inputs}
    assert links(drawing) == uses | {(f"fn{place[y]}", f"v{place[y]}") for y in variables if y.inputs}
    assert "∂y₂/∂x₄ = 2·x₄ = 8" in Shown(drawing).svg
    ids = [e.get("id") for e in Folded(drawing).root.iter() if e.get("id")]
    assert len(ids) == len(set(ids))


def test_both_edges_of_a_square_lead_to_its_function():
    x = Value(3, name="x")
    drawing = draw(x * x, functions="nodes")
    assert drawing.source.count("v0 -> fn1") == 2 and drawing.source.count("fn1 -> v1") == 1


@swept("schedule", ["topological", "counting", "tape", "paths"], every=4)
def test_nothing_moves_from_step_to_step(schedule):
    trace = figure1_trace(schedule)
    first = places(draw(trace, step=0, functions="nodes"))
    for step in range(1, len(trace), 7):
        assert places(draw(trace, step=step, functions="nodes")) == first, step
    sources = [draw(trace, step=step, functions="nodes").source for step in range(0, len(trace), 3)]
    assert any("function-node active" in source for source in sources)


def test_an_animation_moves_along_functions():
    svg = animate(figure1_trace(), functions="nodes").svg
    assert ">square<" in svg and ">sum<" in svg


@pytest.mark.sweep
def test_constants_and_parameters_lead_to_functions_in_a_large_graph():
    z, _ = resnet50(size=32)
    drawing = draw(z, names={}, depth=1, expand="stage2/block1/conv1", functions="nodes")
    shown = Folded(drawing)
    words = [said[0] for said in shown.said]
    assert {"conv2d", "batch_norm", "relu", "W", "γ", "β"} <= set(words)  # each parameter is a node
    heads = {b for a, b in links(drawing) if a == next(name for name, g in shown.nodes.items() if "γ" in "".join(g.itertext()))}
    assert len(heads) == 1 and heads.pop().startswith("fn")
    c = tg.Tensor(np.ones((2, 2)), keep_grad=False, name="c")
    x = tg.Tensor(np.ones((2, 2)), name="x")
    assert "c0 -> fn1" in draw((x * c).sum(), functions="nodes").source


def test_mermaid_writes_functions_as_nodes():
    z = product()
    boxes, edges = read(mermaid(z, names={}, functions="nodes"))
    number = {words[0].split(" = ")[0]: at for at, (words, _) in boxes.items()}
    assert boxes[number["matmul"]][1] == "functionNode"
    assert {(a, b) for a, b, *_ in edges} == {
        (number[a], number[b]) for a, b in (("A", "matmul"), ("B", "matmul"), ("matmul", "C"), ("C", "sum"), ("sum", "z"))
    }


def test_an_unknown_word_is_refused():
    for function in (draw, mermaid):
        with pytest.raises(ValueError, match="functions is 'edges'"):
            function(Value(1.0) * 2, functions="edges")

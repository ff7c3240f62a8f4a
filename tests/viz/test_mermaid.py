"""Mermaid text: what it shows of a graph, and that names stay text."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scalargrad import Value
from tensorgrad import Tensor
from tests.each import each
from tests.viz.graphs import figure1_trace
from tests.viz.graphs_of_others import spring
from viz import mermaid
from viz.mermaid import MOST_CHARACTERS, MOST_EDGES

BOX = re.compile(r'  (\w+)(?:\(\["([^"]*)"\]\)|\["([^"]*)"\]|\("([^"]*)"\)|\{\{"([^"]*)"\}\}):::(\w+)')
EDGE = re.compile(r'  (\w+) (-->|-\.->)(?:\|"([^"]*)"\|)? (\w+)')
OTHER = re.compile(
    r"  (%% the graph has [\d,]+ variables; here are the [\d,]+ nearest to z|classDef \w+ [\w#:,. -]+|linkStyle [\d,]+ [\w#:,. -]+)"
)
SIGNS = re.compile(r"(?:[A-Za-z0-9 =,+/()]|(?<=\d)\.(?=\d)|#\d+;|[^\x00-\x7f])*")


def read(text):
    """Return ({box: (its lines, its look)}, [(start, end, arrow, label)]) of a flowchart. Mermaid must know every line."""
    first, *lines = text.splitlines()
    assert re.fullmatch("flowchart (LR|TB)", first)
    boxes, edges = {}, []
    for line in lines:
        if box := BOX.fullmatch(line):
            at, *labels, look = box.groups()
            boxes[at] = ([said(part) for part in next(filter(None, labels)).split("<br/>")], look)
        elif edge := EDGE.fullmatch(line):
            start, arrow, label, end = edge.groups()
            edges.append((start, end, arrow, said(label or "")))
        else:
            assert OTHER.fullmatch(line), line
    assert {end for edge in edges for end in edge[:2]} <= set(boxes)
    return boxes, edges


def said(label):
    """Return a label as Mermaid shows it. It must be text only."""
    assert SIGNS.fullmatch(label), label
    return re.sub(r"#(\d+);", lambda code: chr(int(code[1])), label)


def test_figure_1_is_seven_boxes_and_eight_edges():
    trace = figure1_trace()
    boxes, edges = read(mermaid(trace.graph.z, names=trace.names, partials="both"))
    assert boxes["v0"] == (["x₁ = 3"], "input") and boxes["v6"] == (["z = x₁·y₁ + y₂ = 34"], "function")
    assert [lines for lines, _ in boxes.values()][2] == ["x₃ = −2"]
    assert len(boxes) == 7 and len(edges) == 8
    assert ("v3", "v5", "-->", "∂y₂/∂x₄ = 2·x₄ = 8") in edges
    assert [label for *_, label in read(mermaid(trace.graph.z))[1]] == [""] * 8


def test_gradients_are_written_after_backward():
    trace = figure1_trace()
    assert len(read(mermaid(trace.graph.z, names=trace.names))[0]["v0"][0]) == 1
    trace.graph.z.backward()
    assert read(mermaid(trace.graph.z, names=trace.names))[0]["v0"][0] == ["x₁ = 3", "dz/dx₁ = 9"]


def test_a_step_of_a_trace_is_shown():
    trace = figure1_trace()
    boxes, edges = read(mermaid(trace, step=28))
    assert boxes["v0"] == (["current x", "x₁ = 3", "dz/dx₁ = 9 …"], "current")
    assert (boxes["v4"][1], boxes["v6"][1], boxes["v5"][1]) == ("active", "child", "function")
    assert {label for *_, label in edges} == {"", "∂z/∂x₁ = 6", "∂y₁/∂x₁ = 1"}
    drawn = [(start, end) for start, end, *_ in edges]
    styles = re.findall(r"linkStyle (\d+) (\S+)", mermaid(trace, step=28))
    looks = {drawn[int(at)]: look for at, look in styles}
    assert set(looks) == {("v0", "v4"), ("v0", "v6")} and "dasharray" in looks["v0", "v6"] and "dasharray" not in looks["v0", "v4"]
    assert "dz/dx₄ = 11" in read(mermaid(trace))[0]["v3"][0]


def test_both_edges_of_a_square_are_numbered_and_a_constant_tensor_is_dotted():
    a, c = Tensor([[1.0, 2.5]], name="A"), Tensor([[3.0, 4.0]], keep_grad=False, name="c")
    y = a * a + c
    z = y.sum()
    boxes, edges = read(mermaid(z, names={z: "z"}))
    assert sum(label.startswith("input ") for *_, label in edges) == 2
    constant = next(at for at, (_, look) in boxes.items() if look == "constant")
    assert boxes[constant][0] == ["c = [[3, 4]]"]
    assert [arrow for start, _, arrow, _ in edges if start == constant] == ["-.->"]
    assert "A = [[1, 2.5]]" in boxes["v0"][0]


@given(st.lists(st.text(min_size=1, max_size=30), min_size=2, max_size=4))
def test_names_stay_text(names):
    xs = [Value(i, name=name) for i, name in enumerate(names)]
    z = xs[0]
    for x in xs[1:]:
        z = z * x
    boxes, edges = read(mermaid(z, names={}, partials="both"))
    assert (len(boxes), len(edges)) == (2 * len(xs) - 1, 2 * len(xs) - 2)


@each(
    "name", ['x"] --> y', "<script>alert(1)</script>", "`**b**`", "$$x$$", "%%{init: {}}%%", "1. x", "a;b#35;", "end", "x\n---\ntitle: y"]
)
def test_signs_with_a_meaning_in_mermaid_are_written_as_character_numbers(name):
    x = Value(2, name=name)
    text = mermaid(x * 1, names={})
    lines, _ = read(text)[0]["v0"]
    plain = name.replace("\n", "\N{REPLACEMENT CHARACTER}")
    begin, _, end = lines[0].removesuffix(" = 2").partition("…")
    assert plain.startswith(begin) and plain.endswith(end)


def sums_of_squares(n):
    z = [Value(0.1, name=f"x{i}") for i in range(n)]
    return sum([sum((x * x for x in z), Value(0)) for _ in z], Value(0))


@pytest.mark.sweep
def test_a_large_graph_is_cut_to_what_mermaid_draws():
    text = mermaid(sums_of_squares(24), names={}, max_nodes=100_000, detail="operations")
    _, edges = read(text)
    assert 100 < len(edges) <= MOST_EDGES and len(text) <= MOST_CHARACTERS


def test_a_graph_is_cut_to_what_can_be_read():
    text = mermaid(sums_of_squares(7), names={}, detail="operations")
    boxes, _ = read(text)
    assert "%% the graph has" in text and sum(look != "leftOut" for _, look in boxes.values()) == 60
    assert any(re.fullmatch("… [0-9]+ inputs?", lines[0]) for lines, _ in boxes.values())


def test_the_same_program_gives_the_same_text():
    assert mermaid(figure1_trace(), step=30) == mermaid(figure1_trace(), step=30)


@each("wrong", [{"direction": "RL"}, {"partials": "all"}, {"step": 3}, {"max_nodes": 0}])
def test_unknown_options_are_refused(wrong):
    x = Value(1)
    with pytest.raises((ValueError, TypeError), match=next(iter(wrong))):
        mermaid(x * 2, **wrong)


def test_a_wide_graph_runs_downwards_unless_a_direction_or_a_larger_width_is_asked_for():
    z = spring()
    assert mermaid(figure1_trace()).startswith("flowchart LR")
    assert mermaid(z).startswith("flowchart TB") and mermaid(z, direction="LR").startswith("flowchart LR")
    assert mermaid(z, width=float("inf")).startswith("flowchart LR")

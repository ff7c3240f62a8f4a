"""The graphs that a page can open: of tensor functions in their entries, of statements in their operations."""

import functools
import json

import numpy as np
import pytest

import tensorgrad as tg
from scalargrad import Trace, Value, tanh
from tensorgrad import Tensor
from tests.each import swept
from tests.scalargrad.statements.programs import perceptron, spring
from tests.viz.graphs import figure1_trace
from tests.viz.script_data import script_data
from tutorial.graphs.matrices import fan_out
from viz import play
from viz.page.page_data import page_data
from viz.page.scalar_graphs import MOST_TOGETHER, opened_loops, scalar_graphs
from viz.page.scenes.scene import scene, scene_of_inner
from viz.text.formatter import UNICODE

page_of = functools.cache(play)


def test_the_page_of_the_matrices_has_the_scalar_graph_of_each_function():
    tensors = fan_out()
    trace = Trace(tensors["z"])
    data = json.loads(script_data(play(trace)))
    names = [v["name"] for v in data["variables"]]
    assert {names[int(v)] for v in data["scalarGraphs"]} == {"C", "E", "W", "z"}
    inner = data["scalarGraphs"][str(names.index("C"))]
    assert sorted(v["function"] for v in inner["variables"] if v["function"]) == ["mul"] * 8 + ["sum"] * 4 + ["weighted_sum"]
    assert len(inner["scene"]["whole"]["nodes"]) == len(inner["variables"]) == 21  # one scene, not neighbourhoods
    assert "scalarGraphs" not in inner


def test_a_graph_of_numbers_has_none():
    assert "scalarGraphs" not in page_data(figure1_trace())


def test_the_page_of_statements_has_the_operations_of_each_long_one_with_its_partials():
    trace = Trace(perceptron, detail="statements")
    found = {trace.names[y]: (y, inner) for y, inner, *_ in scalar_graphs(trace)}
    assert list(found) == ["h1", "h2", "out"]
    for y, inner in found.values():
        totals = {inner.names[x]: q.number for x, q in inner.computed.items()}
        assert [totals[trace.names[x]] for x in y.inputs] == pytest.approx(y.partials) and inner.names[inner.graph.z] == trace.names[y]
    assert len(found["h1"][1].graph.variables) == 8


@pytest.mark.sweep  # its page takes three seconds; numbers have theirs below and above
def test_the_page_of_statements_of_arrays_has_their_operations_with_what_they_pass_on():
    X, Y = np.arange(12.0).reshape(4, 3) / 12, np.ones((4, 2))

    def program():
        w, b = Tensor([[0.5, -1.0], [1.0, 0.25], [0.1, 0.3]]), Tensor([0.1, -0.2])
        h = np.tanh(X @ w + b)
        double = 2 * h
        loss = ((double - Y) ** 2).mean()
        return loss

    trace = Trace(program, detail="statements")
    found = {trace.names[y]: (y, inner) for y, inner, *_ in scalar_graphs(trace)}
    functions = {n: [v.rule.name for v in inner.graph.variables if v.inputs] for n, (_, inner) in found.items()}
    assert functions["h"] == ["matmul", "add", "tanh", "sum"] and functions["loss"] == ["sub", "pow", "mean"]
    assert functions["double"] == ["mul"] * 8 + ["weighted_sum"]  # a single operation opens into its entries
    for name in ("h", "loss"):
        y, inner = found[name]
        passed = {trace.names[x]: trace.computed[y].number * trace.on.vjp(y, slot) for slot, x in enumerate(y.inputs)}
        for x, q in inner.computed.items():
            if not x.inputs:
                np.testing.assert_allclose(q.number, passed[inner.names[x]])
    h = found["h"][1]
    assert UNICODE.formula(h.on.written(h.graph.z)) == "sum(h·d loss/dh)" and h.names[h.graph.z] == "loss'"
    data = json.loads(script_data(play(program, detail="statements")))
    opened = {data["variables"][int(v)]["name"]: graph for v, graph in data["scalarGraphs"].items()}
    assert opened["h"]["tensors"] and [v["name"] for v in opened["h"]["variables"] if v["function"]] == ["v1", "v2", "h", "loss'"]
    assert opened["loss"]["variables"][1]["equation"] == "double − Y"  # constants keep their names
    assert len(opened["h"]["entryGraph"]["gradient"]) == 8 and opened["h"]["entryGraph"]["program"]  # each entry of w and b can be nudged
    operations = [v["name"] for v in opened["h"]["variables"]]
    assert "scalarGraphs" not in opened["double"]  # its entries
    within = {operations[int(v)]: inner for v, inner in opened["h"]["scalarGraphs"].items()}  # its operations open into theirs
    assert list(within)[:3] == ["v1", "v2", "h"] and "program" in within["h"]
    assert {v["function"] for v in within["h"]["variables"]} == {None, "tanh", "weighted_sum"}


def test_statements_of_equal_numbers_are_told_apart():
    x, y = Value(1.0, name="x"), Value(1.0, name="y")
    h, g = (x * y + 2) * x, (y * x + 2) * y
    h.name, g.name = "h", "g"
    data = json.loads(script_data(play(h * g + h, detail="statements")))
    assert {data["variables"][int(v)]["name"]: inner["variables"][inner["z"]]["name"] for v, inner in data["scalarGraphs"].items()} == {
        "h": "h",
        "g": "g",
    }


def test_the_page_of_a_loop_has_its_hidden_passes():
    (loop,) = json.loads(script_data(page_of(spring)))["loops"]
    assert loop["many"] == 20 and loop["passes"] == list(range(2, 20)) and loop["opening"] == "open one of the passes 2 to 19 of 20"
    assert sorted(loop["shown"].values()) == [[1, 1]] * 3 + [[2, 19]] * 2 + [[20, 20]] * 3
    assert {v["name"]["each"][5] for v in loop["graphs"]["variables"] if "each" in v["name"]} == {"v_6", "x_6", "a_7", "v_7", "x_7"}
    programs = loop["live"]["program"]["each"]
    assert len(programs) == 18 and len(set(programs)) <= 4  # those whose constants have the same signs share one


@pytest.mark.sweep
def test_passes_that_have_no_room_in_the_page_are_left_out_and_counted():
    def program():
        x, w = Value(0.5), Value(0.9)
        for _ in range(60):
            x = w * x * (1 - x)
        return x

    (loop,) = json.loads(script_data(play(program)))["loops"]
    first, last = loop["passes"][0], loop["passes"][-1]
    assert (first, last) == (2, 59) and len(loop["passes"]) < 58
    assert (
        loop["opening"]
        == f"open one of the passes 2 to 59 of 60; this page has {len(loop['passes'])} of these 58, in Python opened= shows any"
    )


@pytest.mark.sweep
def test_a_page_without_loops_is_no_larger_for_them():
    page = play(perceptron).html
    assert "loops/" not in page and "over-loop" not in page and "over-loop" in page_of(spring).html


@pytest.mark.sweep
def test_many_passes_take_little_more_than_a_few():
    def size(steps):
        def program():
            k, x, v = Value(4.0), Value(1.0), Value(0.0)
            for _ in range(steps):
                v = v - 0.05 * (k * x)
                x = x + 0.05 * v
            return x

        return len(play(program).html.encode())

    assert size(12) - size(6) < 18_000  # a pass alone would take 9,000 bytes


@pytest.mark.sweep
def test_a_graph_that_opens_has_parts_only_if_it_cannot_be_shown_whole():
    small, large = Trace(powers(14), names={}), Trace(powers(25), names={})
    whole = {"near": None, "nearNarrow": None}
    assert scene(small)["near"] and scene_of_inner(small) | {"ways": scene(small)["ways"]} == scene(small) | whole
    assert scene_of_inner(large)["nearNarrow"] and scene_of_inner(large) == scene(large)


def powers(n):
    """Return 3 · 2ⁿ, one product after the other."""
    found = Value(3, name="x")
    for _ in range(n):
        found = found * 2
    return found


def test_all_scalar_graphs_together_stay_small():
    x = Tensor(np.full((2, 2), 0.5), name="x")
    layers = [x]
    for _ in range(12):
        layers.append(layers[-1] @ layers[-1])
    found = scalar_graphs(Trace(layers[-1].sum(), names={}))
    assert 1 < len(found) < 12
    assert sum(len(inner.graph.variables) for _, inner, *_ in found) <= MOST_TOGETHER


def test_a_page_has_the_graph_of_all_entries_with_the_gradient_of_the_tensors():
    tensors = fan_out()
    data = json.loads(script_data(play(tensors["z"])))
    graph, names = data["entryGraph"], [v["name"] for v in data["variables"]]
    named = {name: [[graph["variables"][x]["name"] for x in row] for row in places] for name, places in zip(names, graph["places"])}
    assert named["W"] == [["w11", "w12"], ["w21", "w22"]] and named["z"] == [["z"]]
    tensors["z"].backward()
    assert graph["gradient"] == [x for name in "ABD" for x in tensors[name].grad.reshape(-1).tolist()]
    assert "program" in graph and "program" not in data


def large():
    return np.tanh(X_6_7).sum()


def many():
    x = X_6_6
    for _ in range(9):
        x = x * x
    return x.sum()


def of_whole_arrays():
    f = tg.function(lambda x: np.linalg.eigvalsh(x), vjps=(lambda G, x: x,))
    return f(X_2_2).sum()


X_6_7, X_6_6, X_2_2 = (Tensor(np.eye(*shape), name="X") for shape in ((6, 7), (6, 6), (2, 2)))
WITHOUT_ENTRIES = {
    "X has 42 entries. The page can nudge an entry if each input has at most 36, as in 6×6.": large,
    "The arrays of this graph have 361 entries. The page can nudge an entry if there are at most 300.": many,
    "The function of v1 computes with whole arrays only, not with their entries.": of_whole_arrays,
    "The array of v1 is freed, so its entries are not known.": lambda: (Tensor(np.ones((2, 2))) * 2).sum(),
    "z is the same number whatever the inputs are.": lambda: np.pad(X_2_2, 1)[0].sum(),
}


@pytest.mark.sweep
@swept("said", WITHOUT_ENTRIES, every=2)
def test_a_graph_whose_entries_cannot_be_nudged_says_why(said):
    data = json.loads(script_data(play(Trace(WITHOUT_ENTRIES[said](), names={}))))
    assert data["notLive"] == said and "entryGraph" not in data


@pytest.mark.sweep
def test_a_loop_within_a_pass_is_folded_and_opens_too():
    def program():
        x, w = Value(0.5), Value(1.1)
        for _ in range(5):
            y = x
            for _ in range(6):
                g = tanh(w * y)
                y = y + 0.3 * g
            x = x + y
        return x

    trace = Trace(program, detail="statements")
    outer, *_ = opened_loops(trace)
    inner = outer.passes[3]
    (within,) = opened_loops(inner)
    assert len(inner.graph.variables) == 8 and within.many == 6 and list(within.passes) == [2, 3, 4, 5]
    whole = Trace(inner.graph.z, names={}, detail="operations")
    totals = {name: inner.computed[v].number for v, name in inner.names.items()}
    assert all(totals[name] == pytest.approx(whole.computed[v].number) for v, name in whole.names.items() if name in totals)
    path = [v for v, name in inner.names.items() if name == "y_17"]
    assert within.shown[path[0]].first == 2 and within.passes[4].names[within.passes[4].graph.z] == "y_16"
    (loop, *_) = page_data(trace, loops=[outer])["loops"]
    (third,) = loop["graphs"]["loops"]["each"][1]
    assert third["passes"] == [2, 3, 4, 5] and third["many"] == 6

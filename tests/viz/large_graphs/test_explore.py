"""The page of explore: what it holds of a graph, and where each thing stands in its scope."""

import json
import re
from html import unescape
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

import tensorgrad as tg
from scalargrad import Graph, Trace, Value, nn, scope
from tests.each import each, swept
from tests.examples import at_most
from tests.scalargrad.graphs import build, recipes
from tests.viz.graphs import figure1_trace
from tests.viz.networks import mlp, resnet50
from tests.viz.script_data import script_data
from viz import explore, export
from viz.array_picture import picture_data
from viz.drawing.box_contents import in_four_digits, length


def data(page):
    """Return the data in a page."""
    return json.loads(script_data(page))


def named(d, name):
    return next(node for node in d["nodes"] if node["name"] == name)


@pytest.fixture(scope="module")
def resnet():
    z, _ = resnet50(size=32)
    z.backward(retain_graph=True)
    return z, data(explore(z, names={}))


def test_every_variable_is_a_node_after_its_inputs():
    trace = figure1_trace()
    d = data(explore(trace))
    assert [node["name"] for node in d["nodes"]] == ["x₁", "x₂", "x₃", "x₄", "y₁", "y₂", "z"] and d["z"] == 6
    place = {v: i for i, v in enumerate(trace.graph.variables)}
    assert [node.get("inputs", []) for node in d["nodes"]] == [[place[x] for x in v.inputs] for v in trace.graph.variables]
    assert all(x < y for y, node in enumerate(d["nodes"]) for x in node.get("inputs", []))


def test_a_trace_shows_its_total_derivatives_and_a_graph_its_gradients():
    trace = figure1_trace()
    x1 = named(data(explore(trace)), "x₁")
    assert (x1["total"], x1["gradient"], x1["sign"], x1["numbers"]) == ("dz/dx₁", "9", 1, "3")
    assert named(data(explore(trace.graph.z, names=trace.names)), "x₁")["gradient"] == "not known before backward()"
    trace.graph.z.backward()
    assert named(data(explore(trace.graph.z, names=trace.names)), "x₁")["gradient"] == "9"


def test_a_gradient_of_0_has_no_sign():
    x, y = Value(3, name="x"), Value(2, name="y")
    z = x * 0 + y * -1
    z.backward()
    d = data(explore(z))
    assert [(named(d, name)["gradient"], named(d, name)["sign"]) for name in "xy"] == [("0", 0), ("−1", -1)]


def test_a_constant_is_a_variable_of_its_scope_and_not_a_parameter():
    with scope("layer"):
        c, x = Value(2.0, name="c", keep_grad=False), Value(3.0, name="x")
        y = x * c
    found = data(explore(y + 1))
    assert found["scopes"][1]["lines"] == ["3 variables", "1 parameter"] and named(found, "c")["kind"] == "constant"


def test_a_scope_counts_what_is_inside_its_scopes_too():
    with scope("layer"):
        x, W = tg.Tensor(np.ones((4, 2)), keep_grad=False, name="x"), tg.Tensor(np.ones((2, 3)), name="W")
        with scope("inner"):
            b = tg.Tensor(np.ones(3), name="b")
            y = x @ W + b
        z = tg.tanh(y).sum()
    z.backward()
    said = {s["name"]: (s["lines"], s["sentence"]) for s in data(explore(z))["scopes"]}
    layer, inner = (said[name] for name in ("layer", "inner"))
    assert layer[0][1:] == ["9 parameters", f"‖gradient‖ = {in_four_digits(length(W.grad, b.grad))}"]
    assert inner[0][1:] == ["3 parameters", f"‖gradient‖ = {in_four_digits(length(b.grad))}"]
    assert "functions: matmul, add, tanh, sum;" in layer[1] and "functions: matmul, add;" in inner[1]


def test_the_bytes_saved_are_those_of_memory(resnet):
    z, d = resnet
    blocks = {block: size for node in d["nodes"] for *_, size, block in node.get("saved", []) if block}
    assert sum(blocks.values()) == tg.memory(z).saved and len(blocks) > 100
    relu = next(node for node in d["nodes"] if node.get("function") == "relu")
    assert [(name, size) for name, _, size, _ in relu["saved"]] == [(relu["name"], 8 * np.prod([int(n) for n in relu["shape"].split("×")]))]


def test_an_array_that_two_functions_save_counts_once():
    x = tg.Tensor(np.linspace(0, 1, 10), name="x")
    y = tg.exp(x)
    z = (y * tg.tanh(y)).sum()
    said = data(explore(z))["about"]
    assert said == "5 variables, 4 computed by functions, 160 bytes saved for the backward pass" and tg.memory(z).saved == 160


def test_numbers_save_their_partials_and_no_arrays():
    y2 = named(data(explore(figure1_trace())), "y₂")
    assert y2["saved"] == [["∂y₂/∂x₄", "8", 0, 0]]


def test_a_released_graph_can_be_explored():
    A = tg.Tensor(np.ones((2, 2)), name="A")
    z = (A @ A).sum()
    z.backward()
    d = data(explore(z))
    assert named(d, "A")["total"] == "grad" and len(d["nodes"]) == 3


def test_constants_and_functions_can_be_nodes():
    A, c = tg.Tensor([[1.0, 2.0]], name="A"), tg.Tensor([[3.0, 4.0]], keep_grad=False, name="c")
    z = (A * c).sum()
    d = data(explore(z, names={z: "z"}))
    assert named(d, "c")["kind"] == "constant" and named(d, "c")["gradient"] == "none: it is a constant"
    d = data(explore(z, functions="nodes", names={z: "z"}))
    number = {node["name"]: i for i, node in enumerate(d["nodes"])}
    assert named(d, "mul")["kind"] == "node" and set(named(d, "mul")["inputs"]) == {number["A"], number["c"]}
    assert named(d, "z")["inputs"] == [number["sum"]]


def test_an_array_has_pictures_of_its_numbers_and_of_its_gradient(resnet):
    images, W = named(resnet[1], "images"), named(resnet[1], "W")
    pixels = next(c.data for y in Graph(resnet[0]).variables for c in (y, *y.constants) if c.name == "images")
    assert images["picture"] == json.loads(json.dumps(picture_data(pixels)["picture"])) and "slope" not in images
    assert W["picture"] != W["slope"] and W["slope"]["labels"][0].startswith("−")


# Where things stand


def scope_path(d, at):
    found = []
    while d["scopes"][at]["parent"] is not None:
        found.append(at)
        at = d["scopes"][at]["parent"]
    return [*found, 0][::-1]


def check_arrangement(d):
    """Every thing stands once in its scope; a link between two things of a scope leads to a later rank, through every rank between."""
    rank = {}
    for at, of in enumerate(d["scopes"]):
        things = [t for entries in of["ranks"] for t in entries if not isinstance(t, list)]
        inner = [-1 - k for k, other in enumerate(d["scopes"]) if other["parent"] == at]
        assert sorted(things) == sorted(inner + [v for v, node in enumerate(d["nodes"]) if node["scope"] == at])
        rank |= {(at, t): r for r, entries in enumerate(of["ranks"]) for t in entries if not isinstance(t, list)}
        gaps = {}
        for r, entries in enumerate(of["ranks"]):
            for gap in entries:
                if isinstance(gap, list):
                    gaps.setdefault(tuple(gap), []).append(r)
        for (a, b), ranks in gaps.items():
            first, last = -1 if a is None else rank[at, a], len(of["ranks"]) if b is None else rank[at, b]
            assert ranks == list(range(first + 1, last)), (a, b)
    return rank


def test_every_thing_stands_once_and_links_pass_every_rank(resnet):
    rank = check_arrangement(resnet[1])
    for y, node in enumerate(resnet[1]["nodes"]):
        for x in node.get("inputs", []):
            if resnet[1]["nodes"][x]["scope"] == node["scope"]:
                assert rank[node["scope"], x] < rank[node["scope"], y]
    check_arrangement(data(explore(mlp(), names={})))


@at_most(40)
@given(recipes())
def test_any_graph_is_arranged(recipe):
    z = build(recipe)[-1].tanh()
    d = data(explore(z, names={}))
    rank = check_arrangement(d)
    assert all(rank[0, x] < rank[0, y] for y, node in enumerate(d["nodes"]) for x in node.get("inputs", []))
    assert len(d["nodes"]) == len(Graph(z).variables)


def test_scopes_that_use_each_other_are_arranged():
    x = Value(1.0, name="x")
    with scope("a"):
        y = x.tanh()
    with scope("b"):
        y = y * 2
    with scope("a"):
        y = y.tanh()
    d = data(explore(y, names={}))
    check_arrangement(d)
    assert {s["name"] for s in d["scopes"]} == {"", "a", "b"}


def test_a_layer_whose_weights_are_met_first_stands_after_the_layer_before_it():
    with scope("layer1"):
        h = Value(1.0, name="x").tanh()
    with scope("layer2"):
        z = Value(2.0, name="w") * h  # inputs first: w is met before layer1
    d = data(explore(z))
    names = [[d["scopes"][-1 - t]["name"] for t in entries if not isinstance(t, list) and t < 0] for entries in d["scopes"][0]["ranks"]]
    assert [name for each in names for name in each] == ["layer1", "layer2"]


def test_a_small_graph_is_open_and_a_large_one_shows_its_outermost_scopes():
    small = data(explore(nn.MLP(2, [1])([Value(1.0, name="x1"), Value(2.0, name="x2")])))
    assert all(s.get("open") for s in small["scopes"])
    large = data(explore(mlp(), names={}))
    assert len(large["scopes"]) == 1 + 4 + 33
    shown = [s for s in large["scopes"] if not s.get("open")]
    assert len(shown) > 30 and large["scopes"][0]["open"]


# The file


def test_the_page_is_one_file_that_runs_one_script_and_loads_nothing(resnet):
    page = explore(figure1_trace())
    assert "default-src 'none'" in page.html and page.html.count("script-src 'sha256-") == 1
    assert not re.search(r'(src|href)="(?!data:)', page.html) and " style=" not in page.html
    assert not re.findall(r"https?://(?!www\.w3\.org)", page.html)
    assert "${" not in page.html.split("<script>")[0]


def test_names_are_text():
    name = "</script><img src=x onerror=alert(1)>"
    x = Value(2, name=name)
    with scope("<b>layer</b>"):
        z = x * x
    page = explore(z, title=name)
    assert page.html.count("</script>") == 2 and "<img" not in page.html
    assert data(page)["nodes"][0]["name"] == "</script…alert(1)>" and data(page)["scopes"][1]["name"] == "<b>layer</b>"
    assert unescape(re.search("<h1>(.*?)</h1>", page.html)[1]) == name


def test_the_same_program_gives_the_same_page():
    def once():
        A = tg.Tensor(np.arange(6.0).reshape(2, 3), name="A")
        return explore(np.tanh(A @ A.T).sum(), names={}).html

    assert once() == once()


@pytest.mark.sweep
@swept("layers", [100, 250], 2)
def test_a_graph_of_thousands_of_variables_is_a_page(layers):
    layer = [Value(k / 20, name=f"x{k}") for k in range(20)]
    for _ in range(layers):
        layer = [(a + b).tanh() if k % 2 else a * b for k, (a, b) in enumerate(zip(layer, layer[1:] + layer[:1]))]
    d = data(explore(layer, names={}))
    assert len(d["nodes"]) > 20 * layers and d.get("z") is None
    check_arrangement(d)


def test_export_writes_it(tmp_path):
    path = Path(export(figure1_trace(), tmp_path / "net.html", "explore"))
    assert path.read_text(encoding="utf-8") == explore(figure1_trace()).html


@each("wrong", [{"functions": "all"}, {"names": 3}, {"title": 3}])
def test_unknown_options_are_refused(wrong):
    with pytest.raises((ValueError, TypeError), match=next(iter(wrong))):
        explore(Value(1.0) * 2, **wrong)


def test_a_value_that_is_no_graph_is_refused():
    with pytest.raises(TypeError, match="explore: 3 is not a variable"):
        explore(3)
    assert named(data(explore(lambda: Value(2.0, name="x") * 3)), "x")["numbers"] == "2"
    assert explore(Trace(Value(2.0, name="x") * 3)).title == "Explore a computation graph"


def test_a_constant_stands_in_the_scope_around_all_its_uses():
    x, c = tg.Tensor([[1.0, 2.0]], keep_grad=False, name="x"), tg.Tensor([[2.0, 2.0]], keep_grad=False, name="c")
    W = tg.Tensor([[1.0, 0.5]], name="W")
    with scope("block"):
        with scope("ln_1"):
            y = x * W * c
        z = x + y  # a residual: it takes x from the block, not from ln_1
    d = data(explore(z.sum()))
    at = lambda name: d["scopes"][named(d, name)["scope"]]["name"]
    assert (at("x"), at("c")) == ("block", "ln_1")

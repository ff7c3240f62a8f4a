"""The layers of a network: which boxes a page shows, what they hold, and which constants go into them."""

import numpy as np

import tensorgrad as tg
from scalargrad import Trace
from tests.viz import networks_of_modules
from viz.page.network_data import given, layers


def outline(boxes):
    return [(box["name"], outline(box["boxes"])) if "boxes" in box else box["name"] for box in boxes]


def flat(boxes):
    return [one for box in boxes for one in (flat(box["boxes"]) if "boxes" in box else [box])]


def perceptron():
    rng = np.random.default_rng(0)
    W, b, x = [tg.Tensor(rng.standard_normal(shape), name=name) for shape, name in (((3, 8), "W"), ((3,), "b"), ((2, 8), "x"))]
    x.keep_grad = False
    h = tg.tanh(x @ W.T + b)
    return Trace((h * h).sum())


def test_each_function_is_a_box_and_what_only_moves_entries_is_in_the_box_that_uses_it():
    trace = perceptron()
    names = {trace.names[v]: i for i, v in enumerate(trace.graph.variables)}
    first, *_ = found = layers(trace)
    assert outline(found) == ["matmul", "add", "tanh", "mul", "sum"]
    assert names["W"] in first["holds"] and len(first["holds"]) == 3  # W, its transpose, the product


def test_scopes_are_boxes_of_boxes():
    names = outline(layers(Trace(networks_of_modules.gpt()[0])))
    inside = ["layer_norm", ("attn", ["linear", "mul", "matmul", "where", "softmax", "mul", "matmul", "linear"]), "add", "layer_norm"]
    block = [*inside, ("mlp", ["linear", "gelu", "linear"]), "add"]
    blocks = ("h", [("h.0", block), ("h.1", block)])
    assert names == [("transformer", ["embedding", "embedding", "add", blocks, "layer_norm"]), "linear", "cross_entropy"]


def test_every_variable_is_in_one_box_and_a_box_shows_the_last_one():
    for network in networks_of_modules.SMALL.values():
        trace = Trace(network()[0])
        boxes = flat(layers(trace))
        assert sorted(v for box in boxes for v in box["holds"]) == list(range(len(trace.graph.variables)))
        assert all(max(box["holds"]) == box["shows"] for box in boxes)
        assert boxes[-1]["shows"] == trace.graph.variables.index(trace.graph.z)


def test_constant_arrays_stand_before_the_box_that_takes_them():
    trace = perceptron()
    (x,) = given(trace)
    assert (x["name"], x["shape"]) == ("x", [2, 8])
    assert trace.graph.variables[x["into"]].rule.name == "matmul"


def test_the_passes_of_a_folded_loop_are_a_box_that_says_how_many_they_are():
    def program():
        x = tg.Tensor(np.ones(3))
        W = tg.Tensor(np.eye(3) * 0.5)
        for _ in range(8):
            x = np.tanh(W @ x)
        return np.sum(x)

    assert "6 passes" in [box["name"] for box in flat(layers(Trace(program, detail="statements")))]

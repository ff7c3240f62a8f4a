"""The scalar graphs of tensor functions that a page holds."""

import json

import numpy as np

from scalargrad import Trace
from tensorgrad import Tensor
from tests.viz.graphs import figure1_trace
from tests.viz.script_data import script_data
from tutorial.matrices import fan_out
from viz import play
from viz.page.page_data import page_data
from viz.page.scalar_graphs import MOST_TOGETHER, scalar_graphs


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


def test_all_scalar_graphs_together_stay_small():
    x = Tensor(np.full((2, 2), 0.5), name="x")
    layers = [x]
    for _ in range(12):
        layers.append(layers[-1] @ layers[-1])
    found = scalar_graphs(Trace(layers[-1].sum(), names={}))
    assert 1 < len(found) < 12
    assert sum(len(inner.graph.variables) for _, inner in found) <= MOST_TOGETHER

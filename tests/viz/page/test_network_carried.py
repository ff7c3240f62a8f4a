"""A network that the page cannot compute: what Python has computed is there, and its curves are those of the engine."""

import json

import numpy as np
import pytest

import tensorgrad as tg
from scalargrad import Trace
from tensorgrad import nn
from tests.viz.script_data import script_data
from viz import play
from viz.page import network_data as network_carried
from viz.page import network_data as network_program


@pytest.fixture
def small_limit(monkeypatch):
    """No page may compute more than a hundred numbers."""
    monkeypatch.setattr(network_program, "MOST_COST", 100)


def network(x):
    weights = [tg.Tensor(np.sin(np.arange(64.0) * k).reshape(8, 8) / 3, name=f"W{k}") for k in (1, 2)]
    return lambda: tg.tanh(tg.tanh(x @ weights[0]) @ weights[1]).sum(), weights


@pytest.mark.sweep
def test_curves_are_those_of_the_engine(small_limit):
    f, weights = network(np.ones((3, 8)))
    page = play(f)
    data = json.loads(script_data(page))["network"]
    assert data["program"] is None and "The page can nudge graphs of up to 100" in data["why"]
    for place, fact in data["carried"].items():
        leaf = page.trace.graph.variables[int(place)]
        W = next(w for w in weights if w.node is leaf)
        slopes = page.trace.computed[leaf].number.reshape(-1)
        assert fact["slope"] == slopes[fact["entry"]] == slopes[np.abs(slopes).argmax()]
        assert fact["square"] == pytest.approx((slopes**2).sum())
        start = W.data.copy()
        for h, z in fact["curve"]:
            moved = start.copy()
            moved.reshape(-1)[fact["entry"]] += h
            W.data = moved
            assert z == pytest.approx(f().item(), rel=1e-12)
        W.data = start


def test_later_layers_have_curves_where_the_time_is_short(small_limit, monkeypatch):
    monkeypatch.setattr(network_carried, "MOST_WORK", 6_000)
    trace = Trace(network(np.ones((3, 8)))[0])
    program = trace.on.program()
    first, second = [i for i, v in enumerate(trace.graph.variables) if not v.inputs]
    assert program.cost_from(first) > program.cost_from(second)
    found = network_carried.carried(trace, program)
    assert ["curve" in found[leaf] for leaf in (first, second)] == [False, True]


def test_a_value_at_other_numbers_leaves_the_statistics_of_batch_norm_as_they_are():
    norm = nn.BatchNorm1d(4, dtype="float64")
    trace = Trace(lambda: norm(tg.Tensor(np.arange(40.0).reshape(10, 4), name="x")).sum())
    leaf = next(v for v in trace.graph.variables if trace.names[v] == "weight")
    before = norm.running_mean.copy()
    trace.on.value_at(leaf, np.ones(4) * 2)
    assert (norm.running_mean == before).all()


def test_a_graph_whose_arrays_are_freed_still_has_its_slopes():
    def loss():
        return (tg.Tensor(np.ones((7, 8)), name="W") @ np.ones(8)).sum()

    data = json.loads(script_data(play(loss())))["network"]
    assert "freed" in data["why"]
    (fact,) = data["carried"].values()
    assert fact["slope"] == 1 and fact["value"] is None and fact["square"] == 56

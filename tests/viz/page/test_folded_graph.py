"""A large graph with scopes: which are folded at first, what the page needs to arrange it, how that grows."""

import json
import random

import pytest

from scalargrad import Trace, Value, nn, scope
from tests.clock import assert_linear
from tests.each import each
from tests.scalargrad.graphs import chain
from tests.viz.networks import mlp, resnet50
from viz import play
from viz.page.scenes.folded_graph import AT_FIRST, folded_graph
from viz.page.scenes.whole_graph import MOST_VARIABLES


def perceptron(sizes=(8, 8, 1)):
    """Return the trace of a perceptron of four inputs with its loss."""
    random.seed(1)
    out = nn.MLP(4, list(sizes))([Value(k / 4 - 0.4, name=f"x{k + 1}") for k in range(4)])
    return Trace((out - 1) ** 2, names={})


def shown(found):
    """Return the names of the things that are shown at first: those of scopes, and "" for each variable."""
    is_open = [scope.get("open", False) for scope in found["scopes"]]
    closed = [scope["name"] for scope, opened in zip(found["scopes"], is_open) if not opened and is_open[scope["parent"]]]
    return sorted(closed) + [""] * sum(is_open[k] for k in found["scopeOf"])


def test_a_perceptron_is_folded_by_layer():
    trace = perceptron()
    found = folded_graph(trace)
    assert len(trace.graph.variables) == 160 and shown(found) == ["layer1", "layer2", "layer3", *[""] * 6]
    assert sum(scope["count"] for scope in found["scopes"] if scope["name"].startswith("layer")) == 160 - 6
    assert len(found["boxes"]) == len(found["scopeOf"]) == 160 and len(found["labels"]) == sum(len(v.inputs) for v in trace.graph.variables)


def test_every_variable_and_every_scope_stands_once_in_its_scope():
    found = folded_graph(perceptron())
    for k, scope_of in enumerate(found["scopes"]):
        things = [t for rank in scope_of["ranks"] for t in rank if not isinstance(t, list)]
        inner = [-1 - j for j, other in enumerate(found["scopes"]) if other["parent"] == k]
        assert sorted(things) == sorted([*inner, *(v for v, at in enumerate(found["scopeOf"]) if at == k)])


def test_a_resnet_is_folded_by_stage():
    found = folded_graph(Trace(resnet50(size=32)[0], names={}))
    assert [name for name in shown(found) if name] == ["head", "stage1", "stage2", "stage3", "stage4", "stem"]
    assert not found["look"]["compact"]  # arrays have large boxes


def test_a_scope_around_everything_is_open():
    with scope("model"):
        trace = perceptron()
    assert len(shown(folded_graph(trace))) <= AT_FIRST


@each("make", [lambda: chain(MOST_VARIABLES)[1], lambda: figure_in_a_scope(), lambda: many_outside()])
def test_a_graph_without_scopes_or_a_small_one_or_one_with_many_variables_outside_of_scopes_is_not_folded(make):
    assert folded_graph(Trace(make(), names={})) is None


def figure_in_a_scope():
    with scope("small"):
        return Value(2.0) * 3


def many_outside():
    with scope("few"):
        z = Value(2.0) * Value(3.0)
    for _ in range(MOST_VARIABLES + 1):
        z = z.tanh()
    return z


@pytest.mark.sweep
def test_only_a_page_with_a_folded_graph_has_its_styles():
    folded, whole = (play(z).html.partition("</style>")[0] for z in (perceptron((5, 5, 1)), chain(3)[1]))
    assert ".closed .frame{" in folded and ".closed .frame{" not in whole


@pytest.mark.sweep
def test_work_and_data_grow_no_faster_than_the_graph():
    make = lambda layers: Trace(mlp((2, *[8] * layers, 1)), names={})
    assert_linear(folded_graph, make, 2)
    size = [len(json.dumps(folded_graph(trace))) / len(trace.graph.variables) for trace in map(make, (2, 4, 8))]
    assert max(size) < 1.2 * size[0]  # bytes for each variable

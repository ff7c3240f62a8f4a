"""Scopes of numbers: they nest, end with an exception, are copied with the graph; layers and neurons open their own."""

import copy
import pickle
import threading

import pytest

from scalargrad import Value, modes, nn, no_grad, scope
from scalargrad.graph import inputs_first
from tests.each import each


def test_a_variable_knows_the_scopes_it_was_made_in():
    x = Value(2.0)
    with scope("model"):
        a, leaf = x * 2, Value(1.0)
        with pytest.raises(ZeroDivisionError), scope("layer"):
            b, c, d = a.relu(), a.exp(), 3 - a
            raise ZeroDivisionError
        e = b + c
    f = e + 1
    found = [v.scope for v in (x, a, leaf, b, c, d, e, f)]
    assert found == [(), ("model",), ("model",), *[("model", "layer")] * 3, ("model",), ()]
    assert modes.active == 0 and modes.scope_path() == ()


def test_a_scope_is_a_decorator_too_and_tensors_share_it():
    import tensorgrad

    @scope("layer")
    def layer(x):
        return x * 2

    assert layer(Value(1.0)).scope == ("layer",)
    assert layer(tensorgrad.Tensor([1.0])).node.scope == ("layer",)
    assert tensorgrad.scope is scope
    with scope("input"):
        assert tensorgrad.Tensor([1.0]).node.scope == ("input",)
    with scope("input"), no_grad():
        assert (Value(1.0) * 2).inputs == ()


def test_a_scope_in_one_thread_is_not_seen_in_another():
    found = []
    with scope("outer"):
        thread = threading.Thread(target=lambda: found.append((Value(1.0) * 2).scope))
        thread.start()
        thread.join()
    assert found == [()]


@each("name", [3, "", None])
def test_a_scope_without_a_name_is_refused(name):
    with pytest.raises(TypeError, match="must be non-empty text; write scope"):
        scope(name)


@each("copied", [copy.deepcopy, lambda v: pickle.loads(pickle.dumps(v))], ids=["deepcopy", "pickle"])
def test_scopes_are_copied_with_the_graph(copied):
    z = nn.MLP(2, [3, 1])([Value(1.0), Value(2.0)])
    assert [v.scope for v in inputs_first(copied(z))] == [v.scope for v in inputs_first(z)]


def test_layers_and_neurons_are_scopes_within_the_open_one():
    model, xs = nn.MLP(2, [2, 1, 1]), [Value(1.0), Value(-2.0)]
    with scope("model"):
        z = model(xs)
    made = [v.scope for v in inputs_first(z) if v.inputs]
    names = [("layer1", "neuron1"), ("layer1", "neuron1"), ("layer1", "neuron2"), ("layer1", "neuron2")]
    names += [("layer2", "neuron1"), ("layer2", "neuron1"), ("layer3", "neuron1")]
    assert made == [("model", *name) for name in names]
    assert all(v.scope == () for v in inputs_first(z) if not v.inputs)
    assert model(xs).scope == ("layer3", "neuron1")
    assert [y.scope for y in model.layers[0](xs)] == [("neuron1",), ("neuron2",)]
    assert model.layers[0].neurons[0](xs).scope == () and modes.active == 0


def test_a_layer_that_grows_names_its_new_neuron():
    layer = nn.Layer(1, 2)
    layer([1.0])
    layer.neurons.append(nn.Neuron(1))
    assert [y.scope for y in layer([1.0])] == [("neuron1",), ("neuron2",), ("neuron3",)]

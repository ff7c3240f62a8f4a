"""Recurrent layers: one function or many steps, their states, dropout between layers, and what they refuse. Numbers: test_layers.py."""

from types import SimpleNamespace

import numpy as np
import pytest

from scalargrad.graph import topological_order
from tensorgrad import Tensor, nn
from tensorgrad.nn.layers import recurrent
from tensorgrad.saving import load, save
from tests.each import each

KINDS = [("RNN", {}), ("RNN", {"nonlinearity": "relu"}), ("LSTM", {}), ("GRU", {})]
X = np.random.default_rng(0).standard_normal((5, 2, 3))


def layer(kind, **options):
    return getattr(nn, kind)(3, 4, **options, dtype=np.float64, generator=np.random.default_rng(1))


def numbers(module, x):
    """Return the outputs and the gradients of a sum of squares of all outputs."""
    x = Tensor(x)
    y, state = module(x)
    states = state if isinstance(state, tuple) else (state,)
    module.zero_grad()
    sum([(s * s).sum() for s in (y, *states)]).backward()
    return [y.data, *[s.data for s in states], x.grad, *[p.grad for p in module.parameters()]]


@each("kind, options", KINDS)
def test_one_function_and_many_steps_give_the_same_numbers(kind, options, monkeypatch):
    module = layer(kind, num_layers=2, bidirectional=True, **options)
    found = []
    for large in (1 << 10, 1):
        monkeypatch.setattr(recurrent, "LARGE", large)
        found.append(numbers(module, X))
    for steps, whole in zip(*found, strict=True):
        np.testing.assert_allclose(whole, steps, rtol=1e-10, atol=1e-12)


@each("kind, options", KINDS)
def test_a_long_layer_is_one_function_of_the_graph_and_a_short_one_shows_its_gates(kind, options):
    module = layer(kind, **options)
    names = [{node.rule.name for node in topological_order(module(x)[0].sum().node) if node.rule} for x in (X, np.ones((64, 4, 3)))]
    assert kind.lower() not in names[0] and kind.lower() in names[1]


def test_the_parameters_have_pytorchs_names_order_and_shapes():
    module = nn.LSTM(5, 4, 2, bidirectional=True, proj_size=3)
    endings = ["_l0", "_l0_reverse", "_l1", "_l1_reverse"]
    names = [f"{name}{ending}" for ending in endings for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh", "weight_hr")]
    state = module.state_dict()
    assert [*state] == names
    assert state["weight_ih_l1"].shape == (16, 6) and state["weight_hh_l1"].shape == (16, 3) and state["weight_hr_l0"].shape == (3, 4)
    assert repr(module).startswith("LSTM(5, 4, num_layers=2, bidirectional=True, proj_size=3")


def test_the_state_continues_a_sequence():
    for kind, options in KINDS:
        module = layer(kind, num_layers=2, **options)
        y, last = module(X)
        first, state = module(X[:3])
        second, end = module(X[3:], state)
        np.testing.assert_allclose(np.concatenate([first.data, second.data]), y.data, rtol=1e-12)
        for a, b in zip(*[s if isinstance(s, tuple) else (s,) for s in (last, end)], strict=True):
            np.testing.assert_allclose(a.data, b.data, rtol=1e-12)


@each("kind", ["RNN", "LSTM", "GRU"])
def test_a_cell_is_one_step_of_its_layer(kind):
    whole, cell = layer(kind), layer(f"{kind}Cell")
    cell.load_state_dict({name.removesuffix("_l0"): array for name, array in whole.state_dict().items()})
    state = None
    for x in X:
        state = cell(x, state)
    np.testing.assert_allclose((state[0] if kind == "LSTM" else state).data, whole(X)[0].data[-1], rtol=1e-12)


def test_dropout_stands_between_layers_in_training_alone():
    module = nn.GRU(3, 4, 2, dropout=1.0, generator=np.random.default_rng(0))
    first = nn.GRU(3, 4)
    first.load_state_dict({name: array for name, array in module.state_dict().items() if "_l0" in name})
    second = nn.GRU(4, 4)
    second.load_state_dict({name.replace("_l1", "_l0"): array for name, array in module.state_dict().items() if "_l1" in name})
    x = X.astype(np.float32)
    np.testing.assert_allclose(module(x)[0].data, second(first(x)[0] * 0)[0].data, atol=1e-6)
    np.testing.assert_allclose(module.eval()(x)[0].data, second(first(x)[0])[0].data, atol=1e-6)
    halves = nn.LSTM(3, 8, 2, dropout=0.5)
    nn.seed(3)
    once = halves(x)[0].data
    assert not np.array_equal(once, halves(x)[0].data)
    nn.seed(3)
    assert np.array_equal(once, halves(x)[0].data)


def test_dropout_of_a_single_layer_is_a_warning():
    with pytest.warns(UserWarning, match="GRU: dropout=0.2 has no effect with num_layers=1") as seen:
        nn.GRU(3, 4, dropout=0.2)
    assert seen[0].filename == __file__


def test_a_layer_is_saved_and_loaded_to_the_bit(tmp_path):
    one, other = nn.LSTM(3, 4, 2, bidirectional=True), nn.LSTM(3, 4, 2, bidirectional=True)
    save(tmp_path / "lstm.safetensors", model=one)
    load(tmp_path / "lstm.safetensors", model=other)
    assert np.array_equal(one(X)[0].data, other(X)[0].data)


PACKED = SimpleNamespace(data=X, batch_sizes=np.array([2, 2, 1]))


@each(
    "call, kind, message",
    [
        (lambda: nn.LSTM(3, 4)(PACKED), TypeError, r"LSTM\(3, 4\): packed sequences are not supported; pad the sequences, and leave out"),
        (lambda: nn.LSTM(3, 4)(X, np.zeros((1, 2, 4))), TypeError, r"LSTM\(3, 4\): hx=.* is not a pair; write \(h, c\)"),
        (
            lambda: nn.LSTM(3, 4)(X, (np.zeros((1, 2, 4)), np.zeros((1, 4)))),
            ValueError,
            r"c of hx has shape \(1, 4\); \(1, 2, 4\) is needed",
        ),
        (lambda: nn.GRU(3, 4, 2)(X, np.zeros((1, 2, 4))), ValueError, r"h of hx has shape \(1, 2, 4\); \(2, 2, 4\) is needed"),
        (lambda: nn.RNN(2, 4)(X), ValueError, r"input has shape \(5, 2, 3\); \(L, n, input_size\) or \(L, input_size\) is needed"),
        (lambda: nn.RNN(3, 4, batch_first=True)(X[0, 0]), ValueError, r"\(n, L, input_size\) or \(L, input_size\) is needed"),
        (lambda: nn.RNN(3, 4)(X[:0]), ValueError, "a sequence needs one step or more"),
        (lambda: nn.GRUCell(3, 4)(X), ValueError, r"\(n, input_size\) or \(input_size,\) is needed, with input_size=3"),
        (lambda: nn.RNN(3, 4, nonlinearity="sigmoid"), ValueError, "RNN: nonlinearity='sigmoid' is unknown"),
        (lambda: nn.LSTM(3, 4, proj_size=4), ValueError, "LSTM: proj_size=4 must be smaller than hidden_size=4"),
        (lambda: nn.GRU(3, 0), ValueError, "GRU: hidden_size=0 is out of range"),
        (lambda: nn.GRU(3, 4, proj_size=2), TypeError, "GRU: unknown argument proj_size="),
        (lambda: nn.LSTM(3, 4, dropout=2), ValueError, "LSTM: dropout=2 is out of range; it must be from 0 to 1"),
        (lambda: nn.Sequential(nn.GRU(3, 4), nn.Linear(4, 2))(X), TypeError, r"x is a tuple of 2; give one tensor: layers such as LSTM"),
        (lambda: nn.LSTM(3, 4)(np.zeros((5, 2, 3), int)), TypeError, "x is an array of int64"),
    ],
    ids=range(15),
)
def test_a_mistake_gets_a_message(call, kind, message):
    with pytest.raises(kind, match=message):
        call()

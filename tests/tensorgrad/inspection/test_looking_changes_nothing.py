"""Looking into a graph computes functions again. Neither the state of a model nor a random generator changes, to the bit."""

import pickle
from contextlib import suppress

import numpy as np

import tensorgrad as tg
from scalargrad import Trace
from tensorgrad import nn
from tests.each import each, swept
from tests.tensorgrad.nn.cases import CASES


def numbers(*shape):
    return np.random.default_rng(0).standard_normal(shape)


DROPPING = [
    ("Dropout", lambda: nn.Dropout(0.4), [numbers(6, 5)]),
    ("Dropout2d", lambda: nn.Dropout2d(0.4), [numbers(3, 4, 2, 2)]),
    (
        "dropout between normalised layers",
        lambda: nn.Sequential(nn.Dropout(0.4), nn.BatchNorm1d(5, affine=False), nn.Dropout(0.3)),
        [numbers(6, 5)],
    ),
]
LAYERS = DROPPING + [(repr(case), case.layer, case.inputs()) for case in CASES if [*case.layer().buffers()]]


def by_itself(layer, *x):
    return layer(*x)


def in_a_checkpoint(layer, *x):
    return tg.checkpoint(layer, *x)


def in_a_function(layer, *x):
    return tg.function(lambda *x: layer(*x))(*x)  # must have no parameters


def state(layer):
    """Return the bytes of all that a call of the layer may change."""
    arrays = {name: np.asarray(array).tobytes() for name, array in layer.state_dict().items()}
    return arrays, pickle.dumps(nn.default_generator().bit_generator.state)


def squares(layer, given, way):
    """Return (z, x): the sum of the squares of a layer of x. The layer's array is freed, so that it is computed again."""
    nn.seed(3)
    x = tg.Tensor(given[0], name="x")
    return (way(layer, x, *given[1:]) ** 2).sum(), x


@swept("name, make, given", LAYERS, every=3)
@each("way", [by_itself, in_a_checkpoint, in_a_function])
def test_looking_into_a_graph_leaves_the_model_and_the_generators_as_they_are(way, name, make, given):
    layer = make()
    if way is in_a_function and any(True for _ in layer.parameters()):
        return
    z, x = squares(layer, given, way)
    before = state(layer)
    trace = Trace(z)
    moved = x.data + 1e-3
    assert np.isfinite(trace.on.value_at(x.node, moved))
    with suppress(ValueError):  # too large, or without a program
        trace.on.program()
    with suppress(ValueError):
        tg.zoom(z)
    assert state(layer) == before
    assert z.item() == trace.on.data(trace.graph.z)


@each("name, make, given", DROPPING)
def test_the_gradient_of_a_gradient_and_the_check_drop_what_the_call_has_dropped(name, make, given):
    z, x = squares(make(), given, in_a_function)
    z.backward(retain_graph=True)
    (recorded,) = tg.grad(z, [x], create_graph=True)
    assert np.allclose(recorded.data, x.grad, rtol=1e-12)
    assert tg.check(z)


def test_a_copy_of_a_graph_drops_what_the_graph_has_dropped():
    z, x = squares(nn.Dropout(0.4), [numbers(6, 5)], in_a_function)
    draws = z.node.inputs[0].inputs[0].options[-1]
    generator, other = nn.default_generator(), np.random.default_rng(5)
    assert pickle.loads(pickle.dumps(draws)).again()(other).random() == draws.again()(generator).random()

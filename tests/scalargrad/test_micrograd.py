"""micrograd's programs run when only the import changes, and TorchLean's rational network gives its exact fractions.

Each program takes what the import line gave it; it runs on scalargrad, on the engine to read and, where that is installed, on
micrograd itself and on micrograd's own nn code over either Value. The expected numbers were computed without any of these.
"""

import importlib
import importlib.util
import inspect
import random
import types
from fractions import Fraction

import numpy as np
import pytest

import scalargrad
import scalargrad.engine
import scalargrad.nn
from scalargrad.moons import two_moons
from tests.each import each
from tests.scalargrad import neurons

with_micrograd = pytest.mark.skipif(importlib.util.find_spec("micrograd") is None, reason="micrograd is not installed")


def imported(engine):
    """What `from ENGINE import Value` and `from ENGINE import nn` give."""
    if engine == "scalargrad":
        return scalargrad.Value, scalargrad.nn
    if engine == "the engine to read":
        return scalargrad.engine.Value, neurons.on(scalargrad.engine.Value)
    nn = importlib.import_module("micrograd.nn")
    if engine == "micrograd":
        return nn.Value, nn
    swapped, ours = types.ModuleType("swapped"), engine.removeprefix("micrograd's nn on ")
    exec(inspect.getsource(nn).replace("from micrograd.engine import", f"from {ours} import"), swapped.__dict__)
    return swapped.__dict__["Value"], swapped


@pytest.fixture(
    params=[
        "scalargrad",
        "the engine to read",
        pytest.param("micrograd's nn on scalargrad", marks=with_micrograd),
        pytest.param("micrograd's nn on scalargrad.engine", marks=with_micrograd),
        pytest.param("micrograd", marks=with_micrograd),
    ]
)
def engine(request):
    return imported(request.param)


# Its test programs


def test_the_sanity_check_gives_minus_20_and_46(engine):
    Value, _ = engine
    x = Value(-4.0)
    z = 2 * x + 2 + x
    q = z.relu() + z * x
    y = (z * z).relu() + q + q * x
    y.backward()
    assert (y.data, x.grad) == (-20, 46)


def many_operations(Value):
    a, b = Value(-4.0), Value(2.0)
    c, d = a + b, a * b + b**3
    c += c + 1
    c += 1 + c + (-a)
    d += d * 2 + (b + a).relu()
    d += 3 * d + (b - a).relu()
    e = c - d
    f = e**2
    g = f / 2.0
    g += 10.0 / f
    g.backward()
    return g, a, b


def test_the_example_with_many_operations_gives_the_numbers_of_the_readme(engine):
    Value, _ = engine
    g, a, b = many_operations(Value)
    assert [f"{number:.4f}" for number in (g.data, a.grad, b.grad)] == ["24.7041", "138.8338", "645.5773"]


def test_the_example_with_many_operations_is_right_to_the_last_digits(engine):
    Value, _ = engine
    g, a, b = many_operations(Value)
    # micrograd walks over sets, so its own last digit differs from run to run
    assert [g.data, a.grad, b.grad] == pytest.approx([24.70408163265306, 138.83381924198252, 645.5772594752187], rel=4e-16, abs=0)


def test_a_neuron_as_in_the_readme(engine):
    Value, nn = engine
    random.seed(1337)
    n = nn.Neuron(2)
    x = [Value(1.0), Value(-2.0)]
    y = n(x)
    y.backward()
    random.seed(1337)
    w = [random.uniform(-1, 1), random.uniform(-1, 1)]
    on = w[0] - 2 * w[1] > 0
    assert y.data == pytest.approx(max(0, w[0] - 2 * w[1]), rel=1e-15)
    assert [p.grad for p in n.parameters()] == [on * 1.0, on * -2.0, on] and [v.grad for v in x] == [on * w[0], on * w[1]]
    assert on, "a neuron that is switched off would not test the gradients"


def test_numbers_may_stand_on_either_side_of_every_operator(engine):
    Value, _ = engine
    x = Value(2.0)
    z = (3 + x) * (3 - x) / (4 / x) - (x - 1) * -x + (x * 5) ** -1 + x / 8 + (1 + x)
    z.backward()
    # z = (9 - x²) x / 4 + x² - x + 1/(5x) + x/8 + 1 + x
    assert z.data == pytest.approx(2.5 + 4 - 2 + 0.1 + 0.25 + 3, rel=1e-15)
    assert x.grad == pytest.approx((9 - 3 * 4) / 4 + 4 - 1 - 1 / 20 + 1 / 8 + 1, rel=1e-15)


# Its demo

ALPHA, SIZES = 1e-4, [2, 16, 16, 1]


def moons(count):
    points, sides = two_moons(count, random.Random(3))
    return np.array(points), np.array(sides)


def demo(Value, nn, points, steps):
    """Loss, accuracy and the sum of the parameters for each step of training with the max-margin loss on two moons."""
    X, y = moons(points)
    random.seed(1337)
    model = nn.MLP(2, SIZES[1:])

    def loss():
        inputs = [list(map(Value, xrow)) for xrow in X]
        scores = list(map(model, inputs))
        losses = [(1 + -yi * scorei).relu() for yi, scorei in zip(y, scores)]
        data_loss = sum(losses) * (1.0 / len(losses))
        reg_loss = ALPHA * sum(p * p for p in model.parameters())
        accuracy = [(yi > 0) == (scorei.data > 0) for yi, scorei in zip(y, scores)]
        return data_loss + reg_loss, sum(accuracy) / len(accuracy)

    found = []
    for k in range(steps):
        total_loss, acc = loss()
        model.zero_grad()
        total_loss.backward()
        learning_rate = 1.0 - 0.9 * k / 100
        for p in model.parameters():
            p.data -= learning_rate * p.grad
        found.append([float(total_loss.data), float(acc), float(sum(p.data for p in model.parameters()))])
    return found


def demo_by_hand(points, steps):
    """The same on matrices, with the derivatives written out: no graph anywhere."""
    X, y = moons(points)
    random.seed(1337)
    W = [np.array([[random.uniform(-1, 1) for _ in range(a)] for _ in range(b)]) for a, b in zip(SIZES, SIZES[1:])]  # (out, in)
    B = [np.zeros(b) for b in SIZES[1:]]
    found = []
    for k in range(steps):
        layers = [X]  # each (point, neuron)
        for i, (w, b) in enumerate(zip(W, B)):
            z = layers[-1] @ w.T + b
            layers.append(z if i == len(W) - 1 else np.maximum(z, 0))
        margin = 1 - y * layers[-1][:, 0]
        loss = np.maximum(margin, 0).mean() + ALPHA * sum((p * p).sum() for p in W + B)
        accuracy = ((y > 0) == (layers[-1][:, 0] > 0)).mean()
        G = (-y * (margin > 0) / len(y))[:, None]  # dloss/dz of the last layer
        learning_rate = 1.0 - 0.9 * k / 100
        for i in reversed(range(len(W))):
            dW, dB = G.T @ layers[i] + 2 * ALPHA * W[i], G.sum(0) + 2 * ALPHA * B[i]
            G = (G @ W[i]) * (layers[i] > 0)
            W[i], B[i] = W[i] - learning_rate * dW, B[i] - learning_rate * dB
        found.append([loss, accuracy, sum(p.sum() for p in W + B)])
    return found


def test_the_demo_takes_the_same_steps_as_the_derivatives_by_hand(engine):
    size = (8, 3) if engine[0] is scalargrad.engine.Value else (20, 5)  # points and steps; the engine to read is slow
    expected = demo_by_hand(*size)
    np.testing.assert_allclose(demo(*engine, *size), expected, rtol=1e-10)
    assert expected[-1][0] < 0.5 * expected[0][0]


@with_micrograd
def test_models_are_written_as_micrograd_writes_them():
    ours, theirs = scalargrad.nn.MLP(3, [4, 1]), importlib.import_module("micrograd.nn").MLP(3, [4, 1])
    assert repr(ours) == repr(theirs) and str(ours.layers[0].neurons[0]) == str(theirs.layers[0].neurons[0])


# TorchLean's network over the rationals: 2 inputs, 3 hidden neurons with relu, 1 output, upstream gradient 1


def fractions(*texts):
    return [Fraction(text) for text in texts]


W1 = [fractions("1/10", "2/10"), fractions("3/10", "4/10"), fractions("5/10", "6/10")]
B1 = fractions("1/10", "2/10", "3/10")
W2, B2 = fractions("7/10", "8/10", "9/10"), Fraction("4/10")
X = fractions("5/10", "8/10")

# hidden = W1 x + b1: 5/100 + 16/100 + 10/100, 15/100 + 32/100 + 20/100, 25/100 + 48/100 + 30/100, all positive
HIDDEN = fractions("31/100", "67/100", "103/100")
# W2 · hidden + b2 = 217/1000 + 536/1000 + 927/1000 + 400/1000
OUTPUT = Fraction("2080/1000")
# dy/dW1[i][j] = W2[i] x[j]; dy/dx[j] = Σ W2[i] W1[i][j] = (7 + 24 + 45)/100, (14 + 32 + 54)/100
DW1 = [fractions("7/20", "14/25"), fractions("2/5", "16/25"), fractions("9/20", "18/25")]
DX = fractions("19/25", "1")


def rational_network():
    model = scalargrad.nn.MLP(2, [3, 1])
    hidden, (out,) = (layer.neurons for layer in model.layers)
    for n, w, b in zip([*hidden, out], [*W1, W2], [*B1, B2]):
        for p, number in zip(n.parameters(), [*w, b]):
            p.data = number
    return hidden, out, model


def by_operators(hidden, out, x):
    h = [(n.w[0] * x[0] + n.w[1] * x[1] + n.b).relu() for n in hidden]
    return out.w[0] * h[0] + out.w[1] * h[1] + out.w[2] * h[2] + out.b


@each("written", ["with nn", "with operators"])
def test_the_rational_network_has_its_exact_gradients(written):
    hidden, out, model = rational_network()
    x = [scalargrad.Value(number) for number in X]
    y = model(x) if written == "with nn" else by_operators(hidden, out, x)
    y.backward(1)
    assert y.data == OUTPUT
    assert [w.grad for w in out.w] == HIDDEN and out.b.grad == 1
    assert [[w.grad for w in n.w] for n in hidden] == DW1
    assert [n.b.grad for n in hidden] == W2
    assert [v.grad for v in x] == DX
    assert all(type(v.grad) in (Fraction, int) for v in [*model.parameters(), *x])

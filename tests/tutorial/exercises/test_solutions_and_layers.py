"""What an exercise lets its reader write gives the numbers of the engine's own layer or optimiser."""

import numpy as np

import tensorgrad as tg
from tensorgrad import Tensor, nn, optim, parallel
from tutorial.exercises.authored import find


def program(number):
    """Return the names that the solution of an exercise defines."""
    names: dict = {}
    exec(find(number).solution, names)
    return names


def numbers(*shape):
    return np.random.default_rng(len(shape)).normal(size=shape)


def test_the_backward_function_of_the_convolution_is_that_of_conv2d():
    x, k = Tensor(numbers(2, 3, 5, 6)), Tensor(numbers(4, 3, 3, 2))
    y = tg.conv2d(x, k, stride=2, padding=1)
    (y * (G := numbers(*y.shape))).sum().backward()
    for ours, theirs in zip(program("24")["conv2d_backward"](x.data, k.data, G, 2, 1), (x.grad, k.grad)):
        assert np.allclose(ours, theirs, rtol=1e-12)


def test_the_steps_of_the_two_optimisers_are_those_of_sgd_and_adamw():
    steps, options = program("27"), {"lr": 0.1, "momentum": 0.9}
    start, gradients = numbers(3), numbers(4, 3)
    for w, optimiser, step in (
        (p := Tensor(start), optim.SGD([p], **options), lambda w, g, s, t: steps["sgd_momentum_step"](w, g, s, 0.1, 0.9)),
        (p := Tensor(start), optim.AdamW([p], lr=0.1), lambda w, g, s, t: steps["adam_step"](w, g, s, t, 0.1, 0.9, 0.999, 1e-8, 0.01)),
    ):
        now, state = start, {}
        for t, g in enumerate(gradients, 1):
            w.grad = g.copy()
            optimiser.step()
            now = step(now, g, state, t)
            assert np.allclose(w.data, now, rtol=1e-12), type(optimiser).__name__


def test_the_parameters_of_a_module_are_those_that_its_method_gives():
    names = program("26")
    names.update(Module=nn.Module, Parameter=nn.Parameter)  # in place of the classes of the exercise
    shared = nn.Linear(3, 3)
    model = nn.Sequential(nn.Linear(2, 3), shared, nn.BatchNorm1d(3), nn.Sequential(nn.Tanh(), shared))
    found = names["parameters"](model)
    assert [id(p) for p in found] == [id(p) for p in model.parameters()] and len(found) == 6


def test_the_training_in_parallel_is_that_of_a_group_with_sgd():
    steps, X, y = program("35"), numbers(7, 3), np.array([0, 1, 1, 0, 1, 0, 0])
    hidden, out = nn.Linear(3, 4, dtype="float64"), nn.Linear(4, 2, dtype="float64")
    model = nn.Sequential(hidden, nn.ReLU(), out)
    start = [hidden.weight.data.T, hidden.bias.data, out.weight.data.T, out.bias.data]
    expected = steps["fit"](start, [(X[:4], y[:4]), (X[4:], y[4:])], 0.3, 0.5, 3)
    sgd = optim.SGD(model.parameters(), lr=0.3, momentum=0.5)
    with parallel.open(shards=2) as group:
        for G in expected:
            sgd.zero_grad()
            group.backward(model, lambda x, y: tg.cross_entropy(model(x), y), X, y)
            for ours, theirs in zip(G, (hidden.weight.grad.T, hidden.bias.grad, out.weight.grad.T, out.bias.grad)):
                assert np.allclose(ours, theirs, rtol=1e-12)
            sgd.step()

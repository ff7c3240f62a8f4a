"""What an exercise lets its reader write gives the numbers of the engine's own layer or optimiser."""

import numpy as np

import tensorgrad as tg
from tensorgrad import Tensor, optim
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

"""Neurons written as micrograd writes them: plain Python on whatever Value it is given."""

import random
from functools import partial
from types import SimpleNamespace


class Neuron:
    def __init__(self, Value, inputs, nonlin=True):
        self.w, self.b, self.nonlin = [Value(random.uniform(-1, 1)) for _ in range(inputs)], Value(0), nonlin

    def __call__(self, x):
        y = sum((w * x for w, x in zip(self.w, x)), self.b)
        return y.relu() if self.nonlin else y

    def parameters(self):
        return [*self.w, self.b]


class MLP:
    def __init__(self, Value, inputs, sizes):
        last = len(sizes) - 1
        sizes = [*enumerate(zip([inputs, *sizes], sizes))]
        self.layers = [[Neuron(Value, a, nonlin=i < last) for _ in range(b)] for i, (a, b) in sizes]

    def __call__(self, x):
        for layer in self.layers:
            x = [neuron(x) for neuron in layer]
        return x[0]

    def parameters(self):
        return [p for layer in self.layers for neuron in layer for p in neuron.parameters()]

    def zero_grad(self):
        for p in self.parameters():
            p.grad = 0


def on(Value):
    """Return what `from micrograd import nn` gives, on a Value."""
    return SimpleNamespace(Neuron=partial(Neuron, Value), MLP=partial(MLP, Value))

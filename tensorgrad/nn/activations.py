"""Activations as modules: each calls the function of its name, with the settings it was made with."""

from tensorgrad.nn.module import Module
from tensorgrad.rules.elementwise import relu, sigmoid, tanh


class ReLU(Module):
    """Return max(x, 0), entry by entry.

    >>> from tensorgrad import nn
    >>> nn.ReLU()([-1.0, 2.0]).tolist()
    [0.0, 2.0]
    """

    def forward(self, x):
        return relu(x)


class Sigmoid(Module):
    """Return 1 / (1 + e⁻ˣ), entry by entry.

    >>> from tensorgrad import nn
    >>> nn.Sigmoid()([0.0]).tolist()
    [0.5]
    """

    def forward(self, x):
        return sigmoid(x)


class Tanh(Module):
    """Return tanh(x), entry by entry.

    >>> from tensorgrad import nn
    >>> nn.Tanh()([0.0]).tolist()
    [0.0]
    """

    def forward(self, x):
        return tanh(x)

"""Activations as modules: each calls the function of its name, with the settings it was made with."""

from tensorgrad.functions.elementwise_options import gelu
from tensorgrad.nn.module import Module
from tensorgrad.nn.settings import settings
from tensorgrad.rules.elementwise import relu, sigmoid, tanh


@settings
class ReLU(Module):
    """Return max(x, 0), entry by entry. The derivative at 0 is 0. `inplace` has no effect: nothing is done in place here.

    >>> from tensorgrad import nn
    >>> nn.ReLU()([-1.0, 2.0]).tolist()
    [0.0, 2.0]
    """

    inplace: bool = False

    def forward(self, x):
        return relu(x)


@settings
class GELU(Module):
    """Return x Φ(x), where Φ is the distribution function of the normal distribution. approximate="tanh" is faster and close.

    >>> from tensorgrad import nn
    >>> nn.GELU()([0.0, 10.0]).tolist()
    [0.0, 10.0]
    """

    approximate: str = "none"

    def forward(self, x):
        return gelu(x, self.approximate)


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

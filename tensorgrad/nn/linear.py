"""Linear: the layer y = x Wᵀ + b."""

from tensorgrad.nn.initial import by_fan_in
from tensorgrad.nn.inputs import of_dtype
from tensorgrad.nn.module import Module
from tensorgrad.nn.parameter import Parameter
from tensorgrad.nn.random import generator_or_default
from tensorgrad.nn.sizes import float_dtype, positive
from tensorgrad.rules.linear import linear


class Linear(Module):
    """Return x Wᵀ + b for an input x of shape (..., in_features); the output has shape (..., out_features).

    `weight` has shape (out_features, in_features), `bias` (out_features,), or is None with bias=False. Both start uniform within
    ±1/√in_features. A call raises ValueError if x does not fit, and TypeError for integers.

    >>> import numpy as np; from tensorgrad import nn
    >>> layer = nn.Linear(3, 2); layer(np.ones((5, 3))).shape
    (5, 2)
    """

    def __init__(self, in_features, out_features, bias=True, *, dtype=None, generator=None):
        super().__init__()
        positive("Linear", in_features=in_features, out_features=out_features)
        dtype, generator = float_dtype("Linear", dtype), generator_or_default("Linear", generator)
        self.in_features, self.out_features = in_features, out_features
        self.weight = Parameter(by_fan_in((out_features, in_features), in_features, dtype, generator))
        self.bias = Parameter(by_fan_in((out_features,), in_features, dtype, generator)) if bias else None

    def forward(self, x):
        weight = self.weight
        return linear(of_dtype(x, weight._data.dtype), weight, self.bias)

    def extra_repr(self):
        return f"in_features={self.in_features}, out_features={self.out_features}, bias={self.bias is not None}"

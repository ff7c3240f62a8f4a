"""Linear, the layer y = x Wᵀ + b, and Bilinear, the layer y = x₁ᵀ W x₂ + b."""

from scalargrad.messages.errors import must_be_integers
from tensorgrad.nn.initial import by_fan_in
from tensorgrad.nn.inputs import of_dtype
from tensorgrad.nn.module import Module
from tensorgrad.nn.parameter import Parameter
from tensorgrad.nn.random import generator_or_default
from tensorgrad.nn.sizes import float_dtype
from tensorgrad.rules.linear_algebra.einsum import bilinear
from tensorgrad.rules.linear_algebra.linear import linear

__all__ = ["Linear", "Bilinear"]


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
        must_be_integers("Linear", 1, in_features=in_features, out_features=out_features)
        dtype, generator = float_dtype("Linear", dtype), generator_or_default("Linear", generator)
        self.in_features, self.out_features = in_features, out_features
        self.weight = Parameter(by_fan_in((out_features, in_features), in_features, dtype, generator))
        self.bias = Parameter(by_fan_in((out_features,), in_features, dtype, generator)) if bias else None

    def forward(self, x):
        weight = self.weight
        return linear(of_dtype(x, weight._data.dtype), weight, self.bias)

    def extra_repr(self):
        return f"in_features={self.in_features}, out_features={self.out_features}, bias={self.bias is not None}"


class Bilinear(Module):
    """Return Σ over i, j: weight[o, i, j] x1[i] x2[j] + bias[o] for two inputs of shapes (..., in1_features) and (..., in2_features).

    `weight` has shape (out_features, in1_features, in2_features). It and the bias start uniform within ±1/√in1_features.

    >>> import numpy as np; from tensorgrad import nn
    >>> nn.Bilinear(2, 3, 4)(np.ones((5, 2)), np.ones((5, 3))).shape
    (5, 4)
    """

    def __init__(self, in1_features, in2_features, out_features, bias=True, *, dtype=None, generator=None):
        super().__init__()
        must_be_integers("Bilinear", 1, in1_features=in1_features, in2_features=in2_features, out_features=out_features)
        dtype, generator = float_dtype("Bilinear", dtype), generator_or_default("Bilinear", generator)
        self.in1_features, self.in2_features, self.out_features = in1_features, in2_features, out_features
        self.weight = Parameter(by_fan_in((out_features, in1_features, in2_features), in1_features, dtype, generator))
        self.bias = Parameter(by_fan_in((out_features,), in1_features, dtype, generator)) if bias else None

    def forward(self, x1, x2):
        dtype = self.weight._data.dtype
        return bilinear(of_dtype(x1, dtype), of_dtype(x2, dtype), self.weight, self.bias)

    def extra_repr(self):
        sizes = f"in1_features={self.in1_features}, in2_features={self.in2_features}, out_features={self.out_features}"
        return f"{sizes}, bias={self.bias is not None}"

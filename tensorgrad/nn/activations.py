"""Activations as modules: each calls the function of its name, with the settings it was made with.

`inplace` is accepted, as PyTorch's programs write it, and has no effect: no function changes its input here.
"""

import numpy as np

from tensorgrad.functions import activations as functions
from tensorgrad.functions.elementwise_options import gelu, softplus
from tensorgrad.nn.inputs import of_dtype
from tensorgrad.nn.module import Module
from tensorgrad.nn.parameter import Parameter
from tensorgrad.nn.settings import settings
from tensorgrad.nn.sizes import float_dtype, positive
from tensorgrad.rules.elementwise import elu, leaky_relu, relu, sigmoid, silu, tanh

# fmt: off
__all__ = [
    "ReLU", "ReLU6", "LeakyReLU", "PReLU", "Hardtanh", "Hardsigmoid", "Hardswish", "ELU", "CELU", "SELU", "Sigmoid", "LogSigmoid",
    "Tanh", "GELU", "SiLU", "Mish", "Softplus", "Softsign", "Softmax", "Softmin", "LogSoftmax", "GLU",
]
# fmt: on

# With a kink


@settings
class ReLU(Module):
    """Return max(x, 0), entry by entry. The derivative at 0 is 0.

    >>> from tensorgrad import nn
    >>> nn.ReLU()([-1.0, 2.0]).tolist()
    [0.0, 2.0]
    """

    inplace: bool = False

    def forward(self, x):
        return relu(x)


@settings
class ReLU6(Module):
    """Return x, but at least 0 and at most 6.

    >>> from tensorgrad import nn
    >>> nn.ReLU6()([-1.0, 2.0, 9.0]).tolist()
    [0.0, 2.0, 6.0]
    """

    inplace: bool = False

    def forward(self, x):
        return functions.relu6(x)


@settings
class LeakyReLU(Module):
    """Return x where it is positive, else negative_slope · x.

    >>> from tensorgrad import nn
    >>> nn.LeakyReLU(0.5)([-2.0, 2.0]).tolist()
    [-1.0, 2.0]
    """

    negative_slope: float = 0.01
    inplace: bool = False

    def forward(self, x):
        return leaky_relu(x, self.negative_slope)


class PReLU(Module):
    """Return x where it is positive, else weight · x, with learnt slopes `weight`: one, or one for each channel (axis 1).

    All slopes start at `init`.

    >>> from tensorgrad import nn
    >>> nn.PReLU(init=0.5)([-2.0, 2.0]).tolist()
    [-1.0, 2.0]
    """

    def __init__(self, num_parameters=1, init=0.25, *, dtype=None):
        super().__init__()
        positive("PReLU", num_parameters=num_parameters)
        self.num_parameters, self.init = num_parameters, init
        self.weight = Parameter(np.full(num_parameters, init, float_dtype("PReLU", dtype)))

    def forward(self, x):
        return functions.prelu(of_dtype(x, self.weight._data.dtype), self.weight)

    def extra_repr(self):
        return f"num_parameters={self.num_parameters}"


@settings
class Hardtanh(Module):
    """Return x, but at least min_val and at most max_val.

    >>> from tensorgrad import nn
    >>> nn.Hardtanh()([-3.0, 0.5]).tolist()
    [-1.0, 0.5]
    """

    min_val: float = -1.0
    max_val: float = 1.0
    inplace: bool = False

    def forward(self, x):
        return functions.hardtanh(x, self.min_val, self.max_val)


@settings
class Hardsigmoid(Module):
    """Return (x + 3) / 6, but at least 0 and at most 1.

    >>> from tensorgrad import nn
    >>> nn.Hardsigmoid()([-4.0, 0.0]).tolist()
    [0.0, 0.5]
    """

    inplace: bool = False

    def forward(self, x):
        return functions.hardsigmoid(x)


@settings
class Hardswish(Module):
    """Return x · hardsigmoid(x).

    >>> from tensorgrad import nn
    >>> nn.Hardswish()([-4.0, 4.0]).tolist()
    [-0.0, 4.0]
    """

    inplace: bool = False

    def forward(self, x):
        return functions.hardswish(x)


@settings
class ELU(Module):
    """Return x where it is positive, else alpha (eˣ - 1).

    >>> from tensorgrad import nn
    >>> nn.ELU()([0.0, 2.0]).tolist()
    [0.0, 2.0]
    """

    alpha: float = 1.0
    inplace: bool = False

    def forward(self, x):
        return elu(x, self.alpha)


@settings
class CELU(Module):
    """Return x where it is positive, else alpha (exp(x / alpha) - 1).

    >>> from tensorgrad import nn
    >>> nn.CELU()([0.0, 2.0]).tolist()
    [0.0, 2.0]
    """

    alpha: float = 1.0
    inplace: bool = False

    def forward(self, x):
        return functions.celu(x, self.alpha)


@settings
class SELU(Module):
    """Return ELU with the scale and the alpha that keep mean 0 and variance 1.

    >>> from tensorgrad import nn
    >>> nn.SELU()([0.0]).tolist()
    [0.0]
    """

    inplace: bool = False

    def forward(self, x):
        return functions.selu(x)


# Smooth


class Sigmoid(Module):
    """Return 1 / (1 + e⁻ˣ), entry by entry.

    >>> from tensorgrad import nn
    >>> nn.Sigmoid()([0.0]).tolist()
    [0.5]
    """

    def forward(self, x):
        return sigmoid(x)


class LogSigmoid(Module):
    """Return log(sigmoid(x)), without overflow.

    >>> from tensorgrad import nn
    >>> nn.LogSigmoid()([-1000.0]).tolist()
    [-1000.0]
    """

    def forward(self, x):
        return functions.logsigmoid(x)


class Tanh(Module):
    """Return tanh(x), entry by entry.

    >>> from tensorgrad import nn
    >>> nn.Tanh()([0.0]).tolist()
    [0.0]
    """

    def forward(self, x):
        return tanh(x)


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


@settings
class SiLU(Module):
    """Return x · sigmoid(x), also called swish.

    >>> from tensorgrad import nn
    >>> nn.SiLU()([0.0]).tolist()
    [0.0]
    """

    inplace: bool = False

    def forward(self, x):
        return silu(x)


@settings
class Mish(Module):
    """Return x · tanh(softplus(x)).

    >>> from tensorgrad import nn
    >>> nn.Mish()([0.0]).tolist()
    [0.0]
    """

    inplace: bool = False

    def forward(self, x):
        return functions.mish(x)


@settings
class Softplus(Module):
    """Return log(1 + exp(beta · x)) / beta, and x where beta · x is above the threshold.

    >>> from tensorgrad import nn
    >>> nn.Softplus()([100.0]).tolist()
    [100.0]
    """

    beta: float = 1.0
    threshold: float = 20.0

    def forward(self, x):
        return softplus(x, self.beta, self.threshold)


class Softsign(Module):
    """Return x / (1 + |x|).

    >>> from tensorgrad import nn
    >>> nn.Softsign()([-3.0, 1.0]).tolist()
    [-0.75, 0.5]
    """

    def forward(self, x):
        return functions.softsign(x)


# Along an axis, which PyTorch calls dim


@settings
class Softmax(Module):
    """Return exp(x) / Σ exp(x), with the sum along the axis `dim`; the last one by default, where PyTorch warns.

    >>> import numpy as np; from tensorgrad import nn
    >>> nn.Softmax(dim=1)(np.zeros((1, 2))).tolist()
    [[0.5, 0.5]]
    """

    dim: int = -1

    def forward(self, x):
        return functions.softmax(x, self.dim)


@settings
class Softmin(Module):
    """Return exp(-x) / Σ exp(-x), with the sum along the axis `dim`.

    >>> import numpy as np; from tensorgrad import nn
    >>> nn.Softmin(dim=1)(np.zeros((1, 2))).tolist()
    [[0.5, 0.5]]
    """

    dim: int = -1

    def forward(self, x):
        return functions.softmax(-x, self.dim)


@settings
class LogSoftmax(Module):
    """Return log(exp(x) / Σ exp(x)), with the sum along the axis `dim`.

    >>> from tensorgrad import nn
    >>> nn.LogSoftmax(dim=0)([0.0]).tolist()
    [0.0]
    """

    dim: int = -1

    def forward(self, x):
        return functions.log_softmax(x, self.dim)


@settings
class GLU(Module):
    """Return the first half along the axis `dim` times the sigmoid of the second half.

    >>> from tensorgrad import nn
    >>> nn.GLU()([4.0, 0.0]).tolist()
    [2.0]
    """

    dim: int = -1

    def forward(self, x):
        return functions.glu(x, self.dim)

"""Activations as modules: each calls the function of its name, with the settings it was made with.

`inplace` is accepted, as PyTorch's programs write it, and has no effect: no function changes its input here.
"""

import numpy as np

from scalargrad.errors import must_be_integers
from tensorgrad.functions import activations as functions
from tensorgrad.functions.elementwise_options import gelu, softplus
from tensorgrad.nn.applied import Applied
from tensorgrad.nn.inputs import of_dtype
from tensorgrad.nn.module import Module
from tensorgrad.nn.parameter import Parameter
from tensorgrad.nn.settings import settings
from tensorgrad.nn.sizes import float_dtype
from tensorgrad.rules.elementwise import elu, leaky_relu, relu, sigmoid, silu, tanh

# fmt: off
__all__ = [
    "ReLU", "ReLU6", "LeakyReLU", "PReLU", "Hardtanh", "Hardsigmoid", "Hardswish", "ELU", "CELU", "SELU", "Sigmoid", "LogSigmoid",
    "Tanh", "GELU", "SiLU", "Mish", "Softplus", "Softsign", "Softmax", "Softmin", "LogSoftmax", "GLU",
]
# fmt: on

# With a kink


class ReLU(Applied, function=relu):
    """Return max(x, 0), entry by entry. The derivative at 0 is 0.

    >>> from tensorgrad import nn
    >>> nn.ReLU()([-1.0, 2.0]).tolist()
    [0.0, 2.0]
    """

    inplace: bool = False


class ReLU6(Applied, function=functions.relu6):
    """Return x, but at least 0 and at most 6.

    >>> from tensorgrad import nn
    >>> nn.ReLU6()([-1.0, 2.0, 9.0]).tolist()
    [0.0, 2.0, 6.0]
    """

    inplace: bool = False


class LeakyReLU(Applied, function=leaky_relu):
    """Return x where it is positive, else negative_slope · x.

    >>> from tensorgrad import nn
    >>> nn.LeakyReLU(0.5)([-2.0, 2.0]).tolist()
    [-1.0, 2.0]
    """

    negative_slope: float = 0.01
    inplace: bool = False


class PReLU(Module):
    """Return x where it is positive, else weight · x, with learnt slopes `weight`: one, or one for each channel (axis 1).

    All slopes start at `init`.

    >>> from tensorgrad import nn
    >>> nn.PReLU(init=0.5)([-2.0, 2.0]).tolist()
    [-1.0, 2.0]
    """

    def __init__(self, num_parameters=1, init=0.25, *, dtype=None):
        super().__init__()
        must_be_integers("PReLU", 1, num_parameters=num_parameters)
        self.num_parameters, self.init = num_parameters, init
        self.weight = Parameter(np.full(num_parameters, init, float_dtype("PReLU", dtype)))

    def forward(self, x):
        return functions.prelu(of_dtype(x, self.weight._data.dtype), self.weight)

    def extra_repr(self):
        return f"num_parameters={self.num_parameters}"


class Hardtanh(Applied, function=functions.hardtanh):
    """Return x, but at least min_val and at most max_val.

    >>> from tensorgrad import nn
    >>> nn.Hardtanh()([-3.0, 0.5]).tolist()
    [-1.0, 0.5]
    """

    min_val: float = -1.0
    max_val: float = 1.0
    inplace: bool = False


class Hardsigmoid(Applied, function=functions.hardsigmoid):
    """Return (x + 3) / 6, but at least 0 and at most 1.

    >>> from tensorgrad import nn
    >>> nn.Hardsigmoid()([-4.0, 0.0]).tolist()
    [0.0, 0.5]
    """

    inplace: bool = False


class Hardswish(Applied, function=functions.hardswish):
    """Return x · hardsigmoid(x).

    >>> from tensorgrad import nn
    >>> nn.Hardswish()([-4.0, 4.0]).tolist()
    [-0.0, 4.0]
    """

    inplace: bool = False


class ELU(Applied, function=elu):
    """Return x where it is positive, else alpha (eˣ - 1).

    >>> from tensorgrad import nn
    >>> nn.ELU()([0.0, 2.0]).tolist()
    [0.0, 2.0]
    """

    alpha: float = 1.0
    inplace: bool = False


class CELU(Applied, function=functions.celu):
    """Return x where it is positive, else alpha (exp(x / alpha) - 1).

    >>> from tensorgrad import nn
    >>> nn.CELU()([0.0, 2.0]).tolist()
    [0.0, 2.0]
    """

    alpha: float = 1.0
    inplace: bool = False


class SELU(Applied, function=functions.selu):
    """Return ELU with the scale and the alpha that keep mean 0 and variance 1.

    >>> from tensorgrad import nn
    >>> nn.SELU()([0.0]).tolist()
    [0.0]
    """

    inplace: bool = False


# Smooth


class Sigmoid(Applied, function=sigmoid):
    """Return 1 / (1 + e⁻ˣ), entry by entry.

    >>> from tensorgrad import nn
    >>> nn.Sigmoid()([0.0]).tolist()
    [0.5]
    """


class LogSigmoid(Applied, function=functions.logsigmoid):
    """Return log(sigmoid(x)), without overflow.

    >>> from tensorgrad import nn
    >>> nn.LogSigmoid()([-1000.0]).tolist()
    [-1000.0]
    """


class Tanh(Applied, function=tanh):
    """Return tanh(x), entry by entry.

    >>> from tensorgrad import nn
    >>> nn.Tanh()([0.0]).tolist()
    [0.0]
    """


class GELU(Applied, function=gelu):
    """Return x Φ(x), where Φ is the distribution function of the normal distribution. approximate="tanh" is faster and close.

    >>> from tensorgrad import nn
    >>> nn.GELU()([0.0, 10.0]).tolist()
    [0.0, 10.0]
    """

    approximate: str = "none"


class SiLU(Applied, function=silu):
    """Return x · sigmoid(x), also called swish.

    >>> from tensorgrad import nn
    >>> nn.SiLU()([0.0]).tolist()
    [0.0]
    """

    inplace: bool = False


class Mish(Applied, function=functions.mish):
    """Return x · tanh(softplus(x)).

    >>> from tensorgrad import nn
    >>> nn.Mish()([0.0]).tolist()
    [0.0]
    """

    inplace: bool = False


class Softplus(Applied, function=softplus):
    """Return log(1 + exp(beta · x)) / beta, and x where beta · x is above the threshold.

    >>> from tensorgrad import nn
    >>> nn.Softplus()([100.0]).tolist()
    [100.0]
    """

    beta: float = 1.0
    threshold: float = 20.0


class Softsign(Applied, function=functions.softsign):
    """Return x / (1 + |x|).

    >>> from tensorgrad import nn
    >>> nn.Softsign()([-3.0, 1.0]).tolist()
    [-0.75, 0.5]
    """


# Along an axis, which PyTorch calls dim


class Softmax(Applied, function=functions.softmax):
    """Return exp(x) / Σ exp(x), with the sum along the axis `dim`; the last one by default, where PyTorch warns.

    >>> import numpy as np; from tensorgrad import nn
    >>> nn.Softmax(dim=1)(np.zeros((1, 2))).tolist()
    [[0.5, 0.5]]
    """

    dim: int = -1


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


class LogSoftmax(Applied, function=functions.log_softmax):
    """Return log(exp(x) / Σ exp(x)), with the sum along the axis `dim`.

    >>> from tensorgrad import nn
    >>> nn.LogSoftmax(dim=0)([0.0]).tolist()
    [0.0]
    """

    dim: int = -1


class GLU(Applied, function=functions.glu):
    """Return the first half along the axis `dim` times the sigmoid of the second half.

    >>> from tensorgrad import nn
    >>> nn.GLU()([4.0, 0.0]).tolist()
    [2.0]
    """

    dim: int = -1

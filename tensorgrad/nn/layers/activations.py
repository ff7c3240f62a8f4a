"""Activations as modules: each calls the function of its name, with the settings it was made with.

`inplace` is accepted, as PyTorch's programs write it, and has no effect: no function changes its input here.
"""

import numpy as np

from scalargrad.messages.errors import must_be_integers
from tensorgrad.functions import activations as functions
from tensorgrad.functions.elementwise_options import gelu, softplus
from tensorgrad.functions.softmax import log_softmax, softmax
from tensorgrad.nn.function_module import Applied
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
    inplace: bool = False


class ReLU6(Applied, function=functions.relu6):
    inplace: bool = False


class LeakyReLU(Applied, function=leaky_relu):
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
    min_val: float = -1.0
    max_val: float = 1.0
    inplace: bool = False


class Hardsigmoid(Applied, function=functions.hardsigmoid):
    inplace: bool = False


class Hardswish(Applied, function=functions.hardswish):
    inplace: bool = False


class ELU(Applied, function=elu):
    alpha: float = 1.0
    inplace: bool = False


class CELU(Applied, function=functions.celu):
    alpha: float = 1.0
    inplace: bool = False


class SELU(Applied, function=functions.selu):
    inplace: bool = False


# Smooth


class Sigmoid(Applied, function=sigmoid): ...


class LogSigmoid(Applied, function=functions.logsigmoid): ...


class Tanh(Applied, function=tanh): ...


class GELU(Applied, function=gelu):
    approximate: str = "none"


class SiLU(Applied, function=silu):
    inplace: bool = False


class Mish(Applied, function=functions.mish):
    inplace: bool = False


class Softplus(Applied, function=softplus):
    beta: float = 1.0
    threshold: float = 20.0


class Softsign(Applied, function=functions.softsign): ...


# Along an axis, which PyTorch calls dim


class Softmax(Applied, function=softmax):
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
        return softmax(-x, self.dim)


class LogSoftmax(Applied, function=log_softmax):
    """Return log(exp(x) / Σ exp(x)), with the sum along the axis `dim`.

    >>> from tensorgrad import nn
    >>> nn.LogSoftmax(dim=0)([0.0]).tolist()
    [0.0]
    """

    dim: int = -1


class GLU(Applied, function=functions.glu):
    dim: int = -1

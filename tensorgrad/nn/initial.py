"""Random numbers at which parameters start: PyTorch's distributions, drawn from a numpy.random.Generator.

Functions with a final _ fill a parameter, as in torch.nn.init. Legend: fan_in, fan_out the numbers of inputs and outputs of one
entry of the layer: the axes 1 and 0 of the weight, times the entries of the kernel.
"""

from math import prod, sqrt

import numpy as np

from scalargrad.messages.errors import must_be_one_of, unknown_choice
from tensorgrad.nn.random import generator_or_default

# fmt: off
__all__ = [
    "calculate_gain", "uniform_", "normal_", "trunc_normal_", "constant_", "zeros_", "ones_", "eye_",
    "xavier_uniform_", "xavier_normal_", "kaiming_uniform_", "kaiming_normal_", "orthogonal_",
]
# fmt: on

GAINS = {"linear": 1.0, "sigmoid": 1.0, "tanh": 5 / 3, "relu": sqrt(2), "selu": 3 / 4}  # torch.nn.init.calculate_gain
for _d in "123":
    GAINS |= {f"conv{_d}d": 1.0, f"conv_transpose{_d}d": 1.0}


def uniform(shape, bound, dtype, generator):
    """Return an array of numbers that are uniform from -bound to bound."""
    return (generator.random(shape, dtype) * 2 - 1) * np.asarray(bound, dtype)


def fans(shape):
    """Return (fan_in, fan_out) of a weight. Raises ValueError if it has fewer than two axes."""
    if len(shape) < 2:
        raise ValueError(f"fan_in and fan_out need a weight of two axes or more, got shape {shape}")
    return shape[1] * prod(shape[2:]), shape[0] * prod(shape[2:])


def by_fan_in(shape, fan_in, dtype, generator):
    """Return numbers that are uniform within ±1/√fan_in, at which the weights and biases of PyTorch's layers start."""
    return uniform(shape, 1 / sqrt(fan_in) if fan_in else 0.0, dtype, generator)


def calculate_gain(nonlinearity, param=None):
    """Return the factor of the standard deviation that keeps the scale of numbers through a nonlinearity.

    >>> calculate_gain("relu") ** 2
    2.0000000000000004
    """
    if nonlinearity == "leaky_relu":
        return sqrt(2 / (1 + (0.01 if param is None else param) ** 2))
    if nonlinearity not in GAINS:
        raise unknown_choice("calculate_gain", "nonlinearity", nonlinearity, [*GAINS, "leaky_relu"])
    return GAINS[nonlinearity]


def uniform_(tensor, a=0.0, b=1.0, generator=None):
    """Fill a parameter with numbers that are uniform from a to b, and return it.

    >>> from tensorgrad import nn
    >>> bool((nn.init.uniform_(nn.Parameter([[0.0] * 4]), 2.0, 3.0).data >= 2).all())
    True
    """
    if not a <= b:
        raise ValueError(f"uniform_: a={a} must be at most b={b}")
    return filled(tensor, generator_or_default("uniform_", generator).random(tensor.shape) * (b - a) + a)


def normal_(tensor, mean=0.0, std=1.0, generator=None):
    """Fill a parameter with normal numbers, and return it.

    >>> from tensorgrad import nn
    >>> nn.init.normal_(nn.Parameter([[0.0, 0.0]]), std=0.0, mean=3.0)
    Tensor([[3., 3.]])
    """
    must_be_deviation("normal_", std)
    return filled(tensor, generator_or_default("normal_", generator).standard_normal(tensor.shape) * std + mean)


def trunc_normal_(tensor, mean=0.0, std=1.0, a=-2.0, b=2.0, generator=None):
    """Fill a parameter with normal numbers between a and b: those outside are drawn again. Return it.

    >>> from tensorgrad import nn
    >>> bool((abs(nn.init.trunc_normal_(nn.Parameter([[0.0] * 40]), a=-1.0, b=1.0).data) <= 1).all())
    True
    """
    must_be_deviation("trunc_normal_", std)
    draw = generator_or_default("trunc_normal_", generator)
    numbers = draw.standard_normal(tensor.shape) * std + mean
    if not a < b or b < mean - 4 * std or a > mean + 4 * std:
        raise ValueError(f"trunc_normal_: nearly no normal number with mean={mean} and std={std} lies between a={a} and b={b}")
    while (outside := (numbers < a) | (numbers > b)).any():
        numbers[outside] = draw.standard_normal(np.count_nonzero(outside)) * std + mean
    return filled(tensor, numbers)


def must_be_deviation(who, std):
    if not std >= 0:
        raise ValueError(f"{who}: std={std} is not a standard deviation; it must be 0 or more")


def constant_(tensor, val):
    """Fill a parameter with a number, and return it.

    >>> from tensorgrad import nn
    >>> nn.init.constant_(nn.Parameter([[0.0, 0.0]]), 0.5)
    Tensor([[0.5, 0.5]])
    """
    return filled(tensor, np.full(tensor.shape, val))


def zeros_(tensor):
    """Fill a parameter with 0, and return it.

    >>> from tensorgrad import nn
    >>> nn.init.zeros_(nn.Parameter([[3.0, 4.0]]))
    Tensor([[0., 0.]])
    """
    return constant_(tensor, 0.0)


def ones_(tensor):
    """Fill a parameter with 1, and return it.

    >>> from tensorgrad import nn
    >>> nn.init.ones_(nn.Parameter([[3.0, 4.0]]))
    Tensor([[1., 1.]])
    """
    return constant_(tensor, 1.0)


def eye_(tensor):
    """Fill a matrix with ones on the diagonal and 0 elsewhere, and return it.

    >>> from tensorgrad import nn
    >>> nn.init.eye_(nn.Parameter([[3.0, 4.0], [5.0, 6.0]])).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    if tensor.ndim != 2:
        raise ValueError(f"eye_: the parameter has shape {tensor.shape}; a matrix is needed")
    return filled(tensor, np.eye(*tensor.shape))


def xavier_uniform_(tensor, gain=1.0, generator=None):
    """Fill a weight with numbers that are uniform within ±gain √(6 / (fan_in + fan_out)), and return it.

    Source: Glorot and Bengio, "Understanding the difficulty of training deep feedforward neural networks", 2010.

    >>> from tensorgrad import nn
    >>> bool((abs(nn.init.xavier_uniform_(nn.Linear(4, 2).weight).data) <= 1).all())  # √(6 / (4 + 2)) = 1
    True
    """
    bound = gain * sqrt(6 / sum(fans(tensor.shape)))
    return uniform_(tensor, -bound, bound, generator)


def xavier_normal_(tensor, gain=1.0, generator=None):
    """Fill a weight with normal numbers of standard deviation gain √(2 / (fan_in + fan_out)), and return it.

    >>> from tensorgrad import nn
    >>> weight = nn.init.xavier_normal_(nn.Linear(300, 100).weight, generator=np.random.default_rng(0))
    >>> round(float(weight.data.std()), 3), round(sqrt(2 / (300 + 100)), 3)
    (0.071, 0.071)
    """
    return normal_(tensor, 0.0, gain * sqrt(2 / sum(fans(tensor.shape))), generator)


def kaiming_uniform_(tensor, a=0, mode="fan_in", nonlinearity="leaky_relu", generator=None):
    """Fill a weight with numbers that are uniform within ±√3 gain/√fan, and return it.

    Source: He and others, "Delving Deep into Rectifiers", 2015.

    >>> from tensorgrad import nn
    >>> weight = nn.init.kaiming_uniform_(nn.Linear(6, 2).weight, nonlinearity="relu")
    >>> bool((abs(weight.data) <= 1).all())  # √3 · √2 / √6 = 1
    True
    """
    bound = sqrt(3) * kaiming_deviation(tensor, a, mode, nonlinearity)
    return uniform_(tensor, -bound, bound, generator)


def kaiming_normal_(tensor, a=0, mode="fan_in", nonlinearity="leaky_relu", generator=None):
    """Fill a weight with normal numbers of standard deviation gain/√fan, and return it.

    >>> from tensorgrad import nn
    >>> weight = nn.init.kaiming_normal_(nn.Linear(200, 100).weight, nonlinearity="relu", generator=np.random.default_rng(0))
    >>> round(float(weight.data.std()), 3), round(sqrt(2 / 200), 3)
    (0.1, 0.1)
    """
    return normal_(tensor, 0.0, kaiming_deviation(tensor, a, mode, nonlinearity), generator)


def kaiming_deviation(tensor, a, mode, nonlinearity):
    must_be_one_of("kaiming", ("fan_in", "fan_out"), mode=mode)
    return calculate_gain(nonlinearity, a) / sqrt(fans(tensor.shape)[mode == "fan_out"])


def orthogonal_(tensor, gain=1.0, generator=None):
    """Fill a weight, as a matrix of shape[0] rows, with orthonormal rows or columns times gain, and return it.

    >>> from tensorgrad import nn
    >>> W = nn.init.orthogonal_(nn.Linear(3, 3).weight).data
    >>> bool(np.allclose(W @ W.T, np.eye(3), atol=1e-6))
    True
    """
    fans(tensor.shape)
    rows, columns = tensor.shape[0], prod(tensor.shape[1:])
    normal = generator_or_default("orthogonal_", generator).standard_normal((max(rows, columns), min(rows, columns)))
    Q, R = np.linalg.qr(normal)
    Q = Q * np.sign(np.diag(R))  # so that all orthogonal matrices are equally likely
    return filled(tensor, gain * (Q if rows >= columns else Q.T).reshape(tensor.shape))


def filled(tensor, array):
    tensor.data = array
    return tensor

"""Functions of each entry, and arithmetic with broadcasting."""

from functools import cache

import numpy as np
import torch

import tensorgrad as tg
from tensorgrad.beside_torch.counterparts.table import KINDS, beside, not_at
from tensorgrad.tensor import array_of


def same_arguments(**names):
    """Let our functions stand for those of PyTorch with the same arguments at the same places: {our name: PyTorch's names, with spaces}."""
    for ours, theirs in names.items():
        beside(*theirs.split())(getattr(tg, ours))


# fmt: off
ONE = (
    "abs", "acos", "acosh", "asin", "asinh", "atan", "atanh", "ceil", "cos", "cosh", "erf", "exp", "exp2", "expm1", "floor", "hardsigmoid",
    "hardswish", "log", "log10", "log1p", "log2", "logsigmoid", "mish", "neg", "reciprocal", "relu", "relu6", "rsqrt", "selu", "sigmoid",
    "silu", "sin", "sinc", "sinh", "softsign", "sqrt", "square", "tan", "tanh", "trunc",
)
LARGER = ("maximum", "minimum", "fmax", "fmin")
WITH_KINK = ("atan2", "hypot")

same_arguments(
    copysign="copysign", fmod="fmod", logaddexp="logaddexp", logaddexp2="logaddexp2", remainder="remainder", mul="mul multiply",
    pow="pow Tensor.__pow__", sigmoid="special.expit", abs="absolute", gelu="gelu", prelu="prelu", lerp="lerp", addcmul="addcmul",
    addcdiv="addcdiv", where="torch.where", masked_fill="masked_fill", nan_to_num="nan_to_num", round="round", glu="glu",
)
# fmt: on


def of_one(ours):
    return lambda input, inplace=False: ours(input)


def of_larger(ours):
    def larger(input, other):
        missing = [np.isnan(array_of(x)) for x in (input, other)]
        not_at(missing[0] | missing[1], "for nan")
        return ours(input, other)

    return larger


def of_kink(ours):
    def with_kink(input, other):
        not_at((array_of(input) == 0) & (array_of(other) == 0), "at (0, 0)")
        return ours(input, other)

    return with_kink


for name in ONE:
    beside(name)(of_one(getattr(tg, name)))
for name in LARGER:
    beside(name)(of_larger(getattr(tg, name)))
for name in WITH_KINK:
    beside(name)(of_kink(getattr(tg, name)))


beside("add")(lambda input, other, alpha=1: tg.add(input, other if alpha == 1 else other * alpha))
beside("sub", "subtract")(lambda input, other, alpha=1: tg.sub(input, other if alpha == 1 else other * alpha))
beside("Tensor.__rsub__", "rsub")(lambda input, other, alpha=1: tg.sub(other, input if alpha == 1 else input * alpha))


@beside("div", "divide", "true_divide")
def div(input, other, rounding_mode=None):
    y = tg.div(input, other)
    return y if rounding_mode is None else tg.trunc(y) if rounding_mode == "trunc" else tg.floor_divide(input, other)


beside("Tensor.__rdiv__", "Tensor.__rtruediv__")(lambda input, other: tg.div(other, input))
beside("Tensor.__rpow__")(lambda input, other: tg.pow(other, input))
beside("clone", "positive", "contiguous")(lambda input, memory_format=None: tg.add(input, 0))


@cache
def bounds_are_open():
    """Return whether this PyTorch's clamp passes no derivative to an entry that equals a bound. Up to some version it did."""
    x = torch.zeros(1, requires_grad=True)
    with torch.enable_grad():
        return not torch.autograd.grad(x.clamp(min=0), x)[0]


@beside("clamp", "clip")
def clamp(input, min=None, max=None):
    """A bound that is a tensor shares the derivative with an entry that equals it, and is the larger or smaller of both."""
    if not isinstance(min, tg.Tensor | np.ndarray) and not isinstance(max, tg.Tensor | np.ndarray):
        return tg.clamp(input, min, max, total=bounds_are_open())
    x = array_of(input)
    not_at(any_equal(x, min) & any_equal(x, max) | any_equal(array_of(min), max), "where an entry equals both bounds")
    y = input if min is None else tg.maximum(input, min)
    return y if max is None else tg.minimum(y, max)


def any_equal(x, bound):
    return False if bound is None or x is None else x == array_of(bound)


@beside("clamp_min")
def clamp_min(input, min):
    return clamp(input, min)


beside("clamp_max")(lambda input, max: clamp(input, None, max))


@beside("xlogy", "special.xlogy")
def xlogy(input, other):
    not_at((array_of(input) == 0) & (array_of(other) == 0), "at (0, 0)")
    return tg.xlogy(input, other)


beside("leaky_relu")(lambda input, negative_slope=0.01, inplace=False: tg.leaky_relu(input, negative_slope))
beside("elu")(lambda input, alpha=1.0, inplace=False: tg.elu(input, alpha))
beside("celu")(lambda input, alpha=1.0, inplace=False: tg.celu(input, alpha))
beside("softplus")(lambda input, beta=1, threshold=20: tg.softplus(input, beta, threshold))
beside("hardtanh")(lambda input, min_val=-1.0, max_val=1.0, inplace=False: tg.hardtanh(input, min_val, max_val))
beside("Tensor.where")(lambda input, condition, other: tg.where(condition, input, other))
beside("copy_")(lambda input, src, non_blocking=False: tg.add(tg.broadcast_to(src, input.shape), 0))
beside("Tensor.float", "Tensor.half", "Tensor.bfloat16")(lambda input, memory_format=None: tg.astype(input, np.float32))
beside("Tensor.double")(lambda input, memory_format=None: tg.astype(input, np.float64))


@beside("Tensor.to", "Tensor.type", "Tensor.type_as")
def to(input, *others, dtype=None, **options):
    for other in (dtype, *others):
        kind = KINDS.get(other) if isinstance(other, torch.dtype) else getattr(other, "dtype", None)
        if kind is not None:
            return tg.astype(input, kind)
    return tg.add(input, 0)


beside("deg2rad")(lambda input: tg.mul(input, np.pi / 180))
beside("rad2deg")(lambda input: tg.mul(input, 180 / np.pi))
beside("frac")(lambda input: tg.sub(input, tg.trunc(input)))


@beside("sign", "sgn")
def sign(input):
    """0 for nan"""
    return tg.where(np.isnan(input.data), 0.0, tg.sign(input)) if np.isnan(input.data).any() else tg.sign(input)


@beside("threshold")
def threshold(input, threshold, value, inplace=False):
    return tg.where(input.data > threshold, input, value)


beside("hardshrink")(lambda input, lambd=0.5: tg.where(np.abs(input.data) > lambd, input, 0.0))
beside("softshrink")(lambda input, lambd=0.5: tg.where(np.abs(input.data) > lambd, input - lambd * np.sign(input.data), 0.0))
beside("erfc", "special.erfc")(lambda input: tg.sub(1, tg.erf(input)))


@beside("logit", "special.logit")
def logit(input, eps=None):
    x = input if eps is None else tg.clamp(input, eps, 1 - eps)
    return tg.log(x / (1 - x))


beside("special.xlog1py")(lambda input, other: tg.xlogy(input, tg.add(other, 1)))


@beside("special.entr")
def entr(input):
    not_at(input.data == 0, "at 0")
    return tg.neg(tg.xlogy(input, input))


beside("ldexp")(lambda input, other: tg.mul(input, tg.pow(2.0, other)))
beside("frexp", theirs=True)(lambda input, theirs: tg.div(input, 2.0 ** theirs.result[1].numpy()))


@beside("float_power")
def float_power(input, exponent):
    exponent = tg.astype(exponent, np.float64) if isinstance(exponent, tg.Tensor) else exponent
    return tg.pow(tg.astype(input, np.float64) if isinstance(input, tg.Tensor) else input, exponent)


def still(x, value):
    """Return a variable of this value whose derivative with respect to x is 0."""
    return tg.where(np.zeros(np.shape(value), bool), tg.sum(x), value)


# fmt: off
DRAWN = ("bernoulli", "uniform_", "normal_", "exponential_", "random_", "cauchy_", "log_normal_", "geometric_")
# fmt: on


@beside("angle", "zero_", *DRAWN, theirs=True)
def constant(input, *args, theirs, **options):
    """The derivative is 0."""
    return still(input, theirs.result.detach().numpy())


@beside("fill")
def fill(input, value):
    """The derivative is 0, and goes on to the value if that is a tensor."""
    return tg.add(tg.broadcast_to(value, input.shape), 0) if isinstance(value, tg.Tensor) else still(input, np.full(input.shape, value))


beside("aten.native_dropout_backward")(lambda grad_output, mask, scale: tg.mul(grad_output, mask * scale))

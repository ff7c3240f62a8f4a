"""Functions of each entry, and arithmetic with broadcasting."""

import numpy as np
import torch
import torch.nn.functional as F

import tensorgrad as tg
from tensorgrad.beside_torch.counterparts.dtypes import KINDS
from tensorgrad.beside_torch.counterparts.table import Unsupported, beside

# fmt: off
ONE = (
    "abs", "acos", "acosh", "asin", "asinh", "atan", "atanh", "ceil", "cos", "cosh", "erf", "exp", "exp2", "expm1", "floor", "hardsigmoid",
    "hardswish", "log", "log10", "log1p", "log2", "logsigmoid", "mish", "neg", "reciprocal", "relu", "relu6", "rsqrt", "selu", "sigmoid",
    "sign", "silu", "sin", "sinc", "sinh", "softsign", "sqrt", "square", "tan", "tanh", "trunc",
)
TWO = (
    "atan2", "copysign", "fmax", "fmin", "fmod", "hypot", "logaddexp", "logaddexp2", "maximum", "minimum", "remainder", "xlogy",
)
# fmt: on


def of_one(ours):
    return lambda input, inplace=False: ours(input)


def of_two(ours):
    return lambda input, other: ours(input, other)


for name in ONE:
    beside(name)(of_one(getattr(tg, name)))
for name in TWO:
    beside(name)(of_two(getattr(tg, name)))


@beside("add")
def add(input, other, alpha=1):
    return tg.add(input, other if alpha == 1 else other * alpha)


@beside("sub", "subtract")
def sub(input, other, alpha=1):
    return tg.sub(input, other if alpha == 1 else other * alpha)


@beside("Tensor.__rsub__", "rsub")
def rsub(input, other):
    return tg.sub(other, input)


@beside("mul", "multiply")
def mul(input, other):
    return tg.mul(input, other)


@beside("div", "divide", "true_divide")
def div(input, other, rounding_mode=None):
    if rounding_mode is not None:
        raise Unsupported(f"rounding_mode={rounding_mode!r}")
    return tg.div(input, other)


@beside("Tensor.__rdiv__", "Tensor.__rtruediv__")
def rdiv(input, other):
    return tg.div(other, input)


@beside("pow", "Tensor.__pow__")
def pow(input, exponent):
    return tg.pow(input, exponent)


@beside("Tensor.__rpow__")
def rpow(input, other):
    return tg.pow(other, input)


@beside("absolute")
def absolute(input):
    return tg.abs(input)


@beside("clone", "positive", "contiguous")
def clone(input, memory_format=None):
    return tg.add(input, 0)


@beside("clamp", "clip")
def clamp(input, min=None, max=None):
    return tg.clamp(input, min, max)


@beside("clamp_min")
def clamp_min(input, min):
    return tg.clamp(input, min=min)


@beside("clamp_max")
def clamp_max(input, max):
    return tg.clamp(input, max=max)


@beside("gelu")
def gelu(input, approximate="none"):
    return tg.gelu(input, approximate)


@beside("leaky_relu")
def leaky_relu(input, negative_slope=0.01, inplace=False):
    return tg.leaky_relu(input, negative_slope)


@beside("elu")
def elu(input, alpha=1.0, inplace=False):
    return tg.elu(input, alpha)


@beside("celu")
def celu(input, alpha=1.0, inplace=False):
    return tg.celu(input, alpha)


@beside("softplus")
def softplus(input, beta=1, threshold=20):
    return tg.softplus(input, beta, threshold)


@beside("hardtanh")
def hardtanh(input, min_val=-1.0, max_val=1.0, inplace=False):
    return tg.hardtanh(input, min_val, max_val)


@beside("prelu")
def prelu(input, weight):
    return tg.prelu(input, weight)


@beside("lerp")
def lerp(input, end, weight):
    return tg.lerp(input, end, weight)


@beside("addcmul")
def addcmul(input, tensor1, tensor2, value=1):
    return tg.addcmul(input, tensor1, tensor2, value=value)


@beside("addcdiv")
def addcdiv(input, tensor1, tensor2, value=1):
    return tg.addcdiv(input, tensor1, tensor2, value=value)


@beside("torch.where")
def where(condition, input, other):
    return tg.where(condition, input, other)


@beside("Tensor.where")
def where_of(input, condition, other):
    return tg.where(condition, input, other)


@beside("masked_fill")
def masked_fill(input, mask, value):
    return tg.masked_fill(input, mask, value)


@beside("nan_to_num")
def nan_to_num(input, nan=0.0, posinf=None, neginf=None):
    return tg.nan_to_num(input, nan, posinf, neginf)


@beside("copy_")
def copy_(input, src, non_blocking=False):
    return tg.add(tg.broadcast_to(src, input.shape), 0)


@beside("Tensor.float", "Tensor.half", "Tensor.bfloat16")
def float_(input, memory_format=None):
    return tg.astype(input, np.float32)


@beside("Tensor.double")
def double(input, memory_format=None):
    return tg.astype(input, np.float64)


@beside("Tensor.to", "Tensor.type", "Tensor.type_as")
def to(input, *others, dtype=None, **options):
    for other in (dtype, *others):
        kind = KINDS.get(other) if isinstance(other, torch.dtype) else getattr(other, "dtype", None)
        if kind is not None:
            return tg.astype(input, kind)
    return tg.add(input, 0)


@beside("dropout", draws=True)
def dropout(input, p=0.5, training=True, inplace=False, again=None):
    """The mask is what PyTorch's dropout makes of ones with the same random numbers."""
    kept = again(F.dropout, torch.ones_like(again.given[0]), p, training)
    return tg.mul(input, kept.numpy())

"""Activation functions, with PyTorch's names and options. softmax and log_softmax are in softmax.py."""

import math

import numpy as np

from scalargrad import rules as rows
from tensorgrad.arrays.object_arrays import objects
from tensorgrad.functions.elementwise_options import clamp, softplus
from tensorgrad.kernels import activations as steps
from tensorgrad.kernels import elementwise as entrywise
from tensorgrad.kernels.blocks import in_blocks, in_parts, in_place, large
from tensorgrad.public import Array, method
from tensorgrad.rule import rule
from tensorgrad.rules.elementwise import abs, clamp_open, elu, elu_x, expm1, leaky_relu, sigmoid, square, tanh, where
from tensorgrad.rules.indexing import axis_and_length
from tensorgrad.rules.joining import concatenate
from tensorgrad.tensor import array_of

# fmt: off
__all__ = [
    "prelu", "selu", "celu",
    "relu6", "hardtanh", "hardsigmoid", "hardswish", "logsigmoid", "softsign", "mish", "glu",
]
# fmt: on

SATURATED = 1000.0  # beyond it exp(-x) is 0 in float32 and float64
SELU = SELU_ALPHA, SELU_SCALE = 1.6732632423543772848, 1.0507009873554804934  # Klambauer et al. 2017: mean 0 and variance 1 are kept


# Smooth


def mish_of_rows(x):
    h = rows.clamp(x, -SATURATED, SATURATED)
    return rows.where(x > SATURATED, x, h * rows.tanh(rows.softplus(h)))


@in_place
def mish_vjp(G, x):
    """dz/dx = dz/dy · (t + x · (1 - t²) · sigmoid(x)), with t = tanh(softplus(x))"""
    if type(G) is type(x) is np.ndarray and G.dtype == x.dtype:
        return in_blocks(steps.mish_vjp, G, x)
    h = clamp(x, -SATURATED, SATURATED)
    t = tanh(softplus(h))
    return G * (t + h * (1 - t * t) * sigmoid(h))


@method
@rule(mish_vjp, entries=lambda x: objects(np.frompyfunc(mish_of_rows, 1, 1)(x)))
def mish(x):
    """Return x · tanh(softplus(x)) (Misra 2019). At inf it is inf and its derivative 1, at -inf both are 0 (PyTorch: mostly nan).

    In formulas:
        y = x · t, with t = tanh(softplus(x))
        dz/dx = dz/dy · (t + x · (1 - t²) · sigmoid(x))

    >>> mish(np.array([0.0, 1.0])).round(4)
    array([0.    , 0.8651])
    """
    return in_blocks(steps.mish, x)


def logsigmoid_entries(x):
    return objects(-np.frompyfunc(rows.softplus, 1, 1)(objects(-objects(x))))


@in_place
def logsigmoid_vjp(G, x):
    """dz/dx = dz/dy · sigmoid(-x)"""
    return in_blocks(steps.logsigmoid_vjp, G, x) if large(G) and large(x) else G * sigmoid(-x)


@method
@rule(logsigmoid_vjp, entries=logsigmoid_entries)
def logsigmoid(x):
    """Return log(sigmoid(x)), without overflow.

    In formulas:
        y = -log(1 + exp(-x))

    >>> logsigmoid(np.array([0.0, -1000.0])).round(4)
    array([-6.931e-01, -1.000e+03])
    """
    return entrywise.logsigmoid(x)


def softsign_vjp(G, x):
    """dz/dx = dz/dy / (1 + |x|)², and 0 for nan"""
    slope = 1 / square(1 + abs(x))
    return G * where(array_of(x) == array_of(x), slope, 0)


def softsign_of_rows(x):
    return rows.where(rows.abs(x) < math.inf, x / (1 + rows.abs(x)), rows.sign(x))


@method
@rule(softsign_vjp, entries=lambda x: objects(np.frompyfunc(softsign_of_rows, 1, 1)(x)))
def softsign(x):
    """Return x / (1 + |x|). The derivative at 0 is 1; at ±inf and for nan it is 0.

    In formulas:
        y = x / (1 + |x|)

    >>> softsign(np.array([-3.0, 1.0]))
    array([-0.75,  0.5 ])
    """
    y = x / (1 + np.abs(x))
    return y if np.isfinite(y).all() else np.where(np.isinf(x), np.sign(x), y)


def glu_vjp(G, x, axis):
    """dz/dx = the halves joined: dz/dy times the sigmoid, and dz/dy times its derivative and the first half of x"""
    a, b = halves(x, axis)
    if large(G) and large(x) and G.dtype == x.dtype and x.flags.c_contiguous:
        dx = np.empty_like(x)
        in_parts(steps.glu_vjp, G, a, b, *halves(dx, axis))
        return dx
    s = sigmoid(b)
    g = G * s
    return concatenate([g, g * a * (1 - s)], axis)


def halves(x, axis):
    """Return the halves of x along an axis; raise ValueError for an odd length."""
    axis, length = axis_and_length("glu", x, axis)
    if length % 2:
        raise ValueError(f"glu: axis {axis} of shape {np.shape(x)} has length {length}; an even length is needed")
    before = (slice(None),) * axis
    return x[(*before, slice(length // 2))], x[(*before, slice(length // 2, length))]


def glu_entries(x, axis=-1):
    a, b = halves(x, axis)
    return objects(a * np.frompyfunc(rows.sigmoid, 1, 1)(b))


@method
@rule(glu_vjp, entries=glu_entries)
def glu(x, axis=-1):
    """Return the first half along the axis times the sigmoid of the second half. Raises ValueError for an odd length.

    In formulas:
        y = a · sigmoid(b), with the halves a and b of x
        dz/da = dz/dy · sigmoid(b)
        dz/db = dz/dy · y · (1 - sigmoid(b))

    >>> glu(np.array([2.0, 4.0, 0.0, 100.0]))
    array([1., 4.])
    """
    a, b = halves(x, axis)
    if large(x) and x.flags.c_contiguous:
        y = np.empty(a.shape, x.dtype)
        in_parts(steps.glu, a, b, y)
        return y
    return a * sigmoid(b)


# With a kink at 0


@method
def prelu(x: Array, weight: Array):
    """Return leaky_relu with learnt slopes: one number, or one per channel on axis 1. The derivative at 0 is the slope.

    In formulas:
        y = x where x > 0, else weight · x
        dz/dx = dz/dy where x > 0, else dz/dy · weight
        dz/dweight = Σ over the entries that share it: 0 where x > 0, else dz/dy · x

    ValueError if there are neither one slope nor as many as channels.

    >>> prelu(np.array([[-1.0, -1.0]]), np.array([0.25, 0.5]))
    array([[-0.25, -0.5 ]])
    """
    shape, slopes = x.shape, weight.size
    if slopes == 1:
        return leaky_relu(x, weight.reshape(()) if weight.ndim else weight)
    if len(shape) < 2 or weight.shape != (shape[1],):
        raise ValueError(
            f"prelu: weight has shape {weight.shape} and x has shape {shape}; give one slope, or one for each channel (axis 1) of x"
        )
    return leaky_relu(x, weight.reshape((slopes,) + (1,) * (len(shape) - 2)))


@in_place
def selu_vjp(G, x):
    """dz/dx = dz/dy · scale where x > 0, else dz/dy · scale · alpha · exp(x)"""
    if large(G) and large(x) and G.dtype == x.dtype:
        return in_blocks(steps.elu_vjp, G, x, numbers=SELU)
    return SELU_SCALE * elu_x(G, x, SELU_ALPHA)


def selu_of_rows(x):
    return SELU_SCALE * rows.elu(x, SELU_ALPHA)


@method
@rule(selu_vjp, entries=lambda x: objects(np.frompyfunc(selu_of_rows, 1, 1)(x)))
def selu(x):
    """Return elu with the scale and the alpha that keep mean 0 and variance 1. The derivative at 0 is scale · alpha, 1.7581.

    In formulas:
        y = scale · x where x > 0, else scale · alpha · (exp(x) - 1)
        dz/dx = dz/dy · scale where x > 0, else dz/dy · scale · alpha · exp(x)

    Source: Klambauer and others, "Self-normalizing neural networks", 2017.

    >>> selu(np.array([-100.0, 1.0])).round(4)
    array([-1.7581,  1.0507])
    """
    return in_blocks(steps.selu, x, numbers=SELU) if large(x) else selu_of_rows(x)


@method
def celu(x: Array, alpha=1.0):
    """Return x where it is positive, else alpha (exp(x / alpha) - 1). It is smooth at 0 for every alpha.

    In formulas:
        y = x where x > 0, else alpha · (exp(x / alpha) - 1)
        dz/dx = dz/dy where x > 0, else dz/dy · exp(x / alpha)

    Raises ValueError for alpha = 0.

    >>> celu(np.array([-100.0, 3.0]), alpha=2)
    array([-2.,  3.])
    """
    if alpha == 0:
        raise ValueError("celu: alpha=0 would divide by 0; use relu, which is its limit")
    if alpha < 0:  # x / alpha has the other sign
        return where(x > 0, x, alpha * expm1(clamp(x, max=0) / alpha))
    return elu(x, 1) if type(alpha) in (int, float) and alpha == 1 else alpha * elu(x / alpha, 1)


# With two kinks, where the derivative is 0, as in PyTorch


@method
def hardtanh(x: Array, min_val=-1.0, max_val=1.0):
    """Return x, but at least min_val and at most max_val. The derivative on both is 0, and for nan.

    In formulas:
        y = min(max(x, min_val), max_val)
        dz/dx = dz/dy where min_val < x < max_val, else 0

    Raises ValueError unless min_val <= max_val.

    >>> hardtanh(np.array([-3.0, 0.5, 3.0]))
    array([-1. ,  0.5,  1. ])
    """
    if not min_val <= max_val:
        raise ValueError(f"hardtanh: min_val={min_val} is greater than max_val={max_val}; exchange them")
    return clamp_open(x, min_val, max_val)


@method
def relu6(x: Array):
    """Return x, but at least 0 and at most 6. The derivative on both is 0.

    In formulas:
        y = min(max(x, 0), 6)
        dz/dx = dz/dy where 0 < x < 6, else 0

    >>> relu6(np.array([-3.0, 3.0, 9.0]))
    array([0., 3., 6.])
    """
    return clamp_open(x, 0, 6)


@in_place
def hardsigmoid_vjp(G, x):
    """dz/dx = dz/dy / 6 where |x| < 3, else 0"""
    return in_blocks(steps.hardsigmoid_vjp, G, x) if large(G) and large(x) else where(abs(x) < 3, G, 0) / 6


def hardsigmoid_of_rows(x):
    return rows.clamp_open(x + 3, 0, 6) / 6


@method
@rule(hardsigmoid_vjp, entries=lambda x: objects(np.frompyfunc(hardsigmoid_of_rows, 1, 1)(x)))
def hardsigmoid(x):
    """Return (x + 3) / 6, but at least 0 and at most 1. The derivative at ±3 is 0.

    In formulas:
        y = clamp((x + 3) / 6, 0, 1)

    >>> hardsigmoid(np.array([-4.0, 0.0, 4.0]))
    array([0. , 0.5, 1. ])
    """
    return in_blocks(steps.hardsigmoid, x) if large(x) else (x + 3).clip(0, 6) / 6


@in_place
def hardswish_vjp(G, x):
    """dz/dx = dz/dy · (2x + 3) / 6 where |x| < 3; above it is dz/dy, below 0"""
    if large(G) and large(x):
        return in_blocks(steps.hardswish_vjp, G, x)
    return where(x >= 3, G, G * ((2 * clamp_open(x, -3, 3) + 3) / 6 * (x > -3)))


def hardswish_of_rows(x):
    h = rows.clamp_open(x, -3, 3)
    return rows.where(x >= 3, x, h * ((h + 3) / 6))


@method
@rule(hardswish_vjp, entries=lambda x: objects(np.frompyfunc(hardswish_of_rows, 1, 1)(x)))
def hardswish(x):
    """Return x · hardsigmoid(x), which is x (x + 3) / 6 between -3 and 3 (Howard et al. 2019).

    In formulas:
        y = x · (x + 3) / 6 where |x| < 3
        dz/dx = dz/dy · (2 · x + 3) / 6 where |x| < 3; above it is dz/dy, below 0

    The derivative is 0 at -3 and 1 at 3. At -inf the value is 0 (PyTorch: nan).

    >>> hardswish(np.array([-1.0, 1.0, 4.0])).round(4)
    array([-0.3333,  0.6667,  4.    ])
    """
    return in_blocks(steps.hardswish, x) if large(x) else hardswish_of_rows(x)

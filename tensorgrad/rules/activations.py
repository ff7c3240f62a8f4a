"""Activations of single entries: rows of scalargrad's table, lifted. functions/activations.py gives them their options.

Large arrays go through kernels block by block; below that stands what it comes to.
"""

import math

import numpy as np

from scalargrad import rules as rows
from tensorgrad.kernels import activations as kernels
from tensorgrad.kernels.blocks import in_blocks, large
from tensorgrad.kernels.erf import erf as erf_of_array
from tensorgrad.rules.elementwise import NUMBER, erf, where
from tensorgrad.rules.elementwise_rule import Elementwise


def sigmoid_of_array(x):
    if large(x):
        return in_blocks(kernels.sigmoid, x)
    return 1 / (1 + np.exp(-x))


def sigmoid_vjp(G, y):
    """dz/dx = dz/dy · y (1 - y)"""
    if large(G) and large(y):
        return in_blocks(kernels.sigmoid_vjp, y, G)
    return G * (y * (1 - y))


def relu_of_array(x):
    return in_blocks(kernels.relu, x) if large(x) else np.maximum(x, 0)


def relu_vjp(G, y):
    """dz/dx = dz/dy where y > 0, else 0"""
    if large(G) and large(y):
        return in_blocks(kernels.relu_vjp, y, G)
    return G * (y > 0)


def gelu_of_array(x):
    if large(x):
        return in_blocks(kernels.gelu, x)
    return kernels.above(x) * (erf_of_array(x * math.sqrt(0.5)) * 0.5 + 0.5)


def below(x):
    """(1 + erf(x/√2)) / 2"""
    return erf(x * math.sqrt(0.5)) * 0.5 + 0.5


def gelu_vjp(G, x):
    """dz/dx = dz/dy · (Φ(x) + x φ(x)), with the standard normal Φ and φ"""
    if large(G) and large(x):
        return in_blocks(kernels.gelu_vjp, x, G)
    return G * (below(x) + rows.finite(x) * rows.normal_density(x))


def gelu_tanh_of_array(x):
    if large(x):
        return in_blocks(kernels.gelu_tanh, x)
    return kernels.above(x) * sigmoid_of_array(rows.bend(x))


def gelu_tanh_vjp(G, x, y):
    """dz/dx = dz/dy · (s + y (1 - s) 2u'), where s = sigmoid(2u), u = √(2/π) (x + 0.044715 x³)"""
    if large(G) and large(x):
        return in_blocks(kernels.gelu_tanh_vjp, x, y, G)
    s = sigmoid(rows.bend(x))
    return G * (s + rows.finite(y) * (1 - s) * rows.finite(rows.bend_slope(x)))


def silu_of_array(x):
    return in_blocks(kernels.silu, x) if large(x) else kernels.above(x) / (1 + np.exp(-x))


def silu_vjp(G, x):
    """dz/dx = dz/dy · s (1 + x (1 - s)), where s = sigmoid(x)"""
    if large(G) and large(x):
        return in_blocks(kernels.silu_vjp, x, G)
    s = sigmoid(x)
    return G * (s * (1 + rows.finite(x) * (1 - s)))


def leaky_relu_of_array(x, negative_slope):
    if large(x) and type(negative_slope) in NUMBER and negative_slope and math.isfinite(negative_slope):
        return in_blocks(kernels.leaky_relu, x, numbers=(negative_slope,))
    return np.maximum(x, 0) + negative_slope * np.minimum(x, 0)


def leaky_relu_x(G, x, negative_slope):
    """dz/dx = dz/dy where x > 0, else dz/dy · negative_slope"""
    if large(G) and large(x) and type(negative_slope) in NUMBER and 0 <= negative_slope <= 1:
        return in_blocks(kernels.leaky_relu_vjp, x, G, numbers=(negative_slope,))
    right = x > 0
    return G * right + where(right, 0, G * negative_slope)


def elu_of_array(x, alpha):
    return np.maximum(x, 0) + alpha * np.expm1(np.minimum(x, 0))


def elu_x(G, x, alpha, y):
    """dz/dx = dz/dy where x > 0, else dz/dy · (y + alpha)"""
    right = x > 0
    return G * right + where(right, 0, G * (y + alpha))


def softplus_of_array(x):
    return np.maximum(x, 0) + np.log1p(np.exp(-np.abs(x)))


# The table
# fmt: off
sigmoid      = Elementwise(rows.sigmoid,      sigmoid_of_array,     vjps={0: sigmoid_vjp})
relu         = Elementwise(rows.relu,         relu_of_array,        vjps={0: relu_vjp})
softplus     = Elementwise(rows.softplus,     softplus_of_array)
gelu         = Elementwise(rows.gelu,         gelu_of_array,        vjps={0: gelu_vjp})
gelu_tanh    = Elementwise(rows.gelu_tanh,    gelu_tanh_of_array,   vjps={0: gelu_tanh_vjp})
silu         = Elementwise(rows.silu,         silu_of_array,        vjps={0: silu_vjp})
leaky_relu   = Elementwise(rows.leaky_relu,   leaky_relu_of_array,  vjps={0: leaky_relu_x})
elu          = Elementwise(rows.elu,          elu_of_array,         vjps={0: elu_x})
# fmt: on

"""Elementwise rules: one for each row of scalargrad's table that takes a fixed number of inputs, made from that row.

A rule computes arrays with NumPy's function of the row's name, if there is one, else with the row's own formula. KERNELS lists
what does better. The vjps follow from the row's partials; VJPS lists those that are written by hand, each with its reason.
Where a derivative is a choice, the row says which.
"""

import math
from typing import TYPE_CHECKING

import numpy as np

from scalargrad import options
from scalargrad import rules as rows
from scalargrad.rule import VariadicRow
from tensorgrad.kernels import activations as steps
from tensorgrad.kernels import elementwise as kernels
from tensorgrad.kernels.blocks import in_blocks, large
from tensorgrad.kernels.erf import erf
from tensorgrad.rules.elementwise_rule import Elementwise

NUMBER = (int, float)

KERNELS = {
    rows.pow: kernels.power,
    rows.rsqrt: kernels.rsqrt,
    rows.xlogy: kernels.xlogy,
    rows.erf: erf,
    rows.sinc: np.sinc,
    rows.sqrt_total: np.sqrt,
    rows.where: kernels.where,
    rows.clamp: kernels.clamp,
    rows.clamp_open: kernels.clamp,
    rows.sigmoid: kernels.sigmoid,
    rows.relu: kernels.relu,
    rows.softplus: kernels.softplus,
    rows.gelu: kernels.gelu,
    rows.gelu_tanh: kernels.gelu_tanh,
    rows.silu: kernels.silu,
    rows.leaky_relu: kernels.leaky_relu,
    rows.elu: kernels.elu,
}


def power_base(G, a, b):
    """dz/da = dz/dy · b · a**(b - 1), which is 0 for b = 0"""
    if type(b) in NUMBER:
        return G * (b * rows.pow(a, b - 1)) if b != 0 else G * 0
    return G * rows.power_base(a, b)


def power_exponent(G, a, b, y):
    """dz/db = dz/dy · y · log a, which is 0 at a = 0 for b >= 0"""
    if type(a) in NUMBER:
        return G * (y * math.log(a)) if a > 0 else G * rows.power_exponent(np.asarray(a, y.dtype), b, y)
    return G * rows.power_exponent(a, b, y)


def xlogy_a(G, a, b):
    """dz/da = dz/dy · log b, but 0 where a = 0 and b <= 0"""
    if type(b) in NUMBER:
        return G * math.log(b) if b > 0 else rows.where(rows.no_log(a, b), 0, G * rows.log(b))
    flat = rows.no_log(a, b)
    return rows.where(flat, 0, G * rows.log(rows.where(flat, 1, b)))


def log_vjp(G, x):
    """dz/dx = dz/dy / x"""
    return G / x


def sqrt_vjp(G, y):
    """dz/dx = dz/dy / (2y)"""
    return G / (2 * y)


# Choices. A product with a mask is ten times as fast as np.where, and 1 * mask would be an array of int64.


def maximum_a(G, a, b):
    """dz/da = dz/dy where a > b, half of it where a = b"""
    return shared(G, a > b, a == b)


def maximum_b(G, a, b):
    """dz/db = dz/dy where b > a, half of it where a = b"""
    return shared(G, b > a, a == b)


def minimum_a(G, a, b):
    """dz/da = dz/dy where a < b, half of it where a = b"""
    return shared(G, a < b, a == b)


def minimum_b(G, a, b):
    """dz/db = dz/dy where b < a, half of it where a = b"""
    return shared(G, b < a, a == b)


def taken_a(G, a, b, y):
    """dz/da = dz/dy where y is a, half of it where a = b"""
    return shared(G, (a == y) & (a != b), a == b)


def taken_b(G, a, b, y):
    """dz/db = dz/dy where y is b, half of it where a = b"""
    return shared(G, (b == y) & (a != b), a == b)


def shared(G, wins, ties):
    part = G * wins
    return part + G * ties * 0.5 if ties.any() else part


def where_a(G, condition):
    """dz/da = dz/dy where the condition holds, else 0"""
    return rows.where(condition, G, 0)


def where_b(G, condition):
    """dz/db = 0 where the condition holds, else dz/dy"""
    return rows.where(condition, 0, G)


def clamp_max(G, x, min, max):
    """dz/dmax = dz/dy where maximum(x, min) > max, else 0"""
    return G * (rows.maximum(x, min) > max)


def clamp_open_max(G, x, min, max):
    """dz/dmax = dz/dy where maximum(x, min) >= max, else 0"""
    return G * (rows.maximum(x, min) >= max)


def sigmoid_vjp(G, y):
    """dz/dx = dz/dy · y (1 - y)"""
    if large(G) and large(y):
        return in_blocks(steps.sigmoid_vjp, y, G)
    return G * (y * (1 - y))


def relu_vjp(G, y):
    """dz/dx = dz/dy where y > 0, else 0"""
    if large(G) and large(y):
        return in_blocks(steps.relu_vjp, y, G)
    return G * (y > 0)


def gelu_vjp(G, x):
    """dz/dx = dz/dy · (Φ(x) + x φ(x)), with the standard normal Φ and φ"""
    if large(G) and large(x):
        return in_blocks(steps.gelu_vjp, x, G)
    return G * (rows.normal_below(x) + rows.finite(x) * rows.normal_density(x))


def gelu_tanh_vjp(G, x, y):
    """dz/dx = dz/dy · (s + y (1 - s) 2u'), where s = sigmoid(2u), u = √(2/π) (x + 0.044715 x³)"""
    if large(G) and large(x):
        return in_blocks(steps.gelu_tanh_vjp, x, y, G)
    s = rows.sigmoid(rows.bend(x))
    return G * (s + rows.finite(y) * (1 - s) * rows.finite(rows.bend_slope(x)))


def silu_vjp(G, x):
    """dz/dx = dz/dy · s (1 + x (1 - s)), where s = sigmoid(x)"""
    if large(G) and large(x):
        return in_blocks(steps.silu_vjp, x, G)
    s = rows.sigmoid(x)
    return G * (s * (1 + rows.finite(x) * (1 - s)))


def leaky_relu_x(G, x, negative_slope):
    """dz/dx = dz/dy where x > 0, else dz/dy · negative_slope"""
    if large(G) and large(x) and type(negative_slope) in NUMBER and 0 <= negative_slope <= 1:
        return in_blocks(steps.leaky_relu_vjp, x, G, numbers=(negative_slope,))
    right = x > 0
    return G * right + rows.where(right, 0, G * negative_slope)


def elu_x(G, x, alpha, y):
    """dz/dx = dz/dy where x > 0, else dz/dy · (y + alpha)"""
    right = x > 0
    return G * right + rows.where(right, 0, G * (y + alpha))


VJPS = {
    rows.pow: {0: power_base, 1: power_exponent},
    rows.sqrt: {0: sqrt_vjp},
    rows.log: {0: log_vjp},
    rows.xlogy: {0: xlogy_a},
    rows.maximum: {0: maximum_a, 1: maximum_b},
    rows.minimum: {0: minimum_a, 1: minimum_b},
    rows.fmax: {0: taken_a, 1: taken_b},
    rows.fmin: {0: taken_a, 1: taken_b},
    rows.where: {1: where_a, 2: where_b},
    rows.clamp: {2: clamp_max},
    rows.clamp_open: {2: clamp_open_max},
    rows.sigmoid: {0: sigmoid_vjp},
    rows.relu: {0: relu_vjp},
    rows.gelu: {0: gelu_vjp},
    rows.gelu_tanh: {0: gelu_tanh_vjp},
    rows.silu: {0: silu_vjp},
    rows.leaky_relu: {0: leaky_relu_x},
    rows.elu: {0: elu_x},
}


def numpy_ufunc(row):
    """Return NumPy's function of a row, or None."""
    function = getattr(np, row.numpy, None)
    return function if isinstance(function, np.ufunc) else None


ROWS = [row for row in rows.TABLE if not isinstance(row, VariadicRow)]
#: each rule by the name of its row; they are also the names of this file
RULES = {row.name: Elementwise(row, KERNELS.get(row) or numpy_ufunc(row), VJPS.get(row, {})) for row in ROWS}
#: what NumPy calls by another name
NUMPY = {numpy_ufunc(row): RULES[row.name] for row in ROWS if numpy_ufunc(row)}
METHODS = [name for name in options.METHODS if name in RULES]

globals().update(RULES)
if TYPE_CHECKING:  # a type checker takes every other name here for a rule

    def __getattr__(name: str) -> Elementwise: ...

else:
    __all__ = [name for name in options.FUNCTIONS if name in RULES]

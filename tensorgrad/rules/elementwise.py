"""Elementwise rules: one for each row of scalargrad's table that takes a fixed number of inputs, made from that row.

A rule computes arrays with NumPy's function of the row's name, if there is one, else with the row's own formula. For a row in
KERNELS, it uses the function given there. The vjps follow from the row's partials; VJPS lists those that are written by hand,
each with its reason. Where a derivative is a choice, the row says which.
"""

import math
from typing import TYPE_CHECKING

import numpy as np

from scalargrad import options
from scalargrad import rules as rows
from scalargrad.rule import VariadicRow
from tensorgrad.kernels import activations as steps
from tensorgrad.kernels import elementwise as kernels
from tensorgrad.kernels import remainders
from tensorgrad.kernels.blocks import by_blocks, divided, in_blocks, in_place, large
from tensorgrad.kernels.erf import erf
from tensorgrad.numpy_dispatch import numpy
from tensorgrad.public import method
from tensorgrad.rules.elementwise_rule import Elementwise
from tensorgrad.vjp import vjp

NUMBER = (int, float)

SLOW = (rows.exp, rows.expm1, rows.log, rows.log1p, rows.sin, rows.cos, rows.tan, rows.tanh, rows.sinh, rows.cosh)
KERNELS = {
    **{row: kernels.slow(getattr(np, row.numpy)) for row in SLOW},
    rows.pow: kernels.power,
    rows.rsqrt: kernels.rsqrt,
    rows.logaddexp: kernels.logaddexp,
    rows.logaddexp2: kernels.logaddexp2,
    rows.hypot: kernels.hypot,
    rows.fmod: kernels.fmod,
    rows.remainder: kernels.remainder,
    rows.xlogy: kernels.xlogy,
    rows.erf: erf,
    rows.sinc: by_blocks(np.sinc),
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


# Vjps by hand. A ratio is the time of the vjp here divided by the time of the row's vjp (`python -m benchmarks.tensor_vjps`).


def power_exponent(G, a, b, y):
    """dz/db = dz/dy · y · log a, which is 0 at a = 0 for b >= 0"""  # the result stays float32 beside a Python number as the base
    if type(a) in NUMBER:
        return G * (y * math.log(a)) if a > 0 else G * rows.power_exponent(np.asarray(a, y.dtype), b, y)
    return G * rows.power_exponent(a, b, y)


def xlogy_a(G, a, b):
    """dz/da = dz/dy · log b, but 0 where a = 0 and b <= 0"""  # ratio 0.8 to 0.9 at all sizes
    if type(b) in NUMBER:
        return G * math.log(b) if b > 0 else rows.where(rows.no_log(a, b), 0, G * rows.log(b))
    flat = rows.no_log(a, b)
    return rows.where(flat, 0, G * rows.log(rows.where(flat, 1, b)))


def logaddexp_share(G, a, b, factor=1):
    """Return dz/dy / (1 + exp(factor · (b - a))). The ratio is 0.2 to 0.4 from 10⁴ entries on."""
    if large(G) and large(a) and large(b) and G.shape == a.shape == b.shape:
        return in_blocks(steps.logaddexp_vjp, G, a, b, numbers=(factor,))
    return G * rows.share_of_two(a, b, factor)


def hypot_share(G, a, y):
    """Return dz/dy · a / y, which is 0 where y is 0. The ratio is 0.3 at 10⁶ entries."""
    if large(G) and large(a) and large(y) and G.shape == a.shape == y.shape and G.dtype == a.dtype == y.dtype:
        return in_blocks(steps.hypot_vjp, G, a, y)
    return G * (a / (y + (y == 0)))


@in_place
def clamp_open_x(G, x, min, max):
    """dz/dx = dz/dy where min < x < max, else 0"""  # ratio 0.5 at 10⁶ entries
    if large(G) and large(x) and type(min) in NUMBER and type(max) in NUMBER:
        return in_blocks(steps.clamp_open_vjp, G, x, numbers=(min, max))
    return G * ((x > min) * (x < max))


def remainder_b(G, a, b):
    """dz/db = -dz/dy · ⌊a / b⌋"""  # ratio 0.1 from 10⁴ entries on
    if large(G) and large(a) and large(b) and G.shape == a.shape == b.shape and G.dtype == a.dtype == b.dtype:
        return in_blocks(remainders.remainder_b_vjp, G, a, b)
    return G * -rows.floor_divide(a, b)


def shared(G, wins, ties):
    """Return dz/dy where an input wins, and half of it where both tie. A product with a mask is faster than np.where."""
    part = G * wins
    return part + G * ties * 0.5 if ties.any() else part


def by_condition(condition, a, b, G):
    """Return a where the condition holds, else b: of plain arrays by the kernel at once."""
    return (kernels.where if type(condition) is type(G) is np.ndarray else rows.where)(condition, a, b)


@in_place
def relu_x(G, y):
    """dz/dx = dz/dy where y > 0, else 0"""
    return in_blocks(steps.relu_vjp, G, y) if large(G) and large(y) else G * (y > 0)


@in_place
def leaky_relu_x(G, x, negative_slope):
    """dz/dx = dz/dy where x > 0, else dz/dy · negative_slope"""  # ratio 0.5 at 10⁴ entries, 0.2 at 10⁶, both in float32
    if large(G) and large(x) and type(negative_slope) in NUMBER and 0 <= negative_slope <= 1:
        return in_blocks(steps.leaky_relu_vjp, G, x, numbers=(negative_slope,))
    if type(G) is type(x) is np.ndarray:
        return kernels.where(x > 0, G, G * negative_slope)
    right = x > 0
    return G * right + rows.where(right, 0, G * negative_slope)


@in_place
def elu_x(G, x, alpha):
    """dz/dx = dz/dy where x > 0, else dz/dy · alpha exp(x)"""  # y + alpha would lose the digits of exp(x) for y near -alpha
    if large(G) and large(x) and type(alpha) in NUMBER and math.isfinite(alpha):
        return in_blocks(steps.elu_vjp, G, x, numbers=(alpha,))
    if type(G) is type(x) is np.ndarray:
        return np.where(x > 0, G, G * alpha * np.exp(np.minimum(x, 0)))
    right = x > 0
    return rows.where(right, G, G * alpha * rows.exp(rows.where(right, 0, x)))


@in_place
def softplus_x(G, x):
    """dz/dx = dz/dy · sigmoid(x)"""  # softplus_slope has the same value, and is for its derivative; ratio 0.3 at 10⁶ entries
    if large(G) and large(x):
        return in_blocks(steps.softplus_vjp, G, x)
    return G * (rows.sigmoid(x) if type(x) is np.ndarray else rows.softplus_slope(x))


TAKEN = {  # of fmax and fmin
    0: vjp("dz/da = dz/dy where y is a, half of it where a = b", lambda G, a, b, y: shared(G, (a == y) & (a != b), a == b)),
    1: vjp("dz/db = dz/dy where y is b, half of it where a = b", lambda G, a, b, y: shared(G, (b == y) & (a != b), a == b)),
}
VJPS = {
    rows.pow: {1: power_exponent},
    rows.div: {0: divided},  # ratio 0.5 to 0.7 at all sizes
    rows.sqrt: {0: vjp("dz/dx = dz/dy / (2y)", lambda G, y: G / (2 * y))},  # ratio 0.7 at 16 and 10⁴ entries
    rows.log: {0: vjp("dz/dx = dz/dy / x", lambda G, x: G / x)},  # ratio 0.5 at 16 and 10⁴ entries
    rows.logaddexp: {
        0: vjp("dz/da = dz/dy / (1 + exp(b - a))", lambda G, a, b: logaddexp_share(G, a, b)),
        1: vjp("dz/db = dz/dy / (1 + exp(a - b))", lambda G, a, b: logaddexp_share(G, b, a)),
    },
    rows.logaddexp2: {
        0: vjp("dz/da = dz/dy / (1 + 2^(b - a))", lambda G, a, b: logaddexp_share(G, a, b, math.log(2))),
        1: vjp("dz/db = dz/dy / (1 + 2^(a - b))", lambda G, a, b: logaddexp_share(G, b, a, math.log(2))),
    },
    rows.hypot: {
        0: vjp("dz/da = dz/dy · a / y, and 0 where y = 0", lambda G, a, y: hypot_share(G, a, y)),
        1: vjp("dz/db = dz/dy · b / y, and 0 where y = 0", lambda G, b, y: hypot_share(G, b, y)),
    },
    rows.clamp_open: {0: clamp_open_x},
    rows.remainder: {1: remainder_b},
    rows.xlogy: {0: xlogy_a},
    rows.maximum: {  # ratios 0.3 to 0.6 at all sizes, also of the three after it
        0: vjp("dz/da = dz/dy where a > b, half of it where a = b", lambda G, a, b: shared(G, a > b, a == b)),
        1: vjp("dz/db = dz/dy where b > a, half of it where a = b", lambda G, a, b: shared(G, b > a, a == b)),
    },
    rows.minimum: {
        0: vjp("dz/da = dz/dy where a < b, half of it where a = b", lambda G, a, b: shared(G, a < b, a == b)),
        1: vjp("dz/db = dz/dy where b < a, half of it where a = b", lambda G, a, b: shared(G, b < a, a == b)),
    },
    rows.fmax: TAKEN,
    rows.fmin: TAKEN,
    rows.where: {  # also where dz/dy is infinite: 0 times it would be nan
        1: vjp("dz/da = dz/dy where the condition holds, else 0", lambda G, condition: by_condition(condition, G, 0, G)),
        2: vjp("dz/db = 0 where the condition holds, else dz/dy", lambda G, condition: by_condition(condition, 0, G, G)),
    },
    # needs y, which the next function often saves too, so x is freed
    rows.relu: {0: relu_x},
    rows.leaky_relu: {0: leaky_relu_x},
    rows.elu: {0: elu_x},
    rows.softplus: {0: softplus_x},
}

#: kernels that compute the row's vjp in blocks and in place, for large arrays
STEPS = {
    rows.sigmoid: steps.sigmoid_vjp,  # ratio 0.9 at 10⁷ entries
    rows.tanh: steps.tanh_vjp,  # ratio 0.7
    rows.gelu: steps.gelu_vjp,  # ratio 0.7 at 10⁶ entries
    rows.gelu_tanh: steps.gelu_tanh_vjp,  # ratio 0.3 to 0.5
    rows.silu: steps.silu_vjp,  # ratio 0.4
}


def numpy_ufunc(row):
    """Return NumPy's function of a row, or None."""
    function = getattr(np, row.numpy, None)
    return function if isinstance(function, np.ufunc) else None


ROWS = [row for row in rows.TABLE if not isinstance(row, VariadicRow)]
#: each rule by the name of its row; they are also the names of this file
RULES = {row.name: Elementwise(row, KERNELS.get(row) or numpy_ufunc(row), VJPS.get(row, {}), STEPS.get(row)) for row in ROWS}
for _row in ROWS:
    if numpy_ufunc(_row):
        numpy(numpy_ufunc(_row))(RULES[_row.name])
    if _row.name in options.METHODS:
        method(RULES[_row.name])

globals().update(RULES)
if TYPE_CHECKING:  # a type checker finds the names of the rows here
    from scalargrad.rules import *  # type: ignore[assignment]  # noqa: F403

else:
    __all__ = [name for name in options.FUNCTIONS if name in RULES]

"""Functions of single entries: the rows of scalargrad's table, lifted, with NumPy's kernels where it has them.

Pulls that are written out here make no array of another kind on their way, or are a measured gain; each is its row's formula.
Where a derivative is a choice, the row says which.
"""

import math

import numpy as np

from scalargrad import rules as rows
from tensorgrad.kernels import activations as kernels
from tensorgrad.kernels.entrywise import in_blocks, large
from tensorgrad.lift import Elementwise
from tensorgrad.public import public
from tensorgrad.special import erf as erf_of_array

# fmt: off
__all__ = [
    "add", "sub", "mul", "div", "neg", "pow", "square", "reciprocal", "sqrt", "rsqrt",
    "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "logaddexp", "xlogy", "erf",
    "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh",
    "abs", "sign", "maximum", "minimum", "where", "clamp", "clip",
    "floor", "ceil", "trunc", "round", "floor_divide", "remainder", "fmod",
]
METHODS = [name for name in __all__ if name != "where"]  # its first argument is the condition
# fmt: on

ARRAY, NUMBER = np.ndarray, (int, float)
BITS = {np.dtype(np.float32): np.int32, np.dtype(np.float64): np.int64}


# Powers. NumPy's power takes 600 ms for the cubes of 10⁷ numbers, two multiplications take 15.

WHOLE = frozenset(range(-16, 17))  # exponents for which products are both quicker and as exact


def power(a, b):
    """a ** b; for a small whole number b by repeated squaring."""
    if type(b) in NUMBER and type(a) is ARRAY and a.dtype.kind == "f":
        if b in WHOLE:
            return repeated(a, int(b)) if b >= 0 else np.reciprocal(repeated(a, int(-b)))
        if b == 0.5:
            return np.sqrt(a)
    return np.power(a, b)


def repeated(a, n):
    """a · a · ... · a with n factors."""
    if n < 2:
        return a.copy() if n else np.ones_like(a)
    y = None
    while n:
        if n % 2:
            y = a if y is None else y * a
        n //= 2
        if n:
            a = a * a
    return y


def power_base(G, a, b):
    """dz/da = dz/dy · b · a**(b - 1), which is 0 for b = 0"""
    if type(b) in NUMBER:
        return G * (b * pow(a, b - 1)) if b != 0 else G * 0
    return G * rows.power_base(a, b)


def power_exponent(G, a, b, y):
    """dz/db = dz/dy · y · log a, which is 0 at a = 0 for b >= 0"""
    if type(a) in NUMBER:
        return G * (y * math.log(a)) if a > 0 else G * rows.power_exponent(np.asarray(a, y.dtype), b, y)
    return G * rows.power_exponent(a, b, y)


def xlogy_of_arrays(a, b):
    """a log b, and 0 for a = 0."""
    if type(b) in NUMBER and type(a) is ARRAY and a.dtype.kind == "f":
        b = np.asarray(b, a.dtype)
    return np.where(a == 0, np.where(b == b, 0, b), a * np.log(b))


def xlogy_a(G, a, b):
    """dz/da = dz/dy · log b, but 0 where a = 0 and b <= 0"""
    if type(b) in NUMBER:
        return G * math.log(b) if b > 0 else where(rows.no_log(a, b), 0, G * rows.log(b))
    flat = rows.no_log(a, b)
    return where(flat, 0, G * log(where(flat, 1, b)))


def log_pull(G, x):
    """dz/dx = dz/dy / x"""
    return G / x


def sqrt_pull(G, y):
    """dz/dx = dz/dy / (2y)"""
    return G / (2 * y)


# Choices. A product with a mask is ten times as fast as np.where, and 1 * mask would be an array of int64.


def relu_pull(G, y):
    """dz/dx = dz/dy where y > 0, else 0"""
    if large(G) and large(y):
        return in_blocks(kernels.relu_pull, y, G)
    return G * (y > 0)


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


def shared(G, wins, ties):
    part = G * wins
    return part + G * ties * 0.5 if ties.any() else part


def chosen(c, a, b):
    """a where c holds, else b."""
    if type(c) is ARRAY:
        if c.dtype != bool:
            c = c != 0
        if type(b) in NUMBER and b == 0 and type(a) is ARRAY and a.dtype in BITS:
            return kept_where(a, c)
        if type(a) in NUMBER and a == 0 and type(b) is ARRAY and b.dtype in BITS:
            return kept_where(b, ~c)
    return np.where(c, a, b)


def kept_where(x, c):
    """x where c holds, else 0, also beside inf and nan: the bits of x where c is all ones. np.where takes four times as long."""
    return (x.view(BITS[x.dtype]) & np.negative(c.view(np.int8))).view(x.dtype)


def where_a(G, condition):
    """dz/da = dz/dy where the condition holds, else 0"""
    return where(condition, G, 0)


def where_b(G, condition):
    """dz/db = 0 where the condition holds, else dz/dy"""
    return where(condition, 0, G)


def held(x, low, high):
    """x held between low and high."""
    if type(low) in NUMBER and low == -math.inf:
        return np.minimum(x, high)
    if type(high) in NUMBER and high == math.inf:
        return np.maximum(x, low)
    return np.minimum(np.maximum(x, low), high)


def clamp_high(G, x, low, high):
    """dz/dhigh = dz/dy where max(x, low) > high, else 0"""
    return G * (maximum(x, low) > high)


def clamp_open_high(G, x, low, high):
    """dz/dhigh = dz/dy where max(x, low) >= high, else 0"""
    return G * (maximum(x, low) >= high)


# Activations. Large arrays go through block by block; below that stands what it comes to.


def sigmoid_of_array(x):
    if large(x):
        return in_blocks(kernels.sigmoid, x)
    return 1 / (1 + np.exp(-x))


def sigmoid_pull(G, y):
    """dz/dx = dz/dy · y (1 - y)"""
    if large(G) and large(y):
        return in_blocks(kernels.sigmoid_pull, y, G)
    return G * (y * (1 - y))


def relu_of_array(x):
    return in_blocks(kernels.relu, x) if large(x) else np.maximum(x, 0)


def gelu_of_array(x):
    if large(x):
        return in_blocks(kernels.gelu, x)
    return kernels.above(x) * (erf_of_array(x * math.sqrt(0.5)) * 0.5 + 0.5)


def below(x):
    """(1 + erf(x/√2)) / 2"""
    return erf(x * math.sqrt(0.5)) * 0.5 + 0.5


def gelu_pull(G, x):
    """dz/dx = dz/dy · (Φ(x) + x φ(x)), with the standard normal Φ and φ"""
    if large(G) and large(x):
        return in_blocks(kernels.gelu_pull, x, G)
    return G * (below(x) + rows.finite(x) * rows.normal_density(x))


def gelu_tanh_of_array(x):
    if large(x):
        return in_blocks(kernels.gelu_tanh, x)
    return kernels.above(x) * sigmoid_of_array(rows.bend(x))


def gelu_tanh_pull(G, x, y):
    """dz/dx = dz/dy · (s + y (1 - s) 2u'), where s = sigmoid(2u), u = √(2/π) (x + 0.044715 x³)"""
    if large(G) and large(x):
        return in_blocks(kernels.gelu_tanh_pull, x, y, G)
    s = sigmoid(rows.bend(x))
    return G * (s + rows.finite(y) * (1 - s) * rows.finite(rows.bend_slope(x)))


def silu_of_array(x):
    return in_blocks(kernels.silu, x) if large(x) else kernels.above(x) / (1 + np.exp(-x))


def silu_pull(G, x):
    """dz/dx = dz/dy · s (1 + x (1 - s)), where s = sigmoid(x)"""
    if large(G) and large(x):
        return in_blocks(kernels.silu_pull, x, G)
    s = sigmoid(x)
    return G * (s * (1 + rows.finite(x) * (1 - s)))


def leaky_relu_of_array(x, slope):
    if large(x) and type(slope) in NUMBER and slope and math.isfinite(slope):
        return in_blocks(kernels.leaky_relu, x, numbers=(slope,))
    return np.maximum(x, 0) + slope * np.minimum(x, 0)


def leaky_relu_x(G, x, slope):
    """dz/dx = dz/dy where x > 0, else dz/dy · slope"""
    if large(G) and large(x) and type(slope) in NUMBER and 0 <= slope <= 1:
        return in_blocks(kernels.leaky_relu_pull, x, G, numbers=(slope,))
    right = x > 0
    return G * right + where(right, 0, G * slope)


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

# Arithmetic
add          = Elementwise(rows.add,          np.add)
sub          = Elementwise(rows.sub,          np.subtract)
mul          = Elementwise(rows.mul,          np.multiply)
div          = Elementwise(rows.div,          np.divide)
neg          = Elementwise(rows.neg,          np.negative)
pow          = Elementwise(rows.pow,          power,                pulls={0: power_base, 1: power_exponent})

# Powers, exponentials, logarithms
square       = Elementwise(rows.square,       np.square)
reciprocal   = Elementwise(rows.reciprocal)
root         = Elementwise(rows.sqrt,         np.sqrt,              pulls={0: sqrt_pull})
sqrt_total   = Elementwise(rows.sqrt_total,   np.sqrt)
rsqrt        = Elementwise(rows.rsqrt,        lambda x: np.reciprocal(np.sqrt(x)))
exp          = Elementwise(rows.exp,          np.exp)
exp2         = Elementwise(rows.exp2,         np.exp2)
expm1        = Elementwise(rows.expm1,        np.expm1)
log          = Elementwise(rows.log,          np.log,               pulls={0: log_pull})
log2         = Elementwise(rows.log2,         np.log2)
log10        = Elementwise(rows.log10,        np.log10)
log1p        = Elementwise(rows.log1p,        np.log1p)
logaddexp    = Elementwise(rows.logaddexp,    np.logaddexp)
xlogy        = Elementwise(rows.xlogy,        xlogy_of_arrays,      pulls={0: xlogy_a})

# Circles and hyperbolas
sin          = Elementwise(rows.sin,          np.sin)
cos          = Elementwise(rows.cos,          np.cos)
tan          = Elementwise(rows.tan,          np.tan)
asin         = Elementwise(rows.asin,         np.arcsin)
acos         = Elementwise(rows.acos,         np.arccos)
atan         = Elementwise(rows.atan,         np.arctan)
atan2        = Elementwise(rows.atan2,        np.arctan2)
sinh         = Elementwise(rows.sinh,         np.sinh)
cosh         = Elementwise(rows.cosh,         np.cosh)
tanh         = Elementwise(rows.tanh,         np.tanh)
asinh        = Elementwise(rows.asinh,        np.arcsinh)
acosh        = Elementwise(rows.acosh,        np.arccosh)
atanh        = Elementwise(rows.atanh,        np.arctanh)

# Activations; functions/activations.py gives them their options
sigmoid      = Elementwise(rows.sigmoid,      sigmoid_of_array,     pulls={0: sigmoid_pull})
relu         = Elementwise(rows.relu,         relu_of_array,        pulls={0: relu_pull})
softplus     = Elementwise(rows.softplus,     softplus_of_array)
erf          = Elementwise(rows.erf,          erf_of_array)
gelu         = Elementwise(rows.gelu,         gelu_of_array,        pulls={0: gelu_pull})
gelu_tanh    = Elementwise(rows.gelu_tanh,    gelu_tanh_of_array,   pulls={0: gelu_tanh_pull})
silu         = Elementwise(rows.silu,         silu_of_array,        pulls={0: silu_pull})
leaky_relu   = Elementwise(rows.leaky_relu,   leaky_relu_of_array,  pulls={0: leaky_relu_x})
elu          = Elementwise(rows.elu,          elu_of_array,         pulls={0: elu_x})

# Choices
abs          = Elementwise(rows.abs,          np.abs)
sign         = Elementwise(rows.sign,         np.sign)
maximum      = Elementwise(rows.maximum,      np.maximum,           pulls={0: maximum_a, 1: maximum_b})
minimum      = Elementwise(rows.minimum,      np.minimum,           pulls={0: minimum_a, 1: minimum_b})
where        = Elementwise(rows.where,        chosen,               pulls={1: where_a, 2: where_b})
clamp_closed = Elementwise(rows.clamp,        held,                 pulls={2: clamp_high})
clamp_open   = Elementwise(rows.clamp_open,   held,                 pulls={2: clamp_open_high})

# Steps and remainders
floor        = Elementwise(rows.floor,        np.floor)
ceil         = Elementwise(rows.ceil,         np.ceil)
trunc        = Elementwise(rows.trunc,        np.trunc)
nearest      = Elementwise(rows.round,        np.rint)
floor_divide = Elementwise(rows.floor_divide, np.floor_divide)
remainder    = Elementwise(rows.remainder,    np.remainder)
fmod         = Elementwise(rows.fmod,         np.fmod)
# fmt: on


@public
def sqrt(x, total=False):
    """The square root; nan below 0. Its derivative at 0 is inf; with total=True it is 0 for all x <= 0.

    >>> from tensorgrad import Tensor; x = Tensor([0.0, 4.0]); sqrt(x, total=True).sum().backward(); x.grad
    array([0.  , 0.25])
    """
    return sqrt_total(x) if total else root(x)


@public
def clamp(x, min=None, max=None, total=False):
    """x held between min and max, either of which may be left out, a number, an array or a tensor.

    The derivative is 1 on the closed interval; with total=True on the open one only, so that it is 0 on a bound. Where min > max
    the result is max. ValueError if both are left out.

    >>> from tensorgrad import Tensor; x = Tensor([-2.0, 0.0, 3.0]); clamp(x, 0, 1).sum().backward(); x.grad
    array([0., 1., 0.])
    """
    if min is None and max is None:
        raise ValueError("clamp: neither min nor max is given; give one of them, or both")
    rule = clamp_open if total else clamp_closed
    return rule(x, -math.inf if min is None else min, math.inf if max is None else max)


@public
def clip(a, a_min=None, a_max=None, *, min=None, max=None):
    """clamp, with NumPy's names of its arguments.

    >>> clip(np.array([-2.0, 0.5, 3.0]), 0, 1)
    array([0. , 0.5, 1. ])
    """
    return clamp(a, a_min if min is None else min, a_max if max is None else max)


@public
def round(x, decimals=0):
    """The nearest whole number, the even one of two, or the nearest with so many decimals; the derivative is 0.

    >>> round(np.array([0.5, 1.5, 2.345]), decimals=1)
    array([0.5, 1.5, 2.3])
    """
    return nearest(x) if decimals == 0 else nearest(x * 10.0**decimals) / 10.0**decimals


NUMPY = {  # by another name there
    np.subtract: sub,
    np.multiply: mul,
    np.divide: div,
    np.negative: neg,
    np.rint: nearest,
    np.fix: trunc,
    np.fabs: abs,
    np.positive: lambda x: x,
    np.degrees: lambda x: x * (180 / math.pi),
    np.radians: lambda x: x * (math.pi / 180),
    np.rad2deg: lambda x: x * (180 / math.pi),
    np.deg2rad: lambda x: x * (math.pi / 180),
}

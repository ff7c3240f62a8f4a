"""Elementwise functions of plain arrays, where NumPy has none or a slow one. Legend: the names of the inputs are those of the rows."""

import math

import numpy as np

from tensorgrad.kernels import activations as steps
from tensorgrad.kernels import remainders
from tensorgrad.kernels.blocks import FOR_THREADS, blocks_of, by_blocks, in_blocks, large, simple

ARRAY, NUMBER = np.ndarray, (int, float)
BITS = {np.dtype(np.float32): np.int32, np.dtype(np.float64): np.int64}


# Functions of NumPy that take longer than reading and writing. Several threads compute large arrays.


def slow(ufunc):
    """Return NumPy's function of one array for any x."""

    @simple
    def step(out, x):
        ufunc(x, out=out)

    def kernel(x):
        if type(x) is ARRAY and x.size >= 2 * FOR_THREADS and x.dtype in BITS:
            return in_blocks(step, x)
        return ufunc(x)

    return kernel


# Powers. NumPy's power takes 600 ms for the cubes of 10⁷ numbers; two multiplications take 15 ms.

WHOLE = frozenset(range(-16, 17))  # exponents for which products are both quicker and as exact


def power(a, b):
    """Return a ** b. A small integer b takes repeated squaring."""
    if type(b) in NUMBER and type(a) is ARRAY and a.dtype.kind == "f":
        if b in WHOLE:
            return repeated(a, int(b)) if b >= 0 else np.reciprocal(repeated(a, int(-b)))
        if b == 0.5:
            return np.sqrt(a)
    return np.power(a, b)


def repeated(a, n):
    """Return a · a · ... · a with n factors."""
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


@by_blocks
def rsqrt(x):
    """Return 1 / √x."""
    return np.reciprocal(np.sqrt(x))


def xlogy(a, b):
    """Return a log b, and 0 for a = 0."""
    if type(b) in NUMBER and type(a) is ARRAY and a.dtype.kind == "f":
        b = np.asarray(b, a.dtype)
    return np.where(a == 0, np.where(b == b, 0, b), a * np.log(b))


def of_two(steps, ufunc):
    """Return NumPy's function of two inputs in the form that computes large arrays by `steps`."""

    def kernel(a, b):
        if large(a) and (type(b) in NUMBER or (type(b) is ARRAY and b.dtype == a.dtype and b.shape in (a.shape, ()))):
            return in_blocks(steps, a, np.asarray(b, a.dtype))
        return ufunc(a, b)

    kernel.__doc__ = f"Return np.{ufunc.__name__}(a, b)."
    return kernel


logaddexp, logaddexp2 = of_two(steps.logaddexp, np.logaddexp), of_two(steps.logaddexp2, np.logaddexp2)
hypot = of_two(steps.hypot, np.hypot)
fmod, remainder = of_two(remainders.fmod, np.fmod), of_two(remainders.remainder, np.remainder)


# Choices


def where(c, a, b):
    """Return a where c holds, else b."""
    if type(c) is ARRAY:
        if c.dtype != bool:
            c = c != 0
        if type(b) in NUMBER and b == 0 and type(a) is ARRAY and a.dtype in BITS:
            return kept_where(a, c)
        if type(a) in NUMBER and a == 0 and type(b) is ARRAY and b.dtype in BITS:
            return kept_where(b, ~c)
        if large(a) and type(b) is ARRAY and a.dtype == b.dtype and all(x.shape == c.shape and x.flags.c_contiguous for x in (a, b, c)):
            return chosen(c, a, b)
    return np.where(c, a, b)


def kept_where(x, c):
    """Return x where c holds, else 0, also beside inf and nan: the bits of x where c is all ones. np.where takes four times as long."""
    return (x.view(BITS[x.dtype]) & np.negative(c.view(np.int8))).view(x.dtype)


def chosen(c, a, b):
    """Return np.where of arrays of one shape, bit by bit: ((a ^ b) & c) ^ b. np.where takes five times as long where c often changes."""
    y, bits = np.empty_like(a), BITS[a.dtype]
    out, mask, a, b = [x.reshape(-1).view(kind) for x, kind in ((y, bits), (c, np.int8), (a, bits), (b, bits))]
    for block in blocks_of(y):
        part = np.bitwise_xor(a[block], b[block], out=out[block])
        part &= np.negative(mask[block])
        part ^= b[block]
    return y


def clamp(x, low, high):
    """Return x, but at least low and at most high."""
    if large(x) and type(low) in NUMBER and type(high) in NUMBER:
        return x.clip(low, high)  # one pass, which for small arrays starts late
    if type(low) in NUMBER and low == -math.inf:
        return np.minimum(x, high)
    if type(high) in NUMBER and high == math.inf:
        return np.maximum(x, low)
    return np.minimum(np.maximum(x, low), high)


# Activations. Large arrays are computed in blocks.


def sigmoid(x):
    return in_blocks(steps.sigmoid, x) if large(x) else 1 / (1 + np.exp(-x))


def relu(x):
    return in_blocks(steps.relu, x) if large(x) else np.maximum(x, 0)


def softplus(x):
    return in_blocks(steps.softplus, x) if large(x) else np.maximum(x, 0) + np.log1p(np.exp(-np.abs(x)))


def logsigmoid(x):
    return in_blocks(steps.logsigmoid, x) if large(x) else np.minimum(x, 0) - np.log1p(np.exp(-np.abs(x)))


def gelu(x):
    return in_blocks(steps.gelu, x)


def gelu_tanh(x):
    return in_blocks(steps.gelu_tanh, x)


def silu(x):
    return in_blocks(steps.silu, x) if large(x) else steps.above(x) / (1 + np.exp(-x))


def leaky_relu(x, negative_slope):
    if large(x) and type(negative_slope) in NUMBER and negative_slope and math.isfinite(negative_slope):
        return in_blocks(steps.leaky_relu, x, numbers=(negative_slope,))
    if large(x) and type(negative_slope) is ARRAY and negative_slope.size and negative_slope.min() > 0 and negative_slope.max() <= 1:
        y = x * negative_slope
        return np.maximum(x, y, out=y)
    return np.maximum(x, 0) + negative_slope * np.minimum(x, 0)


def elu(x, alpha):
    if large(x) and type(alpha) in NUMBER and math.isfinite(alpha):
        return in_blocks(steps.elu, x, numbers=(alpha,))
    return np.maximum(x, 0) + alpha * np.expm1(np.minimum(x, 0))

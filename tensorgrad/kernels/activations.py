"""The steps of activations and of their vjps, for large arrays. Legend: out is filled; x, y, g are blocks of input, output, dz/dy."""

import math

import numpy as np

from scalargrad.rules import share_of_two
from tensorgrad.kernels.blocks import ZEROS
from tensorgrad.kernels.erf import erf_steps
from tensorgrad.kernels.registry import kernel

LEAST = 1e-30  # a product with a smaller number may underflow
DENSITY = 1 / math.sqrt(2 * math.pi)  # of the standard normal at 0
BEND, CUBE = 2 * math.sqrt(2 / math.pi), 0.044715  # gelu_tanh is x sigmoid(BEND (x + CUBE x³))


def relu(out, x):
    np.maximum(x, ZEROS[x.dtype][: x.size], out=out)  # np.maximum(x, 0) takes three times as long


def masked(out, g, mask):
    """g where the mask holds, else g · 0. It becomes numbers first: a product with truth values takes 1.1 times as long."""
    np.copyto(out, mask)
    out *= g


def leaky_relu(out, x, slope):
    """The larger of x and slope · x for a slope up to 1, else the smaller. The slope is finite and not 0."""
    np.multiply(x, slope, out=out)
    (np.maximum if slope <= 1 else np.minimum)(x, out, out=out)


def leaky_relu_vjp(out, g, x, slope):
    """For a slope between 0 and 1, where (1 - slope) + slope is 1 to the last bit."""
    slope = out.dtype.type(slope)
    np.copyto(out, x > 0)
    out *= 1 - slope
    out += slope
    out *= g


def elu(out, x, alpha):
    np.minimum(x, ZEROS[x.dtype][: x.size], out=out)
    np.expm1(out, out=out)
    out *= alpha
    out += np.maximum(x, ZEROS[x.dtype][: x.size])


def elu_vjp(out, g, x, alpha):
    """g where x > 0, else g alpha exp(x)"""
    np.minimum(x, ZEROS[x.dtype][: x.size], out=out)
    np.exp(out, out=out)  # 1 where x > 0
    if alpha != 1:
        out *= alpha
        right = np.empty_like(out)
        np.copyto(right, x > 0)
        right *= out.dtype.type(alpha) - 1
        out -= right  # which leaves 1; writing it where the mask holds takes ten times as long
    out *= g


def selu(out, x, alpha, scale):
    elu(out, x, alpha)
    out *= scale


def selu_vjp(out, g, x, alpha, scale):
    """g scale where x > 0, else g scale alpha exp(x)"""
    elu_vjp(out, g, x, alpha)
    out *= scale


def above(x):
    """Return x, but 0 at -inf, beside a factor that is 0 there."""
    return x if np.minimum.reduce(x, axis=None, initial=0) > -math.inf else np.where(x == -math.inf, 0, x)


def finite(x):
    """Return x, but 0 where it is infinite, beside a factor that is 0 there."""
    return x if np.isfinite(np.dot(x, x)) else np.where(np.isfinite(x), x, 0)


def one_plus_exp(out, x):
    """1 + exp(-x)"""
    np.negative(x, out=out)
    np.exp(out, out=out)
    out += 1


def sigmoid(out, x):
    one_plus_exp(out, x)
    np.divide(1, out, out=out)  # np.reciprocal takes twice as long


def softplus_vjp(out, g, x):
    """g sigmoid(x)"""
    one_plus_exp(out, x)
    np.divide(g, out, out=out)


def logsigmoid_vjp(out, g, x):
    """g sigmoid(-x)"""
    np.exp(x, out=out)
    out += 1
    np.divide(g, out, out=out)


def sigmoid_vjp(out, g, y):
    """g y (1 - y)"""
    np.subtract(1, y, out=out)
    out *= y
    out *= g


def tanh_vjp(out, g, y):
    """g (1 - y²)"""
    np.multiply(y, y, out=out)
    np.subtract(1, out, out=out)
    out *= g


def silu(out, x):
    one_plus_exp(out, x)
    np.divide(above(x), out, out=out)


def silu_vjp(out, g, x, y):
    """g (s + y (1 - s)), where s = sigmoid(x) = y / x"""
    factor(out, x, y)
    t = 1 - out
    t *= finite(y)
    out += t
    out *= g


def factor(out, x, y):
    """y / x for y = x · f(x), where f is 1/2 at 0, 0 at -inf and 1 at inf"""
    size = np.abs(x)
    np.divide(y, x, out=out)
    if not (np.minimum.reduce(size) > LEAST and np.isfinite(np.dot(x, x))):
        out[size <= LEAST] = 0.5  # the division lost its digits
        out[size == math.inf] = x[size == math.inf] > 0


def hardswish(out, x):
    """x clamp(x + 3, 0, 6) / 6, but 0 at -inf"""
    hardsigmoid(out, x)
    out *= above(x)


def hardswish_vjp(out, g, x):
    """g (2x + 3) / 6 where |x| < 3; above it is g, below 0"""
    np.divide(x, 3, out=out)
    np.clip(out, -1, 1, out=out)
    kinks = np.trunc(out)  # -1 up to x = -3, 1 from x = 3 on, else 0
    kinks *= 0.5
    out -= kinks
    out += 0.5
    out *= g


def hardsigmoid(out, x):
    """clamp(x + 3, 0, 6) / 6"""
    np.add(x, 3, out=out)
    np.clip(out, 0, 6, out=out)
    out /= 6


def hardsigmoid_vjp(out, g, x):
    """g / 6 where |x| < 3, else 0"""
    np.abs(x, out=out)
    masked(out, g, out < 3)
    out /= 6


@kernel("gelu")
def gelu(out, x):
    """x Φ(x), where Φ(x) = (1 + erf(x/√2)) / 2"""
    np.multiply(x, math.sqrt(0.5), out=out)
    erf_steps(out, out)
    out += 1
    out *= 0.5
    out *= above(x)


@kernel("gelu_vjp")
def gelu_vjp(out, g, x, y):
    """g (Φ(x) + x φ(x)), with the standard normal Φ(x) = y / x and φ"""
    factor(out, x, y)
    t = x * x
    t *= -0.5
    np.exp(t, out=t)
    t *= finite(x)
    t *= DENSITY
    out += t
    out *= g


def bent(out, x):
    """-2u = -2√(2/π) (x + 0.044715 x³)"""
    np.multiply(x, x, out=out)
    out *= -BEND * CUBE
    out -= BEND
    out *= x


@kernel("gelu_tanh")
def gelu_tanh(out, x):
    bent(out, x)
    np.exp(out, out=out)
    out += 1
    np.divide(above(x), out, out=out)


@kernel("gelu_tanh_vjp")
def gelu_tanh_vjp(out, g, x, y):
    """g (s + y (1 - s) 2u'), where s = sigmoid(2u)"""
    share(out, x, y)
    t = x * x
    t *= 3 * BEND * CUBE
    t += BEND
    t = finite(t) * finite(y)
    t *= 1 - out
    out += t
    out *= g


def share(out, x, y):
    """s = sigmoid(2u), which is y / x unless x is so small, or so large, that the division loses its digits."""
    size = np.abs(x, out=out)
    if np.minimum.reduce(size) > LEAST and np.maximum.reduce(size) < math.inf:
        np.divide(y, x, out=out)
        return
    bent(out, x)
    np.exp(out, out=out)
    out += 1
    np.divide(1, out, out=out)


def huber(out, d, delta):
    """c² / 2 + delta (|d| - c), with c = min(|d|, delta)"""
    np.abs(d, out=out)
    c = np.minimum(out, delta)
    out -= c
    out *= delta
    c *= c
    c *= 0.5
    out += c


def huber_vjp(out, g, d, delta):
    """g clamp(d, -delta, delta)"""
    np.clip(d, -delta, delta, out=out)
    out *= g


def hypot(out, a, b):
    """√(a² + b²); NumPy's own where a square may overflow, or lose digits"""
    np.multiply(a, a, out=out)
    t = b * b
    out += t
    if np.minimum.reduce(out) > LEAST and np.maximum.reduce(out) < math.inf:
        np.sqrt(out, out=out)
    else:
        np.hypot(a, b, out=out)


def clamp_open_vjp(out, g, x, low, high):
    """g where low < x < high, else 0"""
    within = x > low
    within &= x < high
    masked(out, g, within)


def logaddexp(out, a, b):
    """max(a, b) + log(1 + exp(-|a - b|)); NumPy's own where a - b is not finite."""
    minus_distance(out, a, b)
    if not np.isfinite(np.dot(out, out)):
        np.logaddexp(a, b, out=out)
        return
    np.exp(out, out=out)
    np.log1p(out, out=out)
    out += np.maximum(a, b)


def logaddexp2(out, a, b):
    """max(a, b) + log₂(1 + 2^-|a - b|); NumPy's own where a - b is not finite."""
    minus_distance(out, a, b)
    if not np.isfinite(np.dot(out, out)):
        np.logaddexp2(a, b, out=out)
        return
    np.exp2(out, out=out)
    np.log1p(out, out=out)
    out *= 1 / math.log(2)
    out += np.maximum(a, b)


def minus_distance(out, a, b):
    """-|a - b|"""
    np.subtract(a, b, out=out)
    np.abs(out, out=out)
    np.negative(out, out=out)


def logaddexp_vjp(out, g, a, b, factor):
    """g / (1 + exp(factor · (b - a))), for the input a; that of the row where a - b is not finite."""
    np.subtract(a, b, out=out)
    if not np.isfinite(np.dot(out, out)):
        np.multiply(g, share_of_two(a, b, factor), out=out)
        return
    if factor != 1:
        out *= factor
    sigmoid(out, out)
    out *= g

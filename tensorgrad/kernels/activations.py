"""The steps of activations and of their vjps, for large arrays. Legend: out is filled; x, y, g are blocks of input, output, dz/dy."""

import math
from functools import partial

import numpy as np

from scalargrad.rules import share_of_two
from tensorgrad.arrays.exponentials import NEAR_EXP, one_plus_exp
from tensorgrad.kernels.blocks import ROOMS, ZEROS, over, simple, times_g
from tensorgrad.kernels.erf import erf_steps, in_arrays, polynomial
from tensorgrad.kernels.registry import kernel

LEAST = 1e-30  # a product with a smaller number may underflow
SIGNS = {np.dtype(np.float32): (np.uint32, np.uint32(1 << 31)), np.dtype(np.float64): (np.uint64, np.uint64(1 << 63))}
DENSITY = 1 / math.sqrt(2 * math.pi)  # of the standard normal at 0
NO_EXP, ALL_EXP = -1000, 25  # exp is 0 up to the first; from the second on, tanh(softplus) is 1 to the last bit
LOG_ODDS = (-1.59576988, -0.0726661691, 6.51899286e-5, 1.10612398e-4, -7.92949107e-6, 2.64526877e-7, -3.5123476e-9)  # log((1 - Φ) / Φ) / x
SINGLE_EXP, UNIT = NEAR_EXP[np.dtype(np.float32)]
EXPONENT = in_arrays(np.float32, *[c * UNIT for c in LOG_ODDS])
BEND, CUBE = 2 * math.sqrt(2 / math.pi), 0.044715  # gelu_tanh is x sigmoid(BEND (x + CUBE x³))


@simple
def relu(out, x):
    np.maximum(x, ZEROS[x.dtype][: x.size], out=out)  # np.maximum(x, 0) takes three times as long


@times_g
@simple
def relu_vjp(out, y):
    """1 where y > 0, else 0"""  # a mask becomes numbers first: a product with truth values takes 1.1 times as long
    np.copyto(out, y > 0)


def leaky_relu(out, x, slope):
    """The larger of x and slope · x for a slope up to 1, else the smaller. The slope is finite and not 0."""
    np.multiply(x, slope, out=out)
    (np.maximum if slope <= 1 else np.minimum)(x, out, out=out)


@times_g
def leaky_relu_vjp(out, x, slope):
    """1 where x > 0, else the slope, which is between 0 and 1"""
    np.copyto(out, x > 0)
    out.clip(slope, 1, out=out)


def elu(out, x, alpha):
    np.minimum(x, ZEROS[x.dtype][: x.size], out=out)
    np.expm1(out, out=out)
    if alpha != 1:
        out *= alpha
    out += np.maximum(x, ZEROS[x.dtype][: x.size], out=ROOMS.like(x))


@times_g
def elu_vjp(out, x, alpha, scale=1):
    """scale where x > 0, else scale alpha exp(x)"""
    np.minimum(x, ZEROS[x.dtype][: x.size], out=out)
    np.exp(out, out=out)  # 1 where x > 0
    if alpha != 1 or scale != 1:
        left, scale = out.dtype.type(scale * alpha), out.dtype.type(scale)
        out *= left
        right = ROOMS.like(out)
        np.copyto(right, x > 0)
        right *= left - scale
        out -= right  # which leaves the scale; writing it where the mask holds takes ten times as long


def selu(out, x, alpha, scale):
    elu(out, x, alpha)
    out *= scale


def above(x):
    """Return x, but 0 at -inf, beside a factor that is 0 there."""
    return x if np.minimum.reduce(x, axis=None, initial=0) > -math.inf else np.where(x == -math.inf, 0, x)


def over_divisor(out, x, divisor):
    """x / divisor, but 0 at -inf, where the divisor is inf"""
    np.divide(x if np.maximum.reduce(divisor) < math.inf else above(x), divisor, out=out)


def finite(x):
    """Return x, but 0 where it is infinite, beside a factor that is 0 there."""
    return x if np.isfinite(np.dot(x, x)) else np.where(np.isfinite(x), x, 0)


def one_plus_exp_of_minus(x):
    """Return 1 + exp(-x) in memory that is in the cache already: vjps compute their factors there."""
    room = np.negative(x, out=ROOMS.like(x, "factor"))
    one_plus_exp(room, room)
    return room


def sigmoid(out, x):
    np.divide(1, one_plus_exp_of_minus(x), out=out)  # np.reciprocal takes longer


def glu(a, b, out):
    """a sigmoid(b)"""
    np.divide(a, one_plus_exp_of_minus(b), out=out)


def glu_vjp(g, a, b, da, db):
    """g s and g s a (1 - s), with s = sigmoid(b)"""
    s, t = one_plus_exp_of_minus(b), ROOMS.like(b, 1)
    np.divide(1, s, out=s)
    np.multiply(np.subtract(1, s, out=t), a, out=t)
    np.multiply(g, s, out=s)
    t *= s
    da[...], db[...] = s, t  # a product that is written there at once takes longer


@over
def softplus_vjp(out, g, x):
    """g sigmoid(x)"""
    np.divide(g, one_plus_exp_of_minus(x), out=out)


@over
def logsigmoid_vjp(out, g, x):
    """g sigmoid(-x)"""
    room = ROOMS.like(out)
    one_plus_exp(room, x)
    np.divide(g, room, out=out)


@times_g
def sigmoid_vjp(out, y):
    """y (1 - y)"""
    np.subtract(1, y, out=out)
    out *= y


@times_g
def tanh_vjp(out, y):
    """1 - y²"""
    np.multiply(y, y, out=out)
    np.subtract(1, out, out=out)


def silu(out, x):
    over_divisor(out, x, one_plus_exp_of_minus(x))


@times_g
def silu_vjp(out, x, y):
    """s + y (1 - s), where s = sigmoid(x) = y / x"""
    t = np.multiply(x, x, out=ROOMS.like(out))
    apart, near = extent(t)
    factor(out, x, y, apart and near)
    np.subtract(1, out, out=t)
    t *= y if near else finite(y)
    out += t


def extent(size):
    """Return whether all sizes, or squares, are so far from 0 that a quotient keeps its digits, and whether all are finite."""
    return np.minimum.reduce(size) > LEAST, np.maximum.reduce(size) < math.inf


def factor(out, x, y, usual):
    """y / x for y = x · f(x), where f is 1/2 at 0, 0 at -inf and 1 at inf; `usual`: the extent of x allows the division everywhere"""
    np.divide(y, x, out=out)
    if not usual:
        size = np.abs(x)
        out[size <= LEAST] = 0.5  # the division lost its digits
        out[size == math.inf] = x[size == math.inf] > 0


def hardswish(out, x):
    """x clamp(x + 3, 0, 6) / 6, but 0 at -inf"""
    hardsigmoid(out, x)
    out *= above(x)


@times_g
def hardswish_vjp(out, x):
    """(2x + 3) / 6 where |x| < 3; above it is 1, below 0"""
    np.multiply(x, 1 / 3, out=out)  # 3 gives 1, and the next number below 3 less than 1
    out.clip(-1, 1, out=out)
    kinks = np.trunc(out, out=ROOMS.like(out))  # -1 up to x = -3, 1 from x = 3 on, else 0
    kinks *= 0.5
    out -= kinks
    out += 0.5


def hardsigmoid(out, x):
    """clamp(x + 3, 0, 6) / 6"""
    np.add(x, 3, out=out)
    out.clip(0, 6, out=out)
    out *= out.dtype.type(1 / 6)


@times_g
def hardsigmoid_vjp(out, x):
    """1/6 where |x| < 3, else 0"""
    np.abs(x, out=out)
    np.copyto(out, out < 3)
    out *= out.dtype.type(1 / 6)


def mish(out, x):
    """x t, where t = tanh(softplus(x)) = w / (w + 2), with w = e (e + 2) and e = exp(x)"""
    t_and_divisor(out, x.clip(NO_EXP, ALL_EXP, out=out), ROOMS.like(x))
    out *= above(x)


@times_g
def mish_vjp(out, x):
    """t + x t', where t' = 4 e (e + 1) / (w + 2)²"""
    h, divisor = x.clip(NO_EXP, ALL_EXP, out=ROOMS.like(x, 1)), ROOMS.like(x)
    e = t_and_divisor(out, h, divisor, ROOMS.like(x, 2))
    h *= e
    e += 1
    e *= h
    e /= divisor
    e /= divisor
    e *= 4
    out += e


def t_and_divisor(out, h, divisor, e=None):
    """Fill out with w / (w + 2), and the divisor; return e, which may be left out."""
    e = np.exp(h, out=out if e is None else e)
    np.multiply(e, np.add(e, 2, out=divisor), out=out)
    np.add(out, 2, out=divisor)
    out /= divisor
    return e


@kernel("gelu")
def gelu(out, x):
    """x Φ(x), where Φ(x) = (1 + erf(x/√2)) / 2; in float32 x / (1 + exp(-x P(x²))), whose polynomial has an error of 3e-8 in Φ"""
    if x.dtype == np.float32:
        room = polynomial(EXPONENT, np.multiply(x, x, out=ROOMS.like(x)), ROOMS.like(x, "factor"))
        room *= x
        SINGLE_EXP(room, out=room)
        room += 1
        over_divisor(out, x, room)
        return
    room = np.multiply(x, math.sqrt(0.5), out=ROOMS.like(x, "factor"))
    erf_steps(room, room)
    room += 1
    room *= 0.5
    np.multiply(room, above(x), out=out)


@kernel("gelu_vjp")
@times_g
def gelu_vjp(out, x, y):
    """Φ(x) + x φ(x), with the standard normal Φ(x) = y / x and φ"""
    t = np.multiply(x, x, out=ROOMS.like(x))
    apart, near = extent(t)
    exp, unit = NEAR_EXP[x.dtype]
    t *= -0.5 * unit
    exp(t, out=t)
    t *= x if near else finite(x)
    t *= DENSITY
    factor(out, x, y, apart and near)  # as late as possible: it reads y and makes `out`, which would not stay in the cache
    out += t


def bent(out, x):
    """-2u = -2√(2/π) (x + 0.044715 x³)"""
    np.multiply(x, x, out=out)
    out *= -BEND * CUBE
    out -= BEND
    out *= x


@kernel("gelu_tanh")
def gelu_tanh(out, x):
    room = ROOMS.like(x)
    bent(room, x)
    one_plus_exp(room, room)
    over_divisor(out, x, room)


@kernel("gelu_tanh_vjp")
@times_g
def gelu_tanh_vjp(out, x, y):
    """s + y (1 - s) 2u', where s = sigmoid(2u)"""
    share(out, x, y)
    t = np.multiply(x, x, out=ROOMS.like(x))
    t *= 3 * BEND * CUBE
    t += BEND
    t = finite(t) * finite(y)
    t *= 1 - out
    out += t


def share(out, x, y):
    """s = sigmoid(2u), which is y / x unless x is so small, or so large, that the division loses its digits."""
    size = np.abs(x, out=out)
    if all(extent(size)):
        np.divide(y, x, out=out)
        return
    bent(out, x)
    one_plus_exp(out, out)
    np.divide(1, out, out=out)


def huber(out, d, delta):
    """c (|d| - c / 2), with c = min(|d|, delta)"""
    np.abs(d, out=out)
    c = out.clip(0, delta, out=ROOMS.like(out))  # np.minimum with a number takes three times as long
    out -= np.multiply(c, 0.5, out=ROOMS.like(out, 1))
    out *= c


@times_g
def huber_vjp(out, d, delta):
    """clamp(d, -delta, delta)"""
    d.clip(-delta, delta, out=out)


def hypot(out, a, b):
    """√(a² + b²); NumPy's own where a square may overflow, or lose digits"""
    np.multiply(a, a, out=out)
    out += b * b
    if all(extent(out)):
        np.sqrt(out, out=out)
    else:
        np.hypot(a, b, out=out)


@times_g
def hypot_vjp(out, a, y):
    """a / y, but 0 where y = 0"""
    np.divide(a, y, out=out)
    if not y.all():
        out[y == 0] = 0


@times_g
def clamp_open_vjp(out, x, low, high):
    """1 where low < x < high, else 0"""
    np.copyto(out, (x > low) & (x < high))


def logaddexp(out, a, b, ufunc=np.logaddexp, exp=np.exp, unit=1):
    """max(a, b) + unit · log(1 + exp(-|a - b|)); NumPy's own where a - b is not finite."""
    minus_size(out, np.subtract(a, b, out=out))
    if not np.isfinite(np.dot(out, out)):
        ufunc(a, b, out=out)
        return
    exp(out, out=out)
    np.log1p(out, out=out)
    if unit != 1:
        out *= unit
    out += np.maximum(a, b)


logaddexp2 = partial(logaddexp, ufunc=np.logaddexp2, exp=np.exp2, unit=1 / math.log(2))


def minus_size(out, x):
    """-|x|: x with the sign bit set, in one pass"""
    bits, sign = SIGNS[x.dtype]
    np.bitwise_or(x.view(bits), sign, out=out.view(bits))


def softplus(out, x):
    """max(x, 0) + log(1 + exp(-|x|))"""
    log_of_sum(out, x)
    out += np.maximum(x, ZEROS[x.dtype][: x.size], out=ROOMS.like(x))


def logsigmoid(out, x):
    """min(x, 0) - log(1 + exp(-|x|))"""
    log_of_sum(out, x)
    np.subtract(np.minimum(x, ZEROS[x.dtype][: x.size], out=ROOMS.like(x)), out, out=out)


def log_of_sum(out, x):
    """log(1 + exp(-|x|))"""
    minus_size(out, x)
    np.exp(out, out=out)
    np.log1p(out, out=out)


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

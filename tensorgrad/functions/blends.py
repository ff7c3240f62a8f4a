"""Elementwise compositions: interpolate, multiply and add, fill under a mask, replace what is not finite."""

import numpy as np

from tensorgrad.arrays.object_arrays import objects
from tensorgrad.errors.errors import must_broadcast
from tensorgrad.functions.comparisons import isfinite
from tensorgrad.kernels.blocks import large
from tensorgrad.public import Array, AsGiven, Option, method
from tensorgrad.rule import rule
from tensorgrad.rules.elementwise import add, div, log, mul, where
from tensorgrad.tensor import array_of
from tensorgrad.vjp import vjp

__all__ = ["lerp", "addcmul", "addcdiv", "scale", "masked_fill", "safe_log", "nan_to_num"]


@method
def lerp(a: Array, b: Array, weight: Array):
    """Return a + weight (b - a), the point between a and b; weight 0 gives a, weight 1 gives b.

    In formulas:
        y = a + weight · (b - a)
        dz/da = dz/dy · (1 - weight)
        dz/db = dz/dy · weight
        dz/dweight = dz/dy · (b - a)

    It is computed from the nearer of the two, b + (weight - 1) (b - a) from a weight of 1/2 on. The three arrays broadcast.

    >>> lerp(np.array([0.0, 10.0]), np.array([4.0, 20.0]), 0.25)
    array([ 1. , 12.5])
    """
    must_broadcast("lerp", a, b, weight)
    return between(a, b, weight)


@rule(
    vjp("dz/da = dz/dy · (1 - weight)", lambda G, weight: G * (1 - weight)),
    vjp("dz/db = dz/dy · weight", lambda G, weight: G * weight),
    vjp("dz/dweight = dz/dy · (b - a)", lambda G, a, b: G * (b - a)),
    entries=lambda a, b, weight: objects(objects(a) + weight * (objects(b) - a)),
    name="lerp",
)
def between(a, b, weight):
    """Return a + weight (b - a), from the nearer of a and b."""
    nearer_a = np.abs(weight) < 0.5
    if np.ndim(nearer_a):
        y, d, share = np.where(nearer_a, a, b), b - a, np.where(nearer_a, weight, weight - 1)
        if large(y) and large(d) and y.shape == d.shape and y.dtype == d.dtype == share.dtype:
            return np.add(y, np.multiply(d, share, out=d), out=y)
        return y + share * d
    y, share = np.asarray(b - a), weight if nearer_a else weight - 1
    y = np.multiply(y, share, out=y) if np.result_type(y, share) == y.dtype else y * share
    return np.add(y, a if nearer_a else b, out=y)


@method
def addcmul(x: Array, a: Array, b: Array, value=1):
    """Return x + value · a · b. x, a and b broadcast; `value` is a number.

    In formulas:
        y = x + value · a · b
        dz/dx = dz/dy
        dz/da = dz/dy · value · b
        dz/db = dz/dy · value · a

    >>> addcmul(np.array([1.0, 2.0]), 3.0, np.array([1.0, 0.0]), value=2)
    array([7., 2.])
    """
    must_broadcast("addcmul", x, a, b)
    return add(x, mul(a if value == 1 else mul(value, a), b))


@method
def addcdiv(x: Array, a: Array, b: Array, value=1):
    """Return x + value · a / b. x, a and b broadcast; `value` is a number.

    In formulas:
        y = x + value · a / b
        dz/dx = dz/dy
        dz/da = dz/dy · value / b
        dz/db = -dz/dy · value · a / b²

    >>> addcdiv(np.array([1.0, 2.0]), 3.0, np.array([1.0, 2.0]), value=2)
    array([7., 5.])
    """
    must_broadcast("addcdiv", x, a, b)
    return add(x, div(a if value == 1 else mul(value, a), b))


@method
def scale(x: Array, factor: Option):
    """Return x · factor.

    In formulas:
        y = x · factor
        dz/dx = dz/dy · factor

    >>> scale(np.array([1.0, 2.0]), 3)
    array([3., 6.])
    """
    return mul(x, factor)


@method
def masked_fill(x: Array, mask: AsGiven, value: Option):
    """Return x with `value` where the mask is True: a number, or an array or a tensor that broadcasts with x, as in `where`.

    In formulas:
        y = value where mask, else x
        dz/dx = 0 where mask, else dz/dy
        dz/dvalue = Σ over the mask: dz/dy

    So it may have its own gradient; PyTorch takes a number only. Raises TypeError if the mask does not hold truth values.

    >>> masked_fill(np.array([1.0, 2.0]), [True, False], 0.0)
    array([0., 2.])
    """
    mask = np.asarray(array_of(mask))
    if mask.dtype != bool:
        raise TypeError(f"masked_fill: mask has dtype {mask.dtype}; give truth values, mask != 0")
    return where(mask, value, x)


@method
def safe_log(x: Array, eps=1e-12):
    """Return log(x + eps), which is finite at x = 0.

    In formulas:
        y = log(x + eps)
        dz/dx = dz/dy / (x + eps)

    >>> safe_log(np.array([0.0, 1.0]), eps=0.5).round(3)
    array([-0.693,  0.405])
    """
    return log(add(x, eps))


def finite_vjp(G, x):
    """dz/dx = dz/dy where x is finite, else 0"""
    return where(isfinite(x), G, 0)


def nan_to_num_entries(x, nan=0.0, posinf=None, neginf=None):
    replaced = np.frompyfunc(lambda v: v if np.isfinite(v.data) else nan_to_num(np.float64(v.data), nan, posinf, neginf).item(), 1, 1)
    return replaced(x)


@method
@rule(finite_vjp, entries=nan_to_num_entries)
def nan_to_num(x, nan=0.0, posinf=None, neginf=None):
    """Return x with nan replaced by `nan`, inf by `posinf` and -inf by `neginf`.

    In formulas:
        y = x where x is finite; nan, posinf and neginf take the place of nan, inf and -inf

    The defaults are 0, the largest and the lowest number of the dtype. The derivative is 0 where an entry was replaced.

    >>> nan_to_num(np.array([np.nan, 1.0, np.inf]), posinf=9.0)
    array([0., 1., 9.])
    """
    return np.nan_to_num(x, nan=nan, posinf=posinf, neginf=neginf)

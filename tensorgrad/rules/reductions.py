"""Reductions: sum, mean, product, variance, logsumexp, along one axis, several or all.

A negative `axis` counts from the last axis. `keepdims` leaves a 1 where an axis was reduced.
"""

import math

import numpy as np

from scalargrad import rules as rows
from tensorgrad.arrays.axes import axes_of, beside, count, expand_reduced
from tensorgrad.arrays.object_arrays import apply_along, reduction
from tensorgrad.kernels.norms.length import SMALLEST_SUM, scaled_length
from tensorgrad.public import AsGiven, method
from tensorgrad.rule import rule
from tensorgrad.tensor import array_of

__all__ = ["sum", "mean", "prod", "var", "std", "logsumexp", "all", "any"]

LEAST_NORMAL = {np.dtype(kind): float(np.finfo(kind).tiny) for kind in (np.float32, np.float64)}  # smaller numbers have fewer digits


def along(name, axis, x):
    """Return `axis` as NumPy's reductions take it: for a 0-d array they refuse (0,), which means no axis as 0 does."""
    return axis if x.ndim else axes_of(name, axis, ())


def sum_vjp(G, x_shape, axis, keepdims):
    """dz/dx = dz/dy, repeated along the summed axes"""
    return expand_reduced(G, x_shape, axis, keepdims)


@method
@rule(sum_vjp, entries=reduction(rows.sum))
def sum(x, axis=None, keepdims=False):
    """Return the sum along one axis, several or all; 0 if there are no entries.

    In formulas:
        y = Σ x

    >>> sum([[1, 2], [3, 4]], axis=0)
    array([4., 6.])
    """
    return np.add.reduce(x, axis if x.ndim else along("sum", axis, x), None, None, keepdims)  # by place, which is faster than by name


def mean_vjp(G, x_shape, axis, keepdims):
    """dz/dx = dz/dy / n, repeated along the averaged axes"""
    return expand_reduced(G / count(x_shape, axis), x_shape, axis, keepdims)


@method
@rule(mean_vjp, entries=reduction(lambda *xs: rows.div(rows.sum(*xs), len(xs))))
def mean(x, axis=None, keepdims=False):
    """Return the mean along one axis, several or all; nan if there are no entries.

    In formulas:
        y = Σ x / n

    >>> mean([[1, 2], [3, 4]], axis=0)
    array([2., 3.])
    """
    return np.true_divide(np.add.reduce(x, along("mean", axis, x), keepdims=keepdims), count(x.shape, axis))


# Products


def prod_vjp(G, x, y, axis, keepdims):
    """dz/dx = dz/dy times the product of all other entries"""
    if type(G) is type(x) is type(y) is np.ndarray and is_precise(y):
        found = beside(y, x.shape, axis, keepdims) / x
        found *= beside(G, x.shape, axis, keepdims)
        return found
    return beside(G, x.shape, axis, keepdims) * products_of_others(x, axis)


@method
@rule(prod_vjp, entries=reduction(lambda *xs: math.prod(xs)))
def prod(x, axis=None, keepdims=False):
    """Return the product along one axis, several or all; 1 if there are no entries.

    In formulas:
        y = Π x
        dz/dx[i] = dz/dy · (Π over k < i: x[k]) · (Π over i + 1 <= k < n: x[k])

    The derivative does not divide by the entries, so it is correct for one zero and for several.

    >>> prod([[1, 2], [3, 4]], axis=0)
    array([3., 8.])
    """
    return np.multiply.reduce(x, along("prod", axis, x), keepdims=keepdims)


def is_precise(y):
    """Return whether all products y are finite and far enough from 0 to have all their digits.

    Then no entry of x is 0, and y / x is as exact as the product of the others.
    """
    size = np.abs(y)
    return bool(((size > LEAST_NORMAL[y.dtype]) & (size < np.inf)).all())


def products_of_others(x, axis):
    """Return for each entry the product of all other entries along the axes.

    The tree of products makes this linear in the number of entries. Upwards, it multiplies pairs, then pairs of pairs.
    Downwards, the product of the others of an entry is the product of the others of its pair, times the other entry of the
    pair.
    """
    taken = axes_of("prod", axis, x.shape)
    order = (*[a for a in range(len(x.shape)) if a not in taken], *taken)
    n, outer = count(x.shape, axis), tuple([x.shape[a] for a in order[: len(order) - len(taken)]])
    x = x.transpose(order)
    shape, x = x.shape, x.reshape((*outer, n))
    levels = []
    while x.shape[-1] > 1:
        if x.shape[-1] % 2:
            x = np.concatenate([x, np.ones((*outer, 1), x.dtype)], -1)
        levels.append(x.reshape((*outer, x.shape[-1] // 2, 2)))
        x = x[..., ::2] * x[..., 1::2]
    found = np.ones(x.shape, x.dtype)
    for pairs in reversed(levels):
        m = pairs.shape[-2]
        found = (found[..., :m, None] * pairs[..., ::-1]).reshape((*outer, 2 * m))
    return found[..., :n].reshape(shape).transpose(tuple(np.argsort(order).tolist()))


# Variance and logsumexp


def var_vjp(G, x, axis, ddof):
    """dz/dx = dz/dy · 2 (x - mean) / (n - ddof)"""
    return beside(G * (2 * one_over(count(x.shape, axis) - ddof)), x.shape, axis) * deviations("var", x, axis)


def var_entries(x, axis=None, ddof=0, keepdims=False):
    def variance(*xs):
        m = rows.div(rows.sum(*xs), len(xs))
        return rows.div(rows.sum(*[(x - m) ** 2 for x in xs]), len(xs) - ddof)

    return apply_along(variance, x, axis, keepdims)


@method
@rule(var_vjp, entries=var_entries)
def var(x, axis=None, ddof=0, keepdims=False):
    """Return the variance along one axis, several or all: the sum of squared distances from the mean, divided by n - ddof.

    In formulas:
        y = Σ (x - mean)² / (n - ddof)

    ddof=0 (NumPy's default) gives the variance of the entries; ddof=1 (PyTorch's default) estimates that of a population. Where
    n <= ddof, the result is inf, or nan if all entries are equal.

    >>> var([1, 2, 3]), var([1, 2, 3], ddof=1)
    (np.float64(0.6666666666666666), np.float64(1.0))
    """
    return variance("var", x, axis, ddof, keepdims)


def variance(name, x, axis, ddof, keepdims):
    d = deviations(name, x, axis)
    return np.add.reduce(d * d, along(name, axis, d), keepdims=keepdims) * one_over(count(x.shape, axis) - ddof)


def deviations(name, x, axis):
    """Return x minus its mean along the axes.

    Subtracting one of the entries first makes it exactly 0 if all are equal.
    """
    taken = axes_of(name, axis, x.shape)
    x = x - array_of(x)[tuple([slice(0, 1) if a in taken else slice(None) for a in range(len(x.shape))])]
    return x - x.sum(axis=taken, keepdims=True) * one_over(count(x.shape, taken))


def one_over(n):
    return 1 / n if n > 0 else float("inf")


def std_vjp(G, x, y, axis, ddof, keepdims):
    """dz/dx = dz/dy · (x - mean) / ((n - ddof) y), and 0 where all are equal"""
    G = G * one_over(count(x.shape, axis) - ddof)
    y = beside(y + (array_of(y) == 0), x.shape, axis, keepdims)
    return beside(G, x.shape, axis, keepdims) * (deviations("std", x, axis) / y)


def std_entries(x, axis=None, ddof=0, keepdims=False):
    return np.frompyfunc(rows.sqrt, 1, 1)(var_entries(x, axis, ddof, keepdims))


@method
@rule(std_vjp, entries=std_entries)
def std(x, axis=None, ddof=0, keepdims=False):
    """Return the standard deviation along one axis, several or all: the square root of `var`, also where that is out of range.

    In formulas:
        y = √(Σ (x - mean)² / (n - ddof))

    Where all entries are equal, the derivative is taken as 0.

    >>> std([1, 2, 3], ddof=1)
    np.float64(1.0)
    """
    y = variance("std", x, axis, ddof, keepdims)
    if np.minimum.reduce(y, None, initial=1) > SMALLEST_SUM and np.maximum.reduce(y, None, initial=1) < np.inf:
        return np.sqrt(y)
    taken = axes_of("std", axis, x.shape)
    return scaled_length(deviations("std", x, axis), taken, keepdims) * math.sqrt(one_over(count(x.shape, axis) - ddof))


def logsumexp_vjp(G, x, y, axis, keepdims):
    """dz/dx = dz/dy · exp(x - y), and 0 where all are -inf"""
    y = beside(y, x.shape, axis, keepdims)
    lowest = float(np.finfo(x.dtype).min)
    return beside(G, x.shape, axis, keepdims) * np.exp(x - np.maximum(y, lowest))  # -inf - -inf would be nan


@method
@rule(logsumexp_vjp, entries=reduction(rows.logsumexp))
def logsumexp(x, axis=None, keepdims=False):
    """Return log(exp(x1) + exp(x2) + ...) along one axis, several or all, without overflow; -inf if there are no entries.

    In formulas:
        y = log(Σ exp(x))

    Where all entries are -inf, the derivative is taken as 0; at an entry of inf it is nan, as in PyTorch.

    >>> logsumexp([-np.inf, 1000.0])
    np.float64(1000.0)
    """
    axis = axes_of("logsumexp", axis, x.shape)
    top = np.maximum.reduce(x, axis, keepdims=True, initial=-np.inf)
    shift = np.where(np.isfinite(top), top, 0).astype(top.dtype)
    y = np.log(np.add.reduce(np.exp(x - shift), axis, keepdims=True)) + shift
    return y if keepdims else y.squeeze(axis)[()]


# Truth values


@method
def all(x: AsGiven, axis=None, keepdims=False, where: AsGiven = True):
    """Return whether all entries differ from 0, along one axis, several or all. The result is plain, without a gradient.

    `where` (truth values that broadcast to x) says which entries count.

    >>> all([[1, 0], [3, 2]], axis=0)
    array([ True, False])
    """
    x = np.asarray(array_of(x))
    return np.all(x, axes_of("all", axis, x.shape), keepdims=keepdims, where=np.asarray(array_of(where)))


@method
def any(x: AsGiven, axis=None, keepdims=False, where: AsGiven = True):
    """Return whether any entry differs from 0, along one axis, several or all. The result is plain, without a gradient.

    `where` (truth values that broadcast to x) says which entries count.

    >>> any([[1, 0], [3, 0]], axis=0)
    array([ True, False])
    """
    x = np.asarray(array_of(x))
    return np.any(x, axes_of("any", axis, x.shape), keepdims=keepdims, where=np.asarray(array_of(where)))

"""Reductions of some entries: those where `where` is True, or those that are not nan.

They may begin at `initial`. They and the cumulative ones may have a dtype. Each is composed of the reduction of
all entries and the function `where`. An entry that is left out has gradient 0.
"""

import numpy as np

from tensorgrad.arrays.axes import axes_of, count
from tensorgrad.calling import with_more
from tensorgrad.functions.comparisons import isnan
from tensorgrad.public import Array, alias, method, public
from tensorgrad.rules import extrema, reductions, scans
from tensorgrad.rules.dtypes import astype
from tensorgrad.rules.elementwise import add, div, maximum, minimum, mul, sqrt_total, square, sub
from tensorgrad.rules.elementwise import where as either
from tensorgrad.tensor import array_of

__all__ = ["nansum", "nanprod", "nanmean", "nanvar", "nanstd"]


@with_more(reductions.sum)
@public
def sum(x: Array, axis=None, keepdims=False, where=True, initial=None, dtype=None):
    """`where` (truth values that broadcast to x) says which entries count. `initial` is added. `dtype` is that of the result.

    >>> sum([1.0, 2.0, 3.0], where=[True, False, True], initial=10.0)
    np.float64(14.0)
    """
    y = reductions.sum(cast(masked("sum", x, where, 0), dtype), axis, keepdims)
    return y if initial is None else add(y, one_number("sum", initial))


@with_more(reductions.mean)
@public
def mean(x: Array, axis=None, keepdims=False, where=True, dtype=None):
    """`where` (truth values that broadcast to x) says which entries count; the mean of none is nan. `dtype` is that of the result.

    >>> mean([1.0, 2.0, 3.0], where=[True, False, True])
    np.float64(2.0)
    """
    if where is True:
        return reductions.mean(cast(x, dtype), axis, keepdims)
    mask = boolean_mask("mean", x, where)
    total = reductions.sum(cast(either(mask, x, 0), dtype), axis, keepdims)
    return div(total, how_many(mask, axis, keepdims).astype(total.dtype))


@with_more(reductions.prod)
@public
def prod(x: Array, axis=None, keepdims=False, where=True, initial=None, dtype=None):
    """`where` (truth values that broadcast to x) says which entries count. `initial` is one more factor. `dtype` is that of the
    result.

    >>> prod([2.0, 3.0, 5.0], where=[True, False, True], initial=10.0)
    np.float64(100.0)
    """
    y = reductions.prod(cast(masked("prod", x, where, 1), dtype), axis, keepdims)
    return y if initial is None else mul(y, one_number("prod", initial))


@with_more(scans.cumsum)
@public
def cumsum(x: Array, axis=None, dtype=None):
    """`dtype` is that of the result.

    >>> cumsum([1.0, 2.0], dtype=np.float32)
    array([1., 3.], dtype=float32)
    """
    return scans.cumsum(cast(x, dtype), axis)


@with_more(scans.cumprod)
@public
def cumprod(x: Array, axis=None, dtype=None):
    """`dtype` is that of the result.

    >>> cumprod([1.0, 2.0], dtype=np.float32)
    array([1., 2.], dtype=float32)
    """
    return scans.cumprod(cast(x, dtype), axis)


@with_more(extrema.max)
@public
def max(x: Array, axis=None, keepdims=False, where=True, initial=None):
    """`initial` is one more number to choose from. It shares a tie evenly with the largest entries, as in `maximum`.

    `where` (truth values that broadcast to x) says which entries count. It requires `initial`, because it may leave no entry.

    >>> max([1.0, 9.0, 3.0], where=[True, False, True], initial=2.0)
    np.float64(3.0)
    """
    return extreme("max", extrema.max, maximum, -np.inf, x, axis, keepdims, where, initial)


@with_more(extrema.min)
@public
def min(x: Array, axis=None, keepdims=False, where=True, initial=None):
    """`initial` is one more number to choose from. It shares a tie evenly with the smallest entries, as in `minimum`.

    `where` (truth values that broadcast to x) says which entries count. It requires `initial`, because it may leave no entry.

    >>> min([9.0, 1.0, 3.0], where=[True, False, True], initial=5.0)
    np.float64(3.0)
    """
    return extreme("min", extrema.min, minimum, np.inf, x, axis, keepdims, where, initial)


with_more(extrema.amax)(alias("amax", extrema.max.wider))
with_more(extrema.amin)(alias("amin", extrema.min.wider))


@with_more(reductions.var)
@public
def var(x: Array, axis=None, ddof=0, keepdims=False, where=True, correction=None, dtype=None):
    """`where` (truth values that broadcast to x) says which entries count. `correction` is another name for `ddof`. `dtype` is
    that of the result.

    >>> var([1.0, 9.0, 3.0], where=[True, False, True], correction=1)
    np.float64(2.0)
    """
    ddof, x = degrees_lost("var", ddof, correction), cast(x, dtype)
    return reductions.var(x, axis, ddof, keepdims) if where is True else masked_variance("var", x, where, axis, ddof, keepdims)


@with_more(reductions.std)
@public
def std(x: Array, axis=None, ddof=0, keepdims=False, where=True, correction=None, dtype=None):
    """`where` (truth values that broadcast to x) says which entries count. `correction` is another name for `ddof`. `dtype` is
    that of the result.

    >>> std([1.0, 9.0, 3.0], where=[True, False, True])
    np.float64(1.0)
    """
    ddof, x = degrees_lost("std", ddof, correction), cast(x, dtype)
    return reductions.std(x, axis, ddof, keepdims) if where is True else sqrt_total(masked_variance("std", x, where, axis, ddof, keepdims))


# Ignoring nan


@method
def nansum(x: Array, axis=None, keepdims=False, where=True, initial=None, dtype=None):
    """Return the sum of the entries that are not nan, along one axis, several or all; 0 if there are none.

    In formulas:
        y = Σ x, over the entries that are not nan

    In the backward pass:
        dz/dx = dz/dy where x is not nan, else 0

    The derivative at an entry of nan is 0. See `sum` for `where`, `initial` and `dtype`.

    >>> nansum([[1.0, 2.0], [np.nan, 4.0]], axis=0)
    array([1., 6.])
    """
    return sum(x, axis, keepdims, numbers("nansum", x, where), initial, dtype)


@public
def nanprod(x: Array, axis=None, keepdims=False, where=True, initial=None, dtype=None):
    """Return the product of the entries that are not nan, along one axis, several or all; 1 if there are none.

    In formulas:
        y = Π x, over the entries that are not nan

    In the backward pass:
        dz/dx[i] = dz/dy · (Π over k < i: x[k]) · (Π over i + 1 <= k < n: x[k]), over the entries that are not nan

    The derivative at an entry of nan is 0. See `prod` for `where`, `initial` and `dtype`.

    >>> nanprod([[1.0, 2.0], [np.nan, 4.0]], axis=0)
    array([1., 8.])
    """
    return prod(x, axis, keepdims, numbers("nanprod", x, where), initial, dtype)


@method
def nanmean(x: Array, axis=None, keepdims=False, where=True, dtype=None):
    """Return the mean of the entries that are not nan, along one axis, several or all; nan if there are none.

    In formulas:
        y = Σ x / n, over the entries that are not nan

    In the backward pass:
        dz/dx = dz/dy / n where x is not nan, else 0; n entries are not nan

    The derivative at an entry of nan is 0. See `mean` for `where` and `dtype`.

    >>> nanmean([[1.0, 2.0], [np.nan, 4.0]], axis=0)
    array([1., 3.])
    """
    return mean(x, axis, keepdims, numbers("nanmean", x, where), dtype)


@public
def nanvar(x: Array, axis=None, ddof=0, keepdims=False, where=True, correction=None, dtype=None):
    """Return the variance of the entries that are not nan, as `var` computes it, with the same arguments.

    In formulas:
        y = Σ (x - mean)² / (n - ddof), over the entries that are not nan

    In the backward pass:
        dz/dx = dz/dy · 2 (x - mean) / (n - ddof) where x is not nan, else 0

    The derivative at an entry of nan is 0. Where at most `ddof` entries are not nan, the result is inf, or nan if those are all
    equal.

    >>> nanvar([[1.0, 2.0], [np.nan, 4.0]], axis=0)
    array([0., 1.])
    """
    return var(x, axis, ddof, keepdims, numbers("nanvar", x, where), correction, dtype)


@public
def nanstd(x: Array, axis=None, ddof=0, keepdims=False, where=True, correction=None, dtype=None):
    """Return the standard deviation of the entries that are not nan, as `std` computes it, with the same arguments.

    In formulas:
        y = √(Σ (x - mean)² / (n - ddof)), over the entries that are not nan

    In the backward pass:
        dz/dx = dz/dy · (x - mean) / ((n - ddof) y) where x is not nan, else 0

    The derivative at an entry of nan is 0. Where all other entries are equal, the derivative is taken as 0. Where at most
    `ddof` entries are not nan, the result is inf, or nan if those are all equal.

    >>> nanstd([[1.0, 2.0], [np.nan, 4.0]], axis=0)
    array([0., 1.])
    """
    return std(x, axis, ddof, keepdims, numbers("nanstd", x, where), correction, dtype)


# Parts of these functions


def boolean_mask(name, x, where):
    """Return `where` as truth values of the shape of x; raise TypeError or ValueError if it cannot be that."""
    mask = np.asarray(array_of(where))
    if mask.dtype != bool:
        raise TypeError(f"{name}: where= has dtype {mask.dtype}; give truth values, such as x > 0")
    if mask.shape == x.shape:
        return mask
    try:
        return np.broadcast_to(mask, x.shape)
    except ValueError:
        raise ValueError(f"{name}: where= has shape {mask.shape}, which does not broadcast to the shape {x.shape} of x") from None


def numbers(name, x, where):
    """Return which entries are not nan and count."""
    there = ~isnan(x)
    return there if where is True else there & boolean_mask(name, x, where)


def masked(name, x, where, otherwise):
    """Return x where `where` is True, and elsewhere a number that does not change the result."""
    return x if where is True else either(boolean_mask(name, x, where), x, otherwise)


def how_many(mask, axis, keepdims):
    """Return how many entries count for each entry of the result."""
    return np.asarray(np.add.reduce(mask, axes_of("where", axis, mask.shape), keepdims=keepdims))


def cast(x, dtype):
    return x if dtype is None else astype(x, dtype)


def one_number(name, initial):
    if np.ndim(initial):
        raise ValueError(f"{name}: initial= has shape {np.shape(initial)}; give one number")
    return initial


def extreme(name, of_all, of_two, least, x, axis, keepdims, where, initial):
    """Return the largest or smallest of the entries that count and `initial`."""
    if initial is None:
        if where is not True:
            raise ValueError(f"{name}: where= may leave no entry to choose from; give initial= too")
        return of_all(x, axis, keepdims)
    if not count(np.shape(x), axis):
        return add(reductions.sum(x, axis, keepdims), one_number(name, initial))
    return of_two(of_all(masked(name, x, where, least), axis, keepdims), one_number(name, initial))


def degrees_lost(name, ddof, correction):
    """Return the number subtracted from n: ddof, also called correction."""
    if correction is not None and ddof:
        raise ValueError(f"{name}: ddof={ddof} and correction={correction} are two names of one number; give only one")
    return ddof if correction is None else correction


def masked_variance(name, x, where, axis, ddof, keepdims):
    """Return the variance of the entries that count.

    Subtracting their largest first makes it exactly 0 if all are equal.
    """
    mask, values = boolean_mask(name, x, where), np.asarray(array_of(x))
    top = np.max(values, axes_of(name, axis, values.shape), keepdims=True, initial=-np.inf, where=mask)
    x = either(mask, sub(x, np.where(np.isfinite(top), top, 0).astype(values.dtype)), 0)
    n = how_many(mask, axis, True).astype(values.dtype)
    squares = square(either(mask, sub(x, div(reductions.sum(x, axis, True), n)), 0))
    n = n if keepdims else n.reshape(np.shape(how_many(mask, axis, False)))
    return div(reductions.sum(squares, axis, keepdims), np.maximum(n - ddof, 0))

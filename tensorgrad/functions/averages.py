"""Weighted average, median, and peak to peak along axes."""

import numpy as np

from tensorgrad.arrays.axes import axes_of, count, keepdims_shape
from tensorgrad.public import Array, method, public
from tensorgrad.rules.elementwise import div, mul, sub
from tensorgrad.rules.extrema import max, min, must_have_entries
from tensorgrad.rules.gathering import take_along_axis
from tensorgrad.rules.reductions import mean, sum
from tensorgrad.rules.shapes import broadcast_to, moveaxis, reshape
from tensorgrad.tensor import array_of

__all__ = ["average", "median", "ptp"]


@public
def average(x: Array, axis=None, weights: Array = None, returned=False, keepdims=False):
    """Return Σ weight · x / Σ weight along one axis, several or all; without weights, the mean.

    In formulas:
        y = Σ weight · x / Σ weight
        dz/dx = dz/dy · weight / Σ weight
        dz/dweight = dz/dy · (x - y) / Σ weight

    `weights` has the shape of x, or the lengths of the reduced axes. With `returned`, the result is a pair: the average and Σ
    weight. Raises ZeroDivisionError if the weights sum to 0 and ValueError if they do not fit.

    >>> average([1.0, 2.0, 4.0], weights=[1.0, 1.0, 2.0])
    np.float64(2.75)
    """
    if weights is None:
        y = mean(x, axis, keepdims)
        total = np.full(np.shape(y), float(count(x.shape, axis)))
        return (y, total) if returned else y
    weights = along_axes(x, axis, weights)
    total = sum(broadcast_to(weights, x.shape), axis, keepdims)
    if (np.asarray(array_of(total)) == 0).any():
        raise ZeroDivisionError("average: the weights sum to 0, so the average is not defined; change the weights")
    y = div(sum(mul(x, weights), axis, keepdims), total)
    return (y, total) if returned else y


def along_axes(x, axis, weights):
    """Return the weights in a shape that broadcasts to x."""
    shape, own = np.shape(x), np.shape(weights)
    if own == shape:
        return weights
    axes = axes_of("average", axis, shape)
    if axis is None or own != tuple([shape[a] for a in axes]):
        raise ValueError(
            f"average: weights of shape {own} do not fit x of shape {shape}{'' if axis is None else f' along axis {axis}'}; "
            "give one for each entry, or one for each position along the axis"
        )
    order = tuple(np.argsort(axes).tolist())
    return reshape(moveaxis(weights, order, tuple(range(len(order)))), [n if a in axes else 1 for a, n in enumerate(shape)])


@method
def median(x: Array, axis=None, keepdims=False):
    """Return the middle entry in sorted order along one axis, several or all.

    In formulas, along the axis:
        y = (x[p[a]] + x[p[b]]) / 2, with p = argsort(x), a = ⌊(n - 1) / 2⌋, b = ⌊n / 2⌋

    In the backward pass:
        dz/dx[i] = dz/dy · ((1 where i = p[a], else 0) + (1 where i = p[b], else 0)) / 2

    Of an even number of entries it is the mean of the middle two; PyTorch takes the lower one. The gradient goes to the entries
    in the middle; of equal entries, to those that `partition` puts there. If an entry is nan, so is the median, and the
    gradient goes to that entry. Raises ValueError if there is no entry.

    >>> median([3.0, 1.0, 2.0]), median([[1.0, 4.0], [3.0, 9.0]], axis=1)
    (np.float64(2.0), array([2.5, 6. ]))
    """
    must_have_entries("median", x, axis)
    shape = x.shape
    axes = axes_of("median", axis, shape)
    if axes == (len(shape) - 1,):
        row, n = x, shape[-1]
    else:
        n, rest = count(shape, axis), [m for a, m in enumerate(shape) if a not in axes]
        row = reshape(moveaxis(x, axes, range(-len(axes), 0)), (*rest, n))
    a, low, high = array_of(row), (n - 1) // 2, n // 2
    places = a.argpartition([low, high, n - 1], -1)
    taken = places[..., low : high + 1]
    if np.isnan(np.maximum.reduce(a, None, initial=-np.inf)):
        last = places[..., -1:]  # partition puts a nan last
        taken = np.where(np.isnan(np.take_along_axis(a, last, -1)), last, taken)
    y = mean(take_along_axis(row, taken, -1), -1)
    return reshape(y, keepdims_shape(shape, axis)) if keepdims else y


@public
def ptp(x: Array, axis=None, keepdims=False):
    """Return the largest entry minus the smallest (peak to peak) along one axis, several or all.

    In formulas:
        y = max(x) - min(x)
        dz/dx[i] = (dz/dy where i = argmax(x), else 0) - (dz/dy where i = argmin(x), else 0)

    Equal entries share the gradient evenly. Raises ValueError if there is no entry.

    >>> ptp([[1.0, 4.0], [3.0, 9.0]], axis=1)
    array([3., 6.])
    """
    must_have_entries("ptp", x, axis)
    return sub(max(x, axis, keepdims), min(x, axis, keepdims))

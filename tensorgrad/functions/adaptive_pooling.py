"""Adaptive pooling: the last axes brought to a size that is asked for, by the means or the largest entries of boxes."""

from itertools import product
from math import prod

import numpy as np

from tensorgrad.errors.calls import must_be_feasible
from tensorgrad.functions.pooling import axis_count, must_have_axes
from tensorgrad.public import public
from tensorgrad.rules.extrema import amax
from tensorgrad.rules.joining import stack
from tensorgrad.rules.linear import matmul
from tensorgrad.rules.pooling import window_max, window_sum
from tensorgrad.rules.reductions import mean
from tensorgrad.windows import Window, per_axis

__all__ = [
    "adaptive_avg_pool", "adaptive_avg_pool1d", "adaptive_avg_pool2d", "adaptive_avg_pool3d",
    "adaptive_max_pool", "adaptive_max_pool1d", "adaptive_max_pool2d", "adaptive_max_pool3d",
]  # fmt: skip


@public
def adaptive_avg_pool(x, output_size):
    """The last axes brought to `output_size` by means of boxes: one number for each axis; None keeps an axis.

    Box i of m along an axis of n entries goes from ⌊i·n/m⌋ to ⌈(i+1)·n/m⌉, as in PyTorch: boxes overlap where m does not divide n.
    ValueError for less than one box, and for an axis without entries.

    >>> adaptive_avg_pool(np.arange(16.0).reshape(4, 4), (1, 2))
    array([[6.5, 8.5]])
    """
    return adaptive_avg("adaptive_avg_pool", axis_count("adaptive_avg_pool", output_size, "output_size"), x, output_size)


@public
def adaptive_avg_pool1d(x, output_size):
    """The means of `output_size` stretches along the last axis. See `adaptive_avg_pool`.

    >>> adaptive_avg_pool1d(np.array([[1.0, 2.0, 3.0]]), 2)
    array([[1.5, 2.5]])
    """
    return adaptive_avg("adaptive_avg_pool1d", 1, x, output_size)


@public
def adaptive_avg_pool2d(x, output_size):
    """The last two axes brought to `output_size` (one number, or one for each) by means of boxes. See `adaptive_avg_pool`.

    >>> adaptive_avg_pool2d(np.arange(16.0).reshape(4, 4), (1, 2))
    array([[6.5, 8.5]])
    """
    return adaptive_avg("adaptive_avg_pool2d", 2, x, output_size)


@public
def adaptive_avg_pool3d(x, output_size):
    """The last three axes brought to `output_size` by means of boxes. See `adaptive_avg_pool`.

    >>> adaptive_avg_pool3d(np.arange(8.0).reshape(2, 2, 2), 1)
    array([[[3.5]]])
    """
    return adaptive_avg("adaptive_avg_pool3d", 3, x, output_size)


@public
def adaptive_max_pool(x, output_size):
    """The last axes brought to `output_size` by the largest entries of boxes, which stand as in `adaptive_avg_pool`.

    Equal largest entries of a box share its gradient evenly. ValueError for less than one box, and for an axis without entries.

    >>> adaptive_max_pool(np.arange(16.0).reshape(4, 4), (1, 2))
    array([[13., 15.]])
    """
    return adaptive_max("adaptive_max_pool", axis_count("adaptive_max_pool", output_size, "output_size"), x, output_size)


@public
def adaptive_max_pool1d(x, output_size):
    """The largest entries of `output_size` stretches along the last axis. See `adaptive_max_pool`.

    >>> adaptive_max_pool1d(np.array([[1.0, 3.0, 2.0]]), 2)
    array([[3., 3.]])
    """
    return adaptive_max("adaptive_max_pool1d", 1, x, output_size)


@public
def adaptive_max_pool2d(x, output_size):
    """The last two axes brought to `output_size` by the largest entries of boxes. See `adaptive_max_pool`.

    >>> adaptive_max_pool2d(np.arange(16.0).reshape(4, 4), (1, 2))
    array([[13., 15.]])
    """
    return adaptive_max("adaptive_max_pool2d", 2, x, output_size)


@public
def adaptive_max_pool3d(x, output_size):
    """The last three axes brought to `output_size` by the largest entries of boxes. See `adaptive_max_pool`.

    >>> adaptive_max_pool3d(np.arange(8.0).reshape(2, 2, 2), 1)
    array([[[7.]]])
    """
    return adaptive_max("adaptive_max_pool3d", 3, x, output_size)


def boxes(name, d, x, output_size):
    """For each of the last d axes the boxes (start, stop) that adaptive pooling divides it into."""
    must_have_axes(name, x, d)
    sizes = output_size if isinstance(output_size, (tuple, list)) else [output_size] * d
    if len(sizes) != d:
        raise ValueError(f"{name}: output_size={output_size} has {len(sizes)} numbers; one is needed, or one for each of the last {d} axes")
    sizes = per_axis(name, "output_size", [n if m is None else m for n, m in zip(x.shape[-d:], sizes)], d, 1)
    must_be_feasible(name, "output_size", max(sizes))
    if 0 in x.shape[-d:]:
        raise ValueError(f"{name}: x of shape {x.shape} has an axis without entries")
    return [[(i * n // m, -(-(i + 1) * n // m)) for i in range(m)] for n, m in zip(x.shape[-d:], sizes)]


def uniform_window(x, stretches):
    """The window that stands for the boxes where they all have one size and lie side by side; None elsewhere."""
    d = len(stretches)
    if any(n % len(s) for n, s in zip(x.shape[-d:], stretches)):
        return None
    kernel = tuple([n // len(s) for n, s in zip(x.shape[-d:], stretches)])
    return Window(kernel, kernel, ((0, 0),) * d, (1,) * d)


def adaptive_avg(name, d, x, output_size):
    """The mean along one axis after the other, each a product with a matrix of shares."""
    stretches = boxes(name, d, x, output_size)
    window = uniform_window(x, stretches)
    if all(len(s) == 1 for s in stretches):
        return mean(x, axis=tuple(range(-d, 0)), keepdims=True)
    if window is not None:
        return window_sum(x, window=window) / prod(window.kernel)
    for axis, along_axis in enumerate(stretches, start=-d):
        n = x.shape[axis]
        shares = np.array([[(a <= i < b) / (b - a) for a, b in along_axis] for i in range(n)], x.dtype)  # (entry, box)
        x = matmul(x.swapaxes(axis, -1), shares).swapaxes(axis, -1)
    return x


def adaptive_max(name, d, x, output_size):
    stretches = boxes(name, d, x, output_size)
    window = uniform_window(x, stretches)
    if window is not None:
        return window_max(x, window=window)
    must_be_feasible(name, "the number of boxes", prod(map(len, stretches)))
    found = [amax(x[(..., *[slice(a, b) for a, b in box])], axis=tuple(range(-d, 0))) for box in product(*stretches)]
    return stack(found, axis=-1).reshape((*x.shape[:-d], *map(len, stretches)))

"""Adaptive pooling: resize the last axes to a given size, by the mean or the largest entry of each box."""

from functools import lru_cache
from itertools import product
from math import prod

import numpy as np

from tensorgrad.arrays.windows import Window, per_axis
from tensorgrad.errors.calls import must_be_feasible
from tensorgrad.functions.pooling import axis_count, halved, must_have_pooled_axes
from tensorgrad.public import Array, Option, public, versions
from tensorgrad.rules.extrema import amax
from tensorgrad.rules.images.pooling import window_max, window_sum
from tensorgrad.rules.images.resampling import weighted_entries
from tensorgrad.rules.joining import stack
from tensorgrad.rules.reductions import mean

__all__ = [
    "adaptive_avg_pool", "adaptive_avg_pool1d", "adaptive_avg_pool2d", "adaptive_avg_pool3d",
    "adaptive_max_pool", "adaptive_max_pool1d", "adaptive_max_pool2d", "adaptive_max_pool3d",
]  # fmt: skip


@public
def adaptive_avg_pool(x: Array, output_size: Option):
    """Return x with its last axes resized to `output_size`; each entry is the mean of a box.

    In formulas, along one axis, for n entries and m boxes:
        y[i] = Σ over a <= k < b: x[k] / (b - a), with a = ⌊i · n / m⌋, b = ⌈(i + 1) · n / m⌉
        dz/dx[k] = Σ over i where a <= k < b: (dz/dy[i] / (b - a))

    `output_size` holds one integer per axis; None keeps an axis. Box i of m along an axis of n entries goes from ⌊i·n/m⌋ to
    ⌈(i+1)·n/m⌉, as in PyTorch. Boxes overlap if m does not divide n. Raises ValueError for less than one box and for an axis
    without entries.

    >>> adaptive_avg_pool(np.arange(16.0).reshape(4, 4), (1, 2))
    array([[6.5, 8.5]])
    """
    return adaptive_avg_pool_as("adaptive_avg_pool", axis_count("adaptive_avg_pool", output_size, "output_size"), x, output_size)


@public
def adaptive_max_pool(x: Array, output_size: Option):
    """Return x with its last axes resized to `output_size`; each entry is the largest of a box.

    In formulas, along one axis, for n entries and m boxes:
        y[i] = max over a <= k < b: x[k], with a = ⌊i · n / m⌋, b = ⌈(i + 1) · n / m⌉
        dz/dx[k] = Σ over i where a <= k < b: dz/dy[i] · (1 where x[k] = y[i], else 0); equal entries share it evenly

    The boxes are those of `adaptive_avg_pool`. Equal largest entries of a box share its gradient evenly. Raises ValueError for
    less than one box and for an axis without entries.

    >>> adaptive_max_pool(np.arange(16.0).reshape(4, 4), (1, 2))
    array([[13., 15.]])
    """
    return adaptive_max_pool_as("adaptive_max_pool", axis_count("adaptive_max_pool", output_size, "output_size"), x, output_size)


def boxes_of(name, d, x, output_size):
    """Return the boxes of adaptive pooling, for each of the last d axes a list of (start, stop), and their window or None."""
    must_have_pooled_axes(name, x, d)
    sizes = output_size if isinstance(output_size, (tuple, list)) else [output_size] * d
    if len(sizes) != d:
        raise ValueError(f"{name}: output_size={output_size} has {len(sizes)} numbers; give one, or one for each of the last {d} axes")
    find = remembered_boxes if type(output_size) is int else new_boxes
    return find(name, d, x.shape, tuple(sizes))


def new_boxes(name, d, shape, sizes):
    sizes = per_axis(name, "output_size", [n if m is None else m for n, m in zip(shape[-d:], sizes)], d, 1)
    must_be_feasible(name, "output_size", max(sizes))
    if 0 in shape[-d:]:
        raise ValueError(f"{name}: x of shape {shape} has an axis without entries; pooling needs at least one")
    boxes = [[(i * n // m, -(-(i + 1) * n // m)) for i in range(m)] for n, m in zip(shape[-d:], sizes)]
    return boxes, uniform_window(shape, boxes)


remembered_boxes = lru_cache(64)(new_boxes)


def uniform_window(shape, boxes):
    """Return the window that covers the boxes if they have one size and do not overlap; else None."""
    d = len(boxes)
    if any(n % len(along_axis) for n, along_axis in zip(shape[-d:], boxes)):
        return None
    kernel = tuple([n // len(along_axis) for n, along_axis in zip(shape[-d:], boxes)])
    return Window(kernel, kernel, ((0, 0),) * d, (1,) * d)


def adaptive_avg_pool_as(name, d, x, output_size):
    """Average along one axis after the other."""
    boxes, window = boxes_of(name, d, x, output_size)
    if all(len(along_axis) == 1 for along_axis in boxes):
        return mean(x, axis=tuple(range(-d, 0)), keepdims=True)
    if window is not None:
        return window_sum(x, window) / prod(window.kernel)
    for axis, along_axis in enumerate(boxes, start=-d):
        x = weighted_entries(x, axis % x.ndim, *places_and_shares(along_axis))
    return x


def places_and_shares(boxes):
    """Return the entries of each box with their weights, in rows of one length: the last entry of a smaller box is there several times."""
    largest = max(b - a for a, b in boxes)
    places = np.array([[min(a + j, b - 1) for j in range(largest)] for a, b in boxes])  # (box, entry)
    times = np.array([[1 if j < b - a - 1 else largest - (b - a - 1) for j in range(largest)] for a, b in boxes])
    return places, 1 / (times * np.array([[b - a] for a, b in boxes]))


def adaptive_max_pool_as(name, d, x, output_size):
    boxes, window = boxes_of(name, d, x, output_size)
    if window is not None:
        return window_max(x, window)
    must_be_feasible(name, "the number of boxes", prod(map(len, boxes)))
    found = [amax(x[(..., *[slice(a, b) for a, b in box])], axis=tuple(range(-d, 0))) for box in product(*boxes)]
    return stack(found, axis=-1).reshape((*x.shape[:-d], *map(len, boxes)))


adaptive_avg_pool1d, adaptive_avg_pool2d, adaptive_avg_pool3d = versions(adaptive_avg_pool, adaptive_avg_pool_as, halved)
adaptive_max_pool1d, adaptive_max_pool2d, adaptive_max_pool3d = versions(adaptive_max_pool, adaptive_max_pool_as, halved)

"""Norms of small arrays, in whole passes: there the number of calls of NumPy counts alone, for any axes.

Legend: x̂ = (x - mean) / σ over `axis`, where all groups have `many` entries. A weight broadcasts with x.
"""

from typing import NamedTuple

import numpy as np

MOST = 1 << 11  # entries of a small array


def small(x):
    return 0 < x.size <= MOST


class Standard(NamedTuple):
    """x̂, 1/σ, and what it was divided by and multiplied with."""

    entries: np.ndarray
    scale: np.ndarray
    weight: np.ndarray | None
    axis: int | tuple
    many: int


def standardised(x, weight, bias, axis, many, eps):
    """Return (weight · x̂ + bias, the Standard, mean, variance). The mean is taken of x - near, so numbers far from 0 keep their digits."""
    mean = lambda x: np.add.reduce(x, axis, None, None, True) * share
    share = np.array(1 / many, x.dtype)
    near = mean(x)
    entries = x - near
    rest = mean(entries)
    entries -= rest
    variance = mean(entries * entries)
    scale = np.reciprocal(np.sqrt(variance + eps))
    entries *= scale
    y = entries.copy() if weight is None else entries * weight
    y = y if bias is None else np.add(y, bias, out=y)
    return y, Standard(entries, scale, weight, axis, many), near + rest, variance


def contributions(g, standard, over, sums=True):
    """Return (dz/dx, Σ dz/dy x̂, Σ dz/dy), the sums over the axes `over`; without `sums` they are None.

    With h = weight · dz/dy: dz/dx = (h - mean of h - x̂ · mean of h x̂) / σ.
    """
    entries, scale, weight, axis, many = standard
    mean = lambda x: np.add.reduce(x, axis, None, None, True) * share
    share, product = np.array(1 / many, g.dtype), g * entries
    found = (np.add.reduce(product, over), np.add.reduce(g, over)) if sums else (None, None)
    h, along = (g, product) if weight is None else (g * weight, product * weight)
    dx = np.subtract(h, mean(h), out=np.empty_like(entries))  # in the memory layout of x
    dx -= entries * mean(along)
    dx *= scale
    return dx, *found

"""Functions that reduce axes: sum."""

import numpy as np

from tensorgrad.axes import expanded
from tensorgrad.rule import rule

__all__ = ["sum"]
METHODS = ["sum"]


def sum_pull(G, x_shape, axis, keepdims):
    """dz/dx = dz/dy, repeated along the axes that were summed"""
    return expanded(G, x_shape, axis, keepdims)


@rule(sum_pull)
def sum(x, axis=None, keepdims=False):
    """The sum over one axis, several or all."""
    return np.add.reduce(x, axis, keepdims=keepdims)

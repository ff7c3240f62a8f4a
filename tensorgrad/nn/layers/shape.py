"""Modules that only change shapes: Flatten, Unflatten and Identity."""

from tensorgrad.nn.function_module import Applied
from tensorgrad.nn.module import Module
from tensorgrad.rules.shapes import flatten, unflatten

__all__ = ["Flatten", "Unflatten", "Identity"]


class Flatten(Applied, function=flatten):
    """Join the axes from start_dim to end_dim into one: an image (n, c, h, w) becomes a row (n, c·h·w).

    >>> import numpy as np; from tensorgrad import nn
    >>> nn.Flatten()(np.ones((5, 3, 2, 2))).shape
    (5, 12)
    """

    start_dim: int = 1
    end_dim: int = -1


class Unflatten(Applied, function=unflatten):
    """Split the axis `dim` into several of the given sizes.

    >>> import numpy as np; from tensorgrad import nn
    >>> nn.Unflatten(1, (3, 4))(np.ones((5, 12))).shape
    (5, 3, 4)
    """

    dim: int
    unflattened_size: tuple


class Identity(Module):
    """Return the input. It stands where a module may be left out; all arguments are ignored, as in PyTorch.

    >>> from tensorgrad import nn
    >>> nn.Identity()([1.0])
    [1.0]
    """

    def __init__(self, *args, **options):
        super().__init__()

    def forward(self, x):
        return x

"""Modules that give entries another shape, Flatten, Unflatten and Identity, and those that move entries of images, such as Upsample."""

from tensorgrad.nn.function_module import Applied
from tensorgrad.nn.layers.pooling import Sizes
from tensorgrad.nn.module import Module
from tensorgrad.rules.images import resampling, unfolding
from tensorgrad.rules.shapes import flatten, unflatten

__all__ = ["Flatten", "Unflatten", "Identity", "Upsample", "PixelShuffle", "PixelUnshuffle", "Unfold", "Fold"]


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


# Entries of images


class Upsample(Applied, function=resampling.interpolate):
    """Return x, of shape (n, c, *size), resized to `size` or by `scale_factor`. See `interpolate` for the modes.

    >>> from tensorgrad import nn
    >>> nn.Upsample(scale_factor=2)([[[1.0, 2.0]]]).tolist()
    [[[1.0, 1.0, 2.0, 2.0]]]
    """

    size: Sizes | None = None
    scale_factor: float | tuple | None = None
    mode: str = "nearest"
    align_corners: bool | None = None
    recompute_scale_factor: bool | None = None


class PixelShuffle(Applied, function=resampling.pixel_shuffle):
    upscale_factor: int


class PixelUnshuffle(Applied, function=resampling.pixel_unshuffle):
    downscale_factor: int


class Unfold(Applied, function=unfolding.unfold):
    kernel_size: Sizes
    dilation: Sizes = 1
    padding: Sizes = 0
    stride: Sizes = 1


class Fold(Applied, function=unfolding.fold):
    output_size: tuple
    kernel_size: Sizes
    dilation: Sizes = 1
    padding: Sizes = 0
    stride: Sizes = 1

"""Modules that move the entries of images: Upsample, PixelShuffle, PixelUnshuffle, Unfold and Fold."""

from tensorgrad.nn.function_module import Applied
from tensorgrad.nn.layers.pooling import Sizes
from tensorgrad.rules.images import resampling, unfolding

__all__ = ["Upsample", "PixelShuffle", "PixelUnshuffle", "Unfold", "Fold"]


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

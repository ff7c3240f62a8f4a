"""Modules that move the entries of images: Upsample, PixelShuffle, PixelUnshuffle, Unfold and Fold."""

from tensorgrad.nn.applied import Applied
from tensorgrad.nn.pooling import Sizes
from tensorgrad.rules import resampling, unfolding

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
    """Turn channels into pixels: (n, c·r², h, w) becomes (n, c, h·r, w·r), with r = upscale_factor.

    >>> import numpy as np; from tensorgrad import nn
    >>> nn.PixelShuffle(2)(np.ones((1, 8, 3, 3))).shape
    (1, 2, 6, 6)
    """

    upscale_factor: int


class PixelUnshuffle(Applied, function=resampling.pixel_unshuffle):
    """Turn pixels into channels: (n, c, h·r, w·r) becomes (n, c·r², h, w), with r = downscale_factor.

    >>> import numpy as np; from tensorgrad import nn
    >>> nn.PixelUnshuffle(2)(np.ones((1, 2, 6, 6))).shape
    (1, 8, 3, 3)
    """

    downscale_factor: int


class Unfold(Applied, function=unfolding.unfold):
    """Return every window of images as a column: (n, c, h, w) becomes (n, c · places, windows).

    >>> import numpy as np; from tensorgrad import nn
    >>> nn.Unfold(2)(np.ones((1, 3, 4, 4))).shape
    (1, 12, 9)
    """

    kernel_size: Sizes
    dilation: Sizes = 1
    padding: Sizes = 0
    stride: Sizes = 1


class Fold(Applied, function=unfolding.fold):
    """Return the sum of overlapping windows, given as columns: (n, c · places, windows) becomes (n, c, *output_size).

    >>> import numpy as np; from tensorgrad import nn
    >>> nn.Fold((4, 4), 2)(np.ones((1, 12, 9))).shape
    (1, 3, 4, 4)
    """

    output_size: tuple
    kernel_size: Sizes
    dilation: Sizes = 1
    padding: Sizes = 0
    stride: Sizes = 1

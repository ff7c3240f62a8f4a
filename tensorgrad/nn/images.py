"""Modules that move the entries of images: Upsample, PixelShuffle, PixelUnshuffle, Unfold and Fold."""

from tensorgrad.nn.module import Module
from tensorgrad.nn.pooling import Sizes
from tensorgrad.nn.settings import settings
from tensorgrad.rules import resampling, unfolding

__all__ = ["Upsample", "PixelShuffle", "PixelUnshuffle", "Unfold", "Fold"]


@settings
class Upsample(Module):
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

    def forward(self, x):
        return resampling.interpolate(x, self.size, self.scale_factor, self.mode, self.align_corners, self.recompute_scale_factor)


@settings
class PixelShuffle(Module):
    """Turn channels into pixels: (n, c·r², h, w) becomes (n, c, h·r, w·r), with r = upscale_factor.

    >>> import numpy as np; from tensorgrad import nn
    >>> nn.PixelShuffle(2)(np.ones((1, 8, 3, 3))).shape
    (1, 2, 6, 6)
    """

    upscale_factor: int

    def forward(self, x):
        return resampling.pixel_shuffle(x, self.upscale_factor)


@settings
class PixelUnshuffle(Module):
    """Turn pixels into channels: (n, c, h·r, w·r) becomes (n, c·r², h, w), with r = downscale_factor.

    >>> import numpy as np; from tensorgrad import nn
    >>> nn.PixelUnshuffle(2)(np.ones((1, 2, 6, 6))).shape
    (1, 8, 3, 3)
    """

    downscale_factor: int

    def forward(self, x):
        return resampling.pixel_unshuffle(x, self.downscale_factor)


@settings
class Unfold(Module):
    """Return every window of images as a column: (n, c, h, w) becomes (n, c · places, windows).

    >>> import numpy as np; from tensorgrad import nn
    >>> nn.Unfold(2)(np.ones((1, 3, 4, 4))).shape
    (1, 12, 9)
    """

    kernel_size: Sizes
    dilation: Sizes = 1
    padding: Sizes = 0
    stride: Sizes = 1

    def forward(self, x):
        return unfolding.unfold(x, self.kernel_size, self.dilation, self.padding, self.stride)


@settings
class Fold(Module):
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

    def forward(self, x):
        return unfolding.fold(x, self.output_size, self.kernel_size, self.dilation, self.padding, self.stride)

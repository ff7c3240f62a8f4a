"""Pooling layers: the largest entry, the mean or a norm of each window; adaptive ones make an output of a given size."""

from tensorgrad.functions import pooling
from tensorgrad.nn.by_axes import ByAxes
from tensorgrad.nn.function_module import Applied
from tensorgrad.nn.settings import settings

# fmt: off
__all__ = [
    "MaxPool1d", "MaxPool2d", "MaxPool3d", "AvgPool1d", "AvgPool2d", "AvgPool3d", "LPPool1d", "LPPool2d", "LPPool3d",
    "AdaptiveAvgPool1d", "AdaptiveAvgPool2d", "AdaptiveAvgPool3d", "AdaptiveMaxPool1d", "AdaptiveMaxPool2d", "AdaptiveMaxPool3d",
]
# fmt: on

Sizes = int | tuple  # one for all axes, or one for each


@settings
class MaxPool(ByAxes, Applied):
    """The settings of MaxPool1d, MaxPool2d and MaxPool3d."""

    _summary = "Return the largest entry of each window of x, of shape {x}. See MaxPool2d."
    _example = "2", 4, 2
    kernel_size: Sizes
    stride: Sizes | None = None
    padding: Sizes = 0
    dilation: Sizes = 1
    return_indices: bool = False
    ceil_mode: bool = False

    def forward(self, x):
        return self._function(x, self.kernel_size, self.stride, self.padding, self.dilation, self.ceil_mode, self.return_indices)


class MaxPool2d(MaxPool, axes=2, function=pooling.max_pool2d):
    """Return the largest entry of each window over the last two axes.

    By default the windows lie side by side. Equal largest entries share the gradient of their window. With return_indices=True it
    also returns the positions of the largest entries. Raises ValueError if the windows do not fit.

    >>> import numpy as np; from tensorgrad import nn
    >>> nn.MaxPool2d(2)(np.arange(16.0).reshape(1, 1, 4, 4)).tolist()
    [[[[5.0, 7.0], [13.0, 15.0]]]]
    """


@settings
class AvgPool(ByAxes, Applied):
    """The settings of AvgPool1d, AvgPool2d and AvgPool3d."""

    _summary = "Return the mean of each window of x, of shape {x}. See AvgPool2d."
    _example = "2", 4, 2
    kernel_size: Sizes
    stride: Sizes | None = None
    padding: Sizes = 0
    ceil_mode: bool = False
    count_include_pad: bool = True


class AvgPool2d(AvgPool, axes=2, function=pooling.avg_pool2d):
    """Return the mean of each window over the last two axes. By default the windows lie side by side.

    Raises ValueError if the windows do not fit.

    >>> import numpy as np; from tensorgrad import nn
    >>> nn.AvgPool2d(2)(np.arange(16.0).reshape(1, 1, 4, 4)).tolist()
    [[[[2.5, 4.5], [10.5, 12.5]]]]
    """

    divisor_override: int | None = None


class AvgPool3d(AvgPool, axes=3, function=pooling.avg_pool3d):
    divisor_override: int | None = None


@settings
class LPPool(ByAxes, Applied):
    """The settings of LPPool1d, LPPool2d and LPPool3d."""

    _summary = "Return (Σ xᵖ)^(1/p) of each window of x, of shape {x}, with p = norm_type. See LPPool2d."
    _example = "2, 2", 4, 2
    norm_type: float
    kernel_size: Sizes
    stride: Sizes | None = None


class LPPool2d(LPPool, axes=2, function=pooling.lp_pool2d):
    """Return (Σ xᵖ)^(1/p) of each window over the last two axes, with p = norm_type.

    >>> import numpy as np; from tensorgrad import nn
    >>> nn.LPPool2d(2, (1, 2))(np.array([[[[3.0, 4.0]]]])).tolist()
    [[[[5.0]]]]
    """


@settings
class AdaptivePool(ByAxes, Applied):
    """The settings of the adaptive pooling layers."""

    _example = "2", 4, 2
    output_size: Sizes


class AdaptiveAvgPool(AdaptivePool):
    _summary = "Return x, of shape {x}, resized to `output_size`: each entry is the mean of a box. See AdaptiveAvgPool2d."


class AdaptiveAvgPool2d(AdaptiveAvgPool, axes=2, function=pooling.adaptive_avg_pool2d):
    """Return x with its last two axes resized to `output_size` (one integer, or one for each axis): each entry is the mean of a box.

    None in the place of an integer keeps an axis.

    >>> import numpy as np; from tensorgrad import nn
    >>> nn.AdaptiveAvgPool2d((1, 2))(np.arange(16.0).reshape(1, 1, 4, 4)).tolist()
    [[[[6.5, 8.5]]]]
    """


class AdaptiveMaxPool(AdaptivePool):
    _summary = "Return x, of shape {x}, resized to `output_size`: each entry is the largest of a box. See AdaptiveMaxPool2d."


class AdaptiveMaxPool2d(AdaptiveMaxPool, axes=2, function=pooling.adaptive_max_pool2d):
    """Return x with its last two axes resized to `output_size`: each entry is the largest of a box.

    >>> import numpy as np; from tensorgrad import nn
    >>> nn.AdaptiveMaxPool2d((1, 2))(np.arange(16.0).reshape(1, 1, 4, 4)).tolist()
    [[[[13.0, 15.0]]]]
    """


# fmt: off
class MaxPool1d(MaxPool, axes=1, function=pooling.max_pool1d): ...
class MaxPool3d(MaxPool, axes=3, function=pooling.max_pool3d): ...
class AvgPool1d(AvgPool, axes=1, function=pooling.avg_pool1d): ...
class LPPool1d(LPPool, axes=1, function=pooling.lp_pool1d): ...
class LPPool3d(LPPool, axes=3, function=pooling.lp_pool3d): ...
class AdaptiveAvgPool1d(AdaptiveAvgPool, axes=1, function=pooling.adaptive_avg_pool1d): ...
class AdaptiveAvgPool3d(AdaptiveAvgPool, axes=3, function=pooling.adaptive_avg_pool3d): ...
class AdaptiveMaxPool1d(AdaptiveMaxPool, axes=1, function=pooling.adaptive_max_pool1d): ...
class AdaptiveMaxPool3d(AdaptiveMaxPool, axes=3, function=pooling.adaptive_max_pool3d): ...
# fmt: on

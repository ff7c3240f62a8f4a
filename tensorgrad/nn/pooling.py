"""Pooling layers: the largest entry, the mean or a norm of each window; adaptive ones make an output of a given size."""

from tensorgrad.functions import adaptive_pooling, pooling
from tensorgrad.nn.applied import Applied
from tensorgrad.nn.settings import settings

# fmt: off
__all__ = [
    "MaxPool1d", "MaxPool2d", "MaxPool3d", "AvgPool1d", "AvgPool2d", "AvgPool3d", "LPPool1d", "LPPool2d", "LPPool3d",
    "AdaptiveAvgPool1d", "AdaptiveAvgPool2d", "AdaptiveAvgPool3d", "AdaptiveMaxPool1d", "AdaptiveMaxPool2d", "AdaptiveMaxPool3d",
]
# fmt: on

Sizes = int | tuple  # one for all axes, or one for each


@settings
class MaxPool(Applied):
    """The settings of MaxPool1d, MaxPool2d and MaxPool3d."""

    kernel_size: Sizes
    stride: Sizes | None = None
    padding: Sizes = 0
    dilation: Sizes = 1
    return_indices: bool = False
    ceil_mode: bool = False

    def forward(self, x):
        return self._function(x, self.kernel_size, self.stride, self.padding, self.dilation, self.ceil_mode, self.return_indices)


class MaxPool1d(MaxPool, function=pooling.max_pool1d):
    """Return the largest entry of each window along the last axis. See MaxPool2d.

    >>> import numpy as np; from tensorgrad import nn
    >>> nn.MaxPool1d(2)(np.array([[[1.0, 4.0, 2.0, 3.0]]])).tolist()
    [[[4.0, 3.0]]]
    """


class MaxPool2d(MaxPool, function=pooling.max_pool2d):
    """Return the largest entry of each window over the last two axes.

    By default the windows lie side by side. Equal largest entries share the gradient of their window. With return_indices=True it
    also returns the positions of the largest entries. Raises ValueError if the windows do not fit.

    >>> import numpy as np; from tensorgrad import nn
    >>> nn.MaxPool2d(2)(np.arange(16.0).reshape(1, 1, 4, 4)).tolist()
    [[[[5.0, 7.0], [13.0, 15.0]]]]
    """


class MaxPool3d(MaxPool, function=pooling.max_pool3d):
    """Return the largest entry of each window over the last three axes. See MaxPool2d.

    >>> import numpy as np; from tensorgrad import nn
    >>> nn.MaxPool3d(2)(np.ones((1, 1, 4, 4, 4))).shape
    (1, 1, 2, 2, 2)
    """


@settings
class AvgPool(Applied):
    """The settings of AvgPool1d, AvgPool2d and AvgPool3d."""

    kernel_size: Sizes
    stride: Sizes | None = None
    padding: Sizes = 0
    ceil_mode: bool = False
    count_include_pad: bool = True


class AvgPool1d(AvgPool, function=pooling.avg_pool1d):
    """Return the mean of each window along the last axis. See AvgPool2d.

    >>> import numpy as np; from tensorgrad import nn
    >>> nn.AvgPool1d(2)(np.array([[[1.0, 3.0, 2.0, 4.0]]])).tolist()
    [[[2.0, 3.0]]]
    """


class AvgPool2d(AvgPool, function=pooling.avg_pool2d):
    """Return the mean of each window over the last two axes. By default the windows lie side by side.

    Raises ValueError if the windows do not fit.

    >>> import numpy as np; from tensorgrad import nn
    >>> nn.AvgPool2d(2)(np.arange(16.0).reshape(1, 1, 4, 4)).tolist()
    [[[[2.5, 4.5], [10.5, 12.5]]]]
    """

    divisor_override: int | None = None


class AvgPool3d(AvgPool, function=pooling.avg_pool3d):
    """Return the mean of each window over the last three axes. See AvgPool2d.

    >>> import numpy as np; from tensorgrad import nn
    >>> nn.AvgPool3d(2)(np.ones((1, 1, 4, 4, 4))).shape
    (1, 1, 2, 2, 2)
    """

    divisor_override: int | None = None


@settings
class LPPool(Applied):
    """The settings of LPPool1d, LPPool2d and LPPool3d."""

    norm_type: float
    kernel_size: Sizes
    stride: Sizes | None = None


class LPPool1d(LPPool, function=pooling.lp_pool1d):
    """Return (Σ xᵖ)^(1/p) of each window along the last axis, with p = norm_type. See LPPool2d.

    >>> import numpy as np; from tensorgrad import nn
    >>> nn.LPPool1d(2, 2)(np.array([[[3.0, 4.0]]])).tolist()
    [[[5.0]]]
    """


class LPPool2d(LPPool, function=pooling.lp_pool2d):
    """Return (Σ xᵖ)^(1/p) of each window over the last two axes, with p = norm_type.

    >>> import numpy as np; from tensorgrad import nn
    >>> nn.LPPool2d(2, (1, 2))(np.array([[[[3.0, 4.0]]]])).tolist()
    [[[[5.0]]]]
    """


class LPPool3d(LPPool, function=pooling.lp_pool3d):
    """Return (Σ xᵖ)^(1/p) of each window over the last three axes, with p = norm_type. See LPPool2d.

    >>> import numpy as np; from tensorgrad import nn
    >>> nn.LPPool3d(1, 2)(np.ones((1, 1, 2, 2, 2))).tolist()
    [[[[[8.0]]]]]
    """


@settings
class AdaptivePool(Applied):
    """The settings of the adaptive pooling layers."""

    output_size: Sizes


class AdaptiveAvgPool1d(AdaptivePool, function=adaptive_pooling.adaptive_avg_pool1d):
    """Return the means of `output_size` boxes along the last axis. See AdaptiveAvgPool2d.

    >>> import numpy as np; from tensorgrad import nn
    >>> nn.AdaptiveAvgPool1d(2)(np.array([[[1.0, 2.0, 3.0]]])).tolist()
    [[[1.5, 2.5]]]
    """


class AdaptiveAvgPool2d(AdaptivePool, function=adaptive_pooling.adaptive_avg_pool2d):
    """Return x with its last two axes resized to `output_size` (one integer, or one for each axis): each entry is the mean of a box.

    None in the place of an integer keeps an axis.

    >>> import numpy as np; from tensorgrad import nn
    >>> nn.AdaptiveAvgPool2d((1, 2))(np.arange(16.0).reshape(1, 1, 4, 4)).tolist()
    [[[[6.5, 8.5]]]]
    """


class AdaptiveAvgPool3d(AdaptivePool, function=adaptive_pooling.adaptive_avg_pool3d):
    """Return x with its last three axes resized by means. See AdaptiveAvgPool2d.

    >>> import numpy as np; from tensorgrad import nn
    >>> nn.AdaptiveAvgPool3d(1)(np.ones((1, 2, 4, 4, 4))).shape
    (1, 2, 1, 1, 1)
    """


class AdaptiveMaxPool1d(AdaptivePool, function=adaptive_pooling.adaptive_max_pool1d):
    """Return the largest entries of `output_size` boxes along the last axis. See AdaptiveMaxPool2d.

    >>> import numpy as np; from tensorgrad import nn
    >>> nn.AdaptiveMaxPool1d(2)(np.array([[[1.0, 3.0, 2.0]]])).tolist()
    [[[3.0, 3.0]]]
    """


class AdaptiveMaxPool2d(AdaptivePool, function=adaptive_pooling.adaptive_max_pool2d):
    """Return x with its last two axes resized to `output_size`: each entry is the largest of a box.

    >>> import numpy as np; from tensorgrad import nn
    >>> nn.AdaptiveMaxPool2d((1, 2))(np.arange(16.0).reshape(1, 1, 4, 4)).tolist()
    [[[[13.0, 15.0]]]]
    """


class AdaptiveMaxPool3d(AdaptivePool, function=adaptive_pooling.adaptive_max_pool3d):
    """Return x with its last three axes resized by maxima. See AdaptiveMaxPool2d.

    >>> import numpy as np; from tensorgrad import nn
    >>> nn.AdaptiveMaxPool3d(1)(np.ones((1, 2, 4, 4, 4))).shape
    (1, 2, 1, 1, 1)
    """

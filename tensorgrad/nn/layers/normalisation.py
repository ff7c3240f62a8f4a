"""Normalisation layers: over the batch, over each sample, over groups of channels and over each channel."""

import numpy as np

from scalargrad.messages.errors import must_be_integers
from tensorgrad.functions import normalisation as functions
from tensorgrad.modes import computing_again
from tensorgrad.nn.by_axes import ByAxes
from tensorgrad.nn.inputs import of_dtype
from tensorgrad.nn.module import Module
from tensorgrad.nn.parameter import Parameter
from tensorgrad.nn.sizes import float_dtype

# fmt: off
__all__ = [
    "BatchNorm1d", "BatchNorm2d", "BatchNorm3d", "InstanceNorm1d", "InstanceNorm2d", "InstanceNorm3d", "LayerNorm", "RMSNorm",
    "GroupNorm",
]
# fmt: on


class Running(ByAxes, Module):
    """What BatchNorm and InstanceNorm share: weight and bias per channel, running statistics, and the axes that an input must have."""

    beside: tuple[int, ...] = (1, 2)  # how many axes an input may have beside these
    _example = "2", 4, 4
    running_mean: np.ndarray
    running_var: np.ndarray
    num_batches_tracked: np.ndarray

    def __init__(self, num_features, eps=1e-5, momentum=0.1, affine=True, track_running_stats=True, *, bias=True, dtype=None):
        super().__init__()
        kind = type(self).__name__
        must_be_integers(kind, 1, num_features=num_features)
        dtype = float_dtype(kind, dtype)
        self.num_features, self.eps, self.momentum = num_features, eps, momentum
        self.affine, self.track_running_stats = affine, track_running_stats
        self.weight = Parameter(np.ones(num_features, dtype)) if affine else None
        self.bias = Parameter(np.zeros(num_features, dtype)) if affine and bias else None
        self.register_buffer("running_mean", np.zeros(num_features, dtype) if track_running_stats else None)
        self.register_buffer("running_var", np.ones(num_features, dtype) if track_running_stats else None)
        self.register_buffer("num_batches_tracked", np.zeros((), np.int64) if track_running_stats else None)

    def _input(self, x):
        """Return x in the dtype of the parameters. Raises ValueError for another number of axes or of channels."""
        x = x if self.weight is None else of_dtype(x, self.weight._data.dtype)
        shape = np.shape(x)
        if len(shape) - self.axes not in self.beside or shape[not self._alone(shape)] != self.num_features:
            raise ValueError(f"x has shape {shape}; {self.layout} is needed, with {self.num_features} channels c")
        return x

    def _alone(self, shape):
        """Return whether an input of this shape is one sample, which lacks the batch axis."""
        return False

    def reset_running_stats(self) -> None:
        """Set the running mean to 0, the running variance to 1, and the number of batches to 0."""
        if self.track_running_stats:
            self.running_mean[:], self.running_var[:], self.num_batches_tracked[...] = 0, 1, 0

    def extra_repr(self):
        tracks = f"track_running_stats={self.track_running_stats}"
        return f"{self.num_features}, eps={self.eps}, momentum={self.momentum}, affine={self.affine}, {tracks}"


class BatchNorm(Running):
    """Batch normalisation: BatchNorm1d, BatchNorm2d and BatchNorm3d."""

    beside: tuple[int, ...] = (2,)
    _summary = "Normalise each channel of x, of shape {x}, over the batch. See BatchNorm2d."

    def forward(self, x):
        x, over_batch = self._input(x), self.training or not self.track_running_stats
        momentum = self._momentum() if self.training else 0.0
        mean, variance = self.running_mean, self.running_var
        return functions.batch_norm(x, mean, variance, self.weight, self.bias, over_batch, momentum, self.eps)

    def _momentum(self):
        """Count this batch, and return its weight in the running statistics: 1 / number of batches if momentum is None."""
        count = self.num_batches_tracked
        if count is None:
            return 0.0
        if not computing_again.get():  # a checkpoint, or a drawing, calls forward again for one batch
            count += 1
        return 1 / float(count) if self.momentum is None else self.momentum


class BatchNorm1d(BatchNorm, axes=1):
    beside, layout = (1, 2), "(n, c) or (n, c, length)"


class BatchNorm2d(BatchNorm, axes=2):
    """Return (x - mean) / √(variance + eps) · weight + bias for each channel of images x, of shape (n, c, height, width).

    In training, mean and variance are those of the batch, and the running statistics move towards them by `momentum` (None: they
    are the means over all batches); a batch with nan or inf does not move them. After `eval()` the running statistics are used.
    `weight` starts at 1, `bias` at 0; with bias=False there is none. Raises ValueError for another number of axes or channels.
    Source: Ioffe and Szegedy, "Batch Normalization", 2015.

    >>> from tensorgrad import nn
    >>> norm = nn.BatchNorm2d(1, eps=0.0); norm([[[[1.0, 3.0]]]]).tolist()
    [[[[-1.0, 1.0]]]]
    >>> norm.running_mean, (norm.eval()([[[[1.0, 3.0]]]]) * 100).data.round().tolist()
    (array([0.2], dtype=float32), [[[[76.0, 267.0]]]])
    """

    layout = "(n, c, height, width)"


class BatchNorm3d(BatchNorm, axes=3):
    layout = "(n, c, depth, height, width)"


class InstanceNorm(Running):
    """Instance normalisation: InstanceNorm1d, InstanceNorm2d and InstanceNorm3d."""

    _summary = "Normalise each channel of each sample of x, of shape {x}. See InstanceNorm2d."

    def __init__(self, num_features, eps=1e-5, momentum=0.1, affine=False, track_running_stats=False, *, bias=True, dtype=None):
        super().__init__(num_features, eps, momentum, affine, track_running_stats, bias=bias, dtype=dtype)

    def forward(self, x):
        x, by_instance = self._input(x), self.training or not self.track_running_stats
        alone = self._alone(x.shape)
        settings = self.running_mean, self.running_var, self.weight, self.bias, by_instance, self.momentum or 0.0, self.eps
        y = functions.instance_norm(x.reshape((1, *x.shape)) if alone else x, *settings)
        return y.reshape(y.shape[1:]) if alone else y

    def _alone(self, shape):
        return len(shape) == self.axes + 1


class InstanceNorm2d(InstanceNorm, axes=2):
    """Return (x - mean) / √(variance + eps) · weight + bias for each channel of each image, of shape (n, c, height, width).

    By default there are no weight and bias, and no running statistics. Source: Ulyanov, Vedaldi and Lempitsky, "Instance
    Normalization", 2016.

    >>> import numpy as np; from tensorgrad import nn
    >>> nn.InstanceNorm2d(1, eps=0.0)(np.array([[[[1.0, 3.0]]]])).tolist()
    [[[[-1.0, 1.0]]]]
    """


# fmt: off
class InstanceNorm1d(InstanceNorm, axes=1): ...
class InstanceNorm3d(InstanceNorm, axes=3): ...
# fmt: on


class LayerNorm(Module):
    """Return (x - mean) / √(variance + eps) · weight + bias over the last axes of x, whose shape is `normalized_shape`.

    `weight` starts at 1, `bias` at 0; both have that shape. Raises ValueError if x does not fit. Source: Ba, Kiros and Hinton,
    "Layer Normalization", 2016.

    >>> from tensorgrad import nn
    >>> nn.LayerNorm(2, eps=0.0)([[1.0, 3.0], [5.0, 9.0]]).tolist()
    [[-1.0, 1.0], [-1.0, 1.0]]
    """

    def __init__(self, normalized_shape, eps=1e-5, elementwise_affine=True, bias=True, *, dtype=None):
        super().__init__()
        self.normalized_shape, self.eps, self.elementwise_affine = sizes_of("LayerNorm", normalized_shape), eps, elementwise_affine
        dtype = float_dtype("LayerNorm", dtype)
        self.weight = Parameter(np.ones(self.normalized_shape, dtype)) if elementwise_affine else None
        self.bias = Parameter(np.zeros(self.normalized_shape, dtype)) if elementwise_affine and bias else None

    def forward(self, x):
        weight = self.weight
        x = x if weight is None else of_dtype(x, weight._data.dtype)
        return functions.layer_norm(x, self.normalized_shape, weight, self.bias, self.eps)

    def extra_repr(self):
        return f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}"


class RMSNorm(Module):
    """Return x / √(mean of x² + eps) · weight over the last axes of x, whose shape is `normalized_shape`.

    `weight` starts at 1. The default of eps is the distance from 1 to the next number of the dtype. Raises ValueError if x does
    not fit. Source: Zhang and Sennrich, "Root Mean Square Layer Normalization", 2019.

    >>> from tensorgrad import nn
    >>> nn.RMSNorm(2)([[2.0, 2.0]]).data.round(3).tolist()
    [[1.0, 1.0]]
    """

    def __init__(self, normalized_shape, eps=None, elementwise_affine=True, *, dtype=None):
        super().__init__()
        self.normalized_shape, self.eps, self.elementwise_affine = sizes_of("RMSNorm", normalized_shape), eps, elementwise_affine
        self.weight = Parameter(np.ones(self.normalized_shape, float_dtype("RMSNorm", dtype))) if elementwise_affine else None

    def forward(self, x):
        weight = self.weight
        return functions.rms_norm(x if weight is None else of_dtype(x, weight._data.dtype), self.normalized_shape, weight, self.eps)

    def extra_repr(self):
        return f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}"


class GroupNorm(Module):
    """Return (x - mean) / √(variance + eps) · weight + bias over groups of channels of each sample of x, of shape (n, c, *size).

    `weight` starts at 1, `bias` at 0; both have shape (num_channels,), and with bias=False there is no bias. Raises ValueError
    if num_groups does not divide num_channels. Source: Wu and He, "Group Normalization", 2018.

    >>> from tensorgrad import nn
    >>> nn.GroupNorm(2, 4, eps=0.0)([[1.0, 3.0, 5.0, 9.0]]).tolist()
    [[-1.0, 1.0, -1.0, 1.0]]
    """

    def __init__(self, num_groups, num_channels, eps=1e-5, affine=True, *, bias=True, dtype=None):
        super().__init__()
        must_be_integers("GroupNorm", 1, num_groups=num_groups, num_channels=num_channels)
        if num_channels % num_groups:
            raise ValueError(f"GroupNorm: num_groups={num_groups} must divide num_channels={num_channels}")
        self.num_groups, self.num_channels, self.eps, self.affine = num_groups, num_channels, eps, affine
        dtype = float_dtype("GroupNorm", dtype)
        self.weight = Parameter(np.ones(num_channels, dtype)) if affine else None
        self.bias = Parameter(np.zeros(num_channels, dtype)) if affine and bias else None

    def forward(self, x):
        weight = self.weight
        x = x if weight is None else of_dtype(x, weight._data.dtype)
        if len(np.shape(x)) < 2 or np.shape(x)[1] != self.num_channels:
            raise ValueError(f"x has shape {np.shape(x)}; (n, c, *size) is needed, with {self.num_channels} channels c")
        return functions.group_norm(x, self.num_groups, weight, self.bias, self.eps)

    def extra_repr(self):
        return f"{self.num_groups}, {self.num_channels}, eps={self.eps}, affine={self.affine}"


def sizes_of(layer, normalized_shape):
    """Return normalized_shape, an integer or several, as a tuple of positive integers."""
    sizes = tuple(normalized_shape) if isinstance(normalized_shape, (tuple, list)) else (normalized_shape,)
    for n in sizes:
        must_be_integers(layer, 1, normalized_shape=n)
    return sizes

"""Normalisation over batches, layers, groups and vectors; dropout.

Argument names are PyTorch's, with NumPy's `axis` instead of `dim`. Where x has channels, its shape is (n, c, *size): n samples
of c channels.
"""

from math import prod

import numpy as np

from tensorgrad.arrays.axes import axes_of, shape_of
from tensorgrad.arrays.draws import generator_of
from tensorgrad.errors.errors import must_broadcast
from tensorgrad.modes import computing_again
from tensorgrad.public import Array, Option, public
from tensorgrad.rules import normalisation as rules
from tensorgrad.rules.elementwise import div, maximum, mul, sqrt
from tensorgrad.rules.linear_algebra.norms import vector_norm
from tensorgrad.rules.normalisation import affine, of_channels, standardise, standardise_groups
from tensorgrad.rules.reductions import sum
from tensorgrad.rules.shapes import broadcast_to
from tensorgrad.tensor import array_of

__all__ = [
    "batch_norm", "batch_norm_relu", "cosine_similarity", "dropout", "group_norm", "instance_norm", "layer_norm", "normalize", "rms_norm",
]  # fmt: skip


# Over the batch


@public
def batch_norm(
    x: Array, running_mean=None, running_var=None, weight: Array = None, bias: Array = None, training=False, momentum=0.1, eps=1e-5
):
    """Return (x - mean) / √(variance + eps) · weight + bias, channel by channel.

    In formulas, in training:
        y = h · weight + bias, with h = (x - mean) / √(variance + eps)
        dz/dx = (G - mean(G) - h · mean(G · h)) / √(variance + eps), with G = dz/dy · weight
        dz/dweight = Σ over the batch: dz/dy · h; dz/dbias = Σ over the batch: dz/dy

    x has shape (n, c, *size); weight and bias have shape (c,), or are None. In training, mean and variance are those of the
    batch. Otherwise they are the running statistics, which count as constants. Raises ValueError if the shapes do not fit, and
    in training for fewer than two numbers per channel. Source: Ioffe and Szegedy, "Batch Normalization", 2015.

    - running_mean, running_var: arrays of shape (c,); in training they may be None
    - training: also update the running statistics in place: new = old + momentum · (batch - old). The variance of the batch
      then divides by count - 1. A batch whose mean or variance is not finite leaves them as they are; PyTorch's become nan.
    - momentum: the weight of this batch in the running statistics

    >>> x = np.array([[1.0, 5.0], [3.0, 9.0]])
    >>> batch_norm(x, training=True, eps=0.0, weight=np.array([2.0, 1.0]), bias=np.ones(2)).tolist()
    [[-1.0, 0.0], [3.0, 2.0]]
    """
    running = running_statistics("batch_norm", x, running_mean, running_var, weight, bias, training, momentum)
    if training:
        return rules.over_batch.applied((x, weight, bias), (eps, running))
    return with_running(x, running, weight, bias, eps)


@public
def batch_norm_relu(
    x: Array, running_mean=None, running_var=None, weight: Array = None, bias: Array = None,
    residual: Array = None, training=False, momentum=0.1, eps=1e-5,
):  # fmt: skip
    """Return relu(batch_norm(x, ...) + residual), the end of a residual block. In training it is one function of the graph.

    In formulas, in training:
        y = relu(h · weight + bias + residual), with h = (x - mean) / √(variance + eps)
        dz/dx = (G - mean(G) - h · mean(G · h)) / √(variance + eps), with G = weight · (dz/dy where y > 0, else 0)
        dz/dresidual = dz/dy where y > 0, else 0

    The residual has the shape of x, or is None. The other arguments are those of `batch_norm`. The derivative of relu at 0 is
    0. Raises ValueError if the shapes do not fit.

    >>> x, residual = np.array([[1.0], [3.0]]), np.array([[0.5], [2.0]])
    >>> batch_norm_relu(x, training=True, eps=0.0, residual=residual).tolist()
    [[0.0], [3.0]]
    """
    running = running_statistics("batch_norm_relu", x, running_mean, running_var, weight, bias, training, momentum)
    if residual is not None and shape_of(residual) != x.shape:
        raise ValueError(f"batch_norm_relu: residual has shape {np.shape(residual)} and x has shape {x.shape}; they must be the same")
    if training:
        return rules.over_batch_relu.applied((x, weight, bias, residual), (eps, running))
    y = with_running(x, running, weight, bias, eps)
    return maximum(y if residual is None else y + residual, 0)


def running_statistics(name, x, running_mean, running_var, weight, bias, training, momentum):
    """Return (running mean, running variance, momentum), or None if there is nothing to update; raise an error for wrong
    arguments.
    """
    if x.ndim < 2:
        raise ValueError(f"{name}: x has shape {x.shape}; (n, c, *size) is needed")
    must_match_channels(name, x.shape, running_mean=running_mean, running_var=running_var, weight=weight, bias=bias)
    if (running_mean is None) != (running_var is None) or not (training or running_mean is not None):
        raise ValueError(f"{name}: give both running_mean and running_var; only in training both may be left out")
    if running_mean is not None and not (isinstance(running_mean, np.ndarray) and isinstance(running_var, np.ndarray)):
        raise TypeError(f"{name}: running_mean and running_var must be NumPy arrays, because the call changes them in place")
    if training and (x.size // max(x.shape[1], 1) < 2 or not x.size):
        raise ValueError(f"{name}: x has shape {x.shape}; in training each channel needs at least two numbers")
    updated = training and computing_again.get()  # a checkpoint, or what looks into a graph, runs the function again
    return None if running_mean is None or updated else (running_mean, running_var, momentum)


def with_running(x, running, weight, bias, eps):
    """Normalise the batch with a constant mean and variance."""
    mean, variance, _ = running
    mean, deviation = mean.astype(x.dtype), np.sqrt(variance + eps).astype(x.dtype)
    scale = 1 / deviation if weight is None else weight / deviation
    return affine(x - of_channels(mean, x), scale, bias)


# Over each sample


@public
def layer_norm(x: Array, normalized_shape: Option, weight: Array = None, bias: Array = None, eps=1e-5):
    """Return (x - mean) / √(variance + eps) · weight + bias over the last axes of x.

    In formulas:
        y = h · weight + bias, with h = (x - mean) / √(variance + eps)
        dz/dx = (G - mean(G) - h · mean(G · h)) / √(variance + eps), with G = dz/dy · weight
        dz/dweight = Σ over the batch: dz/dy · h; dz/dbias = Σ over the batch: dz/dy

    x has shape (*batch, *normalized_shape); weight and bias have shape normalized_shape, or are None. The result has the shape
    of x. If the variance overflows, x has entries beyond the root of the largest number, and the result is 0 or nan (PyTorch:
    nan). Raises ValueError if the shapes do not fit. Source: Ba, Kiros and Hinton, "Layer Normalization", 2016.

    >>> layer_norm(np.array([[1.0, 3.0], [5.0, 9.0]]), 2, eps=0.0).tolist()
    [[-1.0, 1.0], [-1.0, 1.0]]
    """
    axis = last_axes("layer_norm", x, normalized_shape, weight=weight, bias=bias)
    return standardise.applied((x, weight, bias), (len(axis), eps))


@public
def rms_norm(x: Array, normalized_shape: Option, weight: Array = None, eps=None):
    """Return x / √(mean of x² + eps) · weight over the last axes of x.

    In formulas:
        y = h · weight, with h = x / √(mean(x²) + eps)
        dz/dx = (G - h · mean(G · h)) / √(mean(x²) + eps), with G = dz/dy · weight
        dz/dweight = Σ over the batch: dz/dy · h

    x has shape (*batch, *normalized_shape); weight has shape normalized_shape, or is None. The result has the shape of x. The
    default of eps is the distance from 1 to the next number in the dtype of x. Raises ValueError if the shapes do not fit.
    Source: Zhang and Sennrich, "Root Mean Square Layer Normalization", 2019.

    >>> rms_norm(np.array([3.0, 4.0]), 2, eps=0.0) * np.sqrt(12.5)
    array([3., 4.])
    """
    axis = last_axes("rms_norm", x, normalized_shape, weight=weight)
    eps = float(np.finfo(x.dtype).eps) if eps is None else eps
    y = x / sqrt((x * x).mean(axis, keepdims=True) + eps)
    return y if weight is None else y * weight


def last_axes(name, x, normalized_shape, **given):
    """Return the axes that `normalized_shape` means; raise ValueError if x or another given array does not fit it."""
    shape = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
    if not shape or x.shape[-len(shape) :] != shape:
        raise ValueError(f"{name}: x has shape {x.shape}, whose last axes are not normalized_shape={shape}")
    for what, v in given.items():
        if v is not None and v.shape != shape:
            raise ValueError(f"{name}: {what} has shape {v.shape}; it needs normalized_shape={shape}")
    return tuple(range(-len(shape), 0))


@public
def group_norm(x: Array, num_groups: Option, weight: Array = None, bias: Array = None, eps=1e-5):
    """Return (x - mean) / √(variance + eps) · weight + bias, over groups of channels of each sample.

    In formulas:
        y = h · weight + bias, with h = (x - mean) / √(variance + eps)
        dz/dx = (G - mean(G) - h · mean(G · h)) / √(variance + eps), with G = dz/dy · weight
        dz/dweight = Σ over the batch: dz/dy · h
        dz/dbias = Σ dz/dy

    x has shape (n, c, *size); weight and bias have shape (c,), or are None. The result has the shape of x. Raises ValueError if
    num_groups does not divide c, and if the shapes do not fit. Source: Wu and He, "Group Normalization", 2018.

    >>> group_norm(np.array([[1.0, 3.0, 5.0, 9.0]]), 2, eps=0.0).tolist()
    [[-1.0, 1.0, -1.0, 1.0]]
    """
    shape = x.shape
    if len(shape) < 2 or num_groups < 1 or shape[1] % num_groups:
        raise ValueError(f"group_norm: x of shape {shape}, (n, c, *size), cannot be divided into {num_groups} equal groups of channels")
    must_match_channels("group_norm", shape, weight=weight, bias=bias)
    return standardise_groups.applied((x, weight, bias), (num_groups, eps))


@public
def instance_norm(
    x: Array, running_mean=None, running_var=None, weight: Array = None, bias: Array = None, use_input_stats=True, momentum=0.1, eps=1e-5
):
    """Return (x - mean) / √(variance + eps) · weight + bias, over each channel of each sample.

    In formulas:
        y = h · weight + bias, with h = (x - mean) / √(variance + eps)
        dz/dx = (G - mean(G) - h · mean(G · h)) / √(variance + eps), with G = dz/dy · weight
        dz/dweight = Σ over the batch: dz/dy · h
        dz/dbias = Σ dz/dy

    x has shape (n, c, *size); weight and bias have shape (c,), or are None. Running statistics, arrays of shape (c,), are
    updated in place as in `batch_norm`, towards the means over the samples. With use_input_stats=False they are used instead,
    as constants. Raises ValueError if the shapes do not fit, and for fewer than two numbers per channel of a sample. Source:
    Ulyanov, Vedaldi and Lempitsky, "Instance Normalization", 2016.

    >>> instance_norm(np.array([[[1.0, 3.0], [5.0, 9.0]]]), eps=0.0).tolist()
    [[[-1.0, 1.0], [-1.0, 1.0]]]
    """
    running = running_statistics("instance_norm", x, running_mean, running_var, weight, bias, use_input_stats, momentum)
    if not use_input_stats:
        return with_running(x, running, weight, bias, eps)
    axis, many = tuple(range(2, x.ndim)), prod(x.shape[2:])
    if many < 2:
        raise ValueError(f"instance_norm: x has shape {x.shape}; each channel of a sample needs at least two numbers")
    if running is not None:
        data = array_of(x)
        rules.update_running(running, data.mean((0, *axis)), data.var(axis).mean(0), many)
    return standardise_groups.applied((x, weight, bias), (x.shape[1], eps))


def must_match_channels(name, shape, **given):
    for what, v in given.items():
        if v is not None and shape_of(v) != shape[1:2]:
            raise ValueError(
                f"{name}: {what} has shape {np.shape(v)}; x of shape {shape} has {shape[1]} channels, so it needs {shape[1:2]}"
            )


# Vectors


@public
def normalize(x: Array, p=2.0, axis=1, eps=1e-12):
    """Return x / max(length, eps): vectors along an axis, scaled to length 1. The length is (Σ|x|^p)^(1/p).

    In formulas, for p = 2:
        y = x / |x|
        dz/dx = (dz/dy - y · Σ y · dz/dy) / |x|

    Where a vector is 0, the derivative of its length is taken as 0; the gradient there is dz/dy / eps, as in PyTorch.

    >>> normalize(np.array([[3.0, 4.0]])).tolist()
    [[0.6, 0.8]]
    """
    return x / maximum(vector_norm(x, axes_of("normalize", axis, x.shape), True, p), eps)


@public
def cosine_similarity(x1: Array, x2: Array, axis=1, eps=1e-8):
    """Return x1 · x2 / (max(|x1|, eps) max(|x2|, eps)), the cosine of the angle between vectors along an axis.

    In formulas:
        y = Σ x1 · x2 / (|x1| · |x2|)
        dz/dx1 = dz/dy · (x2 / (|x1| · |x2|) - y · x1 / |x1|²)
        dz/dx2 = dz/dy · (x1 / (|x1| · |x2|) - y · x2 / |x2|²)

    x1 and x2 broadcast; `axis` counts the axes of the common shape. Where a vector is 0 the derivative of its length is taken
    as 0. Raises ValueError if the shapes do not broadcast.

    >>> cosine_similarity(np.array([[3.0, 4.0]]), np.array([[4.0, 3.0]])).tolist()
    [0.96]
    """
    must_broadcast("cosine_similarity", x1, x2)
    shape = np.broadcast_shapes(x1.shape, x2.shape)
    axis = axes_of("cosine_similarity", axis, shape)
    x1, x2 = [x if x.shape == shape else broadcast_to(x, shape) for x in (x1, x2)]  # the length of a repeated vector counts the copies
    length = lambda x: maximum(vector_norm(x, axis), eps)
    return div(sum(mul(x1, x2), axis), mul(length(x1), length(x2)))


# Dropout


@public
def dropout(x: Array, p=0.5, training=True, rng=None):
    """Set each entry to 0 with probability p and divide the others by 1 - p, so that the expectation stays.

    In formulas:
        y = x · m / (1 - p), where m is 0 with probability p, else 1
        dz/dx = dz/dy · m / (1 - p)

    Without `training` it returns x. `rng` is a NumPy Generator, whose state advances, or a seed: the same seed drops the same
    entries. Raises ValueError unless p is between 0 and 1. Source: Srivastava and others, "Dropout", 2014.

    >>> dropout(np.ones(6), 0.5, rng=0).tolist()
    [2.0, 0.0, 0.0, 0.0, 2.0, 2.0]
    """
    if not 0 <= p <= 1:
        raise ValueError(f"dropout: p={p} is not a probability; use a number from 0 to 1")
    if not training or p == 0:
        return x
    kept = generator_of(rng).random(x.shape) >= p
    return x * (kept / (1 - p) if p < 1 else np.zeros(x.shape)).astype(x.dtype)

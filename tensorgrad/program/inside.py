"""What is inside functions of tensors, written with simpler functions: softmax, losses of classes, normalisation, attention."""

from math import prod

import numpy as np

from scalargrad import rules as ew
from tensorgrad.arrays.axes import axes_of
from tensorgrad.functions import class_losses, losses
from tensorgrad.functions.sequences import attention
from tensorgrad.rules import normalisation
from tensorgrad.rules.extrema import max as largest
from tensorgrad.rules.images.unfolding import window_entries
from tensorgrad.rules.linear_algebra.linear import matmul
from tensorgrad.rules.shapes import moveaxis, ravel


def softmax(x, axis=-1):
    e = ew.exp(x - largest(x, axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


def log_softmax(x, axis=-1):
    d = x - largest(x, axis, keepdims=True)
    return d - ew.log(ew.exp(d).sum(axis, keepdims=True))


def logsumexp(x, axis=None, keepdims=False):
    m = largest(x, axis, keepdims=True)
    sums = ew.log(ew.exp(x - m).sum(axis, keepdims=keepdims))
    return sums + (m if keepdims else m.reshape(sums.shape))


def var(x, axis=None, ddof=0, keepdims=False):
    d, n = x - x.mean(axis, keepdims=True), prod([x.shape[a] for a in axes_of("var", axis, x.shape)])
    return (d * d).sum(axis, keepdims=keepdims) / (n - ddof)


def picked(logp, classes=None, weight=None, ignore_index=None, reduction="mean"):
    s = class_losses.sample_weights(classes, weight, ignore_index, reduction, np.dtype(float))
    axis = class_losses.class_axis(logp.shape)
    share = class_losses.onehot(classes, ignore_index, logp.shape, np.dtype(float)) * np.expand_dims(s, axis)
    return -(logp * share).sum(axis if reduction == "none" else None)


def binary_entropies(input, target):
    floor = losses.LOG_FLOOR
    return -(target * ew.maximum(ew.log(input), floor) + (1 - target) * ew.maximum(ew.log1p(-input), floor))


def cumsum(x, axis=None):
    x, axis = (ravel(x), 0) if axis is None or not x.shape else (x, axis)
    n = x.shape[axis]
    rows = moveaxis(x, axis, -1)
    sums = matmul(rows.reshape(prod(rows.shape[:-1]), n), np.triu(np.ones((n, n))))
    return moveaxis(sums.reshape(rows.shape), -1, axis)


def vector_norm(x, axis=None, keepdims=False, ord=2):
    if ord == 2:
        return ew.sqrt((x * x).sum(axis, keepdims=keepdims))
    return (ew.abs(x) ** ord).sum(axis, keepdims=keepdims) ** (1 / ord)


def std(x, **options):
    return ew.sqrt(var(x, **options))


def batch_norm(x, weight=None, bias=None, eps=1e-5, running=None):
    return normalisation.batch_norm_entries(x, weight, bias, eps)


def batch_norm_relu(x, weight=None, bias=None, residual=None, eps=1e-5, running=None):
    y = normalisation.batch_norm_entries(x, weight, bias, eps)
    return ew.relu(y if residual is None else y + residual)


def cross_entropy(x, **options):
    return picked(log_softmax(x, class_losses.class_axis(x.shape)), **options)


def window_sum(x, window, divisor=None):
    total = window_entries(x, window=window).sum(tuple(range(-len(window.kernel), 0)))
    return total if divisor is None else total / divisor


def huber(d, delta):
    c = ew.minimum(ew.abs(d), delta)
    return c * c / 2 + delta * (ew.abs(d) - c)


OWN_NAME = softmax, log_softmax, logsumexp, var, std, batch_norm, batch_norm_relu, binary_entropies, huber, window_sum, cumsum, vector_norm
INSIDE = {
    **{function.__name__: function for function in OWN_NAME},
    "cross_entropy_of_classes": cross_entropy,
    "nll_of_classes": picked,
    "standardise": normalisation.standardise.forward,
    "standardise_groups": normalisation.standardise_groups.forward,
    "attention": attention.attention.forward,
    "mse_loss": lambda a, b, reduction: losses.reduced((a - b) * (a - b), reduction),
    "vector_product": lambda a, b: (a * b).sum(-1),
}

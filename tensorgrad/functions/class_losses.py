"""Losses of classes: cross entropy and negative log likelihood.

Scores have shape (samples, classes, *further axes), or (classes,) for a single sample. Classes are a plain array of integers,
in that shape without the class axis. `weight` holds one factor per class. A sample of class `ignore_index` does not count.
"mean" divides by the sum of the weights of the samples that count.
"""

from math import prod

import numpy as np

from tensorgrad.errors import errors
from tensorgrad.functions.losses import reduced
from tensorgrad.functions.softmax import log_softmax, softmax
from tensorgrad.kernels.blocks import MANY
from tensorgrad.kernels.softmax import softmax as softmax_of_rows
from tensorgrad.public import Array, AsGiven, public
from tensorgrad.rule import Fast, rule
from tensorgrad.rules.reductions import sum
from tensorgrad.rules.shapes import expand_dims
from tensorgrad.tensor import Tensor, array_of

__all__ = ["cross_entropy", "nll_loss"]

FEW_CLASSES = 32  # up to so many, sums and maxima over the classes are faster down the columns of the transposed scores
LOWEST = {np.dtype(kind): float(np.finfo(kind).min) for kind in (np.float32, np.float64)}
TINY = 1e-30  # keeps the logarithm finite if all scores of a sample are -inf; every other sum is at least 1


# Checking the arguments


def checked_target(name, input, target, weight, ignore_index, reduction):
    """Return (classes, weights as an array, ignore_index); raise an error for a wrong argument.

    ignore_index is None if no sample has that class.
    """
    shape = input.shape
    errors.must_be_reduction(name, reduction)
    if not shape:
        raise ValueError(f"{name}: input is a 0-d array; give it an axis with one score for each class")
    if isinstance(target, Tensor):
        raise TypeError(
            f"{name}: target {errors.called(target)} is a Tensor, which holds no integers; give the class numbers as "
            "a plain array, np.array([...])" + (", or probabilities of the shape of input" if name == "cross_entropy" else "")
        )
    classes = np.asarray(target)
    if classes.dtype.kind not in "iu":
        raise TypeError(f"{name}: target has dtype {classes.dtype}, but class numbers are integers; write target.astype(int)")
    axis = class_axis(shape)
    expected = shape[:axis] + shape[axis + 1 :]
    if classes.shape != expected:
        raise ValueError(
            f"{name}: input has shape {shape}, with {shape[axis]} classes on axis {axis}, and target has shape {classes.shape}; "
            f"target needs shape {expected}"
        )
    classes = classes.astype(np.intp, copy=False)
    if in_range(name, classes, shape[axis], ignore_index) and not 0 <= ignore_index < shape[axis]:
        ignore_index = None
    return classes, class_weights(name, weight, shape[axis], array_of(input).dtype), ignore_index


def in_range(name, classes, count, ignore_index):
    """Return whether all classes are valid; raise IndexError for one that is neither valid nor ignored."""
    unsigned = classes.view(np.uintp)  # as unsigned, a negative number is huge
    if not classes.size or np.maximum.reduce(unsigned, None) < count:
        return True
    wrong = (unsigned >= count) & (classes != ignore_index)
    if wrong.any():
        place = tuple(np.argwhere(wrong)[0].tolist())
        raise IndexError(f"{name}: class {classes[place]} at position {place} is outside the {count} classes; use 0 to {count - 1}")
    return False


def class_weights(name, weight, count, dtype):
    if weight is None:
        return None
    weight = np.asarray(array_of(weight))
    if weight.shape != (count,):
        raise ValueError(f"{name}: weight has shape {weight.shape}; give one number for each of the {count} classes")
    return weight.astype(dtype, copy=False)


def class_axis(shape):
    return min(1, len(shape) - 1)


def sample_weights(classes, weight, ignore_index, reduction, dtype):
    """Return the factor of each sample's loss: its class weight, or 0 if it is ignored. For a mean, divide by their sum."""
    counts = classes != ignore_index
    w = (counts if weight is None else weight[classes * counts] * counts).astype(dtype)
    return w / w.sum() if reduction == "mean" else w


def onehot(classes, ignore_index, shape, dtype):
    """Return 1 at the class of each sample and 0 elsewhere. The row of an ignored sample is arbitrary."""
    axis = class_axis(shape)
    found = np.zeros(shape, dtype)
    np.put_along_axis(found, np.expand_dims(classes * (classes != ignore_index), axis), 1, axis)
    return found


# The rules


def picked_loss(logp, classes, weight, ignore_index, reduction):
    """Return -Σ weight · logp[class], or without the sum."""
    axis = class_axis(logp.shape)
    places = np.expand_dims(classes * (classes != ignore_index), axis)
    picked = np.take_along_axis(logp, places, axis).squeeze(axis)
    kind = np.dtype(float) if logp.dtype == object else logp.dtype
    s = sample_weights(classes, weight, ignore_index, reduction, kind)
    losses = np.where(classes != ignore_index, -picked * s, 0)  # 0 · inf would be nan
    return losses if reduction == "none" else np.add.reduce(losses, None) * not_empty(s, reduction)


def not_empty(s, reduction):
    """1; nan for the mean of nothing."""
    return np.nan if reduction == "mean" and np.isnan(s).all() else 1


def per_sample(G, classes, weight, ignore_index, reduction, x):
    """Return dz/dy times the factor of each sample, with the class axis inserted."""
    s = sample_weights(classes, weight, ignore_index, reduction, x.dtype)
    return expand_dims(G * s, class_axis(x.shape))


def nll_vjp(G, logp, classes, weight, ignore_index, reduction):
    """dz/dlogp = -dz/dy · share at the class of each sample, 0 elsewhere"""
    return -per_sample(G, classes, weight, ignore_index, reduction, logp) * onehot(classes, ignore_index, logp.shape, logp.dtype)


def nll_forward(slots, logp, classes, weight, ignore_index, reduction):
    """Read the entries at flat positions, without an array of 0 and 1 for the classes."""
    counts = None if ignore_index is None else classes != ignore_index
    places = class_places(logp.shape, classes if counts is None else classes * counts)  # class 0 replaces an ignored one
    losses = -logp.reshape(-1).take(places)
    if weight is None and counts is None:
        s = 1 / losses.size if reduction == "mean" and losses.size else 1.0
        y = losses.reshape(classes.shape) if reduction == "none" else np.add.reduce(losses) * s
        y = y * np.nan if reduction == "mean" and not losses.size else y
    else:
        s = sample_weights(classes, weight, ignore_index, reduction, logp.dtype).reshape(-1)
        losses = losses * s if counts is None else np.where(counts.reshape(-1), losses * s, 0)  # 0 · inf would be nan
        y = losses.reshape(classes.shape) if reduction == "none" else np.add.reduce(losses) * not_empty(s, reduction)
    return y, (places, s, logp.shape, logp.dtype)


def nll_backward(G, aux, slots):
    places, s, shape, dtype = aux
    dx = np.full(shape, np.nan, dtype) if np.isnan(s).any() else np.zeros(shape, dtype)
    dx.reshape(-1)[places] = (G.reshape(-1) if G.ndim else G) * -s
    return [dx]


def class_places(shape, classes):
    """Return the flat positions of the entries at the class of each sample in scores of this shape."""
    if len(shape) == 2:
        return np.arange(0, shape[0] * shape[1], shape[1]) + classes
    many = prod(shape[2:])
    before = np.arange(prod(shape[:1]) if len(shape) > 1 else 1)[:, None] * (shape[class_axis(shape)] * many)
    return (before + classes.reshape(len(before), many) * many + np.arange(many)).reshape(-1)


@rule(nll_vjp, fast=Fast(nll_forward, nll_backward))
def nll_of_classes(logp, classes=None, weight=None, ignore_index=None, reduction="mean"):
    """-Σ share · logp[class]"""
    return picked_loss(logp, classes, weight, ignore_index, reduction)


def cross_entropy_vjp(G, x, classes, weight, ignore_index, reduction):
    """dz/dx = dz/dy · share (softmax(x) - 1 at the class of each sample)"""
    p = softmax(x, axis=class_axis(x.shape))
    return (p - onehot(classes, ignore_index, x.shape, x.dtype)) * per_sample(G, classes, weight, ignore_index, reduction, x)


def cross_entropy_forward(slots, x, classes, weight, ignore_index, reduction):
    """Compute each score minus its sample's largest, the exponentials and their sums once, for forward and backward.

    For few classes the scores are transposed, so that NumPy's inner loops run over samples and are long.
    """
    axis = class_axis(x.shape)
    count = x.shape[axis]
    rows = x if x.ndim == 2 else np.moveaxis(x, axis, -1).reshape(-1, count)  # (sample, class)
    n, few = len(rows), count <= FEW_CLASSES
    flat = classes.ravel()
    valid = flat if ignore_index is None else flat * (flat != ignore_index)  # class 0 replaces an ignored one
    places = valid * n + np.arange(n) if few else np.arange(0, n * count, count) + valid
    if few or rows.size < MANY:
        a, along = (rows.T.copy(), 0) if few else (np.ascontiguousarray(rows), 1)
        e = a - np.maximum.reduce(a, along, None, None, True, LOWEST[x.dtype])  # keepdims, initial
        picked = e.take(places)
        np.exp(e, out=e)
        total = left = np.add.reduce(e, 0, None, None, False, TINY) if few else e @ np.ones(count, e.dtype) + TINY
    else:
        rows, (largest, total) = np.ascontiguousarray(rows), np.empty((2, n), x.dtype)
        e, left = softmax_of_rows(rows, (largest, total)), x.dtype.type(1)
        picked = rows.take(places) - largest
    losses = np.log(total) - picked
    if weight is None and ignore_index is None:
        s = 1 / n if reduction == "mean" and n else 1.0
        y = losses.reshape(classes.shape) if reduction == "none" else np.add.reduce(losses) * (s if n or reduction == "sum" else np.nan)
    else:
        s = sample_weights(flat, weight, ignore_index, reduction, e.dtype)
        losses = np.where(flat != ignore_index, losses * s, 0)
        y = losses.reshape(classes.shape) if reduction == "none" else np.add.reduce(losses) * not_empty(s, reduction)
    return y, (e, left, places, s, x.shape)


def cross_entropy_backward(G, aux, slots):
    e, left, places, s, shape = aux  # softmax is e / left
    g = (G if G.ndim == 0 else G.ravel()) * s  # for each sample, or one for all
    few = shape[class_axis(shape)] <= FEW_CLASSES
    p = e * np.reshape(g / left, (1, -1) if few else (-1, 1))
    p.reshape(-1)[places] -= g
    if few:
        p = p.T
    if len(shape) == 2:
        return [p]
    axis = class_axis(shape)
    return [np.moveaxis(p.reshape(*shape[:axis], *shape[axis + 1 :], shape[axis]), -1, axis)]


@rule(cross_entropy_vjp, fast=Fast(cross_entropy_forward, cross_entropy_backward))
def cross_entropy_of_classes(x, classes=None, weight=None, ignore_index=None, reduction="mean"):
    """-Σ share · log softmax(x)[class]"""
    return picked_loss(log_softmax(x, axis=class_axis(x.shape)), classes, weight, ignore_index, reduction)


# Public functions


NLL_LOSS, CROSS_ENTROPY = nll_of_classes.under("nll_loss"), cross_entropy_of_classes.under("cross_entropy")


@public
def nll_loss(input: Array, target: AsGiven, weight: Array = None, ignore_index=-100, reduction="mean"):
    """Return the negative log likelihood: the mean of -input at the class of each sample.

    In formulas, for N samples without weights:
        y = -Σ over i: input[i,target[i]] / N
        dz/dinput[i,j] = -dz/dy / N where j = target[i], else 0

    `input` holds log probabilities, (samples, classes, *further axes) or (classes,). `target` holds integers, in that shape
    without the class axis. Raises IndexError, with the position, for a class out of range, and TypeError if the classes are not
    integers.

    - weight: (classes,), one factor per class
    - ignore_index: samples of this class do not count
    - reduction: "mean" (weighted), "sum" or "none"; the mean of no sample is nan, and so is its gradient (0 in PyTorch)

    >>> nll_loss(np.log([[0.5, 0.5], [0.1, 0.9]]), np.array([0, 1])).round(4)
    np.float64(0.3993)
    """
    classes, weight, ignore_index = checked_target("nll_loss", input, target, weight, ignore_index, reduction)
    return NLL_LOSS.applied((input,), (classes, weight, ignore_index, reduction))


@public
def cross_entropy(input: Array, target: AsGiven, weight: Array = None, ignore_index=-100, reduction="mean", label_smoothing=0.0):
    """Return the cross entropy of softmax(input) and the target.

    In formulas, for N samples without weights:
        y = -Σ q · log(softmax(input)) / N, where q is 1 at the class of the sample, else 0, or the probabilities q
        dz/dinput = dz/dy · (softmax(input) - q) / N

    `input` holds scores, (samples, classes, *further axes) or (classes,). The target holds classes or probabilities. Classes
    are integers, in that shape without the class axis: the loss is the mean of -log softmax(input) at the class of each sample.
    Probabilities q are floats in the shape of the input: the loss is the mean over samples of -Σ weight q log softmax(input). q
    may be a tensor, and then has a gradient. Raises IndexError, with the position, for a class out of range.

    - weight: (classes,), one factor per class
    - ignore_index: samples of this class do not count
    - reduction: "mean" (weighted), "sum" or "none"; the mean of no sample is nan, and so is its gradient (0 in PyTorch)
    - label_smoothing: e replaces q by (1 - e) q + e / (number of classes)

    >>> cross_entropy(np.array([[0.0, 0.0], [0.0, 1000.0]]), np.array([0, 1])).round(4)
    np.float64(0.3466)
    """
    if not 0 <= label_smoothing <= 1:
        raise ValueError(f"cross_entropy: label_smoothing={label_smoothing} is not between 0 and 1")
    target = target if type(target) is Tensor else np.asarray(target)
    if target.shape == input.shape and target.dtype.kind == "f" and target.shape:
        return soft_cross_entropy(input, target, weight, reduction, label_smoothing)
    classes, weight, ignore_index = checked_target("cross_entropy", input, target, weight, ignore_index, reduction)
    if not label_smoothing:
        return CROSS_ENTROPY.applied((input,), (classes, weight, ignore_index, reduction))
    shape, dtype = input.shape, array_of(input).dtype
    counts = np.expand_dims(classes != ignore_index, class_axis(shape))
    q = smoothed_target(onehot(classes, ignore_index, shape, dtype), label_smoothing, shape, weight) * counts
    losses = -sum(q * log_softmax(input, axis=class_axis(shape)), axis=class_axis(shape))
    if reduction != "mean":
        return reduced(losses, reduction)
    return sum(losses) / sample_weights(classes, weight, ignore_index, "sum", dtype).sum()


def soft_cross_entropy(input, q, weight, reduction, label_smoothing):
    errors.must_be_reduction("cross_entropy", reduction)
    shape = input.shape
    axis = class_axis(shape)
    q = smoothed_target(q, label_smoothing, shape, class_weights("cross_entropy", weight, shape[axis], array_of(input).dtype))
    return reduced(-sum(q * log_softmax(input, axis=axis), axis=axis), reduction)


def smoothed_target(q, smoothing, shape, weight):
    """Mix the probabilities q with equal ones and multiply by the class weights."""
    axis = class_axis(shape)
    if smoothing:
        q = q * (1 - smoothing) + smoothing / shape[axis]
    return q if weight is None else q * weight.reshape((-1,) + (1,) * (len(shape) - 1 - axis))

"""Losses of a prediction against a target of the same shape. Losses of classes are in class_losses.py.

`reduction` is "mean" (over all entries), "sum", or "none" for an array of losses. Input and target must have the same shape, or
one of them is a number: (3, 1) against (3,) would silently broadcast to nine losses. The losses that call `must_match_or_repeat`
also accept a target that broadcasts to the shape of the input.
"""

import math

import numpy as np

from scalargrad import rules as rows
from tensorgrad.arrays.axes import can_unbroadcast, shape_of
from tensorgrad.arrays.object_arrays import objects
from tensorgrad.errors.errors import must_match, must_match_shapes, must_repeat
from tensorgrad.functions.elementwise_options import clamp, softplus
from tensorgrad.kernels import activations as steps
from tensorgrad.kernels.blocks import in_blocks, in_place, large
from tensorgrad.public import Array, alias, public
from tensorgrad.rule import Fast, rule
from tensorgrad.rules.elementwise import abs, exp, log, square, where, xlogy
from tensorgrad.rules.reductions import mean, sum
from tensorgrad.tensor import Tensor, array_of

# fmt: off
__all__ = [
    "mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss", "binary_cross_entropy", "binary_cross_entropy_with_logits",
    "kl_div", "hinge_embedding_loss", "gaussian_nll_loss", "poisson_nll_loss", "mse", "bce",
]
# fmt: on

LOG_FLOOR = -100.0  # the lowest logarithm that binary_cross_entropy uses, as in PyTorch
SMALLEST_DIVISOR = 1e-12  # the least p (1 - p) that its derivative is divided by


def reduced(losses, reduction):
    return {"mean": mean, "sum": sum}[reduction](losses) if reduction != "none" else losses


def must_match_or_repeat(name, reduction, input, target):
    """Raise ValueError as `must_match` does, but accept a target that NumPy broadcasts to the shape of the input.

    Such a target lacks first axes or has length 1 along some axes. It is repeated, so it does not make more losses.
    """
    a, b = shape_of(input), shape_of(target)
    must_match_shapes(name, reduction, a, a if can_unbroadcast(a, b) else b)


def weighted(name, losses, weight):
    return losses if weight is None else losses * must_be_repeatable(name, "weight", weight, losses)


def must_be_repeatable(name, what, weight, losses):
    """Return the weights in the dtype of the losses; raise ValueError if they do not broadcast to the shape of the losses.

    Weights of a larger shape would make more losses.
    """
    must_repeat(name, what, shape_of(weight), shape_of(losses))
    return weight if isinstance(weight, Tensor) else np.asarray(weight, losses.dtype)


# Differences


def mse_input(G, input, target, reduction):
    """dz/dinput = dz/dmse · 2 (input - target) / N; with "sum" and "none" without the N"""
    return G * mse_factor(input - target, reduction) * (input - target)


def mse_target(G, input, target, reduction):
    """dz/dtarget = -dz/dmse · 2 (input - target) / N; with "sum" and "none" without the N"""
    return G * mse_factor(input - target, reduction) * (target - input)


def mse_factor(d, reduction):
    return 2 / max(d.size, 1) if reduction == "mean" else 2


def mse_forward(slots, input, target, reduction):
    must_match("mse_loss", reduction, input, target)
    d = input - target
    return reduced(d * d, reduction), (d, mse_factor(d, reduction))


def mse_backward(G, aux, slots):
    d, factor = aux
    g = G * factor * d
    return [-g if slot else g for slot in slots]


def mse_entries(input, target, reduction="mean"):
    return reduced(objects((input - target) * (input - target)), reduction)


@rule(mse_input, mse_target, entries=mse_entries, fast=Fast(mse_forward, mse_backward))
def mse_loss(input, target, reduction="mean"):
    """Return the mean of (input - target)² over all entries.

    In formulas:
        y = Σ (input - target)² / N

    Both inputs get a gradient; that of the target is the negative of that of the input. `reduction` is "mean", "sum" or "none".
    Raises ValueError if the shapes differ.

    >>> mse_loss(np.array([1.0, 2.0]), np.array([0.0, 4.0]))
    np.float64(2.5)
    """
    must_match("mse_loss", reduction, input, target)
    return reduced((input - target) * (input - target), reduction)


@public
def l1_loss(input: Array, target: Array, reduction="mean"):
    """Return the mean of |input - target|. The derivative is 0 where both are equal.

    In formulas, for the mean of N losses:
        y = Σ |input - target| / N
        dz/dinput = dz/dy · sign(input - target) / N
        dz/dtarget = -dz/dinput

    `reduction` is "mean", "sum" or "none". Raises ValueError if the shapes differ.

    >>> l1_loss(np.array([1.0, 2.0]), np.array([0.0, 4.0]))
    np.float64(1.5)
    """
    must_match("l1_loss", reduction, input, target)
    return reduced(abs(input - target), reduction)


@public
def huber_loss(input: Array, target: Array, reduction="mean", delta=1.0):
    """Return the mean of d²/2 where |d| <= delta, and of delta (|d| - delta/2) elsewhere; d = input - target.

    In formulas, for the mean of N losses:
        y = Σ l / N, with d = input - target
        l = d² / 2 where |d| <= delta, else delta · (|d| - delta / 2)
        dz/dinput = dz/dy · clamp(d, -delta, delta) / N
        dz/dtarget = -dz/dinput

    A target that lacks first axes of the input, or has length 1 along some, is repeated. `reduction` is "mean", "sum" or "none".
    Raises ValueError unless delta > 0, and if the shapes do not fit. Source: P. J. Huber, "Robust estimation of a location parameter",
    1964.

    >>> huber_loss(np.array([1.0, 5.0]), np.array([0.0, 0.0]), reduction="none")
    array([0.5, 4.5])
    """
    must_match_or_repeat("huber_loss", reduction, input, target)
    if not delta > 0:
        raise ValueError(f"huber_loss: delta={delta} must be positive")
    return reduced(huber(input - target, delta), reduction)


@in_place
def huber_vjp(G, d, delta):
    """dz/dd = dz/dy · clamp(d, -delta, delta)"""
    if large(G) and large(d) and G.dtype == d.dtype:
        return in_blocks(steps.huber_vjp, G, d, numbers=(delta,))
    return G * clamp(d, -delta, delta)


def huber_of_rows(d, delta):
    c = rows.clamp(d, -delta, delta)
    return c * c / 2 + delta * (rows.abs(d) - rows.abs(c))


@rule(huber_vjp, entries=lambda d, delta: objects(np.frompyfunc(huber_of_rows, 2, 1)(d, delta)))
def huber(d, delta):
    """y = d² / 2 where |d| <= delta, else delta (|d| - delta / 2)"""
    if large(d):
        return in_blocks(steps.huber, d, numbers=(delta,))
    c = np.minimum(np.abs(d), delta)
    return c * c / 2 + delta * (np.abs(d) - c)


@public
def smooth_l1_loss(input: Array, target: Array, reduction="mean", beta=1.0):
    """Return the mean of d²/(2 beta) where |d| <= beta, and of |d| - beta/2 elsewhere; d = input - target.

    In formulas, for the mean of N losses:
        y = Σ l / N, with d = input - target
        l = d² / (2 · beta) where |d| <= beta, else |d| - beta / 2
        dz/dinput = dz/dy · clamp(d / beta, -1, 1) / N
        dz/dtarget = -dz/dinput

    With beta = 0 it is `l1_loss`. A target that lacks first axes of the input, or has length 1 along some, is repeated.
    `reduction` is "mean", "sum" or "none". Raises ValueError for beta < 0 and if the shapes do not fit.

    >>> smooth_l1_loss(np.array([1.0, 5.0]), np.array([0.0, 0.0]), reduction="none", beta=2.0)
    array([0.25, 4.  ])
    """
    if beta < 0:
        raise ValueError(f"smooth_l1_loss: beta={beta} must not be negative")
    must_match_or_repeat("smooth_l1_loss", reduction, input, target)
    d = input - target
    losses = huber(d, beta) if beta else abs(d)
    return reduced(losses if beta in (0, 1) else losses / beta, reduction)


# Probabilities


def bce_input(G, input, target):
    """dz/dinput = dz/dy (input - target) / (input (1 - input)), where the divisor is at least 1e-12"""
    return G * (input - target) / np.maximum(input * (1 - input), SMALLEST_DIVISOR)


def bce_target(G, input):
    """dz/dtarget = dz/dy (log(1 - input) - log input), where each logarithm is at least -100"""
    return G * (clamped_log(1 - input) - clamped_log(input))


def clamped_log(p):
    return np.maximum(np.log(p), LOG_FLOOR)


def bce_entries(input, target):
    pair = np.frompyfunc(lambda p, t: -(t * rows.log(p) + (1 - t) * rows.log(1 - p)), 2, 1)
    return objects(pair(input, target))


@rule(bce_input, bce_target, entries=bce_entries)
def binary_entropies(input, target):
    """-(target log input + (1 - target) log(1 - input)), entry by entry"""
    return -(target * clamped_log(input) + (1 - target) * np.maximum(np.log1p(-input), LOG_FLOOR))


@public
def binary_cross_entropy(input: Array, target: Array, weight: Array = None, reduction="mean"):
    """Return the mean of -(t log p + (1 - t) log(1 - p)), times `weight`; p is the input, t the target.

    In formulas, for the mean of N losses:
        y = -Σ (t · log(p) + (1 - t) · log(1 - p)) / N
        dz/dp = dz/dy · (p - t) / (p · (1 - p) · N)
        dz/dt = dz/dy · (log(1 - p) - log(p)) / N

    p and t are probabilities. `weight` broadcasts to their shape. `reduction` is "mean", "sum" or "none". Each logarithm is at
    least -100, as in PyTorch, so the loss stays finite at p = 0 and p = 1. The derivative in t, log(1 - p) - log p, uses the same
    logarithms: it is 100 at p = 0 and -100 at p = 1, where PyTorch's is ±inf. Raises ValueError for an input outside [0, 1] and
    if the shapes differ. For logits, `binary_cross_entropy_with_logits` is more exact.

    >>> binary_cross_entropy(np.array([0.5, 1.0]), np.array([1.0, 1.0])).round(4)
    np.float64(0.3466)
    """
    must_match("binary_cross_entropy", reduction, input, target)
    p = np.asarray(array_of(input))
    if p.size and not (np.minimum.reduce(p, None) >= 0 and np.maximum.reduce(p, None) <= 1):
        wrong = tuple(np.argwhere(~((p >= 0) & (p <= 1)))[0].tolist())
        raise ValueError(
            f"binary_cross_entropy: input at position {wrong} is {p[wrong]:.6g}, but a probability is between 0 and 1; "
            "apply sigmoid first, or use binary_cross_entropy_with_logits"
        )
    losses = binary_entropies(input, target)
    return reduced(weighted("binary_cross_entropy", losses, weight), reduction)


@public
def binary_cross_entropy_with_logits(input: Array, target: Array, weight: Array = None, reduction="mean", pos_weight: Array = None):
    """Return `binary_cross_entropy` of sigmoid(input), computed without overflow.

    In formulas, for the mean of N losses:
        y = -Σ (target · log(p) + (1 - target) · log(1 - p)) / N, with p = sigmoid(input)
        dz/dinput = dz/dy · (sigmoid(input) - target) / N
        dz/dtarget = -dz/dy · input / N

    `pos_weight` multiplies the positive part of the loss, t log p; `weight` multiplies the whole loss. Both broadcast to the
    shape of the losses. `reduction` is "mean", "sum" or "none". Raises ValueError if the shapes do not fit.

    >>> binary_cross_entropy_with_logits(np.array([0.0, 1000.0]), np.array([1.0, 1.0])).round(4)
    np.float64(0.3466)
    """
    name = "binary_cross_entropy_with_logits"
    must_match(name, reduction, input, target)
    below = softplus(-input)  # -log p; and -log(1 - p) = input - log p
    losses = (1 - target) * input + (
        below if pos_weight is None else (1 + (must_be_repeatable(name, "pos_weight", pos_weight, input) - 1) * target) * below
    )
    return reduced(weighted(name, losses, weight), reduction)


@public
def kl_div(input: Array, target: Array, reduction="mean", log_target=False):
    """Return the mean of t (log t - input), the Kullback-Leibler divergence of the probabilities t from exp(input).

    In formulas, for the mean of N losses:
        y = Σ t · (log(t) - input) / N
        dz/dinput = -dz/dy · t / N
        dz/dt = dz/dy · (log(t) + 1 - input) / N

    The input holds log probabilities. At t = 0 the derivative in t is -input, as if t log t were flat there. With
    log_target=True, the target holds log t. `reduction` is "mean", "sum", "none" or "batchmean": the sum divided by the length
    of the first axis. A target that lacks first axes of the input, or has length 1 along some, is repeated. Raises ValueError if
    the shapes do not fit.

    >>> kl_div(np.log([[0.5, 0.5]]), np.array([[1.0, 0.0]]), reduction="batchmean").round(4)
    np.float64(0.6931)
    """
    must_match_or_repeat("kl_div", "sum" if reduction == "batchmean" else reduction, input, target)
    losses = exp(target) * (target - input) if log_target else xlogy(target, target) - target * input
    if reduction == "batchmean":
        return sum(losses) / (shape_of(losses)[0] if shape_of(losses) else 1)
    return reduced(losses, reduction)


# Other losses


@public
def hinge_embedding_loss(input: Array, target: Array, margin=1.0, reduction="mean"):
    """Return the mean of x where the target is 1, and of max(0, margin - x) where it is -1; x is the input.

    In formulas, for the mean of N losses:
        y = Σ l / N
        l = x where target = 1, else max(0, margin - x)
        dz/dx = dz/dy / N where target = 1, else -dz/dy / N where x <= margin, else 0

    The derivative of max(0, margin - x) at x = margin is -1, as in PyTorch. `reduction` is "mean", "sum" or "none". A target
    that lacks first axes of the input, or has length 1 along some, is repeated. Raises ValueError for any other target and if the
    shapes do not fit.

    >>> hinge_embedding_loss(np.array([0.5, 0.25]), np.array([1, -1]), reduction="none")
    array([0.5 , 0.75])
    """
    must_match_or_repeat("hinge_embedding_loss", reduction, input, target)
    signs = np.asarray(array_of(target))
    if not np.isin(signs, (1, -1)).all():
        raise ValueError("hinge_embedding_loss: target has an entry that is not 1 or -1")
    return reduced(where(signs == 1, input, clamp(margin - input, min=0)), reduction)


@public
def gaussian_nll_loss(input: Array, target: Array, var: Array, full=False, eps=1e-6, reduction="mean"):
    """Return the mean of (log v + (input - target)²/v) / 2, where v = max(var, eps).

    In formulas, for the mean of N losses:
        y = Σ l / N, with v = max(var, eps)
        l = (log(v) + (input - target)² / v) / 2
        dz/dinput = dz/dy · (input - target) / (v · N)
        dz/dtarget = -dz/dinput
        dz/dvar = dz/dy · (1 / v - (input - target)² / v²) / (2 · N)

    It is the negative log likelihood of the target under a normal distribution with mean `input` and variance `var`. Below eps
    its derivative is 0; PyTorch takes that at eps. Raises ValueError for a negative variance and if the shapes do not fit.

    - target: may lack first axes of the input or have length 1 along some, and is repeated along them
    - var: has the shape of the input, or lacks its last axis, or has length 1 along one axis
    - full: add the constant log(2π)/2
    - reduction: "mean", "sum" or "none"

    >>> gaussian_nll_loss(np.array([1.0]), np.array([3.0]), np.array([4.0])).round(4)
    np.float64(1.1931)
    """
    must_match_or_repeat("gaussian_nll_loss", reduction, input, target)
    shape, own = input.shape, var.shape
    if own and own == shape[:-1]:
        var = var.reshape((*own, 1))
    elif own not in (shape, ()) and not (len(own) == len(shape) and [m for m, n in zip(own, shape) if m != n] == [1]):
        raise ValueError(f"gaussian_nll_loss: var has shape {own} and input has shape {shape}; give one variance for each entry or row")
    if (np.asarray(array_of(var)) < 0).any():
        raise ValueError("gaussian_nll_loss: var has a negative entry; a variance is 0 or more")
    v = clamp(var, min=eps)
    losses = 0.5 * (log(v) + square(input - target) / v)
    return reduced(losses + 0.5 * math.log(2 * math.pi) if full else losses, reduction)


@public
def poisson_nll_loss(input: Array, target: Array, log_input=True, full=False, eps=1e-8, reduction="mean"):
    """Return the mean of exp(x) - t x, the negative log likelihood of the counts t; x is the input, t the target.

    In formulas, for the mean of N losses:
        y = Σ (exp(x) - t · x) / N
        dz/dx = dz/dy · (exp(x) - t) / N
        dz/dt = -dz/dy · x / N

    The counts have a Poisson distribution, and the input is the logarithm of its mean. A target that lacks first axes of the
    input, or has length 1 along some, is repeated. Raises ValueError if the shapes do not fit.

    - log_input: if False, the input is the mean itself, and the loss is the mean of x - t log(x + eps)
    - full: add Stirling's approximation of log t! where t > 1; at 1 its derivative is 0
    - reduction: "mean", "sum" or "none"

    >>> poisson_nll_loss(np.array([0.0]), np.array([2.0]))
    np.float64(1.0)
    """
    must_match_or_repeat("poisson_nll_loss", reduction, input, target)
    losses = exp(input) - target * input if log_input else input - target * log(input + eps)
    if full:
        many = where(array_of(target) > 1, target, 1)
        stirling = many * log(many) - many + 0.5 * log(2 * math.pi * many)
        losses = losses + where(array_of(target) > 1, stirling, 0)
    return reduced(losses, reduction)


mse, bce = mse_loss.under("mse"), alias("bce", binary_cross_entropy)

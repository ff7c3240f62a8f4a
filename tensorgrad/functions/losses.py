"""Losses of a prediction against a target of the same shape; of classes, in class_losses.py.

Each takes `reduction`: "mean" over all entries, their "sum", or "none" for an array of losses. Prediction and target must have
the same shape (or one be a number): (3, 1) against (3,) would broadcast to nine losses without a word. Three of them also take a
target of length 1 along some axes of the input, and repeat it there.
"""

import math

import numpy as np

from scalargrad import rules as rows
from tensorgrad.errors.errors import must_repeat
from tensorgrad.functions.activations import softplus
from tensorgrad.object_arrays import objects
from tensorgrad.public import public
from tensorgrad.rule import Fast, rule
from tensorgrad.rules.elementwise import abs, clamp, exp, log, square, where, xlogy
from tensorgrad.rules.reductions import mean, sum
from tensorgrad.tensor import Tensor, plain

# fmt: off
__all__ = [
    "mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss", "binary_cross_entropy", "binary_cross_entropy_with_logits",
    "kl_div", "hinge_embedding_loss", "gaussian_nll_loss", "poisson_nll_loss", "mse", "bce",
]
# fmt: on

LOG_FLOOR = -100.0  # binary_cross_entropy holds its logarithms above this, as PyTorch does
SMALLEST = 1e-12  # and p (1 - p), which its derivative is divided by, above this


def reduced(losses, reduction):
    return {"mean": mean, "sum": sum}[reduction](losses) if reduction != "none" else losses


def must_match(name, reduction, input, target, what="target"):
    """ValueError for an unknown reduction, and for shapes that differ."""
    if reduction not in ("mean", "sum", "none"):
        raise ValueError(f"{name}: reduction={reduction!r} is not known; it is 'mean', 'sum' or 'none'")
    a, b = np.shape(input), np.shape(target)
    if a != b and () not in (a, b):
        raise ValueError(f"{name}: the input has shape {a} and the {what} {b}; they must be the same: reshape one of them")


def must_match_or_repeat(name, reduction, input, target):
    """The same, but the target may have length 1 along some axes of the input: it is repeated there, and makes no more losses."""
    a, b = np.shape(input), np.shape(target)
    if len(a) == len(b) and all(m in (1, n) for m, n in zip(b, a)):
        b = a
    must_match(name, reduction, np.broadcast_to(0, a), np.broadcast_to(0, b))


def weighted(name, losses, weight):
    return losses if weight is None else losses * must_be_repeatable(name, "weight", weight, losses)


def must_be_repeatable(name, what, weight, losses):
    """Weights in the kind of the losses, after a look whether they can be repeated to their shape: larger ones would make more losses."""
    must_repeat(name, what, np.shape(weight), np.shape(losses))
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
    """The mean of (input - target)² over all entries; both get a gradient, the target's the negative of the input's.

    >>> mse_loss(np.array([1.0, 2.0]), np.array([0.0, 4.0]))
    np.float64(2.5)
    """
    must_match("mse_loss", reduction, input, target)
    return reduced((input - target) * (input - target), reduction)


@public
def l1_loss(input, target, reduction="mean"):
    """The mean of |input - target|. The derivative is 0 where both are equal.

    >>> l1_loss(np.array([1.0, 2.0]), np.array([0.0, 4.0]))
    np.float64(1.5)
    """
    must_match("l1_loss", reduction, input, target)
    return reduced(abs(input - target), reduction)


@public
def huber_loss(input, target, reduction="mean", delta=1.0):
    """d²/2 up to |d| = delta and delta (|d| - delta/2) beyond, with d = input - target (Huber 1964). ValueError for delta <= 0.

    A target of length 1 along some axes of the input is repeated along them.

    >>> huber_loss(np.array([1.0, 5.0]), np.array([0.0, 0.0]), reduction="none")
    array([0.5, 4.5])
    """
    must_match_or_repeat("huber_loss", reduction, input, target)
    if not delta > 0:
        raise ValueError(f"huber_loss: delta={delta} must be positive")
    return reduced(huber(input - target, delta), reduction)


def huber(d, delta):
    c = clamp(d, -delta, delta)
    return c * (d - c * 0.5)


@public
def smooth_l1_loss(input, target, reduction="mean", beta=1.0):
    """d²/(2 beta) up to |d| = beta and |d| - beta/2 beyond, with d = input - target; l1_loss for beta = 0. ValueError for beta < 0.

    A target of length 1 along some axes of the input is repeated along them.

    >>> smooth_l1_loss(np.array([1.0, 5.0]), np.array([0.0, 0.0]), reduction="none", beta=2.0)
    array([0.25, 4.  ])
    """
    if beta < 0:
        raise ValueError(f"smooth_l1_loss: beta={beta} must not be negative")
    must_match_or_repeat("smooth_l1_loss", reduction, input, target)
    d = input - target
    return reduced(huber(d, beta) / beta if beta else abs(d), reduction)


# Probabilities


def bce_input(G, input, target):
    """dz/dinput = dz/dy (input - target) / (input (1 - input)), with the divisor held above 1e-12"""
    return G * (input - target) / clamp(input * (1 - input), min=SMALLEST)


def bce_target(G, input):
    """dz/dtarget = dz/dy (log(1 - input) - log input), with the logarithms held above -100"""
    return G * (held_log(1 - input) - held_log(input))


def held_log(p):
    return clamp(log(p), min=LOG_FLOOR)


def bce_entries(input, target):
    pair = np.frompyfunc(lambda p, t: -(t * rows.log(p) + (1 - t) * rows.log(1 - p)), 2, 1)
    return objects(pair(input, target))


@rule(bce_input, bce_target, entries=bce_entries)
def binary_entropies(input, target):
    """-(target log input + (1 - target) log(1 - input)), entry by entry."""
    return -(target * held_log(input) + (1 - target) * np.maximum(np.log1p(-input), LOG_FLOOR))


@public
def binary_cross_entropy(input, target, weight=None, reduction="mean"):
    """The mean of -(t log p + (1 - t) log(1 - p)) for probabilities p (the input) and t (the target), times `weight`.

    As in PyTorch the logarithms are held above -100, so the loss stays finite at p = 0 and p = 1. ValueError for an input outside
    [0, 1]. From logits, binary_cross_entropy_with_logits is the more exact.

    >>> binary_cross_entropy(np.array([0.5, 1.0]), np.array([1.0, 1.0])).round(4)
    np.float64(0.3466)
    """
    must_match("binary_cross_entropy", reduction, input, target)
    p = np.asarray(plain(input))
    if p.size and not (p.min() >= 0 and p.max() <= 1):
        wrong = tuple(np.argwhere(~((p >= 0) & (p <= 1)))[0].tolist())
        raise ValueError(
            f"binary_cross_entropy: the input at position {wrong} is {p[wrong]:.6g}, and a probability is between 0 and 1; "
            "take the sigmoid of it, or binary_cross_entropy_with_logits"
        )
    losses = binary_entropies(input, target)
    return reduced(weighted("binary_cross_entropy", losses, weight), reduction)


@public
def binary_cross_entropy_with_logits(input, target, weight=None, reduction="mean", pos_weight=None):
    """binary_cross_entropy of sigmoid(input), without overflow. `pos_weight` multiplies the loss of the positive part, t log p.

    >>> binary_cross_entropy_with_logits(np.array([0.0, 1000.0]), np.array([1.0, 1.0])).round(4)
    np.float64(0.3466)
    """
    name = "binary_cross_entropy_with_logits"
    must_match(name, reduction, input, target)
    below = softplus(-input)  # -log p; and -log(1 - p) is input more
    losses = (1 - target) * input + (
        below if pos_weight is None else (1 + (must_be_repeatable(name, "pos_weight", pos_weight, input) - 1) * target) * below
    )
    return reduced(weighted(name, losses, weight), reduction)


@public
def kl_div(input, target, reduction="mean", log_target=False):
    """The mean of t (log t - input): how far the probabilities t are from those whose logarithms are the input.

    At t = 0 the derivative in t is -input, as if t log t were flat there. With log_target the target is log t.
    reduction="batchmean" is the sum, divided by the length of the first axis.

    >>> kl_div(np.log([[0.5, 0.5]]), np.array([[1.0, 0.0]]), reduction="batchmean").round(4)
    np.float64(0.6931)
    """
    must_match("kl_div", "sum" if reduction == "batchmean" else reduction, input, target)
    losses = exp(target) * (target - input) if log_target else xlogy(target, target) - target * input
    if reduction == "batchmean":
        return sum(losses) / (np.shape(losses)[0] if np.shape(losses) else 1)
    return reduced(losses, reduction)


# Others


@public
def hinge_embedding_loss(input, target, margin=1.0, reduction="mean"):
    """The mean of x where the target is 1, and of max(0, margin - x) where it is -1. ValueError for another target.

    The derivative of max(0, margin - x) at x = margin is -1, as in PyTorch.

    >>> hinge_embedding_loss(np.array([0.5, 0.25]), np.array([1, -1]), reduction="none")
    array([0.5 , 0.75])
    """
    must_match("hinge_embedding_loss", reduction, input, target)
    signs = np.asarray(plain(target))
    if not np.isin(signs, (1, -1)).all():
        raise ValueError("hinge_embedding_loss: a target is neither 1 nor -1")
    return reduced(where(signs == 1, input, clamp(margin - input, min=0)), reduction)


@public
def gaussian_nll_loss(input, target, var, full=False, eps=1e-6, reduction="mean"):
    """The mean of (log v + (input - target)²/v) / 2 with v = max(var, eps): how unlikely the target is under a normal
    distribution with the input as mean and `var` as variance. `full` adds log(2π)/2.

    `var` has the input's shape, or without the last axis, or with 1 there. A target of length 1 along some axes of the input is
    repeated along them. Below eps its derivative is 0 (PyTorch: as if it were
    eps). ValueError for a negative variance.

    >>> gaussian_nll_loss(np.array([1.0]), np.array([3.0]), np.array([4.0])).round(4)
    np.float64(1.1931)
    """
    must_match_or_repeat("gaussian_nll_loss", reduction, input, target)
    shape, own = np.shape(input), np.shape(var)
    if own and own == shape[:-1]:
        var = var.reshape((*own, 1))
    elif own not in (shape, (*shape[:-1], 1), ()):
        raise ValueError(f"gaussian_nll_loss: var has shape {own} and the input {shape}; give one variance for each entry, or for each row")
    if (np.asarray(plain(var)) < 0).any():
        raise ValueError("gaussian_nll_loss: a variance is negative")
    v = clamp(var, min=eps)
    losses = 0.5 * (log(v) + square(input - target) / v)
    return reduced(losses + 0.5 * math.log(2 * math.pi) if full else losses, reduction)


@public
def poisson_nll_loss(input, target, log_input=True, full=False, eps=1e-8, reduction="mean"):
    """The mean of exp(x) - t x, or of x - t log(x + eps) with log_input=False: how unlikely the counts t are under Poisson's
    distribution with the input as (logarithm of the) mean. `full` adds Stirling's approximation of log t! for t > 1; at 1 its
    derivative is 0.

    >>> poisson_nll_loss(np.array([0.0]), np.array([2.0]))
    np.float64(1.0)
    """
    must_match("poisson_nll_loss", reduction, input, target)
    losses = exp(input) - target * input if log_input else input - target * log(input + eps)
    if full:
        many = where(plain(target) > 1, target, 1)
        stirling = many * log(many) - many + 0.5 * log(2 * math.pi * many)
        losses = losses + where(plain(target) > 1, stirling, 0)
    return reduced(losses, reduction)


mse, bce = mse_loss, binary_cross_entropy  # by their short names

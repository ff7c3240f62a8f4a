"""Losses. PyTorch's old arguments size_average and reduce have no counterpart."""

import math
from functools import wraps
from inspect import signature

import numpy as np
import torch.nn.functional as F

import tensorgrad as tg
from tensorgrad.beside_torch.counterparts.elementwise import clamp_min, still
from tensorgrad.beside_torch.counterparts.table import Unsupported, beside, not_at, parameters_of
from tensorgrad.functions.losses import reduced
from tensorgrad.tensor import array_of


def loss(name):
    """Decorate our loss that takes the arguments of PyTorch's by name. One that it does not take may be None."""
    theirs = signature(getattr(F, name))

    def added(ours):
        taken = parameters_of(ours)

        def counterpart(*args, **options):
            given = theirs.bind(*args, **options).arguments
            refused = [argument for argument, x in given.items() if x is not None and argument not in taken]
            if {"size_average", "reduce"}.intersection(refused):
                raise Unsupported("size_average= and reduce=, which PyTorch has replaced by reduction=")
            if refused:
                raise Unsupported(f"{refused[0]}=")
            return ours(**{argument: x for argument, x in given.items() if argument in taken})

        beside(f"F.{name}")(counterpart)
        return ours

    return added


def alike(input, target):
    """Return both, repeated to their common shape where they differ, as these losses of PyTorch do."""
    shape = np.broadcast_shapes(input.shape, target.shape)
    return [x if x.shape == shape else tg.broadcast_to(x, shape) for x in (input, target)]


def of_alike(ours):
    return wraps(ours)(lambda input, target, **options: ours(*alike(input, target), **options))


def of_no_sample(target, ignore_index, reduction):
    """Return whether the loss is the mean of no sample: that is nan, and its derivative is 0 in PyTorch, nan here."""
    return reduction == "mean" and isinstance(target, np.ndarray) and bool((target == ignore_index).all())


@loss("cross_entropy")
def cross_entropy(input, target, weight=None, ignore_index=-100, reduction="mean", label_smoothing=0.0):
    if of_no_sample(target, ignore_index, reduction):
        return still(input, np.full((), np.nan))
    return tg.cross_entropy(input, target, weight, ignore_index, reduction, label_smoothing)


@loss("nll_loss")
def nll_loss(input, target, weight=None, ignore_index=-100, reduction="mean"):
    if of_no_sample(target, ignore_index, reduction):
        return still(input, np.full((), np.nan))
    return tg.nll_loss(input, target, weight, ignore_index, reduction)


@loss("binary_cross_entropy")
def binary_cross_entropy(input, target, weight=None, reduction="mean"):
    p = array_of(input)
    not_at((p == 0) | (p == 1), "at 0 and 1")
    return tg.binary_cross_entropy(input, target, weight, reduction)


@loss("binary_cross_entropy_with_logits")
def binary_cross_entropy_with_logits(input, target, weight=None, reduction="mean", pos_weight=None):
    return tg.binary_cross_entropy_with_logits(input, target, weight, reduction, pos_weight)


for ours in (tg.mse_loss, tg.l1_loss, tg.smooth_l1_loss, tg.huber_loss):
    loss(ours.__name__)(of_alike(ours))


@loss("kl_div")
def kl_div(input, target, reduction="mean", log_target=False):
    not_at(not log_target and getattr(target, "node", None) is not None and (array_of(target) == 0), "for a target of 0")
    pair = (input, target) if reduction == "batchmean" else alike(input, target)  # that mean counts the samples of the input
    return tg.kl_div(*pair, reduction, log_target)


@beside("F.linear_cross_entropy")
def linear_cross_entropy(
    input, linear_weight, target, *, linear_bias=None, weight=None, reduction="mean", ignore_index=None, label_smoothing=0.0, options=None
):
    """A weight (classes, *more, in) gives more axes of classes behind the first."""
    out = linear_weight.shape[:-1]
    rows = tg.reshape(linear_weight, (-1, linear_weight.shape[-1]))
    bias = linear_bias if linear_bias is None else tg.reshape(linear_bias, (-1,))
    logits = tg.reshape(tg.linear(input, rows, bias), (*input.shape[:-1], *out))
    ignored = -100 if ignore_index is None else ignore_index
    return tg.cross_entropy(logits, target, weight, ignored, reduction, label_smoothing)


@loss("margin_ranking_loss")
def margin_ranking_loss(input1, input2, target, margin=0, reduction="mean"):
    return reduced(clamp_min(margin - target * (input1 - input2), 0), reduction)


@loss("soft_margin_loss")
def soft_margin_loss(input, target, reduction="mean"):
    return reduced(tg.softplus(tg.neg(target * input)), reduction)


@loss("hinge_embedding_loss")
def hinge_embedding_loss(input, target, margin=1.0, reduction="mean"):
    near, far = np.asarray(target.data != 1), np.asarray(target.data != -1)
    return reduced(tg.where(near, clamp_min(margin - input, 0), 0.0) + tg.where(far, input, 0.0), reduction)


@loss("cosine_embedding_loss")
def cosine_embedding_loss(input1, input2, target, margin=0, reduction="mean"):
    """The lengths are √(Σ x² + 1e-12), as in PyTorch."""
    lengths = [tg.sum(x * x, -1) + 1e-12 for x in (input1, input2)]
    cosine = tg.sum(input1 * input2, -1) / tg.sqrt(lengths[0] * lengths[1])
    which = np.asarray(getattr(target, "data", target))
    return reduced(tg.where(which == 1, 1 - cosine, 0.0) + tg.where(which == -1, clamp_min(cosine - margin, 0), 0.0), reduction)


@loss("multi_margin_loss")
def multi_margin_loss(input, target, p=1, margin=1.0, weight=None, reduction="mean"):
    x, y = tg.reshape(input, (1, -1)) if input.ndim < 2 else input, np.atleast_1d(target)
    rows, classes = np.arange(len(y)), x.shape[1]
    z = margin - tg.unsqueeze(tg.getitem(x, (rows, y)), 1) + x
    counted = (np.arange(classes) != y[:, None]) & (z.data > 0)
    terms = tg.where(counted, z if p == 1 else z * z, 0.0)
    terms = terms if weight is None else terms * tg.unsqueeze(tg.getitem(weight, y), 1)
    found = tg.sum(terms, 1) / classes
    return reduced(found if input.ndim > 1 else found[0], reduction)


@loss("multilabel_margin_loss")
def multilabel_margin_loss(input, target, reduction="mean"):
    """The labels of a row end at its first -1."""
    x, labels = tg.reshape(input, (1, -1)) if input.ndim < 2 else input, np.atleast_2d(target)
    classes, found = x.shape[1], []
    for row, given in enumerate(labels):
        end = np.flatnonzero(given < 0)
        own = given[: end[0]] if len(end) else given
        others = np.setdiff1d(np.arange(classes), own)
        z = 1 - tg.unsqueeze(tg.getitem(x, (row, own)), 1) + tg.unsqueeze(tg.getitem(x, (row, others)), 0)
        found.append(tg.sum(tg.where(z.data > 0, z, 0.0)) / classes)
    return reduced(tg.stack(found) if input.ndim > 1 else found[0], reduction)


@beside("F.gaussian_nll_loss")
def gaussian_nll_loss(input, target, var, full=False, eps=1e-6, reduction="mean"):
    """A variance below eps counts as eps, and its derivative is that of any other one."""
    var = var if isinstance(var, tg.Tensor) else np.full(input.shape, var)
    if var.shape != input.shape and var.shape == input.shape[:-1]:
        var = tg.unsqueeze(var, -1)
    var = var + np.maximum(eps - array_of(var), 0)
    y = 0.5 * (tg.log(var) + tg.square(input - target) / var)
    return reduced(y + 0.5 * math.log(2 * math.pi) if full else y, reduction)


@loss("poisson_nll_loss")
def poisson_nll_loss(input, target, log_input=True, full=False, eps=1e-8, reduction="mean"):
    y = tg.exp(input) - target * input if log_input else input - target * tg.log(input + eps)
    if full:  # Stirling's approximation, of a target above 1
        large = array_of(target) > 1
        not_at(getattr(target, "node", None) is not None and (array_of(target) == 0), "for a target of 0")
        n = tg.where(large, target, 1.0)
        y = y + tg.where(large, n * tg.log(n) - n + 0.5 * tg.log(2 * math.pi * n), 0.0)
    return reduced(y, reduction)


@loss("triplet_margin_loss")
def triplet_margin_loss(anchor, positive, negative, margin=1.0, p=2, eps=1e-6, swap=False, reduction="mean"):
    near, far = [tg.vector_norm(anchor - x + eps, -1, False, p) for x in (positive, negative)]
    if swap:
        far = tg.minimum(far, tg.vector_norm(positive - negative + eps, -1, False, p))
    return reduced(clamp_min(margin + near - far, 0), reduction)


@beside("F.ctc_loss")
def ctc_loss(log_probs, targets, input_lengths, target_lengths, blank=0, reduction="mean", zero_infinity=False):
    """-log of the sum over all alignments, by the forward recursion. Source: Graves and others, 2006, equations (6) and (7).

    PyTorch's derivative is that of a loss with the sum of all exp(log_probs), which is constant behind log_softmax. It is added here.
    """
    alone = log_probs.ndim == 2
    x = tg.unsqueeze(log_probs, 1) if alone else log_probs
    lengths = [[int(n) for n in np.atleast_1d(np.asarray(given))] for given in (input_lengths, target_lengths)]
    starts = np.cumsum([0, *lengths[1]])
    low, found = np.finfo(x.dtype).min / 4, []
    for sample, (T, n) in enumerate(zip(*lengths)):
        one = np.atleast_2d(targets)[0 if alone else sample][:n] if targets.ndim == 2 or alone else targets[starts[sample] :][:n]
        states = np.full(2 * n + 1, blank)
        states[1::2] = one
        skips = np.zeros(len(states), bool)
        skips[2:] = (states[2:] != blank) & (states[2:] != states[:-2])
        seen = tg.getitem(x, (slice(T), sample, states))  # (T, states)
        alpha = tg.where(np.arange(len(states)) < 2, seen[0], low)
        for t in range(1, T):
            one_before = tg.concatenate([np.full(1, low), alpha[:-1]])
            two_before = tg.where(skips, tg.concatenate([np.full(2, low), alpha[:-2]])[: len(states)], low)
            alpha = tg.logsumexp(tg.stack([alpha, one_before, two_before]), 0) + seen[t]
        total = tg.sum(tg.exp(x[:T, sample]))
        found.append(total - total.data - tg.logsumexp(alpha[-2:]))
    impossible = np.array([y.data > -low / 2 for y in found])
    y = tg.stack(found)
    if impossible.any():
        if not zero_infinity:
            raise Unsupported("a target that no alignment gives")
        y = tg.where(impossible, 0.0, y)
    if reduction == "mean":
        return tg.mean(y / np.maximum(lengths[1], 1))
    return tg.sum(y) if reduction == "sum" else y[0] if alone else y

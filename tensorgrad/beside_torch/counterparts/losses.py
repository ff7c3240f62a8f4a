"""Losses. PyTorch's old arguments size_average and reduce have no counterpart."""

import tensorgrad as tg
from tensorgrad.beside_torch.counterparts.table import Unsupported, beside


def refuse_old(size_average, reduce):
    if size_average is not None or reduce is not None:
        raise Unsupported("size_average= and reduce=, which PyTorch has replaced by reduction=")


@beside("F.cross_entropy")
def cross_entropy(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean", label_smoothing=0.0):
    refuse_old(size_average, reduce)
    return tg.cross_entropy(input, target, weight, ignore_index, reduction, label_smoothing)


@beside("F.nll_loss")
def nll_loss(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean"):
    refuse_old(size_average, reduce)
    return tg.nll_loss(input, target, weight, ignore_index, reduction)


@beside("F.binary_cross_entropy")
def binary_cross_entropy(input, target, weight=None, size_average=None, reduce=None, reduction="mean"):
    refuse_old(size_average, reduce)
    return tg.binary_cross_entropy(input, target, weight, reduction)


@beside("F.binary_cross_entropy_with_logits")
def binary_cross_entropy_with_logits(input, target, weight=None, size_average=None, reduce=None, reduction="mean", pos_weight=None):
    refuse_old(size_average, reduce)
    return tg.binary_cross_entropy_with_logits(input, target, weight, reduction, pos_weight)


@beside("F.mse_loss")
def mse_loss(input, target, size_average=None, reduce=None, reduction="mean", weight=None):
    refuse_old(size_average, reduce)
    if weight is not None:
        raise Unsupported("weight=")
    return tg.mse_loss(input, target, reduction)


@beside("F.l1_loss")
def l1_loss(input, target, size_average=None, reduce=None, reduction="mean", weight=None):
    refuse_old(size_average, reduce)
    if weight is not None:
        raise Unsupported("weight=")
    return tg.l1_loss(input, target, reduction)


@beside("F.smooth_l1_loss")
def smooth_l1_loss(input, target, size_average=None, reduce=None, reduction="mean", beta=1.0):
    refuse_old(size_average, reduce)
    return tg.smooth_l1_loss(input, target, reduction, beta)


@beside("F.huber_loss")
def huber_loss(input, target, reduction="mean", delta=1.0, weight=None):
    if weight is not None:
        raise Unsupported("weight=")
    return tg.huber_loss(input, target, reduction, delta)


@beside("F.kl_div")
def kl_div(input, target, size_average=None, reduce=None, reduction="mean", log_target=False):
    refuse_old(size_average, reduce)
    return tg.kl_div(input, target, reduction, log_target)

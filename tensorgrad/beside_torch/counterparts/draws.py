"""Functions that draw random numbers: PyTorch draws the same ones again."""

import math

import numpy as np
import torch
import torch.nn.functional as F
from torch.utils._pytree import tree_flatten

import tensorgrad as tg
from tensorgrad.beside_torch.counterparts.table import Unsupported, beside


@beside("dropout", "feature_dropout", "alpha_dropout", "feature_alpha_dropout", "native_dropout", theirs=True)
def dropout(input, *args, theirs, **options):
    """y = mask · x + shift: what PyTorch's function makes of zeros, and of ones."""
    shift, one = [tree_flatten(theirs.at(torch.full_like(theirs.first, n)))[0][0].numpy() for n in (0, 1)]
    y = tg.mul(input, one - shift)
    return tg.add(y, shift) if shift.any() else y


@beside("rrelu", theirs=True)
def rrelu(input, lower=1 / 8, upper=1 / 3, training=False, inplace=False, theirs=None):
    """The slope of an entry is what PyTorch's function makes of -1; it draws none for an entry above 0."""
    slopes = -theirs.at(torch.tensor(np.where(input.data > 0, 1.0, -1.0), dtype=theirs.first.dtype)).numpy()
    return tg.where(input.data > 0, input, tg.mul(input, slopes))


@beside("scaled_dot_product_attention", theirs=True)
def scaled_dot_product_attention(
    query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False, theirs=None
):
    """PyTorch's dropout sets weights to 0; its mask is what F.dropout makes of ones in the shape of the weights."""
    if enable_gqa:
        key, value = [tg.repeat(x, query.shape[-3] // x.shape[-3], -3) for x in (key, value)]
    if not dropout_p:
        return tg.scaled_dot_product_attention(query, key, value, attn_mask, is_causal, scale)
    scores = tg.matmul(query, tg.swapaxes(key, -1, -2)) * (1 / math.sqrt(query.shape[-1]) if scale is None else scale)
    if is_causal:
        attn_mask = np.tri(*scores.shape[-2:], dtype=bool)
    if attn_mask is not None:
        truth = isinstance(attn_mask, np.ndarray)
        scores = tg.where(attn_mask, scores, -np.inf) if truth else tg.add(scores, attn_mask)
    weights = tg.softmax(scores, -1)
    kept = theirs.again(F.dropout, torch.ones(weights.shape, dtype=theirs.first.dtype), dropout_p)
    return tg.matmul(tg.mul(weights, kept.numpy()), value)


@beside("aten._scaled_dot_product_flash_attention_for_cpu")
def flash_attention(query, key, value, dropout_p=0.0, is_causal=False, attn_mask=None, scale=None):
    if dropout_p:
        raise Unsupported("dropout within attention")
    return tg.scaled_dot_product_attention(query, key, value, attn_mask, is_causal, scale)

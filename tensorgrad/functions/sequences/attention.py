"""Attention: for each query the mean of the values, weighted by how well query and key match, in one head or in several.

Legend: q (..., L, E) queries, k (..., S, E) keys, v (..., S, V) values. Axes in front (batch, heads) broadcast. Source: Vaswani
and others, "Attention Is All You Need", 2017, equation (1) and section 3.2.2.
"""

from math import prod, sqrt

import numpy as np

from tensorgrad.arrays.axes import broadcasts
from tensorgrad.arrays.object_arrays import objects
from tensorgrad.functions.softmax import softmax, softmax_entries
from tensorgrad.kernels import attention as kernels
from tensorgrad.public import Array, Arrays, AsGiven, Option, public
from tensorgrad.rule import Fast, rule
from tensorgrad.rules.elementwise import where
from tensorgrad.rules.linear_algebra.linear import linear, matmul_entries
from tensorgrad.tensor import array_of

LARGE = 1 << 13  # scores from which attention is one function
__all__ = ["multi_head_attention", "scaled_dot_product_attention"]


# As one function


def attention_weights(q, k, mask, causal, scale):
    """Return softmax(q kᵀ · scale + mask), and 0 where a query may not attend to a key."""
    q_scaled, k_transposed = q * scale, k.swapaxes(-1, -2)
    scores = q_scaled @ k_transposed  # (..., L, S)
    if mask is None and not causal:
        return softmax(scores, -1)
    seen = visibility_mask(mask, causal, scores.shape)
    if mask is not None and mask.dtype != bool:
        scores = scores + where(seen, mask.astype(scores.dtype) if mask is array_of(mask) else mask, 0)
    weights = softmax(where(seen, scores, float(np.finfo(scores.dtype).min)), -1)  # the lowest number keeps inf out of the graph
    return weights * seen.any(-1, keepdims=True)


def scores_vjp(G, q, k, v, mask, causal, scale):
    """dz/d(q kᵀ) = p ⊙ (G vᵀ - rowsum(p ⊙ G vᵀ)) · scale, with p = softmax(q kᵀ · scale)"""
    P, dP = attention_weights(q, k, mask, causal, scale), G @ v.mT
    return P * (dP - (P * dP).sum(-1, keepdims=True)) * scale


def attention_q(G, q, k, v, mask, causal, scale):
    """dz/dq = (p ⊙ (dz/dy vᵀ - rowsum(p ⊙ dz/dy vᵀ))) k · scale, with p = softmax(q kᵀ · scale)"""
    return scores_vjp(G, q, k, v, mask, causal, scale) @ k


def attention_k(G, q, k, v, mask, causal, scale):
    """dz/dk = (p ⊙ (dz/dy vᵀ - rowsum(p ⊙ dz/dy vᵀ)))ᵀ q · scale, with p = softmax(q kᵀ · scale)"""
    return scores_vjp(G, q, k, v, mask, causal, scale).mT @ q


def attention_v(G, q, k, mask, causal, scale):
    """dz/dv = pᵀ dz/dy, with p = softmax(q kᵀ · scale)"""
    return attention_weights(q, k, mask, causal, scale).mT @ G


def attention_entries(q, k, v, mask, causal, scale):
    """Compute each entry from the weights of its query, which are those of the keys that it may attend to."""
    scores = matmul_entries(objects(q * scale), objects(k.swapaxes(-1, -2)))
    seen = np.broadcast_to(visibility_mask(mask, causal, scores.shape), scores.shape)
    weights = np.zeros(scores.shape, object)
    for place in np.ndindex(scores.shape[:-1]):
        if seen[place].any():
            weights[place][seen[place]] = softmax_entries(scores[place][seen[place]])
    return matmul_entries(weights, objects(v))


def attention_forward(slots, q, k, v, mask, causal, scale):
    dtype = np.result_type(q, k, v)
    q, k, v = [x.astype(dtype, copy=False) for x in (q, k, v)]
    hidden = None
    if mask is not None or causal:
        shape = (*np.broadcast_shapes(q.shape[:-2], k.shape[:-2]), q.shape[-2], k.shape[-2])
        hidden = ~visibility_mask(mask, causal, shape)
        hidden = np.broadcast_to(hidden, (*hidden.shape[:-2], *shape[-2:]))
    y, saved = kernels.forward(q, k, v, hidden, causal, scale)
    return y, (q, k, v, saved, scale)


def attention_backward(G, aux, slots):
    found = kernels.contributions(G, *aux)
    return [found[slot] for slot in slots]


@rule(attention_q, attention_k, attention_v, entries=attention_entries, fast=Fast(attention_forward, attention_backward))
def attention(q, k, v, mask=None, causal=False, scale=1.0):
    """y = softmax(q kᵀ · scale) v, over the keys that each query may attend to"""
    weights = attention_weights(q, k, mask, causal, scale)
    return weights @ v


# Public functions


@public
def scaled_dot_product_attention(q: Array, k: Array, v: Array, mask: AsGiven = None, causal=False, scale=None):
    """Return softmax(q kᵀ · scale + mask) v: for each query the mean of the values, weighted by how well query and key match.

    In formulas:
        y = P v, with P = softmax(q kᵀ · scale + mask)
        dz/dv = Pᵀ dz/dy
        G = P ∘ (dz/dy vᵀ - Σ P ∘ (dz/dy vᵀ)), with the sum along each row
        dz/dq = scale · G k
        dz/dk = scale · Gᵀ q

    q has shape (..., L, E), k (..., S, E), v (..., S, V); the result has shape (..., L, V). For a query that may attend to no
    key, the result and the gradient are 0. From 8192 scores on, it is one function of the graph, which is faster. Raises ValueError
    if the shapes do not fit.

    - mask: broadcasts to (..., L, S); truth values mark the keys that a query may attend to, and floats are added to the scores
      (-inf excludes a key)
    - causal: query i attends only to keys 0 to i
    - scale: 1/√E by default

    >>> q, k, v = np.eye(2), np.eye(2), np.array([[1.0], [3.0]])
    >>> scaled_dot_product_attention(q, k, v, causal=True, scale=0.0).tolist()
    [[1.0], [2.0]]
    """
    must_fit(q.shape, k.shape, v.shape)
    scale = 1 / sqrt(q.shape[-1]) if scale is None else scale
    if prod(q.shape[:-1]) * k.shape[-2] >= LARGE and (mask is None or mask.dtype == bool) and isinstance(scale, int | float):
        return attention.applied((q, k, v), (mask, causal, scale))
    weights = attention_weights(q, k, mask, causal, scale)
    return weights @ v


def visibility_mask(mask, causal, shape):
    """Return which keys each query may attend to, in a shape that broadcasts to that of the scores."""
    if mask is not None and not broadcasts(mask.shape, shape):
        raise ValueError(f"scaled_dot_product_attention: mask of shape {mask.shape} does not broadcast to the shape {shape} of the scores")
    seen = np.tri(*shape[-2:], dtype=bool) if causal else np.ones((1, 1), bool)
    return seen if mask is None else seen & (mask if mask.dtype == bool else array_of(mask) != -np.inf)


def must_fit(q, k, v):
    if min(len(q), len(k), len(v)) < 2 or q[-1] != k[-1] or k[-2] != v[-2]:
        raise ValueError(
            f"scaled_dot_product_attention: q of shape {q}, k of shape {k}, v of shape {v} do not fit; "
            "use (..., L, E), (..., S, E) and (..., S, V)"
        )


@public
def multi_head_attention(
    x_q: Array, x_k: Array, x_v: Array, num_heads: Option, in_weight: Arrays,
    in_bias: Array, out_weight: Array, out_bias: Array, mask: AsGiven = None, causal=False,
):  # fmt: skip
    """Return attention in `num_heads` heads; each head uses an equal part of the E features.

    In formulas:
        y = [H[1] … H[h]] W[o]ᵀ + b[o], with H[i] = softmax(Q[i] K[i]ᵀ / √(E / h)) V[i]
        Q = x[q] W[q]ᵀ + b[q]; K and V alike
        dz/dH = dz/dy W[o], one part for each head; on from there it is scaled_dot_product_attention, then linear

    x_q has shape (..., L, E), x_k and x_v have shape (..., S, E); the result has shape (..., L, E). `mask` and `causal` are
    those of `scaled_dot_product_attention`; a mask broadcasts to (..., num_heads, L, S). Raises ValueError if num_heads does
    not divide E.

    - in_weight: (3E, E), the stacked weights of queries, keys and values, or a tuple of the three
    - in_bias: (3E,), or None
    - out_weight, out_bias: (E, E) and (E,), as in PyTorch; out_bias may be None

    >>> x, one = np.array([[1.0, 2.0], [3.0, 4.0]]), np.eye(2)
    >>> multi_head_attention(x, x, x, 2, (one, one, one), None, one, None, mask=one > 0).tolist()
    [[1.0, 2.0], [3.0, 4.0]]
    """
    three = isinstance(in_weight, tuple | list) and [np.ndim(W) for W in in_weight] == [2, 2, 2]
    weights = in_weight if three else split_in_three(in_weight if hasattr(in_weight, "shape") else np.asarray(in_weight))
    biases = (None, None, None) if in_bias is None else split_in_three(in_bias)
    Q, K, V = map(linear, (x_q, x_k, x_v), weights, biases)
    q, k, v = split_heads(Q, num_heads), split_heads(K, num_heads), split_heads(V, num_heads)
    y = scaled_dot_product_attention(q, k, v, mask, causal).swapaxes(-2, -3)  # (..., L, heads, E / heads)
    return linear(y.reshape(*y.shape[:-2], y.shape[-2] * y.shape[-1]), out_weight, out_bias)


def split_in_three(stacked):
    n = stacked.shape[0] // 3
    return stacked[:n], stacked[n : 2 * n], stacked[2 * n :]


def split_heads(x, heads):
    """Return x (..., L, E) as (..., heads, L, E / heads)."""
    if heads < 1 or x.shape[-1] % heads:
        raise ValueError(f"multi_head_attention: {x.shape[-1]} features cannot be divided into {heads} equal heads; use a divisor")
    return x.reshape(*x.shape[:-1], heads, x.shape[-1] // heads).swapaxes(-2, -3)

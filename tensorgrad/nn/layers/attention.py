"""MultiheadAttention: PyTorch's layer, with its masks, in which True excludes a key.

Legend: L queries, S keys and values, E features; n samples.
"""

from math import sqrt

import numpy as np

from scalargrad.messages.errors import must_be_integers, number, wrong_type
from tensorgrad.functions.normalisation import dropout
from tensorgrad.functions.sequences.attention import attention_weights, scaled_dot_product_attention, split_heads, split_in_three
from tensorgrad.nn import random
from tensorgrad.nn.initial import xavier_uniform_
from tensorgrad.nn.inputs import of_dtype
from tensorgrad.nn.layers.linear import Linear
from tensorgrad.nn.module import Module
from tensorgrad.nn.parameter import Parameter
from tensorgrad.nn.sizes import float_dtype
from tensorgrad.rules.linear_algebra.linear import linear

__all__ = ["MultiheadAttention"]


class MultiheadAttention(Module):
    """Return (output, weights): for each query the mean of the values, weighted by how well query and key match, in several heads.

    A call takes query (L, n, E), key (S, n, kdim) and value (S, n, vdim), or (n, L, E) and so on with batch_first=True, or all
    without n. The output has the shape of the query. The weights (n, L, S) are means over the heads; they are None with
    need_weights=False, which is faster. A query that may attend to no key gets 0, where PyTorch gives nan. The weights of query,
    key and value start uniform within Xavier's bound, all biases at 0. Raises ValueError if the shapes do not fit. Source: Vaswani
    and others, "Attention Is All You Need", 2017.

    - key_padding_mask: (n, S), where True excludes a key, or floats that are added to the scores
    - attn_mask: (L, S) or (n · num_heads, L, S), in the same way
    - is_causal: query i attends only to keys 0 to i
    - dropout: the probability with which a weight is set to 0 in training

    >>> import numpy as np; from tensorgrad import nn
    >>> y, weights = nn.MultiheadAttention(8, 2, batch_first=True)(*[np.ones((3, 5, 8))] * 3); y.shape, weights.shape
    ((3, 5, 8), (3, 5, 5))
    """

    def __init__(
        self, embed_dim, num_heads, dropout=0.0, bias=True, *, kdim=None, vdim=None, batch_first=False, dtype=None, generator=None
    ):
        super().__init__()
        must_be_integers("MultiheadAttention", 1, embed_dim=embed_dim, num_heads=num_heads)
        if embed_dim % num_heads:
            raise ValueError(f"MultiheadAttention: num_heads={num_heads} must divide embed_dim={embed_dim}")
        self.embed_dim, self.num_heads, self.batch_first = embed_dim, num_heads, batch_first
        self.kdim, self.vdim = kdim or embed_dim, vdim or embed_dim
        self.dropout = number("MultiheadAttention", "dropout", dropout, 0, 1)
        self.generator = None if generator is None else random.generator_or_default("MultiheadAttention", generator)
        self._draw(float_dtype("MultiheadAttention", dtype), random.generator_or_default("MultiheadAttention", generator), bias)

    def _draw(self, dtype, generator, bias):
        E = self.embed_dim
        if self.kdim == self.vdim == E:
            shapes = {"in_proj_weight": (3 * E, E)}
        else:
            shapes = {"q_proj_weight": (E, E), "k_proj_weight": (E, self.kdim), "v_proj_weight": (E, self.vdim)}
        for name, shape in shapes.items():
            setattr(self, name, xavier_uniform_(Parameter(np.empty(shape, dtype)), generator=generator))
        self.in_proj_bias = Parameter(np.zeros(3 * E, dtype)) if bias else None
        self.out_proj = Linear(E, E, bias, dtype=dtype, generator=generator)
        if bias:
            self.out_proj.bias.data = np.zeros(E, dtype)

    def forward(
        self,
        query,
        key=None,
        value=None,
        key_padding_mask=None,
        need_weights=True,
        attn_mask=None,
        average_attn_weights=True,
        is_causal=False,
    ):
        if key is None or value is None:
            raise TypeError("MultiheadAttention: give query, key and value; for self-attention write attention(x, x, x)")
        x = [of_dtype(x, self.out_proj.weight._data.dtype) for x in (query, key, value)]
        axes = self._axes(x)
        x = [t if axes is None else t.swapaxes(*axes) for t in x]  # (n, L, E), or (L, E)
        weights, biases = self._projections()
        q, k, v = [split_heads(linear(t, W, b), self.num_heads) for t, W, b in zip(x, weights, biases)]  # (n, heads, L, E / heads)
        mask = self._mask(key_padding_mask, attn_mask, is_causal, (*q.shape[:-1], k.shape[-2]))
        seen_weights = None
        if need_weights or (self.dropout and self.training):
            seen_weights = attention_weights(q, k, mask, causal=False, scale=1 / sqrt(q.shape[-1]))
            y = self._dropped(seen_weights) @ v
        else:
            y = scaled_dot_product_attention(q, k, v, mask)
        y = y.swapaxes(-2, -3)  # (n, L, heads, E / heads)
        y = self.out_proj(y.reshape(*y.shape[:-2], self.embed_dim))
        if need_weights and average_attn_weights:
            seen_weights = seen_weights.mean(-3)
        return y if axes is None else y.swapaxes(*axes), seen_weights if need_weights else None

    def _axes(self, x):
        """Return the axes to exchange so that the samples come first; None if there is nothing to exchange."""
        sizes = (self.embed_dim, self.kdim, self.vdim)
        shapes = [t.shape for t in x]
        if any(len(s) != len(shapes[0]) or len(s) not in (2, 3) or s[-1] != n for s, n in zip(shapes, sizes)):
            one = "(n, L, E)" if self.batch_first else "(L, n, E)"
            raise ValueError(
                f"query {shapes[0]}, key {shapes[1]} and value {shapes[2]} do not fit; {one} or (L, E) is needed, with E={sizes}"
            )
        return None if self.batch_first or len(shapes[0]) == 2 else (0, 1)

    def _projections(self):
        """Return the weights and the biases of query, key and value."""
        weights = split_in_three(self.in_proj_weight) if "in_proj_weight" in self._parameters else None
        weights = weights or (self.q_proj_weight, self.k_proj_weight, self.v_proj_weight)
        return weights, (None,) * 3 if self.in_proj_bias is None else split_in_three(self.in_proj_bias)

    def _mask(self, key_padding_mask, attn_mask, is_causal, shape):
        """Return what is added to the scores of `shape`: -inf excludes a key. None if there is no mask."""
        masks = []
        if is_causal:
            masks.append(np.where(np.tri(*shape[-2:], dtype=bool), 0.0, -np.inf))
        if attn_mask is not None:
            mask = added("attn_mask", attn_mask)
            masks.append(mask.reshape(-1, self.num_heads, *mask.shape[1:]) if mask.ndim == 3 and len(shape) == 4 else mask)
        if key_padding_mask is not None:
            masks.append(added("key_padding_mask", key_padding_mask)[..., None, None, :])
        for mask in masks:
            if len(mask.shape) > len(shape) or any(a not in (1, b) for a, b in zip(mask.shape[::-1], shape[::-1])):
                raise ValueError(f"a mask of shape {mask.shape} does not fit the scores of shape {shape}, (n, num_heads, L, S)")
        return sum(masks[1:], masks[0]) if masks else None

    def _dropped(self, weights):
        if not (self.dropout and self.training):
            return weights
        return dropout(weights, self.dropout, rng=self.generator or random.default_generator())

    def extra_repr(self):
        return f"embed_dim={self.embed_dim}, num_heads={self.num_heads}, dropout={self.dropout}, batch_first={self.batch_first}"


def added(name, mask):
    """Return a mask as an array that is added to the scores: True becomes -inf, False 0."""
    mask = np.asarray(mask)
    if mask.dtype.kind not in "bf":
        raise wrong_type("MultiheadAttention", name, mask, "an array of bools or floats; write mask.astype(bool)")
    return np.where(mask, -np.inf, 0.0) if mask.dtype.kind == "b" else mask

"""The encoder of a transformer: layers of attention and a network of two linear layers, each with a residual and a layer norm.

Legend: L steps of a sequence, n samples, E = d_model features.
"""

from copy import deepcopy

from scalargrad.messages.errors import must_be_integers, must_be_one_of, wrong_type
from tensorgrad.functions.elementwise_options import gelu
from tensorgrad.nn.inputs import of_dtype
from tensorgrad.nn.layers.attention import MultiheadAttention
from tensorgrad.nn.layers.containers import ModuleList, must_be_module
from tensorgrad.nn.layers.dropout import Dropout
from tensorgrad.nn.layers.linear import Linear
from tensorgrad.nn.layers.normalisation import LayerNorm
from tensorgrad.nn.module import Module
from tensorgrad.rules.elementwise import relu

__all__ = ["TransformerEncoderLayer", "TransformerEncoder"]

ACTIVATIONS = {"relu": relu, "gelu": gelu}


class TransformerEncoderLayer(Module):
    """Return norm2(y + linear2(activation(linear1(y)))), where y = norm1(x + attention(x, x, x)): one layer of an encoder.

    x has shape (L, n, E), (n, L, E) with batch_first=True, or (L, E), and so has the result. With norm_first=True the norms stand
    before the attention and before linear1. `dropout` is the probability of setting an entry to 0 in training: in the weights of the
    attention, after it, after the activation and after linear2. Raises ValueError if the shapes do not fit. Source: Vaswani and
    others, "Attention Is All You Need", 2017; norm_first: Xiong and others, "On Layer Normalization in the Transformer
    Architecture", 2020.

    - activation: "relu", "gelu" or a function
    - src_mask: (L, L) or (n · nhead, L, L), where True excludes a key, or floats that are added to the scores
    - src_key_padding_mask: (n, L), in the same way
    - is_causal: step i attends only to steps 0 to i, also without src_mask

    >>> import numpy as np; from tensorgrad import nn
    >>> nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)(np.ones((3, 5, 8))).shape
    (3, 5, 8)
    """

    def __init__(
        self, d_model, nhead, dim_feedforward=2048, dropout=0.1, activation=relu, layer_norm_eps=1e-5, batch_first=False,
        norm_first=False, bias=True, *, dtype=None, generator=None,
    ):  # fmt: skip
        super().__init__()
        must_be_integers("TransformerEncoderLayer", 1, d_model=d_model, nhead=nhead, dim_feedforward=dim_feedforward)
        own = {"dtype": dtype, "generator": generator}
        self.self_attn = MultiheadAttention(d_model, nhead, dropout, bias, batch_first=batch_first, **own)
        self.linear1 = Linear(d_model, dim_feedforward, bias, **own)
        self.dropout = Dropout(dropout, generator=generator)
        self.linear2 = Linear(dim_feedforward, d_model, bias, **own)
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model, layer_norm_eps, bias=bias, dtype=dtype)
        self.norm2 = LayerNorm(d_model, layer_norm_eps, bias=bias, dtype=dtype)
        self.dropout1 = Dropout(dropout, generator=generator)
        self.dropout2 = Dropout(dropout, generator=generator)
        self.activation = known_activation(activation)

    def forward(self, src, src_mask=None, src_key_padding_mask=None, is_causal=False):
        masks = {"attn_mask": src_mask, "key_padding_mask": src_key_padding_mask, "is_causal": bool(is_causal)}
        src = of_dtype(src, self.linear1.weight._data.dtype)
        if self.norm_first:
            y = src + self._attended(self.norm1(src), masks)
            return y + self._fed_forward(self.norm2(y))
        y = self.norm1(src + self._attended(src, masks))
        return self.norm2(y + self._fed_forward(y))

    def _attended(self, x, masks):
        return self.dropout1(self.self_attn(x, x, x, need_weights=False, **masks)[0])

    def _fed_forward(self, x):
        return self.dropout2(self.linear2(self.dropout(self.activation(self.linear1(x)))))


class TransformerEncoder(Module):
    """Call num_layers copies of a layer one after the other, and then `norm`, if it is given.

    The copies start at the same numbers, as in PyTorch. Shapes and masks are those of TransformerEncoderLayer; `mask` is its src_mask.
    enable_nested_tensor and mask_check are accepted, as PyTorch's programs write them, and have no effect.

    >>> import numpy as np; from tensorgrad import nn
    >>> encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 16), num_layers=2, norm=nn.LayerNorm(8))
    >>> encoder(np.ones((5, 3, 8)), is_causal=True).shape
    (5, 3, 8)
    """

    def __init__(self, encoder_layer, num_layers, norm=None, enable_nested_tensor=True, mask_check=True):
        super().__init__()
        must_be_integers("TransformerEncoder", 1, num_layers=num_layers)
        generators = [getattr(part, "generator", None) for part in must_be_module(self, encoder_layer).modules()]
        shared = {id(g): g for g in generators if g is not None}  # the copies share it: else all would draw the same numbers
        self.layers = ModuleList(deepcopy(encoder_layer, dict(shared)) for _ in range(num_layers))
        self.num_layers = num_layers
        self.norm = norm if norm is None else must_be_module(self, norm)
        self.enable_nested_tensor, self.mask_check = enable_nested_tensor, mask_check

    def forward(self, src, mask=None, src_key_padding_mask=None, is_causal=None):
        for layer in self.layers:
            src = layer(src, mask, src_key_padding_mask, bool(is_causal))
        return src if self.norm is None else self.norm(src)


def known_activation(activation):
    """Return an activation as a function. Raises ValueError for an unknown name."""
    if isinstance(activation, str):
        must_be_one_of("TransformerEncoderLayer", ACTIVATIONS, activation=activation)
        return ACTIVATIONS[activation]
    if not callable(activation):
        raise wrong_type("TransformerEncoderLayer", "activation", activation, '"relu", "gelu" or a function')
    return activation

"""The encoder of a transformer: copies of one layer, masks, dropout, and what it refuses. Its numbers: test_layers.py."""

import numpy as np
import pytest

from tensorgrad import Tensor, nn
from tests.each import each

X = np.random.default_rng(0).standard_normal((2, 5, 8))  # (n, L, E)


def layer(**options):
    settings = {"dim_feedforward": 6, "batch_first": True, "dtype": np.float64, "generator": np.random.default_rng(1)}
    return nn.TransformerEncoderLayer(8, 2, **settings | options)


def test_the_state_has_pytorchs_names_in_its_order():
    names = ["self_attn.in_proj_weight", "self_attn.in_proj_bias", "self_attn.out_proj.weight", "self_attn.out_proj.bias"]
    names += [f"{part}.{kind}" for part in ("linear1", "linear2", "norm1", "norm2") for kind in ("weight", "bias")]
    assert [*layer().state_dict()] == names
    encoder = nn.TransformerEncoder(layer(), 2, nn.LayerNorm(8))
    assert [*encoder.state_dict()] == [*[f"layers.{i}.{name}" for i in (0, 1) for name in names], "norm.weight", "norm.bias"]


def test_the_copies_start_equal_and_are_trained_apart():
    encoder = nn.TransformerEncoder(layer(dropout=0.0), 2)
    first, second = encoder.layers
    assert np.array_equal(first.linear1.weight.data, second.linear1.weight.data)
    encoder(X).sum().backward()
    assert not np.array_equal(first.linear1.weight.grad, second.linear1.weight.grad)


def test_a_causal_mask_and_is_causal_keep_each_step_from_later_ones():
    encoder = nn.TransformerEncoder(layer(dropout=0.0), 2)
    later = X.copy()
    later[:, 3:] += 1
    causal = np.triu(np.ones((5, 5), bool), 1)
    for options in ({"mask": causal}, {"is_causal": True}, {"mask": np.where(causal, -np.inf, 0.0)}, {"mask": causal, "is_causal": True}):
        y, moved = encoder(X, **options).data, encoder(later, **options).data
        np.testing.assert_allclose(y[:, :3], moved[:, :3], rtol=1e-12)
        assert not np.allclose(y[:, 3:], moved[:, 3:])


def test_padding_changes_no_other_step_and_gets_no_gradient():
    encoder, padding = nn.TransformerEncoder(layer(dropout=0.0), 2), np.zeros((2, 5), bool)
    padding[1, 3:] = True
    x = Tensor(X)
    y = encoder(x, src_key_padding_mask=padding)
    np.testing.assert_allclose(y.data[1, :3], encoder(X[1:, :3]).data[0], rtol=1e-10)
    (y * ~padding[..., None]).sum().backward()
    assert not x.grad[1, 3:].any() and x.grad[1, :3].any()


def test_dropout_acts_in_training_alone_and_each_layer_draws_its_own_numbers():
    encoder = nn.TransformerEncoder(layer(dropout=0.5), 2)
    assert not np.array_equal(encoder(X).data, encoder(X).data)
    assert encoder.layers[0].dropout1.generator is encoder.layers[1].self_attn.generator
    encoder.eval()
    assert np.array_equal(encoder(X).data, encoder(X).data)


@each(
    "call, kind, message",
    [
        (lambda: nn.TransformerEncoderLayer(8, 3), ValueError, "num_heads=3 must divide embed_dim=8"),
        (lambda: nn.TransformerEncoderLayer(8, 2, activation="swish"), ValueError, "activation='swish' is unknown; use 'relu' or 'gelu'"),
        (lambda: nn.TransformerEncoderLayer(8, 2, activation=3), TypeError, "TransformerEncoderLayer: activation=3 is not"),
        (lambda: nn.TransformerEncoderLayer(8, 2, axis=3), TypeError, "TransformerEncoderLayer: unknown argument axis="),
        (
            lambda: nn.TransformerEncoder(nn.TransformerEncoderLayer, 2),
            TypeError,
            "TransformerEncoderLayer is a class; make a module of it",
        ),
        (lambda: nn.TransformerEncoder(layer(), 0), ValueError, "TransformerEncoder: num_layers=0 is out of range"),
        (lambda: layer()(X[..., :4]), ValueError, "do not fit"),
        (lambda: layer()(X, np.ones((4, 4), bool)), ValueError, r"a mask of shape \(4, 4\) does not fit the scores"),
        (lambda: nn.TransformerDecoder, AttributeError, "there is TransformerEncoder, and the causal mask of L steps is np.triu"),
    ],
    ids=range(9),
)
def test_a_mistake_gets_a_message(call, kind, message):
    with pytest.raises(kind, match=message):
        call()

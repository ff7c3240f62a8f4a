"""The numbers at which parameters start: their bounds and variances, also beside PyTorch's, and that a seed repeats them."""

import math

import numpy as np
import pytest

from tensorgrad import nn
from tests.each import each

# (layer, its parameters, the bound that PyTorch's documentation gives); None: normal with variance 1
LAYERS = [
    (nn.Linear, (300, 200), 1 / math.sqrt(300)),
    (nn.Bilinear, (40, 30, 20), 1 / math.sqrt(40)),
    (nn.Conv1d, (60, 80, 5), 1 / math.sqrt(60 * 5)),
    (nn.Conv2d, (30, 40, (3, 2)), 1 / math.sqrt(30 * 6)),
    (nn.Conv3d, (20, 30, 2), 1 / math.sqrt(20 * 8)),
    (nn.ConvTranspose1d, (60, 80, 5), 1 / math.sqrt(80 * 5)),
    (nn.ConvTranspose2d, (30, 40, 3), 1 / math.sqrt(40 * 9)),
    (nn.ConvTranspose3d, (20, 30, 2), 1 / math.sqrt(30 * 8)),
]


def is_uniform_within(x, bound):
    """Whether the numbers fill ±bound evenly: none is outside, ten bins hold a tenth each, and mean and variance are those of it."""
    x = np.ravel(x) / bound
    share = np.histogram(x, 10, (-1, 1))[0] / x.size
    rare = 5 / math.sqrt(x.size)  # five standard deviations of what chance does
    assert abs(x).max() <= 1 + 1e-6 and abs(x).max() > 1 - 20 / x.size
    assert abs(share - 0.1).max() < rare and abs(x.mean()) < rare and abs(x.var() - 1 / 3) < rare


@each("kind, args, bound", LAYERS)
def test_weight_and_bias_start_uniform_within_pytorchs_bound(kind, args, bound):
    layer = kind(*args, generator=np.random.default_rng(0))
    is_uniform_within(layer.weight.data, bound)
    assert abs(layer.bias.data).max() <= bound * (1 + 1e-6) and layer.bias.data.std() > bound / 3


@each("kind", [nn.RNN, nn.LSTM, nn.GRU, nn.RNNCell, nn.LSTMCell, nn.GRUCell])
def test_all_parameters_of_a_recurrent_layer_start_within_the_same_bound(kind):
    layer = kind(30, 100, generator=np.random.default_rng(0))
    for parameter in layer.parameters():
        assert abs(parameter.data).max() <= 0.1 * (1 + 1e-6)
    is_uniform_within(np.concatenate([parameter.data.ravel() for parameter in layer.parameters()]), 0.1)


def test_an_embedding_starts_normal_and_its_padding_at_0():
    table = nn.Embedding(400, 100, padding_idx=-1, generator=np.random.default_rng(0)).weight.data
    assert not table[-1].any()
    assert abs(table[:-1].mean()) < 0.02 and abs(table[:-1].var() - 1) < 0.02 and abs(table).max() > 3.5


def test_a_pretrained_embedding_has_a_copy_of_the_table_and_trains_no_padding():
    table = np.arange(6.0).reshape(3, 2)
    frozen, trained = nn.Embedding.from_pretrained(table), nn.Embedding.from_pretrained(table, freeze=False, padding_idx=1)
    assert not frozen.weight.keep_grad and frozen.padding_idx is None
    assert trained.weight.data.tolist() == table.tolist() and trained.padding_idx == 1
    trained(np.array([0, 1, 1, 2])).sum().backward()
    assert trained.weight.grad.tolist() == [[1, 1], [0, 0], [1, 1]]
    table[:] = 7
    assert trained.weight.data[0, 1] == frozen.weight.data[0, 1] == 1


def test_normalisations_start_as_standardisation():
    for layer in (nn.BatchNorm2d(3), nn.LayerNorm(3), nn.GroupNorm(1, 3), nn.InstanceNorm2d(3, affine=True)):
        assert (layer.weight.data == 1).all() and not layer.bias.data.any()
    norm = nn.BatchNorm2d(3)
    assert (norm.running_mean == 0).all() and (norm.running_var == 1).all() and norm.num_batches_tracked == 0


def test_attention_starts_within_xaviers_bound_and_its_biases_at_0():
    layer = nn.MultiheadAttention(80, 4, generator=np.random.default_rng(0))
    is_uniform_within(layer.in_proj_weight.data, math.sqrt(6 / (80 + 240)))
    is_uniform_within(layer.out_proj.weight.data, 1 / math.sqrt(80))
    assert not layer.in_proj_bias.data.any() and not layer.out_proj.bias.data.any()


SHAPE = (200, 30, 3, 3)  # fan_in 270, fan_out 1800
BOUNDS = [
    (lambda w, g: nn.init.uniform_(w, -0.3, 0.3, generator=g), 0.3),
    (lambda w, g: nn.init.xavier_uniform_(w, 2.0, generator=g), 2 * math.sqrt(6 / 2070)),
    (lambda w, g: nn.init.kaiming_uniform_(w, generator=g), math.sqrt(6 / 270)),
    (lambda w, g: nn.init.kaiming_uniform_(w, math.sqrt(5), generator=g), 1 / math.sqrt(270)),
    (lambda w, g: nn.init.kaiming_uniform_(w, mode="fan_out", nonlinearity="relu", generator=g), math.sqrt(6 / 1800)),
]
DEVIATIONS = [
    (lambda w, g: nn.init.normal_(w, 0.0, 0.02, generator=g), 0.02),
    (lambda w, g: nn.init.xavier_normal_(w, 5 / 3, generator=g), 5 / 3 * math.sqrt(2 / 2070)),
    (lambda w, g: nn.init.kaiming_normal_(w, mode="fan_out", nonlinearity="relu", generator=g), math.sqrt(2 / 1800)),
    (lambda w, g: nn.init.kaiming_normal_(w, nonlinearity="tanh", generator=g), 5 / 3 / math.sqrt(270)),
]


@each("fill, bound", BOUNDS)
def test_a_uniform_filling_keeps_to_its_bound(fill, bound):
    is_uniform_within(fill(nn.Parameter(np.zeros(SHAPE)), np.random.default_rng(1)).data, bound)


@each("fill, deviation", DEVIATIONS)
def test_a_normal_filling_has_its_deviation(fill, deviation):
    x = fill(nn.Parameter(np.zeros(SHAPE)), np.random.default_rng(1)).data / deviation
    rare = 5 / math.sqrt(x.size)
    assert abs(x.mean()) < rare and abs(x.std() - 1) < rare and abs((x**4).mean() - 3) < 40 * rare
    assert (abs(x) > 3).any()


def test_other_fillings():
    w = nn.Parameter(np.zeros((4, 3), np.float32))
    assert (nn.init.ones_(w).data == 1).all() and (nn.init.constant_(w, 2.5).data == 2.5).all() and not nn.init.zeros_(w).data.any()
    assert np.array_equal(nn.init.eye_(w).data, np.eye(4, 3))
    q = nn.init.orthogonal_(nn.Parameter(np.zeros((6, 2, 2))), 3.0, np.random.default_rng(0)).data.reshape(6, 4)
    np.testing.assert_allclose(q.T @ q, 9 * np.eye(4), atol=1e-12)
    t = nn.init.trunc_normal_(nn.Parameter(np.zeros(20_000)), 1.0, 2.0, 0.0, 2.0, np.random.default_rng(0)).data
    assert t.min() >= 0 and t.max() <= 2 and abs(t.mean() - 1) < 0.02 and abs(t.std() - 0.567) < 0.02


@each(
    "mistake, message",
    [
        (lambda: nn.init.xavier_uniform_(nn.Parameter(np.zeros(3))), "need a weight of two axes or more"),
        (lambda: nn.init.kaiming_normal_(nn.Parameter(np.zeros((3, 3))), mode="fan"), "mode='fan' is unknown"),
        (lambda: nn.init.calculate_gain("swish"), "nonlinearity='swish' is unknown"),
        (lambda: nn.init.trunc_normal_(nn.Parameter(np.zeros(3)), a=9.0, b=10.0), "nearly no normal number"),
        (lambda: nn.init.eye_(nn.Parameter(np.zeros(3))), "a matrix is needed"),
    ],
    ids=range(5),
)
def test_a_filling_that_cannot_be_says_why(mistake, message):
    with pytest.raises(ValueError, match=message):
        mistake()


@pytest.mark.torch
@each("kind, args, bound", LAYERS)
def test_pytorch_fills_the_same_bounds(kind, args, bound):
    torch = pytest.importorskip("torch")
    torch.manual_seed(0)
    theirs = getattr(torch.nn, kind.__name__)(*args)
    is_uniform_within(theirs.weight.detach().numpy(), bound)
    assert {n: tuple(p.shape) for n, p in theirs.named_parameters()} == {n: p.shape for n, p in kind(*args).named_parameters()}
    assert theirs.weight.dtype == torch.float32 and kind(*args).weight.dtype == np.float32

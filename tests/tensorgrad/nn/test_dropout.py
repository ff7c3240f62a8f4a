"""Dropout layers: what they drop, what they scale, where their random numbers come from, and that a checkpoint repeats them."""

import numpy as np
import pytest

import tensorgrad as tg
from tensorgrad import nn
from tests.each import each

SHAPES = [(nn.Dropout, (50, 40)), (nn.Dropout1d, (50, 40, 3)), (nn.Dropout2d, (50, 40, 2, 2)), (nn.Dropout3d, (50, 40, 2, 1, 2))]


@each("kind, shape", SHAPES)
def test_a_share_p_is_dropped_the_rest_is_scaled_and_evaluation_does_nothing(kind, shape):
    layer, x = kind(0.3, generator=np.random.default_rng(0)), tg.Tensor(np.ones(shape))
    y = layer(x)
    assert set(np.unique(y.data)) == {0.0, 1 / 0.7}
    assert abs((y.data == 0).mean() - 0.3) < 0.05
    y.sum().backward()
    assert np.array_equal(x.grad, y.data)
    assert layer.eval()(x) is x
    assert layer(np.ones(shape, np.float32)).dtype == np.float32


@each("kind, shape", SHAPES[1:])
def test_whole_channels_are_dropped(kind, shape):
    y = kind(0.5, generator=np.random.default_rng(0))(np.ones(shape))
    channels = y.reshape(50 * 40, -1)
    assert (channels == channels[:, :1]).all()
    alone = kind(0.5, generator=np.random.default_rng(0))(np.ones(shape[1:])).reshape(40, -1)
    assert (alone == alone[:, :1]).all()


def test_the_seed_repeats_what_is_dropped_and_calls_differ():
    layer, x = nn.Dropout(), np.ones(50)
    nn.seed(4)
    first, second = layer(x), layer(x)
    nn.seed(4)
    assert np.array_equal(layer(x), first) and not np.array_equal(first, second)


@each("kind", ["Dropout", "Dropout1d", "Dropout2d", "Dropout3d"])
def test_a_probability_of_1_drops_everything_and_0_nothing(kind):
    x = np.ones({"Dropout": (5,), "Dropout1d": (2, 3, 4), "Dropout2d": (2, 3, 4, 4), "Dropout3d": (2, 3, 2, 2, 2)}[kind])
    assert not np.asarray(getattr(nn, kind)(1)(x)).any() and np.array_equal(getattr(nn, kind)(0)(x), x)


def test_a_wrong_number_of_axes_is_refused_in_training_and_evaluation():
    for layer in (nn.Dropout2d(), nn.Dropout2d().eval()):
        with pytest.raises(ValueError, match=r"x has shape \(3, 4\); \(n, c, height, width\) or \(c, height, width\) is needed"):
            layer(np.ones((3, 4)))


class Random(nn.Module):
    def __init__(self):
        super().__init__()
        self.line, self.drop = nn.Linear(6, 6, dtype=np.float64), nn.Dropout(0.5)

    def forward(self, x):
        return self.drop(self.line(self.drop(x))).tanh()


@each("nested", [False, True])
def test_a_checkpoint_drops_the_same_entries_again(nested):
    model, x = Random(), tg.Tensor(np.random.default_rng(0).standard_normal((5, 6)))
    f = (lambda x: tg.checkpoint(model, x)) if nested else model

    def gradients(run):
        nn.seed(8)
        x.grad = None
        model.zero_grad()
        run(run_first(x)).sum().backward()
        return [x.grad, *(p.grad for p in model.parameters()), nn.random.default_generator().random()]

    run_first = model  # a dropout before it, so that the generator is not at its start
    plain = gradients(model)
    kept = gradients(lambda x: tg.checkpoint(f, x))
    assert all(np.array_equal(a, b) for a, b in zip(plain, kept))

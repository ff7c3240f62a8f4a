"""The loop: outputs of a whole data set in evaluation mode, losses of large scores, and means that count each sample once."""

import numpy as np
import pytest

from tensorgrad import data, nn, parallel
from tensorgrad.nn.random import default_generator
from tutorial.training import loop
from tutorial.training.loop import losses_of, outputs_of, results_on


class Dropping(nn.Module):
    """It drops half of its input in training, and refuses a batch that holds a nan."""

    def __init__(self):
        super().__init__()
        self.line, self.drop = nn.Linear(2, 3, generator=np.random.default_rng(0)), nn.Dropout(0.5)

    def forward(self, x):
        if np.isnan(x).any():
            raise ValueError("nan")
        return self.line(self.drop(x))


def points(count, nan=False):
    x = np.random.default_rng(1).standard_normal((count, 2)).astype(np.float32)
    x[-1] = np.nan if nan else x[-1]
    return data.ArrayDataset(x, np.arange(count) % 3)


def test_outputs_are_those_of_evaluation_and_the_model_goes_on_training():
    model, dataset = Dropping(), points(11)
    state = default_generator().bit_generator.state
    found, targets = outputs_of(model, dataset, batch_size=4)
    assert default_generator().bit_generator.state == state, "dropout has drawn numbers"
    np.testing.assert_allclose(found, model.line(dataset.arrays[0]).data, rtol=1e-6)
    assert targets.tolist() == dataset.arrays[1].tolist() and model.training and model.drop.training
    with pytest.raises(ValueError, match="nan"):
        outputs_of(model, points(11, nan=True), batch_size=4)
    assert model.training and model.drop.training, "an error leaves the model in evaluation mode"


@pytest.mark.parametrize("count", [1, 6, 7, 8, 20])
def test_a_group_has_the_results_of_one_process_also_where_the_parts_are_uneven(count, monkeypatch):
    monkeypatch.setattr(loop, "TOGETHER", 7)
    model, dataset = Dropping(), points(count)
    alone = results_on(model, dataset)
    with parallel.open(shards=2) as group:
        together = results_on(model, dataset, group)
    assert together == pytest.approx(alone, rel=1e-6) and model.training


def test_the_loss_of_large_scores_is_finite():
    scores = np.array([[1000.0, 0.0], [0.0, -1000.0], [-1e4, -1e4]])
    np.testing.assert_allclose(losses_of(scores, np.array([1, 0, 1])), [1000, 0, np.log(2)])
    text = np.stack([scores, scores])  # (samples, places, scores)
    assert losses_of(text, np.array([[1, 0, 1]] * 2)).shape == (2, 3)

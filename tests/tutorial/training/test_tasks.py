"""Tasks: the test data are measured as the training data, the schedule has the steps of the run, and the seed decides everything."""

from functools import partial

import numpy as np
import pytest

from tensorgrad import data
from tests.tensorgrad.data import made_files
from tutorial.training.settings import settings_for
from tutorial.training.tasks import Images, task_for


def test_test_images_have_the_mean_and_the_deviation_of_the_training_images():
    pixels = np.random.default_rng(0).integers(0, 256, (2, 50, 3, 4, 4), dtype=np.uint8)
    train = Images(data.ArrayDataset(pixels[0], np.arange(50) % 2, classes=("a", "b")))
    test = train.like(data.ArrayDataset(pixels[1] // 4, np.arange(50) % 2))
    found = train.batch(np.arange(50))[0]
    np.testing.assert_allclose(found.mean((0, 2, 3)), 0, atol=1e-5)
    np.testing.assert_allclose(found.std((0, 2, 3)), 1, atol=1e-5)
    mean, deviation = pixels[0].mean((0, 2, 3), keepdims=True), pixels[0].std((0, 2, 3), keepdims=True)
    np.testing.assert_allclose(test.batch([3])[0], (pixels[1][[3]] // 4 - mean) / deviation, rtol=1e-4)
    assert train.classes == ("a", "b") and test[3][1] == 1 and len(test) == 50


@pytest.mark.parametrize("task", ["mnist", "cifar10"])
def test_the_test_data_of_a_task_are_measured_as_its_training_data(task, tmp_path, monkeypatch):
    made_files.mnist_files(tmp_path)
    made_files.archive(tmp_path / "cifar-10-binary.tar.gz", made_files.binary_members(made_files.cifar_batches()))
    monkeypatch.setattr(data, task, partial(getattr(data, task), checksum=False))
    made = task_for(settings_for(task, batch=10), folder=tmp_path)
    assert made.test_set.measured is made.train_set.measured and made.test_set.classes == made.train_set.classes


def test_the_rate_falls_to_almost_0_in_the_last_step_of_the_run():
    task = task_for(settings_for("moons", epochs=2, lr=0.02))
    rates = []
    for _ in range(2 * len(task.loader)):
        rates.append(task.schedule.get_last_lr()[0])
        task.schedule.step()
    assert max(rates) == pytest.approx(0.02, rel=1e-2) and rates[-1] < 0.02 / 100 < rates[len(rates) // 2]


def test_the_seed_decides_the_points_the_order_and_the_weights():
    one, same, other = (task_for(settings_for("moons", seed=seed)) for seed in (3, 3, 4))
    of = lambda task: (task.train_set.arrays[0], task.loader.order(0), task.model.layer1.weight.data)
    for mine, equal, differs in zip(of(one), of(same), of(other)):
        assert np.array_equal(mine, equal) and not np.array_equal(mine, differs)
    assert not np.array_equal(one.train_set.arrays[0], one.test_set.arrays[0])


def test_a_text_is_tested_on_its_last_tenth_which_no_window_of_the_training_reads():
    task = task_for(settings_for("text"))
    book = task.characters.encode(data.alice())
    assert np.array_equal(task.test_set.ids, book[-len(task.test_set.ids) :]) and len(task.test_set.ids) == round(len(book) / 10)
    assert np.array_equal(task.train_set.ids, book[: -len(task.test_set.ids)])

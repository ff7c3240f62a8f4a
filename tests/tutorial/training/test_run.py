"""Runs: a run that was stopped, also in the middle of an epoch or by SIGKILL, resumes to the same losses digit by digit."""

import os
import random
import signal
import subprocess
import sys
import time
from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest

import tensorgrad as tg
from tensorgrad import data, saving
from tests.each import each
from tests.tensorgrad.data import made_files
from tutorial.training import tasks
from tutorial.training.page import SHOWN, images, mixed_up
from tutorial.training.run import Run, report_of_step, sample_loss, settings_of
from tutorial.training.settings import TASKS, Settings, settings_for
from tutorial.training.tasks import task_for


def run_of(folder, task="moons", **settings):
    return Run(task_for(settings_for(task, **settings)), folder)


def losses_from(run, steps=None, **options):
    found = []
    for loss in run.steps(**options):
        found.append(loss)
        if len(found) == steps:
            break
    return found


def test_a_run_that_resumes_in_the_middle_of_an_epoch_has_the_same_losses_and_weights(tmp_path):
    whole = run_of(tmp_path / "whole", epochs=3)
    expected = losses_from(whole)
    first = run_of(tmp_path / "parts", epochs=3)
    begun = losses_from(first, 27)  # of 20 in an epoch
    first.save()
    second = Run(task_for(settings_of(first.path)), tmp_path / "parts")
    second.load()
    assert begun + losses_from(second) == expected == second.history.losses
    assert second.history.state_dict().keys() == whole.history.state_dict().keys()
    assert second.history.gradients == whole.history.gradients and second.history.accuracies == whole.history.accuracies
    for p, q in zip(second.task.model.parameters(), whole.task.model.parameters()):
        np.testing.assert_array_equal(p.data, q.data)


def test_a_run_that_resumes_at_its_end_makes_no_step(tmp_path):
    run = run_of(tmp_path, epochs=1)
    losses_from(run)
    run.save()
    again = run_of(tmp_path, epochs=1)
    again.load()
    assert losses_from(again) == [] and len(again.history.losses) == 20


def test_a_run_saves_itself_after_every_few_steps(tmp_path):
    run = run_of(tmp_path, epochs=1)
    losses_from(run, 13, every=5)
    again = run_of(tmp_path, epochs=1)
    again.load()
    assert len(again.history.losses) == 10


def test_a_run_may_stop_early(tmp_path):
    run = run_of(tmp_path, epochs=30, lr=1e-9)
    run.history.add_epoch(0.0, 1.0, [])  # better than all that follow
    losses_from(run, patience=2)
    assert len(run.history.test_losses) == 3


def test_a_run_stops_and_saves_after_the_step_that_is_under_way(tmp_path):
    run = run_of(tmp_path, epochs=2)
    for _ in run.steps():
        run.stopping = len(run.history.losses) == 6
    again = run_of(tmp_path, epochs=2)
    again.load()
    assert len(again.history.losses) == 7


def test_other_settings_are_refused(tmp_path):
    run_of(tmp_path, epochs=2).save()
    with pytest.raises(ValueError, match=r"the part settings does not fit: the run was started with epochs 2 \(now 1\), seed 0 \(now 1\)"):
        run_of(tmp_path, epochs=1, seed=1).load()
    run_of(tmp_path, epochs=3).load()  # only more epochs may be made


def test_a_file_that_is_not_of_a_run_is_refused(tmp_path):
    saving.save(tmp_path / "a.npz", settings=np.random.default_rng(0))
    with pytest.raises(ValueError, match="is not the checkpoint file of a training run"):
        settings_of(tmp_path / "a.npz")


def test_the_gradient_report_of_a_step_changes_nothing(tmp_path):
    run = run_of(tmp_path, epochs=1)
    losses_from(run, 5)
    before = run.task.model.state_dict(), str(run.task.optimiser.state_dict())
    rows = report_of_step(run.task.model, run.task.optimiser).rows
    assert [row.layer for row in rows] == ["layer1", "layer2", "layer3"] and all(row.update > 0 for row in rows)
    assert str(run.task.optimiser.state_dict()) == before[1]
    for name, array in run.task.model.state_dict().items():
        np.testing.assert_array_equal(array, before[0][name])


def test_the_loss_that_is_drawn_is_that_of_evaluation_and_the_model_goes_on_training(tmp_path):
    task = run_of(tmp_path, epochs=1).task
    modes = []
    task.model.activation = lambda x: modes.append(task.model.training) or tg.relu(x)
    loss, again = sample_loss(task), sample_loss(task)
    assert not any(modes) and len(modes) == 4, "the loss is computed in training mode"
    assert all(part.training for part in task.model.modules()), "the model stays in evaluation mode"
    assert loss.item() == again.item() and all(p.grad is not None for p in task.model.parameters())


def test_every_task_has_networks_and_settings():
    for name, task in TASKS.items():
        assert callable(getattr(tasks, name))
        assert all(isinstance(settings_for(name, model), Settings) for model in task.models)


@each("task", ["moons", "digits"])
def test_the_same_seed_gives_the_same_losses(task, tmp_path_factory):
    folder = tmp_path_factory.mktemp(task)
    assert losses_from(run_of(folder, task, batch=4), 2) == losses_from(run_of(folder, task, batch=4), 2)
    assert losses_from(run_of(folder, task, batch=4), 1) != losses_from(run_of(folder, task, batch=4, seed=1), 1)


def test_a_network_trains_on_the_files_of_mnist(tmp_path_factory, monkeypatch):
    trains_on_files("mnist", "mlp", tmp_path_factory, monkeypatch)


@pytest.mark.slow
@each("task, model", [("mnist", "cnn"), ("cifar10", "resnet20"), ("cifar10", "resnet18")])
def test_a_network_trains_on_files_that_people_download(task, model, tmp_path_factory, monkeypatch):
    trains_on_files(task, model, tmp_path_factory, monkeypatch)


def trains_on_files(task, model, tmp_path_factory, monkeypatch):
    folder = tmp_path_factory.mktemp(task)
    made_files.mnist_files(folder)
    made_files.archive(folder / "cifar-10-binary.tar.gz", made_files.binary_members(made_files.cifar_batches()))
    monkeypatch.setattr(data, task, partial(getattr(data, task), checksum=False))
    run = Run(task_for(settings_for(task, model, epochs=1, batch=10), folder=folder), folder)
    assert len(losses_from(run)) == 2 and run.history.accuracies[0] is not None
    assert images(run.task).count("<img") == min(SHOWN, len(run.task.test_set))


# SIGKILL


def command(folder, *options):
    return [sys.executable, "-m", "tutorial", "train", "digits", "--out", str(folder), "--save-every", "7", *options]


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="needs SIGKILL")
def test_a_run_that_is_killed_again_and_again_has_the_same_losses_digit_by_digit(tmp_path):
    environment = os.environ | {"OPENBLAS_NUM_THREADS": "1"}
    subprocess.run(command(tmp_path / "whole", "--epochs", "8"), check=True, stdout=subprocess.PIPE, env=environment)
    options, moments, kills = ["--epochs", "8"], random.Random(0), 0
    while True:
        child = subprocess.Popen(command(tmp_path / "killed", *options), stdout=subprocess.PIPE, env=environment)
        try:
            child.communicate(timeout=moments.uniform(1.2, 2.5) + kills)
            assert child.returncode == 0
            break
        except subprocess.TimeoutExpired:
            child.send_signal(signal.SIGKILL)
            child.communicate()
            kills += 1
        if (tmp_path / "killed" / "run.safetensors").exists():
            options = ["--resume"]
        time.sleep(0.01)
    runs = [run_of(tmp_path / name, "digits", epochs=8) for name in ("whole", "killed")]
    for run in runs:
        run.load()
    assert kills and runs[0].history.state_dict()["gradients"] == runs[1].history.state_dict()["gradients"]
    assert runs[0].history.losses == runs[1].history.losses
    for p, q in zip(*(run.task.model.parameters() for run in runs)):
        np.testing.assert_array_equal(p.data, q.data)


# What networks reach


@pytest.mark.slow
@each("seed", range(5))
@each("task, least", [("moons", 0.99), ("digits", 0.985)])
def test_the_accuracy_on_the_test_data(task, least, seed, tmp_path_factory):
    run = run_of(tmp_path_factory.mktemp(task), task, seed=seed)
    losses_from(run)
    assert run.history.accuracies[-1] >= least


@pytest.mark.slow
def test_the_loss_of_a_text(tmp_path):
    run = run_of(tmp_path, "text")
    losses_from(run)
    assert run.history.test_losses[-1] < 1.75


def test_the_page_says_which_classes_are_mixed_up_most_often():
    targets = np.array([0, 0, 0, 1, 1, 2, 2, 2])
    scores = np.eye(3)[[1, 1, 0, 2, 1, 2, 0, 0]]
    task = SimpleNamespace(classes=("a", "b", "c"))
    assert mixed_up(task, scores, targets) == "Most often it takes a for b (2 times), c for a (2 times), b for c (1 time)."
    assert mixed_up(task, np.eye(3)[targets], targets) == ""

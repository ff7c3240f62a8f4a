"""A run and its history: the steps of a task, results after each epoch, checkpoint files to resume to the same bits, a picture of it."""

import io
import os
from contextlib import suppress
from functools import partial
from pathlib import Path
from time import monotonic

import numpy as np

from scalargrad import no_grad
from tensorgrad import saving
from tensorgrad.optim import GradientReport
from tensorgrad.saving.checkpoint_file import read_states
from tutorial.training.loop import results_on, train, train_together
from tutorial.training.settings import Settings
from viz.whole_files import write_file

CHECKPOINT, PAGE = "run.safetensors", "report.html"
PREVIOUS = "previous"  # the folder, within that of a run, of the run that was there before
SECONDS_BETWEEN_SAVES = 10


class Run:
    """A task on its way, with its history. `folder` gets the checkpoint file. With a `group` several processes share each step."""

    def __init__(self, task, folder, group=None):
        self.task, self.folder, self.history, self.group = task, Path(folder), History(), group
        self.stopping = False  # set it to stop after the step that is under way
        self.saved_steps = None  # of the checkpoint file; None before it is written or read
        self._saved = monotonic()

    # Checkpoint files

    @property
    def path(self):
        """The checkpoint file."""
        return self.folder / CHECKPOINT

    def parts(self):
        """Return all that decides how the run goes on."""
        task = self.task
        parts = {"settings": task.settings, "model": task.model, "optimiser": task.optimiser, "schedule": task.schedule}
        return parts | {"loader": task.loader, "random": task.generator, "history": self.history}

    def save(self):
        """Write the checkpoint file. Of a group, only rank 0 writes."""
        if self.group and self.group.rank:
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        saving.save(self.path, **self.parts())
        self._saved, self.saved_steps = monotonic(), len(self.history.losses)

    def keep_earlier(self):
        """Move the run that the folder has, with its page, to the folder `previous` in it. Return that folder, or None without a run.

        A run that was there is replaced. Of a group, only rank 0 moves files.
        """
        if not self.path.is_file() or (self.group and self.group.rank):
            return None
        previous = self.folder / PREVIOUS
        previous.mkdir(exist_ok=True)
        os.replace(self.path, previous / CHECKPOINT)
        (previous / PAGE).unlink(missing_ok=True)  # of the run that was replaced
        if (self.folder / PAGE).is_file():
            os.replace(self.folder / PAGE, previous / PAGE)
        return previous

    def load(self):
        """Go to the step of the checkpoint file. Raises ValueError or OSError if it cannot be read, or if the settings differ."""
        saving.load(self.path, **self.parts())
        self.saved_steps = len(self.history.losses)

    # The run

    def steps(self, patience=None, every=None):
        """Make the steps that are left; yield after each. Save after `every` steps, or by default when some seconds have passed.

        Stop early if the test loss has not fallen for `patience` epochs.
        """
        task = self.task
        if self.ended(patience):
            return
        loop = partial(train_together, self.group) if self.group else train
        for loss in loop(task.model, task.loss_of, task.loader, task.optimiser, task.schedule, task.settings.epochs):
            self.history.losses.append(loss)
            at_the_end = task.loader.position == len(task.loader)
            if at_the_end:
                self.finish_epoch()
            stop = self.stopping or (at_the_end and self.ended(patience))
            if stop or self.save_is_due(every):
                self.save()
            yield loss
            if stop:
                return

    def ended(self, patience):
        """Return whether the last epoch is done, or the patience is at its end."""
        done = len(self.history.test_losses)
        return done >= self.task.settings.epochs or (patience is not None and self.history.epochs_without_progress() >= patience)

    def save_is_due(self, every):
        if every:
            return len(self.history.losses) % every == 0
        return monotonic() - self._saved > SECONDS_BETWEEN_SAVES

    def finish_epoch(self):
        """Note the results on the test data, and the gradients of the last step."""
        found = results_on(self.task.model, self.task.test_set, self.group)
        rows = report_of_step(self.task.model, self.task.optimiser).rows
        self.history.add_epoch(found["loss"], found.get("accuracy"), rows)


def report_of_step(model, optimiser):
    """Return the gradient report of the last step: make it once more, then put everything back."""
    weights, state = model.state_dict(), optimiser.state_dict()
    try:
        with GradientReport(model) as report:
            optimiser.step()
    finally:
        model.load_state_dict(weights)
        optimiser.load_state_dict(state)
    return report


def settings_of(path):
    """Return the settings of the run that a checkpoint file has. Raises ValueError or OSError if the file cannot be read."""
    states = read_states(path)
    try:
        return Settings(**states["settings"])
    except (KeyError, TypeError):
        raise ValueError(f"{path} is not the checkpoint file of a training run") from None


def sample_loss(task):
    """Return the loss of two samples as a graph that can be drawn, after its backward pass. The model is in evaluation mode."""
    inputs, targets = task.train_set.batch([0, 1])
    task.optimiser.zero_grad()
    task.model.eval()
    loss = task.loss_of(task.model(inputs), targets)
    task.model.train()
    loss.backward(retain_graph=True)
    return loss


def generated(task, length, temperature):
    """Return what a network of texts writes after a line break."""
    import numpy as np

    start = np.array([task.characters.encode("\n")])
    with no_grad(), suppress(KeyboardInterrupt):
        found = task.model.generate(start, length, temperature, generator=np.random.default_rng(0))
    return task.characters.decode(found[0, 1:])


class History:
    """What a run has seen so far. It is a part of the checkpoint file, so a resumed run has the whole history."""

    def __init__(self):
        self.losses = []  # before each step
        self.test_losses, self.accuracies = [], []  # after each epoch; a text has no accuracy
        self.gradients = []  # after each epoch: the rows of the gradient report

    def add_epoch(self, test_loss, accuracy, rows):
        """Note the results after an epoch."""
        self.test_losses.append(test_loss)
        self.accuracies.append(accuracy)
        self.gradients.append([list(row) for row in rows])

    def epochs_without_progress(self):
        """Return how many epochs ago the test loss was lowest."""
        return len(self.test_losses) - 1 - int(np.argmin(self.test_losses)) if self.test_losses else 0

    def mean_loss(self, steps):
        return float(np.mean(self.losses[-steps:]))

    def state_dict(self):
        """Return the history as a checkpoint file has it."""
        return {name: list(x) for name, x in vars(self).items()} | {"losses": np.array(self.losses, float)}

    def load_state_dict(self, state):
        """Continue a history."""
        self.__dict__.update(state, losses=state["losses"].tolist())


ENDINGS = ".png", ".svg", ".pdf"
BLUE, VERMILLION = "#0072B2", "#D55E00"


def draw_curves(history, title, path):
    """Write the picture: the loss of each step, the test loss after each epoch, and the accuracy. Raises ImportError without matplotlib."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.2, 4.2), dpi=150, layout="constrained")
    left = figure.subplots()
    steps = len(history.losses) / max(1, len(history.test_losses))
    ends = [steps * (i + 1) for i in range(len(history.test_losses))]
    left.plot(range(1, len(history.losses) + 1), history.losses, color=BLUE, linewidth=0.8, alpha=0.5, label="loss of each step")
    left.plot(ends, history.test_losses, color=BLUE, marker="o", markersize=3, label="test loss")
    left.set(title=title, xlabel="step", ylabel="loss", yscale="log")
    if history.accuracies and history.accuracies[0] is not None:
        right = left.twinx()
        right.plot(ends, [100 * a for a in history.accuracies], color=VERMILLION, marker="^", markersize=3, label="test accuracy")
        right.set(ylabel="accuracy, %")
    figure.legend(loc="outside lower center", ncols=3, frameon=False)
    picture = io.BytesIO()
    figure.savefig(picture, format=path.suffix[1:].lower())
    write_file(path, picture.getvalue())

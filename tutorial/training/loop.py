"""The training loops. `python -m tutorial train` calls one of these very functions; copy it for a network of your own."""

import numpy as np

from scalargrad import no_grad
from tensorgrad.data import accuracy

TOGETHER = 2048  # samples that a group measures at a time


def train(model, loss_of, loader, optimiser, schedule, epochs):
    """Make the steps of the epochs that are left, and yield the loss before each of them."""
    while loader.epoch < epochs:
        for inputs, targets in loader:
            optimiser.zero_grad()
            loss = loss_of(model(inputs), targets)
            loss.backward()
            optimiser.step()
            schedule.step()
            yield loss.item()


def train_together(group, model, loss_of, loader, optimiser, schedule, epochs):
    """Make the same steps on all processes of a group, which share the work on each batch."""
    while loader.epoch < epochs:
        for inputs, targets in loader:
            optimiser.zero_grad()
            loss = group.backward(model, lambda x, y: loss_of(model(x), y), inputs, targets)
            optimiser.step()
            schedule.step()
            yield loss


def outputs_of(model, dataset, batch_size=256):
    """Return the outputs and the targets for all samples, as arrays. The model is in evaluation mode meanwhile; nothing is recorded."""
    outputs, targets = [], []
    model.eval()
    try:
        with no_grad():
            for start in range(0, len(dataset), batch_size):
                x, y = dataset.batch(np.arange(start, min(start + batch_size, len(dataset))))
                outputs.append(model(x).data)
                targets.append(y)
    finally:
        model.train()
    return np.concatenate(outputs), np.concatenate(targets)


def results_on(model, dataset, group=None):
    """Return {"loss": mean, "accuracy": share} on a data set; a text has no accuracy. The processes of a group share the work."""
    if group is None:
        return results_of(*outputs_of(model, dataset))
    totals: dict = {}
    model.eval()
    for numbers in np.array_split(np.arange(len(dataset)), -(-len(dataset) // TOGETHER)):
        means = group.mean(lambda x, y: results_of(model(x).data, y), *dataset.batch(numbers))
        totals = {name: totals.get(name, 0.0) + mean * len(numbers) / len(dataset) for name, mean in means.items()}
    model.train()
    return totals


def results_of(outputs, targets):
    """Return {"loss": mean, "accuracy": share} of outputs; those of a text have no accuracy."""
    found = {"loss": float(losses_of(outputs, targets).mean())}
    return found | {"accuracy": accuracy(outputs, targets)} if outputs.ndim == 2 else found


def losses_of(outputs, targets):
    """Return the cross entropy of each sample, or of each place of a text: log Σ exp(scores) - the score of the target."""
    scores = outputs - outputs.max(axis=-1, keepdims=True)
    right = np.take_along_axis(scores, np.asarray(targets)[..., None], axis=-1)[..., 0]
    return np.log(np.exp(scores).sum(axis=-1)) - right

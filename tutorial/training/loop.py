"""The training loop. `python -m tutorial train` calls this very function; copy it for a network of your own."""

import numpy as np

from scalargrad import no_grad


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


def losses_of(outputs, targets):
    """Return the cross entropy of each sample, or of each place of a text: log Σ exp(scores) - the score of the target."""
    scores = outputs - outputs.max(axis=-1, keepdims=True)
    right = np.take_along_axis(scores, np.asarray(targets)[..., None], axis=-1)[..., 0]
    return np.log(np.exp(scores).sum(axis=-1)) - right

"""The history of a run: the loss of each step, and for each epoch the results on the test data and the gradients of each layer."""

import numpy as np


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
        """Return the mean loss of the last steps."""
        return float(np.mean(self.losses[-steps:]))

    def state_dict(self):
        """Return the history as a checkpoint file has it."""
        return {name: list(x) for name, x in vars(self).items()} | {"losses": np.array(self.losses, float)}

    def load_state_dict(self, state):
        """Continue a history."""
        self.__dict__.update(state, losses=state["losses"].tolist())

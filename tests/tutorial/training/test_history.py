"""The history of a run: what patience counts, the mean loss of an epoch, and a state of its own."""

import pytest

from tests.each import each
from tutorial.training.run import History


def history_of(test_losses=(), losses=()):
    history = History()
    history.test_losses, history.losses = list(test_losses), list(losses)
    return history


@each(
    "test_losses, epochs",
    [([], 0), ([3.0], 0), ([3.0, 2.0, 1.0], 0), ([3.0, 1.0, 2.0], 1), ([1.0, 2.0, 3.0], 2), ([1.0, 3.0, 3.0, 2.0], 3), ([1.0, 1.0], 1)],
)
def test_patience_counts_the_epochs_since_the_test_loss_was_lowest(test_losses, epochs):
    assert history_of(test_losses).epochs_without_progress() == epochs


def test_the_mean_loss_is_that_of_the_last_steps():
    assert history_of(losses=[9.0, 9.0, 1.0, 3.0]).mean_loss(2) == 2.0


def test_a_state_is_not_changed_by_later_steps():
    history = history_of([1.0], [4.0, 2.0])
    history.add_epoch(0.5, None, [("layer1", 3)])
    state = history.state_dict()
    history.losses.append(1.0)
    history.add_epoch(0.25, None, [])
    again = History()
    again.load_state_dict(state)
    assert (again.losses, again.test_losses, again.accuracies) == ([4.0, 2.0], [1.0, 0.5], [None])
    assert again.gradients == [[["layer1", 3]]] and again.mean_loss(2) == pytest.approx(3.0)

"""Progress in a pipe: an epoch is one line with its loss and its accuracy in percent; of many epochs about fifteen lines are shown."""

import io
from types import SimpleNamespace

import pytest
from rich.console import Console

from tests.each import each
from tutorial.training.run import History
from tutorial.training.terminal_progress import LINES, epoch_line, follow


def run_of(epochs, accuracy=0.5, batches=2):
    """Return a run of so many epochs, and its steps."""
    task = SimpleNamespace(loader=range(batches), settings=SimpleNamespace(epochs=epochs))
    run = SimpleNamespace(task=task, history=History())

    def steps():
        for epoch in range(epochs):
            for batch in range(batches):
                run.history.losses.append(float(2 * epoch + batch))
                if batch == batches - 1:
                    run.history.add_epoch(1 / 8, accuracy, [])
                yield

    return run, steps()


def lines_of(epochs):
    run, steps = run_of(epochs)
    console = Console(file=io.StringIO(), highlight=False)
    follow(run, steps, console)
    return console.file.getvalue().splitlines()


@each("accuracy, said", [(0.98765, "test accuracy 98.77 %"), (1.0, "test accuracy 100.00 %"), (None, "test loss 0.1250")])
def test_a_line_has_the_mean_loss_of_its_epoch_and_what_the_test_gave(accuracy, said):
    run, steps = run_of(12, accuracy)
    for _ in steps:
        pass
    assert epoch_line(run) == f"epoch 12/12  loss 22.5000  {said}"


@pytest.mark.parametrize("epochs", [1, 2, LINES, LINES + 1, 2 * LINES, 40, 100])
def test_of_many_epochs_some_are_shown_and_the_last_one_always(epochs):
    lines, every = lines_of(epochs), -(-epochs // LINES)
    shown = [int(line.split()[1].partition("/")[0]) for line in lines]
    assert shown == sorted({*range(every, epochs + 1, every), epochs}) and len(shown) <= LINES + 1

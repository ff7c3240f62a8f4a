"""Progress of a run, in a terminal: a bar and the curve of the loss; in a pipe lines of epochs and of steps; and of downloads."""

from contextlib import contextmanager
from time import monotonic

import numpy as np
from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, DownloadColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.text import Text

BARS = "▁▂▃▄▅▆▇█"
WIDEST = 72  # characters of the curve
LINES = 15  # of epochs, in a terminal of 24 lines
QUIET = 20  # seconds without a line, after which a pipe gets one of the step


def curve(values, width):
    """Return a line of bars for the values, each bar the mean of its part; the highest bar is the largest mean.

    >>> curve([4, 3, 2, 1, 0, 0], 3)
    '█▄▁'
    """
    if not len(values):
        return ""
    parts = np.array_split(np.asarray(values, dtype=float), min(width, len(values)))
    means = np.nan_to_num([part.mean() for part in parts])
    high, low = means.max(), means.min()
    steps = np.zeros(len(means)) if high == low else (means - low) / (high - low) * (len(BARS) - 1)
    return "".join(BARS[int(step)] for step in np.floor(steps + 0.5))


def results(run):
    """Return the results after the last epoch, in words."""
    history = run.history
    accuracy = history.accuracies[-1]
    test = f"test accuracy {100 * accuracy:.2f} %" if accuracy is not None else f"test loss {history.test_losses[-1]:.4f}"
    return f"loss {history.mean_loss(len(run.task.loader)):.4f}  {test}"


def epochs(count):
    """Return a number of epochs in words."""
    return f"{count} epoch{'s' * (count != 1)}"


def epoch_line(run):
    epochs = run.task.settings.epochs
    return f"epoch {len(run.history.test_losses):{len(str(epochs))}}/{epochs}  {results(run)}"


def step_line(run, steps):
    """Return the line of the last step, with the mean loss of that many steps."""
    done, total = len(run.history.losses), len(run.task.loader) * run.task.settings.epochs
    return f"step {done:{len(str(total))}}/{total}  loss {run.history.mean_loss(steps):.4f}"


def follow(run, steps, console=None, moves=True, clock=monotonic):
    """Make all steps and show the progress. An epoch is one line that stays; of many epochs about LINES are shown.

    Without `moves` nothing moves, in a terminal too; nor if the terminal cannot show the bars. Then a step is a line, too, if there was
    none for QUIET seconds of the clock.
    """
    console = console or Console(highlight=False)
    moves = moves and console.is_terminal and can_show(BARS, console.encoding)
    done, told, last = len(run.history.test_losses), len(run.history.losses), clock()
    with moving(run, console) if moves else standing() as update:
        for _ in steps:
            update()
            if len(run.history.test_losses) > done:
                done, epochs = len(run.history.test_losses), run.task.settings.epochs
                if done % -(-epochs // LINES) and done < epochs:
                    continue
                console.print(epoch_line(run), soft_wrap=True)
            elif moves or clock() - last < QUIET:
                continue
            else:
                console.print(step_line(run, len(run.history.losses) - told), soft_wrap=True)
            told, last = len(run.history.losses), clock()


def can_show(text, encoding):
    """Return whether an encoding has these characters; that of an old terminal may be ASCII or Latin-1."""
    try:
        text.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True


@contextmanager
def standing():
    """Show nothing that moves."""
    yield lambda: None


@contextmanager
def moving(run, console):
    """Show a bar and the curve of the loss below the lines of the epochs."""
    columns = TextColumn("step"), MofNCompleteColumn(), BarColumn(None), TimeRemainingColumn(), TextColumn("left")
    progress = Progress(*columns, console=console)
    task = progress.add_task("", total=len(run.task.loader) * run.task.settings.epochs, completed=len(run.history.losses))
    with Live(console=console, refresh_per_second=4, transient=True) as live:

        def update():
            losses = run.history.losses
            progress.update(task, completed=len(losses))
            width = min(WIDEST, console.width - 1)
            line = f"loss of each step, from {losses[0]:.3f} to {losses[-1]:.3f}"
            live.update(Group(progress, Text(line), Text(curve(losses, width))))

        yield update


@contextmanager
def downloading(console=None):
    """Give a function (name, bytes so far, all bytes) that shows how far a download is. Nothing appears before its first call."""
    console = console or Console(highlight=False)
    progress = Progress(TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn(), console=console)
    files = {}

    def show(name, done, size):
        if name not in files:
            files[name] = progress.add_task(name, total=size)
            if console.is_terminal:
                progress.start()
            else:
                console.print(f"Downloading {name}: {size / 1e6:.1f} MB")
        progress.update(files[name], completed=done)

    try:
        yield show
    finally:
        if progress.live.is_started:
            progress.stop()

"""Progress in a pipe: the first line at once, and lines of steps in a long epoch."""

import contextlib
import io
import itertools

from rich.console import Console

from tutorial.cli.main import main
from tutorial.training.run import Run
from tutorial.training.settings import settings_for
from tutorial.training.tasks import task_for
from tutorial.training.terminal_progress import follow


def test_in_a_pipe_a_long_epoch_has_lines_of_its_steps(tmp_path):
    """The clock goes on by 7 seconds a step, so a line is due after 3 steps."""
    run, screen = Run(task_for(settings_for("moons", epochs=1, batch=100)), tmp_path), io.StringIO()
    follow(run, run.steps(), Console(file=screen, width=80, highlight=False), clock=map(lambda n: 7.0 * n, itertools.count()).__next__)
    losses, lines = run.history.losses, screen.getvalue().splitlines()
    assert len(losses) == 10 and lines[-1].startswith("epoch 1/1  loss ")
    assert lines[:-1] == [f"step {n:2}/10  loss {sum(losses[m:n]) / (n - m):.4f}" for m, n in ((0, 3), (3, 6), (6, 9))]


def test_the_first_line_is_there_before_the_first_step(tmp_path, monkeypatch):
    """Also in a pipe, where Python keeps lines until many are there."""
    with open(tmp_path / "pipe", "w", encoding="utf-8", buffering=2**16) as pipe:
        seen = []

        def unseen(run, steps, **options):
            seen.append((tmp_path / "pipe").read_text())
            list(steps)

        monkeypatch.setattr("tutorial.training.terminal_progress.follow", unseen)
        with contextlib.redirect_stdout(pipe):
            main(["train", "moons", "--epochs", "1", "--out", str(tmp_path / "run")])
    assert seen == ["moons: mlp with 1,218 parameters, 1,000 samples, 1 epoch.\n"]

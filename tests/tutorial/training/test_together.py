"""Several processes train together: the same checkpoint file, to the byte, as one process, and only the first prints and writes."""

import os
import re
import signal
import subprocess
import sys
from types import SimpleNamespace

import pytest

from tensorgrad import parallel
from tensorgrad.parallel.mpi import told
from tests.tensorgrad.data import made_files
from tests.tensorgrad.parallel import launcher
from tests.tensorgrad.parallel.launch import mpirun, needs_mpi
from tests.test_readme import PAGES, TASKS
from tutorial.cli.commands.train import EPILOG, SHARDS, ending_all
from tutorial.cli.main import main
from tutorial.training.page import run_page
from tutorial.training.run import CHECKPOINT, Run
from tutorial.training.settings import settings_for
from tutorial.training.tasks import task_for


def run_of(folder, group, **settings):
    return Run(task_for(settings_for("moons", shards=4, **settings)), folder, group)


def test_processes_have_the_losses_and_results_of_one(tmp_path):
    def program(group):
        run = run_of(tmp_path / f"{group.size}-{group.rank}", group, epochs=1)
        losses = list(run.steps(every=7))
        return losses, run.history.test_losses, run.history.accuracies, str(run.history.gradients), run.path.exists()

    ((*alone, saved),) = parallel.simulate(program, 1, shards=4)
    first, second = parallel.simulate(program, 2, shards=4)
    assert first == (*alone, True) and second == (*alone, False) and saved and len(alone[0]) == 20


def test_the_book_says_how_one_process_gets_the_bits_of_several():
    """Without --shards a process takes whole batches, and its last bits differ."""
    (row,) = [line for line in PAGES[TASKS].splitlines() if "mpirun -n 4" in line]
    assert "any number of them with the same bits" in row and f"on one process `python -m tutorial train digits --shards {SHARDS}`" in row
    assert f"--shards {SHARDS}\n      one process, with the same numbers as the four" in EPILOG


def test_shards_are_a_setting_of_the_run(tmp_path, capsys):
    assert main(["train", "moons", "--epochs", "1", "--shards", "4", "--out", str(tmp_path)]) == 0
    assert main(["train", "moons", "--resume", "--out", str(tmp_path)]) == 0
    assert main(["train", "moons", "--resume", "--shards", "2", "--out", str(tmp_path)]) == 2
    assert "has shards 4, not 2; leave the option out" in capsys.readouterr().err
    assert "group.backward(model, " in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_the_page_of_a_run_in_one_process_shows_its_own_loop(tmp_path):
    run = Run(task_for(settings_for("moons", epochs=1)), tmp_path)
    list(run.steps())
    assert "loss.backward()" in run_page(run) and "group.backward" not in run_page(run)


def test_processes_do_not_resume_a_run_of_whole_batches(tmp_path, monkeypatch, capsys):
    Run(task_for(settings_for("moons", epochs=1)), tmp_path).save()
    monkeypatch.setenv("OMPI_COMM_WORLD_RANK", "0")
    monkeypatch.setenv("OMPI_COMM_WORLD_SIZE", "2")
    assert main(["train", "moons", "--resume", "--out", str(tmp_path)]) == 2
    assert "resume it without mpirun, or begin a run with --shards" in capsys.readouterr().err


# With mpirun


def train(processes, folder, *options):
    done = mpirun(processes, "-m", "tutorial", "train", "moons", "--epochs", "3", "--shards", "8", "--out", folder, *options)
    assert done.returncode == 0, done.stderr
    return re.sub(r"Page: .*", "", done.stdout)


@needs_mpi
@pytest.mark.slow
def test_1_2_and_4_processes_print_and_write_the_same(tmp_path):
    printed = [train(n, tmp_path / str(n)) for n in (1, 2, 4)]
    assert printed[0] == printed[1] == printed[2] and printed[0].count("epoch ") == 3
    for name in (CHECKPOINT, "report.html"):
        assert len({(tmp_path / str(n) / name).read_bytes() for n in (1, 2, 4)}) == 1


@needs_mpi
@pytest.mark.slow
def test_a_run_of_two_processes_that_is_killed_resumes_to_the_same_file(tmp_path):
    train(2, tmp_path / "whole")
    words = ["-m", "tutorial", "train", "moons", "--epochs", "3", "--shards", "8", "--save-every", "7", "--out", tmp_path / "killed"]
    command = [launcher.mpirun(), "-n", "2", sys.executable, *words]
    child = subprocess.Popen(command, env=os.environ | launcher.ANYWHERE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert any("epoch 1/3" in line for line in child.stdout)
    victim = next(pid for pid in descendants(child.pid) if rank_of(pid) == "1")
    os.kill(victim, signal.SIGKILL)
    _, said = child.communicate(timeout=60)  # raises TimeoutExpired if the other process waits for ever
    assert child.returncode != 0
    assert f"rank 1 with PID {victim}" in said and "signal 9 (Killed)" in said
    train(2, tmp_path / "killed", "--resume")
    assert (tmp_path / "killed" / CHECKPOINT).read_bytes() == (tmp_path / "whole" / CHECKPOINT).read_bytes()


@needs_mpi
@pytest.mark.slow
def test_a_file_that_cannot_be_read_ends_all_processes_with_one_line(tmp_path):
    made_files.mnist_files(tmp_path)
    done = mpirun(2, "-m", "tutorial", "train", "mnist", "--data", tmp_path, "--out", tmp_path / "run")
    assert done.returncode != 0 and "Traceback" not in done.stderr
    assert "the published file has" in done.stderr and "; this ends all processes\n" in done.stderr


def test_a_mistake_ends_several_processes_without_a_traceback():
    with pytest.raises(SystemExit) as left, ending_all(SimpleNamespace(size=2)):
        raise FileNotFoundError("mnist: no file; give download=True")
    assert told(left.value) == "mnist: no file; give --download; this ends all processes"
    with pytest.raises(FileNotFoundError), ending_all(SimpleNamespace(size=1)):
        raise FileNotFoundError("a")
    assert told(ValueError("a")).endswith("\nValueError: a")


def descendants(pid):
    """Return the processes that a process has started, and those that these have started."""
    found = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True).stdout.split()
    return [int(child) for child in found] + [far for child in found for far in descendants(child)]


def rank_of(pid):
    """Return the rank that mpirun has given to a process, as text."""
    try:
        with open(f"/proc/{pid}/environ", encoding="utf-8") as file:
            return dict(line.partition("=")[::2] for line in file.read().split("\0")).get("OMPI_COMM_WORLD_RANK")
    except OSError:
        return None

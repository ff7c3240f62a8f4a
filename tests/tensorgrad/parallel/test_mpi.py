"""Real processes, started by mpirun: the same bits as in one process, and the end of all when one dies."""

import shutil
import subprocess
import sys

import pytest

from tensorgrad import parallel
from tests.tensorgrad.parallel.launch import ROOT, mpirun, needs_mpi
from tests.tensorgrad.parallel.networks import run

pytestmark = [needs_mpi, pytest.mark.processes]

HEAD = """
import os, signal, sys
import numpy as np
from tensorgrad import Tensor, parallel
from tests.tensorgrad.parallel.networks import run
"""
PROGRAMS = {
    "prints": """
with parallel.open() as group:
    found = run(group), run(group, large=20_000)
    one = group.mean(lambda x: x.mean(), np.ones(1))  # only rank 0 has a shard
    lines = "".join(f"{loss!r} {bits}\\n" for steps in found for loss, bits in steps)
    sys.stdout.write(lines)  # at once, so that the processes do not mix their lines
""",
    "dies": """
with parallel.open(timeout=100) as group:
    for step in range(3):
        if group.rank == group.size - 1 and step == 1:
            {}
        group.mean(lambda x: x.mean(), np.ones(4))
        if group.rank == 0:
            print("step", step, flush=True)
""",
}


def write(folder, name, *parts):
    path = folder / "program.py"
    path.write_text(HEAD + PROGRAMS[name].format(*parts) if parts else HEAD + PROGRAMS[name], encoding="utf-8")
    return path


def expected():
    with parallel.open() as group:
        return [f"{loss!r} {bits}" for steps in (run(group), run(group, large=20_000)) for loss, bits in steps]


def same_on(processes, folder):
    done = mpirun(processes, write(folder, "prints"))
    assert done.returncode == 0, done.stderr
    assert sorted(done.stdout.splitlines()) == sorted(expected() * processes)


def test_two_processes_give_the_bits_of_one(tmp_path):
    same_on(2, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("processes", [3, 4])
def test_more_processes_give_the_bits_of_one(processes, tmp_path):
    same_on(processes, tmp_path)


DEATHS = {
    "raise ValueError('no such file')": r"rank 1 of 2 (process ",
    "os.kill(os.getpid(), signal.SIGKILL)": "rank 1 with PID",
    "sys.exit('no data')": "SystemExit: no data",
    "raise MemoryError": "MemoryError",
    "os._exit(7)": "Exit code:    7",
    "sys.exit()": "rank 1 has closed the group before step 2, rank 0 is at step 2",
}


def dies(death, folder):
    done = mpirun(2, write(folder, "dies", death), timeout=200)
    assert done.returncode != 0 and "step 0" in done.stdout and "step 1" not in done.stdout
    assert DEATHS[death] in done.stderr, done.stderr
    return done.stderr


def test_an_exception_in_one_process_ends_all_and_names_the_rank(tmp_path):
    said = dies("raise ValueError('no such file')", tmp_path)
    assert "ValueError: no such file; this ends all processes; a saved run resumes from its checkpoint file" in said
    assert "Traceback" in said


def test_a_killed_process_ends_all_and_is_named(tmp_path):
    assert "signal 9 (Killed)" in dies("os.kill(os.getpid(), signal.SIGKILL)", tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("death", [*DEATHS][2:])
def test_a_process_that_ends_in_another_way_ends_all(death, tmp_path):
    dies(death, tmp_path)


@pytest.mark.slow
def test_a_process_that_is_stuck_ends_all_after_the_timeout(tmp_path):
    path = write(tmp_path, "dies", "import time; time.sleep(150)")
    path.write_text(path.read_text(encoding="utf-8").replace("timeout=100", "timeout=2"), encoding="utf-8")
    done = mpirun(2, path, timeout=200)
    assert done.returncode != 0 and "has waited 2 s for rank 1" in done.stderr


def test_processes_without_mpi4py_are_told_what_to_install(tmp_path):
    (tmp_path / "mpi4py.py").write_text("raise ImportError('not here')", encoding="utf-8")
    program = "from tensorgrad import parallel\nparallel.open()"
    environment = {"OMPI_COMM_WORLD_RANK": "0", "OMPI_COMM_WORLD_SIZE": "2", "PYTHONPATH": f"{tmp_path}:{':'.join(sys.path)}"}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment)
    assert "ImportError: 2 processes need mpi4py (not here); pip install 'gradsteps[distributed]'" in done.stderr


@pytest.mark.slow
def test_a_killed_run_resumes_to_the_same_losses_digit_by_digit_on_another_number_of_processes(tmp_path):
    program = ROOT / "tests" / "tensorgrad" / "parallel" / "resumes.py"
    whole = mpirun(2, program, tmp_path / "whole.safetensors", 3).stdout
    assert len(whole.splitlines()) == 9
    killed = mpirun(2, program, tmp_path / "killed.safetensors", 3, 6)
    assert "signal 9 (Killed)" in killed.stderr and whole.startswith(killed.stdout) and len(killed.stdout.splitlines()) == 5
    for processes in 1, 2:
        file = shutil.copy(tmp_path / "killed.safetensors", tmp_path / f"{processes}.safetensors")
        resumed = mpirun(processes, program, file, 3)
        assert resumed.stdout.splitlines() == whole.splitlines()[4:], resumed.stderr  # the file was written after step 4

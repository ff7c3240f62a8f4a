"""Several processes grade a class: the results are those of one process, and none is lost if a process is killed, or all of them are."""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from tutorial.classroom.grading.classes import jobs
from tutorial.classroom.grading.classes.batch import Run, students_in
from tutorial.classroom.grading.classes.example_class import write_class
from tutorial.classroom.grading.results.results import UNGRADED, lines_of

RUN = Run("practice" if os.name != "posix" else "process", b"a secret of 16 bytes", exercises=("00", "02", "08"))
pytestmark = [pytest.mark.processes, pytest.mark.skipif(os.name != "posix", reason="a process is killed here")]


@pytest.fixture(scope="module")
def students(tmp_path_factory):
    return students_in(write_class(tmp_path_factory.mktemp("class"), 8))


@pytest.fixture(scope="module")
def whole(students):
    return lines_of(jobs.results(RUN, students, lambda student: []))


def test_no_result_is_lost_if_processes_are_killed(students, whole, monkeypatch):
    started: list = []
    killed: list = []
    start = jobs.Job.start
    monkeypatch.setattr(jobs.Job, "start", lambda job: (start(job), started.append(job.process.pid)))
    found = []
    for result in jobs.results(RUN, students, lambda student: [], 2):
        found.append(result)
        if len(found) in (1, 9):
            killed.append(started[len(killed)])
            os.kill(killed[-1], signal.SIGKILL)
    assert lines_of(found) == whole
    assert len(started) == 4


def test_a_student_who_ends_the_process_twice_is_ungraded(students):
    with jobs.Job(RUN, students[0], lambda student: []) as job:
        found = []
        for _ in range(2):
            os.kill(job.process.pid, signal.SIGKILL)
            while job.process.is_alive():
                time.sleep(0.01)
            found += job.received()
        assert job.student is None and [(r["exercise"], r["state"]) for r in found] == [(n, UNGRADED) for n in RUN.exercises]
        job.give(students[1])
        while job.student:
            found += job.received()
        assert len(found) == 6 and not [r for r in found[3:] if r["state"] == UNGRADED]


def grade(folder, output, *words, **options):
    command = [sys.executable, "-m", "tutorial", "teach", "grade", "class", "--tier", RUN.tier, "--allow-weak", "--only", "A", "-o", output]
    return subprocess.Popen([*command, *words], cwd=folder, stdout=subprocess.PIPE, text=True, **options)


def ends(pid):
    """Wait until a process has ended."""
    for _ in range(3000):
        with suppress(ProcessLookupError):
            os.kill(pid, 0)
            time.sleep(0.02)
            continue
        return True
    return False


def below(pid):
    """The processes that a process has started, and those that they have."""
    with suppress(OSError):
        children = [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
        return [*children, *(found for child in children for found in below(child))]
    return []


@pytest.mark.skipif(sys.platform != "linux", reason="the processes are found in /proc")
def test_a_run_that_was_killed_goes_on_and_gives_the_same_bytes(tmp_path):
    write_class(tmp_path / "class", 8)
    first = grade(tmp_path, "first.jsonl", "--jobs", "1")
    assert "8 students" in first.communicate()[0] and first.returncode == 0
    for number in (signal.SIGKILL, signal.SIGINT):
        second = grade(tmp_path, "second.jsonl", "--jobs", "2", stderr=subprocess.DEVNULL)
        part, seen = tmp_path / "second.jsonl.part", part_size(tmp_path)
        while part_size(tmp_path) <= seen and second.poll() is None:
            time.sleep(0.02)
        started = below(second.pid)
        os.kill(second.pid, number)
        second.communicate()
        assert second.returncode != 0 and part.exists() and started and all(map(ends, started))
    third = grade(tmp_path, "second.jsonl", "--jobs", "3")
    third.communicate()
    assert third.returncode == 0 and not part.exists()
    assert (tmp_path / "second.jsonl").read_bytes() == (tmp_path / "first.jsonl").read_bytes()


def part_size(folder):
    """How many bytes of results are in the part that a run has written."""
    part = folder / "second.jsonl.part"
    return part.stat().st_size if part.exists() else 0

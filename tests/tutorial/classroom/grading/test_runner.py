"""A program in a process of its own gets the same verdict as in this process, and what it does to its process is one line."""

import os
import socket
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from tests.each import each
from tutorial.classroom.grading import runner
from tutorial.classroom.grading.fork_client import Server
from tutorial.classroom.grading.isolation.landlock import abi, refused_in_words
from tutorial.classroom.grading.isolation.tiers import CONFINED, tier, tier_for_students
from tutorial.classroom.grading.isolation.visible import visible
from tutorial.classroom.grading.processes import Bounds, CheckerFailed
from tutorial.classroom.grading.runner import Runner
from tutorial.classroom.grading.working_tiers import why_not, works
from tutorial.exercises.answers import answers
from tutorial.exercises.authored import exercises
from tutorial.exercises.checking.check import check
from tutorial.exercises.values import difference

EXERCISES = exercises()


def verdict_of(exercise, program, ask=answers):
    """The texts of a verdict."""
    return check(exercise, program, ask=ask)._replace(probe=None, answer=None, right=None, difference=None)


@pytest.fixture(scope="module")
def server():
    made = Server(tier_for_students(), Bounds())
    yield made if Server.works_here() else None
    made.close()


@pytest.mark.processes
@each("exercise", EXERCISES, ids=lambda exercise: exercise.number)
def test_the_verdict_is_that_of_this_process(exercise, server):
    first = next(iter(exercise.wrong.values()))
    for program in (exercise.solution, first.program):
        with Runner(server=server) as ask:
            assert verdict_of(exercise, program, ask) == verdict_of(exercise, program)


@pytest.mark.slow
@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda exercise: exercise.number)
def test_the_verdict_on_every_wrong_answer_is_that_of_this_process(exercise):
    for wrong in exercise.wrong.values():
        with Runner() as ask:
            assert verdict_of(exercise, wrong.program, ask) == verdict_of(exercise, wrong.program)


VALUES = [3, Fraction(1, 3), float("inf"), "x", None, True, [1, (2,)], {"a": {1, 2}}, 2**80, np.arange(6.0).reshape(2, 3), np.int8(3)]


def test_values_arrive_as_they_are_and_come_back_as_they_are():
    with Runner() as ask:
        found = ask("import numpy\ndef same(x): return x, type(x).__name__", "same", [(x,) for x in VALUES], [10] * len(VALUES))
    for value, answer in zip(VALUES, found):
        back, kind = answer.value
        assert not answer.error and kind == type(value).__name__ == type(back).__name__
        assert difference(back, value) is None


def test_a_program_has_no_variables_of_the_user_and_a_folder_of_its_own(monkeypatch):
    monkeypatch.setenv("SECRET", "42")
    program = "import os\ndef seen(): return dict(os.environ), os.getcwd()"
    with Runner() as ask:
        (answer,) = ask(program, "seen", [()], [100])
        environment, folder = answer.value
        assert "SECRET" not in environment and not {name for name in environment if name.startswith("PYTHON")}
        assert os.path.isdir(folder) and folder == environment["HOME"]
    assert not os.path.exists(folder)


@pytest.mark.processes
def test_the_limit_of_calls_and_that_of_time_are_the_same_finding():
    with Runner(bounds=Bounds(seconds=1, wait=120)) as ask:
        (deep,) = ask("def f(x):\n    f(x)", "f", [(1,)], [10])
        assert deep.error == "TooLong: more than 10 calls"
        first, second = ask("def f(x):\n    while x: pass", "f", [(1,), (0,)], [10, 10])
        assert first.error == second.error == "TooLong: more than 1 seconds"
        if sys.platform == "linux":
            assert ask("def f(x): return sum(range(x))", "f", [(10**15,)], [10])[0].error == first.error  # a loop that no signal interrupts
        (after,) = ask("def f(x): return x", "f", [(1,)], [10])
        assert after.value == 1


def test_a_process_that_cannot_start_is_a_failure_of_the_checker():
    with pytest.raises(CheckerFailed, match="tier process did not start|cannot be started"):
        Runner(tier("process")._replace(wrapped=("false",)))("", "f", [()], [1])
    with pytest.raises(CheckerFailed, match="cannot be started"):
        Runner(tier("process")._replace(wrapped=("/nowhere/wrapper",)))("", "f", [()], [1])


def test_a_tier_that_this_kernel_has_works():
    assert works("practice") and (os.name != "posix" or works("process"))
    assert works("landlock") or not abi(), why_not("landlock")


NETWORK = """
import socket
def reached(port):
    with socket.create_connection(("127.0.0.1", port), timeout=20):
        return True
"""


@pytest.mark.processes
@pytest.mark.parametrize("name", CONFINED)
def test_a_confined_program_reaches_no_server(name):
    if not works(name):
        pytest.skip(f"tier {name} does not work here")
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        with Runner() as ask:
            assert ask(NETWORK, "reached", [(port,)], [10_000])[0].value is True
        with Runner(tier(name)) as ask:
            assert ask(NETWORK, "reached", [(port,)], [10_000])[0].error.startswith(("PermissionError", "ConnectionRefusedError"))


def test_a_tier_claims_only_what_the_version_of_landlock_keeps():
    assert ["TCP" in refused_in_words(version) for version in (3, 4, 6)] == [False, True, True]
    assert ["signals" in refused_in_words(version) for version in (3, 4, 6)] == [False, False, True]


def test_python_may_have_been_started_by_a_path_with_two_dots(monkeypatch):
    prefix = Path(sys.prefix)
    monkeypatch.setattr(sys, "prefix", f"{prefix}/../{prefix.name}")
    assert not any(".." in path for paths in visible() for path in paths)


SLEEPS = "import time\ndef f(x):\n    time.sleep(x)\n    return x"
BUSY = "import time\ndef f(x):\n    while time.process_time() < x: pass\n    return x"


@pytest.mark.processes
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells how long a process sleeps")
@pytest.mark.parametrize("name", ["process", "bwrap"])
def test_a_program_that_sleeps_is_stopped_soon_and_one_that_is_busy_is_not(name, monkeypatch):
    if not works(name):
        pytest.skip(f"tier {name} does not work here")
    monkeypatch.setattr(runner, "LOOK", 0.1)
    at, bounds = tier(name), Bounds(seconds=60, asleep=0.4, wait=600)
    server = Server(at, bounds) if name == "bwrap" else None
    for program, arguments, error in ((SLEEPS, [(0.15,)] * 1000, True), (BUSY, [(1,)], False)):
        with Runner(at, bounds, server) as ask:
            last = ask(program, "f", arguments, [None] * len(arguments))[-1]
        assert (last.error == "TooLong: more than 0.4 seconds, in which it slept") == error, (program, last)
    if server:
        server.close()


@pytest.mark.processes
def test_where_nobody_tells_how_long_a_program_sleeps_it_has_no_more_time_than_it_may_compute_and_sleep(monkeypatch):
    monkeypatch.setattr("tutorial.classroom.grading.processes.used", lambda pid: None)
    with Runner(tier("practice"), Bounds(seconds=0.4, asleep=0.2, wait=600)) as ask:
        (found,) = ask(SLEEPS, "f", [(600,)], [10])
    assert found.error == "TooLong: more than 0.6 seconds"


@pytest.mark.processes
def test_all_answers_together_are_no_longer_than_one_may_be():
    bounds = Bounds(values=Bounds().values._replace(bytes=100_000))
    with Runner(bounds=bounds) as ask:
        found = ask("def f(x): return 'x' * 30_000", "f", [(k,) for k in range(5)], [10] * 5)
    assert [bool(answer.error) for answer in found] == [False, False, False, True, True]
    assert found[-1].error == "Ended: it wrote what is not an answer (more than 100,000 bytes in all)"

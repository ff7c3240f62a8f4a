"""A server forks a process for each program: it answers as one that is started anew, and a lost server costs nobody a point."""

import os
import signal
import sys

import pytest

from tutorial.classroom.grading import runner
from tutorial.classroom.grading.classes import batch
from tutorial.classroom.grading.classes.batch import Grader, Run
from tutorial.classroom.grading.fork_client import Server
from tutorial.classroom.grading.isolation.tiers import Tier, tier
from tutorial.classroom.grading.processes import Bounds
from tutorial.classroom.grading.runner import Runner
from tutorial.exercises.authored import find

pytestmark = [pytest.mark.processes, pytest.mark.skipif(sys.platform != "linux", reason="only Linux has what the server needs")]
TIER = tier("process" if os.name == "posix" else "practice")


@pytest.fixture
def server():
    made = Server(TIER, Bounds(seconds=1, wait=60))
    yield made
    made.close()


def asked(program, server=None):
    with Runner(TIER, server.bounds if server else Bounds(seconds=1, wait=60), server) as ask:
        return ask(program, "f", [(3,)], [10_000])[0]


PROGRAMS = {
    "value": "def f(x): return x / 2",
    "order of a set": "def f(x): return list({'a', 'b', 'c', 'd', 'e', 'f'})",
    "array": "import numpy as np\ndef f(x): return np.ones(x)",
    "error": "def f(x): return 1 / 0",
    "exit": "import os\ndef f(x): os._exit(x)",
    "signal": "import os\ndef f(x): os.kill(os.getpid(), 11)",
    "endless": "def f(x):\n    while True: pass",
    "closed": "import os, time\ndef f(x):\n    os.closerange(3, 20)\n    time.sleep(60)",
    "syntax": "def f(:",
    "other engine": "def f(x): import scalargrad",
    "not plain": "def f(x): return f",
}


def test_a_forked_process_answers_as_one_that_is_started_anew(server):
    for name, program in PROGRAMS.items():
        assert repr(asked(program, server)) == repr(asked(program)), name
    assert server.started


def test_each_program_has_an_empty_folder_and_nothing_of_the_one_before(server):
    program = (
        "import os, sys\nsys.left = getattr(sys, 'left', 0) + 1\ndef f(x): return os.getcwd(), os.listdir(os.environ['HOME']), sys.left, "
    )
    program += "[name for name in os.environ if name.startswith('PYTHON')], len(os.listdir('..'))"
    first, second = (asked(program, server).value for _ in range(2))
    assert first[0] != second[0] and first[1:] == second[1:] == ([], 1, [], 1)
    assert os.path.dirname(second[0]) == server.started.folder and not os.path.exists(second[0])
    server.close()
    assert not os.path.exists(os.path.dirname(second[0]))


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP])
def test_a_program_during_which_the_server_was_lost_is_asked_again(number):
    server = Server(TIER, Bounds(seconds=1, wait=3))
    assert asked("def f(x): return x", server).value == 3
    lost = server.started.process
    os.kill(lost.pid, number)
    assert asked("def f(x): return x + 1", server).value == 4
    assert lost.poll() is not None
    assert asked("def f(x): return os.getppid()\nimport os", server).value == server.started.process.pid != lost.pid
    server.close()


def test_a_program_that_the_server_cannot_run_is_the_failure_of_the_checker(tmp_path, monkeypatch):
    (tmp_path / "02_figure1.py").write_text(find("02").solution, encoding="utf-8")
    monkeypatch.setattr(batch, "tier", lambda name: Tier(name, "", wrapped=("false",), home=str(tmp_path)))
    with Grader(Run("process", b"a secret of 16 bytes", exercises=("02",))) as grader:
        (found,) = grader.results([tmp_path])
    assert (found["state"], found["score"]) == ("ungraded", None) and "did not start" in found["findings"][0]["message"]


def test_the_hash_of_another_program_is_the_failure_of_the_checker(tmp_path, monkeypatch):
    (tmp_path / "02_figure1.py").write_text(find("02").solution, encoding="utf-8")
    monkeypatch.setattr(runner, "hash_of", lambda program: "another")
    with Grader(Run("process", b"a secret of 16 bytes", exercises=("02",))) as grader:
        (found,) = grader.results([tmp_path])
    assert found["state"] == "ungraded" and "another program" in found["findings"][0]["message"]


def test_the_server_ends_with_the_grader(server):
    asked("def f(x): return x", server)
    server.control.close()
    assert server.started.process.wait(60) == 0

"""A class that dask grades has the results of one that is graded here, whatever its programs do to the process that started them."""

import gc
import os
import signal
import sys
import warnings
from contextlib import nullcontext
from importlib.util import find_spec

import pytest

from tutorial.classroom.grading.classes import dask_driver
from tutorial.classroom.grading.classes.batch import Grader, Run, Submission, grade_programs
from tutorial.classroom.grading.classes.dask_driver import LOCAL, Batches, NoCluster, batches_of, connected, results
from tutorial.classroom.grading.isolation.tiers import keeps_signals
from tutorial.classroom.grading.results.results import lines_of
from tutorial.classroom.grading.working_tiers import strongest
from tutorial.cli.main import main
from tutorial.exercises.authored import find

pytestmark = [
    pytest.mark.skipif(find_spec("distributed") is None, reason="needs distributed: pip install -e '.[test]'"),
    pytest.mark.skipif(os.name != "posix", reason="grading needs the limits of POSIX"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),  # after a worker is killed, a pipe may stay open
]

KILLER = "import os\ndef figure1(x1, x2, x3, x4):\n    os.kill(os.getppid(), 9)\n    return {}\n"
PROGRAMS = [KILLER if 36 <= k < 45 else find("02").solution for k in range(80)]


@pytest.fixture(scope="module")
def client():
    with connected(LOCAL) as client:
        yield client
    with warnings.catch_warnings(action="ignore", category=ResourceWarning):
        gc.collect()


@pytest.fixture
def here(client, monkeypatch):
    """A run at a tier that keeps signals, on the workers of this module."""
    if not keeps_signals(strongest()):
        pytest.skip("no tier of this machine keeps a program from sending signals to its parent")
    monkeypatch.setattr(dask_driver, "connected", lambda scheduler: nullcontext(client))
    return Run(strongest(), b"a secret of 16 bytes", exercises=("02",))


@pytest.fixture(scope="module")
def class_of_80(tmp_path_factory):
    """The folders of 80 students, of whom 9 send a signal to the parent of their process."""
    folder = tmp_path_factory.mktemp("class")
    for k, program in enumerate(PROGRAMS):
        (folder / f"student-{k:02}").mkdir()
        (folder / f"student-{k:02}" / "02_figure1.py").write_text(program, encoding="utf-8")
    return sorted(folder.iterdir())


def states(found):
    return sorted((result["student"], result["state"]) for result in found)


@pytest.mark.processes
def test_71_of_80_are_right_if_9_kill_their_parent_and_none_is_lost(client, here, class_of_80):
    before = client.run(os.getpid)
    found = list(results("the fixture's", here, class_of_80))
    assert PROGRAMS.count(KILLER) == 9 and client.run(os.getpid) == before  # no worker died
    for (_, state), program in zip(states(found), PROGRAMS, strict=True):
        assert state in ({"crashed", "wrong"} if program == KILLER else {"right"})
    assert states(results("no cluster is needed", here, class_of_80, found)) == states(found)


@pytest.mark.slow
def test_the_killing_ends_the_worker_at_a_weak_tier_and_even_then_no_other_result_is_lost(client):
    def grade_without_server(run, submissions):
        grader = Grader(run)
        grader.server = None  # which stands between a program and the worker of dask
        return list(map(grader.result, submissions))

    run = Run("practice", b"a secret of 16 bytes", exercises=("02",))
    submissions = [Submission(f"student-{k:02}", "02", program) for k, program in enumerate(PROGRAMS)]
    before = client.run(os.getpid)
    found = list(Batches(client, Grader(run), call=grade_without_server).results(iter(submissions), len(submissions)))
    assert not set(client.run(os.getpid).values()) & set(before.values())  # it has hit all workers
    assert states(found) == [(f"student-{k:02}", "ungraded" if program == KILLER else "right") for k, program in enumerate(PROGRAMS)]
    assert {r["findings"][0]["message"] for r in found if r["state"] == "ungraded"} == {"the worker of dask that graded it died"}


@pytest.mark.slow
def test_a_worker_that_is_killed_from_outside_loses_nothing(client, here, class_of_80, monkeypatch):
    monkeypatch.setattr(dask_driver, "FEWEST", 3)
    workers, found = client.run(os.getpid), []
    for result in results("the fixture's", here, class_of_80[28:48]):
        if not found:
            os.kill(sorted(workers.values())[0], signal.SIGKILL)
        found.append(result)
    assert set(client.run(os.getpid).values()) != set(workers.values())
    assert lines_of(found) == lines_of(Grader(here).results(class_of_80[28:48]))


def test_a_tier_at_which_a_program_can_signal_the_worker_is_refused(class_of_80, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["teach", "grade", str(class_of_80[0].parent), "--dask", LOCAL, "--tier", "process", "--allow-weak"]) == 2
    shown = capsys.readouterr().err
    assert "at tier process a program can end the worker of dask" in shown and shown.count("\n") <= 2
    with pytest.raises(NoCluster, match="at tier practice"):
        dask_driver.grade_there(Run("practice", b"a secret of 16 bytes"), [])


@pytest.mark.sweep
def test_a_scheduler_that_does_not_answer_is_one_line(monkeypatch):
    monkeypatch.setattr(dask_driver, "SECONDS", 0.5)
    for address in ("tcp://127.0.0.1:1", "nowhere"):
        with pytest.raises(NoCluster, match=f"the scheduler {address} does not answer: "), connected(address):
            pass


def test_without_dask_one_line_says_how_to_install_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(NoCluster, match=r"pip install 'gradsteps\[dask\]'"), connected(LOCAL):
        pass


def test_batches_hold_all_submissions_and_neither_too_many_nor_too_much_text(monkeypatch):
    submissions = [Submission(str(k), "02", "x" * k) for k in range(10)]
    assert [len(batch) for batch in batches_of(submissions, 4)] == [4, 4, 2]
    monkeypatch.setattr(dask_driver, "LONGEST", 12)
    found = list(batches_of(submissions, 4))
    assert sum(found, []) == submissions and max(sum(len(each.program) for each in batch) for batch in found) <= 12


@pytest.mark.processes
def test_a_worker_with_other_versions_of_the_exercises_gives_no_result(client, here):
    def other(run, submissions):
        return [result | {"version": "another"} for result in grade_programs(run, submissions)]

    (result,) = Batches(client, Grader(here), call=other).results(iter([Submission("ada", "02", find("02").solution)]), 1)
    assert result["state"] == "ungraded" and "other versions" in result["findings"][0]["message"]

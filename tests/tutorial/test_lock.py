"""One process at a time writes to a place; a lock that a dead process has left holds nobody up."""

import os
import signal
import subprocess
import sys

import pytest

from tutorial import lock
from tutorial.lock import Held, held

HOLDS = "import sys, time; from tutorial.lock import held\nwith held(sys.argv[1], ''): print('held', flush=True); time.sleep(600)"


def another(path):
    """A process that holds the lock."""
    process = subprocess.Popen([sys.executable, "-c", HOLDS, str(path)], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "held\n"
    return process


def test_a_lock_names_its_holder_and_ends_with_it_even_if_that_is_killed(tmp_path):
    path = tmp_path / "a.lock"
    other = another(path)
    with pytest.raises(Held, match=f"^process {other.pid} writes$"), held(path, "{} writes"):
        pass
    other.send_signal(signal.SIGKILL if os.name == "posix" else signal.SIGTERM)
    other.communicate()
    with held(path, "{} writes"):
        assert path.read_text().strip() == str(os.getpid())
    assert not path.exists()


def test_a_file_that_was_left_behind_holds_nobody_up(tmp_path):
    path = tmp_path / "a.lock"
    path.write_text(str(os.getppid()))
    with held(path, "{} writes"):
        pass
    assert not path.exists()


def test_a_lock_ends_with_an_exception(tmp_path):
    with pytest.raises(ZeroDivisionError), held(tmp_path / "a.lock", ""):
        raise ZeroDivisionError
    assert not list(tmp_path.iterdir())


def test_a_holder_without_a_number_is_another_process(tmp_path):
    other = another(tmp_path / "a.lock")
    (tmp_path / "a.lock").write_text("")
    with pytest.raises(Held, match="another process writes"), held(tmp_path / "a.lock", "{} writes"):
        pass
    other.kill()
    other.communicate()


@pytest.mark.skipif(os.name != "posix", reason="elsewhere an open file is not removed")
def test_who_waits_for_a_file_that_its_holder_removes_takes_a_new_one(tmp_path, monkeypatch):
    path, locked = tmp_path / "a.lock", lock.locked
    removed: list = []

    def remove_once(descriptor):
        if not removed:
            removed.append(path.unlink())
        return locked(descriptor)

    monkeypatch.setattr(lock, "locked", remove_once)
    with held(path, ""):
        assert path.exists()

"""Fork a process for each program: Python and NumPy are read once. This process holds no program, no answer, and nothing expected.

Its standard input is a socket. The first message holds the settings. Each message with two descriptors forks a process, which reads its
requests from one and writes its answers to the other. Each message with a number of seconds ends that process and all that it has
started, and is answered with its exit code; with None if it has not ended by itself within these seconds. The message USED is answered with
the seconds of the processor that the process has used.
"""

import ctypes
import gc
import os
import shutil
import signal
import socket
import sys
import tempfile
import time
from contextlib import suppress

from tutorial.classroom.grading import codec, worker
from tutorial.classroom.grading.isolation import landlock
from tutorial.classroom.grading.processor_time import used
from tutorial.exercises.answers import Answer, answers

LONGEST = 1 << 20  # bytes of a message
USED = b"used"
END_WITH_PARENT, DUMPABLE, ADOPT_ORPHANS = 1, 4, 36  # of prctl
STEP = 0.002  # seconds between two looks at whether a process has ended
PATIENCE = 5  # seconds until this process gives up to end what a program has left


def main():
    control = socket.socket(fileno=0)
    prctl = ctypes.CDLL(None).prctl
    prctl(DUMPABLE, 0, 0, 0, 0)  # no process of the same user can read or change its memory
    prctl(ADOPT_ORPHANS, 1, 0, 0, 0)  # what a program leaves behind becomes a child of this process
    settings = codec.loads(control.recv(LONGEST))
    worker.prepare(settings)
    ruleset = landlock.ruleset(settings["readable"])
    read_all_parts()
    gc.freeze()
    control.send(codec.dumps(worker.READY))
    pid = 0
    while True:
        message, channels, *_ = socket.recv_fds(control, LONGEST, 2)
        if channels:
            pid = forked(control, channels, settings, ruleset)
        elif message == USED:
            control.send(codec.dumps(used(pid)))
        else:
            code = ended(pid, codec.loads(message) if message else 0) if pid else None
            pid = 0
            empty(settings["home"])
            if not message:  # the grader has ended
                return
            control.send(codec.dumps(code))


def read_all_parts():
    """Use what each program uses, so that Python reads it once: an error, and an array if there is NumPy."""
    answers("def f(x): raise ValueError(x)", "f", [(1,)], [10])
    numpy = sys.modules.get("numpy")
    worker.answer_line(Answer(codec.loads(codec.dumps(numpy.zeros(1)) if numpy else b"1")), codec.LIMITS)


def forked(control, channels, settings, ruleset) -> int:
    """Fork a process that serves these channels. Return its number."""
    folder = tempfile.mkdtemp(dir=settings["home"])
    pid = os.fork()
    if pid:
        for channel in channels:
            os.close(channel)
        return pid
    try:
        control.detach()
        worker.hide_standard_streams()
        os.setsid()
        os.chdir(folder)
        os.environ.update(dict.fromkeys(("HOME", "TMPDIR", "TEMP"), folder))
        worker.confine_this(settings, ruleset)
        ctypes.CDLL(None).prctl(END_WITH_PARENT, signal.SIGKILL, 0, 0, 0)
        requests, answers = channels
        with os.fdopen(requests, "rb") as lines:
            worker.serve(lines, answers, settings)
    finally:
        os._exit(0)


def ended(pid, seconds) -> int | None:
    """End a process and all that it has started. Return its exit code if it has ended within these seconds, else None."""
    code = waited(pid, seconds)
    for end, number in ((os.killpg, pid), (os.kill, pid)):
        with suppress(OSError):
            end(number, signal.SIGKILL)
    if code is None:
        os.waitpid(pid, 0)
    end_orphans()
    return code


def waited(pid, seconds) -> int | None:
    """Return the exit code of a process if it ends within these seconds. Its number stays its own."""
    deadline = time.monotonic() + seconds
    while not (found := os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)):
        if time.monotonic() >= deadline:
            return None
        time.sleep(STEP)
    return found.si_status if found.si_code == os.CLD_EXITED else -found.si_status


def end_orphans():
    """End what a program has left behind. If that fails, end this process: the grader then starts another."""
    deadline = time.monotonic() + PATIENCE
    with suppress(ChildProcessError):  # there is no process left
        while time.monotonic() < deadline:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
            for child in children():
                with suppress(OSError):
                    os.kill(child, signal.SIGKILL)
        sys.exit("a program left processes that do not end")


def children():
    """Yield the numbers of the processes whose parent is this one."""
    for name in filter(str.isdigit, os.listdir("/proc")):
        with suppress(OSError), open(f"/proc/{name}/stat", "rb") as stat:
            if int(stat.read().rpartition(b")")[2].split()[1]) == os.getpid():
                yield int(name)


def empty(folder):
    for entry in os.scandir(folder):
        if entry.is_dir(follow_symlinks=False):
            shutil.rmtree(entry.path, ignore_errors=True)
        else:
            os.unlink(entry.path)

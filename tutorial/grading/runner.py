"""Run a learner's program in a process of its own, and get its answers as plain values. `Runner` asks, a `Worker` is one process."""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from tutorial.exercises.answers import ENDED, TOO_LONG, Answer, too_long
from tutorial.grading import codec
from tutorial.grading.lines import Flood, Lines
from tutorial.grading.tiers import Tier, tier_for_students
from tutorial.grading.visible import packages

WORKER = Path(__file__).with_name("worker.py")
KEPT = ("SYSTEMROOT",)  # without it Windows starts no Python
ONE_THREAD = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"), "1")


IMPORTS_NUMPY = re.compile(r"^\s*(import|from) numpy", re.M)


class CheckerFailed(RuntimeError):
    """The process could not run any program. This is not the learner's mistake."""


class Bounds(NamedTuple):
    """What a program may use: seconds of CPU time, seconds that its user waits, bytes of memory, and how large a value may be."""

    seconds: int = 5
    wait: float = 30
    memory: int = 2 << 30
    values: codec.Limits = codec.LIMITS


class Runner:
    """Ask programs for values: runner(program, call, arguments, calls) is `tutorial.exercises.answers.answers` in another process.

    The process of the last program is kept for the next question about the same program; close() or `with` ends it.

    >>> with Runner() as ask:
    ...     ask("def half(x): return x / 2", "half", [(3,)], [10])
    [Answer(value=1.5, error='', line=None, changed='', calls=1, printed='')]
    """

    def __init__(self, tier: Tier | None = None, bounds: Bounds | None = None):
        self.tier, self.bounds = tier or tier_for_students(), bounds or Bounds()
        self.worker: Worker | None = None

    def start(self, program):
        """Start the process for a program, and do not wait for it. Raises CheckerFailed if it cannot be started."""
        if self.worker is None or self.worker.program != program or self.worker.ended:
            self.close()
            self.worker = Worker(program, self.tier, self.bounds)
        return self.worker

    def __call__(self, program, call, arguments, calls) -> list[Answer]:
        """Return an Answer for each tuple of arguments. After a program has ended its process, the others have the same error.

        Raises CheckerFailed if the process does not start.
        """
        return self.start(program).ask(call, arguments, calls)

    def close(self):
        if self.worker is not None:
            self.worker.close()
        self.worker = None

    def __enter__(self):
        return self

    def __exit__(self, *wrong):
        self.close()


class Worker:
    """A process for one program. It has a folder of its own, which goes with it, and an environment without the user's variables."""

    def __init__(self, program, tier, bounds):
        self.program, self.tier, self.bounds, self.ready, self.ended = program, tier, bounds, False, False
        self.folder = tempfile.mkdtemp(prefix="gradsteps-")
        environment = {name: os.environ[name] for name in KEPT if name in os.environ}
        environment |= ONE_THREAD | {"PATH": os.defpath, "HOME": self.folder, "TMPDIR": self.folder, "TEMP": self.folder}
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        command = [*tier.wrapped, os.path.normpath(sys.executable), "-I", "-X", "utf8", str(WORKER)]
        try:
            self.process = subprocess.Popen(command, **pipes, cwd=self.folder, env=environment, start_new_session=True)
        except OSError as wrong:
            shutil.rmtree(self.folder, ignore_errors=True)
            raise CheckerFailed(f"Python cannot be started: {wrong}") from None
        self.lines = Lines(self.process.stdout.fileno(), bounds.values.bytes + 1)
        self.process.stdout.close()
        with suppress(OSError):  # it has ended; reading says so, too
            self.send(codec.dumps(self.settings()))

    def settings(self):
        """Return what the process must know to confine itself."""
        return {
            "limits": tuple(self.bounds.values),
            "seconds": self.bounds.seconds,
            "memory": self.bounds.memory,
            "limited": self.tier.limited,
            "readable": list(self.tier.readable),
            "path": sorted({str(Path(folder).parent) for folder in packages()}),
            "modules": ["numpy"] if IMPORTS_NUMPY.search(self.program) and packages() else [],
        }

    def wait_until_ready(self):
        """Wait until the process has confined itself. Raises CheckerFailed."""
        try:
            if codec.loads(self.lines.next(self.bounds.wait)) != "ready":
                raise EOFError
        except (OSError, EOFError, TimeoutError, Flood, codec.NotPlain):
            self.process.kill()
            said = self.process.stderr.read(2000).decode(errors="replace").strip().splitlines()
            self.close()
            raise CheckerFailed(f"the process of tier {self.tier.name} did not start: {said[-1] if said else 'it said nothing'}") from None
        self.ready = True

    def ask(self, call, arguments, calls) -> list[Answer]:
        """Return an Answer for each tuple of arguments."""
        if not self.ready:
            self.wait_until_ready()
        found: list[Answer] = []
        deadline = time.monotonic() + self.bounds.wait
        with suppress(OSError):  # it has ended; reading says so, too
            self.send(codec.dumps((self.program, call, arguments, calls)))
        while len(found) < len(arguments):
            answer, last = self.next_answer(deadline - time.monotonic())
            found.append(answer)
            if last:
                self.close()
                return found + [answer] * (len(arguments) - len(found))
        return found

    def next_answer(self, seconds):
        """Return the next Answer, and whether it is the last of this process."""
        try:
            answer = answer_of(codec.loads(self.lines.next(seconds), self.bounds.values))
            return answer, answer.error == too_long(self.bounds.seconds)
        except TimeoutError:
            return Answer(error=f"{TOO_LONG}: no answer within {self.bounds.wait:g} seconds"), True
        except EOFError:
            return Answer(error=self.how_it_ended()), True
        except (codec.NotPlain, Flood) as wrong:
            return Answer(error=f"{ENDED}: it wrote what is not an answer ({wrong})"), True

    def how_it_ended(self):
        """Return the error of a program whose process has ended, or has closed its channel."""
        try:
            code = self.process.wait(1)
        except subprocess.TimeoutExpired:
            return f"{ENDED}: it closed the channel of its answers"
        if code == -getattr(signal, "SIGXCPU", 0):
            return too_long(self.bounds.seconds)
        if code < 0:
            return f"{ENDED}: {signal.Signals(-code).name} ended Python before the program answered"
        return f"{ENDED}: the program ended Python (exit code {code}) before it answered"

    def send(self, line):
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def close(self):
        """End the process and its children, and remove its folder."""
        self.ended = True
        if hasattr(os, "killpg"):
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)
        self.process.kill()
        self.process.wait()
        self.lines.close()
        for pipe in (self.process.stdin, self.process.stderr):
            with suppress(OSError):
                pipe.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def answer_of(found) -> Answer:
    """Return the Answer in what a process has sent. The process may be the learner's, so all is checked. Raises NotPlain."""
    kinds = object, str, int | None, str, int, str
    if not (isinstance(found, tuple) and len(found) == len(kinds) and all(map(isinstance, found, kinds))):
        raise codec.NotPlain("it has not the parts of an answer")
    return Answer(*found)

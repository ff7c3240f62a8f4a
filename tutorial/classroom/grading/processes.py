"""Start Python for a learner's program, in a folder of its own and without the user's variables."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from tutorial.classroom.grading import codec
from tutorial.classroom.grading.isolation import seccomp
from tutorial.classroom.grading.isolation.tiers import Tier
from tutorial.classroom.grading.isolation.visible import packages
from tutorial.classroom.grading.processor_time import used

WORKER = Path(__file__).with_name("worker_main.py")
KEPT = ("SYSTEMROOT",)  # without it Windows starts no Python
ONE_THREAD = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"), "1")
SAME_ORDER = {"PYTHONHASHSEED": "0"}  # a program that depends on the order of a set has the same answer each time
ISOLATED = ("-P", "-s", "-X", "utf8")  # like -I, but for the variable above


class CheckerFailed(RuntimeError):
    """The process could not run any program. This is not the learner's mistake."""


class Bounds(NamedTuple):
    """What a program may use: seconds of CPU time, of sleep, and of its user's time; bytes of memory; and how large a value may be.

    Its user waits longer than for the first two only if the machine is busy with others. Where the system does not tell how long a process
    sleeps, the first two together bound the time that passes.
    """

    seconds: int = 5
    asleep: float = 3
    wait: float = 30
    memory: int = 2 << 30
    values: codec.Limits = codec.LIMITS


def settings(tier: Tier, bounds: Bounds, numpy: bool) -> dict:
    """Return what a process must know to confine itself."""
    return {
        "limits": tuple(bounds.values),
        "seconds": bounds.seconds,
        "memory": bounds.memory,
        "limited": tier.limited,
        "readable": list(tier.readable),
        "filtered": tier.filtered and not seccomp.missing(),
        "path": sorted({str(Path(folder).parent) for folder in packages()}),
        "modules": ["numpy"] if numpy and packages() else [],
    }


class Started:
    """Python, started in a folder of its own, which goes with it, and with an environment without the user's variables."""

    def __init__(self, tier: Tier, *role: str, stdin=subprocess.PIPE, stdout=subprocess.PIPE):
        self.folder = tempfile.mkdtemp(prefix="gradsteps-")
        environment = {name: os.environ[name] for name in KEPT if name in os.environ} | ONE_THREAD | SAME_ORDER
        environment |= {"PATH": os.defpath} | dict.fromkeys(("HOME", "TMPDIR", "TEMP"), self.folder)
        command = [*tier.wrapped, os.path.normpath(sys.executable), *ISOLATED, str(WORKER), *role]
        streams = {"stdin": stdin, "stdout": stdout, "stderr": subprocess.PIPE}
        try:
            self.process: Any = subprocess.Popen(command, **streams, cwd=self.folder, env=environment, start_new_session=True)
        except OSError as wrong:
            shutil.rmtree(self.folder, ignore_errors=True)
            raise CheckerFailed(f"Python cannot be started: {wrong}") from None

    def said(self) -> str:
        """End Python, and return the last line of what it has written as an error."""
        self.process.kill()
        lines = self.process.stderr.read(2000).decode(errors="replace").strip().splitlines()
        return lines[-1] if lines else "it said nothing"

    def end(self):
        """End Python and its children, and remove its folder."""
        if hasattr(os, "killpg"):
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)
        self.process.kill()
        self.process.wait()
        for pipe in filter(None, (self.process.stdin, self.process.stdout, self.process.stderr)):
            with suppress(OSError):
                pipe.close()
        shutil.rmtree(self.folder, ignore_errors=True)


class Fresh(Started):
    """A process that runs one program, with a Python of its own. `requests` and `answers` are its channels."""

    def __init__(self, tier: Tier, bounds: Bounds, numpy: bool):
        super().__init__(tier)
        self.tier, self.requests, self.answers = tier, self.process.stdin, self.process.stdout
        with suppress(OSError):  # it has ended; reading says so, too
            self.requests.write(codec.dumps(settings(tier, bounds, numpy)) + b"\n")
            self.requests.flush()

    def failed(self) -> CheckerFailed:
        """Return what the grader says if the process never was ready."""
        return CheckerFailed(f"the process of tier {self.tier.name} did not start: {self.said()}")

    def used(self) -> float | None:
        """Return the seconds of the processor that it has used; None if this system does not tell them."""
        return used(self.process.pid)

    def code(self, seconds) -> int | None:
        """Return the exit code of the process, or None if it does not end within these seconds."""
        with suppress(subprocess.TimeoutExpired):
            return self.process.wait(seconds)
        return None

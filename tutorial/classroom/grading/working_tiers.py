"""Probe the tiers: which of them work on this machine, and why the others do not. A tier works if it runs a program and keeps it inside."""

import os
from functools import lru_cache
from pathlib import Path
from shutil import which

from tutorial.classroom.grading.isolation.landlock import abi
from tutorial.classroom.grading.isolation.tiers import CHOSEN_BY_NAME, CONFINED, TIERS, tier
from tutorial.classroom.grading.processes import Bounds, CheckerFailed
from tutorial.classroom.grading.runner import Runner

PROGRAM = """
def readable(path):
    try:
        with open(path, "rb") as file:
            return len(file.read(1))
    except OSError:
        return 0
"""
SECRET = str(Path(__file__).parents[2] / "exercises" / "authored.py")
MARKS_OF_A_CONTAINER = ("/.dockerenv", "/run/.containerenv")
SECONDS = 20


@lru_cache
def why_not(name) -> str:
    """Return why a tier does not work on this machine; "" if it does.

    >>> why_not("practice")
    ''
    """
    if name == "process" and os.name != "posix":
        return "this system has no limits for a process"
    if name in ("landlock", "container") and not abi():
        return "this kernel has no Landlock; Linux 5.13 or later has it, unless it is switched off"
    if name == "container" and not in_container():
        return "this is not a container"
    if name == "bwrap" and which("bwrap") is None:
        return "the program bwrap is not installed; on Debian and Ubuntu: apt install bubblewrap"
    try:
        with Runner(tier(name), Bounds(wait=SECONDS)) as ask:
            (answer,) = ask(PROGRAM, "readable", [(SECRET,)], [100])
    except CheckerFailed as wrong:
        return str(wrong)
    if answer.error:
        return answer.error
    return "it could read a file outside" if answer.value and name in CONFINED else ""


def works(name) -> bool:
    return not why_not(name)


def in_container() -> bool:
    """Return whether this process is in a container, as far as one can see from inside."""
    return any(map(os.path.exists, MARKS_OF_A_CONTAINER)) or "KUBERNETES_SERVICE_HOST" in os.environ or "container" in os.environ


def strongest() -> str:
    """Return the name of the strongest tier that works on this machine, among those that need not be chosen by name."""
    return next(name for name in reversed(TIERS) if name not in CHOSEN_BY_NAME and works(name))


def table() -> list[tuple[str, str]]:
    """Return each tier with what it guarantees here, or why it does not work."""
    return [(name, f"not here: {why}" if (why := why_not(name)) else tier(name).guarantees) for name in TIERS]

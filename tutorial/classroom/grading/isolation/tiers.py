"""The tiers of isolation: what surrounds the process of a learner's program, bubblewrap too, and what each guarantees."""

import os
from typing import NamedTuple

from tutorial.classroom.grading.isolation import seccomp
from tutorial.classroom.grading.isolation.landlock import SIGNAL_ABI, abi, refused_in_words
from tutorial.classroom.grading.isolation.visible import readable, visible


class Tier(NamedTuple):
    """What surrounds the process. It limits itself, can read only `readable` if that is not empty, and is started by `wrapped`.

    `home` is the folder inside `wrapped` that it may write.
    """

    name: str
    guarantees: str
    limited: bool = True
    readable: tuple = ()
    wrapped: tuple = ()
    home: str = ""

    @property
    def filtered(self) -> bool:
        """Whether the process makes none of the system calls that seccomp.py refuses, if this machine can do so."""
        return bool(self.readable or self.home)


PROCESS = "score not forged from inside; time, memory, children and size of files bounded"
OF_ITS_OWN = f"{PROCESS}; files, processes and network of its own, nothing left over"
MAKE = {
    "practice": lambda name: Tier(name, "no hang, no flood; no claim about cheating", limited=False),
    "process": lambda name: Tier(name, PROCESS),
    "landlock": lambda name: Tier(name, with_landlock(), readable=readable()),
    "bwrap": lambda name: Tier(name, OF_ITS_OWN, wrapped=bubblewrap(), home=HOME),
    "container": lambda name: Tier(name, f"{with_landlock()}; and what the container guarantees", readable=readable()),
}
TIERS = tuple(MAKE)  # from the weakest
CONFINED = TIERS[TIERS.index("landlock") :]  # at these, a program can read no solution
CHOSEN_BY_NAME = ("container",)  # only its maker knows what a container guarantees


def tier(name) -> Tier:
    """Return a tier by its name. Raises KeyError.

    >>> tier("process").guarantees
    'score not forged from inside; time, memory, children and size of files bounded'
    """
    return MAKE[name](name)


def with_landlock() -> str:
    """Return what a process is kept from where this kernel's Landlock confines it."""
    found = f"{PROCESS}; {refused_in_words(abi())}"
    return (
        f"{found}; but it reaches {seccomp.CLOSED}: {why}" if (why := seccomp.missing()) else f"{found}; it does not reach {seccomp.CLOSED}"
    )


def keeps_signals(name) -> bool:
    """Return whether a program at this tier cannot send a signal to a process outside, on this machine."""
    chosen = tier(name)
    return bool(chosen.wrapped) or bool(chosen.readable) and (abi() >= SIGNAL_ABI or not seccomp.missing())


def tier_for_students() -> Tier:
    """Return the tier in which students check their own programs: it starts fast and needs nothing of the machine."""
    return tier("process" if os.name == "posix" else "practice")


HOME = "/tmp"
NOBODY = "65534"
SIZE = str(64 << 20)  # bytes of its folder for temporary files


def bubblewrap() -> tuple[str, ...]:
    """Return the words before the command that is to be started."""
    files = visible()
    command = ["bwrap", "--unshare-all", "--unshare-user", "--uid", NOBODY, "--gid", NOBODY, "--cap-drop", "ALL", "--die-with-parent"]
    command += ["--size", SIZE, "--tmpfs", HOME]  # before all that may lie in it
    for path in files.shown:
        command += ["--ro-bind", path, path]
    for path in files.emptied:
        command += ["--tmpfs", path]
    for path in files.after:
        command += ["--ro-bind", path, path]
    command += ["--proc", "/proc", "--dev", "/dev"]
    for path in (*files.emptied, "/dev", "/"):
        command += ["--remount-ro", path]
    return (*command, "--chdir", HOME)

"""The tiers of isolation: what surrounds the process of a learner's program, and what each guarantees."""

import os
import site
import sys
import sysconfig
from glob import glob
from importlib.util import find_spec
from os.path import normpath
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
SYSTEM = ("/usr", "/bin", "/lib", "/lib64", "/etc/ld.so.cache")
LIBRARIES = ("/lib64", "/usr/lib64", "/lib/*-linux-*", "/usr/lib/*-linux-*", "/etc/ld.so.cache", "/dev/null", "/dev/urandom")
OTHER_PACKAGES = ("site-packages", "dist-packages")
NEEDED = ("numpy", "numpy.libs")
OF_THE_WORKER = ("grading", "program_error.py", *(f"exercises/{name}.py" for name in ("answers", "values")))
NOBODY = "65534"


class Tier(NamedTuple):
    """What surrounds the process. It limits itself, can read only `readable` if that is not empty, and is started by `wrapped`."""

    name: str
    guarantees: str
    limited: bool = True
    readable: tuple = ()
    wrapped: tuple = ()


PROCESS = "score not forged from inside; time, memory, children and size of files bounded"
MAKE = {
    "practice": lambda name: Tier(name, "no hang, no flood; no claim about cheating", limited=False),
    "process": lambda name: Tier(name, PROCESS),
    "landlock": lambda name: Tier(name, with_landlock(), readable=readable()),
    "bwrap": lambda name: Tier(name, f"{PROCESS}; files, processes and network of its own, nothing left over", wrapped=bubblewrap()),
    "container": lambda name: Tier(name, f"{with_landlock()}; and what the container guarantees", readable=readable()),
}
TIERS = tuple(MAKE)  # from the weakest


def tier(name) -> Tier:
    """Return a tier by its name. Raises KeyError.

    >>> tier("process").guarantees
    'score not forged from inside; time, memory, children and size of files bounded'
    """
    return MAKE[name](name)


def with_landlock() -> str:
    """Return what a process is kept from where this kernel's Landlock confines it."""
    from tutorial.grading.landlock import abi, refused_in_words

    return f"{PROCESS}; {refused_in_words(abi())}"


def tier_for_students() -> Tier:
    """Return the tier in which students check their own programs: it starts fast and needs nothing of the machine."""
    return tier("process" if os.name == "posix" else "practice")


def packages() -> list[str]:
    """Return the folders of NumPy, as it is installed."""
    spec = find_spec("numpy")
    beside = Path(spec.origin).parent.parent if spec and spec.origin else None
    return [normpath(beside / name) for name in NEEDED if (beside / name).is_dir()] if beside else []


def readable() -> tuple[str, ...]:
    """Return what a program needs to read: Python's own library, NumPy, and the system's shared libraries. No other package."""
    libraries = [path for pattern in LIBRARIES for path in glob(pattern)]
    return (*own_library(), *packages(), *libraries)


def own_library():
    """Yield the files and folders of Python's library, without the packages that are installed in it."""
    for folder in sorted({sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib")}):
        yield from (str(path) for path in Path(folder).iterdir() if path.name not in OTHER_PACKAGES)


def bubblewrap() -> tuple[str, ...]:
    """Return the command that starts a program in namespaces of its own. Installed packages are hidden; NumPy and the worker are not."""
    shown = dict.fromkeys(map(normpath, (*SYSTEM, sys.base_prefix, sys.prefix)))  # where folders are few, a/../b does not exist
    installed = dict.fromkeys(map(normpath, (*site.getsitepackages(), str(HERE.parent.parent))))
    hidden = [path for path in installed if any(Path(path).is_relative_to(folder) for folder in shown)]
    command = ["bwrap", "--unshare-all", "--unshare-user", "--uid", NOBODY, "--gid", NOBODY, "--cap-drop", "ALL", "--die-with-parent"]
    command += ["--size", str(64 << 20), "--tmpfs", "/tmp"]  # before all that may lie in it
    for path in filter(os.path.exists, shown):
        command += ["--ro-bind", path, path]
    for path in filter(os.path.isdir, hidden):
        command += ["--tmpfs", path]
    for path in (*(str(HERE.parent / name) for name in OF_THE_WORKER), *packages()):
        command += ["--ro-bind", path, path]
    return (*command, "--proc", "/proc", "--dev", "/dev", "--chdir", "/tmp")

"""What a learner's program can read: Python, NumPy, the worker, and the system's shared libraries. No other package, and no solution."""

import os
import site
import sys
import sysconfig
from glob import glob
from importlib.util import find_spec
from os.path import normpath
from pathlib import Path
from typing import NamedTuple

TUTORIAL = Path(__file__).parents[3]
SYSTEM = ("/usr", "/bin", "/lib", "/lib64", "/etc/ld.so.cache")
LIBRARIES = ("/lib64", "/usr/lib64", "/lib/*-linux-*", "/usr/lib/*-linux-*", "/etc/ld.so.cache", "/dev/null", "/dev/urandom")
OTHER_PACKAGES = ("site-packages", "dist-packages")
NEEDED = ("numpy", "numpy.libs")
OF_THE_WORKER = ("classroom/grading", "program_error.py", *(f"exercises/{name}.py" for name in ("answers", "values")))


class Visible(NamedTuple):
    """A file system: folders `shown` as they are, folders in them that are `emptied`, and what is shown in those `after` all."""

    shown: list[str]
    emptied: list[str]
    after: list[str]


def packages() -> list[str]:
    """Return the folders of NumPy, as it is installed."""
    spec = find_spec("numpy")
    beside = Path(spec.origin).parent.parent if spec and spec.origin else None
    return [normpath(beside / name) for name in NEEDED if (beside / name).is_dir()] if beside else []


def readable() -> tuple[str, ...]:
    """Return the files and folders that a program needs to read once the worker has started."""
    libraries = [path for pattern in LIBRARIES for path in glob(pattern)]
    return (*own_library(), *packages(), *libraries)


def own_library():
    """Yield the files and folders of Python's library, without the packages that are installed in it."""
    for folder in sorted({sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib")}):
        yield from (str(path) for path in Path(folder).iterdir() if path.name not in OTHER_PACKAGES)


def visible() -> Visible:
    """Return the file system in which a worker starts. Installed packages are emptied folders; NumPy and the worker are shown in them."""
    folders = dict.fromkeys(map(normpath, (*SYSTEM, sys.base_prefix, sys.prefix)))  # where folders are few, a/../b does not exist
    installed = dict.fromkeys(map(normpath, (*site.getsitepackages(), str(TUTORIAL.parent))))
    emptied = [path for path in installed if os.path.isdir(path) and any(Path(path).is_relative_to(folder) for folder in folders)]
    return Visible(list(filter(os.path.exists, folders)), emptied, [*(str(TUTORIAL / name) for name in OF_THE_WORKER), *packages()])

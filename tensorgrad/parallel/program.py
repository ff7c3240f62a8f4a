"""What identifies the program that a process runs: versions, and checksums of its files."""

import platform
import sys
from functools import cache
from pathlib import Path
from zlib import crc32

import numpy as np

PACKAGES = Path(__file__).parents[2]  # the folder of scalargrad and tensorgrad


@cache
def program_facts():
    """Return {name: value}, the same on all processes that run the same program with the same versions."""
    return {
        "Python": platform.python_version(),
        "NumPy": np.__version__,
        "the source of gradsteps": sources(),
        "the program's file": of_file(Path(sys.argv[0])) if sys.argv and Path(sys.argv[0]).is_file() else "",
    }


def sources():
    """Return one checksum of all files of scalargrad and tensorgrad."""
    files = [path for room in ("scalargrad", "tensorgrad") for path in sorted((PACKAGES / room).rglob("*.py"))]
    found = 0
    for path in files:
        found = crc32(path.read_bytes(), crc32(path.relative_to(PACKAGES).as_posix().encode(), found))
    return f"{found:08x}"


def of_file(path):
    return f"{path.name}, checksum {crc32(path.read_bytes()):08x}"

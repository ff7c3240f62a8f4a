"""Find out whether all processes do the same: the same program, seed, parameters, weights, batch and step."""

import json
import platform
import sys
from functools import cache
from pathlib import Path
from zlib import crc32

import numpy as np

PACKAGES = Path(__file__).parents[2]  # the folder of scalargrad and tensorgrad


class Mismatch(RuntimeError):
    """Processes of one group differ in something that must be the same in all of them."""


def agree(comm, facts, what, mark):
    """Raise Mismatch, on every process, if `facts` {name: value} are not the same on all. The message names rank and value."""
    if comm.size == 1:
        return
    if comm.rank:
        comm.send(0, packed(facts), mark)
        verdict = unpacked(comm.receive(0, mark))
    else:
        others = {rank: unpacked(comm.receive(rank, mark)) for rank in range(1, comm.size)}
        verdict = difference(unpacked(packed(facts)), others, what)
        for rank in others:
            comm.send(rank, packed(verdict), mark)
    comm.finish_sends()
    if verdict:
        raise Mismatch(verdict)


def difference(first, others, what):
    """Return a sentence about the first rank that differs from rank 0, and about how many differ; an empty text if none does."""
    wrong = [rank for rank, facts in others.items() if facts != first]
    if not wrong:
        return ""
    facts = others[wrong[0]]
    name = next(n for n in [*first, *facts] if first.get(n, MISSING) != facts.get(n, MISSING))
    ranks = f"rank {wrong[0]}" if len(wrong) == 1 else f"ranks {', '.join(map(str, wrong))}"
    here, there = (f.get(name, MISSING) for f in (first, facts))
    return f"{what} differ on {ranks}: {name} is {there} on rank {wrong[0]}, but {here} on rank 0; all processes need the same"


MISSING = "missing"


def packed(facts):
    """Return facts as bytes of JSON in an array."""
    return np.frombuffer(json.dumps(facts, default=str).encode(), np.uint8)


def unpacked(array):
    return json.loads(array.tobytes())


def checksum(*arrays):
    """Return one number for the bytes of arrays; anything else counts with its text."""
    found = 0
    for x in arrays:
        x = getattr(x, "_data", x)
        plain = isinstance(x, np.ndarray) and x.dtype != object
        found = crc32(np.ascontiguousarray(x) if plain else repr(x).encode(), found)
    return found


# What identifies the program that a process runs


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

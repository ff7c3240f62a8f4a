"""Build the library of kernels.c and threads.c with the machine's C compiler, GCC or Clang.

A library needs neither Python's headers nor NumPy's, so one file serves every version of both. On x86-64 there is one for each level
of instructions; calls.py loads the best that the processor has. This file imports nothing of the package: the wheel's build runs it.
"""

import os
import platform
import shutil
import subprocess
import sys
import zlib
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

HERE = Path(__file__).parent
SOURCES = HERE / "kernels.c", HERE / "threads.c"
COMPILERS = ("cc", "gcc", "clang")
# No -ffast-math: inf and nan obey the rules. Neither errno nor the processor's flags of exceptions are read, so vectors may be used.
OPTIONS = ("-O3", "-fPIC", "-shared", "-pthread", "-fno-math-errno", "-fno-trapping-math")
LEVELS = (
    {4: ["-march=x86-64-v4", "-mprefer-vector-width=512"], 3: ["-march=x86-64-v3"], 0: []}
    if platform.machine() in ("x86_64", "AMD64")
    else {0: []}
)


def path_of(level):
    """Return the path of the library of a level of instructions. A name that ends in `.so` would be one of a module of Python."""
    return HERE / f"kernels-{sys.platform}-{platform.machine().lower()}.so.{level}"


def checksum():
    """Return the checksum of the sources, which a library has too. One that was built from older files is not used."""
    return zlib.crc32(b"".join([source.read_bytes() for source in SOURCES]))


def build():
    """Build all libraries and return their paths. Raise RuntimeError if there is no compiler, or if it fails."""
    compiler = os.environ.get("CC") or next((name for name in COMPILERS if shutil.which(name)), None)
    if compiler is None:
        raise RuntimeError(f"no C compiler ({', '.join(COMPILERS)}) is on the PATH; install one, or name it in CC")
    with ThreadPoolExecutor() as pool:  # a compiler uses one core
        return list(pool.map(partial(compiled, compiler), LEVELS))


def compiled(compiler, level):
    """Build the library of a level of instructions and return its path."""
    path, built = path_of(level), Path(f"{path_of(level)}.new")
    command = [*compiler.split(), *OPTIONS, *LEVELS[level], f"-DSOURCE={checksum()}u", "-o", str(built), *map(str, SOURCES)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)} failed:\n{done.stderr[-2000:]}")
    return built.replace(path)

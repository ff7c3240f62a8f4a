"""Start a program with mpirun, as users do, and return what it printed."""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.tensorgrad.parallel import launcher

ROOT = Path(__file__).parents[3]
needs_mpi = pytest.mark.skipif(launcher.mpirun() is None or not find_spec("mpi4py"), reason="mpirun and mpi4py are not installed")


def mpirun(processes, *words, timeout=200, **variables):
    """Run `python words` in so many processes. Return the finished process, with its output as text."""
    environment = os.environ | launcher.ANYWHERE | {"PYTHONPATH": str(ROOT)} | variables
    command = [launcher.mpirun(), "-n", str(processes), sys.executable, *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, timeout=timeout, env=environment)

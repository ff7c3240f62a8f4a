"""One thread for matrix products: their last bits depend on the number of threads."""

import ctypes
import os
import warnings
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import numpy as np

VARIABLES = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
NAMES = ("scipy_openblas_{}_num_threads64_", "openblas_{}_num_threads64_", "scipy_openblas_{}_num_threads", "openblas_{}_num_threads")


@contextmanager
def one_thread():
    """Let NumPy's matrix products use one thread in this block, whatever the machine has. Warn if that cannot be set."""
    found = openblas()
    if found is None:
        warn_of_threads()
        yield
        return
    library, name = found
    before = library[name.format("get")]()
    library[name.format("set")](1)
    try:
        yield
    finally:
        library[name.format("set")](before)


@cache
def openblas():
    """Return the OpenBLAS that NumPy's wheel has loaded, and the name of its functions; None if NumPy uses something else."""
    here = Path(np.__file__).parent
    for path in [*here.parent.glob("numpy.libs/*openblas*"), *here.glob(".dylibs/*openblas*")]:
        try:
            library = ctypes.CDLL(str(path))
        except OSError:
            continue
        for name in NAMES:
            if hasattr(library, name.format("set")):
                return library, name
    return None


def warn_of_threads():
    """Warn if matrix products may use several threads."""
    if (os.cpu_count() or 1) > 1 and not any(os.environ.get(name) == "1" for name in VARIABLES):
        warnings.warn(
            "parallel.open: matrix products may use several threads here, and their last bits depend on how many; "
            f"set {' or '.join(VARIABLES)} to 1 before the program starts",
            stacklevel=4,
        )

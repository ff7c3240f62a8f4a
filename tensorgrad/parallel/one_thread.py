"""One thread for matrix products: their last bits depend on the number of threads."""

import os
import warnings
from contextlib import contextmanager

from tensorgrad.arrays.blas import one_blas_thread, setting

VARIABLES = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")


@contextmanager
def one_thread():
    """Let NumPy's matrix products use one thread in this block, whatever the machine has. Warn if that cannot be set."""
    if setting() is None:
        warn_of_threads()
    with one_blas_thread:
        yield


def warn_of_threads():
    """Warn if matrix products may use several threads."""
    if (os.cpu_count() or 1) > 1 and not any(os.environ.get(name) == "1" for name in VARIABLES):
        warnings.warn(
            "parallel.open: matrix products may use several threads here, and their last bits depend on how many; "
            f"set {' or '.join(VARIABLES)} to 1 before the program starts",
            stacklevel=4,
        )

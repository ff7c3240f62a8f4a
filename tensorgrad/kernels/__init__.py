"""Functions of plain arrays that rules and optimisers compute with.

`running()` says which of them run, `using(set)` chooses among those of NumPy and those in C.
"""

import os

from tensorgrad.kernels.compiled import library
from tensorgrad.kernels.registry import SETS, running, using

__all__ = ["running", "using"]

# Compiled kernels run if they were built. The variable GRADSTEPS_KERNELS names another set.
using(os.environ.get("GRADSTEPS_KERNELS") or ("compiled" if "compiled" in SETS else "numpy"))

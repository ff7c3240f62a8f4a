"""NumPy's library for matrix products: how many threads it uses, which the last bits of products may depend on."""

import ctypes
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from threading import Lock

import numpy as np

NAMES = ("scipy_openblas_{}_num_threads64_", "openblas_{}_num_threads64_", "scipy_openblas_{}_num_threads", "openblas_{}_num_threads")


@cache
def openblas():
    """Return the OpenBLAS that NumPy's wheel has loaded, and the name of its functions; None if NumPy uses something else."""
    here = Path(np.__file__).parent
    for path in [*here.parent.glob("numpy.libs/*openblas*"), *here.glob(".dylibs/*openblas*")]:
        try:
            library = ctypes.PyDLL(str(path))  # these functions are so short that they keep Python's lock
        except OSError:
            continue
        for name in NAMES:
            if hasattr(library, name.format("set")):
                return library, name
    return None


@cache
def setting():
    """Return (get, set) of the number of threads of BLAS; None if nothing here can set it. For libraries other than OpenBLAS this takes
    threadpoolctl.
    """
    if found := openblas():
        library, name = found
        return library[name.format("get")], library[name.format("set")]
    if find_spec("threadpoolctl"):
        from threadpoolctl import ThreadpoolController

        controllers = ThreadpoolController().select(user_api="blas").lib_controllers
        if controllers:
            return controllers[0].get_num_threads, lambda n: [c.set_num_threads(n) for c in controllers]
    return None


class OneThread:
    """Let matrix products use one thread each in this block, whichever thread computes them. Blocks may be nested, and overlap."""

    def __init__(self):
        self.lock, self.depth, self.before = Lock(), 0, 1

    def __enter__(self):
        if found := setting():
            with self.lock:
                if not self.depth:
                    self.before = found[0]()
                    if self.before != 1:
                        found[1](1)
                self.depth += 1

    def __exit__(self, *exc):
        if found := setting():
            with self.lock:
                self.depth -= 1
                if not self.depth and self.before != 1:
                    found[1](self.before)

    def call(self, function, *args, **options):
        """Return function(*args) with one thread."""
        with self:
            return function(*args, **options)

    def reset(self):
        """Begin anew in the child of a fork, which has the one thread that called it."""
        if self.depth:
            setting()[1](self.before)
        self.__init__()


one_blas_thread = OneThread()

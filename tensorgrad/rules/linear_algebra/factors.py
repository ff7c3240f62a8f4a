"""LU factors of square matrices, which the forward and the backward pass share: by LAPACK in the OpenBLAS of NumPy's wheel.

numpy.linalg keeps the factors to itself, and computes float32 in float64. LAPACK reads a matrix column by column, so an array in
NumPy's order is its transpose. Small and singular matrices, and a NumPy with another library, have no factors here: numpy.linalg is
for them.
"""

import ctypes
from functools import cache
from typing import NamedTuple

import numpy as np

from tensorgrad.arrays.blas import openblas
from tensorgrad.kernels.threads import each

LEAST = 64  # rows; the calls for a smaller matrix take longer than numpy.linalg
THREADED = 128  # rows of a matrix for which a thread pays
KINDS = {np.dtype(np.float32): "s", np.dtype(np.float64): "d"}


@cache
def lapack():
    """Return (OpenBLAS, the pattern of its LAPACK's names, its integers), or None."""
    found = openblas()
    if found is None:
        return None
    library, name = found
    names = f"{name.partition('openblas')[0]}{{}}{{}}_{'64_' if name.endswith('64_') else ''}"
    integer = np.dtype(np.int64 if name.endswith("64_") else np.int32)
    return (library, names, integer) if hasattr(library, names.format("s", "getri")) else None


class Factors(NamedTuple):
    """Aᵀ = P L U for each matrix of a stack (..., n, n): L and U in one array, in LAPACK's order, and the rows that P swaps."""

    LU: np.ndarray
    swaps: np.ndarray

    def solve(self, B, turned=False):
        """Return the X with A X = B, or with Aᵀ X = B if `turned`. The stacks of A and B broadcast."""
        batch = np.broadcast_shapes(self.LU.shape[:-2], B.shape[:-2])
        X = np.array(np.broadcast_to(B.mT, (*batch, *B.mT.shape[-2:])), self.LU.dtype, order="C")
        LU, swaps = [np.broadcast_to(a, batch + a.shape[len(self.LU.shape) - 2 :]) for a in self]
        side = b"N" if turned else b"T"
        over(batch, X, lambda at: call("getrs", X.dtype, side, *X.shape[:-3:-1], LU[at], X.shape[-1], swaps[at], X[at], X.shape[-1]))
        return np.ascontiguousarray(X.mT)

    def inverse(self):
        """Return A⁻¹."""
        X, n = self.LU.copy(), self.LU.shape[-1]
        over(X.shape[:-2], X, lambda at: call("getri", X.dtype, n, X[at], n, self.swaps[at], np.empty(64 * n, X.dtype), 64 * n))
        return X

    def det(self):
        sign, y = self.slogdet()
        return (sign * np.exp(y)).astype(self.LU.dtype)

    def slogdet(self):
        """Return the signs and the logarithms of the absolute values of the determinants."""
        pivots = np.diagonal(self.LU, 0, -2, -1).astype(float)
        odd = (self.swaps != np.arange(1, pivots.shape[-1] + 1)).sum(-1) % 2
        return (1 - 2 * odd) * np.sign(pivots).prod(-1), np.log(np.abs(pivots)).sum(-1)


def factors(A, dtype=None):
    """Return the Factors of a stack of matrices, or None if numpy.linalg should compute, which names a singular matrix."""
    n, dtype = A.shape[-1], A.dtype if dtype is None else dtype
    if n < LEAST or not A.size or lapack() is None:
        return None
    LU, swaps = np.array(A, dtype, order="C"), np.empty(A.shape[:-1], lapack()[2])
    over(A.shape[:-2], LU, lambda at: call("getrf", dtype, n, n, LU[at], n, swaps[at]))
    return Factors(LU, swaps) if np.diagonal(LU, 0, -2, -1).all() else None


def over(batch, X, work):
    """Call work(place) for each matrix of a stack."""
    each([*np.ndindex(batch)], work, pays=X.shape[-1] >= THREADED)


def call(name, dtype, *args):
    """Call a function of LAPACK with numbers, a letter and arrays; it has one more argument, which says what was wrong."""
    library, names, integer = lapack()
    number = ctypes.c_int64 if integer.itemsize == 8 else ctypes.c_int32
    given = [
        ctypes.c_void_p(a.ctypes.data) if isinstance(a, np.ndarray) else a if isinstance(a, bytes) else ctypes.byref(number(a))
        for a in args
    ]
    getattr(library, names.format(KINDS[dtype], name))(*given, ctypes.byref(number()))

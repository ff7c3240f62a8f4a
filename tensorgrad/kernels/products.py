"""The product of two matrices, or of stacks of them, in panels that threads compute."""

from math import prod

import numpy as np

from tensorgrad.arrays.blas import one_blas_thread
from tensorgrad.kernels.blocks import slices
from tensorgrad.kernels.registry import kernel
from tensorgrad.kernels.threads import each

LEAST = 1 << 23  # multiplications from which panels pay: some 150 µs
SHORT = 512  # rows or columns that a product needs for two panels. BLAS copies the other matrix for each panel: 1 to 3 % of the time


@kernel("matmul")
def matmul(A, B, y=None):
    """Return A B, in y if it is given."""
    if A.ndim == B.ndim == 2:
        split = A.size * B.shape[1] > LEAST and max(A.shape[0], B.shape[1]) >= SHORT
        return of_matrices(A, B, y) if split else one_blas_thread.call(np.matmul, A, B, out=y)
    return of_stack(A, B, y)


def of_matrices(A, B, y):
    """Compute panels of rows, or of columns if there are more of these."""
    y = np.empty((A.shape[0], B.shape[1]), np.result_type(A, B)) if y is None else y
    count = max(y.shape)
    panels = slices(count, max(min(SHORT, -(-count // 2)), -(-count // 8)))
    if y.shape[0] == count:
        each(panels, lambda part: np.matmul(A[part], B, out=y[part]))
    else:
        each(panels, lambda part: np.matmul(A, B[:, part], out=y[:, part]))
    return y


def of_stack(A, B, y):
    """Compute parts of the longest axis of the stack."""
    shape = np.broadcast_shapes(A.shape[:-2], B.shape[:-2])
    if prod(shape) * A.shape[-2] * A.shape[-1] * B.shape[-1] <= LEAST or max(shape) < 2:
        return one_blas_thread.call(np.matmul, A, B, out=y)
    y = np.empty((*shape, A.shape[-2], B.shape[-1]), np.result_type(A, B)) if y is None else y
    axis = shape.index(max(shape))
    A, B = [x[(None,) * (y.ndim - x.ndim)] for x in (A, B)]
    at = lambda x, part: x[(slice(None),) * axis + (part if x.shape[axis] > 1 else slice(None),)]
    each(slices(shape[axis], -(-shape[axis] // 8)), lambda part: np.matmul(at(A, part), at(B, part), out=at(y, part)))
    return y

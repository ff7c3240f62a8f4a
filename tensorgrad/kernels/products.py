"""The product of two matrices, or of stacks of them, in panels that threads compute."""

from functools import partial

import numpy as np

from tensorgrad.arrays.blas import one_blas_thread
from tensorgrad.kernels.blocks import slices
from tensorgrad.kernels.registry import kernel
from tensorgrad.kernels.threads import alone, each

LEAST = 1 << 23  # multiplications from which panels pay: some 150 µs
SHORT = 256  # rows or columns that a product needs for two panels. BLAS copies the other matrix for each panel: 1 to 3 % of the time
MANY = 1 << 18  # entries of a part to add up
LONG = 1024  # rows or columns from which there are four panels
DEEP = 512  # rows and columns of two factors from which sums are cut: adding the parts takes 1 to 3 % of the time


@kernel("matmul")
def matmul(A, B, y=None, bias=None):
    """Return A B, in y if it is given. The bias is added to each row of a matrix; a stack has none."""
    y = np.empty((*np.broadcast_shapes(A.shape[:-2], B.shape[:-2]), A.shape[-2], B.shape[-1]), np.result_type(A, B)) if y is None else y
    if A.ndim > 2 or B.ndim > 2:
        of_stack(A, B, y)
    else:
        each(parts(A, B, y, bias), called, added_up)
    return y


def matmuls(*pairs):
    """Return A B for each pair of matrices; threads take parts of all of these."""
    ys = [np.empty((len(A), B.shape[1]), np.result_type(A, B)) for A, B in pairs]
    fill(*[(A, B, y) for (A, B), y in zip(pairs, ys)])
    return ys


def fill(*products):
    """Fill y with A B for each (A, B, y), all of matrices; threads take parts of all of these."""
    each([part for one in products for part in parts(*one)], called, added_up)


@kernel("product")
def product(A, B, y, bias=None):
    """Fill y with A B, and add the bias to each row."""
    np.matmul(A, B, out=y)
    if bias is not None:
        np.add(y, bias, out=y)


def multiplied(A, B):
    """Return A B, of matrices or stacks of equally many, computed by this thread."""
    y = np.empty((*A.shape[:-1], B.shape[-1]), np.result_type(A, B))
    product(A, B, y)
    return y


def parts(A, B, y, bias=None):
    """Return functions that fill panels of rows of y, or of columns if there are more of these; or that return parts of its sums if both
    are few.
    """
    count, inner = max(y.shape), A.shape[1]
    if y.size * inner < LEAST or (count < SHORT and inner < 2 * DEEP):
        return [partial(product, A, B, y, bias)]
    if bias is None and count < 2 * SHORT and inner >= max(2 * DEEP, 4 * count):
        return [partial(part_of_sums, A[:, part], B[part], y, part.start > 0) for part in even_slices(inner, 2 * DEEP)]
    if len(y) == count:
        return [partial(product, A[part], B, y[part], bias) for part in even_slices(count, LONG)]
    return [partial(product, A, B[:, part], y[:, part], None if bias is None else bias[part]) for part in even_slices(count, LONG)]


def part_of_sums(A, B, y, further):
    """Fill y with the first part of the sums; return (y, a further part)."""
    found = np.empty_like(y) if further else y
    product(A, B, found)
    return (y, found) if further else None


def called(part):
    return part()


def added_up(found):
    if found is not None:
        y, further = found
        np.add(y, further, out=y)


def even_slices(count, long):
    """Return 2, 4, 6 or 8 slices of nearly the same length: two for each `long` things. Panels of BLAS have 16 rows."""
    many = min(8, 2 * -(-count // long))
    return slices(count, -(-count // (16 * many)) * 16)


def of_stack(A, B, y):
    """Compute parts of the longest axis of the stack. Each product is the same without parts."""
    shape = y.shape[:-2]
    if alone() or y.size * A.shape[-1] <= LEAST or max(shape) < 2:
        one_blas_thread.call(product, A, B, y)
        return
    axis = shape.index(max(shape))
    A, B = [x[(None,) * (y.ndim - x.ndim)] for x in (A, B)]
    at = lambda x, part: x[(slice(None),) * axis + (part if x.shape[axis] > 1 else slice(None),)]
    each(slices(shape[axis], -(-shape[axis] // 8)), lambda part: product(at(A, part), at(B, part), at(y, part)))


def sum_of_squares(x):
    """Return the sum of the squares of a flat array, a float: inf or nan if an entry is, or if squares of many entries overflow."""
    found = [0.0]

    def add(part):
        found[0] += float(part)

    each(slices(x.size, MANY), lambda part: np.dot(x[part], x[part]), add, pays=x.size > MANY, large=x.size > SHORT)
    return found[0]

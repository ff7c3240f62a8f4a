"""The product of two matrices, or of stacks of them, in panels that threads compute."""

import numpy as np

from tensorgrad.arrays.blas import one_blas_thread
from tensorgrad.kernels.blocks import slices
from tensorgrad.kernels.registry import kernel
from tensorgrad.kernels.threads import each, number

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
        fill((A, B, y, bias))
    return y


def matmuls(*pairs):
    """Return A B for each pair of matrices; threads take parts of all of these."""
    ys = [np.empty((len(A), B.shape[1]), np.result_type(A, B)) for A, B in pairs]
    fill(*[(A, B, y) for (A, B), y in zip(pairs, ys)])
    return ys


def fill(*products):
    """Fill y with A B for each (A, B, y), or with A B + bias for each (A, B, y, bias), all of matrices; threads take parts of all of these.

    Where rows and columns are few and the sums are long, parts of the sums are products of their own, which are added in their order.
    """
    calls, sums = [], []
    for A, B, y, *bias in products:
        bias = [b for b in bias if b is not None]
        count, inner = max(y.shape), A.shape[1]
        if not bias and y.size * inner >= LEAST and count < 2 * SHORT and inner >= max(2 * DEEP, 4 * count):
            first, *others = even_slices(inner, min(8, 2 * -(-inner // (2 * DEEP))))
            further = [np.empty_like(y) for _ in others]
            calls += [(A[:, part], B[part], to) for part, to in zip([first, *others], [y, *further])]
            sums += [(y, part) for part in further]
        else:
            calls.append((A, B, y, *bias))
    product.each(calls, panels)
    for y, part in sums:
        np.add(y, part, out=y)


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


def many_parts(A, y):
    """Return how many panels of y = A B, of rows or of columns if these are more, threads compute: one if there is little to do."""
    count, inner = max(y.shape), A.shape[1]
    return 1 if y.size * inner < LEAST or (count < SHORT and inner < 2 * DEEP) else min(8, 2 * -(-count // LONG))


def panels(A, B, y, bias=None):
    """Return the arguments of products that fill panels of y."""
    if (many := many_parts(A, y)) == 1:
        return [(A, B, y, bias)]
    if len(y) == max(y.shape):
        return [(A[part], B, y[part], bias) for part in even_slices(len(y), many)]
    return [(A, B[:, part], y[:, part], None if bias is None else bias[part]) for part in even_slices(y.shape[1], many)]


def even_slices(count, many):
    """Return so many slices of nearly the same length, or fewer. Panels of BLAS have 16 rows."""
    return slices(count, -(-count // (16 * many)) * 16)


def of_stack(A, B, y):
    """Compute parts of the longest axis of the stack. Each product is the same without parts."""
    shape = y.shape[:-2]
    if number() == 1 or y.size * A.shape[-1] <= LEAST or max(shape) < 2:
        one_blas_thread.call(product, A, B, y)
        return
    axis = shape.index(max(shape))
    A, B = [x[(None,) * (y.ndim - x.ndim)] for x in (A, B)]
    at = lambda x, part: x[(slice(None),) * axis + (part if x.shape[axis] > 1 else slice(None),)]
    product.each([(at(A, part), at(B, part), at(y, part)) for part in slices(shape[axis], -(-shape[axis] // 8))])


def sum_of_squares(x):
    """Return the sum of the squares of a flat array, a float: inf or nan if an entry is, or if squares of many entries overflow."""
    found = [0.0]

    def add(part):
        found[0] += float(part)

    each(slices(x.size, MANY), lambda part: np.dot(x[part], x[part]), add, pays=x.size > MANY, large=x.size > SHORT)
    return found[0]

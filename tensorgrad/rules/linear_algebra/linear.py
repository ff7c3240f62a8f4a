"""Matrix products, and the layer y = x Wᵀ + b.

Legend: A and B are matrices, or stacks of matrices whose leading axes broadcast; C = A B. A vector gets its missing axis before
the rule is applied, so the vjps are those of matrices, the tutorial's equation (3): G Bᵀ and Aᵀ G.
"""

from math import prod

import numpy as np

from scalargrad import rules as rows
from tensorgrad.arrays.axes import shape_of
from tensorgrad.arrays.object_arrays import objects
from tensorgrad.errors.errors import must_repeat
from tensorgrad.kernels.products import matmul as matmul_kernel
from tensorgrad.kernels.products import matmuls
from tensorgrad.public import Array, method
from tensorgrad.rule import Fast, rule
from tensorgrad.rules.elementwise import add, mul
from tensorgrad.rules.linear_algebra.einsum import explicit, products_summed, tensordot
from tensorgrad.rules.shapes import reshape
from tensorgrad.tensor import Tensor
from tensorgrad.vjp import vjp

__all__ = ["addmm", "baddbmm", "bmm", "dot", "linear", "matmul", "mm", "mv", "outer"]


SMALL = 1 << 17  # multiplications up to which a product is NumPy's own, at once


# The matrix product


def matmul_left(G, B):
    """dz/dA = dz/dC Bᵀ"""
    return G @ B.mT


def matmul_right(G, A):
    """dz/dB = Aᵀ dz/dC"""
    return A.mT @ G


def matmul_entries(A, B):
    """Compute each entry of C as one sum of products."""
    return products_summed(A, B, subscripts=explicit("...ij,...jk->...ik", [A.shape, B.shape]))


def is_stack_times_matrix(A, B):
    """Return whether a stack of matrices is multiplied by one matrix. One product with the stack as a tall matrix is faster."""
    return A.ndim > 2 and B.ndim == 2


def matmul_forward(slots, A, B):
    y = product(as_rows(A), B).reshape(*A.shape[:-1], B.shape[1]) if is_stack_times_matrix(A, B) else product(A, B)
    return y, (A if 1 in slots else None, B if 0 in slots else None, bool(slots) and is_stack_times_matrix(A, B))


def matmul_backward(G, AB, slots):
    A, B, tall = AB
    if tall:
        left = lambda: product(as_rows(G), B.T).reshape(*G.shape[:-1], B.shape[0])
        return [product(as_rows(A).T, as_rows(G)) if slot else left() for slot in slots]
    return [product(A.mT, G) if slot else product(G, B.mT) for slot in slots]


def product(A, B, bias=None):
    """Return A B, plus a bias. A column times a row is an outer product, which a matrix product takes three times as long for."""
    if A.size * B.shape[-1] > SMALL and A.shape[-1] > 1:
        return matmul_kernel(A, B, None, bias)
    y = A * B if A.shape[-1] == 1 == B.shape[-2] else np.matmul(A, B)
    return y if bias is None else np.add(y, bias, out=y)


@rule(matmul_left, matmul_right, entries=matmul_entries, fast=Fast(matmul_forward, matmul_backward), name="matmul")
def matrix_product(A, B):
    """Return the product C = A B of matrices, or of stacks of matrices."""
    return np.matmul(A, B)


def vector_product_entries(a, b):
    return products_summed(a, b, subscripts=explicit("...i,...i->...", [a.shape, b.shape]))


@rule(
    vjp("dz/da = dz/dy · b", lambda G, b: G.reshape((*G.shape, 1)) * b),
    vjp("dz/db = dz/dy · a", lambda G, a: G.reshape((*G.shape, 1)) * a),
    entries=vector_product_entries,
)
def vector_product(a, b):
    """y = Σ a · b, along the last axis"""
    return np.vecdot(a, b)


@method
def matmul(A: Array, B: Array):
    """Return the matrix product C of A (..., n, k) and B (..., k, m), with C_ij = Σ A_ir B_rj. C has shape (..., n, m).

    A vector on the left counts as a row, a vector on the right as a column; C lacks that axis. Leading axes broadcast, as in
    np.matmul. Raises ValueError if A has more or fewer columns than B has rows, or if one of them is a number.

    In formulas:
        C = A B
        dz/dA = dz/dC Bᵀ
        dz/dB = Aᵀ dz/dC

    >>> matmul(np.array([[3.0, 7.0], [2.0, 5.0]]), np.array([2.0, 4.0]))
    array([34., 24.])
    """
    return product_as("matmul", A, B)


def product_as(name, A, B):
    """Return A B, with vectors as rows and columns. `name` is the function that the user called."""
    a, b = A.shape, B.shape
    if not (a and b and a[-1] == b[max(-2, -len(b))]):
        raise shape_mismatch(name, a, b)
    if len(a) > 1 < len(b):
        return matrix_product(A, B)
    left, right = len(a) == 1, len(b) == 1
    if left and right:
        return vector_product(A, B)
    C = matrix_product(A.reshape(1, *a) if left else A, B.reshape(*b, 1) if right else B)
    return C.reshape((*C.shape[:-2], *C.shape[-2:][left : 2 - right]))


def shape_mismatch(name, a, b):
    """Return the error for shapes that cannot be multiplied."""
    if not a or not b:
        return ValueError(f"{name}: {a} @ {b}: a 0-d array is not a matrix; multiply with *")
    return ValueError(f"{name}: {a} @ {b}: {a[-1]} columns on the left need {a[-1]} rows on the right, got {b[max(-2, -len(b))]}")


# The matrix product under other names


@method
def dot(A: Array, B: Array):
    """Return the product of vectors and matrices as np.dot does; a number multiplies every entry.

    If B has more than two axes, it sums over the last axis of A and the second-to-last axis of B.

    In formulas, for vectors:
        y = Σ A · B
        dz/dA = dz/dy · B
        dz/dB = dz/dy · A

    >>> dot(np.array([1.0, 2.0]), np.array([3.0, 4.0])).item()
    11.0
    """
    a, b = A.shape, B.shape
    if not a or not b:
        return mul(A, B)
    return product_as("dot", A, B) if len(b) <= 2 else tensordot(A, B, (-1, -2))


@method
def mm(A: Array, B: Array):
    """Return the product of two matrices. Raises ValueError for arrays with another number of axes.

    In formulas:
        y = A B
        dz/dA = dz/dy Bᵀ
        dz/dB = Aᵀ dz/dy

    >>> mm(np.eye(2), np.array([[1.0], [2.0]])).tolist()
    [[1.0], [2.0]]
    """
    return product_of_ndim("mm", A, B, (2, 2))


@method
def bmm(A: Array, B: Array):
    """Return the products of the matrices of two stacks: (batch, n, k) and (batch, k, m) give (batch, n, m).

    In formulas, for each pair of matrices:
        y = A B
        dz/dA = dz/dy Bᵀ
        dz/dB = Aᵀ dz/dy

    Raises ValueError if the stacks do not have equally many matrices; `matmul` broadcasts.

    >>> bmm(np.ones((5, 2, 3)), np.ones((5, 3, 4))).shape
    (5, 2, 4)
    """
    a, b = A.shape, B.shape
    if a[:1] != b[:1]:
        raise ValueError(f"bmm: shapes {a} and {b} are not stacks of equally many matrices; matmul broadcasts")
    return product_of_ndim("bmm", A, B, (3, 3))


@method
def mv(A: Array, x: Array):
    """Return the product of a matrix and a vector. Raises ValueError for arrays with another number of axes.

    In formulas:
        y = A x
        dz/dA = dz/dy xᵀ
        dz/dx = Aᵀ dz/dy

    >>> mv(np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([1.0, 1.0]))
    array([3., 7.])
    """
    return product_of_ndim("mv", A, x, (2, 1))


def product_of_ndim(name, A, B, axes):
    """Return A B if both have as many axes as `name` accepts."""
    a, b = shape_of(A), shape_of(B)
    if (len(a), len(b)) != axes:
        raise ValueError(f"{name}: shapes {a} and {b} do not fit; use {axes[0]} axes on the left and {axes[1]} on the right, or matmul")
    return product_as(name, A, B)


@method
def outer(a: Array, b: Array):
    """Return all products of an entry of a and an entry of b: one row per entry of a.

    In formulas:
        y = a bᵀ
        dz/da = dz/dy b
        dz/db = dz/dyᵀ a

    >>> outer(np.array([1.0, 2.0]), np.array([3.0, 4.0]))
    array([[3., 4.],
           [6., 8.]])
    """
    return matrix_product(reshape(a, (-1, 1)), reshape(b, (1, -1)))


@method
def addmm(C: Array, A: Array, B: Array, beta=1, alpha=1):
    """Return beta C + alpha A B, for matrices A and B. C broadcasts to the shape of A B.

    In formulas:
        y = beta · C + alpha · A B
        dz/dC = beta · dz/dy
        dz/dA = alpha · dz/dy Bᵀ
        dz/dB = alpha · Aᵀ dz/dy

    >>> addmm(np.ones(2), np.eye(2), np.eye(2), alpha=3).tolist()
    [[4.0, 1.0], [1.0, 4.0]]
    """
    return plus_product("addmm", C, product_of_ndim("addmm", A, B, (2, 2)), beta, alpha)


@method
def baddbmm(C: Array, A: Array, B: Array, beta=1, alpha=1):
    """Return beta C + alpha A B, for stacks of matrices (batch, n, k) and (batch, k, m). C broadcasts to the shape of A B.

    In formulas:
        y = beta · C + alpha · A B
        dz/dC = beta · dz/dy
        dz/dA = alpha · dz/dy Bᵀ
        dz/dB = alpha · Aᵀ dz/dy

    >>> baddbmm(np.ones((1, 1, 1)), np.ones((1, 1, 4)), np.ones((1, 4, 1))).item()
    5.0
    """
    return plus_product("baddbmm", C, product_of_ndim("baddbmm", A, B, (3, 3)), beta, alpha)


def plus_product(name, C, AB, beta, alpha):
    must_repeat(name, "C", C.shape, AB.shape)
    return add(C if beta == 1 else mul(beta, C), AB if alpha == 1 else mul(alpha, AB))


# The layer


def linear_x(G, W):
    """dz/dx = dz/dy W"""
    return times(G, W) if len(G.shape) < 3 else times(as_rows(G), W).reshape((*G.shape[:-1], W.shape[1]))  # one product, not one per sample


def times(A, B):
    """Return A B, of arrays or of tensors."""
    return A @ B if type(A) is Tensor or type(B) is Tensor else product(A, B)


def linear_entries(x, W, b=None):
    """Compute each entry of y as one function of its weights, its inputs and its bias."""
    x, W = objects(x), objects(W)
    y = np.empty((*x.shape[:-1], len(W)), dtype=object)
    for place in np.ndindex(y.shape):
        y[place] = rows.dot(*W[place[-1]], *x[place[:-1]], *([] if b is None else [b[place[-1]]]))
    return y


def linear_forward(slots, x, W, b=None):
    must_fit_layer(shape_of(x), shape_of(W), None if b is None else shape_of(b))
    same = b is not None and np.result_type(x, W, b) == np.result_type(x, W)
    y = product(as_rows(x), W.T, b if same else None).reshape(*x.shape[:-1], len(W))
    return y if b is None or same else y + b, (x if 1 in slots else None, W if 0 in slots else None)


def linear_backward(G, aux, slots):
    """Return the contributions, which threads compute at the same time. That of b is a product with ones, the fastest way to add."""
    x, W = aux
    rows = as_rows(G)
    factors = lambda slot: (rows, W) if slot == 0 else (rows.T, as_rows(x)) if slot == 1 else (np.ones((1, len(rows)), G.dtype), rows)
    pairs = [factors(slot) for slot in slots]
    large = sum([A.size * B.shape[1] for A, B in pairs]) > SMALL
    found = matmuls(*pairs) if large else [product(A, B) for A, B in pairs]
    shapes = (*G.shape[:-1], W.shape[1] if 0 in slots else 0), None, G.shape[-1:]
    return [y if slot == 1 else y.reshape(shapes[slot]) for slot, y in zip(slots, found)]


@rule(
    linear_x,
    vjp("dz/dW = dz/dyᵀ x, over all rows of the batch", lambda G, x: times(as_rows(G).swapaxes(0, 1), as_rows(x))),
    vjp("dz/db = dz/dy, summed over the batch", lambda G: G),  # the backward loop unbroadcasts every contribution
    entries=linear_entries,
    fast=Fast(linear_forward, linear_backward),
)
def linear(x, W, b=None):
    """Return y = x Wᵀ + b, the layer of a network.

    In formulas:
        y = x Wᵀ + b

    x has shape (..., in), W (out, in), and b (out,) or is None; y has shape (..., out). Raises ValueError if the shapes do not
    fit.

    >>> linear(np.array([1.0, 2.0]), np.array([[3.0, 4.0]]), np.array([5.0]))
    array([16.])
    """
    return linear_forward((), x, W, b)[0]


def must_fit_layer(x, W, b):
    if len(W) != 2 or not x or x[-1] != W[1]:
        raise ValueError(f"linear: x of shape {x} does not fit W of shape {W}; W is (out, in), and the last axis of x is `in`")
    if b not in (None, (W[0],)):
        raise ValueError(f"linear: bias has shape {b}; with W of shape {W}, which is (out, in), bias needs ({W[0]},)")


def as_rows(x):
    """Return x (..., n) as one matrix with rows of length n."""
    return x.reshape(prod(x.shape[:-1]), x.shape[-1])

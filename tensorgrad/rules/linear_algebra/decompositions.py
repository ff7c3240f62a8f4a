"""Functions of square matrices: inverse, linear equations, determinant, Cholesky decomposition.

Stacks of matrices are allowed. Source of the formulas: M. B. Giles, "Collected matrix derivative results for forward and
reverse mode algorithmic differentiation", 2008.
"""

from itertools import combinations

import numpy as np

from scalargrad import rules as rows
from tensorgrad.arrays.object_arrays import objects
from tensorgrad.errors.errors import not_a_matrix
from tensorgrad.public import Array, method, public
from tensorgrad.rule import Fast, rule
from tensorgrad.rules.linear_algebra.factors import factors
from tensorgrad.tensor import array_of
from tensorgrad.vjp import vjp

__all__ = ["cholesky", "det", "inv", "slogdet", "solve"]

SMALL = 32  # a triangular matrix with so few rows is inverted without splitting it


# Inverse


@method
@rule(
    vjp("dz/dA = -A⁻ᵀ dz/dy A⁻ᵀ", lambda G, y: -(y.mT @ G @ y.mT)),
    entries=lambda A: map_matrices(lambda A: gauss_jordan(A, np.eye(len(A), dtype=int).astype(object)), A),
)
def inv(A):
    """Return the inverse A⁻¹ of a square matrix A (..., n, n). Raises LinAlgError, a ValueError, if A is singular.

    In formulas:
        y = A⁻¹

    >>> inv(np.array([[2.0, 0.0], [0.0, 4.0]])).tolist()
    [[0.5, 0.0], [0.0, 0.25]]
    """
    must_be_square("inv", A.shape)
    LU = factors(A)
    return or_name_matrix("inv: {} is singular, so it has no inverse", np.linalg.inv, A) if LU is None else LU.inverse()


# Equations


def solve_right_side(G, A):
    """dz/dB = A⁻ᵀ dz/dy"""
    return solve_columns(A.mT, G)


def solve_forward(slots, A, B):
    LU = factors(A, np.result_type(A, B))
    y = solve_columns.forward(A, B) if LU is None else LU.solve(B)
    return y, (A, y if 0 in slots else None, LU)


def solve_backward(G, aux, slots):
    """Compute both contributions from one solution of Aᵀ X = G."""
    A, y, LU = aux
    X = solve_right_side(G, A) if LU is None else LU.solve(G, turned=True)
    return [X if slot else -(X @ y.mT) for slot in slots]


@rule(
    vjp("dz/dA = -A⁻ᵀ dz/dy yᵀ", lambda G, A, y: -(solve_columns(A.mT, G) @ y.mT)),
    solve_right_side,
    entries=lambda A, B: map_matrices(gauss_jordan, A, B),
    fast=Fast(solve_forward, solve_backward),
    name="solve",
)
def solve_columns(A, B):
    """Return the X with A X = B, for stacks of matrices."""
    return or_name_matrix("solve: {} is singular, so there is no one solution", np.linalg.solve, A, B)


@public
def solve(A: Array, b: Array):
    """Return the solution x of A x = b, for square A (..., n, n) and columns b (..., n, k), or one vector b (n,).

    In formulas:
        x = A⁻¹ b
        dz/db = A⁻ᵀ dz/dx
        dz/dA = -dz/db xᵀ

    Raises LinAlgError, a ValueError, if A is singular, and ValueError if the shapes do not fit.

    >>> solve(np.array([[2.0, 0.0], [0.0, 4.0]]), np.array([2.0, 2.0])).tolist()
    [1.0, 0.5]
    """
    a, shape = A.shape, b.shape
    must_be_square("solve", a)
    if not shape or shape[max(-2, -len(shape))] != a[-1]:
        raise ValueError(f"solve: A of shape {a} has {a[-1]} equations, but b has shape {shape}; it needs (n,) or (..., n, columns)")
    if len(shape) > 1:
        return solve_columns(A, b)
    x = solve_columns(A, np.asarray(b)[:, None] if isinstance(b, list | tuple) else b.reshape(-1, 1))
    return x.reshape(*x.shape[:-1])


# Determinant


def det_vjp(G, A):
    """dz/dA = dz/dy · cofactors of A (= dz/dy · y A⁻ᵀ where A has an inverse)"""
    return G.reshape(*G.shape, 1, 1) * cofactors(A)


def det_forward(slots, A):
    LU = factors(A)
    y = det.forward(A) if LU is None else LU.det()
    return y, (A, y.copy(), LU)  # so that the value can be freed


def det_backward(G, aux, slots):
    """Compute dz/dA from the inverse, which is fast; use the cofactors if A is singular.

    Inverse and determinant come from the same factors, so near a singular matrix their errors cancel.
    """
    A, y, LU = aux
    try:
        inverse = np.linalg.inv(A) if LU is None else LU.inverse()
    except np.linalg.LinAlgError:
        return [det_vjp(G, A)]
    if not (np.abs(y) > np.finfo(A.dtype).tiny).all() or not (np.isfinite(y).all() and np.isfinite(inverse).all()):
        return [det_vjp(G, A)]
    return [(G * y)[..., None, None] * inverse.mT]


@method
@rule(det_vjp, entries=lambda A: map_matrices(laplace_expansion, A, to=()), fast=Fast(det_forward, det_backward))
def det(A):
    """Return the determinant of a square matrix A (..., n, n).

    In formulas, for the orders p of the columns:
        y = Σ over p: sign(p) Π over i: A[i,p[i]]
        dz/dA = dz/dy · y A⁻ᵀ, where A has an inverse

    The first derivative also exists for singular matrices, and is nan for one that is not finite; the second needs the inverse.

    >>> det(np.array([[0.0, 1.0], [1.0, 0.0]])).item()
    -1.0
    """
    must_be_square("det", A.shape)
    return np.linalg.det(A)


def cofactors_vjp(G, A, y):
    """dz/dA = Σ(dz/dy · y) A⁻ᵀ - y dz/dyᵀ A⁻ᵀ"""
    inverse = inv(A).mT
    return (G * y).sum((-2, -1), keepdims=True) * inverse - y @ G.mT @ inverse


@rule(cofactors_vjp, entries=lambda A: map_matrices(cofactors_by_minors, A))
def cofactors(A):
    """Return the derivatives of det(A) by each entry: the signed determinants without the row and column of that entry."""
    must_be_square("cofactors", A.shape)
    finite = np.isfinite(A).all((-2, -1), keepdims=True)
    U, s, V = np.linalg.svd(np.where(finite, A, 0))  # A = U diag(s) V; this does not divide, so A may be singular
    others = np.where(np.eye(s.shape[-1], dtype=bool), 1, s[..., None, :]).prod(-1).astype(s.dtype)
    found = (np.linalg.det(U) * np.linalg.det(V))[..., None, None] * ((U * others[..., None, :]) @ V)
    return np.where(finite, found, np.nan).astype(A.dtype)


def logabsdet_vjp(G, A):
    """dz/dA = dz/dy A⁻ᵀ"""
    return G.reshape(*G.shape, 1, 1) * inv(A).mT


def logabsdet_forward(slots, A):
    must_be_square("slogdet", A.shape)
    LU = factors(A)
    sign, y = np.linalg.slogdet(A) if LU is None else [number.astype(A.dtype) for number in LU.slogdet()]
    return y, (A, sign, LU)  # slogdet reads the sign


def logabsdet_backward(G, aux, slots):
    A, _, LU = aux
    return [logabsdet_vjp(G, A) if LU is None else G[..., None, None] * LU.inverse().mT]


@rule(
    logabsdet_vjp,
    entries=lambda A: map_matrices(lambda A: rows.log(abs(laplace_expansion(A))), A, to=()),
    fast=Fast(logabsdet_forward, logabsdet_backward),
)
def logabsdet(A):
    """Return log |det A|, also if det A would overflow; -inf for a singular matrix."""
    must_be_square("slogdet", A.shape)
    return np.linalg.slogdet(A)[1]


@method
def slogdet(A: Array):
    """Return (sign, logarithm of the absolute value) of the determinant. The sign is a plain array without a gradient.

    In formulas, for the logarithm y:
        y = log(|det(A)|)
        dz/dA = dz/dy · A⁻ᵀ

    >>> [number.item() for number in slogdet(np.array([[0.0, 1.0], [1.0, 0.0]]))]
    [-1.0, 0.0]
    """
    must_be_square("slogdet", A.shape)
    log = logabsdet(A)
    node = getattr(log, "node", None)
    return np.linalg.slogdet(array_of(A))[0] if node is None else node.aux[1], log


# Cholesky


def cholesky_vjp(G, y):
    """dz/dA = the symmetric part of y⁻ᵀ Φ(yᵀ dz/dy) y⁻¹, where Φ takes the lower triangle and half the diagonal"""
    inverse = inv(y)
    n = y.shape[-1]
    half = (np.tri(n) - np.eye(n) / 2).astype(y.dtype)
    S = inverse.mT @ ((y.mT @ G) * half) @ inverse
    return (S + S.mT) / 2


def cholesky_forward(slots, A):
    y = cholesky.forward(A)
    return y, y


def cholesky_backward(G, y, slots):
    """Compute dz/dA with the inverse of a triangular matrix, and with one product less than `cholesky_vjp`."""
    inverse, turned = inverse_of_lower_triangular(y), y.mT
    P = np.tril(turned @ G)
    P[(..., *np.diag_indices(y.shape[-1]))] /= 2
    S = inverse.mT @ P @ inverse
    return [(S + S.mT) / 2]


def inverse_of_lower_triangular(L):
    """L⁻¹ block by block: [[A, 0], [B, C]]⁻¹ = [[A⁻¹, 0], [-C⁻¹ B A⁻¹, C⁻¹]]"""
    n = L.shape[-1]
    if n <= SMALL:
        return np.linalg.inv(L)
    half, found = n // 2, np.zeros_like(L)
    first, last = slice(half), slice(half, n)
    A, C = [inverse_of_lower_triangular(L[..., part, part]) for part in (first, last)]
    found[..., first, first], found[..., last, last] = A, C
    found[..., last, first] = -C @ L[..., last, first] @ A
    return found


@method
@rule(cholesky_vjp, entries=lambda A: map_matrices(cholesky_by_rows, A), fast=Fast(cholesky_forward, cholesky_backward))
def cholesky(A):
    """Return the lower triangular L with L Lᵀ = A, for a symmetric, positive definite matrix A.

    In formulas:
        A = y yᵀ
        dz/dA = (M + Mᵀ) / 2, with M = y⁻ᵀ Φ(yᵀ dz/dy) y⁻¹

    Φ takes the lower triangle and half the diagonal. L is a function of the symmetric part of A, (A + Aᵀ)/2, so the gradient is
    symmetric, as in PyTorch. Raises LinAlgError, a ValueError, if A is not positive definite.

    >>> cholesky(np.array([[4.0, 2.0], [2.0, 5.0]])).tolist()
    [[2.0, 0.0], [1.0, 2.0]]
    """
    must_be_square("cholesky", A.shape)
    return or_name_matrix("cholesky: {} is not positive definite", np.linalg.cholesky, (A + A.mT) / 2)


# The same functions on matrices of Values, entry by entry


def map_matrices(function, A, *others, to=None):
    """Apply `function` to every matrix of a stack. `to` is the shape of its result, by default that of its last argument."""
    stacks = [objects(x) for x in (A, *others)]
    batch = np.broadcast_shapes(*[x.shape[:-2] for x in stacks])
    found = np.empty(batch + (stacks[-1].shape[-2:] if to is None else to), dtype=object)
    stacks = [np.broadcast_to(x, batch + x.shape[-2:]) for x in stacks]
    for place in np.ndindex(batch):
        found[place] = function(*[x[place] for x in stacks])
    return found


def gauss_jordan(A, B):
    """Return the X with A X = B, by elimination with the largest pivot of each column."""
    n = len(A)
    M = np.concatenate([A, B], axis=1)
    for k in range(n):
        pivot = max(range(k, n), key=lambda i: abs(M[i, k]))
        M[[k, pivot]] = M[[pivot, k]]
        M[k] = M[k] / M[k, k : k + 1]
        for i in range(n):
            if i != k:
                M[i] = M[i] - M[i, k : k + 1] * M[k]
    return M[:, n:]


def laplace_expansion(A):
    """Return the determinant, expanded along one row after the other."""
    n = len(A)
    below = {(): 1}  # {columns: the determinant of the last rows in these columns}
    for k in range(1, n + 1):
        row = A[n - k]
        below = {
            columns: sum((-1) ** i * row[j] * below[columns[:i] + columns[i + 1 :]] for i, j in enumerate(columns))
            for columns in combinations(range(n), k)
        }
    return below[tuple(range(n))]


def cofactors_by_minors(A):
    """Return the cofactors: (-1)^(i+j) times the determinant without row i and column j."""
    found = np.empty(A.shape, dtype=object)
    for i, j in np.ndindex(A.shape):
        found[i, j] = (-1) ** (i + j) * laplace_expansion(np.delete(np.delete(A, i, 0), j, 1))
    return found


def cholesky_by_rows(A):
    """Return the Cholesky factor, row by row."""
    L = np.zeros(A.shape, dtype=object)
    for i, j in zip(*np.tril_indices(len(A))):
        rest = (A[i, j] + A[j, i]) / 2 - sum(L[i, k] * L[j, k] for k in range(j))
        L[i, j] = rows.sqrt(rest) if i == j else rest / L[j, j]
    return L


# Errors


def must_be_square(name, shape):
    if len(shape) < 2 or shape[-1] != shape[-2]:
        raise not_a_matrix(name, shape, "a square matrix")


def or_name_matrix(text, function, A, *others):
    """Call NumPy's function; on LinAlgError, raise an error that names the first matrix of the stack that fails."""
    try:
        return function(A, *others)
    except np.linalg.LinAlgError:
        for place in np.ndindex(A.shape[:-2]):
            try:
                function(A[place], *[np.eye(A.shape[-1]) for _ in others])
            except np.linalg.LinAlgError:
                which = f"matrix {place[0] if len(place) == 1 else place} of the stack" if place else f"the matrix of shape {A.shape}"
                raise np.linalg.LinAlgError(text.format(which)) from None
        raise

"""Eigenvalues of symmetric matrices, singular values of any matrix, their vectors, rank and pseudo-inverse.

Legend: A = V diag(w) Vᵀ with eigenvalues w in ascending order, or A = U diag(s) Vᵀ with singular values s in descending order.
One rule gives values and vectors: column i of its result holds the i-th value and its vectors, below each other.
"""

from typing import Any, NamedTuple

import numpy as np

from tensorgrad.arrays.axes import shape_of
from tensorgrad.arrays.floats import ARRAY
from tensorgrad.arrays.jacobi_rotations import eigen_by_rotations, singular_by_rotations
from tensorgrad.errors.errors import not_a_matrix
from tensorgrad.public import Array, method, public
from tensorgrad.rule import Fast, rule
from tensorgrad.rules.linear_algebra.decompositions import gauss_jordan, map_matrices, must_be_square, or_name_matrix
from tensorgrad.tensor import Tensor, array_of

__all__ = ["eig", "eigh", "eigvals", "eigvalsh", "matrix_rank", "pinv", "svd", "svdvals"]

NO_ANSWER = "{}: {{}} has no answer that converges; are all of its entries finite?"
EQUALITY_TOLERANCE = 10  # values closer than this · their number · eps · the largest value count as equal
SYMMETRY_TOLERANCE = 100  # a matrix counts as symmetric up to this · eps · its largest entry


class Eigen(NamedTuple):
    """The result of eigh."""

    eigenvalues: Any
    eigenvectors: Any


class Singular(NamedTuple):
    """The result of svd."""

    U: Any
    S: Any
    Vh: Any


def divide_or_nan(X, by, alike):
    """Return X / by. Where `alike` marks a divisor that is 0 but for rounding, return nan, or 0 if X is 0."""
    lost = np.where(alike & (array_of(X) != 0), np.nan, 0).astype(X.dtype)
    return X * (~alike / (by + alike)) + lost


def rounding(values):
    """Return how much rounding may change the values."""
    size = np.abs(values).max(-1, initial=0, keepdims=True)
    return EQUALITY_TOLERANCE * values.shape[-1] * np.finfo(values.dtype).eps * size


def nearly_equal(values):
    """Return which pairs of values are equal but for rounding."""
    values = array_of(values)
    return np.abs(as_row(values) - as_row(values).mT) <= rounding(values)[..., None]


def divide_by_gaps(X, by, values):
    """Return X_ij / by_ij for i ≠ j, and 0 for i = j.

    If the values i and j are equal, their vectors are not unique: the result is then nan, unless X_ij is 0.
    """
    own = np.eye(X.shape[-1], dtype=bool)
    return divide_or_nan(X * ~own, by, nearly_equal(values))


def unused(*parts):
    """Return whether these parts of dz/dy are plain arrays of zeros: the loss then uses no vectors, and their derivatives add nothing."""
    return all(type(part) is ARRAY and not part.any() for part in parts)


def as_row(x):
    """Return a vector as a row: A * row(x) is A diag(x)."""
    return x[..., None, :]


def diagonal_of(x):
    return as_row(x) * np.eye(x.shape[-1], dtype=x.dtype)


# Eigenvalues of symmetric matrices


def eigen_vjp(G, y):
    """dz/dA = symmetric part of Σ over i, j: vᵢ vⱼᵀ (dz/dy[w,i] if i = j, else vᵢᵀ dz/dy[v,j] / (wⱼ - wᵢ)); y[w,i] is wᵢ, y[v,i] is vᵢ"""
    # V (diag(dz/dw) + F ∘ Vᵀ dz/dV) Vᵀ with F_ij = 1 / (w_j - w_i)
    w, V = y[..., 0, :], y[..., 1:, :]
    if unused(G[..., 1:, :]):
        S = (V * G[..., :1, :]) @ V.mT
        return (S + S.mT) / 2
    turning = divide_by_gaps(V.mT @ G[..., 1:, :], as_row(w) - as_row(w).mT, w)
    S = V @ (diagonal_of(G[..., 0, :]) + turning) @ V.mT
    return (S + S.mT) / 2


def eigen_entries(A):
    return map_matrices(eigen_by_rotations, A, to=(A.shape[-1] + 1, A.shape[-1]))


@rule(eigen_vjp, entries=eigen_entries, name="eigh")
def eigen(A):
    """Return in column i the i-th eigenvalue of the symmetric part of A, and below it its eigenvector."""
    w, V = or_name_matrix(NO_ANSWER.format("eigh"), np.linalg.eigh, (A + A.mT) / 2)
    return np.concatenate([as_row(w), V], -2)


@public
def eigh(A: Array):
    """Return (eigenvalues, eigenvectors) of a symmetric matrix: w in ascending order, and V with the vector of w_i in column i.

    In formulas:
        A = V diag(w) Vᵀ
        dz/dA = (M + Mᵀ) / 2, with M = V (diag(dz/dw) + F ∘ (Vᵀ dz/dV)) Vᵀ
        F[i,j] = 1 / (w[j] - w[i]), and 0 for i = j

    They are functions of the symmetric part of A, (A + Aᵀ)/2, so the gradient is symmetric. The vectors have length 1. Their
    signs are LAPACK's; a loss should not depend on them. If eigenvalues are equal (but for rounding), their vectors are not
    unique and have no derivative: it is nan if the loss uses them. `eigvalsh` computes no vectors and has a derivative
    everywhere. Raises LinAlgError, a ValueError, if nothing converges. Source: M. B. Giles, "Collected matrix derivative
    results", 2008.

    >>> w, V = eigh(np.array([[2.0, 0.0], [0.0, 1.0]])); w.tolist(), abs(V).tolist()
    ([1.0, 2.0], [[0.0, 1.0], [1.0, 0.0]])
    """
    must_be_square("eigh", A.shape)
    y = eigen(A)
    return Eigen(y[..., 0, :], y[..., 1:, :])


def eigenvalues_vjp(G, A):
    """dz/dA = Σ over i: dz/dy[i] vᵢ vᵢᵀ, with the vectors vᵢ of A"""
    V = eigh(A).eigenvectors
    return (V * as_row(G)) @ V.mT


def eigenvalues_forward(slots, A):
    if not slots:
        return eigvalsh.forward(A), None
    must_be_square("eigvalsh", A.shape)
    y = eigen.forward(A)
    return y[..., 0, :].copy(), y[..., 1:, :]


def eigenvalues_backward(G, V, slots):
    return [(V * as_row(G)) @ V.mT]


@rule(eigenvalues_vjp, entries=lambda A: eigen_entries(A)[..., 0, :], fast=Fast(eigenvalues_forward, eigenvalues_backward))
def eigvalsh(A):
    """Return the eigenvalues of a symmetric matrix in ascending order. Of equal ones, each has the derivative of one vector.

    In formulas:
        A = V diag(y) Vᵀ
        dz/dA = V diag(dz/dy) Vᵀ

    Raises LinAlgError, a ValueError, if nothing converges. See `eigh`.

    >>> eigvalsh(np.array([[2.0, 1.0], [1.0, 2.0]])).round(12).tolist()
    [1.0, 3.0]
    """
    must_be_square("eigvalsh", A.shape)
    return or_name_matrix(NO_ANSWER.format("eigvalsh"), np.linalg.eigvalsh, (A + A.mT) / 2)


@public
def eig(A: Array):
    """Return `eigh` of a matrix that must be symmetric; others may have complex eigenvalues, which a tensor cannot hold.

    In formulas:
        A = V diag(w) Vᵀ
        dz/dA = (M + Mᵀ) / 2, with M = V (diag(dz/dw) + F ∘ (Vᵀ dz/dV)) Vᵀ
        F[i,j] = 1 / (w[j] - w[i]), and 0 for i = j

    Raises ValueError if the matrix is not symmetric.

    >>> eig(np.array([[2.0, 0.0], [0.0, 1.0]])).eigenvalues.tolist()
    [1.0, 2.0]
    """
    must_be_symmetric("eig", A)
    return eigh(A)


@public
def eigvals(A: Array):
    """Return `eigvalsh` of a matrix that must be symmetric; others may have complex eigenvalues, which a tensor cannot hold.

    In formulas:
        A = V diag(y) Vᵀ
        dz/dA = V diag(dz/dy) Vᵀ

    Raises ValueError if the matrix is not symmetric.

    >>> eigvals(np.array([[2.0, 0.0], [0.0, 1.0]])).tolist()
    [1.0, 2.0]
    """
    must_be_symmetric("eigvals", A)
    return eigvalsh(A)


def must_be_symmetric(name, A):
    must_be_square(name, shape_of(A))
    a = array_of(A)
    if not np.allclose(a, a.mT, rtol=0, atol=SYMMETRY_TOLERANCE * np.finfo(a.dtype).eps * np.max(np.abs(a), initial=0), equal_nan=True):
        raise ValueError(f"{name}: the matrix of shape {a.shape} is not symmetric; eigh and eigvalsh take its symmetric part")


# Singular values


def singular_vjp(G, y, A_shape):
    """dz/dA = Σ over i: dz/dy[s,i] uᵢ vᵢᵀ + dz/dy[u,i] ∂uᵢ/∂A + dz/dy[v,i] ∂vᵢ/∂A; y[u,i] is uᵢ, y[s,i] is sᵢ, y[v,i] is vᵢ"""
    # U (diag(dz/ds) + J diag(s) + diag(s) K) Vᵀ + (1 - U Uᵀ) dz/dU diag(1/s) Vᵀ + U diag(1/s) dz/dVᵀ (1 - V Vᵀ) with
    # J = F ∘ (Uᵀ dz/dU - dz/dUᵀ U) and K = F ∘ (Vᵀ dz/dV - dz/dVᵀ V), F_ij = 1 / (s_j² - s_i²)
    (m, n), k = A_shape[-2:], y.shape[-1]
    U, s, V = y[..., :m, :], y[..., m, :], y[..., m + 1 :, :]
    dU, ds, dV = G[..., :m, :], G[..., m, :], G[..., m + 1 :, :]
    if unused(dU, dV):
        return (U * as_row(ds)) @ V.mT
    columns, zero = as_row(s), as_row(array_of(s) <= rounding(array_of(s)))
    apart = (columns - columns.mT) * (columns + columns.mT)
    J, K = [divide_by_gaps(X.mT @ dX, apart, s) for X, dX in ((U, dU), (V, dV))]
    found = U @ (diagonal_of(ds) + (J + J.mT) * columns + columns.mT * (K + K.mT)) @ V.mT
    if m > k:
        found = found + divide_or_nan(dU - U @ (U.mT @ dU), columns, zero) @ V.mT
    if n > k:
        found = found + U @ divide_or_nan(dV - V @ (V.mT @ dV), columns, zero).mT
    return found


def singular_entries(A):
    m, n = A.shape[-2:]
    return map_matrices(singular_by_rotations, A, to=(m + n + 1, min(m, n)))


@rule(singular_vjp, entries=singular_entries, name="svd")
def singular(A):
    """Return in column i the i-th left vector of A, the i-th singular value and the i-th right vector, below each other."""
    U, s, Vh = or_name_matrix(NO_ANSWER.format("svd"), thin_svd, A)
    return np.concatenate([U, as_row(s), Vh.mT], -2)


def thin_svd(A):
    return np.linalg.svd(A, full_matrices=False)


@method
def svd(A: Array, full_matrices=True, compute_uv=True):
    """Return (U, S, Vh) with A = U diag(S) Vh and the singular values S in descending order.

    In formulas:
        A = U diag(S) Vh

    In the backward pass:
        dz/dA = U (diag(dz/dS) + P diag(S) + diag(S) Q) Vᵀ + (dz/dU - U Uᵀ dz/dU) diag(S)⁻¹ Vᵀ + U diag(S)⁻¹ (dz/dVᵀ - dz/dVᵀ V Vᵀ)
        P = F ∘ (Uᵀ dz/dU - dz/dUᵀ U)
        Q = F ∘ (Vᵀ dz/dV - dz/dVᵀ V)
        F[i,j] = 1 / (S[j]² - S[i]²), and 0 for i = j

    For A (..., m, n) and k = min(m, n), U has shape (..., m, k), S (..., k) and Vh (..., k, n). The signs of the vectors are
    LAPACK's; a loss should not depend on them. If singular values are equal or 0 (but for rounding), their vectors are not
    unique and have no derivative: it is nan if the loss uses them. `svdvals` has a derivative everywhere. Source: J. Townsend,
    "Differentiating the singular value decomposition", 2016.

    - full_matrices: add vectors to U or Vh if m ≠ n. They have no derivative, so a tensor then raises ValueError.
    - compute_uv: if False, return only S

    >>> U, S, Vh = svd(np.array([[0.0, 2.0], [1.0, 0.0]])); S.tolist(), abs(U).tolist()
    ([2.0, 1.0], [[1.0, 0.0], [0.0, 1.0]])
    """
    shape = must_be_matrix("svd", A)
    if not compute_uv:
        return svdvals(A)
    m, n = shape[-2:]
    if full_matrices and m != n:
        if type(A) is Tensor:
            raise ValueError(f"svd: a matrix of shape {shape} is not square, so full_matrices adds vectors that have no derivative; "
                             "write svd(A, full_matrices=False)")  # fmt: skip
        return Singular(*np.linalg.svd(A))
    y = singular(A)
    return Singular(y[..., :m, :], y[..., m, :], y[..., m + 1 :, :].mT)


def singular_values_vjp(G, A):
    """dz/dA = Σ over i: dz/dy[i] uᵢ vᵢᵀ, with the vectors uᵢ and vᵢ of A"""
    U, _, Vh = svd(A, full_matrices=False)
    return (U * as_row(G)) @ Vh


def singular_values_forward(slots, A):
    if not slots:
        return svdvals.forward(A), None
    U, s, Vh = or_name_matrix(NO_ANSWER.format("svdvals"), thin_svd, A)
    return s, (U, Vh)


def singular_values_backward(G, vectors, slots):
    U, Vh = vectors
    return [(U * as_row(G)) @ Vh]


@rule(
    singular_values_vjp,
    entries=lambda A: singular_entries(A)[..., A.shape[-2], :],
    fast=Fast(singular_values_forward, singular_values_backward),
)
def svdvals(A):
    """Return the singular values of a matrix in descending order.

    In formulas:
        A = U diag(y) Vᵀ
        dz/dA = U diag(dz/dy) Vᵀ

    The derivative of each is u vᵀ of its vectors. If values are equal or 0, these vectors are one choice of several, and the
    second derivative is nan.

    >>> svdvals(np.array([[0.0, 2.0], [1.0, 0.0]])).tolist()
    [2.0, 1.0]
    """
    must_be_matrix("svdvals", A)
    return or_name_matrix(NO_ANSWER.format("svdvals"), lambda A: np.linalg.svd(A, compute_uv=False), A)


@method
def matrix_rank(A: Array, tol=None, hermitian=False, *, rtol=None):
    """Return how many singular values are larger than `tol`: a plain count, without a gradient.

    By default, `tol` is the rounding error of the largest singular value; with `rtol` it is rtol times that value. With
    `hermitian`, A is symmetric, and the absolute values of its eigenvalues count.

    >>> matrix_rank(np.ones((3, 2))).item()
    1
    """
    must_be_matrix("matrix_rank", A)
    return np.linalg.matrix_rank(array_of(A), tol, hermitian, rtol=rtol)


# Pseudo-inverse


def pinv_vjp(G, A, y):
    """dz/dA = -yᵀ dz/dy yᵀ + (1 - A y) dz/dyᵀ y yᵀ + yᵀ y dz/dyᵀ (1 - y A)"""
    left, right = G.mT @ (y @ y.mT), (y.mT @ y) @ G.mT
    return left - A @ (y @ left) + right - (right @ y) @ A - y.mT @ G @ y.mT


def pinv_entries(A, **options):
    m, n = A.shape[-2:]
    return map_matrices(lambda A: gauss_jordan(A @ A.T, A).T if m < n else gauss_jordan(A.T @ A, A.T), A, to=(n, m))


@method
@rule(pinv_vjp, entries=pinv_entries)
def pinv(A, rcond=None, hermitian=False, rtol=None):
    """Return the pseudo-inverse A⁺ of a matrix, square or not.

    In formulas, if the columns of A are independent:
        y = (Aᵀ A)⁻¹ Aᵀ
        dz/dA = -yᵀ dz/dy yᵀ + (dz/dyᵀ - A y dz/dyᵀ) y yᵀ + yᵀ y (dz/dyᵀ - dz/dyᵀ y A)

    Singular values up to `rcond` (also called `rtol`) times the largest count as 0; the default is 1e-15, as in NumPy. With
    `hermitian`, A is symmetric, and the absolute values of its eigenvalues count. The derivative is that along
    matrices of the same rank; where the rank changes, A⁺ is not continuous. Source: G. H. Golub and V. Pereyra, "The
    differentiation of pseudo-inverses and nonlinear least squares problems", 1973.

    >>> pinv(np.array([[2.0], [0.0]])).tolist()
    [[0.5, 0.0]]
    """
    must_be_matrix("pinv", A)
    return or_name_matrix(NO_ANSWER.format("pinv"), lambda A: np.linalg.pinv(A, rcond if rtol is None else rtol, hermitian), A)


# Errors


def must_be_matrix(name, A):
    shape = tuple(shape_of(A))
    if len(shape) < 2:
        raise not_a_matrix(name, shape)
    return shape

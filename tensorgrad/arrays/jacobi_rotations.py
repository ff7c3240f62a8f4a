"""Eigenvalues and singular values of a matrix of Values, with their vectors: Jacobi's rotations, from NumPy's vectors on.

NumPy's vectors are right to rounding, so a few sweeps make them as exact as the Values, and record how they depend on the entries.
"""

import numpy as np

from scalargrad import rules as rows
from tensorgrad.arrays.object_arrays import number, numbers_of, objects

SWEEPS = 3  # each sweep squares the remaining error


def eigen_by_rotations(A):
    """Return in column i the i-th eigenvalue and its vector; rotations make Vᵀ A V diagonal."""
    A = (A + A.T) / 2
    V = np.linalg.eigh(numbers_of(A))[1].astype(object)
    B = V.T @ A @ V
    for p, q in pairs(len(A)):
        turn = rotation(B[p, q], B[q, q] - B[p, p])
        turn(V, p, q)
        turn(B, p, q)
        turn(B.T, p, q)
    return np.concatenate([np.diagonal(B)[None], V])


def singular_by_rotations(A):
    """Return in column i the i-th left vector, value and right vector; rotations make the columns of A V, or of Aᵀ U, orthogonal."""
    (U, _, Vh), wide = np.linalg.svd(numbers_of(A), full_matrices=False), A.shape[0] < A.shape[1]
    V = (U if wide else Vh.T).astype(object)
    M = (A.T if wide else A) @ V
    for p, q in pairs(len(V)):
        turn = rotation(dot_product(M[:, p], M[:, q]), dot_product(M[:, q], M[:, q]) - dot_product(M[:, p], M[:, p]))
        turn(V, p, q)
        turn(M, p, q)
    s = np.array([[rows.sqrt(dot_product(column, column)) for column in M.T]], dtype=object)
    return np.concatenate([V, s, M / s] if wide else [M / s, s, V])


def pairs(n):
    return [(p, q) for _ in range(SWEEPS) for q in range(n) for p in range(q)]


def dot_product(a, b):
    return rows.dot(*a, *b)


def rotation(between, apart):
    """Return the function that rotates columns p and q of an array, so that the product `between` them becomes 0."""
    distance = number(apart)
    if number(between) == 0 == distance:
        return lambda X, p, q: None
    root = rows.sqrt(apart * apart + 4 * between * between)
    tangent = 2 * between / (apart + root if distance >= 0 else apart - root)
    cosine = 1 / rows.sqrt(1 + tangent * tangent)
    c, s = objects(cosine), objects(tangent * cosine)

    def turn(X, p, q):
        X[:, p], X[:, q] = c * X[:, p] - s * X[:, q], s * X[:, p] + c * X[:, q]

    return turn

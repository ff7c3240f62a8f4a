"""Products of matrices."""

import numpy as np

from tensorgrad.rule import rule

__all__ = ["matmul"]
METHODS = ["matmul"]


def matmul_left(G, B):
    """dz/dA = dz/dC Bᵀ"""
    return G @ B.swapaxes(-1, -2)


def matmul_right(G, A):
    """dz/dB = Aᵀ dz/dC"""
    return A.swapaxes(-1, -2) @ G


@rule(matmul_left, matmul_right)
def matmul(A, B):
    """The matrix product C = A B."""
    return np.matmul(A, B)

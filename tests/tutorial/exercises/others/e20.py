"""Other right answers."""

import numpy as np


def matmul_backward(A, B, G):
    return np.einsum("ij,kj->ik", G, B), np.einsum("ik,ij->kj", A, G)


# ---
import numpy as np


def matmul_backward(A, B, G):
    dA, dB = np.zeros_like(A), np.zeros_like(B)
    for i in range(A.shape[0]):
        for j in range(B.shape[1]):
            for k in range(A.shape[1]):
                dA[i, k] += G[i, j] * B[k, j]
                dB[k, j] += G[i, j] * A[i, k]
    return [dA, dB]


# ---


def matmul_backward(A, B, G):
    return (B.dot(G.T)).T, (G.T.dot(A)).T

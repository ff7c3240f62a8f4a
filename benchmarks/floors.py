"""The floor of work that consists of matrix products: the same products alone, by NumPy's BLAS and by PyTorch's library."""

import numpy as np


def by_numpy(pairs):
    """Return a function that computes A @ B of each pair of arrays."""

    def products():
        for A, B in pairs:
            np.matmul(A, B)

    return products


def by_torch(pairs):
    """Return the same for PyTorch, without its graph."""
    import torch

    given = [(torch.from_numpy(A), torch.from_numpy(B)) for A, B in pairs]

    def products():
        for A, B in given:
            torch.matmul(A, B)

    return products

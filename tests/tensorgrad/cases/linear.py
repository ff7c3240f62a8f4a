"""Cases of products, einsum and decompositions."""

import numpy as np

from tensorgrad.functions.products import cross, cross_product, in_places, kron, matrix_power, multi_dot, vdot, vecdot
from tensorgrad.rules.linear_algebra.decompositions import cholesky, cofactors, det, inv, logabsdet, slogdet, solve
from tensorgrad.rules.linear_algebra.decompositions import solve_columns as solve_columns
from tensorgrad.rules.linear_algebra.einsum import bilinear, contract, einsum, inner, tensordot
from tensorgrad.rules.linear_algebra.linear import addmm, baddbmm, bmm, dot, linear, matmul, matrix_product, mm, mv, outer, vector_product
from tensorgrad.rules.linear_algebra.norms import cond, matrix_norm
from tensorgrad.rules.linear_algebra.spectral import eig, eigen, eigh, eigvals, eigvalsh, pinv, singular, svd, svdvals
from tests.tensorgrad.case import Case

SINGULAR = np.array([[1.0, 2.0, 3.0], [2.0, 4.0, 6.0], [0.5, -1.0, 1.0]])


def well_posed(A):
    """Square matrices far from singular; columns stay."""
    return A + 3 * np.eye(A.shape[-1]) if A.ndim > 1 and A.shape[-1] == A.shape[-2] else A


def positive(A):
    return A @ A.swapaxes(-1, -2) + np.eye(A.shape[-1])


def with_values(A, *values):
    """A stack of matrices like A, whose singular values (or eigenvalues, if it is symmetric) are these."""
    symmetric = A.shape[-1] == A.shape[-2]
    U, _, Vh = np.linalg.svd(A, full_matrices=False)
    return U * np.array(values) @ (U.swapaxes(-1, -2) if symmetric else Vh)


def drawn(*shape):
    return np.random.default_rng(8).standard_normal(shape)


def chained(*arrays):
    return multi_dot(arrays)


def rebuilt(A):
    """A symmetric matrix put together again from squared eigenvalues: it does not depend on the signs of the vectors."""
    w, V = eigh(A)
    return (V * (w * w)[..., None, :]) @ V.swapaxes(-1, -2)


def rebuilt_from_a_sum(A):
    w, V = eig(A + A.mT)
    return (V * (w * w)[..., None, :]) @ V.swapaxes(-1, -2)


def rebuilt_from_three(A):
    U, S, Vh = svd(A, full_matrices=False)
    return (U * (S * S)[..., None, :]) @ Vh


def logarithm(A):
    return slogdet(A)[1]


PRODUCTS = [
    ((2, 2), (2, 3)), ((0, 2), (2, 3)), ((2, 0), (0, 3)), ((1, 1), (1, 1)),
    ((3, 2, 4), (3, 4, 2)), ((3, 2, 4), (4, 2)), ((2, 4), (3, 4, 2)), ((2, 1, 2, 3), (3, 3, 2)), ((0, 2, 3), (3, 2)),
]  # fmt: skip
VECTORS = [((3,), (3,)), ((3,), (3, 2)), ((2, 3), (3,)), ((2, 2, 3), (3,)), ((3,), (2, 3, 2)), ((0,), (0,))]

CASES = [
    *[Case(matrix_product, a, b) for a, b in PRODUCTS],
    *[Case(matmul, a, b) for a, b in [*PRODUCTS[:2], *VECTORS]],
    *[Case(dot, a, b) for a, b in [((3,), (3,)), ((2, 3), (3,)), ((2, 3), (2, 3, 2)), ((), (3,)), ((2,), ())]],
    *[Case(inner, a, b) for a, b in [((3,), (3,)), ((2, 3), (4, 3)), ((), (3,))]],
    Case(mm, (2, 3), (3, 2)),
    Case(bmm, (2, 2, 3), (2, 3, 2)),
    Case(mv, (2, 3), (3,)),
    *[Case(outer, a, b) for a, b in [((3,), (2,)), ((2, 2), (3,)), ((0,), (2,))]],
    *[Case(addmm, c, (2, 3), (3, 2), beta=2, alpha=-1) for c in [(2, 2), (2,), ()]],
    Case(addmm, (2, 2), (2, 3), (3, 2)),
    Case(baddbmm, (2, 2, 2), (2, 2, 3), (2, 3, 2), beta=0.5),
    *[Case(linear, x, (2, 3), (2,)) for x in [(3,), (4, 3), (2, 2, 3), (0, 3)]],
    *[Case(linear, x, (2, 3)) for x in [(3,), (4, 3)]],
    Case(linear, (2, 0), (3, 0), (3,)),
    *[Case(bilinear, a, b, (2, 3, 4), *c) for a, b in [((3,), (4,)), ((2, 3), (2, 4)), ((2, 1, 3), (3, 4))] for c in [(), ((2,),)]],
    *[
        Case(tensordot, (2, 3, 4), b, axes=n)
        for b, n in [((4, 2), 1), ((3, 4), 2), ((4, 3, 2), ([1, 2], [1, 0])), ((3,), (-2, 0)), ((2,), 0)]
    ],
    *[
        Case(contract, *shapes, subscripts=s)
        for s, *shapes in [
            ("ij,jk->ik", (2, 3), (3, 2)),
            ("ij->", (2, 3)),
            ("ij->j", (2, 3)),
            ("ij->ji", (2, 3)),
            ("->", ()),
            (",i->i", (), (3,)),
            ("ii->", (3, 3)),
            ("ii->i", (3, 3)),
            ("iij->ij", (2, 2, 3)),
            ("iii,i->i", (2, 2, 2), (2,)),
            ("ij,ij->ij", (2, 3), (2, 3)),
            ("i,j->ij", (2,), (3,)),
            ("ij,kj,k->i", (2, 3), (4, 3), (4,)),
            ("bij,bjk->bik", (2, 2, 3), (2, 3, 2)),
            ("ij,kl->il", (2, 3), (2, 2)),
            ("ij,jk->ik", (2, 1), (3, 2)),
            ("ij,ij->i", (1, 3), (2, 3)),
            ("ij,ij->i", (1, 1), (2, 3)),
            ("i,ij->j", (0,), (0, 2)),
        ]
    ],
    Case(lambda a, b: einsum("ij,jk->ik", a, b), (2, 3), (3, 2), label="einsum"),
    *[
        Case(f, *s, domain=well_posed)
        for f in (inv, det, cofactors, logabsdet, logarithm)
        for s in [((1, 1),), ((3, 3),), ((2, 2, 2),), ((0, 2, 2),)]
    ],
    *[Case(f, (0, 0)) for f in (inv, det)],
    Case(det, SINGULAR, second=False, label="singular"),
    Case(det, np.zeros((2, 2)), second=False, label="zero"),
    *[Case(solve_columns, *s, domain=well_posed) for s in [((2, 2), (2, 3)), ((2, 3, 3), (3, 1)), ((3, 3), (2, 3, 2))]],
    *[Case(solve, a, b, domain=well_posed) for a, b in [((3, 3), (3,)), ((2, 2, 2), (2,)), ((2, 2), (2, 1))]],
    *[Case(cholesky, positive(np.random.default_rng(5).standard_normal(s))) for s in [(1, 1), (3, 3), (2, 2, 2), (0, 2, 2)]],
    Case(cholesky, positive(np.random.default_rng(6).standard_normal((2, 2))) + [[0, 0.1], [0, 0]], label="lopsided"),
    # eigenvalues, singular values
    *[Case(f, s) for f in (eigen, eigvalsh, rebuilt) for s in [(3, 3), (1, 1), (2, 2, 2), (0, 2, 2)]],
    Case(eigen, (0, 0)),
    *[Case(f, (3, 3), label="symmetric") for f in (lambda A: eigvals(A + A.mT), rebuilt_from_a_sum)],
    *[Case(f, s) for f in (singular, svdvals, rebuilt_from_three) for s in [(3, 3), (1, 1), (3, 2), (2, 3), (2, 2, 3), (1, 3), (0, 3, 2)]],
    *[Case(f, (2, 0)) for f in (singular, svdvals)],
    *[Case(f, with_values(drawn(3, 3), 2.0, 2.0, 1.0), smooth=False, zoomed=False, label="equal") for f in (eigvalsh, svdvals)],
    Case(svdvals, with_values(drawn(3, 2), 2.0, 0.0), smooth=False, zoomed=False, label="of rank 1"),
    *[Case(pinv, s) for s in [(3, 3), (3, 2), (2, 3), (2, 1, 3), (1, 1), (0, 2, 3)]],
    Case(pinv, with_values(drawn(3, 2), 2.0, 0.0), rcond=1e-6, smooth=False, zoomed=False, label="of rank 1"),
    *[Case(matrix_norm, s, ord=ord) for ord in ("nuc", 2, -2, "fro", 1) for s in [(3, 2), (2, 2, 3)]],
    Case(matrix_norm, (2, 3), ord="nuc", keepdims=True),
    *[Case(cond, (3, 3), p=p) for p in (None, -2, 1, "fro")],
    Case(cond, (2, 3, 2)),
    # products of others
    *[Case(vdot, a, b) for a, b in [((2, 3), (3, 2)), ((), ()), ((0,), (0,))]],
    *[Case(vecdot, a, b, axis=axis) for a, b, axis in [((2, 3), (3,), -1), ((3, 2), (3, 1), 0)]],
    *[Case(cross, a, b, axis=axis) for a, b, axis in [((3,), (3,), -1), ((2, 3), (3,), -1), ((3, 2), (3, 2), 0)]],
    Case(cross_product, (2, 3), (3,)),
    Case(in_places, (2, 3), (3, 2)),
    *[Case(vector_product, a, b) for a, b in [((3,), (3,)), ((2, 3), (3,)), ((2, 1, 3), (2, 3))]],
    *[Case(kron, a, b) for a, b in [((2, 3), (3, 2)), ((2,), (2, 2)), ((2, 1, 2), (3,)), ((), (2,)), ((), ())]],
    *[Case(matrix_power, (2, 2), n=n, domain=well_posed) for n in (1, 2, 5, -1, -3)],
    Case(matrix_power, (2, 2, 2), n=3),
    *[Case(chained, *s) for s in [((2, 3), (3, 2)), ((2, 3), (3, 4), (4, 1)), ((3,), (3, 2), (2, 4), (4,)), ((2, 3), (3, 4), (4,))]],
]

"""Linear algebra. Where a decomposition is not unique, signs and pivots are those of PyTorch's result."""

import math

import numpy as np

import tensorgrad as tg
from tensorgrad.beside_torch.counterparts.elementwise import still
from tensorgrad.beside_torch.counterparts.table import Unsupported, beside, rule, unopened
from tensorgrad.tensor import array_of

beside("linalg.inv", "linalg.inv_ex", "inverse")(lambda A, check_errors=False: tg.inv(A))
beside("linalg.det", "det")(lambda A: tg.det(A))


@beside("logdet")
def logdet(A):
    """nan where the determinant is negative"""
    sign, log = tg.slogdet(A)
    return tg.where(sign < 0, np.nan, log)


@beside("linalg.slogdet", "slogdet")
def slogdet(A):
    sign, log = tg.slogdet(A)
    return still(A, sign), log


def as_columns(B, A):
    """Return B as columns, and whether it was vectors: linalg.solve takes those in the shape of A without its last axis."""
    vectors = B.ndim == 1 or (B.ndim == A.ndim - 1 and B.shape == A.shape[:-1])
    return (tg.unsqueeze(B, -1), True) if vectors else (B, False)


@beside("linalg.solve", "linalg.solve_ex")
def solve(A, B, left=True, check_errors=False):
    B, vectors = as_columns(B, A)
    if vectors:
        return tg.squeeze(tg.solve(A, B), -1)
    return tg.solve(A, B) if left else tg.solve(A.mT, B.mT).mT


@beside("linalg.tensorsolve", "linalg.tensorinv", theirs=True)
def tensor_equations(A, B=None, dims=None, ind=2, theirs=None):
    if theirs.function.__name__.endswith("tensorinv"):
        ind = B if isinstance(B, int) else ind
        n = math.prod(A.shape[:ind])
        return tg.reshape(tg.inv(tg.reshape(A, (n, n))), tuple(theirs.result.shape))
    if dims is not None:
        A = tg.moveaxis(A, tuple(dims), tuple(range(A.ndim - len(dims), A.ndim)))
    return tg.reshape(tg.solve(tg.reshape(A, (B.size, -1)), tg.reshape(B, (-1,))), tuple(theirs.result.shape))


beside("linalg.solve_triangular")(lambda A, B, *, upper, left=True, unitriangular=False: solve(triangle(A, upper, unitriangular), B, left))


@beside("triangular_solve")
def triangular_solve(B, A, upper=True, transpose=False, unitriangular=False):
    """Returns the triangular matrix as well."""
    A = tg.add(A, 0)
    T = triangle(A, upper, unitriangular)
    return tg.solve(T.mT if transpose else T, B), A


def triangle(A, upper, ones=False):
    if ones:
        return (tg.triu(A, 1) if upper else tg.tril(A, -1)) + np.eye(A.shape[-1])
    return tg.triu(A) if upper else tg.tril(A)


@beside("linalg.cholesky", "linalg.cholesky_ex", "torch.cholesky", "Tensor.cholesky")
def cholesky(A, upper=False, check_errors=False):
    L = tg.cholesky(A)
    return L.mT if upper else L


@beside("cholesky_inverse")
def cholesky_inverse(L, upper=False):
    """L is taken as it is, as in PyTorch's derivative: it should be a triangle."""
    return tg.inv(L.mT @ L if upper else L @ L.mT)


beside("cholesky_solve")(lambda B, L, upper=False: tg.solve(L.mT @ L if upper else L @ L.mT, B))


def with_signs(V, theirs):
    """Return columns with the signs of PyTorch's, and the signs."""
    signs = np.sign((array_of(V) * theirs.detach().numpy()).sum(-2, keepdims=True))
    return V * signs, signs


@beside("linalg.eigh", theirs=True)
def eigh(A, UPLO="L", theirs=None):
    values, vectors = tg.eigh(symmetric(A, UPLO))
    return values, with_signs(vectors, theirs.result[1])[0]


beside("linalg.eigvalsh")(lambda A, UPLO="L": tg.eigvalsh(symmetric(A, UPLO)))


def symmetric(A, UPLO):
    """Return the symmetric matrix of which PyTorch reads one triangle; its derivative is that of a symmetric A, as PyTorch's is."""
    T = np.tril(array_of(A)) if UPLO == "L" else np.triu(array_of(A))
    other = np.swapaxes(T, -1, -2) * (1 - np.eye(A.shape[-1]))
    return A + (T + other - array_of(A)) if (T + other != array_of(A)).any() else A


@beside("linalg.svd", "torch.svd", "Tensor.svd", theirs=True)
def svd(A, *args, theirs, **options):
    """torch.svd returns V, linalg.svd its transpose."""
    U, s, V = theirs.result
    old = "linalg" not in theirs.function.__name__
    ours, values, turned = tg.svd(A, U.shape[-1] != min(A.shape[-2:]) or V.shape[-2 if not old else -1] != min(A.shape[-2:]))
    k = values.shape[-1]
    ours, signs = with_signs(ours, U)
    padded = np.ones((*signs.shape[:-2], turned.shape[-2], 1))
    padded[..., :k, :] = signs.mT[..., :k, :]
    turned = turned * padded
    return ours, values, turned.mT if old else turned


beside("linalg.svdvals")(lambda A, driver=None: tg.svdvals(A))


@beside("linalg.pinv", "pinverse", theirs=True)
def pinv(A, rtol=None, *, atol=None, rcond=None, hermitian=False, theirs=None):
    rtol = rcond if rtol is None else rtol
    if atol is not None:
        largest = np.linalg.svd(array_of(A), compute_uv=False).max(-1, initial=0)
        rtol = np.maximum(0 if rtol is None else array_of(rtol), array_of(atol) / np.where(largest == 0, 1, largest))
    return tg.pinv(A, None if rtol is None else array_of(rtol), hermitian)


beside("linalg.cond")(lambda A, p=None: tg.cond(A, p))


@beside("linalg.lstsq", theirs=True)
def lstsq(A, B, rcond=None, driver=None, theirs=None):
    """A⁺ B, for matrices of full rank; and the residuals, if PyTorch returns them."""
    B, vectors = as_columns(B, A)
    x = tg.matmul(tg.pinv(A), B)
    found = [tg.squeeze(x, -1) if vectors else x]
    residuals = theirs.result.residuals
    if residuals.requires_grad and not residuals.numel():
        found.append(still(x, np.zeros(tuple(residuals.shape))))
    elif residuals.requires_grad:
        rest = A @ x - B
        found.append(tg.sum(rest * rest, -2))
    return tuple(found)


# QR: A = Q R with R from Aᵀ A = Rᵀ R


@beside("linalg.qr", "torch.qr", "Tensor.qr", theirs=True)
def qr(A, mode="reduced", theirs=None):
    Q, R = theirs.result
    m, n = A.shape[-2:]
    k = min(m, n)
    if Q.shape[-1] != k:
        raise Unsupported("mode='complete' of a tall matrix")
    first = A[..., :k]
    signs = np.sign(np.diagonal(R.detach().numpy(), 0, -2, -1))
    square = tg.cholesky(first.mT @ first).mT * signs[..., None]
    ours = tg.solve(square.mT, first.mT).mT
    rest = [] if n == k else [ours.mT @ A[..., k:]]
    return ours, tg.concatenate([square, *rest], -1)


@beside("linalg.householder_product")
def householder_product(A, tau):
    """The product of the reflections I - τ v vᵀ, where v is a column of A below a 1."""
    m, n = A.shape[-2:]
    Q = np.broadcast_to(np.eye(m)[:, :n], (*A.shape[:-2], m, n))
    for k in reversed(range(tau.shape[-1])):
        v = reflector(A, k)
        Q = Q - tg.expand_dims(tg.expand_dims(tau[..., k], -1), -1) * (v @ (v.mT @ Q))
    return Q


def reflector(A, k):
    m = A.shape[-2]
    below = np.arange(m)[:, None] > k
    return tg.where(below, A[..., k : k + 1], (np.arange(m)[:, None] == k) * 1.0)


@beside("ormqr")
def ormqr(A, tau, C, left=True, transpose=False):
    """Multiply with the reflections one by one."""
    count = tau.shape[-1]
    C = C if left else C.mT
    for k in reversed(range(count)) if left != transpose else range(count):
        v = reflector(A, k)
        C = C - tg.expand_dims(tg.expand_dims(tau[..., k], -1), -1) * (v @ (v.mT @ C))
    return C if left else C.mT


# LU: P A = L U, with the rows in PyTorch's order


def elimination(A):
    """Return L (with the diagonal of U in place of its ones) and U in one matrix, without exchanges of rows."""
    M = A.copy()
    for k in range(M.shape[-1]):
        M[..., k + 1 :, k] = M[..., k + 1 :, k] / M[..., k, k, None]
        M[..., k + 1 :, k + 1 :] = M[..., k + 1 :, k + 1 :] - M[..., k + 1 :, k, None] * M[..., k, None, k + 1 :]
    return M


def lower_vjp(G, A, y):
    """dz/dA = L⁻ᵀ tril(Lᵀ dz/dL, -1) U⁻ᵀ"""
    U = upper(A)
    return tg.solve(U, tg.solve(y.mT, tg.tril(y.mT @ G, -1)).mT).mT


def upper_vjp(G, A, y):
    """dz/dA = L⁻ᵀ triu(dz/dU Uᵀ) U⁻ᵀ"""
    L = lower(A)
    return tg.solve(y, tg.solve(L.mT, tg.triu(G @ y.mT)).mT).mT


def of_lower(A):
    """L of A = L U, with ones on the diagonal"""
    M = elimination(A)
    return np.tril(M, -1) + np.eye(M.shape[-1])


def of_upper(A):
    """U of A = L U"""
    return np.triu(elimination(A))


lower, upper = rule(of_lower, lower_vjp, name="lower"), rule(of_upper, upper_vjp, name="upper")


def factors(A, order):
    """Return L and U of the rows of A (..., m, n) in this order."""
    A = tg.take_along_axis(A, np.broadcast_to(order[..., None], A.shape), -2)
    m, n = A.shape[-2:]
    k = min(m, n)
    square = A[..., :k, :k]
    L, U = lower(square), upper(square)
    if m > k:
        L = tg.concatenate([L, tg.solve(U.mT, A[..., k:, :].mT).mT], -2)
    if n > k:
        U = tg.concatenate([U, tg.solve(L, A[..., k:])], -1)
    return L, U


def order_of(pivots, m):
    """Return the order of the rows after LAPACK's exchanges: row k with row pivots[k] - 1."""
    order = np.broadcast_to(np.arange(m), (*pivots.shape[:-1], m)).copy()
    for place in np.ndindex(pivots.shape[:-1]):
        for k, other in enumerate(pivots[place] - 1):
            order[(*place, [k, other])] = order[(*place, [other, k])]
    return order


@beside("linalg.lu_factor", "linalg.lu_factor_ex", "torch.lu", "Tensor.lu", theirs=True)
def lu_factor(A, *args, theirs, **options):
    L, U = factors(A, order_of(theirs.result[1].numpy(), A.shape[-2]))
    m, n = A.shape[-2:]
    return joined(L, U, m, n)


def joined(L, U, m, n):
    """Return both factors in one matrix."""
    L, U = tg.tril(L, -1), tg.triu(U)
    if m > n:
        U = tg.concatenate([U, np.zeros((*U.shape[:-2], m - n, n))], -2)
    if n > m:
        L = tg.concatenate([L, np.zeros((*L.shape[:-2], m, n - m))], -1)
    return L + U


beside("linalg.lu", theirs=True)(lambda A, pivot=True, theirs=None: factors(A, theirs.result[0].detach().numpy().argmax(-2)))


@beside("lu_unpack")
def lu_unpack(LU, pivots, unpack_data=True, unpack_pivots=True):
    k = min(LU.shape[-2:])
    return tg.tril(LU, -1)[..., :k] + np.eye(LU.shape[-2], k), tg.triu(LU)[..., :k, :]


@beside("linalg.lu_solve", "lu_solve", theirs=True)
def lu_solve(LU, pivots, B, left=True, adjoint=False, theirs=None):
    """torch.lu_solve takes the columns first."""
    if not isinstance(pivots, np.ndarray):
        LU, pivots, B = pivots, B, LU
    n = LU.shape[-1]
    P = np.eye(n)[order_of(pivots, n)].mT  # A = P L U
    A = P @ ((tg.tril(LU, -1) + np.eye(n)) @ tg.triu(LU))
    A = A.mT if adjoint else A
    return tg.solve(A, B) if left else tg.solve(A.mT, B.mT).mT


# The exponential


def exp_of(A):
    """exp(A) = Σ Aⁿ/n!, of A / 2ˢ, squared s times"""
    size = np.abs(A).sum(-1).max(initial=0)
    s = max(0, math.ceil(math.log2(size)) + 2) if size else 0
    A = A / 2.0**s
    term = total = np.broadcast_to(np.eye(A.shape[-1], dtype=A.dtype), A.shape)
    for n in range(1, 18):
        term = term @ A / n
        total = total + term
    for _ in range(s):
        total = total @ total
    return total


def exponential_vjp(G, A):
    """dz/dA = the upper right block of exp([[Aᵀ, dz/dy], [0, Aᵀ]])"""
    n, T = A.shape[-1], A.mT
    above, below = tg.concatenate([T, G], -1), tg.concatenate([T * 0, T], -1)
    return exponential(tg.concatenate([above, below], -2))[..., :n, n:]


exponential = rule(exp_of, exponential_vjp, name="matrix_exp", entries=unopened("matrix_exp"))


beside("matrix_exp", "linalg.matrix_exp")(lambda A: exponential(A))

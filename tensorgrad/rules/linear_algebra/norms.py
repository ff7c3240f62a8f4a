"""Norms of vectors and matrices, and the condition number."""

import numpy as np

from scalargrad import rules as rows
from tensorgrad.arrays.axes import axes_of, beside, keepdims_shape
from tensorgrad.arrays.object_arrays import apply_along
from tensorgrad.kernels.norms.length import length
from tensorgrad.public import Array, method, public
from tensorgrad.rule import Rule
from tensorgrad.rules.extrema import max, min
from tensorgrad.rules.linear_algebra.decompositions import inv, must_be_square
from tensorgrad.rules.linear_algebra.spectral import must_be_matrix, svdvals
from tensorgrad.rules.reductions import sum
from tensorgrad.rules.shapes import moveaxis, reshape
from tensorgrad.tensor import array_of

__all__ = ["vector_norm", "matrix_norm", "norm", "cond"]


def power_norm_vjp(G, x, y, axis, keepdims, ord):
    """dz/dx = dz/dy · sign(x) (|x| / y)^(ord - 1), and 0 where x or y is 0"""
    zero = array_of(y) == 0
    y = y + zero
    if ord == 2:
        return beside(G, x.shape, axis, keepdims) * (x / beside(y, x.shape, axis, keepdims))
    if ord == 1:
        return beside(G, x.shape, axis, keepdims) * np.sign(x)
    size = np.abs(x) + (array_of(x) == 0)
    G = G * ~zero  # a norm of negative order is 0 as soon as one entry is
    return beside(G, x.shape, axis, keepdims) * np.sign(x) * (size / beside(y, x.shape, axis, keepdims)) ** (ord - 1)


def power_norm_entries(x, axis=None, keepdims=False, ord=2):
    def norm(*xs):
        return rows.sum(*[rows.abs(x) ** ord for x in xs]) ** (1 / ord)

    return apply_along(norm, x, axis, keepdims)


def powers(x, axis=None, keepdims=False, ord=2):
    """(|x1|^ord + |x2|^ord + ...)^(1/ord)"""
    axis = axes_of("vector_norm", axis, x.shape)
    if ord == 1:
        return np.add.reduce(np.abs(x), axis, keepdims=keepdims)
    return length(x, axis, keepdims, ord)


power_norm = Rule(powers, power_norm_vjp, entries=power_norm_entries, name="vector_norm")


@method
def vector_norm(x: Array, axis=None, keepdims=False, ord=2):
    """Return the length of a vector, (|x1|^ord + |x2|^ord + ...)^(1/ord), along one axis, several or all.

    In formulas:
        y = (Σ |x|^ord)^(1 / ord)
        dz/dx = dz/dy · sign(x) · (|x| / y)^(ord - 1), and 0 where x or y is 0

    ord=inf gives the largest |x| and ord=-inf the smallest. ord=0 counts the entries other than 0, without a gradient. Where
    the length is 0, the derivative is taken as 0; so is the derivative of an entry that is 0. For ord=±inf, equal |x| share the
    gradient evenly. If an entry is infinite, its derivative is nan. If an entry is nan, all derivatives are.

    >>> vector_norm([3.0, 4.0]), vector_norm([3.0, -4.0], ord=1)
    (np.float64(5.0), np.float64(7.0))
    """
    if ord == np.inf:
        return max(np.abs(x), axis, keepdims)
    if ord == -np.inf:
        return min(np.abs(x), axis, keepdims)
    if ord == 0:
        x = np.asarray(array_of(x))
        return np.add.reduce(x != 0, axes_of("vector_norm", axis, x.shape), keepdims=keepdims).astype(x.dtype)
    return power_norm(x, axis, keepdims, ord)


@method
def norm(x: Array, ord=None, axis=None, keepdims=False):
    """Return the norm of vectors or matrices, as NumPy's linalg.norm does.

    In formulas, by default:
        y = √(Σ x²)
        dz/dx = dz/dy · x / y, and 0 where y is 0

    Matrix norms need `ord` and two axes: x has two, or `axis` names two. Otherwise the result is `vector_norm`. Equal extremes
    share the gradient evenly; for singular values of 0, see `svdvals`. Raises ValueError for any other ord.

    - ord "fro" or None: the root of the sum of squares
    - ord "nuc": the sum of the singular values
    - ord 2, -2: the largest, the smallest singular value
    - ord 1, -1: the largest, the smallest column sum of |x|
    - ord inf, -inf: the largest, the smallest row sum of |x|

    >>> norm([[3.0, 0.0], [0.0, 4.0]]), norm([[3.0, 0.0], [0.0, 4.0]], 1)
    (np.float64(5.0), np.float64(4.0))
    """
    shape = x.shape
    taken = axes_of("norm", axis, shape)
    if ord is None or (ord == "fro" and len(taken) == 2):
        return vector_norm(x, axis, keepdims)
    if len(taken) == 1 and ord not in ("fro", "nuc"):
        return vector_norm(x, axis, keepdims, ord)
    if len(taken) == 2 and ord in (1, -1, np.inf, -np.inf):
        rows_axis, columns_axis = taken
        first, second = (rows_axis, columns_axis) if abs(ord) == 1 else (columns_axis, rows_axis)
        sums = sum(np.abs(x), first, keepdims=True)
        return (max if ord > 0 else min)(sums, (first, second), keepdims)
    if len(taken) == 2 and ord in (2, -2, "nuc"):
        s = svdvals(moveaxis(x, taken, (-2, -1)))
        y = sum(s, -1) if ord == "nuc" else max(s, -1) if ord == 2 else min(s, -1)
        return reshape(y, keepdims_shape(shape, taken)) if keepdims else y
    raise ValueError(
        f"norm: ord={ord!r} over {len(taken)} axes of shape {shape} has no rule; for a vector give a number, for a matrix None, "
        "'fro', 'nuc', 1, -1, 2, -2, inf or -inf (vector_norm takes any number of axes)"
    )


@public
def matrix_norm(x: Array, ord="fro", keepdims=False):
    """Return the norm of the matrices in the last two axes. See `norm` for `ord`.

    In formulas:
        y = √(Σ x²), for ord="fro"
        dz/dx = dz/dy · x / y, and 0 where y is 0

    >>> matrix_norm([[3.0, 0.0], [0.0, 4.0]], "nuc").item()
    7.0
    """
    must_be_matrix("matrix_norm", x)
    return norm(x, ord, (-2, -1), keepdims)


@public
def cond(x: Array, p=None):
    """Return the condition number of a matrix: how strongly it magnifies relative errors.

    In formulas:
        y = max(s) / min(s), with the singular values s of x
        dz/dx = dz/dy · (u[0] v[0]ᵀ / s[n - 1] - s[0] u[n - 1] v[n - 1]ᵀ / s[n - 1]²), with the singular vectors u and v

    By default, and for p=2, it is the largest singular value divided by the smallest; p=-2 gives the inverse ratio. For any
    other p, it is norm(x, p) · norm(x⁻¹, p). For a singular matrix it is inf; with any other p it raises LinAlgError, a
    ValueError.

    >>> cond([[3.0, 0.0], [0.0, 4.0]]).round(6)
    np.float64(1.333333)
    """
    must_be_matrix("cond", x)
    if p in (None, 2, -2):
        s = svdvals(x)
        with np.errstate(all="ignore"):  # a singular value may be 0
            return s[..., -1] / s[..., 0] if p == -2 else s[..., 0] / s[..., -1]
    must_be_square("cond", x.shape)
    return matrix_norm(x, p) * matrix_norm(inv(x), p)

"""Products composed of matrix products and elementwise products."""

from operator import add
from string import ascii_lowercase, ascii_uppercase

import numpy as np

from scalargrad.messages.errors import wrong_type
from tensorgrad.arrays.axes import one_axis
from tensorgrad.arrays.object_arrays import objects
from tensorgrad.arrays.operands import operand
from tensorgrad.kernels.blocks import in_parts, large
from tensorgrad.public import Array, Arrays, Option, method, public
from tensorgrad.rule import rule
from tensorgrad.rules.linear_algebra.decompositions import inv, must_be_square
from tensorgrad.rules.linear_algebra.linear import dot, matmul, vector_product
from tensorgrad.rules.shapes import moveaxis, ravel, reshape
from tensorgrad.tensor import Tensor, constant
from tensorgrad.vjp import vjp

__all__ = ["cross", "kron", "matrix_power", "multi_dot", "vdot", "vecdot"]


@method
def vdot(a: Array, b: Array):
    """Return the sum of products of the entries of two arrays with equally many entries, both flattened.

    In formulas:
        y = Σ a · b
        dz/da = dz/dy · b
        dz/db = dz/dy · a

    >>> vdot(np.array([[1.0, 2.0]]), np.array([3.0, 4.0])).item()
    11.0
    """
    return dot(a if a.ndim == 1 else ravel(a), b if b.ndim == 1 else ravel(b))


@public
def vecdot(x1: Array, x2: Array, axis=-1):
    """Return Σ x1 x2 along an axis: the dot products of vectors. The other axes broadcast.

    In formulas:
        y = Σ x1 · x2
        dz/dx1 = dz/dy · x2
        dz/dx2 = dz/dy · x1

    Raises ValueError if the axis has different lengths in x1 and x2.

    >>> vecdot(np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([1.0, 1.0]))
    array([3., 7.])
    """
    lengths = [shape[one_axis("vecdot", axis, shape)] for shape in (x1.shape, x2.shape)]
    if lengths[0] != lengths[1]:
        raise ValueError(f"vecdot: shapes {x1.shape} and {x2.shape} do not fit; the vectors have {lengths[0]} and {lengths[1]} entries")
    if axis == -1:
        return vector_product(x1, x2)
    return vector_product(moveaxis(x1, axis, -1), moveaxis(x2, axis, -1))


TURNS = ((0, 1, 2), (1, 2, 0), (2, 0, 1))  # an entry of the cross product, and the two that make it


def cross_entries(a, b):
    a, b = np.broadcast_arrays(objects(a), objects(b))
    return np.stack([objects(a[..., j] * b[..., k] - a[..., k] * b[..., j]) for _, j, k in TURNS], -1)


@rule(
    vjp("dz/da = b × dz/dy", lambda G, b: cross_product(b, G)),
    vjp("dz/db = dz/dy × a", lambda G, a: cross_product(G, a)),
    entries=cross_entries,
    name="cross",
)
def cross_product(a, b):
    """Return the cross products of vectors along the last axis."""
    if a.shape != b.shape or a.dtype != b.dtype:
        y = np.empty(np.broadcast_shapes(a.shape, b.shape), np.result_type(a, b))
        cross_steps(a, b, y)
        return y
    y = np.empty(a.shape, a.dtype)
    if large(y):
        in_parts(cross_steps, *[x.reshape(-1, 3) for x in (a, b, y)])
    else:
        cross_steps(a, b, y)
    return y


def cross_steps(a, b, y):
    for i, j, k in TURNS:
        there = y[..., i]
        np.multiply(a[..., j], b[..., k], out=there)
        there -= a[..., k] * b[..., j]


@method
def cross(a: Array, b: Array, axis=-1):
    """Return the cross products of vectors with three entries along an axis. The other axes broadcast.

    In formulas:
        y = a × b
        dz/da = b × dz/dy
        dz/db = dz/dy × a

    Raises ValueError for another number of entries; in two dimensions, write a[0] * b[1] - a[1] * b[0].

    >>> cross(np.array([1.0, 0.0, 0.0]), np.array([0.0, 1.0, 0.0])).tolist()
    [0.0, 0.0, 1.0]
    """
    for shape in (a.shape, b.shape):
        n = shape[one_axis("cross", axis, shape)]
        if n != 3:
            raise ValueError(f"cross: axis {axis} of shape {shape} has {n} entries; vectors of three entries are needed")
    if axis == -1:
        return cross_product(a, b)
    return moveaxis(cross_product(moveaxis(a, axis, -1), moveaxis(b, axis, -1)), -1, axis)


def kron_a(G, a_shape, b):
    """dz/da = the sum of dz/dy · b over each place"""
    return np.einsum(f"{PLACES(b)},{ENTRIES(b)}->{OUTER(b)}", parted(G, a_shape, b.shape), b)


def kron_b(G, a, b_shape):
    """dz/db = the sum of dz/dy · a over all places"""
    return np.einsum(f"{PLACES(a)},{OUTER(a)}->{ENTRIES(a)}", parted(G, a.shape, b_shape), a)


OUTER, ENTRIES = [lambda x, letters=letters: letters[: len(x.shape)] for letters in (ascii_lowercase, ascii_uppercase)]
PLACES = lambda x: "".join(map(add, OUTER(x), ENTRIES(x)))  # aAbB: an axis of a, then one of b


def parted(G, a_shape, b_shape):
    """Return G with two axes for each: the places of the entries of a, and the entries of b there."""
    return G.reshape(tuple([m for pair in zip(a_shape, b_shape) for m in pair]))


@rule(kron_a, kron_b, name="kron")
def in_places(a, b):
    """Return the Kronecker product of arrays of as many axes."""
    y = parted(a, a.shape, (1,) * b.ndim) * parted(b, (1,) * a.ndim, b.shape)
    return np.asarray(y).reshape([m * k for m, k in zip(a.shape, b.shape)])


@public
def kron(a: Array, b: Array):
    """Return the Kronecker product: each entry of a times all of b, at the place of that entry.

    In formulas, for b of shape (m, n):
        y[i · m + k,j · n + l] = a[i,j] b[k,l]

    In the backward pass:
        dz/da[i,j] = Σ over k, l: dz/dy[i · m + k,j · n + l] b[k,l]
        dz/db[k,l] = Σ over i, j: dz/dy[i · m + k,j · n + l] a[i,j]

    The shorter shape is extended by ones in front.

    >>> kron(np.array([[1.0, 2.0]]), np.array([[1.0], [3.0]]))
    array([[1., 2.],
           [3., 6.]])
    """
    n = max(len(a.shape), len(b.shape))
    left, right = [(1,) * (n - len(shape)) + tuple(shape) for shape in (a.shape, b.shape)]
    a = a if a.shape == left else reshape(a, left)
    b = b if b.shape == right else reshape(b, right)
    return in_places(a, b)


@method
def matrix_power(A: Array, n: Option):
    """Return Aⁿ for a square matrix A (..., m, m), or A⁻¹ to the power -n if n is negative. A⁰ is a constant.

    In formulas:
        y = Aⁿ
        dz/dA = Σ over k < n: (Aᵀ)ᵏ dz/dy (Aᵀ)ⁿ⁻¹⁻ᵏ

    It computes about log n matrix products. Raises LinAlgError, a ValueError, if n is negative and A is singular.

    >>> matrix_power(np.array([[1.0, 1.0], [0.0, 1.0]]), 5).tolist()
    [[1.0, 5.0], [0.0, 1.0]]
    """
    shape = A.shape
    must_be_square("matrix_power", shape)
    if not isinstance(n, int | np.integer):
        raise wrong_type("matrix_power", "n", n, "an integer")
    if n == 0:
        one = np.broadcast_to(np.eye(shape[-1], dtype=A.dtype), shape).copy()
        return constant(one) if type(A) is Tensor else one
    A, n = (inv(A), -n) if n < 0 else (A, n)
    y = None
    while n:
        if n % 2:
            y = A if y is None else matmul(y, A)
        n //= 2
        A = matmul(A, A) if n else A
    return y


@public
def multi_dot(arrays: Arrays):
    """Return the product of a list of matrices, in the order that needs the fewest multiplications.

    In formulas, for three arrays:
        y = Π over k: arrays[k]
        dz/darrays[0] = dz/dy arrays[2]ᵀ arrays[1]ᵀ
        dz/darrays[1] = arrays[0]ᵀ dz/dy arrays[2]ᵀ
        dz/darrays[2] = arrays[1]ᵀ arrays[0]ᵀ dz/dy

    The first and the last may be vectors. Raises ValueError for fewer than two arrays and if the shapes do not fit. Source: T.
    H. Cormen and others, "Introduction to Algorithms", matrix-chain multiplication.

    >>> multi_dot([np.ones((2, 9)), np.ones((9, 9)), np.ones(9)])
    array([81., 81.])
    """
    arrays = [x if hasattr(x, "shape") else np.asarray(operand("multi_dot", x, ()), float) for x in arrays]
    shapes = [tuple(x.shape) for x in arrays]
    if len(shapes) < 2 or any(len(shape) != 2 for shape in shapes[1:-1]) or not all(0 < len(shape) < 3 for shape in shapes):
        raise ValueError(f"multi_dot: shapes {shapes} are not two or more matrices; only the first and the last may be vectors")
    sides = [1 if len(shapes[0]) == 1 else shapes[0][0], *[shape[0] for shape in shapes[1:]], 1 if len(shapes[-1]) == 1 else shapes[-1][1]]
    cuts, spans = cheapest_cuts(sides), [(0, len(arrays) - 1)]
    found: dict = {}
    for i, j in spans:
        if i < j:
            spans += [(i, cuts[i, j]), (cuts[i, j] + 1, j)]
    for i, j in reversed(spans):
        found[i, j] = arrays[i] if i == j else matmul(found[i, cuts[i, j]], found[cuts[i, j] + 1, j])
    return found[0, len(arrays) - 1]


def cheapest_cuts(sides):
    """Return {(i, j): k}: multiply matrices i to k, and k + 1 to j, to compute the product of i to j most cheaply.

    Matrix i has shape (sides[i], sides[i + 1]).
    """
    n = len(sides) - 1
    cost, cuts = {(i, i): 0 for i in range(n)}, {}
    for length in range(1, n):
        for i in range(n - length):
            j = i + length
            costs = [cost[i, k] + cost[k + 1, j] + sides[i] * sides[k + 1] * sides[j + 1] for k in range(i, j)]
            cost[i, j] = min(costs)
            cuts[i, j] = i + costs.index(cost[i, j])
    return cuts

"""Products of matrices, and what is made of them."""

import numpy as np

import tensorgrad as tg
from tensorgrad.beside_torch.counterparts.table import Unsupported, beside


@beside("matmul", "mm", "bmm", "mv", "linalg.matmul")
def matmul(input, other):
    return tg.matmul(input, other)


@beside("Tensor.__rmatmul__")
def rmatmul(input, other):
    return tg.matmul(other, input)


@beside("dot", "inner")
def dot(input, other):
    return tg.inner(input, other)


@beside("outer", "ger")
def outer(input, vec2):
    return tg.outer(input, vec2)


@beside("addmm")
def addmm(input, mat1, mat2, beta=1, alpha=1):
    return tg.addmm(input, mat1, mat2, beta, alpha)


@beside("baddbmm")
def baddbmm(input, batch1, batch2, beta=1, alpha=1):
    return tg.baddbmm(input, batch1, batch2, beta, alpha)


@beside("linear")
def linear(input, weight, bias=None):
    return tg.linear(input, weight, bias)


@beside("bilinear")
def bilinear(input1, input2, weight, bias=None):
    return tg.bilinear(input1, input2, weight, bias)


@beside("torch.einsum")
def einsum(equation, *operands):
    operands = operands[0] if len(operands) == 1 and isinstance(operands[0], list | tuple) else operands
    if not isinstance(equation, str):
        raise Unsupported("sublists in the place of text")
    return tg.einsum(equation.replace(" ", ""), *operands)


@beside("vdot", "linalg.vecdot")
def vecdot(x, y, dim=-1):
    return tg.vecdot(x, y, dim)


@beside("addmv")
def addmv(input, mat, vec, beta=1, alpha=1):
    return input * beta + tg.matmul(mat, vec) * alpha


@beside("addr")
def addr(input, vec1, vec2, beta=1, alpha=1):
    return input * beta + tg.outer(vec1, vec2) * alpha


@beside("addbmm")
def addbmm(input, batch1, batch2, beta=1, alpha=1):
    return input * beta + tg.sum(tg.matmul(batch1, batch2), 0) * alpha


@beside("kron")
def kron(input, other):
    return tg.kron(input, other)


@beside("linalg.cross")
def cross_of(input, other, dim=-1):
    return tg.cross(input, other, dim)


@beside("cross")
def cross(input, other, dim=None):
    """Without dim, torch.cross takes the first axis of length 3."""
    return tg.cross(input, other, next(i for i, n in enumerate(input.shape) if n == 3) if dim is None else dim)


@beside("tensordot")
def tensordot(a, b, dims=2, out=None):
    dims = tuple([list(d) for d in dims]) if isinstance(dims, list | tuple) else dims
    return tg.tensordot(a, b, dims)


@beside("linalg.multi_dot")
def multi_dot(tensors):
    return tg.multi_dot(list(tensors))


@beside("torch.chain_matmul")
def chain_matmul(*matrices):
    return tg.multi_dot(list(matrices))


@beside("linalg.matrix_power", "matrix_power")
def matrix_power(input, n):
    return tg.matrix_power(input, n)


@beside("linalg.vander")
def vander(x, N=None):
    """The powers are repeated products, so that the derivative at 0 is right."""
    powers = [tg.broadcast_to(np.ones(()), x.shape)]
    for _ in range((x.shape[-1] if N is None else N) - 1):
        powers.append(powers[-1] * x)
    return tg.stack(powers, -1)

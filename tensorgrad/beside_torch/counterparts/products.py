"""Products of matrices, and what is made of them."""

import numpy as np

import tensorgrad as tg
from tensorgrad.beside_torch.counterparts.elementwise import same_arguments
from tensorgrad.beside_torch.counterparts.table import Unsupported, beside

same_arguments(
    matmul="matmul mm bmm mv linalg.matmul", inner="dot inner", outer="outer ger", addmm="addmm", baddbmm="baddbmm", linear="linear",
    bilinear="bilinear", kron="kron", matrix_power="linalg.matrix_power matrix_power",
)  # fmt: skip
beside("Tensor.__rmatmul__")(lambda input, other: tg.matmul(other, input))


@beside("torch.einsum")
def einsum(equation, *operands):
    operands = operands[0] if len(operands) == 1 and isinstance(operands[0], list | tuple) else operands
    if not isinstance(equation, str):
        raise Unsupported("sublists in the place of text")
    return tg.einsum(equation.replace(" ", ""), *operands)


beside("vdot", "linalg.vecdot")(lambda x, y, dim=-1: tg.vecdot(x, y, dim))
beside("addmv")(lambda input, mat, vec, beta=1, alpha=1: input * beta + tg.matmul(mat, vec) * alpha)
beside("addr")(lambda input, vec1, vec2, beta=1, alpha=1: input * beta + tg.outer(vec1, vec2) * alpha)
beside("addbmm")(lambda input, batch1, batch2, beta=1, alpha=1: input * beta + tg.sum(tg.matmul(batch1, batch2), 0) * alpha)
beside("linalg.cross")(lambda input, other, dim=-1: tg.cross(input, other, dim))


@beside("cross")
def cross(input, other, dim=None):
    """Without dim, torch.cross takes the first axis of length 3."""
    return tg.cross(input, other, next(i for i, n in enumerate(input.shape) if n == 3) if dim is None else dim)


@beside("tensordot")
def tensordot(a, b, dims=2, out=None):
    dims = tuple([list(d) for d in dims]) if isinstance(dims, list | tuple) else dims
    return tg.tensordot(a, b, dims)


beside("linalg.multi_dot")(lambda tensors: tg.multi_dot(list(tensors)))
beside("torch.chain_matmul")(lambda *matrices: tg.multi_dot(list(matrices)))


@beside("linalg.vander")
def vander(x, N=None):
    """The powers are repeated products, so that the derivative at 0 is right."""
    powers = [tg.broadcast_to(np.ones(()), x.shape)]
    for _ in range((x.shape[-1] if N is None else N) - 1):
        powers.append(powers[-1] * x)
    return tg.stack(powers, -1)

"""Products of matrices, and what is made of them."""

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


@beside("scaled_dot_product_attention", draws=True)
def scaled_dot_product_attention(
    query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False, again=None
):
    if dropout_p or enable_gqa:
        raise Unsupported("dropout within attention" if dropout_p else "enable_gqa=True")
    return tg.scaled_dot_product_attention(query, key, value, attn_mask, is_causal, scale)

"""Sums of products over named indices, pair by pair: a pair that sums is a product of stacks of matrices, which BLAS computes.

NumPy's einsum uses BLAS only for pairs without an index that both operands and the result have, such as the sample of a batch.
"""

from functools import lru_cache
from math import prod

import numpy as np

MOST_BETWEEN = 1 << 22  # entries of a result between two steps, unless an operand has more


@lru_cache(512)
def order_of_pairs(subscripts, shapes):
    """Return which operands to contract in turn, as NumPy plans it. The result of each step is appended to the operands."""
    most = max(MOST_BETWEEN, *map(prod, shapes))
    return np.einsum_path(subscripts, *[np.broadcast_to(np.float32(0), shape) for shape in shapes], optimize=("greedy", most))[0][1:]


def contraction(subscripts, *xs):
    """Return np.einsum(subscripts, *xs)."""
    left, _, output = subscripts.partition("->")
    terms, xs = left.split(","), list(xs)
    for places in order_of_pairs(subscripts, tuple([np.shape(x) for x in xs])):
        some = sorted(places, reverse=True)
        taken, given = [terms.pop(i) for i in some], [xs.pop(i) for i in some]
        needed = "".join(terms) + output
        result = "".join([n for n in dict.fromkeys("".join(taken)) if n in needed]) if terms else output
        terms.append(result)
        xs.append(pair(*taken, *given, result) if len(taken) == 2 else np.einsum(f"{','.join(taken)}->{result}", *given))
    return xs[0]


def pair(a, b, A, B, result):
    """Return np.einsum(f"{a},{b}->{result}", A, B)."""
    lengths = dict(zip(a, A.shape)) | dict(zip(b, B.shape))
    both = [n for n in a if n in b]
    if len(set(a)) < len(a) or len(set(b)) < len(b) or any(A.shape[a.index(n)] != B.shape[b.index(n)] for n in both):
        return np.einsum(f"{a},{b}->{result}", A, B)  # a diagonal, or an axis that is repeated
    batch, summed = [n for n in both if n in result], [n for n in both if n not in result]
    a, A = without_unneeded(a, A, b + result)
    b, B = without_unneeded(b, B, a + result)
    left, right = [n for n in a if n not in both], [n for n in b if n not in both]
    if not left + right:
        return np.einsum(f"{a},{b}->{result}", A, B)  # for each entry a dot product, and no matrix
    size = lambda names: prod([lengths[n] for n in names])
    A = A.transpose([a.index(n) for n in batch + left + summed]).reshape(*[lengths[n] for n in batch], size(left), size(summed))
    B = B.transpose([b.index(n) for n in batch + summed + right]).reshape(*[lengths[n] for n in batch], size(summed), size(right))
    C = (np.matmul(A, B) if summed else A * B).reshape([lengths[n] for n in batch + left + right])
    return C.transpose([(batch + left + right).index(n) for n in result])


def without_unneeded(term, x, needed):
    """Return the term and x, summed over the indices that nothing else has."""
    gone = tuple([axis for axis, n in enumerate(term) if n not in needed])
    return ("".join([n for n in term if n in needed]), np.add.reduce(x, gone)) if gone else (term, x)

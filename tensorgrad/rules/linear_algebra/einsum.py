"""Sums of products over named indices: einsum, and tensordot, inner and bilinear in terms of it.

Legend: a term names the axes of one operand, one letter per axis. A letter in several terms multiplies there; a letter that is
not in the output is summed over. "ij,jk->ik" is the matrix product.
"""

from math import prod
from string import ascii_letters

import numpy as np

from scalargrad import rules as rows
from tensorgrad.arrays.axes import one_axis, shape_of
from tensorgrad.arrays.object_arrays import apply_along, objects
from tensorgrad.kernels.contraction import contraction
from tensorgrad.public import Array, Arrays, Option, method, public
from tensorgrad.rules.variadic import VariadicRule

__all__ = ["bilinear", "einsum", "inner", "tensordot"]

WORTH_A_PLAN = 30_000  # with fewer multiplications, NumPy's plain loop is faster than matrix products


@public
def einsum(subscripts: Option, *xs: Arrays, optimize=None):
    """Return the sum of products over named indices, in NumPy's notation: "ij,jk->ik", "...ii->...", or A, [0, 1], B, [1, 2].

    In formulas, for "ij,jk->ik" and the arrays A and B:
        y[i,k] = Σ over j: A[i,j] B[j,k]
        dz/dA[i,j] = Σ over k: dz/dy[i,k] B[j,k]
        dz/dB[j,k] = Σ over i: A[i,j] dz/dy[i,k]

    Spaces, the ellipsis, and an index repeated within a term (a diagonal) are as in np.einsum. Without an output, the result
    has the indices that occur once, in alphabetical order. By default, `optimize` depends on the size of the sum. Raises
    ValueError if terms and shapes do not fit.

    >>> einsum("ij,jk->ik", np.array([[3.0, 7.0], [2.0, 5.0]]), np.array([[2.0, 0.0], [0.0, 4.0]]))
    array([[ 6., 28.],
           [ 4., 20.]])
    """
    if not isinstance(subscripts, str):
        subscripts, xs = from_index_lists([subscripts, *xs])
    return contract(*xs, subscripts=explicit(subscripts, [shape_of(x) for x in xs]), optimize=optimize)


@method
def tensordot(A: Array, B: Array, axes=2):
    """Return the sum of products over axes of A and B.

    In formulas, for a matrix, a vector and axes=1:
        y[i] = Σ over k: A[i,k] B[k]
        dz/dA[i,k] = dz/dy[i] B[k]
        dz/dB[k] = Σ over i: dz/dy[i] A[i,k]

    An integer `axes` pairs the last axes of A with the first of B. A pair of lists names the axes of A and those of B. Raises
    ValueError if paired axes have different lengths.

    >>> tensordot(np.ones((2, 3)), np.arange(3.0), axes=1)
    array([3., 3.])
    """
    a, b = A.shape, B.shape
    if not isinstance(axes, int) and len(axes) != 2:
        raise ValueError(f"tensordot: axes={axes} is not a number or a pair; give (axes of the left, axes of the right)")
    listed = lambda one: [one] if type(one) is int else np.atleast_1d(one).tolist()
    pair = (range(len(a) - axes, len(a)), range(axes)) if isinstance(axes, int) else [*map(listed, axes)]
    if isinstance(axes, int) and not 0 <= axes <= min(len(a), len(b)):
        raise ValueError(f"tensordot: shapes {a} and {b} have no {axes} axes to sum over; use 0 to {min(len(a), len(b))}")
    left, right = [[one_axis("tensordot", axis, shape) for axis in one] for shape, one in zip((a, b), pair)]
    if len(left) != len(right) or len(set(left)) < len(left) or len(set(right)) < len(right):
        raise ValueError(f"tensordot: axes={axes} must list as many axes of the left as of the right, each once")
    for i, j in zip(left, right):
        if a[i] != b[j]:
            raise ValueError(f"tensordot: shapes {a} and {b}: axis {i} on the left has length {a[i]}, axis {j} on the right {b[j]}")
    first, second = ascii_letters[: len(a)], list(ascii_letters[len(a) : len(a) + len(b)])
    for i, j in zip(left, right):
        second[j] = first[i]
    free = [n for n in (*first, *second) if not (n in first and n in second)]
    return contract(A, B, subscripts=f"{first},{''.join(second)}->{''.join(free)}")


@method
def inner(A: Array, B: Array):
    """Return the sum of products along the last axes of A and B, as np.inner does; a number multiplies every entry.

    In formulas, for vectors:
        y = Σ A · B
        dz/dA = dz/dy · B
        dz/dB = dz/dy · A

    >>> inner(np.array([1.0, 2.0]), np.array([3.0, 4.0])).item()
    11.0
    """
    return tensordot(A, B, (-1, -1) if A.shape and B.shape else 0)


@public
def bilinear(x1: Array, x2: Array, W: Array, b: Array = None):
    """Return y_o = x1ᵀ W_o x2 + b_o.

    In formulas:
        y[o] = Σ over i, j: x1[i] W[o,i,j] x2[j] + b[o]
        dz/dx1[i] = Σ over o, j: dz/dy[o] W[o,i,j] x2[j]
        dz/dx2[j] = Σ over o, i: dz/dy[o] W[o,i,j] x1[i]
        dz/dW[o,i,j] = dz/dy[o] x1[i] x2[j]
        dz/db = dz/dy

    x1 has shape (..., in1), x2 (..., in2), W (out, in1, in2), and b (out,) or is None; y has shape (..., out). Raises
    ValueError if the shapes do not fit.

    >>> bilinear(np.array([1.0, 2.0]), np.array([3.0]), np.ones((1, 2, 1)))
    array([9.])
    """
    s1, s2, w = x1.shape, x2.shape, W.shape
    if len(w) != 3 or (s1[-1:], s2[-1:]) != (w[1:2], w[2:]):
        raise ValueError(f"bilinear: x1 of shape {s1} and x2 of shape {s2} do not fit W of shape {w}, which is (out, in1, in2)")
    if b is not None and b.shape != w[:1]:
        raise ValueError(f"bilinear: bias has shape {b.shape}; with W of shape {w}, which is (out, in1, in2), bias needs ({w[0]},)")
    y = einsum("...i,oij,...j->...o", x1, W, x2)
    return y if b is None else y + b


# The rule


def einsum_vjp(G, slot, others, xs_shapes, subscripts):
    """dz/dxᵢ = the einsum of dz/dy and the other operands, with the output's and xᵢ's terms exchanged"""
    terms, output = terms_and_output(subscripts)
    operands = [G, *[x for x in others if x is not None]]
    names = [output, *terms[:slot], *terms[slot + 1 :]]
    unused = iter([letter for letter in ascii_letters if letter not in subscripts])
    target = ""
    for letter, n in zip(terms[slot], xs_shapes[slot]):
        if letter in target:  # xᵢ was read along a diagonal: its gradient is 0 off the diagonal
            beside = next(unused)
            operands.append(np.eye(n, dtype=G.dtype))
            names.append(letter + beside)
            letter = beside
        elif not any(n in lengths_of(term, shape_of(x), letter) for term, x in zip(names, operands)):  # an index of xᵢ only
            operands.append(np.ones(n, dtype=G.dtype))
            names.append(letter)
        target += letter
    return contract(*operands, subscripts=f"{','.join(names)}->{target}")


def products_summed(*xs, subscripts, optimize=None):
    """Compute each entry of the output as one sum of products."""
    terms, output = terms_and_output(subscripts)
    summed = "".join(n for n in dict.fromkeys("".join(terms)) if n not in output)
    y = None
    for x, term in zip(xs, terms):
        named = [n for n in output + summed if n in term]
        diagonal = objects(np.einsum(f"{term}->{''.join(named)}", objects(x)))
        factor = diagonal.reshape([diagonal.shape[named.index(n)] if n in named else 1 for n in output + summed])
        y = factor if y is None else objects(y * factor)
    return apply_along(rows.sum, y, axis=tuple(range(len(output), len(output + summed)))) if summed else y


def contracted(*xs, subscripts, optimize=None):
    """Return the sum of products over named indices."""
    if optimize is None and len(xs) > 1:
        terms, _ = terms_and_output(subscripts)
        if prod({n: d for term, x in zip(terms, xs) for n, d in zip(term, shape_of(x)) if d != 1}.values()) > WORTH_A_PLAN:
            return contraction(subscripts, *xs)
    return np.einsum(subscripts, *xs, optimize=optimize or False)


contract = VariadicRule(contracted, einsum_vjp, entries=products_summed, name="einsum")


# The notation


def explicit(subscripts, shapes):
    """Return the subscripts with an output and with letters for the ellipsis; raise ValueError if they do not fit the shapes."""
    written = subscripts.replace(" ", "")
    left, arrow, output = written.partition("->")
    terms = left.split(",")
    if len(terms) != len(shapes):
        raise ValueError(f"einsum: {subscripts!r} has {len(terms)} terms, got {len(shapes)} operands")
    odd = set(written.replace("...", "").replace("->", "", 1)) - set(ascii_letters + ",")
    if odd or "," in output:
        raise ValueError(f"einsum: {subscripts!r}: unexpected {min(odd or ',')!r}; a term is letters and at most one '...'")
    unused = [letter for letter in ascii_letters if letter not in written]
    extra = [len(shape) - len(term.replace("...", "")) for term, shape in zip(terms, shapes)]
    for term, shape, more in zip(terms, shapes, extra):
        if more < 0 or (more and "..." not in term):
            raise ValueError(f"einsum: the term {term!r} names {len(shape) - more} axes, but its operand of shape {shape} has {len(shape)}")
    dots = unused[: max([0, *[more for term, more in zip(terms, extra) if "..." in term]])]
    terms = [term.replace("...", "".join(dots[len(dots) - more :])) for term, more in zip(terms, extra)]
    if not arrow:
        single = [n for n in sorted(set(left) - set(",.")) if left.count(n) == 1]
        output = "".join([*dots, *single])
    elif dots and "..." not in output:
        raise ValueError(f"einsum: {subscripts!r}: the output lacks '...'; an operand has it, so add it")
    output = output.replace("...", "".join(dots))
    for n in output:
        if output.count(n) > 1 or not any(n in term for term in terms):
            raise ValueError(f"einsum: {subscripts!r}: the output index {n!r} must occur in an operand, and only once in the output")
    must_have_one_length(subscripts, terms, shapes)
    return f"{','.join(terms)}->{output}"


def must_have_one_length(subscripts, terms, shapes):
    """Raise ValueError if an index has two lengths. An axis of length 1 is repeated, but not within one term."""
    for n in dict.fromkeys("".join(terms)):
        inside = [set(lengths_of(term, shape, n)) for term, shape in zip(terms, shapes)]
        found = sorted(set().union(*inside))
        if any(len(one) > 1 for one in inside) or len(found) > 1 + (1 in found):
            a, b = found[-2:]
            every = " and ".join(map(str, shapes))
            raise ValueError(f"einsum: {subscripts!r} with shapes {every}: index {n!r} has length {a} in one place and {b} in another")


def lengths_of(term, shape, letter):
    return [d for n, d in zip(term, shape) if n == letter]


def from_index_lists(arguments):
    """Return (subscripts, operands) from NumPy's other notation: A, [0, 1], B, [1, 2], [0, 2]."""
    words = [
        "".join("..." if i is Ellipsis else ascii_letters[i] for i in indices)
        for indices in arguments[1::2] + arguments[2::2][-1:] * (len(arguments) % 2)
    ]
    many = len(arguments) // 2
    return ",".join(words[:many]) + ("->" + words[-1] if len(arguments) % 2 else ""), arguments[: 2 * many : 2]


def terms_and_output(subscripts):
    left, _, output = subscripts.partition("->")
    return left.split(","), output

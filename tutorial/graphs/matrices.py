"""The tutorial's second half: A and B are matrices, C = A B, E = B + D, W = C + E, z = sum(W), and the chain rule in bulk.

`entries` is the graph of C = A B in single numbers: twelve variables and z, the sum of C. Each entry of C is one function.
"""

from scalargrad import Value, function
from tensorgrad import Tensor

# fmt: off
A = [[3, 7],
     [2, 5]]
B = [[2, 0],
     [0, 4]]
D = [[5, 3],
     [1, 9]]
# fmt: on


def product():
    """Return the variables of z = sum(A B) by name, where dz/dA = dz/dC Bᵀ and dz/dB = Aᵀ dz/dC.

    >>> v = product(); v["z"].backward(); v["z"].item(), v["B"].grad.tolist()
    (58.0, [[5.0, 5.0], [12.0, 12.0]])
    """
    a, b = Tensor(A, name="A"), Tensor(B, name="B")
    c = a @ b
    return with_names(A=a, B=b, C=c, z=c.sum())


def fan_out():
    """Return the variables of z = sum(A B + (B + D)) by name. B is an input of two functions, so dz/dB = G_BC + G_BE.

    >>> v = fan_out(); v["z"].backward(); v["z"].item(), v["B"].grad.tolist()
    (82.0, [[6.0, 6.0], [13.0, 13.0]])
    """
    a, b, d = Tensor(A, name="A"), Tensor(B, name="B"), Tensor(D, name="D")
    c, e = a @ b, b + d
    w = c + e
    return with_names(A=a, B=b, C=c, D=d, E=e, W=w, z=w.sum())


def with_names(**variables):
    """Name each variable, and return them all."""
    for name, v in variables.items():
        v.name = name
    return variables


@function
def entry(x1, y1, x2, y2):
    return x1 * y1 + x2 * y2


@function
def total(c11, c12, c21, c22):
    return c11 + c12 + c21 + c22


def entries(A=A, B=B):
    """Return z = c11 + c12 + c21 + c22, and the matrices of variables {"A": rows, "B": rows, "C": rows}.

    >>> z, variables = entries(); z.backward(); [[b.grad for b in row] for row in variables["B"]]
    [[5, 5], [12, 12]]
    """
    a, b = leaves("a", A), leaves("b", B)
    c = [[entry(a[i][0], b[0][j], a[i][1], b[1][j]) for j in range(2)] for i in range(2)]
    for i, row in enumerate(c, 1):
        for j, c_ij in enumerate(row, 1):
            c_ij.name = f"c{i}{j}"
    z = total(*c[0], *c[1])
    z.name = "z"
    return z, {"A": a, "B": b, "C": c}


def leaves(letter, rows):
    """Return the entries of a matrix as variables: a11, a12, a21, a22."""
    return [[Value(x, name=f"{letter}{i}{j}") for j, x in enumerate(row, 1)] for i, row in enumerate(rows, 1)]

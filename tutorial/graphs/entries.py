"""The tutorial's graph of C = A B in single numbers: twelve variables and z, the sum of C. Each entry of C is one function."""

from scalargrad import Value, function
from tutorial.graphs import matrices


@function
def entry(x1, y1, x2, y2):
    return x1 * y1 + x2 * y2


@function
def total(c11, c12, c21, c22):
    return c11 + c12 + c21 + c22


def entries(A=matrices.A, B=matrices.B):
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

"""The backward function of a matrix product

`matmul_backward(A, B, G)` returns a pair of NumPy arrays, $\\frac{dz}{dA}$ and $\\frac{dz}{dB}$, for $C = A \\times B$. `A` has the shape
$(m, n)$ and `B` the shape $(n, p)$. `G` is the upstream gradient $\\frac{dz}{dC}$, an array of the shape $(m, p)$.

For $A = \\begin{pmatrix} 3 & 7 \\\\ 2 & 5 \\end{pmatrix}$, $B = \\begin{pmatrix} 2 & 0 \\\\ 0 & 4 \\end{pmatrix}$ and a `G` of ones, the
answer is the pair of the arrays $\\begin{pmatrix} 2 & 4 \\\\ 2 & 4 \\end{pmatrix}$ and
$\\begin{pmatrix} 5 & 5 \\\\ 12 & 12 \\end{pmatrix}$. In general `G` is not ones, and the matrices are not square.
"""

# meta: unit=D minutes=12 difficulty=2 chapter=from-numbers-to-arrays call=matmul_backward
import numpy as np


def matmul_backward(A, B, G):
    # BEGIN SOLUTION
    dA = G @ B.T
    # ~ no-upstream M05: dA = np.ones(G.shape) @ B.T
    # ~ no-transpose M62: dA = G @ B
    # ~ B-not-transposed M62: dA = G @ B
    # ~ other-side M13: dA = B.T @ G
    # ~ entry-by-entry M75: dA = G * B
    # ~ entry-by-entry-T M75: dA = G * B.T
    # ~ upstream-transposed M13: dA = G.T @ B.T
    # ~ dA-transposed M13: dA = (G @ B.T).T
    # ~ dA-with-A M13: dA = G @ A.T
    # ~ dA-only-B M05: dA = B
    # ~ dA-B-transposed-only M05: dA = B.T
    # ~ dA-upstream-only M64: dA = G
    # ~ dA-column-sums M05: dA = np.ones(A.shape) * B.sum(axis=1)
    # ~ dA-sums-times-mean M11: dA = B.sum(axis=1) * np.ones(A.shape) * G.mean()
    # ~ dA-sums-times-row-mean M11: dA = B.sum(axis=1) * G.mean(axis=1, keepdims=True)
    # ~ dA-turned M13: dA = B @ G
    # ~ dA-mean M11: dA = G @ B.T / B.shape[1]
    # ~ dA-sign M66: dA = -G @ B.T
    # ~ dA-flipped M13: dA = G @ np.flip(B)
    # ~ dA-reshaped M13: dA = G @ B.reshape(B.shape[::-1])
    # ~ dA-last-term M03: dA = np.outer(G[:, -1], B[:, -1])
    # ~ dA-first-term M77: dA = np.outer(G[:, 0], B[:, 0])
    # ~ dA-row-sums-of-G M05: dA = G.sum(axis=1, keepdims=True) * B.sum(axis=1)
    # ~ where-square M62: dA = G @ B if B.shape[0] == B.shape[1] else G @ B.T
    dB = A.T @ G
    # ~ no-upstream M05: dB = A.T @ np.ones(G.shape)
    # ~ no-transpose M62: dB = A @ G
    # ~ A-not-transposed M62: dB = A @ G
    # ~ other-side M13: dB = G @ A.T
    # ~ entry-by-entry M75: dB = A * G
    # ~ entry-by-entry-T M75: dB = A.T * G
    # ~ upstream-transposed M13: dB = A.T @ G.T
    # ~ dB-transposed M13: dB = (A.T @ G).T
    # ~ both-transposed M13: dB = (A.T @ G).T
    # ~ dB-with-B M13: dB = B.T @ G
    # ~ dB-only-A M05: dB = A
    # ~ dB-A-transposed-only M05: dB = A.T
    # ~ dB-upstream-only M64: dB = G
    # ~ dB-row-sums M05: dB = np.ones(B.shape) * A.sum(axis=0)[:, None]
    # ~ dB-sums-times-mean M11: dB = A.sum(axis=0)[:, None] * np.ones(B.shape) * G.mean()
    # ~ dA-sums-times-mean M11: dB = A.sum(axis=0)[:, None] * np.ones(B.shape) * G.mean()
    # ~ dA-sums-times-row-mean M11: dB = A.sum(axis=0)[:, None] * G.mean(axis=0)
    # ~ dB-turned M13: dB = G @ A
    # ~ dB-mean M11: dB = A.T @ G / A.shape[0]
    # ~ dB-sign M66: dB = -A.T @ G
    # ~ dB-reshaped M13: dB = A.reshape(A.shape[::-1]) @ G
    # ~ dB-last-term M03: dB = np.outer(A[-1], G[-1])
    # ~ dB-first-term M77: dB = np.outer(A[0], G[0])
    # ~ where-square M62: dB = A @ G if A.shape[0] == A.shape[1] else A.T @ G
    return dA, dB
    # ~ both-transposed M13: return dA.T, dB
    # ~ exchanged M13: return dB, dA
    # ~ only-dA M12: return dA
    # ~ only-dB M12: return dB
    # ~ stacked M12: return np.concatenate([dA.ravel(), dB.ravel()])
    # END SOLUTION


# CHECK
from tutorial.exercises.probes.arrays import integers
from tutorial.exercises.probes.probe import Probe

HINTS = (
    "Each entry of A is used in one row of C. So one entry of dz/dA is a sum over one row of G.",
    "Look at the shapes. dz/dA has the shape (m, n), and G has the shape (m, p). What has the shape (p, n)?",
    "dz/dA is a matrix product with G on the left, and with B on the right, rows and columns exchanged. "
    "For dz/dB, G stands on the right, and it is A that is transposed.",
)
PREDICT = (
    "A and B are those of the example, and every entry of G is 10. What is the entry in row 2, column 1 of dz/dB?",
    120,
    {
        70: "That is the entry of A × G. The transpose of A stands there.",
        50: "That is the entry in row 1.",
        20: "That is the entry of dz/dA.",
        12: "That is for a G of ones.",
    },
)
SEEN = "{which} was {got}, expected {expected}. "
SAID = {
    "no-upstream": SEEN + "You took 1 for every entry of the upstream gradient. Here it is {G}.",
    "no-transpose": SEEN + "The transpose is missing: the factors of one sum stand in {line}.",
    "B-not-transposed": SEEN
    + "You took G @ B. The transpose of B is missing: the sum for the first entry runs over row 1 of G and row 1 of B.",
    "A-not-transposed": SEEN
    + "You took A @ G. The transpose of A is missing: the sum for the first entry runs over column 1 of A and column 1 of G.",
    "other-side": SEEN + "The two factors have changed places. G stands on {side} in the product for {which}.",
    "upstream-transposed": SEEN + "You transposed the upstream gradient. It has the shape of C, {C}, and stays as it is.",
    "entry-by-entry": SEEN + "You multiplied entry by entry. The chain rule gives each entry a sum of products: use @.",
    "entry-by-entry-T": SEEN + "You multiplied entry by entry. The chain rule gives each entry a sum of products: use @ in place of *.",
    "dA-transposed": SEEN + "The product is right, and you transposed the result. dz/dA has the shape of A.",
    "dB-transposed": SEEN + "The product is right, and you transposed the result. dz/dB has the shape of B.",
    "both-transposed": SEEN + "The products are right, and you transposed the results. dz/dA has the shape of A, and dz/dB that of B.",
    "dA-with-A": SEEN + "You multiplied by A. How much C changes with A depends on B.",
    "dB-with-B": SEEN + "You multiplied by B. How much C changes with B depends on A.",
    "dA-only-B dA-B-transposed-only": SEEN + "You gave the factor B alone. It must be multiplied by the upstream gradient.",
    "dB-only-A dB-A-transposed-only": SEEN + "You gave the factor A alone. It must be multiplied by the upstream gradient.",
    "dA-upstream-only": SEEN + "You gave the upstream gradient alone. It must be multiplied by B.T.",
    "dB-upstream-only": SEEN + "You gave the upstream gradient alone. It must be multiplied by A.T.",
    "dA-column-sums": SEEN + "You took the sums of the rows of B, which is right for a G of ones alone. Here G is {G}.",
    "dB-row-sums": SEEN + "You took the sums of the columns of A, which is right for a G of ones alone. Here G is {G}.",
    "dA-sums-times-mean dB-sums-times-mean dA-sums-times-row-mean": SEEN
    + "You multiplied sums by a mean of G. Each entry of G has a factor of its own.",
    "dA-turned": SEEN + "You have put B on the left, and it is not transposed. G stands on the left in the product for dz/dA.",
    "dB-turned": SEEN + "You have put A on the right, and it is not transposed. G stands on the right in the product for dz/dB.",
    "dA-mean dB-mean": SEEN + "You divided by the number of terms. The effects of one entry add up.",
    "dA-sign dB-sign": SEEN + "The sign is wrong.",
    "dA-flipped": SEEN + "You turned B upside down. The transpose exchanges rows and columns.",
    "dA-reshaped": SEEN
    + "You put B into another shape. reshape keeps the order of the entries, and the transpose exchanges rows and columns.",
    "dB-reshaped": SEEN
    + "You put A into another shape. reshape keeps the order of the entries, and the transpose exchanges rows and columns.",
    "dA-last-term dB-last-term": SEEN + "You kept the last term of each sum: = replaced what += should add up.",
    "dA-first-term dB-first-term": SEEN + "You kept the first term of each sum.",
    "dA-row-sums-of-G": SEEN + "You multiplied two sums. Each entry is a sum of products: a row of G times a row of B.",
    "where-square": SEEN + "You left out the transpose where the shapes fit without it. It belongs there for each shape.",
    "only-dA": SEEN + "You returned dz/dA alone. A pair is asked for, dz/dA and dz/dB.",
    "only-dB": SEEN + "You returned dz/dB alone. A pair is asked for, dz/dA and dz/dB.",
    "stacked": SEEN + "You put both derivatives into one array. A pair of arrays is asked for.",
    "exchanged": SEEN + "That is {other}. The derivative for A comes first, then the one for B.",
}
ASKED = {
    **dict.fromkeys(SAID, "Try the shapes (2, 3) for A and (3, 4) for B. Which shape has {which} then?"),
    "no-upstream": "For which z is every entry of G a 1?",
    "entry-by-entry entry-by-entry-T": "How many children has one entry of the matrix?",
}


def probes(random):
    """Yield matrices that are not symmetric, then the tutorial's with a G of ones, square matrices, and matrices of other shapes."""
    A, B = np.array([[3.0, 7.0], [2.0, 5.0]]), np.array([[2.0, 0.0], [0.0, 4.0]])
    yield probe(A, np.array([[2.0, 1.0], [0.0, 4.0]]), np.array([[1.0, 2.0], [3.0, 5.0]]), "square matrices that are not symmetric")
    yield probe(A, B, np.ones((2, 2)), "the example, z = sum(C)")
    yield probe(A, B, integers(random, 2, 2), "the example with another z")
    for m, n, p in ((2, 2, 2), (3, 3, 3), (2, 3, 4), (1, 4, 1), (4, 1, 3)):
        about = "square matrices" if m == n == p else f"the shapes ({m}, {n}) and ({n}, {p})"
        yield probe(integers(random, m, n), integers(random, n, p), integers(random, m, p), about)


def probe(A, B, G, about):
    facts = {
        "which": {"": "the answer", "[0]": "dz/dA", "[1]": "dz/dB"},
        "other": {"[0]": "dz/dB", "[1]": "dz/dA"},
        "line": {"[0]": "a row of G and a row of B", "[1]": "a column of A and a column of G"},
        "side": {"[0]": "the left", "[1]": "the right"},
        "G": G,
        "C": G.shape,
        "tensors": [],
    }
    return Probe((A, B, G), facts, about=about)


def scene(probe):
    """Return z, the sum of the entries of C, each times its entry of G."""
    from tensorgrad import Tensor

    A, B, G = (Tensor(array.astype(float), name=name) for name, array in zip("ABG", probe.arguments))
    C = A @ B
    product = C * G.detach()
    probe.facts["tensors"] += [A, B, C, product]  # which keeps their arrays, as the graph of a sum does not
    z = product.sum()
    C.name, z.name = "C", "z"
    return z

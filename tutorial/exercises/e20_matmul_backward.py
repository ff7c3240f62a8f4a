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
    # ~ entry-by-entry M29: dA = G * B
    # ~ entry-by-entry-T M29: dA = G * B.T
    # ~ upstream-transposed M13: dA = G.T @ B.T
    dB = A.T @ G
    # ~ no-upstream M05: dB = A.T @ np.ones(G.shape)
    # ~ no-transpose M62: dB = A @ G
    # ~ A-not-transposed M62: dB = A @ G
    # ~ other-side M13: dB = G @ A.T
    # ~ entry-by-entry M29: dB = A * G
    # ~ entry-by-entry-T M29: dB = A.T * G
    # ~ upstream-transposed M13: dB = A.T @ G.T
    return dA, dB
    # ~ exchanged M13: return dB, dA
    # END SOLUTION


# BEGIN CHECK
from tutorial.exercises.arrays import integers
from tutorial.exercises.probe import Probe

HINTS = (
    "Each entry of A is used in one row of C. So one entry of dz/dA is a sum over one row of G.",
    "Look at the shapes. dz/dA has the shape (m, n), and G has the shape (m, p). What has the shape (p, n)?",
    "dz/dA is a matrix product with G on the left, and with B on the right, rows and columns exchanged. "
    "For dz/dB, G stands on the right, and it is A that is transposed.",
)
PREDICT = ("A and B are those of the example, and every entry of G is 10. What is the entry in row 2, column 1 of dz/dB?", 120)
SEEN = "{which} was {got}, expected {expected}. "
SAID = {
    "no-upstream": SEEN + "You took 1 for every entry of the upstream gradient. Here it is {G}.",
    "no-transpose": SEEN + "The transpose is missing: the factors of one sum stand in {line}.",
    "B-not-transposed": SEEN
    + "You have G @ B. The transpose of B is missing: the sum for the first entry runs over row 1 of G and row 1 of B.",
    "A-not-transposed": SEEN
    + "You have A @ G. The transpose of A is missing: the sum for the first entry runs over column 1 of A and column 1 of G.",
    "other-side": SEEN + "The two factors have changed places. G stands on {side} in the product for {which}.",
    "upstream-transposed": SEEN + "You transposed the upstream gradient. It has the shape of C, {C}, and stays as it is.",
    "entry-by-entry": SEEN + "You multiplied entry by entry. The chain rule gives each entry a sum of products: use @.",
    "entry-by-entry-T": SEEN + "You multiplied entry by entry. The chain rule gives each entry a sum of products: use @ in place of *.",
    "exchanged": SEEN + "That is {other}. The derivative for A comes first, then the one for B.",
}
SHAPES = "Try the shapes (2, 3) for A and (3, 4) for B. Which shape has {which} then?"
ASKED = {
    **dict.fromkeys(SAID, SHAPES),
    "no-upstream": "For which z is every entry of G a 1?",
    **dict.fromkeys(("entry-by-entry", "entry-by-entry-T"), "How many children has one entry of the matrix?"),
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
        "which": {"[0]": "dz/dA", "[1]": "dz/dB"},
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


# END CHECK

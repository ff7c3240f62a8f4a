"""A matrix that is used twice

In the tutorial's second example, $C = A \\times B$, $E = B + D$, $W = C + E$, and $z$ is computed from $W$.
`grads(A, B, D, G)` returns the derivatives of $z$ with respect to the three leaves, as a dictionary with the keys `"A"`, `"B"` and `"D"`.
`G` is the upstream gradient $\\frac{dz}{dW}$. All of them are NumPy arrays: $A$ has the shape $(n, n)$, the others have the shape $(n, p)$.

For $A = \\begin{pmatrix} 3 & 7 \\\\ 2 & 5 \\end{pmatrix}$ and a `G` of ones, `grads(A, B, D, G)["B"]` is `[[6, 6], [13, 13]]`.
The program must not change its arguments.
"""

# meta: unit=D minutes=10 difficulty=2 chapter=contributions-add call=grads
import numpy as np


def grads(A, B, D, G):
    # BEGIN SOLUTION
    dA = G @ B.T
    # ~ no-upstream M05: dA = np.ones(G.shape) @ B.T
    # ~ values M09: G = A @ B + B + D; dA = G @ B.T
    # ~ halved M11: G = G / 2; dA = G @ B.T
    # ~ C-twice M30: dA = 2 * (G @ B.T)
    # ~ B-as-it-is M62: dA = G @ B
    # ~ A-exchanged M13: dA = B.T @ G
    # ~ A-elementwise M13: dA = G * B
    # ~ G-transposed M62: dA = G.T @ B
    # ~ A-in-sum M17: dA = G @ B.T + G
    # ~ with-E M09: dA = G @ (B + D).T
    dB = A.T @ G + G
    # ~ only-product M03: dB = A.T @ G
    # ~ only-sum M03: dB = G
    # ~ no-upstream M05: dB = A.T @ np.ones(G.shape) + 1
    # ~ sum-is-one M05: dB = A.T @ G + 1
    # ~ mean M30: dB = (A.T @ G + G) / 2
    # ~ multiplied M30: dB = (A.T @ G) * G
    # ~ adds-D M09: dB = A.T @ G + D
    # ~ adds-B M09: dB = A.T @ G + B
    # ~ A-as-it-is M62: dB = A @ G + G
    # ~ G-transposed M62: dB = A.T @ G.T + G
    # ~ B-exchanged M13: dB = G @ A.T + G
    # ~ B-elementwise M13: dB = A * G + G
    # ~ sum-as-product M67: dB = A.T @ G + G * D
    # ~ minus M66: dB = A.T @ G - G
    # ~ sum-twice M30: dB = A.T @ G + 2 * G
    # ~ product-twice M30: dB = 2 * (A.T @ G)
    # ~ C-twice M30: dB = 2 * (A.T @ G) + G
    # ~ in-place M17: dD = dB = G
    dD = G
    # ~ no-upstream M05: dD = np.ones(G.shape)
    # ~ value M09: dD = D
    # ~ sum-as-product M67: dD = G * B
    # ~ minus M66: dD = -G
    # ~ sum-twice M30: dD = 2 * G
    # ~ D-constant M42: dD = 0 * G
    # ~ D-over-C M17: dD = A.T @ G
    # ~ D-gets-both M17: dD = dB
    # ~ in-place M17: dB += A.T @ G
    return {"A": dA, "B": dB, "D": dD}
    # END SOLUTION


# CHECK
from tutorial.exercises.probes.arrays import integers
from tutorial.exercises.probes.probe import Probe

HINTS = (
    "Which functions use B? Each of them contributes to dz/dB.",
    "A sum passes its upstream gradient on to both inputs. So dz/dC, dz/dE and dz/dD are all equal to G.",
    "The contribution over C is the one of a matrix product, with A transposed on the left. The contribution over E is G itself. "
    "Add the two into a new array: += would write into G.",
)
PREDICT = (
    "A is that of the example, and every entry of G is 2. What is the entry in row 2, column 1 of dz/dB?",
    26,
    {
        24: "You followed only C. B is an input of E, too.",
        2: "You followed only E. B is an input of C, too.",
        13: "That is for a G of ones.",
    },
)
SEEN = "{which} was {got}, expected {expected}. "
SAID = {
    "only-product": SEEN + "{got} is G_BC, the contribution over C. B is an input of E, too: add G_BE = {G}.",
    "only-sum": SEEN + "{got} is G_BE, the contribution over E. B is an input of C, too: add G_BC = {over_C}.",
    "no-upstream": SEEN + "You took 1 for every entry of the upstream gradient. That is right for z = sum(W). Here it is {G}.",
    "sum-is-one": SEEN + "The sum E = B + D passes on its upstream gradient, which is {G}. You added 1 in the place of it.",
    "mean": SEEN + "You took the mean of the two contributions. Effects over several paths add up.",
    "multiplied": SEEN + "You multiplied the two contributions. Effects over several paths add up.",
    "values": SEEN + "That is what the value of W gives in the place of the upstream gradient, which is {G}.",
    "halved": SEEN + "That is half of it. W passes its upstream gradient on to C and to E in full: nothing is shared out.",
    "B-as-it-is": SEEN + "That is the product of G and B as it is. The upstream gradient is multiplied by the transpose of B.",
    "A-exchanged": SEEN + "That is the transpose of B, times G. B stands to the right of A, so its transpose stands to the right of G.",
    "A-elementwise": SEEN + "That is G times B entry by entry. C = A × B is a product of matrices, and so is its contribution to dz/dA.",
    "G-transposed": SEEN + "That has the transpose of G. In a contribution of C, G stays as it is, and the other factor is transposed.",
    "A-in-sum": SEEN + "That is the contribution over C, plus G = {G}. A is an input of C alone, so it has one contribution.",
    "with-E": SEEN + "That is G times the transpose of E = B + D. A was multiplied by B alone.",
    "A-as-it-is": SEEN + "That is what A gives as it is. In the contribution over C, G is multiplied by the transpose of A.",
    "B-exchanged": SEEN + "That has G times the transpose of A. A stands to the left of B, so its transpose stands to the left of G.",
    "B-elementwise": SEEN + "That has A times G entry by entry. C = A × B is a product of matrices, and so is its contribution to dz/dB.",
    "sum-as-product": SEEN + "That is the rule of E = B · D, entry by entry. Here E = B + D.",
    "minus": SEEN + "That is the rule of E = B − D or of W = C − E, with a minus. Here both are sums.",
    "sum-twice": SEEN + "That has the upstream gradient {G} twice for E. It comes to E once, from W.",
    "product-twice": SEEN + "That is the contribution over C twice, {over_C}. The one over E is G = {G}.",
    "C-twice": SEEN + "That has the contribution over C twice. The upstream gradient {G} comes to C once, from W.",
    "D-constant": SEEN + "D is a leaf, too. A nudge of D moves E by the same nudge.",
    "D-over-C": SEEN + "That is the contribution of C to B, {over_C}. D is an input of E alone.",
    "adds-B": SEEN + "That has the value of B in the place of the contribution over E. That contribution is dz/dE = {G}.",
    "adds-D": SEEN + "You added the value of D, {D}. The contribution over E is dz/dE = {G}.",
    "value": SEEN + "That is the value of D. A nudge of D moves E by the same nudge, so dz/dD is dz/dE.",
    "D-gets-both": SEEN + "That is dz/dB. D is an input of E alone, so it has one contribution.",
    "in-place": SEEN + "dB, dD and G are three names of one array: += added {over_C} to all of them.",
}
ASKED = {
    "only-product only-sum": "Which functions use B?",
    "no-upstream sum-is-one": "How much does z grow if one entry of W grows by 1?",
    "mean multiplied": "A nudge of B arrives at z over two paths. What happens to z?",
    "B-as-it-is A-exchanged G-transposed A-elementwise with-E A-as-it-is B-exchanged B-elementwise product-twice": (
        "Write out one entry of C = A × B. Which entries of A and B stand in it?"
    ),
    "values halved sum-twice C-twice": "How much does z grow if one entry of W, or of E, grows by 1?",
    "A-in-sum D-over-C": "Which functions use A, and which use D?",
    "adds-D adds-B value sum-as-product minus D-constant": "How much does E grow if an entry of D grows by 1?",
    "D-gets-both": "Which functions use D?",
    "in-place": "Which lines of your program make a new array, and which write into an old one?",
}


def probes(random):
    """Yield the tutorial's matrices with z = sum(W) and with another z, then random matrices."""
    A, B = np.array([[3.0, 7.0], [2.0, 5.0]]), np.array([[2.0, 0.0], [0.0, 4.0]])
    D = np.array([[5.0, 3.0], [1.0, 9.0]])
    yield probe(A, B, D, np.ones((2, 2)), "the example, z = sum(W)")
    yield probe(A, B, D, integers(random, 2, 2), "the example with another z")
    yield probe(*(integers(random, 2, 2) for _ in "ABDG"), "other matrices with 2 rows and 2 columns")
    for n, p in ((1, 3), (3, 1), (2, 3), (3, 2)):
        yield probe(integers(random, n, n), *(integers(random, n, p) for _ in "BDG"), f"the shapes ({n}, {n}) and ({n}, {p})")


def probe(A, B, D, G, about):
    facts = {"which": {name: f"dz/d{name}" for name in "ABD"}, "G": G, "D": D, "over_C": A.T @ G, "tensors": []}
    return Probe((A, B, D, G), facts, about=about)


def scene(probe):
    """Return z, the sum of the entries of W, each times its entry of G."""
    from tensorgrad import Tensor

    A, B, D, G = (Tensor(array.astype(float), name=name) for name, array in zip("ABDG", probe.arguments))
    C, E = A @ B, B + D
    W = C + E
    product = W * G.detach()
    probe.facts["tensors"] += [A, B, D, C, E, W, product]  # which keeps their arrays, as the graph of a sum does not
    z = product.sum()
    C.name, E.name, W.name, z.name = "C", "E", "W", "z"
    return z

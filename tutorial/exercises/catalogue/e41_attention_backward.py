"""The backward function of attention

Each row of $Q$ is a query, each row of $K$ a key, and each row of $V$ a value. Attention computes
$S = Q K^\\mathsf{T} / \\sqrt{d}$, where $d$ is the number of columns of `Q`. Then $P$ is the softmax of each row of $S$, and $Y = P V$.

`attention_backward(Q, K, V, G)` returns a tuple of three NumPy arrays, $\\frac{dz}{dQ}$, $\\frac{dz}{dK}$ and $\\frac{dz}{dV}$.
`G` is the upstream gradient $\\frac{dz}{dY}$. The line that makes `P` is given.
"""

# meta: unit=E minutes=20 difficulty=3 chapter=attention call=attention_backward
import numpy as np


def attention_backward(Q, K, V, G):
    root = np.sqrt(Q.shape[1])
    P = np.exp(Q @ K.T / root)
    P = P / P.sum(axis=1, keepdims=True)
    # BEGIN SOLUTION
    dV = P.T @ G
    # ~ P-as-it-is M62: dV = P @ G
    # ~ dV-upstream-only M64: dV = G
    # ~ dV-no-upstream M05: dV = P.T @ np.ones(G.shape)
    # ~ dV-entry-by-entry M75: dV = P.sum(axis=0)[:, None] * G.mean(axis=0)
    dP = G @ V.T
    # ~ no-upstream M05: dP = np.ones(G.shape) @ V.T
    # ~ V-as-it-is M62: dP = G @ V
    dS = P * (dP - (P * dP).sum(axis=1, keepdims=True))
    # ~ diagonal M14: dS = P * (1 - P) * dP
    # ~ no-mean M14: dS = P * dP
    # ~ plain-mean M11: dS = P * (dP - dP.mean(axis=1, keepdims=True))
    # ~ plain-sum M68: dS = P * (dP - dP.sum(axis=1, keepdims=True))
    # ~ mean-of-all M86: dS = P * (dP - (P * dP).sum())
    # ~ mean-of-columns M86: dS = P * (dP - (P * dP).sum(axis=0))
    # ~ no-weights M64: dS = dP - (P * dP).sum(axis=1, keepdims=True)
    # ~ mean-added M66: dS = P * (dP + (P * dP).sum(axis=1, keepdims=True))
    # ~ softmax-left-out M32: dS = dP
    # ~ of-a-logarithm M67: dS = dP - P * dP.sum(axis=1, keepdims=True)
    dQ = dS @ K / root
    # ~ no-root M68: dQ = dS @ K
    # ~ keys-for-length M74: dQ = dS @ K / np.sqrt(len(K))
    # ~ dQ-no-root M68: dQ = dS @ K
    # ~ dQ-root-twice M68: dQ = dS @ K / root**2
    # ~ dQ-times-root M70: dQ = dS @ K * root
    # ~ dQ-with-Q M69: dQ = dS @ Q / root
    # ~ dQ-turned M62: dQ = dS.T @ K / root
    dK = dS.T @ Q / root
    # ~ no-root M68: dK = dS.T @ Q
    # ~ keys-for-length M74: dK = dS.T @ Q / np.sqrt(len(K))
    # ~ dK-no-root M68: dK = dS.T @ Q
    # ~ dK-root-twice M68: dK = dS.T @ Q / root**2
    # ~ dK-times-root M70: dK = dS.T @ Q * root
    # ~ dK-with-K M69: dK = dS.T @ K / root
    # ~ dK-as-it-is M62: dK = dS @ Q / root
    return dQ, dK, dV
    # ~ exchanged M54: return dK, dQ, dV
    # ~ in-the-order-of-the-walk M54: return dV, dK, dQ
    # ~ without-dV M12: return dQ, dK
    # END SOLUTION


# CHECK
from tutorial.exercises.probes.arrays import integers
from tutorial.exercises.probes.calls import with_names
from tutorial.exercises.probes.probe import Probe

HINTS = (
    "Go back line by line: Y = P V is a product of matrices, then comes softmax, then another product of matrices.",
    "From a product of matrices each factor gets the other one, transposed. Softmax works on each row alone, and a row of P has the sum 1: "
    "what raises all scores of a row by the same amount changes nothing.",
    "For softmax: from each entry of dz/dP subtract the mean of its row, with the weights P, and multiply by P. The root divides S, so it "
    "divides both of the derivatives that come through S.",
)
PREDICT = (
    "A row of P is 1/4, 3/4, and its row of dz/dP is 8, 0. What is the first entry of its row of dz/dS?",
    1.5,
    {
        2: "That is P times dz/dP. Softmax keeps the sum of a row: take off the mean of dz/dP, weighted by P.",
        6: "You took off the weighted mean, 2. It remains to multiply by P.",
        8: "That is dz/dP. The way to S leads through softmax.",
    },
)
SEEN = "{which} was {got}, expected {expected}. "
ROW = "The weights of row 1 are {weights}. "
SAID = {
    "P-as-it-is": SEEN + "You took P @ G. A value has a child in each row of Y, a column of P: transpose P.",
    "dV-upstream-only": SEEN + "You gave the upstream gradient alone. Each row of it counts with its weight in P. " + ROW,
    "dV-no-upstream": SEEN + "You took 1 for every entry of the upstream gradient. Here it is {G}.",
    "dV-entry-by-entry": SEEN + "You multiplied sums and means. Each weight has a row of G of its own: use P.T @ G. " + ROW,
    "no-upstream": SEEN + "Through the weights you took 1 for every entry of the upstream gradient. Here it is {G}.",
    "V-as-it-is": SEEN + "You took G @ V. The transpose of V is missing: the weight of value 1 gets row 1 of G times row 1 of V.",
    "diagonal": SEEN + "You took P (1 − P), the diagonal of the Jacobian of softmax. A score moves all weights of its row. " + ROW,
    "no-mean": SEEN + "You multiplied by P and stopped. If one weight grows, the others of its row shrink: a mean must come off. " + ROW,
    "plain-mean": SEEN + "You took off the plain mean of the row. It is a mean with the weights P. " + ROW,
    "plain-sum": SEEN + "You took off the plain sum of the row. It is a sum with the weights P. " + ROW,
    "mean-of-all": SEEN + "You took off a sum over the whole array. Each row has a softmax of its own. " + ROW,
    "mean-of-columns": SEEN + "You took off sums of columns. Each row has a softmax of its own. " + ROW,
    "no-weights": SEEN + "The factor P is missing in dz/dS. A score with a small weight moves little. " + ROW,
    "mean-added": SEEN + "You added the mean of the row. It is taken off, since the weights of a row share 1. " + ROW,
    "softmax-left-out": SEEN + "You passed dz/dP on as dz/dS. Between them stands softmax. " + ROW,
    "of-a-logarithm": SEEN + "That is the rule of the logarithm of softmax. Here there is no logarithm. " + ROW,
    "no-root": SEEN + "You left out the root. S is a product over {root}, and so are the derivatives.",
    "keys-for-length": SEEN + "You took the root of the number of keys. It is that of the length of a query, {root}.",
    "dQ-no-root dK-no-root": SEEN + "You left out the root here. S is a product over {root}.",
    "dQ-root-twice dK-root-twice": SEEN + "You divided by the root twice. S is a product over {root}.",
    "dQ-times-root dK-times-root": SEEN + "You multiplied by the root. S is divided by {root}, and so is the derivative.",
    "dQ-with-Q": SEEN + "You multiplied by Q. How much a score changes with a query depends on the key: the first key is {key}.",
    "dK-with-K": SEEN + "You multiplied by K. How much a score changes with a key depends on the query: the first query is {query}.",
    "dQ-turned": SEEN + "You transposed dz/dS. It has a row for each query already. The first query is {query}.",
    "dK-as-it-is": SEEN + "dz/dS has a row for each query, and a column for each key. The first key is {key}: transpose dz/dS.",
    "exchanged": SEEN + "That is {other}. dz/dQ comes first, then dz/dK.",
    "in-the-order-of-the-walk": SEEN + "The order is that of the arguments: Q, K, V. You have them in the order of the walk back.",
    "without-dV": "You gave {got}. Three arrays are asked for: dz/dV is missing.",
}
ASKED = {
    **dict.fromkeys(SAID, "Take one query and two keys. How do the two weights change if the first score grows by 0.1?"),
    "P-as-it-is dK-as-it-is dQ-turned V-as-it-is": "Take 2 queries and 3 keys. Which shapes have S and its factors?",
    "no-root dQ-no-root dK-no-root dQ-root-twice dK-root-twice dQ-times-root dK-times-root": "How much does a score grow with q · k?",
    "no-upstream dV-no-upstream dV-upstream-only": "For which z is every entry of G a 1?",
}


def probes(random):
    """Yield as many queries as keys, with vectors as long, then other shapes."""
    for n, m, d, e in ((2, 2, 2, 2), (3, 3, 3, 3), (2, 3, 4, 1), (3, 2, 1, 4), (4, 5, 3, 2)):
        about = "as many queries as keys" if n == m else f"{n} queries and {m} keys"
        yield probe(*(integers(random, *shape, low=-3, high=3) for shape in ((n, d), (m, d), (m, e), (n, e))), about)


def probe(Q, K, V, G, about):
    Q, K = Q / 2, K / 2  # no weight is 1 or 0 alone
    P = np.exp(Q @ K.T / np.sqrt(Q.shape[1]))
    facts = {
        "which": {"": "the answer", "[0]": "dz/dQ", "[1]": "dz/dK", "[2]": "dz/dV"},
        "other": {"[0]": "dz/dK", "[1]": "dz/dQ"},
        "G": G,
        "root": f"√{Q.shape[1]}",
        "weights": (P / P.sum(axis=1, keepdims=True))[0].round(3),
        "query": Q[0],
        "key": K[0],
    }
    shown = with_names("attention_backward(Q, K, V, G)", Q=Q, K=K, V=V, G=G)
    return Probe((Q, K, V, G), facts, about=about, shown=shown)

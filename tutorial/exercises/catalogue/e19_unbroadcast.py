"""Undo a broadcast

NumPy has repeated a small array until it had the shape of `G`, the upstream gradient. `unbroadcast(G, shape)` returns the gradient of the
small array, which has the shape `shape`. For a `G` of the shape (4, 3), `shape` may be (3,), (1, 3), (4, 1), (1, 1), () or (4, 3).

For `G = np.array([[1, 2], [3, 4], [5, 6]])`, `unbroadcast(G, (2,))` is `[9, 12]` and `unbroadcast(G, (3, 1))` is `[[3], [7], [11]]`.

"""

# meta: unit=D minutes=15 difficulty=2 chapter=broadcasting call=unbroadcast
import numpy as np


def unbroadcast(G, shape):
    # BEGIN SOLUTION
    missing = G.ndim - len(shape)
    total = G.sum(axis=tuple(range(missing)))
    # ~ only-length-1 M10: total = G
    # ~ largest M30: total = G.max(axis=tuple(range(missing)))
    # ~ one-axis M77: total = G.sum(axis=0) if missing else G
    # ~ mean M11: total = G.mean(axis=tuple(range(missing)))
    # ~ first-copy-and-sum M11: total = G[(0,) * missing]
    # ~ mean-of-rows M11: total = G.sum(axis=tuple(range(missing))) / len(G)
    # ~ returns-G-for-a-number M10: total = G.sum(axis=tuple(range(missing))) if shape else G
    repeated = tuple(i for i, n in enumerate(shape) if n == 1)
    # ~ only-missing M10: repeated = ()
    # ~ first-of-1 M77: repeated = repeated[:1]
    # ~ last-axis M10: repeated = (-1,) if shape[-1:] == (1,) else ()
    return total.sum(axis=repeated, keepdims=True)
    # ~ no-keepdims M12: return total.sum(axis=repeated)
    # ~ mean-of-1 M11: return total.mean(axis=repeated, keepdims=True)
    # ~ flat M12: return total.sum(axis=repeated, keepdims=True).ravel()
    # ~ a-number M12: return total.sum(axis=repeated, keepdims=True).item() if shape == () else total.sum(axis=repeated, keepdims=True)
    # ~ mean M11: return total.mean(axis=repeated, keepdims=True)
    # ~ divided-by-copies M11: return total.sum(axis=repeated, keepdims=True) / (G.shape[0] if missing else 1)
    # END SOLUTION


# MUTANT aligned-on-the-left M10
#     padded = shape + (1,) * (G.ndim - len(shape))
#     repeated = tuple(i for i, n in enumerate(padded) if n == 1)
#     return G.sum(axis=repeated, keepdims=True).reshape(shape)
# MUTANT different-lengths M10
#     padded = shape + (0,) * (G.ndim - len(shape))
#     repeated = tuple(i for i, n in enumerate(padded) if n != G.shape[i])
#     return G.sum(axis=repeated).reshape(shape)
# MUTANT lengths-alone M43
#     repeated = tuple(i for i, n in enumerate(G.shape) if n not in shape)
#     return G.sum(axis=repeated).reshape(shape)
# MUTANT total M10: return np.full(shape, G.sum())
# MUTANT reshaped M12: return G.reshape(shape) if G.size == np.prod(shape) else G.sum().reshape(()) + np.zeros(shape)
# MUTANT repeats M10: return np.broadcast_to(G.sum(axis=tuple(range(G.ndim - len(shape)))), G.shape)
# MUTANT nothing M10: return G
# MUTANT slice M11
#     first = (0,) * (G.ndim - len(shape)) + tuple(slice(n) for n in shape)
#     return G[first]
# MUTANT resize M12: return np.resize(G, shape)
# MUTANT always-axis-0 M10: return G.sum(axis=0)
# MUTANT always-missing M10
#     while G.ndim > len(shape):
#         G = G.sum(axis=-1)
#     for i, n in enumerate(shape):
#         if n == 1:
#             G = G.sum(axis=i, keepdims=True)
#     return G
# CHECK
from tutorial.exercises.probes.arrays import integers
from tutorial.exercises.probes.probe import Probe

HINTS = (
    "An entry of the small array has a child in each place to which it was repeated. So its derivative is a sum over these places.",
    "Two kinds of axes were repeated: those which the small array lacks, on the left, and those where its length is 1.",
    "Sum over as many axes on the left as `shape` is shorter. In what is left, sum over each axis where `shape` has a 1, "
    "and keep these axes: sum has an argument for it.",
)
PREDICT = (
    "G has the shape (3, 2), and all its entries are 5. One number of the shape () was repeated. What is its gradient?",
    30,
    {
        5: "Each copy gives 5. How many copies of the number are there?",
        15: "You added along one column. All six entries are copies of the number.",
        10: "You added along one row. All six entries are copies of the number.",
    },
)
SEEN = "unbroadcast gave {got} for the shape {shape}, expected {expected}. "
SAID = {
    "nothing": SEEN + "A gradient must have the shape of the input, {shape}. You returned G, which has the shape {of_G}.",
    "mean": SEEN + "You took the mean. A repeated entry has {copies} children, and their effects add.",
    "mean-of-rows": SEEN + "You divided by {rows}, the length of axis 0. A repeated entry has {copies} children: their effects add.",
    "only-missing": SEEN + "You summed over the axes that are missing on the left alone. An axis of length 1 is repeated, too.",
    "only-length-1": SEEN + "You summed over axes of length 1 alone. The axes that are missing on the left are repeated, too.",
    "no-keepdims": SEEN + "The numbers are right, and the shape is not: a sum removes an axis. Where the shape has a 1, it must stay.",
    "slice": SEEN + "You took the first of {copies} copies. All copies have an effect on z, and the effects add.",
    "resize": SEEN + "You cut G to the right shape. The gradient needs all {size} entries of G.",
    "always-axis-0": SEEN + "You summed over axis 0. Write the shape below {of_G}, aligned at the right: the axes {axes} were repeated.",
    "largest": SEEN + "You took the largest copy. All copies have an effect on z, and the effects add.",
    "one-axis": SEEN + "You summed over one missing axis alone. As many are missing as {shape} is shorter than {of_G}.",
    "first-of-1": SEEN + "You summed over the first axis of length 1 alone.",
    "last-axis": SEEN + "You looked at the last axis alone. Every axis where {shape} has a 1 was repeated.",
    "mean-of-1": SEEN + "You took the mean over the axes of length 1. A repeated entry has {copies} children, and their effects add.",
    "flat": SEEN + "The numbers are right. But the result must have the shape {shape}.",
    "a-number": SEEN + "The number is right. But it must be of NumPy, with the shape ().",
    "returns-G-for-a-number": SEEN + "You returned G as it is for the shape (). It says that one number was repeated everywhere.",
    "aligned-on-the-left": SEEN + "You filled the shape up on the right. NumPy aligns shapes on the right, and adds axes on the left.",
    "different-lengths": SEEN + "You compared the lengths from the left. NumPy aligns shapes on the right.",
    "lengths-alone": SEEN + "You asked whether a length occurs anywhere in {shape}. Compare axis with axis, aligned on the right.",
    "first-copy-and-sum": SEEN + "You took the first of the copies along the missing axes. All of them have an effect on z.",
    "total": SEEN + "You added up all of G for every entry. An entry gets the sum of its own copies.",
    "reshaped": SEEN + "You added up all of G, or put G into another shape. An entry gets the sum of its own copies.",
    "divided-by-copies": SEEN + "You divided by the length of axis 0. The effects of the copies add.",
    "repeats": SEEN + "You repeated the sums again. The gradient must have the shape of the small array, {shape}.",
    "always-missing": SEEN + "NumPy adds missing axes on the left. You removed them on the right.",
}
ASKED = {
    "nothing resize flat a-number returns-G-for-a-number total reshaped repeats": "How many derivatives has an array of the shape {shape}, "
    "and what is each of them?",
    "mean mean-of-rows slice largest mean-of-1 first-copy-and-sum divided-by-copies": "A nudge of one entry moves {copies} entries. What "
    "happens to z?",
    "only-missing only-length-1 always-axis-0 always-missing one-axis first-of-1 last-axis aligned-on-the-left different-lengths "
    "lengths-alone": "Write {shape} below {of_G}, aligned at the right. Which axes were repeated?",
    "no-keepdims": "Which shape has your result, and how does NumPy read it?",
}
PAIRS = (  # the shapes of G and of the small array, small ones first
    ((3,), ()),
    ((3, 2), (2,)),
    ((2, 2), (2,)),
    ((2, 2), (2, 1)),
    ((3,), (1,)),
    ((3, 2), (1, 2)),
    ((3, 2), (3, 1)),
    ((3, 2), (1, 1)),
    ((3, 2), ()),
    ((2,), (2,)),
    ((3, 2), (3, 2)),
    ((1, 3), (3,)),
    ((1, 3), (1, 3)),
    ((2, 3, 4), (4,)),
    ((2, 3, 4), (3, 1)),
    ((2, 3, 4), (1, 3, 1)),
    ((3, 3, 3), (1, 3)),
)


def probes(random):
    """Yield an upstream gradient of random integers for each pair of shapes."""
    for large, small in PAIRS:
        yield probe(integers(random, *large), small)


def probe(G, shape):
    copies = G.size // int(np.prod(shape))
    padded = (0,) * (G.ndim - len(shape)) + shape
    axes = [i for i, (n, m) in enumerate(zip(padded, G.shape)) if n == 0 or n == 1 < m]
    facts = {"shape": shape, "of_G": G.shape, "size": G.size, "copies": copies, "rows": len(G), "axes": axes}
    return Probe((G, shape), facts, about=f"{G.shape} from {shape}")

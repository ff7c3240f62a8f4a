"""Reading rows, and the largest entry

Write two backward functions. `G` is the upstream gradient.

- `embedding_backward(index, G, rows)` for `Y = E[index]`, where `E` is a table of `rows` rows, and `index` is an array of integers. It
  returns $\\frac{dz}{dE}$, whose shape is `(rows, G.shape[1])`.
- `max_backward(X, G, axis)` for `Y = X.max(axis)`. It returns $\\frac{dz}{dX}$. If several entries are the largest, each of them gets the
  same share. `X` may have any number of axes, and `axis` may count them from the end, as in NumPy.

For `index = np.array([0, 0, 2])` and `G = np.array([[2], [3], [4]])`, `embedding_backward(index, G, 3)` is `[[5], [0], [4]]`.
For `X = np.array([[1, 4, 4]])` and `G = np.array([6])`, `max_backward(X, G, 1)` is `[[0, 3, 3]]`.
The programs must not change their arguments.
"""

# meta: unit=D minutes=15 difficulty=2 chapter=softmax-max-indices call=call
import numpy as np


def embedding_backward(index, G, rows):
    # BEGIN SOLUTION
    dE = np.zeros((rows, G.shape[1]))
    # ~ rows-that-are-read M35: dE = np.zeros((index.max() + 1, G.shape[1]))
    # ~ begins-with-1 M76: dE = np.ones((rows, G.shape[1]))
    # ~ rows-for-columns M12: dE = np.zeros((rows, rows))
    # ~ as-long-as-G M12: dE = np.zeros(G.shape)
    np.add.at(dE, index, G)
    # ~ last-one M16: dE[index] += G
    # ~ index-ignores-upstream M05: np.add.at(dE, index, 1)
    # ~ in-order M87: dE[: len(G)] += G
    # ~ row-before M87: np.add.at(dE, index - 1, G)
    # ~ first-use M16: dE[index[::-1]] = G[::-1]
    # ~ exchanged M01: np.add.at(dE, np.arange(len(index)) % rows, G[index % len(G)])
    # ~ reads-both M01: np.add.at(dE, index, G[index % len(G)])
    # ~ indices-in-order M44: np.add.at(dE, np.unique(index), G[: len(np.unique(index))])
    # ~ mean-of-all M11: np.add.at(dE, index, G / len(index))
    # ~ all-to-each M43: dE[index] += G.sum(axis=0)
    return dE
    # ~ one-hot-side M13: return np.eye(rows)[index] @ G
    # ~ reads-again M01: return G[index]
    # ~ mean-of-uses M11: return dE / np.maximum(np.bincount(index, minlength=rows), 1)[:, None]
    # END SOLUTION


def max_backward(X, G, axis):
    # BEGIN SOLUTION
    largest = X.max(axis=axis, keepdims=True) == X
    # ~ one-for-all M02: largest = X.max() == X
    # ~ smallest M67: largest = X.min(axis=axis, keepdims=True) == X
    # ~ compared-without-axis M12: largest = X.max(axis=axis) == X
    # ~ axis-0 M12: axis = 0; largest = X.max(axis=axis, keepdims=True) == X
    # ~ axis-1 M12: axis = 1; largest = X.max(axis=axis, keepdims=True) == X
    # ~ positive M64: largest = X > 0
    # ~ size M65: largest = np.abs(X) == np.abs(X).max(axis=axis, keepdims=True)
    # ~ argmax-of-all M02: largest = np.arange(X.size).reshape(X.shape) == X.argmax()
    # ~ everywhere M64: largest = np.ones(X.shape)
    share = largest / largest.sum(axis=axis, keepdims=True)
    # ~ ties-in-full M20: share = 1 * largest
    # ~ share-of-all-entries M11: share = largest / X.shape[axis]
    # ~ share-twice M11: share = largest / largest.sum(axis=axis, keepdims=True) / X.shape[axis]
    # ~ times-ties M70: share = largest * largest.sum(axis=axis, keepdims=True)
    # ~ near-the-largest M20: near = X >= X.max(axis=axis, keepdims=True) - 1; share = near / near.sum(axis=axis, keepdims=True)
    # ~ shared-without-axis M12: share = largest / largest.sum(axis=axis)
    # ~ softmax M67: share = np.exp(X) / np.exp(X).sum(axis=axis, keepdims=True)
    # ~ last-tie M20: share = largest & (np.cumsum(largest, axis=axis) == largest.sum(axis=axis, keepdims=True))
    # ~ shared-by-all M20: share = largest / largest.sum()
    # ~ first-one M20: share = largest & (np.cumsum(largest, axis=axis) == 1)
    return share * np.expand_dims(G, axis)
    # ~ max-ignores-upstream M05: return share
    # ~ sum-of-upstream M05: return share * G.sum()
    # ~ axes-from-the-front M44: return share * np.expand_dims(G, axis) if axis >= 0 else np.zeros(X.shape)
    # ~ axis-lost M12: return share * G
    # ~ value M65: return share * X
    # ~ value-too M65: return share * X * np.expand_dims(G, axis)
    # ~ mean-of-upstream M11: return share * G.mean()
    # ~ axis-not-moved-back M73: return np.moveaxis(share * np.expand_dims(G, axis), axis, -1)
    # ~ transposed M73: return (share * np.expand_dims(G, axis)).T
    # ~ moved-the-same-way M73: return np.moveaxis(np.moveaxis(share * np.expand_dims(G, axis), axis, -1), axis, -1)
    # ~ marks-alone M05: return largest
    # ~ always-behind M12: return share * G[..., None]
    # ~ two-axes M44: return share * (G[None] if axis == 0 else G[:, None])
    # ~ two-axes-last M44: return share * (G[None] if axis == 0 else G[..., None])
    # ~ reshaped M12: return share * G.reshape(-1, 1)
    # END SOLUTION


# FRAME
def call(name, *arguments):
    return {name: globals()[name](*arguments)}


# CHECK
from tutorial.exercises.probes.arrays import integers
from tutorial.exercises.probes.calls import called
from tutorial.exercises.probes.probe import Probe

HINTS = (
    "A row of the table that is read k times has k children for each entry. Each entry of X has one child, and only the largest moves it.",
    "Several contributions to one row must add up. For max, make an array with 1 where the entry is the largest along the axis, else 0.",
    "NumPy has a function that adds each term, also for an index that comes twice: np.add.at. For max, divide the 1s by how many there are "
    "along the axis. Before you multiply by G, put the axis back that max has removed.",
)
PREDICT = (
    "index = [1, 0, 1, 1], and every entry of G is 5. What does each entry of row 1 of dz/dE get?",
    15,
    {
        5: "Row 1 is read more than once, and each reading adds its 5.",
        20: "You added all four readings. One of them reads row 0.",
        0: "A row that is not read gets that. Row 1 is read.",
    },
)
TABLE = "For index = {index} and G = {G}, you gave {got}. Expected was {expected}. "
LARGEST = "For the maximum of X = {X} along axis {axis} and G = {G}, you gave {got}. Expected was {expected}. "
SAID = {
    "last-one": TABLE + "Row {row} was read {uses} times, but it got one contribution: += with an index keeps the last. Use np.add.at.",
    "index-ignores-upstream": TABLE + "You counted how often each row was read. Add the rows of the upstream gradient.",
    "in-order": TABLE + "You gave row 0 of G to row 0 of the table, and so on. Row k of G belongs to row index[k] of the table.",
    "row-before": TABLE + "Each row of G is one row too high. Row 0 of the table is index 0.",
    "first-use": TABLE + "Row {row} was read {uses} times, and it got the contribution of the first alone. They add up.",
    "mean-of-all": TABLE + "That is divided by the {reads} indices. Each row that was read passes its effect on in full.",
    "all-to-each": TABLE + "That gives the sum of all rows of G to each row that was read. Row k of G belongs to row index[k] alone.",
    "rows-that-are-read": TABLE + "The table has {rows} rows, and your answer ends at the last row that was read. The others get 0.",
    "begins-with-1": TABLE + "Each entry is larger by 1. A sum begins with 0.",
    "rows-for-columns": TABLE + "The table has {rows} rows, and as many columns as G.",
    "as-long-as-G": TABLE + "The table has {rows} rows. That has as many as G, which has one for each index.",
    "exchanged": TABLE
    + "That adds row index[k] of G to row k of the table. It is the other way round: row k of G belongs to row index[k].",
    "reads-both": TABLE + "That adds row index[k] of G to row index[k] of the table. Row k of G belongs there.",
    "indices-in-order": TABLE
    + "That takes the indices without repeats, in their order. Row k of G belongs to row index[k], each time that it is read.",
    "reads-again": TABLE + "That is G[index], which reads rows of G as the forward pass reads rows of E. Backward, row k of G is added to "
    "row index[k].",
    "one-hot-side": TABLE + "With a matrix O of ones and zeros, Y = O × E. So dz/dE is the transpose of O, times G.",
    "mean-of-uses": TABLE + "You took the mean over the uses of a row. Their effects add.",
    "one-for-all": LARGEST + "You looked for the largest entry of the whole array. Each {line} has its own.",
    "everywhere": LARGEST + "You gave each entry a share. A small nudge of an entry that is not the largest does not move the maximum.",
    "smallest": LARGEST + "The smallest entry got the share.",
    "compared-without-axis": LARGEST
    + "max removed axis {axis}, and X was compared with what is left. NumPy puts a missing axis in front: for a "
    "square X you see no error. Keep the axis, with keepdims.",
    "axis-0": LARGEST + "That is the answer for axis 0. Here the axis is {axis}.",
    "axis-1": LARGEST + "That is the answer for axis 1. Here the axis is {axis}.",
    "positive": LARGEST + "That gives a share to each positive entry. Only the largest of each {line} has one.",
    "size": LARGEST + "That looks for the largest size, without the sign. −5 is smaller than 4.",
    "argmax-of-all": LARGEST + "One entry of the whole array got a share. Each {line} has its own largest entry.",
    "share-twice": LARGEST + "That divides by the length of the axis, {length}, as a mean does. The largest entry gets all of it.",
    "shared-without-axis": LARGEST
    + "The number of the largest entries has no axis {axis} any more, and NumPy puts a missing axis in front. Keep it, with keepdims.",
    "times-ties": LARGEST + "That multiplies by the number of the largest entries, {ties}. They share, so divide by it.",
    "near-the-largest": LARGEST + "That also gives a share to entries that are near the largest. Only the largest have one.",
    "axis-not-moved-back transposed moved-the-same-way": LARGEST
    + "The axes of the answer stand in another order than those of X. Move axis {axis} back to its place.",
    "marks-alone": LARGEST + "That says where the largest entries are. Each of them gets its share of the upstream gradient.",
    "softmax": LARGEST + "That is the share of a softmax. The maximum depends on its largest entry alone.",
    "value-too": LARGEST + "That multiplies by the value of the entry, too. The slope of the largest entry is 1.",
    "mean-of-upstream": LARGEST + "That has the mean of all entries of G. Each {line} has its own maximum and its own entry of G.",
    "always-behind two-axes two-axes-last reshaped": LARGEST
    + "max removed axis {axis} of {axes}. G needs it back just there, as np.expand_dims does it for any axis.",
    "axes-from-the-front": LARGEST + "That is 0 everywhere. The axis −1 is the last one.",
    "share-of-all-entries": LARGEST + "That divides by the length of the axis, {length}. Only the entries that are the largest share.",
    "last-tie": LARGEST + "{ties} entries are equally large, and the last got all of it. Here each gets the same share.",
    "sum-of-upstream": LARGEST + "That has the sum of all entries of G. Each {line} has its own maximum and its own entry of G.",
    "ties-in-full": LARGEST + "{ties} entries are equally large, and each got all of it. Together they get it once.",
    "shared-by-all": LARGEST + "You divided by the number of the largest entries in all of X. Each {line} shares what is its own.",
    "first-one": LARGEST + "{ties} entries are equally large, and the first got all of it. Here each gets the same share.",
    "max-ignores-upstream": LARGEST + "You took 1 for each entry of the upstream gradient.",
    "axis-lost": LARGEST + "max removed axis {axis}. NumPy puts a missing axis in front: for a square X you see no error.",
    "value": LARGEST + "You multiplied by the value of the entry. The slope of the largest entry is 1.",
}
ROWS = "Which rows of G belong to row {row} of the table?"
LINES = "Nudge one entry of X. How much does each maximum change?"
ASKED = {name: ROWS if said.startswith(TABLE) else LINES for name, said in SAID.items()}


def probes(random):
    """Yield tables that are read at repeated indices, then maxima along each axis, without and with ties."""
    for index, rows, columns in (
        ([0, 1], 2, 1),
        ([1, 0], 2, 1),
        ([0, 0], 2, 1),
        ([1, 0, 1, 1], 2, 1),
        ([0, 0, 2], 3, 1),
        ([2, 0, 2, 2], 4, 2),
        ([3, 1], 5, 3),
    ):
        yield reading(index, rows, columns, random)
    for X, axis in (
        ([[1, 4], [3, 2]], 1),
        ([[1, 4], [3, 2]], 0),
        ([[1, 4, 2], [5, 3, 0]], 0),
        ([[4, 4], [2, 5]], 1),
        ([[-5, 4, 2], [3, -9, -1]], 1),
        ([[-5, -4], [-2, -3]], 0),
        ([[1, 4, 4]], 1),
        ([[4, 7, 7], [9, 2, 9]], -1),
        ([[4, 7, 7], [4, 2, 9]], 0),
        ([[[1, 6], [6, 2]], [[3, 3], [5, 8]]], 1),
        ([[[1, 6], [6, 2]], [[3, 6], [5, 8]], [[2, -1], [6, 8]]], 0),
        ([[[1, 6], [6, 2]], [[3, 3], [5, 8]], [[2, -1], [4, 4]]], -1),
    ):
        yield maximum(np.array(X, dtype=float), axis, random)


def reading(index, rows, columns, random):
    index, G = np.array(index), integers(random, len(index), columns)
    uses = np.bincount(index)
    facts = {"index": index, "G": G, "row": int(uses.argmax()), "uses": int(uses.max()), "reads": len(index), "rows": rows}
    call = ("embedding_backward", index, G, rows)
    return Probe(call, facts, about=f"a table with {rows} rows, read at {index.tolist()}", shown=called(*call))


def maximum(X, axis, random):
    G = integers(random, *X.max(axis).shape)
    ties = (X.max(axis, keepdims=True) == X).sum(axis).max()
    line = "row" if axis % X.ndim == X.ndim - 1 else "column"
    call, facts = (
        ("max_backward", X, G, axis),
        {"X": X, "G": G, "axis": axis, "ties": int(ties), "line": line, "length": X.shape[axis], "axes": X.ndim},
    )
    return Probe(call, facts, about=f"a maximum along axis {axis}", shown=called(*call))

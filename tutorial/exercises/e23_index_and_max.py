"""Reading rows, and the largest entry

Write two backward functions. `G` is the upstream gradient.

- `embedding_backward(index, G, rows)` for `Y = E[index]`, where `E` is a table with so many rows, and `index` is an array of integers. It
  returns $\\frac{dz}{dE}$, whose shape is `(rows, G.shape[1])`.
- `max_backward(X, G, axis)` for `Y = X.max(axis)`. It returns $\\frac{dz}{dX}$. If several entries are the largest, each of them gets the
  same share.

For `index = np.array([0, 0, 2])` and `G = np.array([[2], [3], [4]])`, `embedding_backward(index, G, 3)` is `[[5], [0], [4]]`.
For `X = np.array([[1, 4, 4]])` and `G = np.array([6])`, `max_backward(X, G, 1)` is `[[0, 3, 3]]`.
"""

# meta: unit=D minutes=15 difficulty=2 chapter=backward-functions call=call
import numpy as np


def embedding_backward(index, G, rows):
    # BEGIN SOLUTION
    dE = np.zeros((rows, G.shape[1]))
    np.add.at(dE, index, G)
    # ~ last-one M16: dE[index] += G
    # ~ index-ignores-upstream M05: np.add.at(dE, index, 1)
    # ~ in-order M29: dE[: len(G)] += G
    return dE
    # ~ one-hot-side M13: return np.eye(rows)[index] @ G
    # ~ mean-of-uses M11: return dE / np.maximum(np.bincount(index, minlength=rows), 1)[:, None]
    # END SOLUTION


def max_backward(X, G, axis):
    # BEGIN SOLUTION
    largest = X.max(axis=axis, keepdims=True) == X
    # ~ one-for-all M02: largest = X.max() == X
    # ~ everywhere M29: largest = np.ones(X.shape)
    share = largest / largest.sum(axis=axis, keepdims=True)
    # ~ ties-in-full M20: share = 1 * largest
    # ~ shared-by-all M20: share = largest / largest.sum()
    # ~ first-one M20: share = largest & (np.cumsum(largest, axis=axis) == 1)
    return share * np.expand_dims(G, axis)
    # ~ max-ignores-upstream M05: return share
    # ~ axis-lost M12: return share * G
    # ~ value M29: return share * X
    # END SOLUTION


# BEGIN FRAME
def call(name, *arguments):
    return {name: globals()[name](*arguments)}


# END FRAME
# BEGIN CHECK
from tutorial.exercises.arrays import integers
from tutorial.exercises.calls import called
from tutorial.exercises.probe import Probe

HINTS = (
    "A row of the table that is read k times has k children for each entry. Only the largest entry of X has a child.",
    "Several contributions to one row must add up. For max, make an array with 1 where the entry is the largest along the axis, else 0.",
    "NumPy has a function that adds each term, also for an index that comes twice: np.add.at. For max, divide the 1s by how many there are "
    "along the axis. Before you multiply by G, put the axis back that max has removed.",
)
PREDICT = ("index = [1, 0, 1, 1], and every entry of G is 5. What does each entry of row 1 of dz/dE get?", 15)
TABLE = "For index = {index} and G = {G}, you gave {got}. Expected was {expected}. "
LARGEST = "For the maximum of X = {X} along axis {axis} and G = {G}, you gave {got}. Expected was {expected}. "
SAID = {
    "last-one": TABLE + "Row {row} was read {uses} times, but it got one contribution: += with an index keeps the last. Use np.add.at.",
    "index-ignores-upstream": TABLE + "You counted how often each row was read. Add the rows of the upstream gradient.",
    "in-order": TABLE + "You gave row 0 of G to row 0 of the table, and so on. Row k of G belongs to row index[k] of the table.",
    "one-hot-side": TABLE + "With a matrix O of ones and zeros, Y = O × E. So dz/dE is the transpose of O, times G.",
    "mean-of-uses": TABLE + "You took the mean over the uses of a row. Their effects add.",
    "one-for-all": LARGEST + "You looked for the largest entry of the whole array. Each {line} has its own.",
    "everywhere": LARGEST + "You gave each entry a share. A small nudge of an entry that is not the largest does not move the maximum.",
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
    for index, rows, columns in (([0, 1], 2, 1), ([1, 0], 2, 1), ([0, 0], 2, 1), ([0, 0, 2], 3, 1), ([2, 0, 2, 2], 4, 2), ([3, 1], 5, 3)):
        yield reading(index, rows, columns, random)
    for X, axis in (
        ([[1, 4], [3, 2]], 1),
        ([[1, 4], [3, 2]], 0),
        ([[1, 4, 2], [5, 3, 0]], 0),
        ([[1, 4, 4]], 1),
        ([[4, 4], [2, 5]], 1),
        ([[4, 7, 7], [9, 2, 9]], -1),
        ([[4, 7, 7], [4, 2, 9]], 0),
        ([[[1, 6], [6, 2]], [[3, 3], [5, 8]]], 1),
    ):
        yield maximum(np.array(X, dtype=float), axis, random)


def reading(index, rows, columns, random):
    index, G = np.array(index), integers(random, len(index), columns)
    uses = np.bincount(index)
    facts = {"index": index, "G": G, "row": int(uses.argmax()), "uses": int(uses.max())}
    call = ("embedding_backward", index, G, rows)
    return Probe(call, facts, about=f"a table with {rows} rows, read at {index.tolist()}", shown=called(*call))


def maximum(X, axis, random):
    G = integers(random, *X.max(axis).shape)
    ties = (X.max(axis, keepdims=True) == X).sum(axis).max()
    line = "row" if axis % X.ndim == X.ndim - 1 else "column"
    call, facts = ("max_backward", X, G, axis), {"X": X, "G": G, "axis": axis, "ties": int(ties), "line": line}
    return Probe(call, facts, about=f"a maximum along axis {axis}", shown=called(*call))


# END CHECK

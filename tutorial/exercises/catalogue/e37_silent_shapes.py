"""Shapes that hide a mistake

`unbroadcast(G, shape)` should undo a broadcast. `G` is the gradient of the array that a broadcast made, and `shape` is the shape of its
input. The result has this shape, and each of its entries is the sum of the entries of `G` that were copies of it.

This engine is wrong, but for many shapes it is right, and for others it raises an error, which everybody sees. Give shapes for which it is
wrong and nobody sees it: the result has the right shape, and wrong numbers. `shapes` is the pair of the shape of `G` and the shape of the
input. Each has at most three axes, of a length from 1 to 5. Leave the engine as it is.
"""

# meta: unit=F minutes=10 difficulty=2 kind=break chapter=broadcasting given=row call=given_shapes
import numpy as np


def unbroadcast(G, shape):
    while G.ndim > len(shape):
        G = G.sum(axis=0)
    if G.shape != shape:
        G = G.sum(axis=0)
    return G.reshape(shape)


# BEGIN SOLUTION
shapes = (3, 3), (3, 1)
# ~ row M53: shapes = (4, 3), (3,)
# ~ equal M53: shapes = (4, 3), (4, 3)
# ~ loud M60: shapes = (4, 3), (4, 1)
# ~ no-broadcast M10: shapes = (4, 3), (4,)
# END SOLUTION


# FRAME
def given_shapes():
    return shapes


# CHECK
from tutorial.exercises.probes.probe import Marks, Probe

AXES, LONGEST = 3, 5
TITLE = "These shapes do not hide the mistake"
HINTS = (
    "Which axes does the engine sum over, and which should it sum over? First find shapes for which these differ.",
    "A broadcast copies along axes that are missing, and along axes of length 1. Let an axis be copied that is not the first.",
    "reshape raises an error if the number of entries is wrong. How long must the first axis and the copied one be, so that there are as "
    "many sums over the one as over the other?",
)
PREDICT = (
    "G has the shape (2, 2) and the rows 1 2 and 3 4. The input has the shape (2, 1). What is the first entry of its gradient?",
    3,
    {
        4: "You added down a column. The input has two rows and one column, so a row was repeated to the right.",
        10: "You added all entries. The input has one entry for each row.",
        1: "You took one of the copies. Each of them passes its entry back.",
    },
)
SAID = {
    "row": "{judged} Only axes are copied over which the engine sums: missing ones, and the first one.",
    "equal": "{judged} Nothing is copied here, so nothing is summed. Let the input be smaller than G.",
    "loud": "{judged} An axis is copied that the engine does not sum over, so it is wrong. But here everybody sees it.",
    "no-broadcast": "{judged} NumPy compares shapes from the right. Two lengths must be equal, or that of the input 1 or missing.",
}
ASKED = {
    "row": "Over which axis does the engine sum here, and over which should it?",
    "equal": "Which axes does a broadcast copy along?",
    "loud": "How many sums does the engine have, and how many entries has the input?",
    "no-broadcast": "What does NumPy say of arrays of these shapes if you add them?",
}


def probes(random):
    """Yield the one question: which shapes are they?"""
    yield Probe((), shown="shapes")


def judge(got, probe):
    """Return why shapes do not hide the mistake, or None."""
    if not is_pair(got):
        return f"shapes must be two tuples of at most {AXES} lengths from 1 to {LONGEST}, such as (4, 3), (3,).{more_on(got)}"
    G, shape = gradient(got), tuple(got[1])
    right = sums(G, shape)
    if right is None:
        return f"An array of shape {shape} cannot be broadcast to the shape {G.shape}."
    try:
        result = unbroadcast(G, shape)
    except ValueError as wrong:
        return f"The engine raises an error: {wrong}."
    return None if (result != right).any() else f"For the shapes {G.shape} and {shape} the engine is right."


def achieved(got, probe):
    """Return what the engine gives, and what is right."""
    G, shape = gradient(got), tuple(got[1])
    wrong = int((unbroadcast(G, shape) != sums(G, shape)).sum())
    return f"There is no error, and the result has the right shape {shape}. {wrong} of its numbers are wrong."


def named(got, probe):
    if not is_pair(got):
        return None
    G, shape = gradient(got), tuple(got[1])
    if sums(G, shape) is None:
        return "no-broadcast"
    if G.shape == shape:
        return "equal"
    try:
        unbroadcast(G, shape)
    except ValueError:
        return "loud"
    return "row"


def is_pair(got):
    one = lambda shape: isinstance(shape, (list, tuple)) and len(shape) <= AXES and all(type(n) is int and 1 <= n <= LONGEST for n in shape)
    return isinstance(got, (list, tuple)) and len(got) == 2 and all(map(one, got))


def more_on(got):
    """Return a sentence on what is not a pair of shapes, or ""."""
    if not isinstance(got, (list, tuple)) or len(got) != 2:
        return f" Here are {len(got)}." if isinstance(got, (list, tuple)) else ""
    if any(isinstance(shape, int) for shape in got):
        return f" {next(shape for shape in got if isinstance(shape, int))} is a number. With a comma, in brackets, it is a tuple."
    axes = [n for shape in got if isinstance(shape, (list, tuple)) for n in shape]
    wrong = [n for n in axes if type(n) is not int or not 1 <= n <= LONGEST]
    return f" {wrong[0]} is none of these lengths." if wrong else " One of them has more axes." if axes else ""


def gradient(got):
    """Return a gradient of the first shape: squares, so that two sums are seldom equal."""
    return np.arange(1, np.prod(got[0], dtype=int) + 1).reshape(got[0]) ** 2


def sums(G, shape):
    """Return the gradient of an input of this shape; None if it cannot be broadcast."""
    try:
        entries = np.broadcast_to(np.arange(np.prod(shape, dtype=int)).reshape(shape), G.shape)
    except ValueError:
        return None
    total = np.zeros(np.prod(shape, dtype=int), dtype=int)
    np.add.at(total, entries, G)
    return total.reshape(shape)


def marked(got, probe):
    """Return what the engine gives for a gradient of squares, and what is right; None if one of them is not there."""
    if not is_pair(got):
        return None
    G, shape = gradient(got), tuple(got[1])
    right = sums(G, shape)
    name = "the gradient of the input, if G holds 1, 4, 9, … row by row"
    try:
        return None if right is None else Marks(None, {name: unbroadcast(G, shape)}, {name: right})
    except ValueError:
        return None

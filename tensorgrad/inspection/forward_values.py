"""What the variables of a graph hold: the arrays that somebody still holds, those that rules have saved, the rest computed again."""

from math import prod

import numpy as np

from tensorgrad.node import Dropped, Node, there
from tensorgrad.tensor import Tensor

MOST_ENTRIES = 1_000_000  # in all arrays of a graph together; beyond, what is freed is not computed again
ROUNDING = 100  # how many times the last digit a number may be off and still be the same number


def recall(nodes):
    """{node: its array} for all nodes of a graph, inputs first; None where it is freed and cannot be computed again.

    A node holds no array: an interior one is freed with its tensor. What the user holds comes first, then what a rule has saved,
    at last the function itself, replayed on what its arguments are.

    >>> from scalargrad import Graph
    >>> A = Tensor([[1.0, 2.0]]); z = (A * 2).exp().sum()
    >>> [None if array is None else array.shape for array in recall(Graph(z).variables).values()]
    [(1, 2), (1, 2), (1, 2), ()]
    """
    small = are_small(nodes)
    kept = dict(pair for y in nodes for pair in saved_arrays(y))
    found = {}
    for x in nodes:
        array = x.data
        if array is None:
            array = kept.get(x)
        if array is None and x.rule and small and not x.released:
            array = made_again(x, found)
        found[x] = array
    return found


def made_again(y, found):
    """What y's function makes of the arrays of its inputs, in silence; None where one of them is freed."""
    given = [*map(there, y.arguments)]
    if any(found[a] is None if isinstance(a, Node) else type(a) is Dropped for a in (*given, *y.options)):
        return None
    args = [found[a] if isinstance(a, Node) else a.data if isinstance(a, Tensor) else a for a in given]
    with np.errstate(all="ignore"):
        return y.rule.of_arrays(args, y.options)


def changed(nodes, found):
    """The first of the nodes whose array, or what its function has saved, is no longer what its inputs' arrays give; or None."""
    if not are_small(nodes):
        return None
    found = dict(found)
    for y in nodes:
        now = made_again(y, found) if y.rule else None
        if found[y] is None:
            found[y] = now  # of a released graph, which shows no array that it would have to compute again
        pairs = [] if now is None else [(found[y], now), *((array, found[x]) for x, array in saved_arrays(y) if found[x] is not None)]
        if not all(then is now or then.shape != now.shape or close(then, now) for then, now in pairs):  # a kernel may save another shape
            return y
    return None


def close(a, b):
    """Whether two arrays of floats are the same but for rounding."""
    slack = ROUNDING * np.finfo(a.dtype).eps
    with np.errstate(all="ignore"):
        return np.allclose(a, b, rtol=slack, atol=slack * np.max(np.abs(b), initial=0, where=np.isfinite(b)), equal_nan=True)


def are_small(nodes):
    return sum(prod(x.shape) for x in nodes) <= MOST_ENTRIES


def saved_arrays(y):
    """(variable, its array) for each of y's inputs, and y itself, whose array y's rule has saved."""
    if not y.rule or y.released:
        return []
    names = y.rule.input_names or [f"x{i}" for i in range(len(y.arguments))]
    places = {**dict(zip(names, y.arguments)), "y": y}
    return [(places[n], array) for n, array in y.rule.saved(y).items() if isinstance(places.get(n), Node)]

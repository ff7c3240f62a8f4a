"""What the variables of a graph hold: the arrays that somebody still holds, those that rules have saved, the rest computed again."""

from math import prod

from tensorgrad.node import Node
from tensorgrad.tensor import Tensor

MOST_ENTRIES = 1_000_000  # in all arrays of a graph together; beyond, what is freed is not computed again


def recall(nodes):
    """{node: its array} for all nodes of a graph, inputs first; None where it is freed and cannot be computed again.

    A node holds no array: an interior one is freed with its tensor. What the user holds comes first, then what a rule has saved,
    at last the function itself, replayed on what its arguments are.

    >>> from scalargrad import Graph
    >>> A = Tensor([[1.0, 2.0]]); z = (A * 2).exp().sum()
    >>> [None if array is None else array.shape for array in recall(Graph(z).variables).values()]
    [(1, 2), (1, 2), (1, 2), ()]
    """
    small = sum(prod(x.shape) for x in nodes) <= MOST_ENTRIES
    kept = dict(pair for y in nodes for pair in saved_arrays(y))
    found = {}
    for x in nodes:
        array = x.data
        if array is None:
            array = kept.get(x)
        if array is None and x.rule and small and not x.released:
            args = [found[a] if isinstance(a, Node) else a.data if isinstance(a, Tensor) else a for a in x.arguments]
            lost = any(isinstance(a, Node) and found[a] is None for a in x.arguments)
            array = None if lost else x.rule.of_arrays(args, x.options)
        found[x] = array
    return found


def saved_arrays(y):
    """(variable, its array) for each of y's inputs, and y itself, whose array y's rule has saved."""
    if not y.rule or y.released:
        return []
    names = y.rule.input_names or [f"x{i}" for i in range(len(y.arguments))]
    places = {**dict(zip(names, y.arguments)), "y": y}
    return [(places[n], array) for n, array in y.rule.saved(y).items() if isinstance(places.get(n), Node)]

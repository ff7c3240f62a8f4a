"""Find the array of each variable: in its tensor, among the arrays that rules saved, or by computing it again."""

from math import prod
from weakref import WeakKeyDictionary

import numpy as np

from scalargrad.modes import recording
from tensorgrad.arrays.draws import Draws, drawing_from
from tensorgrad.inspection.saved_arrays import saved_variables
from tensorgrad.modes import again
from tensorgrad.node import Dropped, Node, there
from tensorgrad.tensor import Tensor

MOST_ENTRIES = 1_000_000  # in all arrays of a graph; in a larger graph, freed arrays are not computed again
SAME_WITHIN = 100  # times the last digit of a number: equal but for rounding
TWICE = 2  # the difference that another library's rounding makes may come in at both sides
rounded: WeakKeyDictionary = WeakKeyDictionary()  # {variable whose array is another library's: how far the other one rounds it}


def forward_values(nodes):
    """Return {node: its array} for all nodes of a graph, inputs first; None for an array that is freed and cannot be recomputed.

    A node does not hold its array; an intermediate array is freed with its tensor. The first source is a tensor of the user,
    then what a rule saved, then the function itself, applied to the arrays of its arguments. After backward() has released the
    graph, functions are applied only if the array of the last node is there, so that `first_changed` can compare it.

    >>> from scalargrad import Graph
    >>> A = Tensor([[1.0, 2.0]]); z = (A * 2).exp().sum()
    >>> [None if array is None else array.shape for array in forward_values(Graph(z).variables).values()]
    [(1, 2), (1, 2), (1, 2), ()]
    """
    small, comparable = are_small(nodes), bool(nodes) and nodes[-1].data is not None
    kept = dict(pair for y in nodes for pair in saved_variables(y))
    for y in reversed(nodes):
        if y in kept and y.rule and y.rule.origin.name == "reshape":  # matmul saves the column that it makes of a vector
            kept.setdefault(y.inputs[0], kept[y].reshape(y.inputs[0].shape))
    found = {}
    for x in nodes:
        array = x.data
        if array is None:
            array = kept.get(x)
        if array is None and x.rule and small and (comparable or not x.released):
            array = recomputed(x, found)
        found[x] = array
    return found


def recomputed(y, found):
    """Return y's function of the arrays of its inputs; None if one of them is freed."""
    given, options = arguments_of(y)
    if is_lost((*given, *options), found):
        return None
    return at_arrays(y, [found[a] if isinstance(a, Node) else a.data if isinstance(a, Tensor) else a for a in given], options)


def at_arrays(y, args, options):
    """Return y's function at other arguments. Nothing that the program keeps changes: no running statistics, no random generator."""
    with np.errstate(all="ignore"), again(), drawing_from(Draws().again()):
        return y.rule.of_arrays(args, options)


def arguments_of(y):
    """Return the arguments and the options of a node, as far as they are still there."""
    return [*map(there, y.arguments)], tuple(map(there, y.options))


def is_lost(given, found):
    """Return whether one of these arguments and options is gone. `found` is {node: its array}."""
    return any(found[a] is None if isinstance(a, Node) else type(a) is Dropped for a in given)


def restored(y, arrays, name=None):
    """Return a node like the released node y that has what its rule saves; None if something that this needs is lost.

    `arrays` is {node: its array}, as `forward_values` returns it. The node has the same inputs and y's name,
    or `name`; y itself stays released.

    >>> from scalargrad import Graph
    >>> A = Tensor([2.0, 3.0]); z = (A * A).sum(); z.backward(); _, square, end = Graph(z).variables
    >>> again = restored(square, forward_values([A.node, square, end])); square.released, again.released, again.inputs == (A.node, A.node)
    (True, False, True)
    """
    arguments, options = arguments_of(y)
    if is_lost((*arguments, *options), arrays):
        return None
    with recording(), again():
        made = y.rule.applied([Tensor(arrays[a]) if isinstance(a, Node) else a for a in arguments], options).node
    made.arguments, made.name = arguments, y.name or name
    made.edges = tuple([(arguments[slot], slot, saved) for _, slot, saved in made.edges])
    return made


def first_changed(nodes, found):
    """Return the first node whose array, or a saved array of whose function, differs from what its inputs now give; or None."""
    if not are_small(nodes):
        return None
    found = dict(found)
    for y in nodes:
        now = recomputed(y, found) if y.rule else None
        if found[y] is None:
            found[y] = now  # it was not recomputed, since the last node's array is gone
        saved = [(x, array, found[x]) for x, array in saved_variables(y) if found[x] is not None]
        for x, then, new in [] if now is None else [(y, found[y], now), *saved]:
            if then is new or then.shape != new.shape:  # a kernel may save a reshaped array
                continue
            if not close(then, new, rounded.get(x, 0.0)):
                return y
    return None


def close(a, b, off=0.0):
    """Return whether two float arrays are equal but for rounding, and for a difference that another library's rounding makes."""
    slack = SAME_WITHIN * np.finfo(a.dtype).eps
    with np.errstate(all="ignore"):
        atol = slack * np.max(np.abs(b), initial=0, where=np.isfinite(b)) + TWICE * off
        return np.allclose(a, b, rtol=slack, atol=atol, equal_nan=True)


def are_small(nodes):
    return sum(prod(x.shape) for x in nodes) <= MOST_ENTRIES

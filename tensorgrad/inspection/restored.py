"""Compute again what a rule had saved before a backward pass released it."""

from scalargrad.modes import recording
from tensorgrad.inspection.forward_values import arguments_of, is_lost
from tensorgrad.node import Node
from tensorgrad.tensor import Tensor


def restored(y, arrays, name=None):
    """Return a node like the released node y that has what its rule saves; None if something that this needs is lost.

    `arrays` is {node: its array}, as `forward_values` returns it. The node has the same inputs and y's name,
    or `name`; y itself stays released.

    >>> from scalargrad import Graph
    >>> from tensorgrad.inspection.forward_values import forward_values
    >>> A = Tensor([2.0, 3.0]); z = (A * A).sum(); z.backward(); _, square, end = Graph(z).variables
    >>> again = restored(square, forward_values([A.node, square, end])); square.released, again.released, again.inputs == (A.node, A.node)
    (True, False, True)
    """
    arguments, options = arguments_of(y)
    if is_lost((*arguments, *options), arrays):
        return None
    with recording():
        again = y.rule.applied([Tensor(arrays[a]) if isinstance(a, Node) else a for a in arguments], options).node
    again.arguments, again.name = arguments, y.name or name
    again.edges = tuple([(arguments[slot], slot, saved) for _, slot, saved in again.edges])
    return again

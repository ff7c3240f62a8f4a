"""The scalar graphs of a graph of tensors: of each small function, for the zoom, and of all entries, for the nudge of one."""

from typing import NamedTuple

from scalargrad.trace import Trace
from viz.page.live_program import NotLive

MOST_TOGETHER = 120  # variables in all scalar graphs of a page; each takes about 3 kB


def scalar_graphs(trace):
    """Return [(y, trace)] for each tensor y whose function has a small scalar graph. A graph of numbers has none.

    >>> from scalargrad import Trace, Value
    >>> scalar_graphs(Trace(Value(3) * 2))
    []
    """
    look, room, found = getattr(trace.on, "zoom", None), MOST_TOGETHER, []
    for y in trace.graph.variables:
        inner = look(y, trace.computed[y].number) if look and y.inputs else None
        if inner is not None and len(inner.graph.variables) <= room:
            room -= len(inner.graph.variables)
            found.append((y, inner))
    return found


class Entries(NamedTuple):
    """The graph of all entries of a graph of tensors."""

    trace: Trace
    arrays: dict  # {y: the array of its entries}
    inputs: list  # the entries of inputs on which z depends, array by array


def entries(trace) -> Entries:
    """Return the graph of all entries of a graph of tensors. Raise NotLive if there is none."""
    try:
        arrays = trace.on.entries()
    except ValueError as why:
        raise NotLive(str(why)) from None
    root = arrays[trace.graph.z].item()
    if not hasattr(root, "inputs"):
        raise NotLive(f"{trace.names[trace.graph.z]} is the same number whatever the inputs are.")
    found = Trace(root, names={})
    used = set(found.graph.variables)
    return Entries(found, arrays, [x for v, array in arrays.items() if not v.inputs for x in array.flat if x in used])

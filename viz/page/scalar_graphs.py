"""Graphs that a page can open: of small functions of tensors in their entries, of statements in their operations, of the passes of a
folded loop, and of all entries.
"""

from typing import NamedTuple

from scalargrad.graph import Graph
from scalargrad.statements.passes import one_pass
from scalargrad.tracing.trace import Trace
from viz.graphs.marks import mark_of
from viz.page.live.program import NotLive

MOST_TOGETHER = 120  # variables in all scalar graphs of a page; each takes about 3 kB

MOST_IN_PASSES = 160  # variables in all passes of loops that a page can open; each takes about 0.25 kB, since passes are alike


class Opening(NamedTuple):
    """A variable whose function can be opened: a trace through this function alone, what can be opened within it, and its entries, if each
    can be nudged.
    """

    y: object
    trace: Trace
    within: list
    entries: "Entries | None"


def scalar_graphs(trace) -> list[Opening]:
    """Return an Opening for each variable whose function can be opened: a small function of tensors, or a statement. In a statement of
    tensors its small functions can be opened too, and its entries nudged, if there is room left.

    >>> from scalargrad import Trace, Value
    >>> scalar_graphs(Trace(Value(3) * 2))
    []
    """
    room = MOST_TOGETHER
    found: list = []
    graphs = [(trace, found)]  # grows
    for outer, openings in graphs:
        for y in outer.graph.variables:
            inner = inside(outer, y)
            if inner is not None and len(inner.graph.variables) <= room:
                of_entries = entries_within(inner)
                room -= len(inner.graph.variables)
                openings.append(Opening(y, inner, [], of_entries))
                graphs.append((inner, openings[-1].within))
    return found


def entries_within(trace):
    """Return the Entries of a graph that opens; None if there are none."""
    try:
        return entries(trace) if hasattr(trace.on, "entries") else None
    except NotLive:
        return None


def inside(trace, y):
    """Return a trace through y's function alone; None if it is not shown."""
    if trace.statements and getattr(y.rule, "opens", False):
        return Trace(trace.statements.apart(y, trace.computed[y].number), names={})
    if getattr(mark_of(y), "closed", ""):
        return None
    look = getattr(trace.on, "zoom", None) if getattr(y.rule, "times", 1) == 1 else None
    return look(y, trace.computed[y].number) if look and y.inputs else None


def openings_within(trace, openings):
    """Yield (path, Opening) for each graph that can be opened, outer ones first. A path is what the page's address calls it: "5-2" opens in
    the function of variable 5 that of the variable 2 which it has there.
    """
    place = {v: i for i, v in enumerate(trace.graph.variables)}
    for each in openings:
        yield f"{place[each.y]}", each
        yield from ((f"{place[each.y]}-{path}", found) for path, found in openings_within(each.trace, each.within))


def graph_at(data, path):
    """Return the data of the graph that this path opens."""
    for v in path.split("-"):
        data = data["scalarGraphs"][int(v)]
    return data


class Opened(NamedTuple):
    """A folded loop: the variables that it has in the graph, and a trace of each hidden pass that the page can open."""

    many: int  # passes
    shown: dict  # {variable: its Passes}
    hidden: list  # the numbers of the hidden passes
    passes: dict  # {number of a pass: its trace}


def opened_loops(trace, room=MOST_IN_PASSES) -> list[Opened]:
    """Return the folded loops of a trace. If not all of their passes have room in a page, the first ones and the last have. A loop within
    a pass of numbers is folded, too.

    >>> from scalargrad import Trace, Value
    >>> x = Value(0.5)
    >>> for _ in range(20): x = x * 1.01 + 0.1
    >>> loop, = opened_loops(Trace(x, detail="statements")); loop.many, list(loop.passes)
    (20, [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19])
    """
    found = []
    for number, loop in enumerate(trace.statements.loops if trace.statements else ()):
        shown = {v: passes for v, passes in trace.passes.items() if passes.loop == number}
        within = {k for _, first, last, _ in shown.values() if first < last for k in range(first, last + 1)}  # boxes of several passes
        hidden = [k for k in range(1, len(loop.passes) + 1) if loop.number(k) in within]
        if not hidden:
            continue
        passes: dict = {}
        for k in (*hidden[-1:], *hidden[:-1]):
            graph = Graph(one_pass(trace.statements, loop, k))
            named = all(v.name and not hasattr(v, "shape") for v in graph.variables)  # then only loops are folded
            inner = Trace(graph.z, names={}, detail="statements" if named else "operations")
            room -= len(inner.graph.variables)
            if room < 0:
                break
            passes[loop.number(k)] = inner
        numbers = [loop.number(k) for k in hidden]
        found.append(Opened(max(loop.numbers.values()), shown, numbers, dict(sorted(passes.items()))))
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
    root.name = trace.names[trace.graph.z]  # it may be an entry of another array too: z = rank[2] has one name on a page
    found = Trace(root, names={})
    used = set(found.graph.variables)
    return Entries(found, arrays, [x for v, array in arrays.items() if not v.inputs for x in array.flat if x in used])

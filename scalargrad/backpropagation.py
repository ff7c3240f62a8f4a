"""The tutorial's BACKPROPAGATION, line by line: the loop that every stepper, player and trace shows.

It gathers: each variable x, in topological order, collects dz/dy · ∂y/∂x from its children y, by equation (1). The fast
loop that `.backward()` runs is in backward.py; a test holds their results equal.
"""

from collections import deque
from collections.abc import Sequence

from scalargrad.graph import Graph
from scalargrad.steps import Step, quantities

PSEUDOCODE = {
    1: "BACKPROPAGATION(Computation graph G, node z in G):",
    3: "    Let topo_order = TopologicalSort(G, z)",
    5: "    Let computed = {dz/dz : 1}",
    7: "    For each node x in topo_order (excluding z):",
    9: "        Let dz/dx = 0",
    11: "        # Invoke Inductive Chain Rule",
    12: "        For each child y of x:",
    13: "            Let partial_x = calculate(∂y/∂x)",
    14: "            Let total_y = computed.get(dz/dy)",
    15: "            dz/dx += total_y * partial_x",
    17: "        insert dz/dx into computed",
}


def steps(graph, on):
    """Run the pseudocode on `graph`, one Step for each executed line. `on` says on what kind of numbers."""
    z, log = graph.z, []
    yield Step(1, "call", log=log)
    yield Step(3, "sort", log=log)
    computed = {z: on.one}
    log.append((z, on.one))
    yield Step(5, "start", x=z, total=on.one, known=1, log=log)
    for iteration, x in enumerate(graph.order[1:], 1):
        here = Step(7, "visit", iteration, x, known=len(log), log=log)
        yield here
        total = on.zero
        yield here._replace(line=9, act="zero", total=total)
        for y, slot in graph.children[x]:
            partial = on.partial(y, slot)
            here = here._replace(y=y, slot=slot, total=total, partial=partial)
            yield here._replace(line=13, act="partial")
            upstream = on.upstream(y, computed[y])
            here = here._replace(upstream=upstream)
            yield here._replace(line=14, act="get")
            term = upstream * partial
            total = total + term
            yield here._replace(line=15, act="add", term=term, total=total)
            here = here._replace(upstream=None)
        computed[x] = total
        log.append((x, total))
        yield Step(17, "insert", iteration, x, total=total, known=len(log), log=log)
    yield Step(None, "done", known=len(log), log=log)


def backpropagation(z, order: Sequence | None = None) -> dict:
    """The dictionary {x: dz/dx} for z and all its ancestors, in the order in which it is filled.

    `order` is a topological order of your own (z first, each variable after its children); OrderError names the pair
    that is out of order, CycleError prints a cycle. `.grad` is left alone. Source: the tutorial's pseudocode.

    >>> from scalargrad import Value
    >>> x = Value(3, name="x"); y = x * x
    >>> backpropagation(y)
    {Value(9): 1, Value(3, name='x'): 6}
    """
    graph = Graph(z, order)
    on = quantities(graph)
    on.require_saved()
    last = deque(steps(graph, on), maxlen=1).pop()
    return last.computed

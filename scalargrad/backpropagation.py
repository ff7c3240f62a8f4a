"""The tutorial's BACKPROPAGATION: the plain loop, and its pseudocode.

The loop gathers: each variable x, in topological order, collects dz/dy · ∂y/∂x from its children y, by equation (1).
`engine.py` has the loop that scatters, which `.backward()` runs; `tracing/gathering.py` is this loop as a generator of steps. Tests
compare the results of the three.
"""

from collections.abc import Sequence

from scalargrad.graph import Graph


def backpropagation(z, order: Sequence | None = None) -> dict:
    """Return {x: dz/dx} for z and all its ancestors, in the order in which the loop computes them.

    `order` is a topological order of your own (z first, each variable after its children). OrderError names the pair that is out
    of order, CycleError prints a cycle. `.grad` does not change. Source: the tutorial's pseudocode.

    >>> from scalargrad import Value
    >>> x = Value(3, name="x"); y = x * x
    >>> backpropagation(y)
    {Value(9): 1, Value(3, name='x'): 6}
    """
    z, topo_order, children = in_topological_order(z, order)
    computed = {z: dz_dz(z)}
    for x in topo_order[1:]:
        dz_dx = 0
        for y, slot in children[x]:
            partial_x = y.partials[slot]
            total_y = computed[y]
            dz_dx += total_y * partial_x
        computed[x] = dz_dx
    return computed


def in_topological_order(z, order):
    """Return z (of a tensor, its node), the topological order, and {x: the edges to the children of x}."""
    graph = Graph(z, order)
    return graph.z, graph.order, graph.children


def dz_dz(z):
    """Return dz/dz: 1, or the array that a tensor has in its place."""
    return getattr(z, "dz_dz", 1)


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

"""The computation graph behind a variable z: its ancestors, their children, and the orders in which they can be visited.

Knows only that a variable has `inputs`, a tuple of variables; so it serves numbers and tensors alike. Nothing recurses.
"""

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import NamedTuple

from scalargrad.callers import called_function


class Edge(NamedTuple):
    """One use of a variable: it is input number `slot` (from 0) of the function that made `child`."""

    child: object
    slot: int


class CycleError(ValueError):
    """A variable is, through its inputs, an input of itself."""


class OrderError(ValueError):
    """An order in which some variable stands before one of its children."""


class ChangedError(RuntimeError):
    """A number was changed after a function had used it."""


class Released(RuntimeError):
    """A backward pass has dropped what the functions of a graph saved, so no other can run through them."""


class Graph:
    """The graph of z: the variables that z depends on, z included.

    `variables` lists inputs before outputs, `order` children before inputs, starting at z (a topological order).
    `children[x]` are the edges from x, the child nearest to z (by longest path) first, then in order of creation;
    `x * x` is one child with two edges. Raises CycleError, which prints the cycle.

    >>> from scalargrad import Value
    >>> x = Value(3); Graph(x * x).children[x]
    [Edge(child=Value(9), slot=0), Edge(child=Value(9), slot=1)]
    """

    def __init__(self, z, order: Sequence | None = None):
        self.z = z = node_of(z)
        self.variables = inputs_first(z)
        self.order = self.variables[::-1] if order is None else self._legal(order)
        self.distance = longest_distances(self.order)
        position = {v: i for i, v in enumerate(self.variables)}
        self.children: dict = {v: [] for v in self.variables}
        for y in sorted(self.variables, key=lambda v: (self.distance[v], position[v])):
            for slot, x in enumerate(y.inputs):
                self.children[x].append(Edge(y, slot))

    @cached_property
    def edge_numbers(self):
        """{(child, slot): (number of this edge, how many there are)}, among those between the same two variables; from 1."""
        between: dict = {}
        for y in self.variables:
            for slot, x in enumerate(y.inputs):
                between.setdefault((id(x), id(y)), []).append((y, slot))
        return {edge: (k, len(edges)) for edges in between.values() for k, edge in enumerate(edges, 1)}

    def _legal(self, order):
        """`order` as a list, if it names each variable once and every child before its inputs; OrderError otherwise."""
        if not isinstance(order, Iterable):
            raise TypeError(f"{called_function()}: order={order!r:.40} is not a list of variables; list z first, inputs after children")
        order = [node_of(v) for v in order]
        stranger = next((v for v in order if not hasattr(v, "inputs")), None)
        if stranger is not None:
            raise OrderError(f"the order lists {stranger!r}, which is not a variable; list the variables themselves, not their names")
        place = {v: i for i, v in enumerate(order)}
        missing = [v for v in reversed(self.variables) if v not in place]
        if missing:
            raise OrderError(f"the order leaves out {show(missing[0])}, which {show(self.z)} depends on; list every ancestor once")
        if len(order) != len(self.variables):
            extra = next((v for i, v in enumerate(order) if place[v] != i), None)
            if extra is not None:
                raise OrderError(f"the order lists {show(extra)} more than once; list every ancestor once")
            known = set(self.variables)
            extra = next(v for v in order if v not in known)
            raise OrderError(f"the order lists {show(extra)}, which {show(self.z)} does not depend on; leave it out")
        for y in order:
            for x in y.inputs:
                if place[x] < place[y]:
                    raise OrderError(
                        f"{show(x)} stands before its child {show(y)}: the derivative of {show(y)} is not known yet when "
                        f"{show(x)} needs it; move {show(y)} before {show(x)}"
                    )
        return order


def inputs_first(z, leaves=()):
    """z and its ancestors, each after all of its inputs, in the order in which one evaluates z; CycleError if there is none.

    `leaves` are variables to stop at; they are left out.
    """
    if not hasattr(z, "inputs"):
        raise TypeError(no_variable(z))
    z = node_of(z)
    done = dict.fromkeys(leaves, True)  # False: its inputs are being visited
    path = [z] if done.setdefault(z, False) is False else []
    order, walks = [], [iter(v.inputs) for v in path]
    while path:
        for x in walks[-1]:
            if x not in done:
                done[x] = False
                path.append(x)
                walks.append(iter(x.inputs))
                break
            if not done[x]:
                at = next(i for i, v in enumerate(path) if v is x)
                raise CycleError(
                    "the graph has a cycle: "
                    + " -> ".join(show(v) for v in [x, *reversed(path[at:])])
                    + "; a variable cannot be its own ancestor: make a new variable instead of setting inputs by hand"
                )
        else:
            done[path[-1]] = True
            order.append(path.pop())
            walks.pop()
    return order


def is_function(z):
    """Whether z is a function, and neither a variable nor a class."""
    return callable(z) and not isinstance(z, type) and not hasattr(z, "inputs")


def no_variable(z):
    """What we say of a thing that a graph cannot start at."""
    function = called_function()
    if is_function(z):
        return f"{function}: {getattr(z, '__name__', repr(z))} is a function, not a variable; call it first, {function}(f(x))"
    return f"{function}: {' '.join(repr(z).split()):.40} is not a variable; start the graph at a Value, made from Values"


def node_of(v):
    """What stands for v in a graph: a tensor has a node, a number stands for itself."""
    return (v.node if hasattr(type(v), "node") else None) or v


def longest_distances(order):
    """The number of edges on the longest path from each variable to z, for a topological order that starts at z."""
    distance = dict.fromkeys(order, 0)
    for y in order:
        for x in y.inputs:
            distance[x] = max(distance[x], distance[y] + 1)
    return distance


def topological_order(z, order: Sequence | None = None) -> list:
    """z and its ancestors, each variable after all of its children. Deterministic; `order` is checked and used instead.

    >>> from scalargrad import Value
    >>> a = Value(2, name="a"); b = a * a; b.name = "b"; c = a + b
    >>> [v.name for v in topological_order(c)][1:]
    ['b', 'a']
    """
    return Graph(z, order).order


def ancestors(z) -> list:
    """The variables that z depends on, z not included, inputs first.

    >>> from scalargrad import Value
    >>> a = Value(2, name="a"); b = a * a
    >>> ancestors(b + a)
    [Value(2, name='a'), Value(4)]
    """
    return inputs_first(z)[:-1]


def show(v):
    """A variable as messages write it: its name, or what it holds."""
    return v.name or repr(v)

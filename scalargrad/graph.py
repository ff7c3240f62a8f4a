"""The computation graph of a variable z: its ancestors, their children, and the orders in which a loop can visit them.

This file needs only `inputs`, a tuple of variables, from each variable. So it serves numbers and tensors. No function recurses.
"""

from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import takewhile
from typing import NamedTuple

from scalargrad.callers import called_function


class Edge(NamedTuple):
    """One use of a variable: it is input number `slot` (from 0) of the function that made `child`."""

    child: object
    slot: int


class Variables(NamedTuple):
    """Some variables of a graph, inputs before outputs, and z; None if several variables are shown together."""

    z: object
    variables: list


class CycleError(ValueError):
    """A variable is its own ancestor."""


class OrderError(ValueError):
    """An order is not topological: it is incomplete, or a variable stands before one of its children."""


class ChangedError(RuntimeError):
    """A number or an array changed after a function used it."""


class Released(RuntimeError):
    """A backward pass released what the functions of a graph saved, so no further pass can run."""


class Graph:
    """The graph of z: z and all variables that z depends on.

    `variables` lists inputs before outputs. `order` is topological: it starts at z and lists children before inputs.
    `children[x]` lists the edges from x. The child whose longest path to z is shortest comes first. Children at the same distance
    keep their order in `variables`. `x * x` is one child with two edges. Raises CycleError, which prints the cycle.

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
        """{(child, slot): (k, n)}: this edge is number k (from 1) of the n edges between the same two variables."""
        between = by_key(((id(x), id(y)), (y, slot)) for y in self.variables for slot, x in enumerate(y.inputs))
        return {edge: (k, len(edges)) for edges in between.values() for k, edge in enumerate(edges, 1)}

    def _legal(self, order):
        """Return `order` as a list. Raises OrderError unless it lists each variable once and every child before its inputs."""
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
    """Return z and its ancestors, each after all its inputs: the order of the forward pass. Raises CycleError if there is none.

    `leaves` are variables at which to stop; they are left out.
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
    """Return whether z is a function, not a variable and not a class."""
    return callable(z) and not isinstance(z, type) and not hasattr(z, "inputs")


def no_variable(z):
    """Return the message for an object at which no graph can start."""
    function = called_function()
    if is_function(z):
        return f"{function}: {getattr(z, '__name__', repr(z))} is a function, not a variable; call it first, {function}(f(x))"
    return f"{function}: {' '.join(repr(z).split()):.40} is not a variable; start the graph at a Value, made from Values"


def node_of(v):
    """Return what represents v in a graph: the node of a tensor, or a Value itself."""
    return (v.node if hasattr(type(v), "node") else None) or v


def scopes_of(variables):
    """Return {v: the names of its scopes}. A parameter without a scope is in the scope that uses it.

    An array that several scopes use is in the innermost scope that holds them all; a number is then in none, since it may be an input.
    """
    paths = {v: tuple(getattr(v, "scope", None) or ()) for v in variables}
    used: dict = {}
    for y in variables:
        for x in y.inputs:
            if not x.inputs and not paths.get(x, True) and getattr(x, "keep_grad", True):
                used.setdefault(x, set()).add(paths[y])
    return paths | {x: common_start(scopes) for x, scopes in used.items() if len(scopes) == 1 or hasattr(x, "shape")}


def common_start(paths):
    """Return the names that all paths begin with."""
    return tuple([names[0] for names in takewhile(lambda names: len(set(names)) == 1, zip(*paths))])


def longest_distances(order):
    """Return {v: the number of edges on the longest path from v to z} for a topological order, which starts at z."""
    distance = dict.fromkeys(order, 0)
    for y in order:
        for x in y.inputs:
            distance[x] = max(distance[x], distance[y] + 1)
    return distance


def topological_order(z, order: Sequence | None = None) -> list:
    """Return z and its ancestors, each variable after all its children. The result is always the same.

    If `order` is given, return it as a list. Raises OrderError, which says what is wrong, if it is not a topological order.

    >>> from scalargrad import Value
    >>> a = Value(2, name="a"); b = a * a; b.name = "b"; c = a + b
    >>> [v.name for v in topological_order(c)][1:]
    ['b', 'a']
    """
    return Graph(z, order).order


def ancestors(z) -> list:
    """Return the variables that z depends on, without z, inputs first.

    >>> from scalargrad import Value
    >>> a = Value(2, name="a"); b = a * a
    >>> ancestors(b + a)
    [Value(2, name='a'), Value(4)]
    """
    return inputs_first(z)[:-1]


def by_key(pairs) -> dict:
    """Return {key: [things]} for pairs (key, thing), in their order.

    >>> by_key([("a", 1), ("b", 2), ("a", 3)])
    {'a': [1, 3], 'b': [2]}
    """
    found: dict = {}
    for key, thing in pairs:
        found.setdefault(key, []).append(thing)
    return found


def show(v):
    """Return a variable as messages write it: its name, or its repr."""
    return v.name or repr(v)

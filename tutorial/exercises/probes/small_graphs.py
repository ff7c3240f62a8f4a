"""Small graphs for the probes of exercises: by names as plain values, and as variables that can be drawn."""

from collections.abc import Iterable
from typing import NamedTuple

from scalargrad import Value
from tutorial.exercises.broken_engine.probes import program
from tutorial.exercises.probes.probe import Marks
from tutorial.graphs.figure1 import figure1

NUMBERS = (2, 3, 5, 7, 11)  # not 0 or 1: a factor that is left out shows
LEAVES = "abcd"


class SmallGraph(NamedTuple):
    """A graph by names. `inputs[y]` lists the inputs of y, `children[x]` the children of x, one for each use.

    `edges` has a pair (x, y) for each use of x by y. `partial[y, x]` is ∂y/∂x for one use. `variables` are {name: Value}.
    """

    variables: dict
    inputs: dict
    children: dict
    edges: list
    partial: dict


def figure_1(*leaves) -> SmallGraph:
    """Return the graph of Figure 1 at x = (x1, x2, x3, x4).

    >>> figure_1(2, 3, 5, 7).partial["z", "x1"]
    17
    """
    return of(reversed(figure1(*leaves)[1]))


def small_graph(text, random, signs=(1,)) -> SmallGraph:
    """Return the graph of "name operator input input; …", whose leaves get random numbers.

    >>> from random import Random
    >>> small_graph("y * a b; z + y a", Random(0)).children["a"]
    ['y', 'z']
    """
    made = program(text, dict(zip(LEAVES, numbers(random, signs)))).run(lambda number, name: Value(number, name=name))
    for name, v in made.items():
        v.name = name
    return of(made.values())


def random_graph(functions, random) -> SmallGraph:
    """Return a random graph of + and *. Its last function makes z. z need not depend on all others."""
    names, lines = list(LEAVES[: random.randint(1, 3)]), []
    for made in range(1, functions + 1):
        y = "z" if made == functions else f"v{made}"
        lines.append(f"{y} {random.choice('+*')} {random.choice(names[-4:])} {random.choice(names[-4:])}")
        names.append(y)
    return small_graph("; ".join(lines), random, signs=(1, -1))


def numbers(random, signs=(1,)) -> list:
    """Return a random number for each leaf. No two are equal."""
    return [random.choice(signs) * number for number in random.sample(NUMBERS, len(LEAVES))]


def of(variables: Iterable[Value]) -> SmallGraph:
    """Return the graph of these named variables, in their order."""
    named = {v.name: v for v in variables}
    edges = [(x.name, y.name) for y in named.values() for x in y.inputs]
    return SmallGraph(
        named,
        {y: [x for x, child in edges if child == y] for y in named},
        {x: [y for start, y in edges if start == x] for x in named},
        edges,
        {(y.name, x.name): slope for y in named.values() for x, slope in zip(y.inputs, y.partials)},
    )


def whole(made: Iterable[Value]) -> dict:
    """Return the names, values, inputs and partials of variables as plain values. `made` has each after its inputs."""
    name = {v: v.name or f"v{k}" for k, v in enumerate(made, 1)}
    return {
        "made": list(name.values()),
        "values": {name[v]: v.data for v in name},
        "inputs": {name[v]: [name[x] for x in v.inputs] for v in name},
        "partials": {name[v]: v.partials for v in name},
    }


def members(got, right, graph) -> Marks | None:
    """Return the Marks of a set of names `got`: each name that is in one of two sets says whether it is in.

    `graph` is what `whole` returns. The result is None if `got` is another thing than a set.
    """
    if not isinstance(got, (set, frozenset)):
        return None
    names = [name for name in graph["made"] if name in got or name in right]
    says = lambda members: {name: "in" if name in members else "not in" for name in names}
    return Marks(graph, says(got), says(right))


def places(order, z, graph) -> Marks | None:
    """Return the Marks of an order of names: the places of each, and what is right where one is wrong; None for another thing.

    >>> from random import Random
    >>> graph = whole(small_graph("y * a b; z + y a", Random(0)).variables.values())
    >>> places(["z", "a", "b", "y"], "z", graph).right
    {'z': 'place 1', 'y': 'place 4', 'b': 'after y', 'a': 'after y'}
    """
    if not isinstance(order, (list, tuple)):
        return None
    needed, got, right = {z}, {}, {}
    for x in reversed(graph["made"]):
        children = [y for y in graph["made"] if x in graph["inputs"][y] and y in needed]
        needed |= {x} if children else set()
        at = [k for k, name in enumerate(order, 1) if name == x]
        if at or x in needed:
            late = [y for y in children if at and y in order[at[0] :]]
            got[x] = f"place{'s' * (len(at) > 1)} {', '.join(map(str, at))}" if at else "not in"
            right[x] = (
                "not in" if x not in needed else "in" if not at else "once" if len(at) > 1 else f"after {late[0]}" if late else got[x]
            )
    return Marks(graph, got, right)


def reached(z, inputs) -> set:
    return {x for y in inputs[z] for x in (y, *reached(y, inputs))}


def chain(links) -> dict:
    """Return the inputs of a chain: z uses the variable before it, and so on down to a leaf."""
    names = ["a", *(f"v{k}" for k in range(1, links - 1)), "z"]
    return {"a": []} | {y: [x] for x, y in zip(names, names[1:])}


def ladder(steps) -> dict:
    """Return the inputs of a graph in which each variable uses the one before it twice. It has 2**steps paths."""
    return {y: x * 2 for y, x in chain(steps + 1).items()}


def names_or_none(names) -> str:
    """Return names with commas between them, each once; "none" if there are none."""
    return ", ".join(dict.fromkeys(names)) or "none"

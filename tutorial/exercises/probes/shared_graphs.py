"""Small graphs for the probes of exercises, the smallest first: fixed ones in which variables are shared, then random ones."""

from collections.abc import Iterator
from random import Random

from tutorial.exercises.broken_engine.facts import terms
from tutorial.exercises.broken_engine.probes import STRUCTURES, program, random_programs
from tutorial.exercises.broken_engine.programs import EVERYWHERE, Numbers

RANDOM = 10
NUMBERS = [n for n in range(-9, 10) if abs(n) > 1]


def graphs(random: Random) -> Iterator[Numbers]:
    """Yield graphs of sums and products. The inputs are different integers, so that two mistakes seldom give the same number.

    >>> first = next(graphs(Random(0)))
    >>> print(first.program)
    a = Value(6)
    z = a + a
    z.backward()
    >>> first.totals
    {'a': 2, 'z': 1}
    """
    for text in STRUCTURES:
        yield Numbers(program(text, inputs(random)))
    for made in random_programs(EVERYWHERE, random, inputs(random), RANDOM):
        yield Numbers(made)


def inputs(random):
    """Return a number for each input, {name: number}."""
    return dict(zip("abcd", random.sample(NUMBERS, 4)))


def children(numbers: Numbers) -> dict:
    """Return {x: its children}, one for each use."""
    return {x: [y for y, _ in edges] for x, edges in numbers.children.items()}


def partial(numbers: Numbers) -> dict:
    return {(y, x): p for y in numbers.order for x, p in zip(numbers.inputs[y], numbers.partials[y])}


def about(numbers: Numbers) -> str:
    """Return the graph as a program on one line, a = 3; z = a + a."""
    return "; ".join(str(line).replace("Value(", "").replace(")", "") for line in numbers.program.lines)


def facts(numbers: Numbers) -> dict:
    """Return the terms of equation (1) for each x and its children, for sentences on dz/dx, and the graph, for its picture."""
    users = {x: ", ".join(dict.fromkeys(y for y, _ in edges)) for x, edges in numbers.children.items()}
    return {"terms": {x: terms(numbers, x) for x in numbers.children}, "users": users, "scene": numbers.variables[numbers.z]}

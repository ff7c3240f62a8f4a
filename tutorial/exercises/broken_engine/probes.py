"""The programs on which engines are compared: the smallest first, then random graphs that grow."""

import random
from collections.abc import Iterator

from tutorial.exercises.broken_engine.programs import EVERYWHERE, OPERATORS, Line, Program

VALUES = {"a": 3, "b": 5, "c": -2, "d": 7}  # different primes: two mistakes seldom give the same number
SMALL = {"a": 0.5, "b": 0.25, "c": -2, "d": 7}  # for functions that are flat far from 0, or grow fast
FLAT = ("tanh", "exp", "sigmoid")
RANDOM, SEED = 40, 1


def program(text, values=None, z="z", calls=1) -> Program:
    """Return a program from "name operator input input" for each function, separated by semicolons. Its leaves are those that it uses.

    >>> print(program("y * a a; z + y a"))
    a = Value(3)
    y = a * a
    z = y + a
    z.backward()
    """
    made = [Line(name, operator, tuple(inputs)) for name, operator, *inputs in map(str.split, text.split(";"))]
    values = values or VALUES
    leaves = [Line(name, value=values[name]) for name in values if any(name in line.inputs for line in made)]
    return Program((*leaves, *made), z, calls)


def probes(operators=tuple(OPERATORS)) -> Iterator[Program]:
    """Yield programs that use these operators only, the smallest first."""
    yield Program((Line("z", value=3),))
    for name in operators:
        yield program(f"z {name} {arguments(name)}", fitting(name))
    if "relu" in operators:
        yield program("y relu c; z * y a")
    yield from map(program, STRUCTURES)
    yield program("y * a b; w * a c; z * y c")  # w is a dead branch
    yield program("y * a b; z * y b; w * z a")  # made after z
    for name in operators:  # here the upstream gradient is not 1, and an input has another use
        yield program(f"y {name} {arguments(name)}; w * y c; z + w a", fitting(name))
    yield from random_programs(operators, random.Random(SEED))
    yield program("y * a b; z * y y", calls=2)
    yield program("y * a b; w + y a; z * w b", calls=2)


STRUCTURES = (
    "z + a a",
    "z * a a",
    "y * a b; z * y c",
    "y + a b; z * y a",
    "y * a a; z + a y",
    "y * a b; w * y c; z + w a",
    "y * a b; w + y c; z * y w",
    "h * a a; w * h h; z + h w",
    "y + a b; w * y a; v * y b; z * w v",
    "h * a b; y * h a; w + h b; v * y w; z + v h",
)


def arguments(name):
    return " ".join("ab"[: OPERATORS[name].arity])


def fitting(name):
    return SMALL if name in FLAT else VALUES


def structural() -> list[Program]:
    """Return the programs with + and * alone, in which engines differ by the order of their steps and not by the rules of functions."""
    return [p for p in probes(EVERYWHERE) if p.calls == 1]


def random_programs(operators, chance, values=None, number=RANDOM) -> Iterator[Program]:
    """Yield random programs of 2 to 7 functions. + and * are the most frequent."""
    values = values or VALUES
    usual = [name for name in operators if name not in (*FLAT, "/", "**", "log")]
    for k in range(number):
        leaves = list(values)[: chance.randint(1, 4)]
        names, lines = list(leaves), [Line(name, value=values[name]) for name in leaves]
        for made in range(2 + 6 * k // number):
            name = chance.choice((*EVERYWHERE, *usual))
            line = Line(f"v{made + 1}", name, tuple(chance.choice(names[-4:]) for _ in range(OPERATORS[name].arity)))
            names.append(line.name)
            lines.append(line)
        lines[-1] = lines[-1]._replace(name="z")
        yield Program(tuple(lines))


def chain(links) -> Program:
    """Return a program in which each of many functions uses the one before."""
    names = ["a", *(f"v{k}" for k in range(1, links)), "z"]
    return Program((Line("a", value=1), Line("b", value=0), *(Line(y, "+", (x, "b")) for x, y in zip(names, names[1:]))))


def many_paths(functions) -> Program:
    """Return a program in which each function uses the two before: the number of paths grows by more than a half with each."""
    names = ["a", "b", *(f"v{k}" for k in range(1, functions)), "z"]
    made = (Line(y, "+", (x, w)) for w, x, y in zip(names, names[1:], names[2:]))
    return Program((Line("a", value=1), Line("b", value=1), *made))

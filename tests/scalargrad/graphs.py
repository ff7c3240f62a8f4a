"""Graphs that several tests use: the tutorial's Figure 1, a chain, a ladder, and random graphs with shared variables."""

from fractions import Fraction

from hypothesis import strategies as st

import scalargrad as sg
from scalargrad import Value, function
from scalargrad.graph import inputs_first


@function
def f3(x1, y1, y2):
    return x1 * y1 + y2


def figure1(numbers=(3, 1, -2, 4)):
    """The variables of Figure 1 by name, z the last."""
    x1, x2, x3, x4 = (Value(x, name=f"x{i}") for i, x in enumerate(numbers, 1))
    y1 = sg.sum(x1, x2, x3, x4)
    y2 = sg.square(x4)
    z = f3(x1, y1, y2)
    y1.name, y2.name, z.name = "y1", "y2", "z"
    return {v.name: v for v in (x1, x2, x3, x4, y1, y2, z)}


def chain(length, start=2):
    """x and z = x after `length` functions that change nothing but the sign, in pairs."""
    x = z = Value(start, name="x")
    for _ in range(length):
        z = -z
    return x, z


def ladder(rungs, start=1):
    """x and z = x · 2**rungs: each rung doubles the number of paths."""
    x = z = Value(start, name="x")
    for _ in range(rungs):
        z = z + z
    return x, z


@function
def mixed(a, b):
    return a * b - a + 2 * b * b


@function
def thirds(a, b, c):
    return a - b * c


FUNCTIONS = {  # each is a polynomial, so Fractions stay Fractions; how many variables it takes
    "add": (2, lambda a, b: a + b),
    "sub": (2, lambda a, b: a - b),
    "mul": (2, lambda a, b: a * b),
    "neg": (1, lambda a: -a),
    "twice the same": (1, lambda a: a * a),
    "square": (1, sg.square),
    "times a constant": (1, lambda a: 3 * a - 1),
    "minus from a constant": (1, lambda a: 2 - a),
    "relu": (1, sg.relu),
    "abs": (1, abs),
    "maximum": (2, sg.maximum),
    "sum": (3, sg.sum),
    "dot": (4, sg.dot),
    "dot and addend": (5, sg.dot),
    "max": (3, sg.max),
    "@function of two": (2, mixed),
    "@function of three": (3, thirds),
    "clamp": (1, lambda a: a.clamp(-2, 5)),
}


@st.composite
def recipes(draw, functions=12, leaves=4):
    """How to build a random graph: numbers for the leaves, and functions with the places of their inputs."""
    numbers = draw(st.lists(st.tuples(st.integers(-8, 8), st.integers(1, 4)), min_size=1, max_size=leaves))
    made, calls = len(numbers), []
    for _ in range(draw(st.integers(1, functions))):
        name = draw(st.sampled_from(sorted(FUNCTIONS)))
        calls.append((name, draw(st.lists(st.integers(0, made - 1), min_size=FUNCTIONS[name][0], max_size=FUNCTIONS[name][0]))))
        made += 1
    constants = draw(st.sets(st.integers(0, len(numbers) - 1), max_size=max(0, len(numbers) - 1)))
    return numbers, calls, constants


def build(recipe, kind=Fraction):
    """All variables of a recipe, in the order of their making; z is the last, and others may be dead branches."""
    numbers, calls, constants = recipe
    made = [Value(kind(Fraction(n, d)), name=f"x{i}", keep_grad=i not in constants) for i, (n, d) in enumerate(numbers)]
    for i, (name, places) in enumerate(calls):
        made.append(FUNCTIONS[name][1](*(made[p] for p in places)))
        made[-1].name = f"y{i}"
    for i, v in enumerate(dict.fromkeys(v for y in made for v in inputs_first(y))):
        v.name = v.name or f"between{i}"
    return made

"""The graphs whose pages the tests open, as traces, and their pages, which open at the backward pass, or at `start`; each is made once.
Pages of the programs of others are as `play` makes them without options.
"""

import random
from functools import cache

from scalargrad import Trace, Value, tanh
from scalargrad import sum as sum_of
from scalargrad.nn import MLP
from tests.scalargrad.statements.programs import perceptron, spring
from tests.viz.graphs import SCHEDULES, figure1_trace, thirty_variables
from tests.viz.graphs_of_others import PROGRAMS
from tests.viz.loops import overwriting
from tutorial.graphs.matrices import fan_out
from viz import play

HOSTILE = "<img src=x onerror=alert(1)></script><script>alert(2)</script>&\"'`"


def two_layers():
    """A loss of a perceptron with two layers, 2 inputs and 9 neurons: 60 variables, all numbers."""
    random.seed(4)
    inputs = [Value(0.5, name="a"), Value(-1.5, name="b")]
    return Trace((MLP(2, [9, 1])(inputs) - 1) ** 2, names={})


MATRICES = fan_out()  # keeps their arrays alive


def matrices():
    """The tutorial's second half: B is an input of two functions."""
    return Trace(MATRICES["z"])


def square():
    """x * x: one child, two edges."""
    x = Value(3, name="x")
    z = x * x
    z.name = "z"
    return Trace(z)


def thousand():
    """A thousand variables in layers of ten. Each variable is a function of one, two or three of the layer before."""
    dice = random.Random(7)
    layer = [Value(dice.uniform(-1, 1)) for _ in range(10)]
    functions = (tanh, 1), (lambda a, b: a * b, 2), (lambda a, b, c: tanh(sum_of(a, b, c)), 3)
    for _ in range(90):
        layer = [function(*dice.sample(layer, n)) for function, n in dice.choices(functions, k=10)]
    return Trace(sum_of(*layer), names={})


def ten_children():
    """x has ten children: its sum is the longest in which everything has a short name."""
    x = Value(2.5, name="x")
    taken = [x * k for k in range(1, 10)]
    for k, y in enumerate(taken, 1):
        y.name = f"y{k}"
    z = x * sum_of(*taken)
    z.name = "z"
    return Trace(z)


def random_graph(seed):
    """From 8 to 20 variables, some used many times, some twice by one function."""
    dice = random.Random(seed)
    made = [Value(dice.randint(-9, 9), name=f"x{i}") for i in range(1, dice.randint(3, 6))]
    functions = (lambda a, b: a + b, lambda a, b: a * b, lambda a, b: a * a - b, lambda a, b: tanh(a), lambda a, b: a / 3 + b)
    for _ in range(dice.randint(5, 9)):
        made.append(dice.choice(functions)(*dice.choices(made, k=2)))
    return Trace(sum(made[-3:], start=made[0]), names={})


def hostile():
    """Names that would be markup, script and attributes if they were not escaped."""
    x = Value(2, name=HOSTILE)
    y = x * x
    y.name = 'y" onmouseover="alert(3)'
    z = x + y
    z.name = "]]></svg><!--"
    return Trace(z)


TRACES = {
    "figure1": figure1_trace,
    **{schedule: (lambda schedule=schedule: figure1_trace(schedule)) for schedule in SCHEDULES},
    "two layers": two_layers,
    "matrices": matrices,
    "statements": lambda: Trace(perceptron, detail="statements"),
    "loop": lambda: Trace(spring, detail="statements"),
    "thirty": thirty_variables,
    "thousand": thousand,
    "square": square,
    "ten children": ten_children,
    "hostile": hostile,
    **{f"random{seed}": (lambda seed=seed: random_graph(seed)) for seed in range(10)},
}


@cache
def trace(name):
    return TRACES[name]()


@cache
def page(name, start="backward"):
    if name in PROGRAMS:
        return play(PROGRAMS[name])
    return beside() if name == "beside" else play(trace(name), start=start)


def beside():
    """Figure 1, compared with a loop that overwrites its sum."""
    right = trace("figure1")
    return play(right, beside=Trace(right.graph.z, right.graph.order, names=right.names, steps=overwriting))

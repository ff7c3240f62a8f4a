"""Small programs that any engine can run: leaves with their numbers, then one function for each line, then backward()."""

import operator
from collections.abc import Callable
from dataclasses import dataclass, replace
from operator import methodcaller
from typing import NamedTuple

from scalargrad import Graph, Value, backpropagation


class Operator(NamedTuple):
    """A function that engines have: how many inputs it takes, how a program writes it, what computes it, the method that it needs."""

    arity: int
    written: str
    compute: Callable
    method: str


OPERATORS = {
    "+": Operator(2, "{} + {}", operator.add, "__add__"),
    "*": Operator(2, "{} * {}", operator.mul, "__mul__"),
    "-": Operator(2, "{} - {}", operator.sub, "__sub__"),
    "/": Operator(2, "{} / {}", operator.truediv, "__truediv__"),
    "neg": Operator(1, "-{}", operator.neg, "__neg__"),
    "**": Operator(1, "{}**3", lambda x: x**3, "__pow__"),
    **{name: Operator(1, f"{{}}.{name}()", methodcaller(name), name) for name in ("relu", "tanh", "exp", "log", "sigmoid")},
}
EVERYWHERE = ("+", "*")  # what every engine must have


class Line(NamedTuple):
    """A line of a program: a leaf with its value, or a function of variables of earlier lines."""

    name: str
    operator: str = ""
    inputs: tuple = ()
    value: float = 0

    def made(self, variables, leaf):
        """Return this line's variable; `variables` are those of the earlier lines, and leaf(value, name) makes a leaf."""
        if not self.operator:
            return leaf(self.value, self.name)
        return OPERATORS[self.operator].compute(*(variables[x] for x in self.inputs))

    def __str__(self):
        written = OPERATORS[self.operator].written.format(*self.inputs) if self.operator else f"Value({self.value})"
        return f"{self.name} = {written}"


@dataclass(frozen=True)
class Program:
    """The lines of a program, the variable z whose derivatives are computed, and how often z.backward() is called."""

    lines: tuple
    z: str = "z"
    calls: int = 1

    def __str__(self):
        return "\n".join([*map(str, self.lines), *[f"{self.z}.backward()"] * self.calls])

    @property
    def operators(self):
        return {line.operator for line in self.lines} - {""}

    def run(self, leaf):
        """Return {name: variable} as an engine makes them, whose leaf(value, name) makes a leaf."""
        variables: dict = {}
        for line in self.lines:
            variables[line.name] = line.made(variables, leaf)
        return variables

    def without(self, k, other=None):
        """Return the program without line k; what used its variable uses `other`."""
        gone = self.lines[k].name
        exchange = lambda name: other if name == gone else name
        kept = (line._replace(inputs=tuple(map(exchange, line.inputs))) for line in self.lines if line.name != gone)
        return replace(self, lines=tuple(kept), z=exchange(self.z))


class Numbers:
    """The right numbers of a program, and its graph by names.

    made       all names, in the order of the program
    values     {name: number}
    inputs     {y: names}; partials: {y: numbers ∂y/∂x, one for each input}; operators: {y: operator}
    order      a topological order of z and its ancestors
    children   {x: [(y, slot)]} among them
    totals     {x: dz/dx} for all of `made`; 0 where z does not depend on x
    """

    def __init__(self, program):
        self.program, self.z = program, program.z
        self.variables = program.run(lambda value, name: Value(value, name=name))
        for name, v in self.variables.items():
            v.name = name
        graph = Graph(self.variables[program.z])
        self.made = list(self.variables)
        self.values = {name: v.data for name, v in self.variables.items()}
        self.inputs = {name: tuple(x.name for x in v.inputs) for name, v in self.variables.items()}
        self.partials = {name: v.partials for name, v in self.variables.items()}
        self.operators = {line.name: line.operator for line in program.lines}
        self.order = [v.name for v in graph.order]
        self.children = {x.name: [(y.name, slot) for y, slot in edges] for x, edges in graph.children.items()}
        found = backpropagation(self.variables[program.z])
        self.totals = dict.fromkeys(self.made, 0) | {v.name: total for v, total in found.items()}

"""A learner's engine in one of three forms: a class with backward(), a function that returns {x: dz/dx}, or a loop of steps.

Each runs a program and returns an Outcome. An error in the engine is part of the outcome.
"""

import inspect
from collections.abc import Mapping
from copy import deepcopy
from typing import NamedTuple

from scalargrad import Trace
from tutorial.exercises.broken_engine.programs import EVERYWHERE, OPERATORS, Numbers, Program

ASKED = {"z", "order", "inputs", "children", "partial"}  # the arguments from which a function may choose
DEEP = 100  # variables of a graph whose release could overflow the stack of a Python in a browser
FORMS = """\
No engine was found. Write one of these:
  a class with __add__, __mul__, backward(), .data and .grad
  def backprop(order, children, partial): ... return {x: dz/dx}
  def steps(graph, on): ... yield Step(...)"""


class NoEngine(ValueError):
    """The program defines no engine. The message says which forms there are."""


class Outcome(NamedTuple):
    """What an engine gives for a program: {name: number} of values and of gradients (None: it gives none), or its error.

    `changed` says what the engine changed although it only had to read it; "" if nothing.
    """

    values: dict = {}
    totals: dict = {}
    error: BaseException | None = None
    changed: str = ""


class ClassEngine:
    """A class whose objects are variables: Value(3), + and *, backward(), .data and .grad."""

    form = "class"
    has_own_order = True

    def __init__(self, cls):
        self.cls, self.name = cls, cls.__name__
        self.operators = tuple(name for name, operator in OPERATORS.items() if hasattr(cls, operator.method))

    def can_run(self, program):
        return program.operators <= set(self.operators)

    def run(self, program: Program) -> Outcome:
        variables: dict = {}
        try:
            variables = program.run(lambda value, name: self.cls(value))
            values = {name: number(v.data) for name, v in variables.items()}
            for _ in range(program.calls):
                variables[program.z].backward()
            totals = {name: number(getattr(v, "grad", None)) for name, v in variables.items()}
            after = {name: number(v.data) for name, v in variables.items()}
        except Exception as error:
            return Outcome(error=error)
        finally:
            take_apart(variables)
        changed = next((f"the value of {name}, from {values[name]} to {after[name]}" for name in values if values[name] != after[name]), "")
        return Outcome(values, totals, changed=changed)


class FunctionEngine:
    """A function that returns {x: dz/dx}. Its arguments, by name: order, children, partial; or z, inputs, partial.

    Variables are their names. `order` is a topological order, z first. `children[x]` lists the children of x, one for each use,
    `inputs[y]` the inputs of y. `partial[y, x]` is ∂y/∂x for one use of x.
    """

    form = "function"
    operators = EVERYWHERE

    def __init__(self, function):
        self.function, self.name = function, function.__name__
        names = list(inspect.signature(function).parameters)[:3]
        self.arguments = names if set(names) <= ASKED else ["order", "children", "partial"]
        self.has_own_order = "order" not in self.arguments

    def can_run(self, program):
        """Say whether partial[y, x] is one number for each pair, and whether one call is all that is asked."""
        return program.calls == 1 and program.operators <= set(EVERYWHERE)

    def run(self, program: Program) -> Outcome:
        given = arguments_of(Numbers(program))
        before = deepcopy(given)
        try:
            found = self.function(*(given[name] for name in self.arguments))
            if not isinstance(found, Mapping):
                raise TypeError(f"{self.name} returned {found!r:.40}, not a dictionary {{variable: derivative}}")
            totals = {name: number(found.get(name)) for name in before["order"]}
        except Exception as error:
            return Outcome(error=error)
        return Outcome({}, totals, changed=next((f"the argument {name}" for name in self.arguments if given[name] != before[name]), ""))


class Partials(dict):
    """{(y, x): ∂y/∂x}, which can also be called: partial(y, x)."""

    def __call__(self, y, x):
        return self[y, x]

    def __missing__(self, pair):
        raise KeyError(pair)


def arguments_of(numbers: Numbers) -> dict:
    """Return the arguments from which a function may choose."""
    return {
        "z": numbers.z,
        "order": list(numbers.order),
        "inputs": {y: list(numbers.inputs[y]) for y in numbers.order},
        "children": {x: [y for y, _ in edges] for x, edges in numbers.children.items()},
        "partial": Partials({(y, x): p for y in numbers.order for x, p in zip(numbers.inputs[y], numbers.partials[y])}),
    }


class LoopEngine:
    """A generator function of (graph, on) that yields Steps, as Trace(z, steps=loop) takes it."""

    form = "loop"
    has_own_order = False
    operators = tuple(OPERATORS)

    def __init__(self, loop):
        self.loop, self.name = loop, loop.__name__

    def can_run(self, program):
        return program.calls == 1

    def run(self, program: Program) -> Outcome:
        try:
            trace = Trace(Numbers(program).variables[program.z], steps=self.loop)
            if trace.error:
                return Outcome(error=trace.error)
            found = {v.name: q.number for v, q in trace[-1].computed.items()}
        except Exception as error:
            return Outcome(error=error)
        return Outcome({}, {v.name: found.get(v.name) for v in trace.graph.order})


def number(x):
    """Return a number as it is, that of a variable, or None; what else it is fails as the engine's own error."""
    x = getattr(x, "data", x) if not isinstance(x, (int, float)) else x
    if x is None or isinstance(x, (int, float)):
        return x
    return float(x)


def take_apart(variables):
    """Empty the variables of a long chain, the latest first, so that its end does not take all its links with it at once."""
    for v in reversed(variables.values()) if len(variables) > DEEP else ():
        if hasattr(v, "__dict__"):
            vars(v).clear()


def engine_in(namespace: Mapping):
    """Return the engine that a program has defined: its last class with backward(), or else its last function of these forms.

    Raises NoEngine.
    """
    own = [thing for thing in namespace.values() if getattr(thing, "__module__", None) == namespace.get("__name__")]
    for thing in reversed(own):
        if isinstance(thing, type) and hasattr(thing, "backward") and all(hasattr(thing, OPERATORS[name].method) for name in EVERYWHERE):
            return ClassEngine(thing)
    for thing in reversed(own):
        if inspect.isfunction(thing):
            names = list(inspect.signature(thing).parameters)
            if names[:2] == ["graph", "on"]:
                return LoopEngine(thing)
            if len(names) >= 2 and set(names) <= ASKED or len(names) == 3 and thing.__name__.startswith("backprop"):
                return FunctionEngine(thing)
    raise NoEngine(FORMS)

"""Gradient checking: name the function of your graph that is wrong, its input, the size of the error, and a likely cause.

The check compares every partial derivative with finite differences of its function. It compares every total derivative with
equation (1) applied to the totals of its children. So it names the first wrong function in topological order.
"""

import inspect
import math
from collections.abc import Callable, Mapping
from itertools import chain
from numbers import Real
from operator import add, mul
from typing import NamedTuple

from scalargrad.backpropagation import backpropagation
from scalargrad.checking import diagnosis
from scalargrad.checking.finite_differences import LEAST, agrees, around, slope, step
from scalargrad.fast.value import Value
from scalargrad.formulas.text import short
from scalargrad.graph import Graph, is_function
from scalargrad.messages.anomaly import is_finite, is_masked
from scalargrad.messages.errors import brief, refuse_tensors, wrong_result, wrong_type
from scalargrad.modes import recording
from scalargrad.user_names.names import name_all

TOLERANCE = 1e-7  # relative; finite differences are good to about 1e-10
LIKE = 1e-5  # relative; a mistake that gives a number this close is the likely cause


class Problem(NamedTuple):
    """One wrong derivative: of the variable that `function` made, or a total derivative from "backpropagation"."""

    function: str
    what: str
    got: object
    expected: object
    cause: str

    def __str__(self):
        got = "missing" if self.got is None else short(self.got)
        return f"{self.function}: {self.what} is {got}, expected {short(self.expected)}; {self.cause}"


class Check(NamedTuple):
    """The result of a check: `problems` in topological order, empty if all is well, and how many derivatives it compared."""

    problems: list
    compared: int

    def __bool__(self):
        return not self.problems

    def __repr__(self):
        return f"<check: {self}>"

    def __str__(self):
        if not self.problems:
            return f"all {self.compared} derivatives agree"
        more = len(self.problems) - 1
        return f"{self.problems[0]}" + (f" (and {more} more further on)" if more else "")


def check(z: Value | Callable, *inputs, totals: Mapping | None = None, tol: float = TOLERANCE, eps: float | None = None) -> Check:
    """Compare every derivative in the graph of z with the same derivative, computed independently.

    The result is true if all agree; else it names the first wrong one. z is a Value, or a function of numbers. For a function, the
    check makes the graph at `inputs`, and also compares ∂f/∂x with finite differences of f itself. Only this finds a part of f
    that was detached by mistake, or computed from `.data`: in the graph of z such a part is a constant.

    `totals` is a dictionary {x: dz/dx} to examine, for example from your own backpropagation; the default is the engine's own.
    `tol` is the relative difference that is allowed. `eps` is the step of the differences (default: about 1e-3 · |x|, between
    1e-6 and 1e-2). At a kink, any slope between those of the two sides is accepted. Differences below 2.2e-308 count as equal,
    because floats have fewer digits there. Raises ValueError if a number is not finite; a -inf that the program put in, as a mask,
    may be.

    >>> from scalargrad import Value, function
    >>> @function(partials=lambda a, b: (b, b))
    ... def times(a, b): return a * b
    >>> x, w = Value(3.0, name="x"), Value(5.0, name="w")
    >>> print(check(times(x, w)))
    times: ∂z/∂w is 5, expected 3; that is what belongs to x: are the two exchanged?
    >>> print(check(lambda x: x * x.detach(), 3.0))
    f: ∂f/∂x is 3, expected 6; each function in the graph is right: is a part of f detached, or computed from .data?
    """
    refuse_tensors("check", z)
    if len(inputs) == 1 and totals is None and isinstance(inputs[0], Mapping):
        (totals,), inputs = inputs, ()
    refuse_options(z, inputs, totals, tol, eps)
    if is_function(z):
        return check_function(z, inputs, tol, eps)
    graph = Graph(z)
    names = name_all(graph)
    for v in graph.variables:
        if not is_finite(v) and not is_masked(v):
            raise infinite_input(names[v], v.data)
    totals = dict(backpropagation(z) if totals is None else totals)
    problems, compared = [], 0
    for v in graph.order:
        compared += len(v.inputs) + 1
        problems += wrong_total(graph, names, totals, v, tol)
        problems += wrong_partials(names, v, tol, eps)
    return Check(problems, compared)


def refuse_options(z, inputs, totals, tol, eps):
    """Raise TypeError or ValueError for arguments of check that do not fit together."""
    if is_function(z) and totals is not None:
        raise TypeError("check: totals= requires a variable z, but z is a function; write check(z, totals=totals)")
    if is_function(z) and not inputs:
        called = names_of(z, 0)[0]
        raise TypeError(f"check: {called} is a function; give its inputs too, check({called}, x), or check the variable that it returns")
    if inputs and not is_function(z):
        raise TypeError(f"check: {brief(inputs[0])} is not a dictionary {{x: dz/dx}}; only a function takes inputs, check(f, *inputs)")
    if not isinstance(totals, Mapping | None):
        raise wrong_type("check", "totals", totals, "a dictionary {x: dz/dx}")
    for x, total in (totals or {}).items():
        if not isinstance(total, Real) and not hasattr(total, "data"):
            raise TypeError(f"check: the total of {x!r:.40} is {brief(total)}, which is not a number")
    for name, number in ("tol", tol), ("eps", 1.0 if eps is None else eps):
        if not isinstance(number, Real):
            raise wrong_type("check", name, number, "a number")
        if not 0 < number < math.inf:
            raise ValueError(f"check: {name}={brief(number)} must be positive and finite")


def infinite_input(name, value):
    return ValueError(f"check: {name} is {value}; derivatives can only be compared at finite numbers, so change the inputs")


def check_function(f, inputs, tol, eps):
    """Check f's graph at `inputs`, then compare ∂f/∂x for each of them with finite differences of f."""
    called, names = names_of(f, len(inputs))
    xs = [Value(getattr(x, "data", x), name=name) for x, name in zip(inputs, names)]

    def at(numbers):
        with recording():
            z = f(*numbers)
        if not isinstance(z, (Value, Real)):
            raise wrong_result(f"check: {called}", z, "one Value")
        return z

    z = at(xs)
    if not isinstance(z, Value):
        raise TypeError(f"check: {called} returned {z!r}, a plain number, which has no derivatives; compute with the arguments of {called}")
    problems, compared = check(z, tol=tol, eps=eps) if z.inputs else ([], 0)
    found = backpropagation(z)
    for slot, x in enumerate(xs):

        def along(number, slot=slot):
            return float(getattr(y := at([*xs[:slot], Value(number), *xs[slot + 1 :]]), "data", y))

        got, differences = found.get(x, 0), Differences(along, float(x.data), eps)
        if not problems and not differences.agree(got, tol):
            problems = [Problem(called, f"∂{called}/∂{names[slot]}", got, differences.slope, diagnosis.DETACHED)]
    return Check(problems, compared + len(xs))


def names_of(f, count):
    """Return the name of a function and those of its first `count` parameters: f and x1, x2, … if it has none."""
    try:
        parameters = [p.name for p in inspect.signature(f).parameters.values() if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    except (TypeError, ValueError):
        parameters = []
    name = getattr(f, "__name__", "f")
    names = parameters[:count] + [f"x{i + 1}" for i in range(len(parameters), count)]
    return (name if name.isidentifier() else "f"), names


class Differences:
    """The finite differences of f at the number x."""

    def __init__(self, f, x, eps=None):
        self.f, self.x, self.step = f, x, eps or step(x)

    @property
    def slope(self):
        return self.along(1).value / self.step

    def along(self, close):
        return slope([self.f(at) for at in around(self.x, close * self.step)])

    def agree(self, got, tolerance):
        return agrees(self.along, got * self.step, tolerance)


def wrong_partials(names, y, tolerance, eps):
    """Yield a Problem for each partial of y's function that disagrees with its finite differences."""
    if y.rule and differs(y.data, now := y.rule(*(x.data for x in y.inputs)), tolerance):
        yield Problem(y.rule.name, names[y], y.data, now, diagnosis.changed(names[y]))
        return
    places = [(place, x) for place, x in enumerate(y.arguments) if hasattr(x, "inputs")]
    differences = [Differences(of_argument(y, place), float(x.data), eps) for place, x in places]
    for slot, (x, got) in enumerate(zip(y.inputs, y.partials)):
        if not differences[slot].agree(got, tolerance):
            what = f"∂{names[y]}/∂{names[x]}" + (f" (input {slot + 1})" if sum(other is x for other in y.inputs) > 1 else "")
            expected = differences[slot].slope
            others = ((names[y.inputs[other]], differences[other].slope) for other in range(len(y.inputs)) if other != slot)
            yield Problem(y.rule.name, what, got, expected, cause_of_partial(names[y], y, got, expected, others))


def of_argument(y, place):
    """Return y's function of the argument at `place` alone; the others keep their numbers."""
    row, args = getattr(y.rule, "row", y.rule), [getattr(x, "data", x) for x in y.arguments]
    return lambda at: float(row(*args[:place], at, *args[place + 1 :]))


def cause_of_partial(name, y, got, expected, others):
    """Return the likely cause if a partial of the function that made y is `got`."""
    mistakes = [
        (2 * expected, "it is twice as much: is something counted twice?"),
        diagnosis.value_for_slope(name, y.data),
        (expected / 2, "it is half as much: is one of two terms forgotten?"),
        (1 / expected if expected else math.inf, "it is the reciprocal"),
    ]
    mistakes = chain(diagnosis.mistakes_in_function(expected, others), mistakes)
    return diagnosis.likely_cause(lambda a: not differs(got, a, LIKE), mistakes, f"compare the partial with the formula of {y.rule.name}")


def wrong_total(graph, names, totals, x, tolerance):
    """Return the problems with dz/dx. Equation (1) gives the expected number from the totals of x's children.

    If dz/dx is missing from `totals`, insert the expected number.
    """
    what = f"d{names[graph.z]}/d{names[x]}"
    edges = graph.children[x]
    upstreams, partials = [totals[y] for y, _ in edges], [y.partials[slot] for y, slot in edges]
    expected = 1 if x is graph.z else sum(map(mul, upstreams, partials))
    if x not in totals:
        totals[x] = expected
        return [] if x.inputs else [Problem("backpropagation", what, None, expected, diagnosis.MISSING)]
    got = totals[x]
    if not differs(got, expected, tolerance):
        return []
    cause = cause_of_total(got, upstreams, partials, [names[y] for y, _ in edges], tolerance)
    return [Problem("backpropagation", what, got, expected, cause)]


def cause_of_total(got, upstreams, partials, children, tolerance):
    """Return the likely cause if a total derivative is `got`."""
    if not children:
        return diagnosis.START
    terms = list(map(mul, upstreams, partials))
    added = sum(map(add, upstreams, partials)), "upstream and partial are added instead of multiplied"
    mistakes = [*diagnosis.mistakes_in_total(terms, sum(partials), children), added]
    return diagnosis.likely_cause(lambda a: not differs(got, a, tolerance), mistakes, diagnosis.SUM)


def differs(a, b, tolerance):
    return a != b and (a == a or b == b) and not abs(a - b) <= max(tolerance * max(abs(a), abs(b)), LEAST) < math.inf

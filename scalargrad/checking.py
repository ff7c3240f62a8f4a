"""The gradient check: which function of your own graph is wrong, for which input, by how much, and probably why.

Every local partial is compared with differences of the function itself, and every total derivative with equation (1)
applied to the totals of its children; so the first function in topological order that is wrong is named, and not only
that the end result is off.
"""

import math
from collections.abc import Mapping
from typing import NamedTuple

from scalargrad.anomaly import finite
from scalargrad.graph import Graph
from scalargrad.names import name_all
from scalargrad.numeric import Number
from scalargrad.pseudocode import backpropagation
from scalargrad.refusals import refuse_tensors
from scalargrad.spelling import short
from scalargrad.value import Value

TOLERANCE = 1e-7  # relative; the differences themselves are good to about 1e-10


class Problem(NamedTuple):
    """One wrong derivative: of the variable y (made by `function`) in its input x, or, with y = z, a total derivative."""

    function: str
    what: str
    got: object
    expected: object
    cause: str

    def __str__(self):
        got = "missing" if self.got is None else short(self.got)
        return f"{self.function}: {self.what} is {got}, expected {short(self.expected)}; {self.cause}"


class Check(NamedTuple):
    """What the check found: `problems` in topological order (none if all is well) and how many derivatives it compared."""

    problems: list
    compared: int

    def __bool__(self):
        return not self.problems

    def __str__(self):
        if not self.problems:
            return f"all {self.compared} derivatives agree"
        more = len(self.problems) - 1
        return f"{self.problems[0]}" + (f" (and {more} more further on)" if more else "")


def check(z: Value, totals: Mapping[Value, Number] | None = None, tolerance: float = TOLERANCE) -> Check:
    """Compare every derivative in the graph of z with an independent one; true if all agree, else it says what is wrong first.

    `totals` is a dictionary {x: dz/dx} to examine, of your own backpropagation for example; the engine's own is the
    default. At a kink any slope between those of the two sides is accepted. ValueError if some input is not a finite number.

    >>> from scalargrad import Value, function
    >>> @function(partials=lambda a, b: (b, b))
    ... def times(a, b): return a * b
    >>> x, w = Value(3.0, name="x"), Value(5.0, name="w")
    >>> print(check(times(x, w)))
    times: ∂z/∂w is 5, expected 3; that is its partial in x: are the partials exchanged?
    """
    refuse_tensors("check", z)
    graph = Graph(z)
    names = name_all(graph)
    for v in graph.variables:
        if not finite(v):
            raise ValueError(f"check: {names[v]} is {v.data}; derivatives can only be compared at finite numbers, so change the inputs")
    totals = dict(backpropagation(z) if totals is None else totals)
    problems, compared = [], 0
    for v in graph.order:
        compared += len(v.inputs) + 1
        problems += wrong_total(graph, names, totals, v, tolerance)
        problems += wrong_partials(names, v, tolerance)
    return Check(problems, compared)


def wrong_partials(names, y, tolerance):
    """The partials of y's function that its own differences contradict."""
    numbers = [getattr(x, "data", x) for x in y.arguments]
    if y.rule and differs(y.data, y.rule(*(x.data for x in y.inputs)), tolerance):
        now = y.rule(*(x.data for x in y.inputs))
        yield Problem(y.rule.name, names[y], y.data, now, f"an input was changed after {names[y]} was made: make it again")
        return
    places = [i for i, x in enumerate(y.arguments) if hasattr(x, "inputs")]
    for slot, x in enumerate(y.inputs):
        slope = Slope(lambda at, place=places[slot]: at_place(y, numbers, place, at), float(x.data))
        got = y.partials[slot]
        if not slope.allows(got, tolerance):
            what = f"∂{names[y]}/∂{names[x]}" + (f" (input {slot + 1})" if y.inputs.count(x) > 1 else "")
            yield Problem(y.rule.name, what, got, slope.value, cause_of_partial(names, y, slot, got, slope.value, tolerance))


def at_place(y, numbers, place, at):
    """y's function at its own arguments but for one."""
    row, args = getattr(y.rule, "row", y.rule), list(numbers)
    args[place] = at
    return float(row(*args))


class Slope:
    """The slope of f at x by central differences, extrapolated to step 0 (Richardson), with the slopes of both sides."""

    def __init__(self, f, x):
        h = 1e-3 * abs(x) if abs(x) > 1e-3 else 1e-6
        here, (far_left, left, right, far_right) = f(x), (f(x - h), f(x - h / 2), f(x + h / 2), f(x + h))
        wide, narrow = (far_right - far_left) / (2 * h), (right - left) / h
        self.value = (4 * narrow - wide) / 3
        self.noise = abs(narrow - wide) / 10 + 1e-15 * (abs(here) + abs(far_left) + abs(far_right)) / h
        self.sides = sorted([(here - left) * 2 / h, (right - here) * 2 / h])
        wide_bend, narrow_bend = abs(far_right - 2 * here + far_left) / h, abs(right - 2 * here + left) * 2 / h
        self.kink = narrow_bend > 0.75 * wide_bend and narrow_bend > 1e-3 * max(map(abs, self.sides))  # does not shrink with h
        self.jump = abs(narrow) > 1.9 * abs(wide) > 0  # grows as h shrinks

    def allows(self, got, tolerance):
        if not math.isfinite(self.value) or self.jump:
            return True  # f has no value on one side, or jumps: there is no slope to compare with
        if self.kink and self.sides[0] - tolerance <= got <= self.sides[1] + tolerance:
            return True
        return abs(got - self.value) <= tolerance * max(abs(self.value), abs(got)) + self.noise


def wrong_total(graph, names, totals, x, tolerance):
    """dz/dx, if equation (1) applied to the totals of x's children contradicts it; left out between, it is filled in."""
    what = f"d{names[graph.z]}/d{names[x]}"
    edges = graph.children[x]
    upstreams = [totals[y] for y, _ in edges]
    partials = [y.partials[slot] for y, slot in edges]
    terms = [u * p for u, p in zip(upstreams, partials)]
    expected = 1 if x is graph.z else sum(terms)
    if x not in totals:
        totals[x] = expected
        return [] if x.inputs else [Problem("backpropagation", what, None, expected, "put it into the dictionary")]
    if not differs(totals[x], expected, tolerance):
        return []
    used_by = [names[y] for y, _ in edges]
    return [
        Problem("backpropagation", what, totals[x], expected, cause_of_total(totals[x], upstreams, partials, terms, used_by, tolerance))
    ]


def differs(a, b, tolerance):
    return a != b and not abs(a - b) <= tolerance * max(abs(a), abs(b))


def cause_of_partial(names, y, slot, got, expected, tolerance):
    """The typical mistake that gives `got` for a local partial."""
    same = lambda a: not differs(got, a, 1e-5)
    for other, partial in enumerate(y.partials):
        if other != slot and (same(partial) or not differs(partial, expected, 1e-5)):
            whose = "its partial in" if same(partial) else "what should stand at"
            return f"that is {whose} {names[y.inputs[other]]}: are the partials exchanged?"
    if same(-expected):
        return "the sign is wrong"
    if same(2 * expected):
        return "it is twice as much: is something counted twice?"
    if got == 0:
        return "it is 0: is a term forgotten?"
    if same(y.data):
        return f"that is the value of {names[y]}, not its slope"
    if same(expected / 2):
        return "it is half as much: is one of two terms forgotten?"
    if expected and same(1 / expected):
        return "it is upside down"
    return f"compare the partial with the formula of {y.rule.name}"


def cause_of_total(got, upstreams, partials, terms, used_by, tolerance):
    """The typical mistake that gives `got` for a total derivative."""
    expected = sum(terms)
    same = lambda a: not differs(got, a, tolerance)
    if not terms:
        return "the derivative of a variable with respect to itself is 1"
    if same(sum(partials)):
        return "the upstream gradient is ignored: multiply each partial by dz/dy"
    for term, y in zip(terms, used_by):
        if len(terms) > 1 and same(term):
            return f"only the term through {y} is there: is it overwritten instead of added?"
        if same(expected - term):
            return f"the term through {y} is forgotten"
        if same(expected + term):
            return f"the term through {y} is counted twice"
    if same(-expected):
        return "the sign is wrong"
    if same(2 * expected):
        return "it is counted twice: were gradients set to zero before?"
    if same(sum(u + p for u, p in zip(upstreams, partials))):
        return "upstream and partial are added instead of multiplied"
    return "sum dz/dy · ∂y/∂x over all children y"

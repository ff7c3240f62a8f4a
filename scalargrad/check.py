"""The gradient check: which function of your own graph is wrong, for which input, by how much, and probably why.

Every local partial is compared with differences of the function itself, and every total derivative with equation (1)
applied to the totals of its children; so the first function in topological order that is wrong is named, and not only
that the end result is off.
"""

import inspect
import math
import sys
from collections.abc import Callable, Mapping
from numbers import Real
from typing import NamedTuple

from scalargrad.anomaly import finite
from scalargrad.backpropagation import backpropagation
from scalargrad.errors import brief, refuse_tensors
from scalargrad.formulas.text import short
from scalargrad.graph import Graph, is_function
from scalargrad.modes import recording
from scalargrad.names import name_all
from scalargrad.value import Value

LEAST = sys.float_info.min  # below it floats have fewer digits, down to none: what differs by less is taken to be equal
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

    def __repr__(self):
        return f"<check: {self}>"

    def __str__(self):
        if not self.problems:
            return f"all {self.compared} derivatives agree"
        more = len(self.problems) - 1
        return f"{self.problems[0]}" + (f" (and {more} more further on)" if more else "")


def check(z: Value | Callable, *inputs, totals: Mapping | None = None, tol: float = TOLERANCE, eps: float | None = None) -> Check:
    """Compare every derivative in the graph of z with an independent one; true if all agree, else it names the first wrong one.

    z is a Value, or a function of numbers, whose graph is made at `inputs`: then ∂f/∂x is also compared with differences of f
    itself. Only that finds a part of f that was detached by mistake, or computed from `.data`: in the graph of z it is a constant.
    `totals` is a dictionary {x: dz/dx} to examine, of your own backpropagation for example; the engine's own is the
    default. `tol` is the relative difference that is allowed, `eps` the step of the differences (default: 1e-3 · |x|, or 1e-6
    near 0). At a kink any slope between those of the two sides is accepted. Differences below 2.2e-308, where floats have fewer
    digits, count as equal. ValueError if some input is not a finite number.

    >>> from scalargrad import Value, function
    >>> @function(partials=lambda a, b: (b, b))
    ... def times(a, b): return a * b
    >>> x, w = Value(3.0, name="x"), Value(5.0, name="w")
    >>> print(check(times(x, w)))
    times: ∂z/∂w is 5, expected 3; that is its partial in x: are the partials exchanged?
    >>> print(check(lambda x: x * x.detach(), 3.0))
    f: ∂f/∂x is 3, expected 6; each function in the graph is right: is a part of f detached, or computed from .data?
    """
    refuse_tensors("check", z)
    if len(inputs) == 1 and totals is None and isinstance(inputs[0], Mapping):
        (totals,), inputs = inputs, ()
    refuse_options(totals, tol, eps)
    if is_function(z):
        return check_function(z, inputs, totals, tol, eps)
    if inputs:
        raise TypeError(f"check: {brief(inputs[0])} is not a dictionary {{x: dz/dx}}; inputs belong to a function, check(f, *inputs)")
    graph = Graph(z)
    names = name_all(graph)
    for v in graph.variables:
        if not finite(v):
            raise ValueError(f"check: {names[v]} is {v.data}; derivatives can only be compared at finite numbers, so change the inputs")
    totals = dict(backpropagation(z) if totals is None else totals)
    problems, compared = [], 0
    for v in graph.order:
        compared += len(v.inputs) + 1
        problems += wrong_total(graph, names, totals, v, tol)
        problems += wrong_partials(names, v, tol, eps)
    return Check(problems, compared)


def refuse_options(totals, tol, eps):
    """TypeError or ValueError for options of check that it cannot use."""
    if not isinstance(totals, Mapping | None):
        raise TypeError(f"check: totals={brief(totals)} is not a dictionary of variables and their derivatives")
    for x, total in (totals or {}).items():
        if not isinstance(total, Real) and not hasattr(total, "data"):
            raise TypeError(f"check: the total of {x!r:.40} is {brief(total)}, which is not a number")
    for name, number in ("tol", tol), ("eps", 1.0 if eps is None else eps):
        if not isinstance(number, Real):
            raise TypeError(f"check: {name}={brief(number)} is not a number")
        if not 0 < number < math.inf:
            raise ValueError(f"check: {name}={brief(number)} must be positive")


def check_function(f, inputs, totals, tol, eps):
    """The check of f's graph at `inputs`, and of ∂f/∂x for each of them by differences of f."""
    called, names = names_of(f, len(inputs))
    if totals is not None:
        raise TypeError("check: totals= goes with a variable z, check(z, totals=totals), not with a function")
    if not inputs:
        raise TypeError(f"check: {called} is a function; give its inputs too, check(f, 3.0), or check the variable that it returns")
    xs = [Value(getattr(x, "data", x), name=name) for x, name in zip(inputs, names)]

    def at(numbers):
        with recording():
            z = f(*numbers)
        if not isinstance(z, (Value, Real)):
            raise TypeError(f"check: {called} returned {brief(z)}; it must return one Value")
        return z

    z = at(xs)
    if not isinstance(z, Value):
        raise TypeError(f"check: {called} returned {z!r}, a plain number, so it has no derivatives; compute with its arguments themselves")
    problems, compared = check(z, tol=tol, eps=eps) if z.inputs else ([], 0)
    found = backpropagation(z)
    for slot, x in enumerate(xs):

        def along(number, slot=slot):
            return float(getattr(y := at([*xs[:slot], Value(number), *xs[slot + 1 :]]), "data", y))

        slope, got = slope_at(along, float(x.data), eps), found.get(x, 0)
        if not problems and not slope.allows(got, tol):
            cause = "each function in the graph is right: is a part of f detached, or computed from .data?"
            problems = [Problem(called, f"∂{called}/∂{names[slot]}", got, slope.value, cause)]
    return Check(problems, compared + len(xs))


def names_of(f, count):
    """What a function and its parameters are called: f, and x1, x2, … where it does not say."""
    try:
        parameters = [p.name for p in inspect.signature(f).parameters.values() if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    except (TypeError, ValueError):
        parameters = []
    name = getattr(f, "__name__", "f")
    names = parameters[:count] + [f"x{i + 1}" for i in range(len(parameters), count)]
    return (name if name.isidentifier() else "f"), names


def wrong_partials(names, y, tolerance, eps):
    """The partials of y's function that its own differences contradict."""
    numbers = [getattr(x, "data", x) for x in y.arguments]
    if y.rule and differs(y.data, y.rule(*(x.data for x in y.inputs)), tolerance):
        now = y.rule(*(x.data for x in y.inputs))
        yield Problem(y.rule.name, names[y], y.data, now, f"an input was changed after {names[y]} was made: make it again")
        return
    places = [i for i, x in enumerate(y.arguments) if hasattr(x, "inputs")]
    for slot, x in enumerate(y.inputs):
        slope = slope_at(lambda at, place=places[slot]: at_place(y, numbers, place, at), float(x.data), eps, y.partials[slot])
        got = y.partials[slot]
        if not slope.allows(got, tolerance):
            what = f"∂{names[y]}/∂{names[x]}" + (f" (input {slot + 1})" if y.inputs.count(x) > 1 else "")
            yield Problem(y.rule.name, what, got, slope.value, cause_of_partial(names, y, slot, got, slope.value, tolerance))


def at_place(y, numbers, place, at):
    """y's function at its own arguments but for one."""
    row, args = getattr(y.rule, "row", y.rule), list(numbers)
    args[place] = at
    return float(row(*args))


def slope_at(f, x, eps, got=0.0):
    """The slope of f at x with the step `eps`; by default 1e-3 · |x|, near 0 1e-6 unless that is too wide for f."""
    slope = Slope(f, x, eps or (1e-3 * abs(x) if abs(x) > 1e-3 else 1e-6))
    if eps is None and 0 < abs(x) < 1e-3 and not slope.allows(got, TOLERANCE):
        nearer = Slope(f, x, max(1e-3 * abs(x), LEAST))
        if nearer.noise <= 1e-3 * max(abs(slope.value), abs(got)):
            return nearer
    return slope


class Slope:
    """The slope of f at x by central differences, extrapolated to step 0 (Richardson), with the slopes of both sides."""

    def __init__(self, f, x, h):
        here, (far_left, left, right, far_right) = f(x), (f(x - h), f(x - h / 2), f(x + h / 2), f(x + h))
        wide, narrow = (far_right - far_left) / (2 * h), (right - left) / h
        self.value = (4 * narrow - wide) / 3
        self.noise = abs(narrow - wide) / 10 + 1e-15 * (abs(here) + abs(far_left) + abs(far_right)) / h + LEAST * max(1, 1 / h)
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
    return a != b and (a == a or b == b) and not abs(a - b) <= max(tolerance * max(abs(a), abs(b)), LEAST)


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

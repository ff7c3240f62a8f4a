"""Gradient checking for tensors: name the function that is wrong, its input, the entry, and a likely cause.

The check gives the vjp of every edge a random upstream gradient, and compares the contribution with finite differences of that
one function. It compares every total derivative with the sum of the contributions of its children. So it names the first
wrong function in topological order.
"""

from collections.abc import Callable, Mapping
from copy import deepcopy
from typing import Any

import numpy as np

from scalargrad.checking.check import TOLERANCE, Check, Problem, names_of, refuse_options
from scalargrad.checking.diagnosis import DETACHED, MISSING, changed
from scalargrad.checking.finite_differences import agrees
from scalargrad.graph import Graph, is_function, node_of
from scalargrad.user_names.names import name_all
from tensorgrad import backward
from tensorgrad.arrays.axes import can_unbroadcast
from tensorgrad.checking import diagnosis
from tensorgrad.checking.replay import Edge, contributions, replayed, slope_along, step_sizes
from tensorgrad.errors import errors
from tensorgrad.tensor import Tensor
from tensorgrad.transformations.derivatives import At

ENTRIES = 64  # an array of more entries is looked at in so many of them, and in all of them at once
TOTAL_ROUNDING = {np.dtype(np.float64): 1e-9, np.dtype(np.float32): 1e-4}  # of totals and saved arrays, relative to the largest entry


def check(
    z: Tensor | Callable,
    *inputs,
    totals: Mapping | None = None,
    tol: float = TOLERANCE,
    eps: float | None = None,
    entries: int = ENTRIES,
    seed: int = 0,
) -> Check:
    """Compare every derivative in the graph of z with the same derivative, computed independently.

    The result is true if all agree; else it names the first wrong one. z is a tensor, or a function of arrays. For a function, the
    check makes the graph at `inputs`, and also compares the gradient with finite differences of f itself. Only this finds a part
    of f that was detached by mistake: in the graph of z such a part is a constant. A module with parameters in float32 is checked
    as a copy in float64, because differences need the digits; the printed result says so.

    The check replays each function in float64 at the values of its inputs, with an upstream gradient drawn from `seed`. In an
    array of more than `entries` entries it compares that many one by one, and all of them together along a random direction.
    `totals` is a dictionary {x: dz/dx} to examine, for example from your own backpropagation; the default is the engine's own.
    `tol` is the relative difference that is allowed. `eps` is the step of the differences (default: about 1e-3 of an entry,
    between 1e-6 and 1e-2). At a kink, any slope between those of the two sides is accepted.

    Call it before `backward()`, which releases the graph. Raises RuntimeError if the graph was released. Raises ValueError if an
    entry is not finite, or if the tensor of a leaf no longer exists. The program itself may put in infinities, as a mask: a
    constant may be infinite, a leaf may be -inf, and so may be what functions make of them.

    >>> from tensorgrad import rule
    >>> @rule(lambda G, B: G @ B, lambda G, A: A.T @ G)
    ... def times(A, B): return A @ B
    >>> A, B = Tensor([[3, 7], [2, 5]], name="A"), Tensor([[2, 1], [0, 4]], name="B")
    >>> C = times(A, B); print(check(C.sum()))
    times: the contribution of C to A at [0, 0] is 15.38, expected 6.99; with Bᵀ instead of B it would be right (4 of 4 entries)
    """
    if len(inputs) == 1 and totals is None and isinstance(inputs[0], Mapping):
        (totals,), inputs = inputs, ()
    refuse_options(z, inputs, totals, tol, eps)
    if is_function(z):
        if not is_float32_module(z):
            return check_function(z, inputs, tol, eps, entries, seed)
        copy: Any = deepcopy(z)
        return CheckOfCopy(*check_function(copy.astype(np.float64), [in_float64(x) for x in inputs], tol, eps, entries, seed))
    graph = Graph(errors.variable(z, "check"))
    errors.refuse_released("check", graph.variables)
    names = name_all(graph)
    functions = replayed(graph, names)
    dice = np.random.default_rng(seed)
    wrong: dict = {x: [] for x in graph.variables}
    compared = 0
    for y in graph.order:
        if y.inputs:
            wrong[y] = stale(names, functions[y]) or wrong_contributions(names, functions[y], tol, eps, entries, dice)
            compared += sum(min(entries, int(np.prod(x.shape))) for x in y.inputs)
    broken = any(p.got is None or type(p.got) is tuple for found in wrong.values() for p in found)
    if totals is not None or not broken:  # else the engine has none
        totals = own_totals(graph, dice) if totals is None else given_totals(graph, totals)
        for x, problems in wrong_totals(graph, names, totals):
            wrong[x] = problems + wrong[x]
            compared += int(np.prod(x.shape))
    return Check([problem for x in graph.order for problem in wrong[x]], compared)


def check_function(f, inputs, tol, eps, entries, seed):
    """Check f's graph at `inputs`, then compare its gradient with finite differences of f, by entry and along a random direction."""
    called, names = names_of(f, len(inputs))
    at = At("check", f, inputs)
    if at.many:
        raise TypeError(f"check: {called} returned {len(at.outputs)} tensors; it must return one")
    for x, name in zip(at.xs, names):
        x.name = name
    (z,) = at.outputs
    problems, compared = check(z, tol=tol, eps=eps, entries=entries, seed=seed) if z.node is not None else ([], 0)
    if problems:  # a vjp that raises has no gradient to compare
        return Check(problems, compared)
    dice = np.random.default_rng(seed)
    gradient = Gradient(f, at, dice)
    for slot, name in enumerate(names):
        for place, v in directions(at.xs[slot], eps, entries, dice):
            compared += 1
            if not problems and not gradient.agrees(slot, v, tol):
                where = at_entry(np.unravel_index(place, v.shape)) if place is not None else " along a random direction"
                problems = [Problem(called, f"∂{called}/∂{name}{where}", *gradient.got_and_expected(slot, v), DETACHED)]
    return Check(problems, compared)


class CheckOfCopy(Check):
    """The result of the check of a model that was copied in float64."""

    __slots__ = ()

    def __str__(self):
        return f"{super().__str__()} (checked on a copy of the model in float64)"


def is_float32_module(f):
    """Return whether f is a module that has a parameter in float32."""
    return hasattr(f, "named_parameters") and any(p.dtype == np.float32 for _, p in f.named_parameters())


def in_float64(x):
    """Return an input of float32 as an array of float64, and any other input as it is."""
    return np.array(getattr(x, "_data", x), float) if getattr(x, "dtype", None) == np.float32 else x


class Gradient:
    """The gradient of f at a point, and finite differences of f; both for a random upstream gradient if f has many entries."""

    def __init__(self, f, at, dice):
        (z,) = at.outputs
        self.f, self.points, self.dtype = f, [x.data.astype(float) for x in at.xs], z.dtype
        self.G = first_upstream(z.shape, dice)
        self.totals = at.totals(z, self.G.astype(z.dtype)) if z.node is not None else [np.zeros(x.shape) for x in at.xs]
        self.floor = TOTAL_ROUNDING[z.dtype] * (np.abs(self.G) * np.abs(z.data)).sum() if z.dtype != float else 0.0

    def at(self, slot, x):
        return At("check", self.f, [*self.points[:slot], x, *self.points[slot + 1 :]]).outputs[0].data

    def slope(self, slot, v):
        return slope_along(lambda x: self.at(slot, x), self.points[slot], v).weighted(self.G)

    def agrees(self, slot, v, tolerance):
        got = float((self.totals[slot] * v).sum())
        return agrees(lambda close: self.slope(slot, close * v), got, max(tolerance, TOTAL_ROUNDING[self.dtype]), self.floor)

    def got_and_expected(self, slot, v):
        moved = float(np.abs(v).max()) or 1.0
        return float((self.totals[slot] * v).sum()) / moved, float(self.slope(slot, v).value) / moved


def directions(x, eps, entries, dice):
    """Yield (place, direction) for each entry of x, or for a sample of `entries` and then (None, a direction that moves all)."""
    step = step_sizes(x.data.astype(float), eps)
    places = range(x.size) if x.size <= entries else sorted(dice.choice(x.size, entries, replace=False))
    for place in places:
        yield place, np.eye(1, x.size, place).reshape(x.shape) * step
    if x.size > entries:
        yield None, np.asarray(dice.choice([-1.0, 1.0], x.shape) * step)


def random_upstream(dice, shape):
    """Return a random upstream gradient without entries near 0 or 1. So it shows if a vjp ignores, loses or halves one."""
    return dice.choice([-1.0, 1.0], shape) * dice.uniform(2, 9, shape).round(2)


def first_upstream(shape, dice):
    """Return the upstream gradient of z: 1 if z has one entry, else a random one."""
    return np.ones(shape) if np.prod(shape) == 1 else np.asarray(random_upstream(dice, shape))


def at_entry(place):
    """Return the index of an entry as messages write it, or "" for a 0-d array."""
    return f" at [{', '.join(map(str, place))}]" if len(place) else ""


def stale(names, function):
    """Return a problem if the result of a function, or an array that it saved, is not what its inputs give now."""
    y = function.y
    inputs = y.rule.input_names or [f"x{i}" for i in range(len(function.args))]
    saved = y.rule.saved(y)
    pairs = [(y.data, function.array), (saved.get("y"), function.array), *[(saved.get(n), a) for n, a in zip(inputs, function.args)]]
    for then, now in pairs:
        if isinstance(then, np.ndarray) and then.dtype.kind == "f" and then.shape == np.shape(now):
            wrong = differ(then, now, 100 * TOTAL_ROUNDING[y.dtype])
            if len(wrong):
                place = tuple(wrong[0])
                what = f"an array behind {names[y]}{at_entry(place)}"
                return [Problem(y.rule.name, what, float(then[place]), float(now[place]), changed(names[y]))]
    return []


def differ(got, expected, rounding, scale=0.0):
    """Return the indices where two arrays differ by more than rounding, relative to the largest finite entry (or `scale`)."""
    slack = rounding * max(scale, diagnosis.largest_entry(expected)) + np.finfo(getattr(got, "dtype", float)).tiny
    return np.argwhere(~np.isclose(got, expected, rtol=0, atol=slack, equal_nan=True))


def wrong_contributions(names, function, tolerance, eps, entries, dice):
    """Return a problem for each input whose vjp disagrees with finite differences of the function."""
    y, problems = function.y, []
    G = np.where(function.has_no_slope, 0.0, random_upstream(dice, y.shape))
    again = function.again()
    tolerance = max(tolerance, TOTAL_ROUNDING[again.dtype])
    made = contributions(again.node, G)
    edges = [Edge(function, again, slot, G, eps) for _, slot, _ in y.edges]
    for (x, slot, _), edge, raw in zip(y.edges, edges, made.values()):
        used = f" (input {slot + 1})" if sum(other is x for other in y.inputs) > 1 else ""
        what = f"the contribution of {names[y]} to {names[x]}{used}"
        if isinstance(raw, Exception):
            cause = diagnosis.of_transposed(edge) or "a vjp gives the contribution to one input"
            cause = f"its vjp raises {type(raw).__name__}: {str(raw).rstrip('.')}; {cause}"
            problems.append(Problem(y.rule.name, what, None, f"an array of shape {x.shape}", cause))
        elif not can_unbroadcast(raw.shape, x.shape):
            cause = diagnosis.of_upstream(edge, raw) or diagnosis.of_shape(raw, x.shape)
            problems.append(Problem(y.rule.name, f"the shape of {what}", raw.shape, x.shape, cause))
        else:
            got = diagnosis.summed(raw, x.shape)
            looked, wrong = edge.compared(got, entries, tolerance, dice)
            if wrong:
                others = {names[a]: other for (a, _, _), other in zip(y.edges, edges) if other is not edge}
                cause = diagnosis.of_contribution(edge, names[y], others, raw, got, looked)
                if got.ndim:
                    cause += f" ({len(wrong)} of {len(looked)} entries{' looked at' * (len(looked) < got.size)})"
                place = np.unravel_index(wrong[0], x.shape)
                problems.append(Problem(y.rule.name, what + at_entry(place), float(got[place]), edge.expected(wrong[0]), cause))
    return problems


def own_totals(graph, dice):
    """Return the engine's {x: dz/dx} for every variable of the graph, from a random upstream gradient if z has many entries."""
    z = graph.z
    return dict(backward.totals(z, first_upstream(z.shape, dice).astype(z.dtype), retain=True, wanted=set(graph.variables)))


def given_totals(graph, totals):
    """Return the user's totals as {node: array}, with dz/dz = 1 if it is missing and z has one entry."""
    found = {node_of(x): np.asarray(getattr(total, "data", total)) for x, total in totals.items()}
    z = graph.z
    if z not in found:
        if np.prod(z.shape) != 1:
            raise ValueError(f"check: z has shape {z.shape}; put the upstream gradient that you started from into totals, as totals[z]")
        found[z] = np.ones(z.shape)
    return found


def wrong_totals(graph, names, totals):
    """Yield (x, the problems with dz/dx) for every variable x, in topological order."""
    passed: dict = {x: [] for x in graph.variables}  # to each variable: (child, slot, contribution)
    for x in graph.order:
        yield x, wrong_total(f"d{names[graph.z]}/d{names[x]}", names, x, passed.pop(x), totals)
        if x.inputs:
            for (a, slot, _), contribution in zip(x.edges, contributions(x, totals[x]).values()):
                passed[a].append((x, slot, contribution))


def wrong_total(what, names, x, passed, totals):
    """Return a problem if dz/dx is not the sum of the contributions `passed` of x's children. Fill in a total that is missing.

    A total passes if it cannot be compared: a hook may have changed it, or a contribution has a wrong shape.
    """
    bad = [term for _, _, term in passed if isinstance(term, Exception) or not can_unbroadcast(term.shape, x.shape)]
    terms = [diagnosis.summed(term, x.shape) for _, _, term in passed if not bad]
    expected = sum(terms) if terms else np.ones(x.shape)
    if x not in totals:
        totals[x] = expected
        missing = Problem("backpropagation", what, None, f"an array of shape {x.shape}", MISSING)
        return [] if x.inputs or bad else [missing]
    got = totals[x]
    if got.shape != x.shape:
        totals[x] = expected
        return [Problem("backpropagation", f"the shape of {what}", got.shape, x.shape, diagnosis.of_shape(got, x.shape))]
    if bad or x.hooks or (not terms and got.size != 1):
        return []
    wrong = differ(got, expected, TOTAL_ROUNDING[x.dtype], max((diagnosis.largest_entry(t) for t in terms), default=0.0))
    if not len(wrong):
        return []
    of_ones = [contributions(y, np.ones(y.shape))[slot] for y, slot, _ in passed]
    of_ones = sum(diagnosis.summed(c, x.shape) for c in of_ones if not isinstance(c, Exception) and can_unbroadcast(c.shape, x.shape))
    place = tuple(wrong[0])
    cause = diagnosis.of_total(got, terms, of_ones, [names[y] for y, _, _ in passed])
    return [Problem("backpropagation", what + at_entry(place), float(got[place]), float(expected[place]), cause)]

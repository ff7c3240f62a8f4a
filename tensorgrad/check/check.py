"""The gradient check for tensors: which function of the graph is wrong, for which input, at which entry, and probably why.

What the vjp of every edge makes of a random upstream gradient is compared with differences of that one function, and every
total derivative with the sum of the contributions of its children; so the first function that is wrong is named, and not
only that the end result is off.
"""

from collections.abc import Callable, Mapping

import numpy as np

from scalargrad.check import TOLERANCE, Check, Problem, names_of, refuse_options
from scalargrad.graph import Graph, is_function, node_of
from scalargrad.names import name_all
from tensorgrad import backward
from tensorgrad.axes import fits
from tensorgrad.check import diagnosis
from tensorgrad.check.replay import Edge, contributions, replayed
from tensorgrad.check.slope import Slope, steps
from tensorgrad.derivatives import At
from tensorgrad.errors import errors
from tensorgrad.errstate import quietly
from tensorgrad.tensor import Tensor

ENTRIES = 64  # an array of more entries is looked at in so many of them, and in all of them at once
ROUNDING = {np.dtype(np.float64): 1e-9, np.dtype(np.float32): 1e-4}  # of totals and saved arrays, relative to the largest entry


def check(
    z: Tensor | Callable,
    *inputs,
    totals: Mapping | None = None,
    tol: float = TOLERANCE,
    eps: float | None = None,
    entries: int = ENTRIES,
    seed: int = 0,
) -> Check:
    """Compare every derivative in the graph of z with an independent one; true if all agree, else it names the first wrong one.

    z is a tensor, or a function of arrays, whose graph is made at `inputs`: then the gradient of f is also compared with
    differences of f itself. Only that finds a part of f that was detached by mistake: in the graph of z it is a constant.
    Each function is replayed in float64 at the values of its inputs, with an upstream gradient drawn from `seed`. In an array
    of more than `entries` entries that many are compared one by one, and all of them together along one random direction.
    `totals` is a dictionary {x: dz/dx} to examine, of your own backpropagation for example; the engine's own is the default. `tol`
    is the relative difference that is allowed, `eps` the step of the differences (default: 1e-3 of an entry, from 1e-6 on). At a
    kink any slope between those of the two sides is accepted. Call it before `backward()`, which releases the graph.
    ValueError if some entry is not finite (but for infinities that the program puts there itself, to mask entries), or if nobody
    holds the tensor of a leaf any more; RuntimeError if the graph was released.

    >>> from tensorgrad import rule
    >>> @rule(lambda G, B: G @ B, lambda G, A: A.T @ G)
    ... def times(A, B): return A @ B
    >>> A, B = Tensor([[3, 7], [2, 5]], name="A"), Tensor([[2, 1], [0, 4]], name="B")
    >>> C = times(A, B); print(check(C.sum()))
    times: the contribution of C to A at [0, 0] is 15.38, expected 6.99; with Bᵀ instead of B it would be right (4 of 4 entries)
    """
    if len(inputs) == 1 and totals is None and isinstance(inputs[0], Mapping):
        (totals,), inputs = inputs, ()
    if is_function(z) and type(z) is not Tensor:
        return check_function(z, inputs, totals, tol, eps, entries, seed)
    if inputs:
        said = errors.brief(inputs[0])
        raise TypeError(f"check: totals={said} is not a dictionary of variables and their derivatives; inputs belong to a function")
    refuse_options(totals, tol, eps)
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


def check_function(f, inputs, totals, tol, eps, entries, seed):
    """The check of f's graph at `inputs`, and of its gradient by differences of f: entry by entry, and along a random direction."""
    refuse_options(totals, tol, eps)
    if totals is not None:
        raise TypeError("check: totals= goes with a tensor z, check(z, totals=totals), not with a function")
    if not inputs:
        raise TypeError(f"check: {names_of(f, 0)[0]} is a function; give its inputs too, check(f, x), or check the tensor that it returns")
    called, names = names_of(f, len(inputs))
    at = At(f, inputs)
    if at.many:
        raise TypeError(f"check: {called} returned {len(at.outputs)} tensors; it must return one")
    for x, name in zip(at.xs, names):
        x.name = name
    (z,) = at.outputs
    problems, compared = check(z, tol=tol, eps=eps, entries=entries, seed=seed) if z.node is not None else ([], 0)
    dice = np.random.default_rng(seed)
    G = np.asarray(np.ones(z.shape) if z.size == 1 else random_upstream(dice, z.shape))
    points = [x.data.astype(float) for x in at.xs]
    got = at.totals(z, G.astype(z.dtype)) if z.node is not None else [np.zeros(x.shape) for x in at.xs]
    floor = ROUNDING[z.dtype] * (np.abs(G) * np.abs(z.data)).sum() if z.dtype != float else 0.0
    for slot, (x, name) in enumerate(zip(points, names)):

        def along(moved, slot=slot):
            return At(f, [*points[:slot], moved, *points[slot + 1 :]]).outputs[0].data

        size, step = x.size, steps(x, eps)
        places = range(size) if size <= entries else sorted(dice.choice(size, entries, replace=False))
        directions = [((place,), np.eye(1, size, place).reshape(x.shape) * step) for place in places]
        directions += [((), np.asarray(dice.choice([-1.0, 1.0], x.shape) * step))] if size > entries else []
        compared += len(directions)
        for place, v in directions:
            slope = quietly(Slope, along, x, v, G)
            if not problems and not slope.allows(float((got[slot] * v).sum()), max(tol, ROUNDING[z.dtype]), floor):
                where = at_entry(np.unravel_index(place[0], x.shape)) if place else " along a random direction"
                moved = float(np.abs(v).max()) or 1.0
                cause = "each function in the graph is right: is a part of f detached, or computed from .data?"
                found = float((got[slot] * v).sum()) / moved, float(slope.expected) / moved
                problems = [Problem(called, f"∂{called}/∂{name}{where}", *found, cause)]
    return Check(problems, compared)


def random_upstream(dice, shape):
    """An upstream gradient whose entries are away from 0 and 1, so that it shows where one is ignored, lost or halved."""
    return dice.choice([-1.0, 1.0], shape) * dice.uniform(2, 9, shape).round(2)


def at_entry(place):
    """Where an entry stands, as messages write it; nothing for an array without axes."""
    return f" at [{', '.join(map(str, place))}]" if len(place) else ""


def stale(names, function):
    """The problem that what a function made or saved is no longer what its inputs give."""
    y = function.y
    inputs = y.rule.input_names or [f"x{i}" for i in range(len(function.args))]
    saved = y.rule.saved(y)
    pairs = [(y.data, function.array), (saved.get("y"), function.array), *[(saved.get(n), a) for n, a in zip(inputs, function.args)]]
    for then, now in pairs:
        if isinstance(then, np.ndarray) and then.dtype.kind == "f" and then.shape == np.shape(now):
            wrong = differ(then, now, 100 * ROUNDING[y.dtype])
            if len(wrong):
                place, cause = tuple(wrong[0]), f"an input was changed after {names[y]} was made: make it again"
                return [Problem(y.rule.name, f"an array behind {names[y]}{at_entry(place)}", float(then[place]), float(now[place]), cause)]
    return []


def differ(got, expected, rounding, scale=0.0):
    """The places where two arrays differ by more than rounding, which is relative to the largest finite entry (or `scale`)."""
    slack = rounding * max(scale, diagnosis.largest(expected)) + np.finfo(getattr(got, "dtype", float)).tiny
    return np.argwhere(~np.isclose(got, expected, rtol=0, atol=slack, equal_nan=True))


def wrong_contributions(names, function, tolerance, eps, entries, dice):
    """Where the vjps of one function contradict its own differences: one problem for each input."""
    y, problems = function.y, []
    G = np.asarray(random_upstream(dice, y.shape))
    again = function.again()
    tolerance = max(tolerance, ROUNDING[again.dtype])
    made = contributions(again.node, G)
    edges = [Edge(function, again, slot, G, eps) for _, slot, _ in y.edges]
    for (x, slot, _), edge, raw in zip(y.edges, edges, made.values()):
        used = f" (input {slot + 1})" if y.inputs.count(x) > 1 else ""
        what = f"the contribution of {names[y]} to {names[x]}{used}"
        if isinstance(raw, Exception):
            cause = diagnosis.of_transposed(edge) or "a vjp gives the contribution to one input"
            cause = f"its vjp raises {type(raw).__name__}: {str(raw).rstrip('.')}; {cause}"
            problems.append(Problem(y.rule.name, what, None, f"an array of shape {x.shape}", cause))
        elif not fits(raw.shape, x.shape):
            cause = diagnosis.of_upstream(edge, raw) or diagnosis.of_shape(raw, x.shape)
            problems.append(Problem(y.rule.name, f"the shape of {what}", raw.shape, x.shape, cause))
        else:
            got = diagnosis.summed(raw, x.shape)
            looked, wrong = edge.compared(got, entries, tolerance, dice)
            if wrong:
                others = {names[a]: other for (a, _, _), other in zip(y.edges, edges) if other is not edge}
                cause = diagnosis.of_contribution(edge, others, raw, got, looked)
                if got.ndim:
                    cause += f" ({len(wrong)} of {len(looked)} entries{' looked at' * (len(looked) < got.size)})"
                place = np.unravel_index(wrong[0], x.shape)
                problems.append(Problem(y.rule.name, what + at_entry(place), float(got[place]), edge.expected(wrong[0]), cause))
    return problems


def own_totals(graph, dice):
    """{x: dz/dx} for every variable of the graph, by the engine's own loop; from a random upstream gradient if z has many entries."""
    z = graph.z
    G = np.ones(z.shape) if np.prod(z.shape) == 1 else random_upstream(dice, z.shape)
    return dict(backward.totals(z, G.astype(z.dtype), retain=True, wanted=set(graph.variables)))


def given_totals(graph, totals):
    """The user's totals, as arrays by node; that of z is filled in where z has one entry."""
    found = {node_of(x): np.asarray(getattr(total, "data", total)) for x, total in totals.items()}
    z = graph.z
    if z not in found:
        if np.prod(z.shape) != 1:
            raise ValueError(f"check: z has shape {z.shape}; put the upstream gradient that you started from into totals, as totals[z]")
        found[z] = np.ones(z.shape)
    return found


def wrong_totals(graph, names, totals):
    """(x, the problems with dz/dx) for every variable x, in topological order."""
    handed: dict = {x: [] for x in graph.variables}  # to each variable: (child, slot, contribution)
    for x in graph.order:
        yield x, wrong_total(f"d{names[graph.z]}/d{names[x]}", names, x, handed.pop(x), totals)
        if x.inputs:
            for (a, slot, _), contribution in zip(x.edges, contributions(x, totals[x]).values()):
                handed[a].append((x, slot, contribution))


def wrong_total(what, names, x, handed, totals):
    """dz/dx, if it is not the sum of what was handed to x by its children; where it was left out between, it is filled in.

    What cannot be compared (a hook may have changed it, or a contribution has a wrong shape, which is another problem) passes.
    """
    bad = [term for _, _, term in handed if isinstance(term, Exception) or not fits(term.shape, x.shape)]
    terms = [diagnosis.summed(term, x.shape) for _, _, term in handed if not bad]
    expected = sum(terms) if terms else np.ones(x.shape)
    if x not in totals:
        totals[x] = expected
        missing = Problem("backpropagation", what, None, f"an array of shape {x.shape}", "put it into the dictionary")
        return [] if x.inputs or bad else [missing]
    got = totals[x]
    if got.shape != x.shape:
        totals[x] = expected
        return [Problem("backpropagation", f"the shape of {what}", got.shape, x.shape, diagnosis.of_shape(got, x.shape))]
    if bad or x.hooks or (not terms and got.size != 1):
        return []
    wrong = differ(got, expected, ROUNDING[x.dtype], max((diagnosis.largest(t) for t in terms), default=0.0))
    if not len(wrong):
        return []
    of_ones = [contributions(y, np.ones(y.shape))[slot] for y, slot, _ in handed]
    of_ones = sum(diagnosis.summed(c, x.shape) for c in of_ones if not isinstance(c, Exception) and fits(c.shape, x.shape))
    place = tuple(wrong[0])
    cause = diagnosis.of_total(got, expected, terms, of_ones, [names[y] for y, _, _ in handed])
    return [Problem("backpropagation", what + at_entry(place), float(got[place]), float(expected[place]), cause)]

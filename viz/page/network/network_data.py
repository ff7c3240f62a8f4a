"""The data of a network's page: its layers, and the program with which the page computes it, or why there is none, and what it carries."""

from math import isfinite, prod

from scalargrad.formulas.lost_entries import without_lost
from viz.graphs.inputs import inputs_of
from viz.page.network.layers import given, layers
from viz.page.network.program import network_program


def network_data(trace, notation):
    """Return (the data of a graph of arrays as a network, its functions of numbers as JavaScript).

    boxes, given   see `layers` and `given` in `viz.page.network.layers`
    leaves         the places of the arrays that can be nudged; `entries` is the number of their entries
    z              the value of z; null if it is not finite
    program        see `network_program`; null if the page cannot compute the graph: then `why` says why, in a sentence
    carried        what Python has computed, for a page that cannot: see `carried` in `viz.page.network.network_data`
    """
    graph = trace.graph
    place = {v: i for i, v in enumerate(graph.variables)}
    leaves = [i for v, i in place.items() if not v.inputs]
    value = float(trace.on.data(graph.z).item())
    found = {
        "boxes": layers(trace),
        "given": given(trace),
        "leaves": leaves,
        "entries": sum(prod(graph.variables[i].shape) for i in leaves),
        "z": value if isfinite(value) else None,
    }
    program = None
    try:
        program = trace.on.program()
        written, functions = network_program(program, leaves, place[graph.z], notation)
    except ValueError as why:
        known = {} if trace.is_user_defined else carried(trace, program)  # a loop of the user may be wrong
        return found | {"program": None, "why": str(why), "carried": known}, []
    return found | {"program": written, "carried": {} if trace.is_user_defined else carried(trace, None)}, functions


MOST_WORK = 400_000_000  # products and entries that Python computes for the curves of a page: about a second
MOST_CURVES, LEAST_POINTS, MOST_POINTS = 8, 4, 16  # points of a curve beside the one at the start


def carried(trace, program):
    """Return {leaf: {entry, value, slope, square, curve}} of the leaves whose derivatives are known, by their places.

    `entry` is the one with the steepest slope, `value` its number (null if its array is freed), `square` the sum of the squares of all
    slopes. `curve` is [[nudge, z], …] for a few leaves, as far as Python computes them in about a second: later layers are cheaper, so
    that most curves are theirs. `program` is the ArrayProgram, None if there is none; then there are no curves.
    """
    graph, on = trace.graph, trace.on
    place, found = {v: i for i, v in enumerate(graph.variables)}, {}
    for v in inputs_of(trace):
        if v in trace.computed:
            slopes, array = without_lost(trace.computed[v].number).reshape(-1), on.data(v)
            entry = int(abs(slopes).argmax())
            value = None if array is None else array.reshape(-1)[entry].item()
            fact = {"entry": entry, "value": value, "slope": slopes[entry].item(), "square": float((slopes * slopes).sum())}
            if all(isfinite(fact[key]) for key in ("slope", "square")):
                found[place[v]] = fact
    if program is not None:
        room, count = MOST_WORK, 0
        for leaf in sorted(found, reverse=True):
            cost = program.cost_from(leaf)
            points = min(MOST_POINTS, room // 3 // max(cost, 1)) // 2 * 2
            if points >= LEAST_POINTS and count < MOST_CURVES:
                room, count = room - points * cost, count + 1
                found[leaf]["curve"] = curve(trace, graph.variables[leaf], found[leaf]["entry"], points)
    return found


def curve(trace, leaf, entry, points):
    """Return [[nudge, z], …] for nudges of an entry of about its own size to both sides."""
    array = trace.on.data(leaf)
    usual = float((array.astype(float) ** 2).mean() ** 0.5)
    reach = float(f"{max(abs(array.reshape(-1)[entry].item()), usual) or 1:.1g}")
    found = []
    for k in range(-points // 2, points // 2 + 1):
        moved = array.copy()
        moved.reshape(-1)[entry] += 2 * reach * k / points
        z = trace.on.value_at(leaf, moved).item() if k else trace.on.data(trace.graph.z).item()
        found.append([2 * reach * k / points, z if isfinite(z) else None])
    return found

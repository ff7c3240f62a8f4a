"""The part of a graph that a picture can hold: the asked input, z, the ways between them, and what stands beside these."""

from viz.graphs.inputs import asked_input
from viz.layout.view import wishes


def largest_part(trace, holds):
    """Return the variables of the largest part that a picture holds, inputs before outputs: all of them, if `holds(variables)`.

    It always has z and the asked input. The others are added in the order of `wishes`.
    """
    variables = trace.graph.variables
    if holds(variables):
        return variables
    place = {v: i for i, v in enumerate(variables)}
    ends = place[asked_input(trace)], place[trace.graph.z]
    taken = [[place[x] for x in v.inputs] for v in variables]
    takers = [[place[y] for y, _ in trace.graph.children[v]] for v in variables]
    wished = wishes(*ends, taken, takers)
    part = lambda count: [variables[i] for i in sorted({*ends, *wished[:count]})]
    few, many = 0, len(wished)
    while many - few > 1:
        count = (few + many) // 2
        few, many = (count, many) if holds(part(count)) else (few, count)
    return part(few)

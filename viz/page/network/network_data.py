"""The data of a network's page: its row of layers, and the program with which the page computes it, or why there is none."""

from math import isfinite, prod

from viz.page.network.carried import carried
from viz.page.network.layers import given, layers
from viz.page.network.program import network_program


def network_data(trace, notation):
    """Return (the data of a graph of arrays as a network, its functions of numbers as JavaScript).

    boxes, given   see `layers` and `given` in `viz.page.network.layers`
    leaves         the places of the arrays that can be nudged; `entries` is the number of their entries
    z              the value of z; null if it is not finite
    program        see `network_program`; null if the page cannot compute the graph: then `why` says why, in a sentence
    carried        what Python has computed, for a page that cannot: see `carried` in `viz.page.network.carried`
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

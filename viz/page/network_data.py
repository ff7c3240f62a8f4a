"""The data of a network's page: its row of layers, and the program with which the page computes it, or why there is none."""

from math import isfinite, prod

from viz.page.network_layers import given, layers
from viz.page.network_program import network_program


def network_data(trace, notation):
    """Return (the data of a graph of arrays as a network, its functions of numbers as JavaScript).

    boxes, given   see `layers` and `given` in `viz.page.network_layers`
    leaves         the places of the arrays that can be nudged; `entries` is the number of their entries
    z              the value of z; null if it is not finite
    program        see `network_program`; null if the page cannot compute the graph, and then `why` says why, in a sentence
    """
    graph = trace.graph
    leaves = [i for i, v in enumerate(graph.variables) if not v.inputs]
    value = float(trace.on.data(graph.z).item())
    found = {
        "boxes": layers(trace),
        "given": given(trace),
        "leaves": leaves,
        "entries": sum(prod(graph.variables[i].shape) for i in leaves),
        "z": value if isfinite(value) else None,
    }
    try:
        program, functions = network_program(trace.on.program(), leaves, graph.variables.index(graph.z), notation)
    except ValueError as why:
        return found | {"program": None, "why": str(why)}, []
    return found | {"program": program}, functions

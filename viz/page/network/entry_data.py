"""The graph of all entries as data of a page of arrays: what the nudge of an entry needs."""

import math

from viz.text.array_text import numbers_of

OF_AN_ENTRY = ("name", "written", "total", "text")  # what the nudge of an entry shows of a variable, and of an edge
OF_AN_EDGE = ("input", "output", "ratio", "partial")


def entry_graph(page, made, arrays, inputs):
    """Return the graph of all entries of the arrays of `page`. Both are PageData: `page` of the arrays, `made` of their entries.

    `arrays` is {variable of an array: its entries}, `inputs` are the entries that can be nudged.
    """
    trace = made.trace
    rows = lambda array: array.reshape(-1, array.shape[-1] if array.ndim else 1).tolist()
    place = lambda x: made.place[x] if hasattr(x, "inputs") and x in made.place else None
    return {
        "z": made.place[trace.graph.z],
        "order": [made.place[v] for v in trace.graph.order],
        "variables": [{key: v[key] for key in OF_AN_ENTRY} for v in map(made.variable, trace.graph.variables)],
        "edges": [{key: e[key] for key in OF_AN_EDGE} for e in (made.edge(*edge) for edge in made.edges)],
        "quantities": made.quantities,
        "strings": made.strings.items,
        "places": [[[place(x) for x in row] for row in rows(arrays[v])] for v in page.trace.graph.variables],
        "gradient": gradient(page, arrays, inputs),
    }


def gradient(page, arrays, inputs):
    """Return dz/dx for each entry x of an input, as the gradient of its tensor has it; [] if one is not known or not finite."""
    computed = {} if page.trace.is_user_defined else page.trace.computed  # a loop of the user may be wrong
    found = {
        x: number
        for v, array in arrays.items()
        if not v.inputs and v in computed
        for x, number in zip(array.reshape(-1).tolist(), numbers_of(computed[v].number))
    }
    wanted = [found.get(x, math.nan) for x in inputs]
    return wanted if all(map(math.isfinite, wanted)) else []

"""What a picture shows of a graph: every operation, or a variable for each name of the program with the formula of its statement."""

from scalargrad.callers import called_function
from scalargrad.graph import Graph, node_of
from scalargrad.statements.statement_graph import choose_detail, shown_in
from scalargrad.tracing.trace import Trace


def trace_of(z, beside=None, start=None, **options):
    """Return z if it is a Trace, else a Trace of it in the detail that its size asks for. `options` are those of `Trace`.

    Beside another trace it has the detail of that one; operations, if the variable `start` would be hidden.
    """
    if isinstance(z, Trace):
        return Trace.of(z, **options)
    detail = "operations" if isinstance(beside, Trace) and beside.statements is None else None
    trace = Trace(z, **{"detail": detail, **options})
    hidden = trace.statements is not None and hasattr(start, "inputs") and start not in trace.statements.variable
    return Trace(z, **{**options, "detail": "operations"}) if hidden and "detail" not in options else trace


def in_detail(z, detail, opened, names, gradients, whole, most):
    """Return what is drawn of z: its graph of statements, if these are shown, with names and gradients for their variables; and what keeps
    the arrays of its boxes, or None.

    If `detail` is None, operations are drawn if `whole` is true, or if there are more than `most` in scopes, which are folded then.
    """
    choose_detail(detail)
    if isinstance(z, Trace):
        if opened or detail not in (None, "statements" if z.statements else "operations"):
            raise TypeError(f"{called_function()}: the detail of a trace cannot change; make a new one: Trace(z, detail={detail!r})")
        return z, names, gradients, None
    if not (isinstance(z, Graph) or hasattr(z, "inputs")):
        return z, names, gradients, None  # several variables
    graph = z if isinstance(z, Graph) else Graph(z)
    whole = whole or (len(graph.variables) > most and any(v.scope for v in graph.variables))
    found = shown_in(graph, "operations" if detail is None and whole else detail, names, opened)
    if found is None:
        return z, names, gradients, None
    given = None if gradients is None else {found.variable.get(node_of(v), v): total for v, total in gradients.items()}
    return found.z, found.names, given, found

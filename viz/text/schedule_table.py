"""What a schedule keeps of each variable, as columns of a table: how it stands at a step. Terminal and page show the same columns."""

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from viz.text.array_text import is_array
from viz.text.formatter import listed, name_of, plural
from viz.text.narration import distinct_children


class Column(NamedTuple):
    """A column beside the value and the gradient of a variable: `text(trace, i, v, formatter)` is v's cell at step i."""

    title: str
    text: Callable
    widest: int  # columns of a terminal


def columns_of(trace):
    return next((columns for kept, columns in COLUMNS.items() if kept in trace.schedule.keeps), [CHILDREN])


def rows_in_order(trace):
    """Return the variables in the order of the rows: that of the tape, or the topological order."""
    return trace[0].state["tape"] if "tape" in trace.schedule.keeps else trace.graph.order


def heading_of_gradients(trace, formatter):
    """Return the title of the column with the gradients: dz/d·, or .grad where the schedule keeps it there."""
    z = trace.graph.z
    space = formatter.notation.after_d("d", trace.names[z])
    return ".grad" if "nodes" in trace.schedule.keeps else formatter(f"d{space}{name_of(trace, z, formatter)}/d·")


def standing(trace, i):
    """Return {x: (dz/dx after step i, whether it is final)} for each x that has received a contribution."""
    s = trace[i]
    known = {v: (total, trace.is_final(v, i)) for v, total in s.computed.items()}
    if s.x is not None and s.total is not None:
        known.setdefault(s.x, (s.total, False))
    return known


def gradients(trace, i):
    """Return {x: (gradient, whether it is final)} for each x that has a gradient after step i: the total, or what `.grad` holds."""
    nodes = (trace[i].state or {}).get("nodes")
    if nodes is None:
        return standing(trace, i)
    return {v: (node.grad, trace.is_final(v, i)) for v, node in nodes.items() if node.grad is not None}


# The cells


def children(trace, i, v, formatter):
    return listed([name_of(trace, y, formatter) for y in distinct_children(trace, v)], most=4)


def pending(trace, i, v, formatter):
    return str((trace[i].state or {}).get("pending", {}).get(v, ""))


@lru_cache(maxsize=2)
def places(trace):
    """Return {variable: its number on the tape}."""
    return {v: place for place, v in enumerate(rows_in_order(trace))}


def entry(trace, i, v, formatter):
    """Return an entry of a tape: its number, its function and the numbers of the inputs, #4 mul(#0, #3)."""
    number = places(trace)
    inputs = ", ".join(f"#{number.get(x, '?')}" for x in v.inputs)
    return f"#{number[v]} {formatter.words(v.rule.name)}({inputs})" if v.rule else f"#{number[v]} input"


def keeps_grad(trace, i, v, formatter):
    nodes = (trace[i].state or {}).get("nodes")
    return "" if nodes is None else "yes" if nodes[v].keep_grad else "no"


def connection(trace, i, v, formatter):
    """Return what the node of v saves for its backward function: names of arrays, or how many partials; or that it is disconnected."""
    nodes = (trace[i].state or {}).get("nodes", {})
    if not v.inputs:
        return "leaf"
    if v in nodes and not nodes[v].connected:
        return "disconnected, freed"
    saved = trace.on.saved(v)
    arrays = listed([formatter.formula(name) for name, _ in saved], most=3) or "nothing"
    return f"saves {arrays if hasattr(v, 'shape') else plural(len(saved), 'partial')}"


def name(trace, i, v, formatter):
    return name_of(trace, v, formatter)


def held(trace, i, v, formatter):
    """Return the gradient of v after step i: its formula and its number, or its array; … if more contributions come."""
    node = ((trace[i].state or {}).get("nodes") or {}).get(v)
    total = trace.known_total(v, i) if node is None else node.grad
    if total is None:
        return "None" if node is not None else ""
    return (formatter.number(total.number) if is_array(total.number) else formatter.quantity(total)) + (
        "" if trace.is_final(v, i) else formatter(" …")
    )


class Table(NamedTuple):
    """The table that the page shows of a trace: in the place of the dictionary of totals, which its gradients are."""

    title: str
    note: str
    columns: list
    rows: list


def table_of(trace, formatter):
    """Return the table of a schedule that keeps more of a variable than its total; None for any other."""
    keeps, gradient = trace.schedule.keeps, Column(heading_of_gradients(trace, formatter), held, 0)
    if "tape" in keeps:
        return Table("tape", "read from the last entry to the first", [*columns_of(trace), NAME, gradient], rows_in_order(trace))
    if "nodes" in keeps:
        return Table("nodes", "what each of them holds", [NAME, gradient, *columns_of(trace)], rows_in_order(trace))
    return None


def touched(step):
    """Return the variables whose cells a step may change."""
    return dict.fromkeys([step.x, step.y, *[s.x for s in (step.state or {}).get("given", ())]])


NAME = Column("node", name, 16)
CHILDREN = Column("c(x)", children, 10)
COLUMNS = {
    "pending": [Column("pending", pending, 7), CHILDREN],
    "tape": [Column("entry", entry, 24)],
    "nodes": [Column("keep_grad", keeps_grad, 9), Column("graph", connection, 19)],
}

"""What a drawing highlights of a graph: the variables and edges that a step of a trace looks at, and what is known by then.

Legend: y is a variable that some function made, x one of its inputs, an edge (y, slot) one use of a variable.
"""

from typing import NamedTuple

from scalargrad.callers import called_function
from scalargrad.tracing.trace import Trace

THICK = 3  # points: a frame or an edge that the step uses


class Highlight(NamedTuple):
    """What a step of a trace looks at. The current variable is x, or y in a schedule that scatters."""

    tags: dict = {}  # {v: what v is to this step}
    current: object = None
    active: object = None  # the child (or input) that the step uses
    edges: frozenset = frozenset()  # the edges that this step's sum runs over
    at_work: frozenset = frozenset()  # the edges that the step uses
    known: frozenset = frozenset()  # the edges whose ∂y/∂x is computed by now
    totals: dict = {}  # {v: dz/dv as far as it is accumulated}
    running: frozenset = frozenset()  # variables whose sum is not complete
    widest: dict | None = None  # {v: every number that its gradient shows in the course of the trace}
    final: dict = {}  # {v: dz/dv at the end}


NOTHING = Highlight()


def highlight_of(z, step):
    """Return what step number `step` of a trace z highlights (None is the last step); NOTHING if z is not a trace.

    Raises IndexError if the trace has no such step, TypeError if z is not a trace and a step is given.
    """
    if not isinstance(z, Trace):
        if step is not None:
            raise TypeError(
                f"{called_function()}: step={step!r} needs a Trace, which has steps: {called_function()}(Trace(z), step={step!r})"
            )
        return NOTHING
    step = len(z) - 1 if step is None else step
    if not -len(z) <= step < len(z):
        raise IndexError(f"{called_function()}: step={step!r}, but the trace has steps 0 to {len(z) - 1}")
    at = step % len(z)
    known = known_at(z, z[at])
    return known if z[at].act == "done" or z[at].iteration == 0 else looked_at(z, at, known)


def known_at(trace, s):
    """Return a Highlight with the numbers that are known at step s, in which nothing is marked."""
    totals = {v: q.number for v, q in s.computed.items()}
    running = {v for v, _ in s.log[s.known :]} & set(totals)
    if s.x is not None and s.total is not None and s.x not in totals:
        totals[s.x] = s.total.number
        running.add(s.x)
    final = {v: q.number for v, q in trace.computed.items()}
    return Highlight(totals=totals, running=frozenset(running), widest=totals_shown(trace), final=final)


def totals_shown(trace):
    """Return {v: every number that its gradient shows in the course of the trace}."""
    found: dict = {}
    for s in trace.steps:
        if s.total is not None and s.x is not None:
            shown = found.setdefault(s.x, [])
            if not shown or shown[-1] is not s.total.number:
                shown.append(s.total.number)
    return found


def looked_at(trace, at, known):
    """Add to `known` what step number `at` looks at: its current variable, the variables beside it, the edges between them."""
    s = trace[at]
    if trace.schedule.scatters:
        current, other, tag, noun = s.y, s.x, "current y", "input"
        edges = [(s.y, slot) for slot in range(len(s.y.inputs))]
        others = dict.fromkeys(s.y.inputs)
    else:
        current, other, tag, noun = s.x, s.y, "current x", "child"
        edges = trace.graph.children[s.x]
        others = dict.fromkeys(y for y, _ in edges)
    tags = {v: noun if len(others) == 1 else f"{noun} {i}" for i, v in enumerate(others, 1)}
    path = (s.state or {}).get("path", ())
    return known._replace(
        tags={**tags, current: tag},
        current=current,
        active=other,
        edges=frozenset((y, slot) for y, slot in edges),
        at_work=frozenset((y, slot) for y, slot in (*path, *[(s.y, s.slot)] * (s.slot is not None))),
        known=frozenset((t.y, t.slot) for t in trace.terms(at) if t.partial is not None),
    )


# How it looks


def box_look(variables, highlight, theme, fill, style="ROUNDED"):
    """Return the fill of the box of these variables, and the colour, the width and the style of its frame.

    `fill` and `style` are those of a box that the step does not look at.
    """
    if any(v is highlight.current for v in variables):
        return theme.current_fill, theme.current, THICK, "ROUNDED"
    if any(v is highlight.active for v in variables):
        return theme.child_fill, theme.child, THICK, "ROUNDED"
    if any(v in highlight.tags for v in variables):
        return fill, theme.child, 2, "ROUNDED,DASHED"
    return fill, theme.line if highlight.current is None else theme.faint, 1, style


def edge_look(uses, highlight, theme):
    """Return the attributes and the class of an edge that stands for these uses (y, slot); ({}, "") if no step looks at the graph."""
    if any(use in highlight.at_work for use in uses):
        return {"color": theme.partial, "penwidth": str(THICK)}, "active"
    if any(use in highlight.edges for use in uses):
        return {"color": theme.child, "penwidth": "2", "style": "dashed"}, "neighbour"
    return ({}, "") if highlight.current is None else ({"color": theme.faint}, "dimmed")

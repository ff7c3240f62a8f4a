"""What is drawn: the part of a graph that is near z, and what a step of a trace looks at.

Legend: y is a variable that some function made, x one of its inputs, an edge (y, slot) one use of a variable.
"""

from collections import deque
from typing import NamedTuple

from scalargrad.callers import called_function
from scalargrad.errors import brief
from scalargrad.graph import inputs_first, node_of
from viz.drawing.folding import Folded


class Part(NamedTuple):
    """What is drawn of a graph: those of its variables (inputs before outputs) that are nearest to z."""

    z: object  # None where several variables are drawn together
    variables: list
    number: dict  # {v: its place in the whole graph}
    graph: object
    boxes: list = []  # folded scopes
    folded: Folded | None = None  # the whole graph, folded

    @property
    def things(self):
        """The variables and boxes that are drawn."""
        near = {*self.variables, *self.boxes}
        return [t for t in self.folded.things if t in near] if self.folded else self.variables

    def thing(self, v):
        """What v is drawn as: itself, or the box that it stands in."""
        return self.folded.thing[v] if self.folded else v

    def inside(self, y):
        """The parameters that stand in y's box."""
        return self.folded.inside.get(y, ()) if self.folded else ()


class Together(NamedTuple):
    """The graph of several variables."""

    z: None
    variables: list


def part_of(z, most, first=(), folding=None):
    """At most `most` variables of the graph of z: z, those in `first`, then by their distance from these.

    `folding` is a function of (variables, most) that says which of them stand in boxes; a box counts as one.
    """
    roots = roots_of(z)
    z = roots[0] if len(roots) == 1 else None
    everything = []
    for root in roots:
        everything += inputs_first(root, everything)
    folded = folding(everything, most) if folding else None
    thing = folded.thing.get if folded else lambda v: v
    near = dict.fromkeys([thing(v) for v in dict.fromkeys([*roots, *first])][:most])
    walk = deque(near)
    while walk and len(near) < most:
        for x in map(thing, walk.popleft().inputs):
            if x not in near and len(near) < most:
                near[x] = None
                walk.append(x)
    number = {v: i for i, v in enumerate(everything) if v in near}
    boxes = [box for box in folded.boxes if box in near] if folded else []
    return Part(z, list(number), number, Together(z, everything), boxes, folded)


def unzoomed(z):
    """The Value, or the array of Values, that a zoom shows; anything else as it is."""
    return z.z if hasattr(z, "entries") and hasattr(z, "z") else z


def roots_of(z):
    """The variables whose graph is to be drawn: z, those in the list or array z, or the entries of z that a zoom shows."""
    z = unzoomed(z)
    several = z.ravel().tolist() if hasattr(z, "ravel") and not hasattr(z, "inputs") else z
    roots = list(dict.fromkeys(several)) if isinstance(several, list | tuple) and several else [z]
    wrong = next((root for root in roots if not hasattr(root, "inputs")), None)
    if wrong is not None:
        raise TypeError(f"{called_function()}: {brief(wrong)} is not a variable; give a Value, a Tensor, a Graph or a Trace")
    return list(map(node_of, roots))


class Highlight(NamedTuple):
    """What a step of a trace looks at. An edge is (y, slot)."""

    tags: dict = {}  # {v: what v is to this step}
    current: object = None
    active: object = None  # the child (or input) at work
    edges: frozenset = frozenset()  # the edges that this step's sum runs over
    at_work: frozenset = frozenset()  # those it is at
    known: frozenset = frozenset()  # those whose ∂y/∂x is worked out by now
    totals: dict = {}  # {v: dz/dv as far as it is summed up}
    running: frozenset = frozenset()  # variables whose sum is not complete
    widest: dict | None = None  # {v: every number that its gradient shows in the course of the trace}
    final: dict = {}  # {v: dz/dv at the end}


NOTHING = Highlight()


def highlight(trace, step):
    """What step number `step` of a trace looks at. In a schedule that scatters, the current variable is y."""
    if not -len(trace) <= step < len(trace):
        raise IndexError(f"draw: step={step!r}, but the trace has steps 0 to {len(trace) - 1}")
    at = step % len(trace)
    s, children = trace[at], trace.graph.children
    totals = {v: q.number for v, q in s.computed.items()}
    running = {v for v, _ in s.log[s.known :]} & set(totals)
    widest = {}
    for past in trace.steps:
        if past.total is not None and past.x is not None:
            shown = widest.setdefault(past.x, [])
            if not shown or shown[-1] is not past.total.number:
                shown.append(past.total.number)
    final = {v: q.number for v, q in trace.computed.items()}
    if s.x is not None and s.total is not None and s.x not in totals:
        totals[s.x] = s.total.number
        running.add(s.x)
    if s.act == "done" or s.iteration == 0:
        return NOTHING._replace(totals=totals, running=frozenset(running), widest=widest, final=final)
    if trace.schedule.scatters:
        current, other, noun = s.y, s.x, "input"
        edges = [(s.y, slot) for slot in range(len(s.y.inputs))]
        others = dict.fromkeys(s.y.inputs)
    else:
        current, other, noun = s.x, s.y, "child"
        edges = [(y, slot) for y, slot in children[s.x]]
        others = dict.fromkeys(y for y, _ in edges)
    tags = {v: noun if len(others) == 1 else f"{noun} {i}" for i, v in enumerate(others, 1)}
    at_work = set((s.state or {}).get("path", ()))
    if s.slot is not None:
        at_work.add((s.y, s.slot))
    return Highlight(
        tags={**tags, current: "current x" if noun == "child" else "current y"},
        current=current,
        active=other,
        edges=frozenset(edges),
        at_work=frozenset((y, slot) for y, slot in at_work),
        known=frozenset((t.y, t.slot) for t in trace.terms(at) if t.partial is not None),
        totals=totals,
        running=frozenset(running),
        widest=widest,
        final=final,
    )

"""Which part of a graph is drawn: the variables, and the boxes of folded scopes, that are nearest to z."""

from collections import deque
from typing import NamedTuple

from scalargrad.callers import called_function
from scalargrad.graph import Graph, Variables, inputs_first, node_of
from scalargrad.messages.errors import brief
from scalargrad.tracing.trace import Trace
from viz.drawing.folding import Folded


class Selection(NamedTuple):
    """What is drawn of a graph: those of its variables (inputs before outputs) that are nearest to z."""

    z: object
    variables: list
    number: dict  # {v: its place in the whole graph}
    graph: Variables  # the whole graph
    boxes: list = []  # folded scopes
    folded: Folded | None = None  # the whole graph, folded

    @property
    def things(self):
        """Return the variables and boxes that are drawn."""
        near = {*self.variables, *self.boxes}
        return [t for t in self.folded.things if t in near] if self.folded else self.variables

    def thing(self, v):
        """Return what v is drawn as: itself, or the box that it stands in."""
        return self.folded.thing[v] if self.folded else v

    def inside(self, y):
        """Return the parameters that stand in y's box."""
        return self.folded.inside.get(y, ()) if self.folded else ()


def select(z, most, first=(), folding=None):
    """Return at most `most` variables of the graph of z: z, those in `first`, then by their distance from these.

    `folding` is a function of (variables, most) that says which variables stand in boxes. A box counts as one variable.
    """
    roots = roots_of(z)
    z = roots[0] if len(roots) == 1 else None
    everything: list = []
    for root in roots:
        everything += inputs_first(root, everything)
    folded = folding(everything, most) if folding else None
    thing = folded.thing.get if folded else lambda v: v
    near = nearest([thing(v) for v in dict.fromkeys([*roots, *first])], most, thing)
    number = {v: i for i, v in enumerate(everything) if v in near}
    boxes = [box for box in folded.boxes if box in near] if folded else []
    return Selection(z, list(number), number, Variables(z, everything), boxes, folded)


def nearest(first, most, thing):
    """Return at most `most` things: those in `first`, then their inputs, the inputs of these, and so on."""
    near = dict.fromkeys(first[:most])
    walk = deque(near)
    while walk and len(near) < most:
        for x in map(thing, walk.popleft().inputs):
            if x not in near and len(near) < most:
                near[x] = None
                walk.append(x)
    return near


def roots_of(z):
    """Return the variables whose graph is drawn: z, that of a trace or a graph, those in a list or array, or what a zoom shows."""
    z = unzoomed(z.graph.z if isinstance(z, Trace) else z.z if isinstance(z, Graph) else z)
    several = z.ravel().tolist() if hasattr(z, "ravel") and not hasattr(z, "inputs") else z
    roots = list(dict.fromkeys(several)) if isinstance(several, list | tuple) and several else [z]
    wrong = next((root for root in roots if not hasattr(root, "inputs")), None)
    if wrong is not None:
        raise TypeError(f"{called_function()}: {brief(wrong)} is not a variable; give a Value, a Tensor, a Graph or a Trace")
    return list(map(node_of, roots))


def unzoomed(z):
    """Return the Value, or the array of Values, that a zoom shows; anything else as it is."""
    return z.z if hasattr(z, "entries") and hasattr(z, "z") else z

"""The tutorial's last algorithm with the += of its printed code, which adds in place: arrays that two variables share change under both.

It is `propagate`, on gradients that add in place. Its steps show each gradient as it was at that moment.
"""

from scalargrad.tracing.propagate import propagate
from scalargrad.tracing.quantities import Quantity
from tensorgrad.inspection.trace_values import EdgeFormula


class Shared(Quantity):
    """An array and its formula. A sum is written into the array of the first term, so a gradient that shares this array gets it too."""

    __slots__ = ()

    def __add__(self, other):
        self.number[...] += other.number
        return Shared(self.number, self.symbol + other.symbol)


class SharedEdge(EdgeFormula):
    """A vjp whose result is the upstream gradient itself where the rule returns it, as the rule of + does."""

    __slots__ = ()

    def __rmul__(self, upstream):
        return Shared(*super().__rmul__(upstream))


class InPlace:
    """What a trace of arrays runs on, with edges that pass shared arrays."""

    def __init__(self, on):
        self.on = on

    def __getattr__(self, name):
        return getattr(self.on, name)

    def partial(self, y, slot):
        edge = self.on.partial(y, slot)
        return SharedEdge(edge.symbol, edge.vjp, edge.name)


def in_place(graph, on):
    """Yield the steps of the tutorial's `Node.backward` with the printed `input.grad += input_grad`: a loop for Trace(z, steps=in_place).

    >>> from scalargrad import Trace
    >>> from tutorial.graphs.matrices import fan_out
    >>> v = fan_out(); wrong = Trace(v["z"], schedule="propagate", steps=in_place)
    >>> wrong.computed[v["D"]].number.tolist()
    [[6.0, 6.0], [13.0, 13.0]]
    """
    log = []
    latest = {}
    for step in propagate(graph, InPlace(on)):
        nodes = {x: node._replace(grad=copied(node.grad)) for x, node in step.state["nodes"].items()} if step.state else {}
        for x, node in nodes.items():
            if node.grad is None:
                continue
            if x not in latest or (latest[x].number != node.grad.number).any() or (step.act == "add" and x is step.x):
                latest[x] = node.grad
                log.append((x, node.grad))
        quantities = {what: copied(getattr(step, what)) for what in ("total", "term", "upstream")}
        state = {**step.state, "nodes": nodes} if step.state else step.state
        yield step._replace(log=log, known=len(log), state=state, **quantities)


def copied(quantity):
    """Return a quantity with an array of its own; None and a vjp as they are."""
    number = getattr(quantity, "number", None)
    return quantity if number is None or not hasattr(number, "copy") else Quantity(number.copy(), quantity.symbol)

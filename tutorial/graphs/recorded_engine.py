"""Show an engine that is a plain function in the player: record a step for each edge that it uses, in its own order.

Such an engine takes z, a function `uses` and a dictionary `grad`. `uses(y)` yields (x, partial) for each input x of y. `grad` is {z: 1}
at the start, and 0 for a variable that is not in it. `trace(z, engine)` is then a trace, right or wrong, to play beside `trace(z)`.
"""

from collections.abc import Callable
from functools import wraps

from scalargrad import Graph, Trace
from scalargrad.tracing.steps import Schedule, Step

ENGINE = {
    1: "ENGINE(node z):",
    2: "    Let total = {z : 1}",
    3: "    When the engine comes to a node y:",
    4: "        For each input x of y:",
    5: "            Let partial_x = calculate(∂y/∂x)",
    6: "            total[x] += total[y] * partial_x",
}


def tape(z, uses, grad):
    """The right engine: it reads the variables from the last to the first, and adds."""
    for y in reversed(Graph(z).variables):
        for x, partial in uses(y):
            grad[x] += grad[y] * partial


def run(z, engine: Callable = tape) -> dict:
    """Return {x: number}: what the engine gives for each variable of the graph of z.

    >>> from scalargrad import Value
    >>> x = Value(3, name="x"); y = x * x; run(y)[x]
    6
    """
    grads = Grads(z, 1, 0)
    engine(z, lambda y: zip(y.inputs, y.partials), grads)
    return grads


def trace(z, engine: Callable = tape, **options) -> Trace:
    """Return a trace of the engine's steps on the graph of z, in the order in which it makes them. `options` are those of Trace.

    >>> from scalargrad import Value
    >>> x = Value(3, name="x"); y = x * x; trace(y).computed[x].number
    6
    """
    return Trace(z, schedule=AS_WRITTEN, steps=as_loop(engine), **options)


def as_loop(engine):
    """Return the engine as a loop for Trace(z, steps=...). If the engine raises, the loop raises after its last step."""

    @wraps(engine)
    def loop(graph, on):
        recorder = Recorder(graph, on)
        try:
            engine(graph.z, recorder.uses, recorder)
        except Exception:
            yield from recorder.steps
            raise
        yield from recorder.steps
        yield recorder.step(None, "done", y=None)

    return loop


AS_WRITTEN = Schedule("engine", ENGINE, as_loop(tape), plain=None, scatters=True, takes_order=False, keeps=())


class Grads(dict):
    """{x: dz/dx}, with 1 for z; a variable that is not in it has 0."""

    def __init__(self, z, one, zero):
        super().__init__({z: one})
        self.zero = zero

    def __missing__(self, x):
        return self.zero


class Recorder(Grads):
    """The dictionary of an engine. It records what the engine inserts, and through which edge."""

    def __init__(self, graph, on):
        super().__init__(graph.z, on.one, on.zero)
        self.on = on
        self.log = [(graph.z, on.one)]
        self.edge, self.turns = None, 0
        self.steps = [Step(1, "call", log=self.log)]
        self.steps.append(Step(2, "start", x=graph.z, total=on.one, known=1, log=self.log))

    def uses(self, y):
        """Yield (x, partial) for each input x of y, and remember the edge."""
        self.turns += 1
        self.steps.append(self.step(3, "visit", y=y))
        for slot, x in enumerate(y.inputs):
            self.edge = y, slot, x, self[y]
            yield x, self.on.partial(y, slot)

    def __setitem__(self, x, total):
        total = self.as_quantity(total)
        before = self.get(x)
        super().__setitem__(x, total)
        if self.edge is None or self.edge[2] is not x:
            self.log.append((x, total))  # the engine wrote to another variable than the input at its edge
            return
        y, slot, _, total_y = self.edge
        upstream, partial = self.on.upstream(y, total_y), self.on.partial(y, slot)
        known = {"x": x, "y": y, "slot": slot, "partial": partial, "upstream": upstream}
        self.steps.append(self.step(5, "partial", total=before, **known))
        self.log.append((x, total))
        self.steps.append(self.step(6, "add", total=total, term=upstream * partial, **known))

    def as_quantity(self, total):
        """Return what an engine inserts as a number with its formula; an engine may insert a plain 0 or 1."""
        return {0: self.on.zero, 1: self.on.one}.get(total, total) if isinstance(total, int) else total

    def step(self, line, act, **known):
        return Step(line, act, self.turns, known=len(self.log), log=self.log, **known)

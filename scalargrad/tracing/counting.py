"""Dependency counting: equation (1) without sorting. Its loop checks eleven invariants while it runs."""

import random
from math import prod

from scalargrad.graph import show
from scalargrad.messages.errors import unknown_choice
from scalargrad.tracing.history import Queue, Record
from scalargrad.tracing.steps import Step


class InvariantError(AssertionError):
    """One of the invariants of dependency counting does not hold."""


COUNTING = {
    1: "DEPENDENCY_COUNTING(Computation graph G, node z in G):",
    2: "    For each use of a variable x by a function that z depends on:",
    3: "        pending[x] += 1, if a function made x",
    4: "    Let total = {z : 1}, ready = [z]",
    5: "    While something is ready:",
    6: "        Take some y from ready",
    7: "        For each input x of y:",
    8: "            Let partial_x = calculate(∂y/∂x)",
    9: "            total[x] += total[y] * partial_x",
    10: "            pending[x] -= 1, if a function made x",
    11: "            If pending[x] is now 0: put x into ready",
}

INVARIANTS = {
    1: "the count of a variable is the number of its uses by functions that z depends on; x * x counts twice",
    2: "only intermediate variables are counted and become ready",
    3: "each use passes one contribution, which has the shape of the variable",
    4: "only one place adds to totals",
    5: "a rule reads its inputs and the upstream gradient, never a total",
    6: "at the start only z has a total, and it is 1",
    7: "the total of a variable is complete before it is passed on",
    8: "z is a single number",
    9: "counts never become negative",
    10: "a variable that is taken from ready has a total",
    11: "at the end every count is 0 again",
}


def shape_of(x):
    """Return the shape of an array, or of a variable that holds one; () for a number."""
    return x.shape if hasattr(x, "shape") else getattr(getattr(x, "data", None), "shape", ())


def require(number, holds, about):
    if not holds:
        raise InvariantError(f"invariant {number} fails at {show(about)}: {INVARIANTS[number]}")


def count_uses(graph):
    """Return {v: how many times functions of the graph use v} for each intermediate variable v. Dead branches are not in the graph."""
    pending = {v: 0 for v in graph.variables if v.inputs}
    for y in graph.variables:
        for x in y.inputs:
            if x.inputs:
                pending[x] += 1
    return pending


def take_any(ready, dice):
    place = dice.randrange(len(ready))
    ready[place], ready[-1] = ready[-1], ready[place]
    return ready.pop()


TAKE = {
    "fifo": lambda ready, dice: ready.popleft(),
    "lifo": lambda ready, dice: ready.pop(),
    "random": take_any,
}


def counting(graph, on, queue="fifo", seed=0, pending=None):
    """Run dependency counting: a variable is ready when all its children have been processed.

    `queue` says which ready variable comes next: "fifo", "lifo" or "random" (from `seed`). The loop checks its invariants as it
    runs. `pending` replaces the counts, to see which invariant a wrong count breaks.
    """
    if not isinstance(queue, str) or queue not in TAKE:
        raise unknown_choice("counting", "queue", queue, TAKE)
    take, dice = TAKE[queue], random.Random(seed)
    z, log = graph.z, []
    yield Step(1, "call", log=log)
    counted = count_uses(graph)
    pending = Record(counted if pending is None else pending)
    for x, uses in pending.items():
        require(2, x.inputs, x)
        require(1, uses == counted.get(x), x)
    yield Step(3, "count", log=log, state={"pending": pending.now()})
    totals, ready = {}, Queue()

    def accumulate(x, term):  # invariant 4: the only place that adds to totals
        totals[x] = totals[x] + term if x in totals else on.zero + term
        log.append((x, totals[x]))

    accumulate(z, on.one)
    require(6, len(totals) == 1, z)
    require(8, prod(shape_of(z)) == 1, z)
    if z.inputs:
        ready.append(z)
    yield Step(4, "start", x=z, total=on.one, known=1, log=log, state=now(pending, ready))
    taken = 0
    while ready:
        y = take(ready, dice)
        taken += 1
        require(10, y in totals, y)
        require(7, pending[y] == 0, y)
        final = totals[y]
        here = Step(6, "take", taken, y=y, total=None, known=len(log), log=log, state=now(pending, ready))
        yield here
        total_y = on.upstream(y, final)
        for slot, x in enumerate(y.inputs):
            partial_x = on.partial(y, slot)
            require(5, on.as_made(y, slot, partial_x), y)  # unchanged since y was made
            here = here._replace(x=x, slot=slot, partial=partial_x, upstream=total_y, total=totals.get(x))
            yield here._replace(line=8, act="partial")
            term = total_y * partial_x
            require(3, shape_of(getattr(term, "number", term)) == shape_of(x), y)
            accumulate(x, term)
            here = here._replace(total=totals[x], term=term, known=len(log))
            yield here._replace(line=9, act="add")
            if x.inputs:
                pending[x] -= 1
                require(9, pending[x] >= 0, x)
                yield here._replace(line=10, act="count down", state=now(pending, ready))
                if pending[x] == 0:
                    ready.append(x)
                    yield here._replace(line=11, act="ready", state=now(pending, ready))
            here = here._replace(term=None, state=now(pending, ready))
        require(7, totals[y] is final, y)
    require(4, len(log) == 1 + sum(map(len, graph.children.values())), z)
    for x, waiting in pending.items():
        require(11, waiting == 0, x)
    yield Step(None, "done", known=len(log), log=log)


def now(pending, ready):
    """Return the state of a step: the counts and the queue at this moment."""
    return {"pending": pending.now(), "ready": ready.now()}

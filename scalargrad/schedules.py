"""Other ways to run equation (1), each a lesson beside the tutorial's loop: counting, a tape, the sum over all paths.

All but the last scatter: a finished variable y hands dz/dy · ∂y/∂x on to each of its inputs x. A schedule yields one
Step for each executed line of its pseudocode; a property test holds all their results equal.
"""

import random
from math import prod

from scalargrad.backpropagation import PSEUDOCODE, backpropagation, steps
from scalargrad.graph import OrderError, show
from scalargrad.history import Counts, Queue
from scalargrad.steps import Schedule, Step


class InvariantError(AssertionError):
    """Dependency counting went wrong: one of its invariants does not hold."""


COUNTING = {
    1: "DEPENDENCY_COUNTING(Computation graph G, node z in G):",
    2: "    For each use of a variable x by a function that z depends on:",
    3: "        pending[x] += 1, if a function made x",
    4: "    Let total = {z : 1}, ready = [z]",
    5: "    While something is ready:",
    6: "        Take some y out of ready",
    7: "        For each input x of y:",
    8: "            Let partial_x = calculate(∂y/∂x)",
    9: "            total[x] += total[y] * partial_x",
    10: "            pending[x] -= 1, if a function made x",
    11: "            If pending[x] is now 0: put x into ready",
}

INVARIANTS = {  # seed 002's eleven, in its numbering
    1: "the count of a variable equals its uses by functions that z depends on; x * x counts twice",
    2: "only a variable that a function made is counted or becomes ready",
    3: "a contribution is handed on as the rule made it, one number for one use",
    4: "totals are summed in one place only",
    5: "a rule reads its inputs and the upstream gradient, never a total",
    6: "at the start only z has a total, and it is 1",
    7: "the total of a variable is final before it is handed on",
    8: "z is a single number",
    9: "no count is ever negative",
    10: "a variable has a total when it is taken",
    11: "one pass at a time: every count is 0 again at the end",
}


def shape_of(x):
    """The shape of an array, or of a variable that holds one; that of a number is ()."""
    return x.shape if hasattr(x, "shape") else getattr(getattr(x, "data", None), "shape", ())


def require(number, holds, about):
    if not holds:
        raise InvariantError(f"invariant {number} fails at {show(about)}: {INVARIANTS[number]}")


def count_uses(graph):
    """How many times each variable that a function made is used on the way to z. Dead branches are not in the graph."""
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
    """Dependency counting: a variable is ready once all its children have spoken. `queue` is "fifo", "lifo" or "random".

    Its invariants are checked as it runs; `pending` replaces the counts, to see which invariant a wrong count breaks.
    """
    if not isinstance(queue, str) or queue not in TAKE:
        raise ValueError(f"there is no queue {queue!r}; choose one of {', '.join(TAKE)}")
    take, dice = TAKE[queue], random.Random(seed)
    z, log = graph.z, []
    yield Step(1, "call", log=log)
    counted = count_uses(graph)
    pending = Counts(counted if pending is None else pending)
    for x, uses in pending.items():
        require(2, x.inputs, x)
        require(1, uses == counted.get(x), x)
    yield Step(3, "count", log=log, state={"pending": pending.now()})
    totals, ready = {}, Queue()

    def accumulate(x, term):  # invariant 4: the one place that sums
        totals[x] = totals[x] + term if x in totals else on.zero + term
        log.append((x, totals[x]))

    accumulate(z, on.one)
    require(6, len(totals) == 1, z)
    require(8, prod(shape_of(z)) == 1, z)
    if z.inputs:
        ready.append(z)
    yield Step(4, "start", x=z, total=on.one, known=1, log=log, state=_state(pending, ready))
    taken = 0
    while ready:
        y = take(ready, dice)
        taken += 1
        require(10, y in totals, y)
        require(7, pending[y] == 0, y)
        final = totals[y]
        here = Step(6, "take", taken, y=y, total=None, known=len(log), log=log, state=_state(pending, ready))
        yield here
        upstream = on.upstream(y, final)
        for slot, x in enumerate(y.inputs):
            partial = on.partial(y, slot)
            require(5, on.as_made(y, slot, partial), y)  # as it was before there were totals
            here = here._replace(x=x, slot=slot, partial=partial, upstream=upstream, total=totals.get(x))
            yield here._replace(line=8, act="partial")
            term = upstream * partial
            require(3, shape_of(getattr(term, "number", term)) == shape_of(x), y)
            accumulate(x, term)
            here = here._replace(total=totals[x], term=term, known=len(log))
            yield here._replace(line=9, act="add")
            if x.inputs:
                pending[x] -= 1
                require(9, pending[x] >= 0, x)
                yield here._replace(line=10, act="count down", state=_state(pending, ready))
                if pending[x] == 0:
                    ready.append(x)
                    yield here._replace(line=11, act="ready", state=_state(pending, ready))
            here = here._replace(term=None, state=_state(pending, ready))
        require(7, totals[y] is final, y)
    require(4, len(log) == 1 + sum(map(len, graph.children.values())), z)
    for x, waiting in pending.items():
        require(11, waiting == 0, x)
    yield Step(None, "done", known=len(log), log=log)


def _state(pending, ready):
    return {"pending": pending.now(), "ready": ready.now()}


TAPE = {
    1: "TAPE(variables in the order in which they were made, z the last):",
    2: "    Let total = [none, ..., none, 1]",
    3: "    For each place i on the tape, from the last to the first:",
    4: "        If total[i] is none: go on, z does not depend on it",
    5: "        For each input j of the function at i:",
    6: "            Let partial_j = calculate(∂y_i/∂x_j)",
    7: "            total[j] += total[i] * partial_j",
}


def tape(graph, on, recorded=None):
    """A tape: every variable in the order of its making, read backwards. `recorded` may hold variables z does not need."""
    places = list(recorded) if recorded is not None else graph.variables
    position = {v: i for i, v in enumerate(places)}
    for y in graph.variables:
        if y not in position or any(position[x] > position[y] for x in y.inputs if x in position):
            raise OrderError(f"the tape must hold {show(y)}, after its inputs: every variable is recorded once, when it is made")
    z, log, totals = graph.z, [], {}
    yield Step(1, "call", log=log, state={"tape": places})
    totals[z] = on.one
    log.append((z, on.one))
    yield Step(2, "start", x=z, total=on.one, known=1, log=log, state={"tape": places})
    for i in range(len(places) - 1, -1, -1):
        y = places[i]
        here = Step(3, "visit", len(places) - i, y=y, known=len(log), log=log, state={"tape": places, "place": i})
        yield here
        if y not in totals:
            yield here._replace(line=4, act="skip")
            continue
        upstream = on.upstream(y, totals[y])
        for slot, x in enumerate(y.inputs):
            partial = on.partial(y, slot)
            here = here._replace(x=x, slot=slot, partial=partial, upstream=upstream, total=totals.get(x))
            yield here._replace(line=6, act="partial")
            term = upstream * partial
            totals[x] = totals[x] + term if x in totals else on.zero + term
            log.append((x, totals[x]))
            yield here._replace(line=7, act="add", term=term, total=totals[x], known=len(log))
            here = here._replace(known=len(log))
    yield Step(None, "done", known=len(log), log=log)


PATHS = {
    1: "SUM_OVER_PATHS(Computation graph G, node z in G):",
    2: "    For each node x that z depends on:",
    3: "        Let dz/dx = 0",
    4: "        For each path from x to z:",
    5: "            Let product = the product of the partials along the path",
    6: "            dz/dx += product",
    7: "        insert dz/dx into computed",
}

MOST_PATHS, MOST_EDGES = 10_000, 100_000


def count_paths(graph):
    """{x: the number of paths from x to z, and of edges on all of them together}, without walking them."""
    counts = {graph.z: (1, 0)}
    for x in graph.order[1:]:
        many = sum(counts[y][0] for y, _ in graph.children[x])
        counts[x] = many, many + sum(counts[y][1] for y, _ in graph.children[x])
    return counts


def paths(graph, on):
    """The sum over all paths, with no memory of dz/dy: what equation (1) saves. Only for tiny graphs (ValueError)."""
    many, edges = map(sum, zip(*count_paths(graph).values()))
    if many > MOST_PATHS or edges > MOST_EDGES:
        raise ValueError(
            f"the sum over all paths would walk {many:,} paths (at most {MOST_PATHS:,}) of {edges:,} edges together "
            f"(at most {MOST_EDGES:,}); remembering dz/dy needs "
            f"{sum(map(len, graph.children.values())):,} products: use another schedule"
        )
    z, log = graph.z, [(graph.z, on.one)]
    yield Step(1, "call", x=z, total=on.one, known=1, log=log)
    for iteration, x in enumerate(graph.order[1:], 1):
        here = Step(2, "visit", iteration, x, known=len(log), log=log)
        yield here
        total = on.zero
        yield here._replace(line=3, act="zero", total=total)
        stack = [(x, ())]
        while stack:
            v, path = stack.pop()
            if v is z:
                product = on.product(path)
                here = here._replace(y=path[0].child, slot=path[0].slot, state={"path": list(path)})
                yield here._replace(line=5, act="multiply", term=product, total=total)
                total = total + product
                yield here._replace(line=6, act="add", term=product, total=total)
            stack.extend((edge.child, (*path, edge)) for edge in reversed(graph.children[v]))
        log.append((x, total))
        yield Step(7, "insert", iteration, x, total=total, known=len(log), log=log)
    yield Step(None, "done", known=len(log), log=log)


# fmt: off
SCHEDULES = {schedule.name: schedule for schedule in (
    #        name           listing     loop      plain            scatters  takes_order  keeps
    Schedule("topological", PSEUDOCODE, steps,    backpropagation, False,    True,        ()),
    Schedule("counting",    COUNTING,   counting, None,            True,     False,       ("pending", "ready")),
    Schedule("tape",        TAPE,       tape,     None,            True,     False,       ("tape", "place")),
    Schedule("paths",       PATHS,      paths,    None,            False,    True,        ("path",)),
)}
# fmt: on

"""The table SCHEDULES of ways to evaluate equation (1): the tutorial's loop, counting, a tape, and the sum over all paths.

To add one, write its pseudocode and its loop, which yields a Step for each executed line, and a row of the table. Terminal, page,
quiz and command line follow from the row, and a property test checks that all schedules give equal results.
"""

from scalargrad.backpropagation import PSEUDOCODE, backpropagation, steps
from scalargrad.counting import COUNTING, counting
from scalargrad.graph import OrderError, show
from scalargrad.steps import Schedule, Step

TAPE = {
    1: "TAPE(variables in the order in which they were made, z the last):",
    2: "    Let total = [none, ..., none, 1]",
    3: "    For each place i on the tape, from the last to the first:",
    4: "        If total[i] is none: continue, z does not depend on it",
    5: "        For each input j of the function at i:",
    6: "            Let partial_j = calculate(∂y_i/∂x_j)",
    7: "            total[j] += total[i] * partial_j",
}


def tape(graph, on, recorded=None):
    """Run a tape: all variables in the order in which they were made, read from the last to the first.

    `recorded` is this list; it may hold variables that z does not depend on. By default it holds only those of the graph.
    """
    places = list(recorded) if recorded is not None else graph.variables
    position = {v: i for i, v in enumerate(places)}
    for y in graph.variables:
        if y not in position or any(position[x] > position[y] for x in y.inputs if x in position):
            raise OrderError(f"the tape must hold {show(y)} after its inputs; record each variable once, when it is made")
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
        total_y = on.upstream(y, totals[y])
        for slot, x in enumerate(y.inputs):
            partial_x = on.partial(y, slot)
            here = here._replace(x=x, slot=slot, partial=partial_x, upstream=total_y, total=totals.get(x))
            yield here._replace(line=6, act="partial")
            term = total_y * partial_x
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
    """Return {x: (number of paths from x to z, number of their edges in total)} without walking the paths."""
    counts = {graph.z: (1, 0)}
    for x in graph.order[1:]:
        many = sum(counts[y][0] for y, _ in graph.children[x])
        counts[x] = many, many + sum(counts[y][1] for y, _ in graph.children[x])
    return counts


def paths(graph, on):
    """Run the sum over all paths, which remembers no dz/dy: it shows what equation (1) saves.

    Raises ValueError if there are more than 10,000 paths, or more than 100,000 edges on them.
    """
    many, edges = map(sum, zip(*count_paths(graph).values()))
    if many > MOST_PATHS or edges > MOST_EDGES:
        raise ValueError(
            f"the sum over all paths would walk {many:,} paths (at most {MOST_PATHS:,}) of {edges:,} edges in total "
            f"(at most {MOST_EDGES:,}); use another schedule, which remembers dz/dy and needs "
            f"{sum(map(len, graph.children.values())):,} products"
        )
    z, log = graph.z, [(graph.z, on.one)]
    yield Step(1, "call", x=z, total=on.one, known=1, log=log)
    for iteration, x in enumerate(graph.order[1:], 1):
        here = Step(2, "visit", iteration, x, known=len(log), log=log)
        yield here
        dz_dx = on.zero
        yield here._replace(line=3, act="zero", total=dz_dx)
        stack = [(x, ())]
        while stack:
            v, path = stack.pop()
            if v is z:
                product = on.product(path)
                here = here._replace(y=path[0].child, slot=path[0].slot, state={"path": list(path)})
                yield here._replace(line=5, act="multiply", term=product, total=dz_dx)
                dz_dx = dz_dx + product
                yield here._replace(line=6, act="add", term=product, total=dz_dx)
            stack.extend((edge.child, (*path, edge)) for edge in reversed(graph.children[v]))
        log.append((x, dz_dx))
        yield Step(7, "insert", iteration, x, total=dz_dx, known=len(log), log=log)
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

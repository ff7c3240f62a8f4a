"""The table SCHEDULES of ways to evaluate equation (1): the tutorial's two loops, counting, a tape, and the sum over all paths.

To add one, write its pseudocode and its loop, which yields a Step for each executed line, and a row of the table. Terminal, page,
quiz and command line follow from the row, and a property test checks that all schedules give equal results.
"""

from scalargrad.backpropagation import PSEUDOCODE, backpropagation
from scalargrad.tracing.counting import COUNTING, counting
from scalargrad.tracing.gathering import steps
from scalargrad.tracing.propagate import PROPAGATE, propagate
from scalargrad.tracing.steps import Schedule, Step
from scalargrad.tracing.tape import TAPE, tape

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
    #        name           listing     loop       plain            scatters  takes_order  keeps
    Schedule("topological", PSEUDOCODE, steps,     backpropagation, False,    True,        ()),
    Schedule("propagate",   PROPAGATE,  propagate, None,            True,     True,        ("ordering", "nodes")),
    Schedule("counting",    COUNTING,   counting,  None,            True,     False,       ("pending", "ready")),
    Schedule("tape",        TAPE,       tape,      None,            True,     False,       ("tape", "place")),
    Schedule("paths",       PATHS,      paths,     None,            False,    True,        ("path",)),
)}
# fmt: on

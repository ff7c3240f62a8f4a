"""Traces and programs that the tests of viz use: Figure 1 in the tutorial's order, thirty variables, a position; edges of a drawing."""

from scalargrad import Trace, Value, sqrt, tanh
from scalargrad.tracing import schedules
from tests.scalargrad.graphs import figure1

ORDER = ("z", "y2", "y1", "x2", "x1", "x3", "x4")
SCHEDULES = tuple(schedules.SCHEDULES)
NOT_THE_TUTORIALS = [name for name, schedule in schedules.SCHEDULES.items() if not schedule.gathers]
EDGE_BY_EDGE = [name for name, schedule in schedules.SCHEDULES.items() if not schedule.along_paths]
SCATTERING = [name for name, schedule in schedules.SCHEDULES.items() if schedule.scatters]


def figure1_trace(schedule="topological", numbers=(3, 1, -2, 4)):
    made = figure1(numbers)
    return Trace(made["z"], [made[name] for name in ORDER] if schedule == "topological" else None, schedule)


def thirty_variables(schedule="topological"):
    """Return a trace of five inputs, of which the first has twelve children, with floats of all sizes."""
    xs = [Value(10.0 ** -(3 * i) / 7, name=f"x{i}") for i in range(5)]
    z = xs[1]
    for i in range(12):
        z = z * xs[i % 5] + xs[0] if i % 2 else tanh(z + xs[0])
    for i in range(4):
        z = z * xs[0] + xs[i + 1]
    trace = Trace(z, schedule=schedule, names={})
    assert len(trace.graph.order) >= 30
    return trace


def edges_of(groups):
    """Return [(tail, head, group)] of the edges of a drawing. An edge that continues in the next row is one edge."""
    titles = [(*(end.split(":")[0] for end in g.find("{*}title").text.split("->")), g) for g in groups]
    before = {head.removeprefix("end"): tail for tail, head, _ in titles if head.startswith("end") and tail[:4] != "turn"}
    found = []
    for tail, head, g in titles:
        while tail.startswith("back"):
            tail = before[tail.removeprefix("back")]
        if not head.startswith(("end", "turn")) and not tail.startswith("turn"):
            found.append((tail, head, g))
    return found


def position():
    """A position by its distances from eight places: a hub, with names of middle length."""
    px, py, clock_bias = Value(1.2), Value(0.4), Value(0.05)
    cost = 0
    for sx, sy in [(0, 10), (8, 7), (-6, 9), (3, 12), (-9, 4), (10, 2), (5, 9), (-2, 11)]:
        distance = sqrt((px - sx) ** 2 + (py - sy) ** 2)
        residual = distance + clock_bias - 10
        cost = cost + residual**2
    return cost

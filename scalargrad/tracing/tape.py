"""A tape: the graph as a list, one entry for each variable in the order in which they were made, read from the last to the first."""

from functools import update_wrapper
from inspect import signature

from scalargrad.graph import OrderError, show
from scalargrad.tracing.steps import Step

TAPE = {
    1: "TAPE(variables in the order in which they were made, z the last):",
    2: "    Let total = [none, ..., none, 1]",
    3: "    For each place i on the tape, from the last to the first:",
    4: "        If total[i] is none: continue, z does not depend on it",
    5: "        For each input j of the function at i:",
    6: "            Let partial_j = calculate(∂y_i/∂x_j)",
    7: "            total[j] += total[i] * partial_j",
}


def of_the_first_entries(loop):
    """Give the loop of a tape the option `first`: it shows the steps of the first entries only, and joins those of the others."""

    def shortened(graph, on, recorded=None, first=None):
        return loop(graph, on, recorded) if first is None else joined(loop(graph, on, recorded), first)

    options = signature(shortened)
    update_wrapper(shortened, loop)
    shortened.__signature__ = options
    return shortened


def joined(steps, first):
    """Yield the steps, where those at places from `first` on are one step, "given". Raises ValueError if there is not such a place."""
    opening = next(steps)
    many = len(opening.state["tape"])
    if isinstance(first, bool) or not isinstance(first, int) or not 1 <= first <= many:
        raise ValueError(f"tape: first={first!r} must be a number of entries; this tape has {many}, so from 1 to {many}")
    yield opening
    later: list = []
    for step in steps:
        if (step.state or {}).get("place", -1) >= first:
            later.append(step)
            continue
        if later:
            passed = tuple(s for s in later if s.act == "add")
            yield Step(2, "given", known=later[-1].known, log=step.log, state={"tape": opening.state["tape"], "given": passed})
            later = []
        yield step


@of_the_first_entries
def tape(graph, on, recorded=None):
    """Run a tape: all variables in the order in which they were made, read from the last to the first.

    `recorded` is this list; it may hold variables that z does not depend on. By default it holds only those of the graph.
    `first` shows the steps of so many entries, those at the places 0 to first - 1. The gradients that the later entries pass to
    them are given at the start.
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

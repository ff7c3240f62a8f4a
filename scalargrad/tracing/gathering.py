"""The loop of the tutorial's BACKPROPAGATION, which gathers, as steps. `backpropagation.py` has its plain form, `graph.py` the sort."""

from scalargrad.tracing.steps import Step


def steps(graph, on):
    """Run the loop on `graph` and yield a Step for each executed line. `on` gives each number together with its formula."""
    z, log = graph.z, []
    yield Step(1, "call", log=log)
    yield Step(3, "sort", log=log)
    computed = {z: on.one}
    log.append((z, on.one))
    yield Step(5, "start", x=z, total=on.one, known=1, log=log)
    for iteration, x in enumerate(graph.order[1:], 1):
        here = Step(7, "visit", iteration, x, known=len(log), log=log)
        yield here
        dz_dx = on.zero
        yield here._replace(line=9, act="zero", total=dz_dx)
        for y, slot in graph.children[x]:
            partial_x = on.partial(y, slot)
            here = here._replace(y=y, slot=slot, total=dz_dx, partial=partial_x)
            yield here._replace(line=13, act="partial")
            total_y = on.upstream(y, computed[y])
            here = here._replace(upstream=total_y)
            yield here._replace(line=14, act="get")
            term = total_y * partial_x
            dz_dx = dz_dx + term
            yield here._replace(line=15, act="add", term=term, total=dz_dx)
            here = here._replace(upstream=None)
        computed[x] = dz_dx
        log.append((x, dz_dx))
        yield Step(17, "insert", iteration, x, total=dz_dx, known=len(log), log=log)
    yield Step(None, "done", known=len(log), log=log)

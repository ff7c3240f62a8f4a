"""Loops of BACKPROPAGATION with one mistake each, as in an exercise "find the bug". The tests that compare traces use them."""

from scalargrad.tracing.steps import Step


def overwriting(graph, on):
    """Overwrite the sum at line 15 instead of adding to it."""
    z, log = graph.z, []
    yield Step(1, "call", log=log)
    yield Step(3, "sort", log=log)
    computed = {z: on.one}
    log.append((z, on.one))
    yield Step(5, "start", x=z, total=on.one, known=1, log=log)
    for iteration, x in enumerate(graph.order[1:], 1):
        here = Step(7, "visit", iteration, x, known=len(log), log=log)
        yield here
        total = on.zero
        yield here._replace(line=9, act="zero", total=total)
        for y, slot in graph.children[x]:
            partial = on.partial(y, slot)
            here = here._replace(y=y, slot=slot, total=total, partial=partial)
            yield here._replace(line=13, act="partial")
            upstream = on.upstream(y, computed[y])
            here = here._replace(upstream=upstream)
            yield here._replace(line=14, act="get")
            term = upstream * partial
            total = term
            yield here._replace(line=15, act="add", term=term, total=total)
            here = here._replace(upstream=None)
        computed[x] = total
        log.append((x, total))
        yield Step(17, "insert", iteration, x, total=total, known=len(log), log=log)
    yield Step(None, "done", known=len(log), log=log)


def backwards(graph, on):
    """Visit the variables in the wrong order, and use 0 for a derivative that is not in computed yet."""
    z, log = graph.z, [(graph.z, on.one)]
    yield Step(1, "call", log=log)
    yield Step(3, "sort", log=log)
    computed = {z: on.one}
    yield Step(5, "start", x=z, total=on.one, known=1, log=log)
    for iteration, x in enumerate(reversed(graph.order[1:]), 1):
        here = Step(7, "visit", iteration, x, known=len(log), log=log)
        yield here
        total = on.zero
        yield here._replace(line=9, act="zero", total=total)
        for y, slot in graph.children[x]:
            partial = on.partial(y, slot)
            here = here._replace(y=y, slot=slot, total=total, partial=partial)
            yield here._replace(line=13, act="partial")
            upstream = on.upstream(y, computed.get(y, on.zero))
            here = here._replace(upstream=upstream)
            yield here._replace(line=14, act="get")
            term = upstream * partial
            total = total + term
            yield here._replace(line=15, act="add", term=term, total=total)
            here = here._replace(upstream=None)
        computed[x] = total
        log.append((x, total))
        yield Step(17, "insert", iteration, x, total=total, known=len(log), log=log)
    yield Step(None, "done", known=len(log), log=log)


def changed(loop, change):
    """Return `loop` with each step replaced by change(step); None removes the step."""
    return lambda graph, on: (new for step in loop(graph, on) if (new := change(step)) is not None)

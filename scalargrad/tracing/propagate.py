"""The algorithm with which the tutorial ends: each node passes its gradient to its inputs, and is then disconnected from the graph."""

from typing import NamedTuple

from scalargrad.graph import node_of, show
from scalargrad.tracing.history import Queue, Record
from scalargrad.tracing.steps import Step

PROPAGATE = {
    1: "BACKWARD(Computation graph G, scalar z in G):",
    2: "    # mended: the printed sort repeats some nodes",
    3: "    Let ordering = TopologicalSort(G, z)",
    4: "    Let z.grad = 1",
    5: "    For each Y in ordering that a function made:",
    6: "        Call Y's backward function with Y.grad",
    7: "            For each input X of Y: calculate G_XY",
    8: "        For each input X of Y:",
    9: "            # mended: the printed += adds in place",
    10: "            X.grad = X.grad + G_XY (None counts as 0)",
    11: "        Disconnect Y, and free what its function saved",
    12: "        If not Y.keep_grad: Y.grad = None",
}


class NodeState(NamedTuple):
    """What the node of a variable holds at a moment: `grad` is None before the first contribution, and after it was dropped."""

    grad: object
    keep_grad: bool
    connected: bool


def propagate(graph, on, keep_grad=None):
    """Run the tutorial's `Node.backward`: sort the nodes, and let each one propagate its gradient to its inputs.

    A node calls the backward function of its variable Y with the upstream gradient dz/dY, adds each result G_XY to `.grad` of the
    input X, and disconnects: it drops its inputs, its backward function and what that saved. Then it drops its own gradient, unless
    `keep_grad` is on. `keep_grad` lists the variables made by functions that keep their gradients; leaves always do. By default it
    is on where it is on in a tensor, and for Values at leaves alone, as in the tutorial. Nothing changes in your variables.

    The tutorial's printed code has two mistakes, which are mended here. Its sort asks whether the node itself was visited, not
    whether the input was, so it lists a node twice that two functions share; its second turn fails, since it is disconnected. And
    it adds with `input.grad += input_grad`: if a backward function returns its upstream gradient itself, as that of + does, two
    inputs share one array, and adding to one changes the other. Here a sum is a new array. Also, z starts with the gradient 1, where
    the printed code passes None to the backward function of z.
    """
    z, log, keeps = graph.z, [], keeping(graph, on, keep_grad)
    ordering, nodes = Queue(), Record({x: NodeState(None, x in keeps, bool(x.inputs)) for x in graph.variables})
    yield Step(1, "call", log=log, state=now(ordering, nodes))
    for y in graph.order:
        if y.inputs:
            ordering.append(y)
    yield Step(3, "sort", log=log, state=now(ordering, nodes))
    nodes[z] = nodes[z]._replace(grad=on.one)
    log.append((z, on.one))
    yield Step(4, "start", x=z, total=on.one, known=1, log=log, state=now(ordering, nodes))
    iteration = 0
    while ordering:
        y = ordering.popleft()
        iteration += 1
        here = Step(5, "visit", iteration, y=y, known=len(log), log=log, state=now(ordering, nodes))
        yield here
        upstream = on.upstream(y, nodes[y].grad)
        yield here._replace(line=6, act="call backward", upstream=upstream)
        input_grads = []
        for slot, x in enumerate(y.inputs):
            partial_x = on.partial(y, slot)
            input_grads.append(upstream * partial_x)
            yield here._replace(line=7, act="partial", x=x, slot=slot, partial=partial_x, upstream=upstream, total=nodes[x].grad)
        for slot, (x, G) in enumerate(zip(y.inputs, input_grads)):
            total = G if nodes[x].grad is None else nodes[x].grad + G
            nodes[x] = nodes[x]._replace(grad=total)
            log.append((x, total))
            here = here._replace(x=x, slot=slot, partial=on.partial(y, slot), upstream=upstream, known=len(log), state=now(ordering, nodes))
            yield here._replace(line=10, act="add", term=G, total=total)
        here = Step(5, "visit", iteration, y=y, known=len(log), log=log)
        nodes[y] = nodes[y]._replace(connected=False)
        yield here._replace(line=11, act="disconnect", state=now(ordering, nodes))
        if not nodes[y].keep_grad:
            nodes[y] = nodes[y]._replace(grad=None)
        yield here._replace(line=12, act="keep", state=now(ordering, nodes))
    yield Step(None, "done", known=len(log), log=log, state=now(ordering, nodes))


def now(ordering, nodes):
    """Return the state of a step: the nodes that are still to propagate, and what each node holds."""
    return {"ordering": ordering.now(), "nodes": nodes.now()}


def keeping(graph, on, keep_grad):
    """Return the variables that keep their gradients. Raises ValueError for one that is not in the graph."""
    if keep_grad is None:
        return {v for v in graph.variables if on.keeps_grad(v)}
    wanted = {node_of(v) for v in keep_grad}
    stranger = next((v for v in wanted if v not in graph.children), None)
    if stranger is not None:
        raise ValueError(f"propagate: keep_grad lists {show(stranger)}, which {show(graph.z)} does not depend on; leave it out")
    return wanted | {v for v in graph.variables if not v.inputs and on.keeps_grad(v)}

"""Added: copies and pickles of a graph of any depth, by flat lists instead of recursion.

A copy's gradient is a number, even if backward(create_graph=True) made it a variable. Two variables in one pickle share the leaves
below them, but each has its own copy of the intermediate variables.
"""

from scalargrad.graph import inputs_first

FIELDS = ("data", "grad", "partials", "rule", "name")


def copy_graph(z, memo):
    """Return copy.deepcopy(z), which copies its whole graph. Variables that share an ancestor share its copy."""
    for v in inputs_first(z):
        if id(v) not in memo:
            memo[id(v)] = make(type(v), fields(v), tuple(memo[id(x)] for x in v.inputs))
    return memo[id(z)]


def reduce_graph(z):
    """Return what pickle stores of z. A leaf is stored by itself, so that it stays shared; a graph is one flat table."""
    if not z.inputs:
        return make, (type(z), fields(z), ())
    variables = inputs_first(z)
    leaves = [v for v in variables if not v.inputs]
    number = {v: i for i, v in enumerate([*leaves, *(v for v in variables if v.inputs)])}
    table = [(type(v), fields(v), [number[x] for x in v.inputs]) for v in variables if v.inputs]
    return restore_graph, (leaves, table)


def fields(v):
    """Return the arguments of `make` for v, besides its inputs."""
    found = {name: getattr(v, name) for name in FIELDS}
    found["grad"] = getattr(v.grad, "data", v.grad)
    return [*found.values(), v.scope]


def restore_graph(leaves, table):
    variables = list(leaves)
    for kind, fields, inputs in table:
        variables.append(make(kind, fields, tuple(variables[i] for i in inputs)))
    return variables[-1]


def make(kind, fields, inputs):
    """Return a variable with these fields. Modes such as no_grad do not change it."""
    v = kind.__new__(kind)
    v.inputs, v._mark = inputs, None
    for name, x in zip((*FIELDS, "_scope"), fields):
        setattr(v, name, x)
    return v

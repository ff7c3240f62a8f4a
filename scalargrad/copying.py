"""Copying and pickling a graph of any depth: flat lists instead of recursion.

A gradient is copied as a number, also where backward(create_graph=True) made it a variable. In one pickle two variables
share the leaves below them, and each brings its own copy of what lies between.
"""

from scalargrad.graph import inputs_first

FIELDS = ("data", "grad", "partials", "rule", "name")


def copy_graph(z, memo):
    """copy.deepcopy of z: its whole graph; what two copied variables share stays shared."""
    for v in inputs_first(z):
        if id(v) not in memo:
            memo[id(v)] = make(type(v), fields(v), tuple(memo[id(x)] for x in v.inputs))
    return memo[id(z)]


def reduce_graph(z):
    """What pickle stores of z: a leaf by itself, so that it stays shared; above it one flat table of the graph."""
    if not z.inputs:
        return make, (type(z), fields(z), ())
    variables = inputs_first(z)
    leaves = [v for v in variables if not v.inputs]
    number = {v: i for i, v in enumerate([*leaves, *(v for v in variables if v.inputs)])}
    table = [(type(v), fields(v), [number[x] for x in v.inputs]) for v in variables if v.inputs]
    return restore_graph, (leaves, table)


def fields(v):
    """What `make` needs of v besides its inputs."""
    found = {name: getattr(v, name) for name in FIELDS}
    found["grad"] = getattr(v.grad, "data", v.grad)
    return [*found.values(), v.scope]


def restore_graph(leaves, table):
    variables = list(leaves)
    for kind, fields, inputs in table:
        variables.append(make(kind, fields, tuple(variables[i] for i in inputs)))
    return variables[-1]


def make(kind, fields, inputs):
    """A variable as it was, whatever modes are on."""
    v = kind.__new__(kind)
    v.inputs, v._mark = inputs, None
    for name, x in zip((*FIELDS, "_scope"), fields):
        setattr(v, name, x)
    return v

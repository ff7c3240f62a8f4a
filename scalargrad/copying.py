"""Copying and pickling a graph of any depth: flat lists instead of recursion."""

from scalargrad.graph import inputs_first

FIELDS = ("data", "grad", "partials", "rule", "name")


def copy_graph(z, memo):
    """copy.deepcopy of z: its whole graph; what two copied variables share stays shared."""
    for v in inputs_first(z):
        if id(v) not in memo:
            memo[id(v)] = make(type(v), [getattr(v, f) for f in FIELDS], tuple(memo[id(x)] for x in v.inputs))
    return memo[id(z)]


def reduce_graph(z):
    """What pickle stores of z: a leaf by itself, so that it stays shared; above it one flat table of the graph."""
    if not z.inputs:
        return make, (type(z), [getattr(z, f) for f in FIELDS], ())
    variables = inputs_first(z)
    leaves = [v for v in variables if not v.inputs]
    number = {v: i for i, v in enumerate([*leaves, *(v for v in variables if v.inputs)])}
    table = [(type(v), [getattr(v, f) for f in FIELDS], [number[x] for x in v.inputs]) for v in variables if v.inputs]
    return restore_graph, (leaves, table)


def restore_graph(leaves, table):
    variables = list(leaves)
    for kind, fields, inputs in table:
        variables.append(make(kind, fields, tuple(variables[i] for i in inputs)))
    return variables[-1]


def make(kind, fields, inputs):
    """A variable as it was, whatever modes are on."""
    v = kind.__new__(kind)
    v.inputs, v._pending = inputs, 0
    for name, x in zip(FIELDS, fields):
        setattr(v, name, x)
    return v

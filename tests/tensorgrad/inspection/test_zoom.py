"""The trace inside one function of tensors: the derivatives of its numbers are the contributions that the rule computes from
dz/dY.
"""

import numpy as np

from scalargrad import Trace, Value
from tensorgrad import Tensor
from tensorgrad.inspection.zoom import MOST_INSIDE
from tests.each import each
from tutorial.graphs.matrices import fan_out


def contributions(trace, y):
    """Return {x: the sum of its contributions from y}, by the rule."""
    found = {}
    for slot, x in enumerate(y.inputs):
        found[x] = found.get(x, 0) + trace.computed[y].number * y.partials[slot]
    return found


def entries(inner, name, shape):
    """Return the derivatives of the entries of a tensor called `name`; 0 for an entry that is not used."""
    number = {inner.names[v]: q.number for v, q in inner.computed.items()}
    in_mathematics = len(shape) == 2 and name in "ABC"
    listed = lambda place: [str(i + in_mathematics) for i in place]
    called = lambda place: (
        name.lower() + "".join(listed(place)) if in_mathematics else f"{name}[{','.join(listed(place))}]" if shape else name
    )
    return np.array([number.get(called(place), 0) for place in np.ndindex(shape)]).reshape(shape)


FUNCTIONS = {
    "matmul": lambda a, b: a @ b,
    "product": lambda a, b: a * b,
    "broadcast": lambda a, b: a / b[0],
    "transposed": lambda a, b: a.T @ b,
    "both": lambda a, b: a @ a,
    "chain": lambda a, b: (a @ b).exp() * (a - b),
    "row sums": lambda a, b: (a * b).sum(axis=1),
    "softmax": lambda a, b: (a @ b).softmax(axis=1),
    "a part": lambda a, b: (a @ b)[0],
}


@each("name", FUNCTIONS)
def test_derivatives_of_the_entries_are_the_contributions(name):
    rng = np.random.default_rng(5)
    A, B = (Tensor(rng.uniform(0.5, 2, (3, 3)), name=n) for n in "AB")
    w = Tensor(rng.uniform(-2, 2, (3,)))
    z = (FUNCTIONS[name](A, B) * w).sum()
    z.name = "z"
    trace, looked = Trace(z, names={}), 0
    for y in trace.graph.variables:
        inner = trace.on.zoom(y, trace.computed[y].number) if y.inputs else None
        if inner is None:
            continue
        looked += 1
        assert len(inner.graph.variables) <= MOST_INSIDE
        for x, expected in contributions(trace, y).items():
            np.testing.assert_allclose(entries(inner, trace.names[x], x.shape), expected, rtol=1e-12, atol=1e-12)
    assert looked >= 2


def test_the_tutorials_matmul_is_eight_products_and_four_sums():
    tensors = fan_out()
    trace = Trace(tensors["z"])
    c = tensors["C"].node
    inner = trace.on.zoom(c, trace.computed[c].number)
    variables = inner.graph.variables
    assert [v.rule.name for v in variables if v.rule].count("mul") == 8
    assert sum(inner.names[v].startswith("c") for v in variables if v.rule and v.rule.name in ("add", "sum")) == 4
    leaves = {inner.names[v] for v in variables if not v.inputs}
    assert leaves == {f"{x}{i}{j}" for x in "ab" for i in (1, 2) for j in (1, 2)}
    assert inner.names[inner.graph.z] == "z'"
    for i, j in np.ndindex(2, 2):  # the contribution of C to B, without that of E
        assert {inner.names[v]: q.number for v, q in inner.computed.items()}[f"b{i + 1}{j + 1}"] == [[5, 5], [12, 12]][i][j]


def test_large_functions_and_single_numbers_have_no_inner_trace():
    A, B = Tensor(np.ones((6, 6)), name="A"), Tensor(np.ones((6, 6)), name="B")
    C = A @ B
    s = C.sum()
    z = s * s
    trace = Trace(z)
    at = lambda y: trace.on.zoom(y.node, trace.computed[y.node].number)
    assert at(C) is None and at(z) is None
    assert at(s) is not None
    small = Tensor(np.ones((4, 4)), name="A")
    D = small @ small  # 16 + 16 entries, but 64 products
    t = Trace(D.sum())
    assert t.on.zoom(D.node, t.computed[D.node].number) is None


def test_numbers_have_no_inner_trace_and_zooming_leaves_a_trace_unchanged():
    tensors = fan_out()
    trace = Trace(tensors["z"])
    before = trace.to_json()
    for y in trace.graph.variables:
        if y.inputs:
            trace.on.zoom(y, trace.computed[y].number)
    assert trace.to_json() == Trace(tensors["z"]).to_json() == before
    assert not hasattr(Trace(Value(3.0) * 2).on, "zoom")

"""The graph of z: its orders (84 for Figure 1), its children, cycles, and graphs too large for recursion or for all paths."""

import itertools

import pytest

from scalargrad import CycleError, Graph, OrderError, Trace, Value, ancestors, backpropagation, grad, topological_order
from scalargrad.tracing.schedules import SCHEDULES
from tests.each import each
from tests.scalargrad.graphs import chain, figure1, ladder

# Orders


def legal(order):
    """Return whether each variable stands after all its children: the definition of a topological order."""
    return all(order.index(y) < order.index(x) for y in order for x in y.inputs)


def test_of_all_permutations_of_figure_1_exactly_the_84_legal_orders_are_accepted():
    v = figure1()
    z, accepted = v["z"], 0
    expected = {v[name]: d for name, d in {"z": 1, "y2": 1, "y1": 3, "x2": 3, "x1": 9, "x3": 3, "x4": 11}.items()}
    for order in itertools.permutations(v.values()):
        if legal(order):
            accepted += 1
            assert list(backpropagation(z, order)) == list(order) and backpropagation(z, order) == expected
        else:
            with pytest.raises(OrderError) as refused:
                topological_order(z, order)
            x, _, y = str(refused.value).partition(":")[0].partition(" stands before its child ")
            assert v[x] in v[y].inputs and order.index(v[x]) < order.index(v[y])
            assert f"move {y} before {x}" in str(refused.value)
    assert accepted == 84


def test_the_default_order_is_legal_and_the_same_every_time():
    orders = [[x.name for x in topological_order(figure1()["z"])] for _ in range(5)]
    assert orders[0][0] == "z" and orders == [orders[0]] * 5
    v = figure1()
    assert legal(topological_order(v["z"]))


@each(
    ("change", "message"),
    [
        (lambda order, stranger: order[:-1], "the order leaves out x4, which z depends on; list every ancestor once"),
        (lambda order, stranger: [], "the order leaves out z"),
        (lambda order, stranger: [*order, order[-1]], "the order lists x4 more than once; list every ancestor once"),
        (lambda order, stranger: [*order, stranger], "the order lists stranger, which z does not depend on; leave it out"),
        (lambda order, stranger: [*order[:-1], stranger], "the order leaves out x4"),
        (lambda order, stranger: order[::-1], "stands before its child"),
    ],
    ids=["missing", "empty", "duplicate", "foreign", "exchanged", "backwards"],
)
def test_an_order_that_is_not_topological_is_refused_by_name(change, message):
    v = figure1()
    order = change([v[name] for name in "z y2 y1 x2 x1 x3 x4".split()], Value(1, name="stranger"))  # noqa: SIM905
    for use in (topological_order, backpropagation, Trace, Graph):
        with pytest.raises(OrderError, match=message):
            use(v["z"], order)


def test_an_order_may_be_any_iterable():
    v = figure1()
    order = [v[name] for name in ("z", "y1", "y2", "x4", "x3", "x2", "x1")]
    assert topological_order(v["z"], iter(order)) == order


# Children and ancestors


def test_x_times_x_is_one_child_with_two_edges():
    x = Value(3)
    z = x * x
    assert Graph(z).children[x] == [(z, 0), (z, 1)]
    assert Graph(z).variables == [x, z]


def test_a_leaf_is_its_own_graph():
    x = Value(3)
    assert topological_order(x) == [x] and ancestors(x) == [] and backpropagation(x) == {x: 1}


def test_ancestors_are_the_variables_that_z_depends_on_inputs_first():
    v = figure1()
    found = ancestors(v["z"])
    assert set(found) == set(v.values()) - {v["z"]} and legal([v["z"], *found[::-1]])
    assert ancestors(v["y2"]) == [v["x4"]]


def test_children_that_z_does_not_depend_on_are_not_in_its_graph():
    x = Value(2, name="x")
    z, dead = x * 3, x * 5
    assert [edge.child for edge in Graph(z).children[x]] == [z] and dead not in Graph(z).children


def test_children_come_nearest_to_z_first():
    x = Value(2)
    far = x + 1
    middle = far * x
    z = middle - x
    assert [edge.child for edge in Graph(z).children[x]] == [z, middle, far]
    assert Graph(z).distance == {z: 0, middle: 1, far: 2, x: 3}


# Cycles


def cyclic():
    x = Value(3, name="x")
    a = x * 2
    b = a + 1
    c = b * x
    z = c + 5
    for v, name in ((a, "a"), (b, "b"), (c, "c"), (z, "z")):
        v.name = name
    a.inputs, a.partials = (c,), (1,)
    return x, a, b, c, z


WALKS = {
    "Graph": Graph,
    "topological_order": topological_order,
    "ancestors": ancestors,
    "backpropagation": backpropagation,
    "Trace": Trace,
    "backward": lambda z: z.backward(),
    "backward(create_graph=True)": lambda z: z.backward(create_graph=True),
    "zero_grad": lambda z: z.zero_grad(),
    "grad": lambda z: grad(z, z.inputs[0]),
}


@each("walk", WALKS.values(), ids=WALKS)
def test_a_cycle_is_an_error_that_prints_the_cycle(walk):
    *_, z = cyclic()
    with pytest.raises(CycleError, match="the graph has a cycle: c -> a -> b -> c; a variable cannot be its own ancestor: make a new"):
        walk(z)


@each("walk", WALKS.values(), ids=WALKS)
def test_a_variable_that_is_its_own_input_is_a_cycle(walk):
    x = Value(3, name="x")
    z = x * x
    z.name, z.inputs = "z", (x, z)
    with pytest.raises(CycleError, match="cycle: z -> z;"):
        walk(z)


def test_after_a_cycle_the_variables_can_be_used_again():
    x, a, b, c, z = cyclic()
    with pytest.raises(CycleError):
        z.backward()
    a.inputs, a.partials = (x,), (2,)
    z.zero_grad()
    z.backward()
    assert x.grad == 13 and c.grad == 1  # z = (2x + 1)·x + 5
    x.zero_grad()
    (x * x).backward()
    assert x.grad == 6


# Size

EDGE_BY_EDGE = [name for name, schedule in SCHEDULES.items() if not schedule.along_paths]


@pytest.mark.parametrize("length", [30_000])
def test_a_deep_chain_is_ordered_traced_back_and_reset_without_recursion(length):
    x, z = chain(length)
    assert len(topological_order(z)) == length + 1
    z.backward()
    assert (z.data, x.grad) == (2, 1)
    assert backpropagation(z)[x] == grad(z, x) == 1
    z.zero_grad()
    assert x.grad == z.grad == 0


@pytest.mark.slow
def test_a_chain_of_a_million_functions():
    x, z = chain(1_000_000)
    z.backward()
    assert (z.data, x.grad) == (2, 1)
    assert len(ancestors(z)) == 1_000_000


def test_second_derivatives_of_a_deep_chain():
    x = z = Value(2.0)
    for _ in range(20_000):
        z = z * 1.0
    dz = grad(z * z, x, create_graph=True)
    assert dz.data == 4.0 and grad(dz, x) == 2.0


@each(
    "walk",
    [
        lambda x, z: z.backward() or x.grad,
        lambda x, z: backpropagation(z)[x],
        lambda x, z: grad(z, x),
        lambda x, z: grad(z, x, create_graph=True).data,
        *[lambda x, z, name=name: Trace(z, schedule=name).computed[x].number for name in EDGE_BY_EDGE],
    ],
    ids=["backward", "backpropagation", "grad", "create_graph", *EDGE_BY_EDGE],
)
def test_a_ladder_with_2_to_the_60_paths_is_walked_edge_by_edge(walk):
    x, z = ladder(60)
    assert walk(x, z) == 2**60  # walking all paths would take centuries


def test_the_formulas_of_a_ladder_stay_short():
    _, z = ladder(60)
    trace = Trace(z)
    assert max(len(str(q.symbol)) for q in trace.computed.values()) < 1000
    assert len(trace.to_json()) < 1_000_000

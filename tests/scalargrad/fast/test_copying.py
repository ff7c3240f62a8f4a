"""Copies, pickles and deletion: shared variables stay shared, graphs may be deep, and nothing is left for the collector."""

import copy
import gc
import pickle
import weakref
from fractions import Fraction

import pytest

import scalargrad as sg
from scalargrad import Constant, Value, backpropagation, gc_paused, no_grad, rules
from scalargrad.graph import Graph, inputs_first
from tests.scalargrad.graphs import chain, f3, figure1, ladder

COPIES = {
    "deepcopy": copy.deepcopy,
    **{f"pickle {n}": lambda v, n=n: pickle.loads(pickle.dumps(v, n)) for n in range(2, pickle.HIGHEST_PROTOCOL + 1)},
}
COPY = pytest.mark.parametrize("copied", COPIES.values(), ids=COPIES)


@COPY
def test_a_copied_graph_has_the_same_structure_and_new_variables(copied):
    v = figure1((3, Fraction(1, 3), -2.5, 4))
    v["z"].backward()
    z = copied(v["z"])
    ours, theirs = inputs_first(v["z"]), inputs_first(z)
    assert not set(ours) & set(theirs)
    for a, b in zip(ours, theirs, strict=True):
        assert (type(a), a.name, a.data, type(a.data), a.grad, a.partials) == (type(b), b.name, b.data, type(b.data), b.grad, b.partials)
        assert [ours.index(x) for x in a.inputs] == [theirs.index(x) for x in b.inputs]
        assert a.rule is b.rule or a.rule.name == b.rule.name
    assert list(backpropagation(z).values()) == list(backpropagation(v["z"]).values())


@COPY
def test_a_copy_and_its_original_are_independent(copied):
    x = Value(3.0, name="x")
    z = x * x
    other = copied(z)
    other.backward()
    assert x.grad == 0 and other.inputs[0].grad == 6.0 and other.inputs[0] is other.inputs[1]
    other.inputs[0].data = 5.0
    assert x.data == 3.0


@COPY
def test_variables_that_are_copied_together_share_copies_of_shared_leaves(copied):
    x = Value(3.0, name="x")
    leaves, results = copied(([x], [x * 2, x * x]))
    (leaf,), (twice, square) = leaves, results
    assert twice.inputs == (leaf,) and square.inputs == (leaf, leaf)
    square.backward()
    assert leaf.grad == 6.0


def test_deepcopy_keeps_shared_intermediate_variables_shared():
    x = Value(3.0)
    y = x * x
    a, b = copy.deepcopy([y + 1, y * 2])
    assert a.inputs[0] is b.inputs[0] and a.inputs[0] is not y


@COPY
def test_functions_with_constants_and_options_are_copied(copied):
    x = Value(0.5, name="x")
    made = [x**2, 2**x, 1 - x, x.clamp(0, 1), x.sqrt(total=True), sg.logsumexp(x, 1.0, x), f3(x, x, x), rules.where(1, x, 2.0)]
    for y in made:
        z = copied(y)
        assert repr(z.rule) == repr(y.rule) and z.arguments[0] == y.arguments[0]
        assert list(backpropagation(z).values()) == list(backpropagation(y).values())


@COPY
def test_constants_stay_constants(copied):
    c = copied(Value(2, name="c", keep_grad=False))
    assert type(c) is Constant and c.data == 2 and c.name == "c"
    z = copied(Value(3) * Value(2, keep_grad=False))
    assert [type(x) for x in z.inputs] == [Value, Constant]


@COPY
def test_modes_do_not_change_a_copy(copied):
    v = figure1()
    with no_grad():
        z = copied(v["z"])
    z.backward()
    assert {x.name: x.grad for x in Graph(z).variables}["x1"] == 9


def test_a_shallow_copy_of_a_result_has_the_gradients_of_the_original():
    v = figure1()
    z = copy.copy(v["z"])
    assert list(backpropagation(z).values()) == list(backpropagation(v["z"]).values())


@COPY
def test_a_ladder_is_copied_in_time_linear_in_its_variables(copied):
    _, z = ladder(200)
    assert copied(z).data == 2**200


@COPY
def test_a_chain_of_5_000_functions_is_copied_without_recursion(copied):
    x, z = chain(5_000)
    other = copied(z)
    other.backward()
    assert inputs_first(other)[0].grad == 1 and x.grad == 0


@pytest.mark.slow
@COPY
def test_a_chain_of_a_million_functions_is_copied(copied):
    with gc_paused():
        _, z = chain(1_000_000)
        other = copied(z)
        other.backward()
        assert inputs_first(other)[0].grad == 1


def test_a_reused_id_does_not_mix_up_copies():
    memo = {}
    copies = [copy.deepcopy(Value(float(i)) * 2, memo) for i in range(200)]  # each original dies at once, its id is used again
    assert [c.data for c in copies] == [2.0 * i for i in range(200)]


# Deletion


def test_after_del_z_the_collector_finds_nothing():
    gc.collect()
    v = figure1()
    z = v["z"]
    z.backward()
    z.backward()
    sg.grad(z, v["x1"])
    del v, z
    assert gc.collect() == 0


def test_after_every_function_of_the_table_the_collector_finds_nothing():
    gc.collect()
    for row in rules.TABLE:
        args = [Value(0.5) for _ in row.partials or range(3)]
        row(*args).backward()
    with no_grad():
        args = [a * 2 for a in args]
    del args
    assert gc.collect() == 0


def test_a_graph_of_derivatives_is_freed_without_the_collector():
    gc.collect()
    x = Value(2.0)
    dz = sg.grad(x**3, x, create_graph=True)
    ddz = sg.grad(dz, x, create_graph=True)
    assert ddz.data == 12.0
    del dz, ddz
    assert gc.collect() == 0


def test_a_trace_is_freed_without_the_collector():
    gc.collect()
    sg.Trace(figure1()["z"])
    assert gc.collect() == 0


@pytest.mark.sweep
def test_a_chain_of_a_million_functions_is_deleted_without_recursion_and_at_once():
    with gc_paused():
        x, z = chain(1_000_000)
        last, first = weakref.ref(z), weakref.ref(x)
        del x, z
        assert last() is None and first() is None


def test_variables_can_have_weak_references():
    x = Value(3)
    z = x * x
    seen = weakref.WeakKeyDictionary({x: "x", z: "z"})
    watch = weakref.ref(z)
    del z
    assert watch() is None and list(seen.values()) == ["x"]


def test_an_input_does_not_keep_its_children_alive():
    x = Value(3)
    watches = [weakref.ref(x + i) for i in range(10)]
    assert [w() for w in watches] == [None] * 10


def test_gradients_that_are_variables_are_copied_as_numbers():
    x = Value(2.0, name="x")
    (x**3).backward(create_graph=True)
    assert copy.deepcopy(x).grad == pickle.loads(pickle.dumps(x)).grad == 12.0
    assert type(copy.deepcopy(x).grad) is float

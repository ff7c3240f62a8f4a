"""Tensor: its array, name, place in the graph and printing; dispatch of NumPy functions and operators; zoom."""

import gc
import weakref

import numpy as np
import pytest

import tensorgrad as tg
from scalargrad import Graph, Value, backpropagation, topological_order
from tensorgrad import Tensor, memory, no_grad, zoom
from tensorgrad.node import Node
from tests.each import each


def test_a_tensor_has_the_data_shape_and_numbers_of_its_array():
    t = Tensor([[1, 2, 3], [4, 5, 6]])
    assert (t.shape, t.ndim, t.size, t.dtype, len(t)) == ((2, 3), 2, 6, np.float64, 2)
    assert t.tolist() == [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]] and Tensor(3).item() == 3.0
    assert type(Tensor([[2.5]]).item()) is float


def test_a_tensor_prints_its_data_dtype_and_name():
    assert repr(Tensor([1, 2])) == "Tensor([1., 2.])"
    assert repr(Tensor(2.5, name="w")) == "Tensor(2.5, name='w')"
    assert repr(Tensor([1], dtype=np.float32)) == "Tensor([1.], dtype=float32)"
    assert repr(Tensor([[1, 2], [3, 4]])) == "Tensor([[1., 2.],\n        [3., 4.]])"
    assert repr(Tensor([])) == "Tensor([])"
    assert len(repr(Tensor(np.zeros(10**6)))) < 200
    assert f"{Tensor(2.0):.3f}" == "2.000"
    assert repr((Tensor([1.0], name="w") * 2).node.inputs[0]).startswith("Node('w', shape (1,)")


def test_a_tensor_and_its_node_have_the_same_name():
    w = Tensor([1.0], name="w")
    w.name = "weight"
    y = w * 2
    y.name = "y"
    assert w.node.name == "weight" and y.node.name == "y" and y.name == "y"
    c = Tensor([1.0], keep_grad=False, name="c")
    assert c.name == "c" and c.detach().name == "c"


def test_leaves_and_results_have_a_node_and_constants_have_none():
    leaf, constant = Tensor([1.0]), Tensor([1.0], keep_grad=False)
    result = leaf * constant
    assert leaf.keep_grad and leaf.rule is None and leaf.inputs == ()
    assert constant.node is None and constant.rule is None and constant.inputs == () and not constant.keep_grad
    assert not result.keep_grad and result.rule is tg.mul and [x is leaf.node for x in result.inputs] == [True]
    assert (constant * constant).node is None


def test_plain_arrays_give_a_plain_array():
    a = np.array([[1.0, 2.0], [3.0, 4.0]])
    for got in (tg.tanh(a), tg.matmul(a, a), tg.sum(a, axis=0), tg.add(a, 1)):
        assert not isinstance(got, Tensor)


def test_a_tensor_is_a_key_by_identity_and_its_node_is_the_same_key():
    a, b, c = Tensor([1.0]), Tensor([1.0]), Tensor([1.0], keep_grad=False)
    table = {a.node: 1, b.node: 2, c: 3}
    assert (table[a.node], table[b.node], table[c]) == (1, 2, 3) and table[a] == 1 and table[b] == 2


def test_a_node_references_its_inputs_and_not_its_children():
    x = Tensor([1.0])
    y = x * 2
    kept = weakref.ref(y.node)
    gc.disable()
    try:
        del y
        assert kept() is None
    finally:
        gc.enable()
    assert x.node.data is not None
    node = x.node
    del x
    assert node.data is None  # the tensor owns the array, not the node


def test_graph_and_topological_order_work_on_tensors():
    x = Tensor([1.0], name="x")
    y = x * x
    y.name = "y"
    z = (y + x).sum()
    z.name = "z"
    assert [v.name for v in topological_order(z)][::3] == ["z", "x"]
    assert all(type(v) is Node for v in topological_order(z))
    assert [(e.child.name, e.slot) for e in Graph(z).children[x.node]][-2:] == [("y", 0), ("y", 1)]


def test_keep_grad_keeps_the_gradient_of_an_intermediate_variable():
    x = Tensor([1.0, 2.0])
    y = x * x
    y.keep_grad = True
    y.sum().backward()
    assert y.grad.tolist() == [1.0, 1.0]


def made_constant():
    with no_grad():
        return Tensor([1.0, 2.0]) * 1


LEAVES = {
    "a leaf": lambda: Tensor([1.0, 2.0], name="x"),
    "a constant": lambda: Tensor([1.0, 2.0], keep_grad=False, name="x"),
    "detached": lambda: (Tensor([1.0, 2.0]) * 1).detach(),
    "made under no_grad": made_constant,
}


@each("make", LEAVES.values(), ids=LEAVES)
def test_keep_grad_freezes_and_thaws_a_leaf_for_later_graphs(make):
    x, w = make(), Tensor([3.0, 4.0], name="w")
    key, name = {x: "state"}, x.name
    x.keep_grad = True
    before = (x * w).sum()
    x.grad = np.ones(2)
    x.keep_grad = False
    frozen = x * w
    assert not x.keep_grad and x.node is None and x.grad is None and x.name == name and key[x] == "state"
    assert frozen.inputs == (w.node,) and memory(frozen.sum()).saved == x.data.nbytes  # x, for w; and no w for x
    frozen.sum().backward()
    assert w.grad.tolist() == [1.0, 2.0] and x.grad is None
    before.backward(retain_graph=True)
    assert w.grad.tolist() == [2.0, 4.0] and x.grad is None  # as it is now, not as it was
    x.keep_grad = True
    assert x.keep_grad and x.grad is None and x.name == name and key[x] == "state"
    (x * w).sum().backward()
    assert x.grad.tolist() == [3.0, 4.0]
    before.backward()
    assert x.grad.tolist() == [6.0, 8.0]  # it is the same variable before and after


def test_freezing_twice_or_thawing_a_leaf_has_no_effect():
    x = Tensor([1.0], name="x")
    x.hooks.append(print)
    x.grad = [5.0]
    x.keep_grad = True
    assert x.grad.tolist() == [5.0] and x.hooks == [print]
    x.keep_grad = x.keep_grad = False
    x.data = [2.0]
    x.keep_grad = True
    assert x.hooks == [print] and x.node.data.tolist() == [2.0]


def test_a_trace_finds_a_leaf_that_was_frozen_afterwards():
    x = Tensor([1.0, 2.0], name="x")
    found = backpropagation((x * x).sum())
    x.keep_grad = False
    assert found[x].tolist() == [2.0, 4.0]


def test_under_no_grad_results_are_constants_and_leaves_stay_leaves():
    x = Tensor([1.0])
    with no_grad():
        y, leaf = x * 2, Tensor([1.0])
    assert y.node is None and leaf.node is not None


# Dispatch of NumPy functions


A, B = np.array([[3.0, 7.0], [2.0, 5.0]]), np.array([[2.0, 0.0], [0.0, 4.0]])


@each(
    ("numpy_way", "our_way"),
    [
        (lambda t: np.sum(np.tanh(t @ B)), lambda t: tg.sum(tg.tanh(tg.matmul(t, B)))),
        (lambda t: B * t, lambda t: tg.mul(B, t)),
        (lambda t: B @ t, lambda t: tg.matmul(B, t)),
        (lambda t: B - t, lambda t: tg.sub(B, t)),
        (lambda t: np.add(B, t), lambda t: tg.add(B, t)),
        (lambda t: np.float64(2) * t, lambda t: tg.mul(2.0, t)),
        (lambda t: np.sum(t, axis=0, keepdims=True), lambda t: t.sum(axis=0, keepdims=True)),
        (lambda t: np.exp(t).sum(axis=-1), lambda t: tg.exp(t).sum(axis=1)),
        (lambda t: np.matmul(t, t), lambda t: t @ t),
        (lambda t: np.multiply.reduce(np.array([2.0, 3.0])) * t, lambda t: 6 * t),
        (lambda t: 2 ** np.negative(t), lambda t: tg.pow(2, tg.neg(t))),
        (lambda t: np.transpose(t), lambda t: t.transpose()),
        (lambda t: np.reshape(t, (4,)), lambda t: t.reshape(4)),
        (lambda t: +t, lambda t: t * 1),
    ],
)
def test_numpy_functions_and_operators_dispatch_to_ours(numpy_way, our_way):
    found = []
    for way in (numpy_way, our_way):
        t = Tensor(A)
        y = way(t)
        assert type(y) is Tensor and y.node is not None
        y.backward(np.arange(1.0, y.size + 1).reshape(y.shape))
        found.append((y.data, t.grad))
    for ours, theirs in zip(*found):
        np.testing.assert_array_equal(ours, theirs, strict=True)


def test_an_array_on_the_left_of_every_operator_stays_a_tensor():
    t = Tensor(A)
    for y in (B + t, B - t, B * t, B / t, B**t, B @ t):
        assert type(y) is Tensor and y.node is not None
    z = B.copy()
    with pytest.raises(TypeError, match="out="):
        z += t
    assert np.array_equal(z, B)


def test_float32_stays_float32_beside_numbers_and_arrays_of_integers():
    t = Tensor(A, dtype=np.float32)
    for y in (t * 2, 2.5 * t, t + True, t * np.arange(2), np.arange(2) * t, t / 3, t**2, 2**t, t @ B.astype(np.float32), t.sum()):
        assert y.dtype == np.float32


# zoom


def test_zoom_gives_the_scalars_by_entry_and_by_name():
    x = Tensor([[1.0, 2.0], [3.0, 4.0]], name="X")
    seen = zoom((x * x).sum())
    assert isinstance(seen.z, Value) and seen.z.data == 30.0
    assert [v.name for v in seen[x].ravel()] == ["x11", "x12", "x21", "x22"]
    seen.z.backward()
    assert [v.grad for v in seen[x].ravel()] == [2.0, 4.0, 6.0, 8.0]


def test_entries_are_named_after_the_first_tensor_that_holds_them():
    x = Tensor([1.0, 2.0], name="x")
    y = x * 2
    moved = y[::-1]
    seen = zoom((moved + 1).sum())
    assert [v.name for v in seen[y]] == ["y[0]", "y[1]"] and [v.name for v in seen[moved]] == ["y[1]", "y[0]"]
    assert repr(seen) == "<zoom into a number: its entry is .z, and self[A] are the Values of tensor A>"
    assert repr(zoom(y.node)) == "<zoom into 2: its 2 entries are .z, and self[A] are the Values of tensor A>"


def test_zoom_finds_arrays_that_only_a_rule_has_saved():
    C = (Tensor([[3.0, 7.0]], name="A") @ Tensor([[2.0], [1.0]], name="B")).exp()
    product = C.inputs[0]
    gc.collect()
    for seen in (zoom(C), zoom(C.node), zoom(product)):
        assert 13.0 in {v.data for entries in seen.values.values() for v in entries.flat}
    x = Tensor([2.0])
    y = x * x
    z = y + 1
    y.backward()
    assert [v.data for v in zoom(z.node)[y]] == [4.0]  # y was released, but is still referenced
    del y
    seen = zoom(z.node)  # y = x * x is computed again, as long as z shows what became of it
    assert [v.data for v in seen.values[z.node.inputs[0]]] == [4.0]
    node = z.node
    del z, seen
    with pytest.raises(ValueError, match="is gone"):
        zoom(node)


def test_zoom_refuses_graphs_that_are_too_large_or_released():
    x = Tensor(np.ones(20_000))
    with pytest.raises(ValueError, match=r"zoom: .* 20,001 numbers \(at most 10,000\)"):
        zoom(x.sum())
    z = Tensor(np.ones(3)).sum()
    with pytest.raises(ValueError, match="zoom: the array of .* is gone; keep the tensor"):
        zoom(z)
    with pytest.raises(ValueError, match="is gone"):
        zoom(z.node)

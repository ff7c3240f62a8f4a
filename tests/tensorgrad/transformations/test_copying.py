"""Copies and pickles of tensors and their graphs: shared variables stay shared, depth does not matter."""

import copy
import gc
import pickle

import numpy as np
import pytest

import tensorgrad as tg
from scalargrad.graph import inputs_first
from tensorgrad import Tensor, checkpoint, function, grad, no_grad, scope, zoom
from tests.each import swept
from tests.tensorgrad.case import assert_close
from tests.tensorgrad.cases import every_case

COPIES = {
    "deepcopy": copy.deepcopy,
    **{f"pickle {n}": lambda v, n=n: pickle.loads(pickle.dumps(v, n)) for n in range(2, pickle.HIGHEST_PROTOCOL + 1)},
}
COPY = pytest.mark.parametrize("copied", COPIES.values(), ids=COPIES)


@function
def energy(x):
    return (tg.tanh(x) * x).sum(axis=0)


def program():
    x, w = Tensor(np.arange(6.0).reshape(3, 2), name="x"), Tensor(np.ones((2, 2)), name="w", dtype=np.float32)
    c = Tensor(np.full((3, 2), 0.5), keep_grad=False, name="c")
    with scope("block"):
        h = tg.exp(x @ w * 0.1 - c)
    h.name, h.keep_grad = "h", True
    return x, w, h, (energy(h)[np.array([0, 1, 1])] * np.concatenate([h, h])[:3, 0]).sum()


@COPY
def test_a_copied_graph_gives_the_same_gradients_and_is_independent(copied):
    x, w, h, z = program()
    z.backward(retain_graph=True)
    x2, w2, h2, z2 = copied([x, w, h, z])
    for a, b in ((x, x2), (w, w2), (h, h2)):
        assert (a.name, a.dtype, a.keep_grad) == (b.name, b.dtype, b.keep_grad) and a.node is not b.node
        assert np.array_equal(a.data, b.data) and np.array_equal(a.grad, b.grad) and not np.shares_memory(a.grad, b.grad)
        assert not np.shares_memory(a.data, b.data)
    assert h2.node.scope == ("block",) and z2.item() == z.item()
    ours, theirs = inputs_first(z.node), inputs_first(z2.node)
    assert not {id(v) for v in ours} & {id(v) for v in theirs} and [v.rule for v in ours] == [v.rule for v in theirs]
    before = x.grad.copy(), w.grad.copy()
    z2.backward()
    assert np.array_equal(x2.grad, 2 * x.grad) and np.array_equal(w2.grad, 2 * w.grad)
    assert np.array_equal(x.grad, before[0]) and np.array_equal(w.grad, before[1])
    z.backward()


@COPY
def test_variables_that_are_copied_together_share_their_leaves(copied):
    x = Tensor([1.0, 2.0])
    x2, (a, b) = copied((x, [x * 2, x * x]))
    assert a.inputs == (x2.node,) and b.inputs == (x2.node, x2.node)
    (a + b).sum().backward()
    assert x2.grad.tolist() == [4.0, 6.0] and x.grad is None


def test_deepcopy_also_shares_intermediate_variables():
    x = Tensor([1.0])
    y = x * x
    a, b = copy.deepcopy([y + 1, y * 2])
    assert a.inputs[0] is b.inputs[0] and a.inputs[0] is not y.node


@COPY
def test_derivatives_of_derivatives_and_zoom_work_on_the_copy(copied):
    x, _, _, z = program()
    expected = grad((grad(z, x, create_graph=True) ** 2).sum(), x)
    x, w, _, z = copied(program())
    seen = zoom(z)
    assert seen.z.data == pytest.approx(z.item())
    np.testing.assert_allclose(grad((grad(z, x, create_graph=True) ** 2).sum(), x), expected)


@COPY
def test_a_released_graph_stays_released_in_the_copy(copied):
    x = Tensor([1.0])
    z = (x * x).sum()
    z.backward()
    other = copied(z)
    assert other.item() == 1.0
    with pytest.raises(RuntimeError, match="released"):
        other.backward()


@COPY
def test_copies_keep_constants_names_and_scopes(copied):
    c = copied(Tensor([1.0, 2.0], keep_grad=False, name="c"))
    assert c.node is None and c.name == "c" and c.tolist() == [1.0, 2.0]
    x = Tensor([3.0])
    with no_grad():
        z = copied(x * x)
        y = copied((x, x))[0]
    assert z.node is None
    (y * y).backward()
    assert y.grad.tolist() == [6.0]


@COPY
def test_gradients_that_are_tensors_are_copied_as_arrays_and_hooks_are_not_copied(copied):
    x = Tensor([2.0])
    x.hooks.append(lambda G: None)
    (x**3).sum().backward(create_graph=True)
    other = copied(x)
    assert type(other.grad) is np.ndarray and other.grad.tolist() == [12.0] and other.hooks == []


@swept("copied", COPIES.values(), every=3, ids=COPIES)
def test_a_chain_of_5_000_functions_is_copied_without_recursion(copied):
    x = y = Tensor([1.0])
    for _ in range(5_000):
        y = y + 1.0
    other = copied(y)
    other.backward()
    assert inputs_first(other.node)[-1].released and x.grad is None and other.item() == 5_001.0


def test_a_deepcopied_checkpoint_computes_with_the_function_it_had():
    x, w = Tensor([2.0]), Tensor([3.0])
    x2, w2, z = copy.deepcopy([x, w, checkpoint(lambda x: x * x * w, x)])
    z.backward()
    assert (x2.grad.tolist(), w2.grad.tolist()) == ([12.0], [4.0]) and x.grad is w.grad is None


def test_copy_copies_a_leaf_and_returns_a_result_as_it_is():
    x = Tensor([1.0], name="x")
    y = x * 2
    other = copy.copy(x)
    assert other.node is not x.node and other.name == "x" and copy.copy(y) is y
    other.data = [5.0]
    assert x.tolist() == [1.0] and x.node.data is x._data


def test_a_rule_that_the_user_makes_is_pickled_by_name():
    assert pickle.loads(pickle.dumps(energy)) is energy
    from tests.tensorgrad.transformations.test_custom_function import arc, product

    for rule in (arc, product, tg.tanh, tg.matmul, tg.concatenate):
        assert pickle.loads(pickle.dumps(rule)) is rule

    def vjp(G):
        """dz/dx = 2 dz/dy"""
        return 2 * G

    @tg.rule(vjp)
    def tanh(x):
        return 2 * x

    with pytest.raises(pickle.PicklingError, match="tanh"):
        pickle.dumps(tanh(Tensor([1.0])))
    assert copy.deepcopy(tanh(Tensor([1.0]))).rule is tanh
    assert tanh not in tg.rule.__globals__["TABLE"]


def test_a_memo_does_not_mistake_a_variable_for_another():
    memo = {}
    for i in range(200):  # the original's backward pass releases the leaf, and its id is reused
        z = Tensor([1.0 + i]) ** 2.0
        other = copy.deepcopy(z, memo)
        leaf = other.inputs[0]
        leaf.keep_grad = True
        other.backward()
        z.backward()
        assert other.item() == (1.0 + i) ** 2 and leaf.grad.tolist() == [2.0 * (1.0 + i)]


def test_copies_leave_nothing_for_the_garbage_collector():
    x, w, h, z = program()
    gc.collect()
    gc.disable()
    try:
        made = pickle.loads(pickle.dumps([x, z]))
        made[1].backward()
        del made
        assert gc.collect() == 0
    finally:
        gc.enable()


@swept("case", every_case(), every=9, ids=repr)
def test_saved_arrays_of_every_function_can_be_copied_and_pickled(case):
    tensors = [Tensor(a) for a in case.arrays()]
    y = case(*tensors)
    upstream = case.weights(y.shape)
    copies = [copy.deepcopy([y, tensors]), pickle.loads(pickle.dumps([y, tensors]))]
    y.backward(upstream)
    for z, xs in copies:
        z.backward(upstream)
        assert_close([x.grad for x in xs], [np.zeros(t.shape) if t.grad is None else t.grad for t in tensors], 0, "a copy")

"""no_grad, detach and scopes on tensors: nesting, exceptions, threads and tasks; t += ... on leaves, results and constants."""

import asyncio
import operator
import threading

import numpy as np
import pytest

import tensorgrad as tg
from scalargrad import modes
from tensorgrad import Tensor, detect_anomaly, grad, no_grad, scope
from tests.each import each

# no_grad and detach


def test_under_no_grad_every_function_gives_a_constant():
    x = Tensor([[0.5, 0.25]])
    with no_grad():
        made = [x + x, x - 1, 2 * x, x @ x.T, tg.tanh(x), x.sum(), x[0], -x, np.concatenate([x, x]), x.reshape(2), x**2]
    assert all(t.node is None and type(t) is Tensor for t in made) and (x * x).node is not None


def test_leaves_made_under_no_grad_are_variables():
    with no_grad():
        x = Tensor([3.0])
    (x * x).backward()
    assert x.grad.tolist() == [6.0]


def test_blocks_nest_and_end_with_an_exception():
    x = Tensor([3.0])
    with pytest.raises(ZeroDivisionError), no_grad():
        with no_grad():
            assert (x * x).node is None
        assert (x * x).node is None
        raise ZeroDivisionError
    assert (x * x).node is not None and modes.active == 0


def test_backward_works_under_no_grad():
    x = Tensor([3.0])
    z = (x * x).sum()
    with no_grad():
        z.backward(create_graph=True)
        first = grad(z, x, create_graph=True)
    assert x.grad.tolist() == [6.0] and grad(first.sum(), x).tolist() == [2.0]


def test_detach_cuts_the_graph_and_later_changes_do_not_reach_it():
    x = Tensor([3.0], name="x")
    d = x.detach()
    assert d.node is None and d.name == "x"
    (x * d).backward()
    x.data = [5.0]
    assert x.grad.tolist() == [3.0] and d.tolist() == [3.0]


# Scopes


def test_nodes_have_their_nested_scopes_which_end_with_an_exception():
    x = Tensor([1.0])
    with scope("model"):
        a = x * 2
        with pytest.raises(ZeroDivisionError), scope("conv"):
            b = a.tanh()
            raise ZeroDivisionError
        c = b + 1
    d = c * 2
    assert [t.node.scope for t in (x, a, b, c, d)] == [None, ("model",), ("model", "conv"), ("model",), None]


def test_a_scope_works_as_a_decorator_and_can_be_entered_twice():
    block = scope("twice")

    @scope("layer")
    def layer(x):
        return x.tanh()

    x = Tensor([1.0])
    with block, block:
        y = layer(x)
    assert y.node.scope == ("twice", "twice", "layer") and layer(x).node.scope == ("layer",)


def test_constants_have_no_scope_and_gradients_do_not_depend_on_it():
    x = Tensor([2.0])
    with scope("a"), no_grad():
        assert (x * x).node is None
    with scope("a"):
        z = (x * x).sum()
        z.backward()
    assert x.grad.tolist() == [4.0]


# Threads and tasks


def test_threads_do_not_see_each_others_blocks():
    x, found, barrier = Tensor([3.0]), {}, threading.Barrier(2, timeout=30)

    def work(name, block):
        with block:
            barrier.wait()
            y = x * x
            found[name] = None if y.node is None else (y.node.scope or ())
            barrier.wait()

    threads = [threading.Thread(target=work, args=(1, no_grad())), threading.Thread(target=work, args=(2, scope("b")))]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert found == {1: None, 2: ("b",)} and modes.active == 0


def test_tasks_do_not_see_each_others_blocks():
    x = Tensor([3.0])

    async def work(block):
        with block:
            await asyncio.sleep(0.001)
            y = x * x
            await asyncio.sleep(0.001)
            return y.node and y.node.scope

    async def both():
        return await asyncio.gather(work(no_grad()), work(scope("b")), work(scope("c")))

    assert asyncio.run(both()) == [None, ("b",), ("c",)]


# t += ...

IN_PLACE = {
    "+=": (operator.iadd, operator.add),
    "-=": (operator.isub, operator.sub),
    "*=": (operator.imul, operator.mul),
    "/=": (operator.itruediv, operator.truediv),
    "**=": (operator.ipow, operator.pow),
    "@=": (operator.imatmul, operator.matmul),
}


@each("sign", IN_PLACE)
def test_in_place_on_a_leaf_while_functions_are_recorded_says_what_to_do(sign):
    w = Tensor([[1.0, 2.0], [3.0, 4.0]], name="w")
    with pytest.raises(TypeError, match=r"w .*= \.\.\.: w is a leaf.*w\.data = w\.data"):
        IN_PLACE[sign][0](w, np.eye(2) * 2)
    assert w.tolist() == [[1.0, 2.0], [3.0, 4.0]]


@each("sign", IN_PLACE)
def test_in_place_on_a_leaf_under_no_grad_changes_the_leaf_and_nothing_that_used_it(sign):
    in_place, plain = IN_PLACE[sign]
    w, other = Tensor([[1.0, 2.0], [3.0, 4.0]]), np.array([[2.0, 0.5], [1.0, 3.0]])
    z = (w * w).sum()
    same, node, before = w, w.node, w.data
    with no_grad():
        w = in_place(w, other)
    assert w is same and w.node is node and np.array_equal(w.data, plain(before, other)) and not np.array_equal(w.data, before)
    z.backward()
    assert w.grad.tolist() == (2 * before).tolist()


@each("sign", IN_PLACE)
def test_in_place_on_other_tensors_makes_a_new_variable(sign):
    in_place, plain = IN_PLACE[sign]
    x, other = Tensor([[1.0, 2.0], [3.0, 4.0]]), np.array([[2.0, 0.5], [1.0, 3.0]])
    h = first = x * 1
    h = in_place(h, other)
    assert h is not first and len(h.inputs) == 1 and np.array_equal(h.data, plain(x.data, other)) and np.array_equal(first.data, x.data)
    c = constant = x.detach()
    c = in_place(c, other)
    assert c.node is None and np.array_equal(constant.data, x.data)
    constant = in_place(constant, x)
    assert constant.inputs == (x.node,)


def test_in_place_under_no_grad_makes_a_step_of_gradient_descent():
    w = Tensor([1.0, 2.0], dtype=np.float32)
    for _ in range(3):
        w.zero_grad()
        (w * w).sum().backward()
        with no_grad():
            w -= 0.25 * w.grad
    assert w.tolist() == [0.125, 0.25] and w.dtype == np.float32
    with no_grad():
        w -= np.array([1.0, 1.0])
    assert w.dtype == np.float32


def test_in_place_keeps_the_shape_of_a_leaf():
    w = Tensor([1.0, 2.0], name="w")
    with no_grad(), pytest.raises(ValueError, match=r"w\.data must have the shape \(2,\) of w, got \(3, 2\)"):
        w += np.ones((3, 2))
    with no_grad(), detect_anomaly(), pytest.raises(tg.AnomalyError):
        w /= 0.0
    assert w.tolist() == [1.0, 2.0]

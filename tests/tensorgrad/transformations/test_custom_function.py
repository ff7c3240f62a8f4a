"""@function on tensors: one node for each call, differentiated by the chain rule inside it, by vjps or by partials."""

import numpy as np
import pytest

import tensorgrad as tg
from tensorgrad import Tensor, function, grad, hessian, no_grad, zoom
from tensorgrad.inspection.memory import memory
from tests.each import each
from tests.tensorgrad.case import Case, assert_close, differences, zoomed_gradients


def mixed_plain(x, w, *, power=2):
    h = tg.tanh(x @ w)
    return (h**power * x.sum(axis=1, keepdims=True) + h).sum(axis=0)


@function
def mixed(x, w, *, power=2):
    """A layer."""
    return mixed_plain(x, w, power=power)


@function(partials=lambda x, w: (2 * x * w, x * x))
def volume(x, w):
    return x * x * w


@function(partials=lambda x: 1 / (1 + x * x))
def arc(x):
    return np.arctan(x)


def left(G, B):
    """dz/dA = dz/dC Bᵀ"""
    return G @ B.T


def right(G, A):
    """dz/dB = Aᵀ dz/dC"""
    return A.T @ G


@function(vjps=(left, right))
def product(A, B):
    return A.dot(B)


@function
def nested(x):
    return volume(arc(x), mixed(x, x[:2])).sum() * arc(x)


@function
def twice_the_same(x, *others):
    for other in others:
        x = x * other
    return x


CASES = [
    Case(mixed, (3, 2), (2, 4)),
    Case(mixed, (3, 2), (2, 4), power=3),
    Case(volume, (2, 3), (2, 3)),
    Case(volume, (2, 3), (3,), label="broadcast"),
    Case(arc, (2, 3)),
    Case(product, (2, 3), (3, 2)),
    Case(nested, (2, 2)),
    Case(twice_the_same, (2, 2), (2, 2), (2, 2)),
]


@each("case", CASES, ids=repr)
def test_derivatives_agree_with_the_scalar_graph_and_finite_differences(case):
    arrays = case.arrays()
    gradients = case.gradients(arrays)[1]
    assert_close(gradients, zoomed_gradients(case, arrays), 1e-10, f"{case.name} zoomed")
    slopes = differences(lambda moved: case.loss([Tensor(a, keep_grad=False) for a in moved]).item(), arrays)
    assert_close(gradients, slopes, 1e-6, f"{case.name} against finite differences")
    along = [case.weights(a.shape) for a in arrays]
    slope = lambda moved: sum((g * v).sum() for g, v in zip(case.gradients(moved)[1], along))
    tensors, first = case.gradients(arrays, differentiable=True)
    second = grad(sum([(g * v).sum() for g, v in zip(first, along)]), tensors)
    assert_close(second, differences(slope, arrays), 1e-5, f"{case.name} at second order")


def test_a_function_is_one_node_and_keeps_its_name_and_docstring():
    x, w = Tensor(np.ones((3, 2)), name="x"), Tensor(np.ones((2, 4)), name="w")
    y = mixed(x, w)
    assert y.inputs == (x.node, w.node) and y.rule is mixed and y.rule.name == "mixed" and mixed.__doc__ == "A layer."
    assert mixed.formula(1) == "dz/dw = dz/dmixed ∂mixed/∂w, by the chain rule inside mixed"
    assert {"matmul1.A", "matmul1.B", "tanh2.y"} <= set(memory(y.sum()).rows[1].saved)


def test_a_variable_given_twice_has_a_contribution_for_each_use():
    x = Tensor([1.0, 2.0])
    y = twice_the_same(x, x, x)
    assert len(y.inputs) == 3
    y.sum().backward()
    assert x.grad.tolist() == [3.0, 12.0]
    assert hessian(lambda x: twice_the_same(x, x, x).sum(), [1.0, 2.0]).tolist() == [[6.0, 0.0], [0.0, 12.0]]


def test_a_function_has_third_derivatives():
    x = Tensor([2.0])
    z = twice_the_same(x, x, x, x).sum()
    for _ in range(2):
        z = grad(z, x, create_graph=True).sum()
    assert grad(z, x).tolist() == [48.0]


def test_constants_arrays_and_other_arguments_reach_the_function():
    seen = []

    @function
    def f(x, c, k, index, anything):
        seen[:] = type(x), type(c), type(k), type(index), anything
        return x[index] * c.tanh() * k

    x, c = Tensor([1.0, 2.0, 3.0]), np.array([0.5, 0.25])
    y = f(x, c, 3, np.array([0, 2]), "text")
    assert seen == [Tensor, Tensor, int, np.ndarray, "text"]
    c[:] = 100
    y.sum().backward(retain_graph=True)
    np.testing.assert_allclose(x.grad, [3 * np.tanh(0.5), 0, 3 * np.tanh(0.25)])
    again = grad(y.sum(), x, create_graph=True)
    assert again.tolist() == x.grad.tolist() and grad(again.sum(), x, unused=0).tolist() == [0, 0, 0]


def test_plain_arrays_give_a_plain_array_and_constants_a_constant():
    assert type(mixed(np.ones((3, 2)), np.ones((2, 4)))) is np.ndarray and type(arc(np.ones(2))) is np.ndarray
    assert mixed(Tensor(np.ones((3, 2)), keep_grad=False), np.ones((2, 4))).node is None
    x = Tensor(np.ones((3, 2)))
    with no_grad():
        y = mixed(x, np.ones((2, 4)))
    assert y.node is None and np.array_equal(y.data, mixed(x, np.ones((2, 4))).data)


def test_float32_stays_float32_also_if_the_result_is_a_number():
    x = Tensor([1.0, 2.0], dtype=np.float32)
    y = twice_the_same(x, x)
    y.sum().backward()
    assert y.dtype == x.grad.dtype == np.float32

    @function
    def seven(x):
        return 7

    y = seven(x)
    assert (y.dtype, y.item()) == (np.float32, 7.0) and grad(y, x).tolist() == [0.0, 0.0]


def test_a_function_may_return_its_input():
    same = function(lambda x: x)
    x = Tensor([1.0, 2.0])
    (same(x) * same(x)).sum().backward()
    assert x.grad.tolist() == [2.0, 4.0]


def test_a_function_may_branch_and_loop_on_data():
    @function
    def power(x):
        y = x
        while y.data.max() < 100:
            y = y * x
        return y

    x = Tensor([3.0])
    y = power(x)
    y.backward()
    assert y.item() == 243 and x.grad.tolist() == [5 * 81.0]
    assert zoom(power(x)).entries[0].data == 243


def test_gradients_outside_do_not_change_and_backward_may_run_twice():
    x = Tensor([1.0, 2.0])
    y = twice_the_same(x, x).sum()
    assert x.grad is None
    y.backward(retain_graph=True)
    y.backward()
    assert x.grad.tolist() == [4.0, 8.0]
    with pytest.raises(RuntimeError, match="released"):
        y.backward()


def test_a_variable_from_outside_is_refused():
    k = Tensor([5.0], name="k")
    h = k * 2
    for outside in (k, h):
        with pytest.raises(ValueError, match="@function f: k is not an argument, so its derivative would be lost"):
            times(outside)(Tensor([3.0]))
    assert times(k.detach())(Tensor([3.0])).item() == 15.0
    with pytest.raises(ValueError, match="is not an argument"):
        times(k)(Tensor([3.0], keep_grad=False))


def times(outside):
    @function
    def f(x):
        return x * outside

    return f


def test_a_variable_as_a_default_is_an_input():
    k = Tensor([5.0])
    y = function(lambda x, k=k: x * k)(Tensor([3.0]))
    y.backward()
    assert len(y.inputs) == 2 and k.grad.tolist() == [3.0]


@each("wrong", [lambda x: [x, x], lambda x: "text", lambda x: None])
def test_a_function_must_return_one_tensor(wrong):
    with pytest.raises(TypeError, match="returned .*; it must return one tensor"):
        function(wrong)(Tensor([1.0]))


def test_objects_that_are_not_functions_and_wrong_arguments_are_refused():
    with pytest.raises(TypeError, match="is not a plain Python function"):
        function(Tensor([1.0]))
    with pytest.raises(TypeError, match="is not a plain Python function"):
        function(mixed)
    with pytest.raises(TypeError, match=r"@function mixed: .*signature: mixed\(x, w, \*, power=2\)"):
        mixed(Tensor([1.0]))
    with pytest.raises(TypeError, match="power= is an option and cannot be a tensor; make power a parameter"):
        mixed(Tensor(np.ones((3, 2))), np.ones((2, 4)), power=Tensor(2.0))


def test_partials_by_hand_are_used_and_must_be_one_per_input():
    x = Tensor([3.0])
    function(partials=lambda x: 100.0)(lambda x: x * x)(x).backward()
    assert x.grad.tolist() == [100.0]
    with pytest.raises(ValueError, match="its partials returned 1 partial for 2 inputs; return one partial for each input"):
        function(partials=lambda a, b: (b,))(lambda a, b: a * b)(x, x).backward()


# A user's vjp cannot change the arrays of others


def test_a_vjp_that_writes_into_the_upstream_gradient_is_refused_and_reaches_no_other_variable():
    def vjp(G):
        """dz/dx = 2 dz/dy, in a way that is not ours"""
        G *= 2
        return G

    @tg.rule(vjp)
    def twice(x):
        return 2 * x

    a, b = Tensor([1.0, 2.0]), Tensor([1.0, 2.0])
    with pytest.raises(ValueError, match="read-only"):
        (twice(a) + b).sum().backward()
    assert a.grad is None and b.grad is None


def test_a_vjp_may_return_the_upstream_gradient_and_the_result_is_a_copy():
    def vjp(G, x):
        """dz/dx = x"""
        return x

    @tg.rule(vjp)
    def half(x):
        return (x * x).sum() / 2

    a = Tensor([1.0, 2.0])
    half(a).backward()
    a.grad *= 5
    assert a.tolist() == [1.0, 2.0]


def test_a_vjp_that_returns_a_number_for_an_array_is_refused_with_the_shape():
    def vjp(G):
        """dz/dx = 2"""
        return 2.0

    @tg.rule(vjp)
    def total(x):
        return x.sum()

    with pytest.raises(
        ValueError, match=r"total: its vjp for input 1 returned shape \(\), which cannot be unbroadcast to the shape \(2,\)"
    ):
        total(Tensor([1.0, 2.0])).backward()


def test_a_function_that_leaves_the_graph_is_refused():
    @function
    def doubled(x):
        return x.data * 2

    with pytest.raises(TypeError, match="doubled returned a ndarray and not a tensor, so its derivative would be lost"):
        doubled(Tensor([1.0]))
    assert isinstance(doubled(Tensor([1.0], keep_grad=False)), Tensor)


def test_a_vjp_without_a_return_is_refused():
    def vjp(G):
        """dz/dx = dz/dy"""

    @tg.rule(vjp)
    def same(x):
        return x * 1

    with pytest.raises(TypeError, match="is `return` missing"):
        same(Tensor([1.0])).backward()

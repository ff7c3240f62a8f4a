"""grad, value_and_grad, jacobian, hessian, vjp, jvp, hvp: against scalargrad, hand derivation, finite differences and each other."""

import numpy as np
import pytest

import scalargrad as sg
import tensorgrad as tg
from tensorgrad import Tensor, grad, hessian, hvp, jacobian, jvp, no_grad, value_and_grad, vjp
from tests.each import each
from tests.tensorgrad.case import differences

dice = np.random.default_rng(3)
X, W = dice.standard_normal((3, 2)), dice.standard_normal((2, 4))


def layer(x, w):
    return tg.tanh(x @ w)


def energy(x, w):
    return (layer(x, w) * layer(x, w) * (x * x).sum()).sum()


def close(a, b):
    np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-12)


# grad


def test_grad_of_one_variable_of_a_list_of_z_and_of_an_intermediate_variable():
    x, w = Tensor(X), Tensor(W)
    h = x @ w
    z = (h * h).sum()
    close(grad(z, h, retain_graph=True), 2 * h.data)
    by_list = grad(z, [x, w], retain_graph=True)
    close(by_list[0], 2 * h.data @ W.T)
    close(by_list[1], X.T @ (2 * h.data))
    assert grad(z, z, retain_graph=True) == 1 and grad(z, [], retain_graph=True) == [] and x.grad is None
    assert type(grad(z, (x,))) is list


def test_grad_takes_an_upstream_gradient_and_a_number_for_unused_variables():
    x, other = Tensor([1.0, 2.0], name="x"), Tensor([[5.0]], name="other")
    y = x * x
    assert grad(y, x, upstream=[1.0, 10.0], retain_graph=True).tolist() == [2.0, 40.0]
    with pytest.raises(ValueError, match="z does not depend on other"):
        grad(y.sum(), [x, other])
    y = (x * x).sum()
    zeros = grad(y, [other, x], unused=0, create_graph=True)
    assert zeros[0].tolist() == [[0.0]] and type(zeros[0]) is Tensor and zeros[1].tolist() == [2.0, 4.0]
    assert grad(y, other, unused=7.0).tolist() == [[7.0]] and grad(y.detach(), x, unused=0).tolist() == [0.0, 0.0]


def test_grad_releases_the_graph_as_backward_does():
    x = Tensor([1.0])
    y = (x * x).sum()
    grad(y, x, create_graph=True)
    grad(y, x)
    with pytest.raises(RuntimeError, match="released"):
        grad(y, x)


def test_grad_returns_arrays_that_the_user_may_change():
    x = Tensor([1.0, 2.0])
    g = grad(x.sum(), x)
    g += 1
    a, b = grad((x + (y := Tensor([0.0, 0.0]))).sum(), [x, y])
    a += 1
    assert b.tolist() == [1.0, 1.0]


def test_grad_gives_third_derivatives():
    x = Tensor([0.5, -1.0])
    z = (x**5).sum()
    for _ in range(2):
        z = grad(z, x, create_graph=True).sum()
    close(grad(z, x), 60 * x.data**2)


# Functions at a point


def test_value_and_grad_returns_the_value_and_one_array_per_argument():
    value, (dx, dw) = value_and_grad(energy, X, W)
    x, w = Tensor(X), Tensor(W)
    z = energy(x, w)
    z.backward()
    assert value == z.item() and type(value) is np.ndarray
    close(dx, x.grad)
    close(dw, w.grad)
    assert value_and_grad(lambda x, y: (x * x).sum(), [3.0], [4.0])[1][1].tolist() == [0.0]


@each(("f", "shape"), [(lambda x: x @ W, (3, 4)), (lambda x: x.sum(), ()), (lambda x: x.sum(axis=0), (2,)), (lambda x: x[:0], (0, 2))])
def test_jacobian_has_the_shape_of_the_output_and_then_of_the_input(f, shape):
    found = jacobian(lambda x: f(tg.tanh(x)), X)
    assert found.shape == (*shape, 3, 2)
    for place in np.ndindex(shape):
        entry = lambda moved, place=place: f(tg.tanh(Tensor(moved[0]))).data[place]
        np.testing.assert_allclose(found[place], differences(entry, [X])[0], atol=1e-8)


def test_jacobian_of_several_arguments_and_outputs_is_a_list_of_lists():
    rows = jacobian(lambda x, y: [x * y, x.sum()], [1.0, 2.0], [3.0, 4.0])
    assert [[a.tolist() for a in row] for row in rows] == [[[[3, 0], [0, 4]], [[1, 0], [0, 2]]], [[1, 1], [0, 0]]]
    assert [a.tolist() for a in jacobian(lambda x, y: x * y, 2.0, 3.0)] == [3.0, 2.0]
    assert [a.tolist() for a in jacobian(lambda x: [x, 2 * x], 2.0)] == [1.0, 2.0]


def test_derivatives_of_numbers_agree_with_scalargrad():
    f = lambda x, y: x * x * y + y
    g = lambda x, y: [x * y, x + y]
    plain = lambda found: [plain(a) for a in found] if isinstance(found, list) else float(found)
    assert plain(value_and_grad(f, 3.0, 4.0)[1]) == plain(sg.value_and_grad(f, 3.0, 4.0)[1])
    assert plain(jacobian(g, 3.0, 4.0)) == plain(sg.jacobian(g, 3.0, 4.0))
    assert plain(hessian(f, 3.0, 4.0)) == plain(sg.hessian(f, 3.0, 4.0))
    for ours, theirs, of in ((vjp, sg.vjp, g), (jvp, sg.jvp, g), (hvp, sg.hvp, f)):
        assert plain(ours(of, [3.0, 4.0], [1.0, 10.0])) == plain(theirs(of, [3.0, 4.0], [1.0, 10.0]))


def test_the_hessian_of_a_quadratic_form_is_symmetric():
    A = dice.standard_normal((3, 3))
    close(hessian(lambda x: x @ A @ x, dice.standard_normal(3)), A + A.T)
    (xx, xw), (wx, ww) = hessian(energy, X, W)
    assert xx.shape == (3, 2, 3, 2) and xw.shape == (3, 2, 2, 4) and ww.shape == (2, 4, 2, 4)
    close(xw, wx.transpose(2, 3, 0, 1))
    close(ww, ww.transpose(2, 3, 0, 1))
    assert not hessian(lambda x: 3 * x.sum() - 1, X).any()


def test_hvp_is_the_hessian_times_the_direction():
    V, U = dice.standard_normal(X.shape), dice.standard_normal(W.shape)
    (xx, xw), (wx, ww) = hessian(energy, X, W)
    found = hvp(energy, [X, W], [V, U])
    close(found[0], np.tensordot(xx, V, 2) + np.tensordot(xw, U, 2))
    close(found[1], np.tensordot(wx, V, 2) + np.tensordot(ww, U, 2))
    assert hvp(lambda x: 3 * x.sum(), X, V).tolist() == np.zeros((3, 2)).tolist()


def test_vjp_and_jvp_are_the_jacobian_times_a_vector_from_either_side():
    V, U, G = dice.standard_normal(X.shape), dice.standard_normal(W.shape), dice.standard_normal((3, 4))
    jx, jw = jacobian(layer, X, W)
    for found, j in zip(vjp(layer, [X, W], G), (jx, jw)):
        close(found, np.tensordot(G, j, 2))
    close(jvp(layer, [X, W], [V, U]), np.tensordot(jx, V, 2) + np.tensordot(jw, U, 2))
    two = lambda x: [tg.tanh(x), x.sum(axis=1)]
    first, second = jvp(two, X, V)
    close(first, (1 - np.tanh(X) ** 2) * V)
    close(second, V.sum(axis=1))
    close(vjp(two, X, [V, np.ones(3)]), (1 - np.tanh(X) ** 2) * V + 1)
    assert jvp(lambda x: Tensor([1.0], keep_grad=False), X, V).tolist() == [0.0]


def test_float32_stays_float32():
    x = X.astype("f")
    f = lambda x: tg.tanh(x).sum()
    for found in (value_and_grad(f, x)[1][0], jacobian(f, x), hessian(f, x), vjp(f, x, 1.0), jvp(f, x, x), hvp(f, x, x)):
        assert found.dtype == np.float32


def test_variables_of_two_dtypes_can_be_differentiated_twice():
    x, w = Tensor([2.0, 3.0]), Tensor([0.5, 0.25], dtype=np.float32)
    first = grad((x * x * w * w).sum(), [x, w], create_graph=True)
    assert [g.dtype for g in first] == [np.float64, np.float32]
    second = grad(sum([g.sum() for g in first]), [x, w])
    assert [g.dtype for g in second] == [np.float64, np.float32]
    close(second[0], 2 * w.data**2 + 4 * x.data * w.data)
    np.testing.assert_allclose(second[1], 4 * x.data * w.data + 2 * x.data**2, rtol=1e-6)


def test_astype_converts_both_ways_and_refuses_other_dtypes():
    x = Tensor([1.0, 2.0])
    y = x.astype(np.float32)
    (y * y * y).sum().backward(create_graph=True)
    assert y.dtype == np.float32 and x.grad.dtype == np.float64 and x.grad.tolist() == [3.0, 12.0]
    assert grad(x.grad.sum(), x).tolist() == [6.0, 12.0] and np.astype(x, np.float32).node is not None
    with pytest.raises(ValueError, match="astype: dtype=int64 is not float64 or float32"):
        x.astype(int)


# Nothing is lost silently


def test_derivatives_of_a_function_work_under_no_grad():
    with no_grad():
        assert value_and_grad(lambda x: (x * x).sum(), [3.0])[1][0].tolist() == [6.0]
        assert jacobian(lambda x: x * x, [3.0]).tolist() == [[6.0]]
        assert hessian(lambda x: (x**3).sum(), [2.0]).tolist() == [[12.0]]
        assert hvp(lambda x: (x**3).sum(), np.array([2.0]), np.array([1.0])).tolist() == [12.0]
        assert vjp(lambda x: x * x, np.array([3.0]), np.array([1.0])).tolist() == [6.0]
        assert jvp(lambda x: x * x, np.array([3.0]), np.array([1.0])).tolist() == [6.0]


def test_the_point_may_be_tensors_and_their_grad_stays_unchanged():
    x, w = Tensor(X), Tensor(W, keep_grad=False)
    close(value_and_grad(energy, x, w)[1][1], value_and_grad(energy, X, W)[1][1])
    assert x.grad is None
    close(value_and_grad(energy, x * 1, w)[1][0], value_and_grad(energy, X, W)[1][0])
    a, b = value_and_grad(lambda a, b: (a * b).sum(), x, x)[1]
    close(a, X)
    close(b, X)


def test_a_parameter_used_besides_the_arguments_is_a_constant():
    w = Tensor(W)
    close(jacobian(lambda x: x @ w, X), jacobian(lambda x: x @ W, X))
    assert w.grad is None


@each("used", [lambda x: x, lambda x: 2 * x])
def test_a_tensor_of_the_point_used_other_than_as_an_argument_is_refused(used):
    x = Tensor([1.0, 2.0], name="x")
    outside = used(x)
    with pytest.raises(ValueError, match="the function uses x not only as its argument, so that derivative would be lost"):
        jacobian(lambda y: y * outside, x)
    assert jacobian(lambda y: y * outside.detach(), x).shape == (2, 2)


@each(
    ("call", "kind", "says"),
    [
        (
            lambda: value_and_grad(lambda x: x * 2, X),
            ValueError,
            r"value_and_grad: the function must return one number, not shape \(3, 2\)",
        ),
        (lambda: hessian(lambda x: [x, x], 1.0), ValueError, "hessian: the function must return one number, not 2 tensors"),
        (
            lambda: jacobian(lambda x: x.data * 2, X),
            TypeError,
            "the function returned array.*; it must return a tensor, or its derivative would be lost",
        ),
        (lambda: jacobian(X, X), TypeError, "the function first"),
        (lambda: vjp(lambda x: x, X, X[0]), ValueError, r"vjp: upstream gradient 1 has shape \(2,\); it must have the shape \(3, 2\)"),
        (lambda: jvp(layer, [X, W], [X]), ValueError, "jvp: 2 directions are needed, one for each tensor, got 1"),
        (lambda: hvp(energy, [X, W], [X, X]), ValueError, r"hvp: direction 2 has shape \(3, 2\); it must have the shape \(2, 4\)"),
        (lambda: value_and_grad(lambda x: x, [1j]), TypeError, "complex"),
    ],
)
def test_points_directions_and_functions_that_do_not_fit_are_refused(call, kind, says):
    with pytest.raises(kind, match=says):
        call()


def test_a_variable_given_twice_gets_two_arrays():
    x = Tensor([1.0, 2.0])
    first, second = grad((x * x).sum(), [x, x])
    first += 1
    assert second.tolist() == [2.0, 4.0]


# grad of a function


def test_grad_of_a_function_is_its_gradient_as_a_function():
    x = np.array([1.0, 2.0])
    np.testing.assert_array_equal(grad(lambda x: (x**3).sum())(x), 3 * x**2)
    dx, dy = grad(lambda x, y: (x * y).sum())(x, [3.0, 4.0])
    assert dx.tolist() == [3.0, 4.0] and dy.tolist() == [1.0, 2.0]


def test_grad_differentiates_through_grad():
    first = grad(lambda x: (x**4).sum())
    assert grad(lambda x: first(x).sum())([1.0, 2.0]).tolist() == [12.0, 48.0]
    x = Tensor([1.0, 2.0])
    left, right = grad(lambda a, b: (a * a * b).sum())(x, x)
    assert left.data.tolist() == [2.0, 8.0] and grad((left + right).sum(), x).tolist() == [6.0, 12.0]


@each(
    ("call", "says"),
    [
        (lambda: grad(lambda x: x, 3.0), "grad: f is a function, and grad(f) its gradient; give the point to that, grad(f)(x)"),
        (lambda: grad(lambda x: x)(), "grad: the point is missing; give an array for each argument, as in grad(f)(x)"),
        (lambda: grad(Tensor(3.0)), "grad: the tensors are missing; give the one or the list to differentiate by, grad(z, x)"),
    ],
)
def test_a_wrong_call_of_grad_is_answered_with_the_right_one(call, says):
    with pytest.raises(TypeError) as caught:
        call()
    assert str(caught.value) == says


def test_grad_of_a_function_that_returns_many_numbers_is_refused():
    with pytest.raises(ValueError, match=r"^grad: the function must return one number, not shape \(2,\)"):
        grad(lambda x: x)([1.0, 2.0])

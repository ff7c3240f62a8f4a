"""grad, jacobian, hessian, vjp, jvp, hvp: against hand derivation and against each other; third derivatives; changed numbers."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import scalargrad as sg
from scalargrad import Value, grad, hessian, hvp, jacobian, jvp, value_and_grad, vjp
from scalargrad.graph import ChangedError
from tests.each import each
from tests.examples import at_most
from tests.scalargrad.graphs import f3


def rosenbrock(x, y):
    return (1 - x) ** 2 + 100 * (y - x * x) ** 2


def polar(r, angle):
    return [r * sg.cos(angle), r * sg.sin(angle)]


def test_grad_of_one_variable_of_a_list_and_of_z_itself():
    x, y = Value(3), Value(4)
    z = x * x * y
    assert grad(z, x) == 24 and grad(z, [x, y]) == [24, 9] and grad(z, (y,)) == [9] and grad(z, z) == 1 and grad(z, []) == []
    assert (x.grad, y.grad, z.grad) == (0, 0, 0)


def test_grad_of_a_variable_in_between():
    x = Value(3)
    y = x * x
    assert grad(y * x, y) == 3  # all paths, not only the direct one: here there is one
    assert grad(y * y + y, y) == 19


def test_value_and_grad_leaves_out_nothing():
    assert value_and_grad(rosenbrock, 3, 4) == (4 + 100 * 25, [-2 * (1 - 3) - 400 * 3 * (4 - 9), 200 * (4 - 9)])
    assert value_and_grad(lambda x, y: x * x, 3, 4) == (9, [6, 0])


def test_jacobian_of_polar_coordinates():
    assert jacobian(polar, 2.0, 0.5) == [
        pytest.approx([math.cos(0.5), -2 * math.sin(0.5)]),
        pytest.approx([math.sin(0.5), 2 * math.cos(0.5)]),
    ]


def test_hessian_by_hand_and_exactly():
    x, y = Fraction(1, 3), Fraction(-2, 5)
    assert hessian(rosenbrock, x, y) == [[2 - 400 * (y - 3 * x * x), -400 * x], [-400 * x, 200]]


def test_derivatives_of_any_order():
    x = Value(Fraction(2, 3))
    z, orders = x**5, []
    for _ in range(7):
        orders.append(z.data)
        z = grad(z, x, create_graph=True) if z.inputs else Value(0)
    two_thirds = Fraction(2, 3)
    assert orders[:6] == [math.perm(5, k) * two_thirds ** (5 - k) for k in range(6)] and orders[6] == 0


@each(
    ("f", "third"),
    [
        (sg.exp, math.exp),
        (sg.sin, lambda x: -math.cos(x)),
        (sg.log, lambda x: 2 / x**3),
        (sg.reciprocal, lambda x: -6 / x**4),
        (sg.sqrt, lambda x: 3 / 8 * x**-2.5),
        (sg.tanh, lambda x: (1 - math.tanh(x) ** 2) * (6 * math.tanh(x) ** 2 - 2)),
        (sg.square, lambda x: 0),
        (lambda x: x**2.5, lambda x: 2.5 * 1.5 * 0.5 * x**-0.5),
        (lambda x: 2.0**x, lambda x: 2.0**x * math.log(2) ** 3),
        (lambda x: x**x, lambda x: x**x * ((math.log(x) + 1) ** 3 + 3 * (math.log(x) + 1) / x - 1 / x**2)),
    ],
)
def test_third_derivatives(f, third):
    x = Value(0.7)
    z = f(x)
    for _ in range(2):
        z = grad(z, x, create_graph=True)
    found = grad(z, x) if z.inputs else 0
    assert found == pytest.approx(third(0.7), rel=1e-12)


POINT = st.lists(st.fractions(-5, 5, max_denominator=9), min_size=3, max_size=3)


def cubic(a, b, c):
    return a * a * b - 2 * b * c * c + f3(a, b, c) * c + (a + b * c) ** 2


@at_most(50)
@given(POINT, POINT)
def test_hvp_is_the_hessian_times_the_direction(point, direction):
    h = hessian(cubic, *point)
    assert hvp(cubic, point, direction) == [sum(row[j] * direction[j] for j in range(3)) for row in h]
    assert all(h[i][j] == h[j][i] for i in range(3) for j in range(3))


def three(a, b, c):
    return [a * b, b * c - a, a * a]


@at_most(50)
@given(POINT, POINT, POINT)
def test_vjp_and_jvp_are_the_jacobian_times_a_vector_from_either_side(point, upstream, direction):
    j = jacobian(three, *point)
    assert vjp(three, point, upstream) == [sum(upstream[i] * j[i][k] for i in range(3)) for k in range(3)]
    assert jvp(three, point, direction) == [sum(j[i][k] * direction[k] for k in range(3)) for i in range(3)]
    one = sum(u * d for u, d in zip(vjp(three, point, upstream), direction))
    assert one == sum(u * d for u, d in zip(upstream, jvp(three, point, direction)))


def test_the_hessian_of_something_linear_is_zero():
    assert hessian(lambda x, y: 3 * x - y + 7, 1.0, 2.0) == [[0, 0], [0, 0]]
    assert hvp(lambda x, y: 3 * x - y, [1.0, 2.0], [1.0, 1.0]) == [0, 0]


def test_directions_and_upstreams_of_the_wrong_length_are_refused():
    for call in (
        lambda: vjp(polar, [1.0, 2.0], [1.0]),
        lambda: jvp(polar, [1.0, 2.0], [1.0, 2.0, 3.0]),
        lambda: hvp(rosenbrock, [1.0, 2.0], [1.0]),
    ):
        with pytest.raises(ValueError, match="give one number for each (in|out)put, 2 in all"):
            call()


def test_variables_can_stand_for_the_point():
    x, y = Value(3.0), Value(4.0)
    assert value_and_grad(rosenbrock, x, y)[1] == value_and_grad(rosenbrock, 3.0, 4.0)[1]
    assert (x.grad, y.grad) == (0, 0)


# Numbers that were changed in between


def test_a_number_changed_after_it_was_used_is_an_error_for_derivatives_of_derivatives():
    x, y = Value(3.0, name="x"), Value(4.0, name="y")
    z = x * y
    z.name = "z"
    x.data = 5.0
    with pytest.raises(ChangedError, match=r"mul used x, y, and one of them was changed since: ∂/∂y was 3.0 and is now 5.0; make z again"):
        grad(z, [x, y], create_graph=True)
    assert grad(z, [x, y]) == [4.0, 3.0]  # the first derivative is that of the moment when z was made


def test_a_change_that_no_partial_depends_on_is_harmless():
    x = Value(3.0)
    z = x + 1
    x.data = 5.0
    assert grad(z, x, create_graph=True).data == 1


def test_nan_is_not_mistaken_for_a_change():
    x, y = Value(math.nan), Value(2.0)
    dx, dy = grad(x * y, [x, y], create_graph=True)
    assert dx.data == 2.0 and math.isnan(dy.data)


def test_second_derivatives_are_numbers_where_the_row_says_what_the_first_is():
    assert sg.hessian(lambda a, b: a**b, 0.0, 3.0) == [[0.0, 0.0], [0.0, 0.0]]
    assert sg.hessian(lambda a: 0**a, 3.0) == [[0.0]]
    assert sg.hessian(lambda a: a.sqrt(total=True), -1.0) == [[0.0]]


def test_a_derivative_that_is_the_same_everywhere_has_derivative_0():
    x = sg.Value(2.0)
    second = sg.grad(sg.grad(x * x, x, create_graph=True), x, create_graph=True)
    assert second.data == 2.0
    assert sg.grad(second, x) == 0


def test_derivatives_are_found_under_no_grad_too():
    with sg.no_grad():
        assert sg.jacobian(lambda a: a * a, 3.0) == [[6.0]]
        assert sg.hessian(lambda a: a * a, 3.0) == [[2.0]]
        assert sg.hvp(lambda a: a * a, [3.0], [2.0]) == [4.0]
        assert sg.vjp(lambda a: a * a, [3.0], [2.0]) == [12.0]


def test_detect_anomaly_watches_derivatives_without_a_graph_too():
    with sg.detect_anomaly(), pytest.raises(sg.AnomalyError, match="sqrt made inf in the backward pass"):
        sg.value_and_grad(sg.sqrt, 0.0)


def test_the_functions_that_differentiate_say_what_they_want_first():
    x = sg.Value(2.0)
    with pytest.raises(TypeError, match="the function first"):
        sg.hessian(x * x, x)


# grad of a function


def test_grad_of_a_function_is_its_derivative_as_a_function():
    assert grad(lambda x: x * x)(3.0) == 6.0
    assert grad(lambda x, y: x * y)(3, 4) == [4, 3]
    assert grad(lambda x, y: x * x)(3, 4) == [6, 0]
    assert grad(lambda x: x**3 / 3)(Fraction(1, 3)) == Fraction(1, 9)


def test_grad_of_grad_is_the_second_derivative_to_any_depth():
    f = sg.tanh
    y = math.tanh(0.3)
    assert grad(grad(f))(0.3) == pytest.approx(-2 * y * (1 - y * y))
    assert grad(grad(grad(f)))(0.3) == pytest.approx((1 - y * y) * (6 * y * y - 2))
    assert grad(grad(lambda x: 3 * x))(2.0) == 0


def test_the_derivative_of_a_function_at_one_variable_for_two_arguments_is_one_for_each():
    x = Value(3.0)
    left, right = grad(lambda a, b: a * a * b)(x, x)
    assert (left.data, right.data) == (18.0, 9.0) and grad(left + right, x) == 18.0


@each(
    ("call", "says"),
    [
        (
            lambda: grad(math_free, 3.0),
            "grad: math_free is a function, and grad(math_free) its derivative; give the point to that, grad(math_free)(3.0)",
        ),
        (lambda: grad(math_free)(), "grad: the point is missing; give the numbers after the function, as in grad(f)(3.0)"),
        (lambda: grad(lambda x: 3.0)(1.0), "grad: the function returned 3.0; it must return one Value"),
        (lambda: grad(lambda x: [x, x])(1.0), "grad: the function returned ["),
        (lambda: value_and_grad(lambda x: [x], 1.0), "value_and_grad: the function returned ["),
        (lambda: grad(Value(3.0)), "grad: the variables are missing; give the one or the list to differentiate by, grad(z, x)"),
    ],
)
def test_grad_used_wrongly_says_how_it_is_used(call, says):
    with pytest.raises(TypeError) as caught:
        call()
    assert str(caught.value).startswith(says)


def math_free(x):
    return x * x


def test_grad_takes_an_upstream_gradient_and_a_number_for_variables_that_are_not_used():
    x, y, w = Value(3), Value(4), Value(5)
    z = x * x * y
    assert grad(z, [x, y], upstream=10) == [240, 90] and grad(z, [x, w], unused=0) == [24, 0]
    u = Value(10)
    first = grad(z, x, upstream=u, create_graph=True)
    assert first == 240 and grad(first, u) == 24
    assert grad(grad(z, [x, w], create_graph=True, unused=0)[1], w) == 0
    with pytest.raises(TypeError, match="the upstream gradient is not a real number"):
        grad(z, x, upstream="1")

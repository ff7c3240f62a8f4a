"""@function: one function of the graph from a Python function; partials by the chain rule inside it or by hand."""

import math
import random
from fractions import Fraction

import pytest

import scalargrad as sg
from scalargrad import Constant, Graph, Trace, Value, backpropagation, function, grad, hessian
from scalargrad.formulas.symbols import Name
from tests.each import each
from tests.scalargrad.graphs import f3, mixed


def test_a_function_is_one_variable_whatever_it_computes_inside():
    x, y = Value(3), Value(4)
    z = mixed(x, y)
    assert Graph(z).variables == [x, y, z] and z.inputs == (x, y) and z.rule is mixed
    assert z.data == 3 * 4 - 3 + 2 * 16 and z.partials == (4 - 1, 3 + 4 * 4)


def test_a_variable_given_twice_has_a_partial_for_each_use():
    x = Value(3)
    z = f3(x, x, x)
    assert z.inputs == (x, x, x) and z.partials == (3, 3, 1)
    assert backpropagation(z)[x] == 7 and len(Graph(z).children[x]) == 3


@each("kinds", [(Value, Value, Value), (float, Value, Value), (Value, float, float), (Value, Value, float)])
def test_constants_may_stand_anywhere(kinds):
    args = [kind(x) for kind, x in zip(kinds, (3.0, 6.0, 16.0))]
    z = f3(*args)
    variables = [x for x in args if isinstance(x, Value)]
    expected = [d for d, x in zip((6.0, 3.0, 1), args) if isinstance(x, Value)]
    assert z.data == 34.0 and grad(z, variables) == expected


def test_a_function_of_plain_numbers_is_a_plain_number():
    assert f3(3, 6, 16) == 34 and type(f3(Fraction(1, 2), 1, 1)) is Fraction


def test_a_function_of_constants_is_a_constant():
    assert type(f3(Value(3, keep_grad=False), 6, 16)) is Constant


def test_a_function_that_uses_only_some_of_its_inputs():
    @function
    def first(a, b):
        return a * 2

    @function
    def seven(a):
        return 7

    x, y = Value(3), Value(4)
    assert first(x, y).partials == (2, 0) and seven(x).partials == (0,) and seven(x).data == 7
    assert hessian(first, 3, 4) == [[0, 0], [0, 0]] and hessian(seven, 3) == [[0]]


def test_a_function_may_branch_loop_and_call_others():
    @function
    def power(x, n):
        y = 1
        for _ in range(int(n.data)):
            y = y * x
        return y if x > 0 else -y

    x = Value(-2)
    z = power(x, 3)
    assert z.data == 8 and grad(z, x) == -12

    @function
    def outer(a, b):
        return sg.exp(f3(a, b, a)) * 2.0

    a, b = Value(0.5), Value(0.25)
    z = outer(a, b)
    inside = math.exp(0.5 * 0.25 + 0.5) * 2.0
    assert z.partials == pytest.approx((inside * 1.25, inside * 0.5)) and Graph(z).variables == [a, b, z]


def test_second_derivatives_go_through_functions():
    assert hessian(f3, 3, 6, 16) == [[0, 1, 0], [1, 0, 0], [0, 0, 0]]
    assert hessian(mixed, 3, 4) == [[0, 1], [1, 4]]
    x = Value(3)
    assert grad(grad(f3(x, x, x), x, create_graph=True), x) == 2


def test_second_derivatives_where_one_input_is_a_constant():
    x, c = Value(3.0), Value(2.0, keep_grad=False)
    z = f3(x, x * c, c)
    assert grad(grad(z, x, create_graph=True), x) == 4.0
    z = f3(c, c, x * x)
    assert grad(grad(z, x, create_graph=True), x) == 2.0


def test_derivatives_inside_a_function_do_not_touch_the_gradients_outside():
    x = Value(3)
    z = f3(x, x, x)
    z.backward()
    assert x.grad == 7
    f3(x, x, x)
    assert x.grad == 7


def test_a_function_is_written_down_from_its_own_body():
    assert str(f3(Name("a"), Name("b"), 2)) == "a*b + 2"
    v = Value(3, name="x")
    trace = Trace(f3(v, v, v))
    assert str(trace.computed[v].symbol) == "x + x + 1"


def test_a_function_that_cannot_be_written_down_is_shown_by_name():
    @function
    def branches(a):
        return a if a > 0 else -a

    x = Value(3, name="x")
    z = branches(x)
    z.name = "z"
    trace = Trace(z)
    assert trace.computed[x].number == 1 and str(trace.computed[x].symbol) == "∂z/∂x"
    assert str(trace.on.written(z)) == "branches(x)"


def test_partials_by_hand():
    @function(partials=lambda x, y: (2 * x * y, x * x))
    def volume(x, y):
        return x * x * y

    x, y = Value(3), Value(4)
    z = volume(x, y)
    assert (z.data, z.partials, z.inputs) == (36, (24, 9), (x, y))
    assert hessian(volume, 3, 4) == [[8, 6], [6, 0]]
    assert volume(3, 4) == 36


def test_partials_by_hand_let_the_function_compute_as_it_likes():
    @function(partials=lambda x: 1 / (1 + x * x))
    def arc(x):
        return math.atan(x)

    x = Value(0.5)
    assert arc(x).partials == (0.8,) and arc(x).data == math.atan(0.5)
    assert grad(arc(x * 2), x) == pytest.approx(1.0)


def test_partials_by_hand_are_used_as_they_are_even_if_wrong():
    @function(partials=lambda x: 100)
    def liar(x):
        return x * x

    x = Value(3)
    liar(x).backward()
    assert x.grad == 100


def test_a_function_keeps_its_name_and_its_docstring():
    @function
    def area(a, b):
        """Length times width."""
        return a * b

    assert area.__name__ == area.name == "area" and area.__doc__ == "Length times width." and repr(area) == "<function area>"


def test_a_variable_from_outside_is_refused_because_its_derivative_would_be_lost():
    k = Value(5.0, name="k")

    @function
    def f(a):
        return a * k

    with pytest.raises(ValueError, match="@function f: k is not an argument, so its derivative would be lost"):
        f(Value(3.0))
    k = k.detach()
    assert f(Value(3.0)).data == 15.0


@each(
    "inside",
    [
        lambda a, b: a * b - a + 2 * b * b,
        lambda a, b: a / b + (a * b) ** 2 - b * a * b,
        lambda a, b: sg.exp(a * b) * a + sg.tanh(a - b) / b + a * b,
        lambda a, b: mixed(a, b) * a + mixed(b, a) - b,
    ],
)
def test_the_partials_of_a_function_are_the_same_to_the_last_digit_when_they_are_differentiated_again(inside):
    """Sums of floats depend on their order: another one would look as if a number had been changed since."""
    f, dice = function(inside), random.Random(1)
    for _ in range(50):
        a, b = Value(dice.uniform(0.1, 3)), Value(dice.uniform(-3, -0.1))
        y = f(a, b)
        first = grad(y, [a, b], create_graph=True)
        assert tuple(d.data for d in first) == y.partials
        assert grad(first[0], b) == pytest.approx(slope_of_slope(inside, a.data, b.data), rel=1e-5)


def slope_of_slope(f, a, b, h=1e-3):
    """∂²f/∂a∂b by central differences, extrapolated once."""

    def at(h):
        corners = [(s, t, f(Value(a + s * h), Value(b + t * h)).data) for s in (-1, 1) for t in (-1, 1)]
        return sum(s * t * y for s, t, y in corners) / (4 * h * h)

    return (4 * at(h / 2) - at(h)) / 3

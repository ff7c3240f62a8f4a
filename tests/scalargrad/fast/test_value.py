"""Value: the types of its number, operators on both sides, comparisons, identity, constants, repr."""

import copy
import operator
from fractions import Fraction

import numpy as np
import pytest

import scalargrad as sg
from scalargrad import Constant, Graph, Value, no_grad, rules
from tests.each import each

OPERATORS = [operator.add, operator.sub, operator.mul, operator.truediv, operator.pow]


@each(
    ("data", "held"),
    [
        (3, 3),
        (3.0, 3.0),
        (Fraction(1, 3), Fraction(1, 3)),
        (True, 1),
        (np.float64(0.5), 0.5),
        (np.float32(0.5), 0.5),
        (np.float16(0.5), 0.5),
        (np.int8(-3), -3),
        (np.uint64(2**63), 2**63),
        (np.bool_(True), 1),
    ],
    ids=lambda x: type(x).__name__,
)
def test_a_value_holds_a_plain_python_number(data, held):
    x = Value(data)
    assert x.data == held and type(x.data) is type(held)


NUMPY_SCALARS = [np.float32(2.5), np.float64(2.5), np.float16(2.5), np.int64(3), np.uint8(3), np.bool_(True)]


@each("number", NUMPY_SCALARS, ids=lambda x: type(x).__name__)
@each("f", OPERATORS)
@each("data", [1.1, 7])
def test_numpy_scalars_work_on_either_side_and_become_python_numbers(f, number, data):
    plain = number.item() if not isinstance(number, np.bool_) else 1
    for y, expected in [
        (f(Value(data), number), f(Value(data), plain)),
        (f(number, Value(data)), f(plain, Value(data))),
    ]:
        assert (y.data, type(y.data)) == (expected.data, type(expected.data))
        assert y.partials == expected.partials and {type(p) for p in y.partials} <= {int, float}


@each("f", [operator.add, operator.sub, operator.mul])
def test_ints_stay_ints_and_fractions_stay_fractions(f):
    assert type(f(Value(3), Value(4)).data) is int and type(f(Value(3), 4).data) is int and type(f(3, Value(4)).data) is int
    assert type(f(Value(Fraction(1, 3)), 4).data) is Fraction and type(f(3, Value(Fraction(1, 3))).data) is Fraction
    assert type(f(Fraction(1, 3), Value(3)).data) is Fraction and type(f(Value(3), Fraction(1, 3)).data) is Fraction


def test_gradients_keep_the_type_of_their_numbers():
    for data, kind in ((3, int), (Fraction(1, 3), Fraction), (3.0, float)):
        x = Value(data)
        z = (x * x - 2 * x) * x
        z.backward()
        assert type(x.grad) is kind, kind
        assert x.grad == 3 * data**2 - 4 * data


def test_division_of_ints_is_pythons_and_of_fractions_is_exact():
    assert (Value(7) / 2).data == 3.5 and (7 / Value(2)).data == 3.5
    assert (Value(Fraction(7)) / 2).data == Fraction(7, 2) and (Value(Fraction(1, 3)) ** -2).data == 9


@each("f", OPERATORS)
def test_a_plain_number_is_not_a_variable_of_the_graph(f):
    x = Value(2.0)
    for y, arguments in ((f(x, 3), (x, 3)), (f(3, x), (3, x))):
        assert y.inputs == (x,) and Graph(y).variables == [x, y]
        assert y.arguments == arguments and y.arguments[arguments.index(x)] is x


def test_operators_store_their_rule_and_their_inputs():
    x, y = Value(2.0), Value(3.0)
    for z, row in [(x + y, rules.add), (x - y, rules.sub), (x * y, rules.mul), (x / y, rules.div), (x**y, rules.pow), (-x, rules.neg)]:
        assert z.rule is row and z.inputs[0] is x
    assert +x is x and abs(x).rule is rules.abs


IN_PLACE = {"+=": operator.iadd, "-=": operator.isub, "*=": operator.imul, "/=": operator.itruediv, "**=": operator.ipow}


def test_in_place_operators_make_a_new_variable():
    x = first = Value(2.0)
    for f in IN_PLACE.values():
        x = f(x, 3.0)
    assert x is not first and first.data == 2.0 and len(Graph(x).variables) == 6
    with pytest.raises(TypeError):
        x += "a"


@each("sign", IN_PLACE)
@each("other", [3, 0.5, Fraction(1, 2), Value(3.0)], ids=repr)
def test_in_place_on_a_leaf_under_no_grad_changes_the_leaf_and_nothing_that_used_it(sign, other):
    w = same = Value(2.0, name="w")
    z = w * w
    with no_grad():
        expected = IN_PLACE[sign](2.0, getattr(other, "data", other))
        w = IN_PLACE[sign](w, other)
    assert w is same and type(w) is Value and w.data == expected and w.name == "w" and w.inputs == ()
    z.backward()
    assert w.grad == 4.0
    (w * 5).backward()
    assert w.grad == 9.0


@each("sign", IN_PLACE)
def test_in_place_under_no_grad_on_other_variables_makes_a_new_one(sign):
    x = Value(2.0)
    y, c = x * x, Value(2.0, keep_grad=False)
    with no_grad():
        for first in (y, c):
            other = IN_PLACE[sign](first, 3.0)
            assert other is not first and type(other) is Constant and first.data == (4.0 if first is y else 2.0)


def test_gradient_descent_in_place_under_no_grad():
    w = Value(1.0)
    for _ in range(3):
        w.grad = 0
        (w * w).backward()
        with no_grad():
            w -= 0.25 * w.grad
    assert w.data == 0.125


def test_sum_min_max_and_sorted_of_python_work():
    xs = [Value(3), Value(1), Value(2)]
    assert sum(xs).data == 6 and min(xs) is xs[1] and max(xs) is xs[0]
    assert [v.data for v in sorted(xs)] == [1, 2, 3]


def test_comparisons_compare_the_numbers():
    x, y = Value(2), Value(3.0)
    assert x < y and x <= y and y > x and y >= x and x != y and x == Value(2.0)
    assert x < 3 and 3 > x and x == 2 and 2 == x and x >= Fraction(3, 2)  # noqa: SIM300
    assert Value(0.1) + Value(0.2) != 0.3
    assert type(x < y) is bool


def test_two_variables_of_one_number_are_two_keys_of_a_dictionary():
    x, y = Value(2), Value(2)
    assert x == y and len({x, y}) == 2 and {x: "x", y: "y"}[y] == "y" and hash(x) != hash(y)
    before = hash(x)
    x.data = 5
    assert hash(x) == before and x in {x}


def test_a_variable_is_true_if_its_number_is():
    assert Value(2) and not Value(0) and not Value(0.0) and Value(Fraction(1, 9))


def test_the_repr_of_a_variable_has_its_number_gradient_and_name():
    x = Value(3, name="x")
    assert repr(x) == "Value(3, name='x')" and str(Value(2.5)) == "Value(2.5)"
    (x * x).backward()
    assert repr(x) == "Value(3, grad=6, name='x')"
    assert repr(Value(Fraction(1, 3))) == "Value(Fraction(1, 3))"


def test_a_format_applies_to_the_number():
    x = Value(3.14159, name="x")
    assert f"{x:.2f}" == "3.14" and f"{x:>8.1e}" == " 3.1e+00" and f"{x}" == "Value(3.14159, name='x')"
    assert f"{Value(7):03d}" == "007"


def test_a_name_can_be_assigned_later():
    y = Value(2) * 3
    y.name = "y"
    assert "name='y'" in repr(y)


def test_an_unknown_attribute_cannot_be_set():
    with pytest.raises(AttributeError):
        Value(3).gard = 0


def test_keep_grad_false_makes_a_constant_that_is_in_the_graph_and_has_no_gradient():
    x, c = Value(3.0, name="x"), Value(2.0, name="c", keep_grad=False)
    assert type(c) is Constant and isinstance(c, Value)
    z = x * c
    z.backward()
    assert x.grad == 2.0 and c.grad == 0 and Graph(z).variables == [x, c, z]
    c.grad = 5
    assert c.grad == 0


def made_constant():
    with no_grad():
        return Value(1.0) * 2.0


LEAVES = {
    "a leaf": lambda: Value(2.0, name="x"),
    "a constant": lambda: Value(2.0, name="x", keep_grad=False),
    "detached": lambda: (Value(1.0) * 2.0).detach(),
    "made under no_grad": made_constant,
    "copied": lambda: copy.deepcopy(Value(2.0, name="x", keep_grad=False)),
}


@each("make", LEAVES.values(), ids=LEAVES)
def test_a_leaf_can_be_frozen_and_thawed_for_later_graphs(make):
    x, w = make(), Value(3.0, name="w")
    key = {x: "state"}
    x.keep_grad = True
    before = x * w
    x.grad = 1.0
    x.keep_grad = False
    assert not x.keep_grad and x.grad == 0 and key[x] == "state" and type(x * 2) is Constant
    (x * w).backward()
    before.backward()
    assert w.grad == 4.0 and x.grad == 0
    x.keep_grad = True
    assert x.keep_grad and x.grad == 0 and key[x] == "state"
    (x * w).backward()
    assert x.grad == 3.0
    x.keep_grad = True
    assert x.grad == 3.0


def test_a_variable_that_a_function_made_keeps_its_gradient():
    y = Value(2.0) * 3
    y.keep_grad = True
    with pytest.raises(ValueError, match=r"y.keep_grad = False: a function made it, .* freeze a leaf, or use .detach\(\)"):
        y.keep_grad = False


@each("f", OPERATORS)
def test_an_operator_of_constants_alone_records_nothing(f):
    c, d = Value(2.0, keep_grad=False), Value(3.0, keep_grad=False)
    for y in (f(c, d), f(c, 3.0), f(2.0, d)):
        assert type(y) is Constant and y.inputs == () and y.data == f(2.0, 3.0)


def test_every_function_of_constants_is_a_constant():
    for row in rules.TABLE:
        args = [Value(0.5, keep_grad=False) for _ in row.partials or range(3)]
        assert type(row(*args)) is Constant, row.name
    c = Value(-2.0, keep_grad=False)
    assert [type(y) for y in (-c, abs(c), c.relu(), c.clamp(0, 1), c.sqrt(), +c)] == [Constant] * 6


def test_detach_returns_a_constant_that_is_not_connected_to_the_graph():
    x = Value(3.0, name="x")
    y = x * x
    y.name = "y"
    c = y.detach()
    assert type(c) is Constant and c.data == 9.0 and c.name == "y" and c.inputs == ()
    z = y * c
    z.backward()
    assert x.grad == 6.0 * 9.0


def test_methods_with_options():
    x = Value(-4.0)
    assert x.clamp(min=-1).data == -1 and x.clamp(max=-5.0).data == -5.0 and x.clamp(-9, 9).data == -4.0
    assert Value(0.0).sqrt(total=True).partials == (0,) and Value(1.0).clamp(0, 1).partials == (1,)
    assert Value(1.0).clamp(0, 1, total=True).partials == (0,)
    low = Value(0.0)
    y = Value(-1.0).clamp(low, 1.0)
    y.backward()
    assert low.grad == 1


def test_functions_of_one_number_are_methods_with_a_docstring():
    operators = ("neg", "abs")
    for row in rules.TABLE:
        if len(row.partials) == 1 and row.name not in ("sqrt_total", "gelu_tanh", *operators):
            method = getattr(Value, row.name)
            assert method.__name__ == row.name and method.__doc__ and method(Value(1.0)).data == row(1.0), row.name
    assert Value(2.0).maximum(3.0).data == 3.0 and Value(2.0).minimum(Value(3.0)).data == 2.0


def test_functions_of_plain_numbers_return_plain_numbers():
    assert sg.exp(0) == 1.0 and sg.maximum(2, 3) == 3 and sg.dot(1, 2, 3, 4) == 11 and type(sg.square(Fraction(1, 2))) is Fraction


def test_a_later_change_of_data_does_not_change_the_partials():
    x, y = Value(3.0), Value(4.0)
    z = x * y
    x.data = 100.0
    z.backward()
    assert (x.grad, y.grad) == (4.0, 3.0)


def test_functions_of_many_inputs_are_methods_too():
    a, b, c = Value(1.0), Value(2.0), Value(3.0)
    assert (a.sum(b, c), a.max(b, c), a.dot(b), a.logsumexp(b)) == (6.0, 3.0, 2.0, sg.logsumexp(1.0, 2.0))
    assert a.sum(b, c).inputs == (a, b, c)

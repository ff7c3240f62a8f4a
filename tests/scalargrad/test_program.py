"""Derivative programs: the same derivatives as backpropagation, on numbers, Fractions and arrays, and readable source."""

import math
import random
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scalargrad import Value, function, no_grad, program, rules, value_and_grad
from scalargrad.rule import Row
from tests.each import each
from tests.examples import at_most
from tests.scalargrad.checking.test_check import POINTS
from tutorial.graphs.figure1 import f1, f2, f3


def figure1(x1, x2, x3, x4):
    return f3(x1, f1(x1, x2, x3, x4), f2(x4))


def test_the_program_of_figure_1_is_the_tutorials_dictionary():
    source = program(figure1).source
    for line in ("dz_dv2 = 1", "dz_dv1 = x1", "dz_dx2 = dz_dv1", "dz_dx1 = v1 + dz_dv1", "dz_dx4 = dz_dv1 + 2*x4"):
        assert f"    {line}\n" in source


def test_the_source_is_straight_line_python_that_runs_by_itself():
    scope = {}
    exec(program(figure1).source, scope)
    assert scope["program"](3, 1, -2, 4) == (34, (9, 3, 3, 11))


def of_arguments(f, count):
    """f as a function of `count` named arguments."""
    return [lambda a: f(a), lambda a, b: f(a, b), lambda a, b, c: f(a, b, c)][count - 1]


@each("row", [row for row in rules.TABLE if type(row) is Row], ids=lambda row: row.name)
def test_every_row_gives_the_same_value_and_derivatives_as_backpropagation(row):
    count = len(row.partials)
    f = program(of_arguments(row, count))
    for point in POINTS:
        numbers = point[:count]
        value, slopes = f(*numbers)
        expected, totals = value_and_grad(lambda *xs: row(*xs), *numbers)
        np.testing.assert_allclose(value, expected, rtol=1e-14, err_msg=row.name)
        np.testing.assert_allclose(slopes, totals, rtol=1e-14, err_msg=row.name)


@each("row", [row for row in rules.TABLE if type(row) is Row], ids=lambda row: row.name)
def test_every_row_runs_on_lanes_and_sums_them_for_a_plain_number(row):
    count = len(row.partials)
    f = program(of_arguments(lambda *xs: row(*xs) * row(*xs), count))
    columns = [np.array(column) for column in zip(*POINTS)][:count]
    value, slopes = f(*columns)
    lanes = [f(*(c[i] for c in columns)) for i in range(len(POINTS))]
    np.testing.assert_allclose(value, [lane[0] for lane in lanes], rtol=1e-12, err_msg=row.name)
    np.testing.assert_allclose(np.array(slopes).T, [lane[1] for lane in lanes], rtol=1e-12, err_msg=row.name)
    if count > 1:
        fixed = float(columns[1][0])
        expected = sum(f(columns[0][i], fixed, *(c[i] for c in columns[2:]))[1][1] for i in range(len(POINTS)))
        got = f(columns[0], fixed, *columns[2:])[1][1]
        np.testing.assert_allclose(got, expected, rtol=1e-12, err_msg=row.name)


OPERATIONS = ["add", "sub", "mul", "tanh", "relu", "sin", "maximum", "square"]


@at_most(60)
@given(st.integers(0, 10**9))
def test_random_functions_agree_with_backpropagation_on_numbers_and_lanes(seed):
    dice = random.Random(seed)
    plan = [(dice.choice(OPERATIONS), dice.random(), dice.random()) for _ in range(dice.randint(1, 15))]

    def f(a, b, c):
        made = [a, b, c]
        for name, i, j in plan:
            row = getattr(rules, name)
            made.append(row(*(made[int(k * len(made))] for k in (i, j)[: len(row.partials)])))
        return rules.sum(*made) * made[-1]

    p = program(f)
    a, b, c = dice.uniform(-1, 1), dice.uniform(-1, 1), dice.uniform(-1, 1)
    value, slopes = p(a, b, c)
    expected, totals = value_and_grad(f, a, b, c)
    np.testing.assert_allclose([value, *slopes], [expected, *totals], rtol=1e-12, atol=1e-12)
    lanes = np.array([b, *(dice.uniform(-1, 1) for _ in range(3))])  # not a or c: NumPy's tanh differs in the last bit, so kinks would
    value, (da, db, dc) = p(a, lanes, c)
    each = [p(a, x, c) for x in lanes.tolist()]
    np.testing.assert_allclose(value, [v for v, _ in each], rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(db, [s[1] for _, s in each], rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose([da, dc], [sum(s[0] for _, s in each), sum(s[2] for _, s in each)], rtol=1e-11, atol=1e-11)
    assert type(da) is float
    assert db.shape == lanes.shape


def test_fractions_stay_exact():
    value, slopes = program(figure1)(Fraction(1, 3), Fraction(1, 2), Fraction(2), Fraction(5))
    assert value == Fraction(1, 3) * (Fraction(1, 3) + Fraction(1, 2) + 7) + 25
    assert slopes == (Fraction(49, 6), Fraction(1, 3), Fraction(1, 3), Fraction(31, 3))


@each("x", [Fraction(1, 3), np.array(Fraction(1, 3))[()], 2])
def test_quotients_by_ints_stay_exact_beside_a_fraction(x):
    value, (slope,) = program(lambda x: x * Fraction(1, 3) + (x * Fraction(1)) / 7)(x)
    assert (value, slope) == (x * Fraction(10, 21), Fraction(10, 21)) and type(slope) is Fraction


def test_structures_go_in_and_come_out_alike():
    f = program(lambda w, x: rules.dot(*w[0], *x, *w[1]), [[0, 0], [0]], [0, 0])
    value, (dw, dx) = f([[1.0, 2.0], [3.0]], [4.0, 5.0])
    assert value == 17.0
    assert dw == [[4.0, 5.0], [1]]
    assert dx == [1.0, 2.0]


@each("args", [([1.0], [1.0, 2.0]), ([1.0, 2.0],), (3.0, [1.0, 2.0])])
def test_arguments_built_otherwise_than_the_example_are_refused(args):
    f = program(lambda w, x: rules.dot(*w, *x), [0, 0], [0, 0])
    with pytest.raises(TypeError, match="not nested as the examples were"):
        f(*args)


def test_numpy_numbers_and_integer_arrays_are_taken_as_numbers():
    p = program(lambda x, y: x * x * y)
    assert p(np.float64(3), np.int32(2)) == (18.0, (12.0, 9.0))
    value, (dx, _) = p(np.array([2**40, 3]), 2**40)
    np.testing.assert_allclose(value, [2.0**120, 9 * 2.0**40])  # integers would have overflowed
    np.testing.assert_allclose(dx, [2.0**81, 6 * 2.0**40])


def test_poles_give_inf_and_nan_as_everywhere_else():
    assert program(lambda a, b: a / b)(1.0, 0.0) == (math.inf, (math.inf, -math.inf))
    value, _ = program(lambda a, b: a**b)(-8.0, 1 / 3)
    assert math.isnan(value)
    value, _ = program(lambda a, b: a / b)(np.array([1.0, 0.0]), 0.0)
    assert value[0] == math.inf and math.isnan(value[1])


@each("branch", [lambda x: x if x > 0 else -x, lambda x: x if x.data > 0 else -x, lambda x: abs(x.data) * x])
def test_a_branch_on_a_number_while_tracing_is_explained(branch):
    with pytest.raises(TypeError, match="where|scalargrad"):
        program(branch)


def test_a_variable_from_outside_is_refused_and_a_constant_is_written_in():
    w = Value(2.0, name="w")
    with pytest.raises(ValueError, match="w is not an argument"):
        program(lambda x: x * w)
    assert program(lambda x: x * w.detach())(3.0) == (6.0, (2.0,))


def test_an_argument_that_is_not_used_has_derivative_0_and_names_never_clash():
    p = program(lambda x, unused, log, v1: (x * log + v1).sin())
    value, slopes = p(0.5, 1.0, 2.0, 3.0)
    assert slopes[1] == 0
    assert slopes[0] == pytest.approx(2 * math.cos(4.0))


def test_a_custom_function_inside_is_written_out_unless_it_hides_behind_math():
    assert "x1 + x2 + x3 + x4" in program(figure1).source
    hidden = function(lambda x: math.sin(x), partials=lambda x: math.cos(x))
    with pytest.raises(TypeError, match="scalargrad"):
        program(lambda x: hidden(x))


def test_what_is_not_a_number_made_from_the_arguments_is_refused():
    with pytest.raises(TypeError, match="must return one Value"):
        program(lambda x: 3)
    with pytest.raises(TypeError, match="give one for each"):
        program(lambda x, y: x, 0)


def test_arrays_of_different_shapes_are_refused_by_name():
    p = program(lambda a, b: a * b + b)
    with pytest.raises(ValueError, match=r"a has shape \(1,\) and b has shape \(3,\); all arrays must have the same shape"):
        p(np.array([2.0]), np.array([1.0, 2.0, 3.0]))


def test_an_array_without_axes_is_a_number_whatever_was_asked_before():
    a = np.array([1.0, 2.0])
    p = program(lambda a, b: a * b + b)
    p(a, a)
    value, (da, db) = p(a, np.array(3.0))
    np.testing.assert_array_equal(value, [6.0, 9.0])
    np.testing.assert_array_equal(da, [3.0, 3.0])
    assert db == 5.0
    assert p(np.array(2.0), 3.0) == (9.0, (3.0, 3.0))


def test_no_name_can_hide_another():
    def f(a, b):
        t = a * a
        t.name = "dz_db"
        return t * b * 2 + a * t

    assert program(f)(3.0, 5.0) == (117.0, (87.0, 18.0))
    assert program(lambda exp, arrays: exp.exp() * arrays)(0.0, 2.0) == (2.0, (2.0, 1.0))
    value, (dm, da) = program(lambda map, lane_dot: map * lane_dot.sin())(2.0, np.array([0.0, 0.0]))
    assert (value.tolist(), dm, da.tolist()) == ([0.0, 0.0], 0.0, [2.0, 2.0])


def test_a_fraction_may_be_a_constant():
    assert program(lambda x: x * Fraction(1, 3))(Fraction(3, 2)) == (Fraction(1, 2), (Fraction(1, 3),))


def test_where_chooses_between_variables_by_a_condition_on_them():
    p = program(lambda a: rules.where(a > 0, a * a, -a))
    assert p(3.0) == (9.0, (6.0,))
    assert p(-3.0) == (3.0, (-1.0,))
    np.testing.assert_array_equal(p(np.array([3.0, -3.0]))[1][0], [6.0, -1.0])


def test_single_precision_stays_single():
    value, (dw, dx) = program(lambda w, x: w * x * x)(0.5, np.ones(3, np.float32))
    assert value.dtype == dx.dtype == np.float32
    assert dw == 3.0


def test_a_program_is_made_and_run_under_no_grad_too():
    with no_grad():
        assert program(lambda a: a * a)(3.0) == (9.0, (6.0,))
        assert value_and_grad(lambda a: a * a, 3.0) == (9.0, [6.0])


LEAVING_OUT = {
    "a": lambda a, b: b * b,
    "a, and a constant of b": lambda a, b: b.detach() * b,
    "b": lambda a, b: a + 1,
    "all but a constant of a": lambda a, b: a.detach().exp() * b,
    "nothing but constants": lambda a, b: (a * b).detach().sin() * b + a.detach() * a,
    "all functions": lambda a, b: b,
}


@each("f", LEAVING_OUT.values(), ids=LEAVING_OUT)
@each("lanes", [(), (0,), (1,), (0, 1)])
def test_an_argument_that_z_does_not_depend_on_may_be_an_array(f, lanes):
    points = [(2.0, 3.0), (0.5, -1.0), (1.5, 2.5)]
    args = [np.array(column) if i in lanes else column[0] for i, column in enumerate(zip(*points))]
    value, slopes = program(f)(*args)
    each_lane = [value_and_grad(f, *numbers) for numbers in np.broadcast(*args)] if lanes else [value_and_grad(f, *args)]
    np.testing.assert_allclose(value, [z for z, _ in each_lane] if lanes else each_lane[0][0], rtol=1e-14)
    for i, slope in enumerate(slopes):
        of_lanes = [gradient[i] for _, gradient in each_lane]
        np.testing.assert_allclose(slope, of_lanes if i in lanes else sum(of_lanes), rtol=1e-14)


def test_a_list_and_a_parameter_that_is_called_like_its_entry_do_not_mix():
    assert program(lambda w, w0: w[0] * w0, [1.0, 2.0], 3.0)([1.0, 2.0], 3.0) == (3.0, ([3.0, 0], 1.0))
    value, ((da, db), dx) = program(lambda w, x: w[0] * x, [1.0, 2.0], 3.0)([np.ones(2), np.ones(2)], np.ones(2))
    assert (value.tolist(), da.tolist(), db.tolist(), dx.tolist()) == ([1, 1], [1, 1], [0, 0], [1, 1])


class Hidden:
    """A function without a signature, as some that are written in C."""

    __name__, __signature__ = "Hidden", "not known"

    def __call__(self, a):
        return a * 2


def by_name(a, *, b):
    return a * b


@each(
    ("f", "says"),
    [
        (lambda *x: x[0] * x[1], r"<lambda> takes any number of arguments, \*x; name each"),
        (lambda a, **more: a, r"<lambda> takes any number of arguments, \*\*more"),
        (by_name, "by_name takes b only by name; make b a parameter that can be given by position"),
        (Hidden(), "the parameters of Hidden are not known; write a function of them"),
    ],
)
def test_a_function_without_a_fixed_number_of_arguments_is_refused(f, says):
    with pytest.raises(TypeError, match=f"program: {says}"):
        program(f)
    assert program(lambda a, *, n=3: a**n)(2.0) == (8.0, (12.0,))

"""Zeros, infinities, nan, the tiny and the huge: every row gives what NumPy gives, and never raises or warns."""

import itertools
import math
import warnings
from fractions import Fraction

import numpy as np
import pytest

import scalargrad as sg
from scalargrad import Trace, Value, rules
from scalargrad.rule import VariadicRow
from tests.each import each

inf, nan = math.inf, math.nan
FLOATS = [0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.0, 5e-324, 1e-300, -1e-300, 1e-9, 1e9, 710.0, -710.0, 1e300, 1e308, -1e308, inf, -inf, nan]
INTS = [0, 1, -1, 2, -3, 7, 1000, -1000, 10**20]
SOME = [0.0, -0.0, 1.0, -2.5, 0.5, 3.0, 1e-300, 1e308, -1e308, inf, -inf, nan]


def from_lowest(x):
    """x, but a finite number for -inf: 0 times it is 0, which is the limit of x times a probability."""
    return np.maximum(x, np.finfo(float).min)


# fmt: off
NUMPY = {  # each row's function in NumPy's words, where NumPy has none under the row's name
    "sqrt_total": np.sqrt, "rsqrt": lambda x: 1 / np.sqrt(x),
    "sigmoid": lambda x: np.exp(-np.logaddexp(0, -x)), "relu": lambda x: np.maximum(x, 0), "softplus": lambda x: np.logaddexp(0, x),
    "erf": np.vectorize(math.erf, otypes=[float]),
    "gelu": lambda x: from_lowest(x) * ((1 + np.vectorize(math.erf, otypes=[float])(x / np.sqrt(2))) / 2),
    "gelu_tanh": lambda x: from_lowest(x) * np.exp(-np.logaddexp(0, -2 * np.sqrt(2 / np.pi) * (x + 0.044715 * (x * x * x)))),
    "silu": lambda x: from_lowest(x) * np.exp(-np.logaddexp(0, -x)),
    "leaky_relu": lambda x, slope: np.maximum(x, 0) + slope * np.minimum(x, 0),
    "elu": lambda x, alpha: np.maximum(x, 0) + alpha * np.expm1(np.minimum(x, 0)),
    "clamp": lambda x, low, high: np.minimum(np.maximum(x, low), high),
    "clamp_open": lambda x, low, high: np.minimum(np.maximum(x, low), high),
    "xlogy": lambda a, b: 0.0 if a == 0 and b == b else a * np.log(b),
    "sum": lambda *xs: np.add.reduce(xs), "dot": lambda w1, w2, x1, x2: w1 * x1 + w2 * x2,
    "max": lambda *xs: np.maximum.reduce(xs), "logsumexp": lambda *xs: np.logaddexp.reduce(xs),
}
TO_THE_LAST_BIT = {  # in the others a last bit may differ
    "add", "sub", "mul", "div", "neg", "square", "reciprocal", "sqrt", "sqrt_total", "rsqrt", "exp", "log", "xlogy", "erf",
    "sin", "cos", "asin", "acos", "atan", "atan2", "relu", "leaky_relu", "abs", "sign", "maximum", "minimum", "fmax", "fmin", "copysign",
    "where", "clamp", "clamp_open", "floor", "ceil", "trunc", "round", "floor_divide", "remainder", "fmod", "sum", "dot", "max",
}
# fmt: on
EVERY_ROW = each("row", rules.TABLE, ids=lambda row: row.name)


def places(row, numbers):
    count = len(row.partials) or {"dot": 4}.get(row.name, 3)
    if numbers is FLOATS and count == 2:
        numbers = SOME
    return list(itertools.product(numbers if count < 3 else numbers[::3], repeat=count))


def by_numpy(row, args):
    if row.name == "pow" and args == (-inf, 0.5):
        return inf  # as C's pow has it, and NumPy with every other such exponent; for 0.5 NumPy takes its square root
    with np.errstate(all="ignore"):
        return float((NUMPY.get(row.name) or getattr(np, row.numpy))(*map(np.float64, args)))


def same(row, ours, theirs):
    if theirs == 0 or not math.isfinite(theirs):
        return ours == theirs or (ours != ours and theirs != theirs)
    return math.isclose(ours, theirs, rel_tol=4e-16 if row.name in TO_THE_LAST_BIT else 1e-14, abs_tol=1e-300)


@EVERY_ROW
def test_values_are_numpys_on_special_floats(row):
    for args in places(row, FLOATS):
        ours = row(*map(Value, args)).data
        assert same(row, ours, by_numpy(row, args)), f"{row.name}{args} is {ours}, NumPy says {by_numpy(row, args)}"


@EVERY_ROW
def test_values_are_numpys_on_python_ints(row):
    for args in places(row, INTS):
        ours = row(*map(Value, args)).data
        assert type(ours) in (int, float)
        assert same(row, float_of(ours), by_numpy(row, args)), f"{row.name}{args} is {ours}, NumPy says {by_numpy(row, args)}"


def float_of(x):
    try:
        return float(x)
    except OverflowError:
        return inf if x > 0 else -inf


@EVERY_ROW
@each("numbers", [FLOATS, INTS, [Fraction(0), Fraction(1, 3), Fraction(-7, 2), Fraction(10**200), Fraction(1, 10**200)]])
def test_no_row_raises_or_warns_whatever_the_numbers_are(row, numbers):
    for args in places(row, numbers):
        y = row(*map(Value, args))
        assert type(y.data) in (int, float, Fraction), f"{row.name}{args} is {y.data!r}"
        assert all(type(p) in (int, float, Fraction, bool) for p in y.partials), f"{row.name}{args}: {y.partials!r}"
        y.backward()


@EVERY_ROW
def test_partials_are_those_of_the_same_row_on_numpys_arrays(row):
    """The formula of a row gives the same entry by entry and for whole arrays."""
    every = places(row, FLOATS)
    columns = [np.array(column) for column in zip(*every)]
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        y = row.evaluate(*columns)
        bulk = [np.broadcast_to(row.partial(slot, columns, y), y.shape) for slot in range(len(columns))]
    for i, args in enumerate(every):
        one = row(*map(Value, args))
        assert same(row, one.data, float(y[i])) or np.isclose(one.data, y[i], rtol=1e-14, atol=0), f"{row.name}{args}"
        if row.name == "pow" and args[0] != args[0] and args[1] == 0:
            continue  # nan ** 0 is 1 whatever the nan stands for; its partial is 0 or nan
        for slot, partial in enumerate(one.partials):
            theirs = float(bulk[slot][i])
            assert same(row, partial, theirs) or np.isclose(partial, theirs, rtol=1e-12, atol=0), (
                f"{row.name}{args}: {slot}: {partial} {theirs}"
            )


POLES = [
    (lambda x: 1 / x, 0.0, inf),
    (lambda x: 1 / x, -0.0, -inf),
    (lambda x: 1 / x, 0, inf),
    (lambda x: -1 / x, 0, -inf),
    (lambda x: x / 0, 2.0, inf),
    (lambda x: x / 0, -2, -inf),
    (lambda x: x / x, 0, nan),
    (lambda x: x / x, 0.0, nan),
    (lambda x: x**-1, 0.0, inf),
    (lambda x: x**-1, -0.0, -inf),
    (lambda x: x**-2, -0.0, inf),
    (lambda x: 0.0**x, -1.0, inf),
    (lambda x: x**0.5, -1.0, nan),
    (lambda x: x**0, 0.0, 1),
    (lambda x: x**0, nan, 1),
    (lambda x: x * x, 1e200, inf),
    (lambda x: x**3, -1e200, -inf),
    (lambda x: x**1000000, 10, inf),
    (lambda x: x.log(), 0, -inf),
    (lambda x: x.log(), -1, nan),
    (lambda x: x.log1p(), -1, -inf),
    (lambda x: x.sqrt(), -1, nan),
    (lambda x: x.exp(), 1000, inf),
    (lambda x: x.expm1(), 1000, inf),
    (lambda x: x.sinh(), -1000, -inf),
    (lambda x: x.cosh(), -1000, inf),
    (lambda x: x.sin(), inf, nan),
    (lambda x: x.asin(), 2, nan),
    (lambda x: x - x, inf, nan),
    (lambda x: 0 * x, inf, nan),
]


@each(("f", "x", "expected"), POLES)
def test_where_python_would_raise_there_is_inf_or_nan(f, x, expected):
    y = f(Value(x)).data
    assert y == expected or (y != y and expected != expected)


def test_an_exact_power_too_long_to_be_of_use_becomes_a_float():
    assert (Value(3) ** 40).data == 3**40
    assert (Value(10) ** 10**9).data == inf
    assert (Value(Fraction(1, 10)) ** 10**9).data == 0


def test_ints_too_large_for_a_float_do_not_raise():
    big = 10**400
    x = Value(big)
    assert (x * x).data == big * big and (x / 1).data == inf and (1 / x).data == 0.0
    assert sg.exp(x).data == inf and sg.log(x).data == pytest.approx(400 * math.log(10))
    assert (x**2).data == big**2 and (x**0.5).data == inf and (2.0**x).data == inf and (0.5**x).data == 0.0 and (1.0**x).data == 1.0
    assert [y.data for y in (x * 1.5, 1.5 * x, x + 1.5, x - 1.5, x * Value(1.5))] == [inf] * 5 and (1.5 - x).data == -inf
    y = Value(1000) ** Value(1000)
    y.backward()
    assert y.data == 1000**1000 and [v.grad for v in y.inputs] == [1000**1000, inf]


@each("extreme", [40.0, 710.0, 1e4, 1e308, inf])
def test_functions_written_not_to_overflow_do_not(extreme):
    assert sg.sigmoid(Value(extreme)).data == 1.0 and sg.sigmoid(Value(-extreme)).data == pytest.approx(0.0, abs=1e-17)
    assert sg.softplus(Value(extreme)).data == extreme and sg.softplus(Value(-extreme)).data == pytest.approx(0.0, abs=1e-17)
    assert sg.tanh(Value(extreme)).data == 1.0
    assert sg.sigmoid(Value(extreme)).partials[0] == pytest.approx(0.0, abs=1e-17)
    assert sg.softplus(Value(extreme)).partials == (1.0,)


def test_small_numbers_do_not_cancel():
    assert sg.expm1(Value(1e-20)).data == 1e-20 and sg.log1p(Value(1e-20)).data == 1e-20
    assert sg.softplus(Value(-50.0)).data == pytest.approx(math.exp(-50.0), rel=1e-15)


def test_logsumexp_of_infinities():
    def y(*xs):
        return sg.logsumexp(*map(Value, xs))

    assert y(-inf, -inf).data == -inf and y(inf, 1.0).data == inf and y(inf, inf).data == inf
    assert y(1e308, 1e308).data == 1e308 and y(-inf, 2.0).partials == (0.0, 1.0)
    assert math.isnan(y(nan, 1.0).data) and math.isnan(y(inf, nan).data)


LIMITS = {  # of the value and the partial at -inf and at inf, where the formula itself comes to inf · 0
    "gelu": ((0, 0), (inf, 1)), "gelu_tanh": ((0, 0), (inf, 1)), "silu": ((0, 0), (inf, 1)),
    "softplus": ((0, 0), (inf, 1)), "sigmoid": ((0, 0), (1, 0)), "tanh": ((-1, 0), (1, 0)), "erf": ((-1, 0), (1, 0)),
    "atan": ((-math.pi / 2, 0), (math.pi / 2, 0)), "exp": ((0, 0), (inf, inf)), "expm1": ((-1, 0), (inf, inf)),
    "relu": ((0, 0), (inf, 1)), "abs": ((inf, -1), (inf, 1)), "asinh": ((-inf, 0), (inf, 0)), "reciprocal": ((0, 0), (0, 0)),
}  # fmt: skip


@each("name", LIMITS)
def test_value_and_partial_at_infinity_are_the_limits(name):
    row = getattr(rules, name)
    for x, (value, partial) in zip((-inf, inf), LIMITS[name]):
        y = row(Value(x))
        assert (y.data, y.partials[0]) == (value, partial), f"{name}({x})"
    for x in (-1e4, 1e4, -1e308, 1e308):
        partial = row(Value(x)).partials[0]
        assert partial == partial, f"{name}: its partial at {x} is nan"


def test_two_infinities_in_logaddexp_share_as_in_max_and_logsumexp():
    def partials(f, *xs):
        return f(*map(Value, xs)).partials

    assert partials(sg.logaddexp, inf, inf) == (0.5, 0.5) and partials(sg.logaddexp, -inf, -inf) == (0, 0)
    assert partials(sg.logaddexp, inf, 1.0) == (1.0, 0.0) and partials(sg.logaddexp, -inf, 1.0) == (0.0, 1.0)
    assert partials(sg.logsumexp, -inf, -inf, -inf) == (0.0, 0.0, 0.0)
    assert all(math.isnan(p) for p in partials(sg.logaddexp, nan, 1.0) + partials(sg.logsumexp, nan, 1.0))
    assert sg.hessian(sg.logaddexp, 2.0, 2.0) == [[0.25, -0.25], [-0.25, 0.25]]  # a tie of finite numbers is not a kink


def test_every_variadic_row_gives_one_input_back():
    for row in rules.TABLE:
        if isinstance(row, VariadicRow) and row.name != "dot":
            for x in FLOATS:
                assert same(row, row(Value(x)).data, x), f"{row.name}({x})"


@each("function", [lambda x: x / 0, lambda x: x**-2 / 0.0, lambda x: 0 / (x * 0), lambda x: (x - x) ** -1])
def test_what_has_no_formula_has_a_trace(function):
    x = Value(1.0, name="x")
    trace = Trace(function(x))
    total = trace.computed[x].number
    assert not math.isfinite(total) and trace.to_json()


@each("b", [0.1, -0.1, 0.3, 0.7, 1e-3, 2.0, 3, Fraction(1, 3)])
@each("a", [1.0, -1.0, 0.3, 0.6, 7.0, -2.1, 4, Fraction(2, 3)])
@each("rule", [sg.remainder, sg.fmod], ids=repr)
def test_the_partial_of_a_remainder_has_the_quotient_of_its_value(rule, a, b):
    x, y = Value(a), Value(b)
    z = rule(x, y)
    z.backward()
    assert x.grad == 1 and y.grad == int(y.grad)
    exact = Fraction(a) + Fraction(b) * int(y.grad)  # what the value is but for rounding
    assert abs(exact - Fraction(z.data)) <= abs(Fraction(a)) * Fraction(2) ** -52


def curvature(row, x):
    """Return the second derivative of a row of one input, by the chain rule through its partial."""
    v = Value(x)
    slope = sg.grad(row(v), v, create_graph=True)
    return sg.grad(slope, v) if slope.inputs else 0.0


@each("x", [18.0, 20.0, 25.0, 36.0, 38.0, 60.0, 300.0, 700.0, -20.0, -60.0, -700.0])
def test_the_second_derivative_of_softplus_keeps_its_digits(x):
    e = math.exp(-abs(x))
    assert curvature(sg.softplus, x) == pytest.approx(e / (1 + e) ** 2, rel=1e-13, abs=0)


@each("x", [1e20, 1e27, 1e100, 1e154, 1e156, 1e200, 1e300])
def test_the_second_derivative_of_sinc_is_finite_for_large_numbers(x):
    for sign in (1, -1):
        assert abs(curvature(sg.sinc, sign * x)) <= math.pi / x * (1 + 1e-9)


def test_gelu_and_silu_are_straight_at_infinity():
    for row in (sg.gelu, sg.silu, sg.softplus):
        assert [curvature(row, x) for x in (inf, -inf, 1e200, -1e200)] == [0, 0, 0, 0]

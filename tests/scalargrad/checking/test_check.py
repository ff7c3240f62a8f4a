"""The gradient check: it passes what is right, kinks included, and names the first wrong function, the input, and the cause."""

import math
import random
from fractions import Fraction

import pytest

import scalargrad as sg
from scalargrad import Value, check, function, rules
from scalargrad.backpropagation import backpropagation
from scalargrad.rule import Row
from tests.each import each, swept

POINTS = [(0.3, 0.7, 0.9), (-0.4, 0.2, 1.5), (0.0, 1.0, 2.0), (1.0, 1.0, 2.0), (2.5, -1.5, 3.0), (1e-4, 0.05, 0.1), (100.0, 0.5, 200.0)]


@swept("row", [row for row in rules.TABLE if type(row) is Row], every=3, ids=lambda row: row.name)
def test_every_row_of_the_table_passes_its_own_check_also_at_kinks(row):
    for point in POINTS:
        z = row(*map(Value, point[: len(row.partials)]))
        if math.isfinite(z.data):
            assert check(z), f"{row.name} at {point}: {check(z)}"


def wrong_function(wrong):
    """times(a, b) = a * b with partials that `wrong` makes of the right ones, inside a larger graph."""
    times = function(lambda a, b: a * b, partials=lambda a, b: wrong(b, a))
    times.name = "times"
    x, w = Value(3.0, name="x"), Value(5.0, name="w")
    inner = times(x, w)
    inner.name = "y"
    return (inner + x).tanh() * 2


@each(
    ("wrong", "what", "cause"),
    [
        (lambda a, b: (-a, b), "times: ∂y/∂x is -5, expected 5", "sign"),
        (lambda a, b: (2 * a, b), "times: ∂y/∂x is 10, expected 5", "counted twice"),
        (lambda a, b: (a, 0), "times: ∂y/∂w is 0, expected 3", "forgotten"),
        (lambda a, b: (b, a), "times: ∂y/∂x is 3, expected 5", "exchanged"),
        (lambda a, b: (a, a * b), "times: ∂y/∂w is 15, expected 3", "the value of y in place of its slope"),
        (lambda a, b: (1 / a, b), "times: ∂y/∂x is 0.2, expected 5", "it is the reciprocal"),
        (lambda a, b: (a + b, b), "times: ∂y/∂x is 8, expected 5", "compare the partial"),
        (lambda a, b: (a * (1 + 1e-6), b), "times: ∂y/∂x is 5", "compare the partial"),
    ],
)
def test_the_first_wrong_function_is_named_with_its_input_got_expected_and_cause(wrong, what, cause):
    found = check(wrong_function(wrong))
    assert not found
    assert what in str(found)
    assert cause in str(found)


def test_a_slope_of_0_is_told_from_any_other():
    flat = function(lambda x: x * 0, partials=lambda x: 7)
    assert check(flat(Value(3.0))).problems[0].cause == "compare the partial with the formula of <lambda>"


def test_an_infinite_total_is_reported():
    a, h, z = diamond()
    assert "dz/da is inf, expected 36" in str(check(z, {a: math.inf}))


@each("distance", [1e-9, 4e-4, 6e-4, 7e-4, 8e-4, 1e-3, 0.1])
@each("kink", [-5.0, 0.0, 1.0])
def test_a_kink_close_by_is_not_reported(kink, distance):
    assert check((Value(kink + distance) - kink).relu())
    assert check((Value(kink - distance) - kink).relu())
    assert check(lambda x: abs(x - kink), kink + distance)


def test_the_first_in_topological_order_comes_first():
    bad = function(lambda x: x * x, partials=lambda x: x)
    bad.name = "bad"
    worse = function(lambda x: x * x, partials=lambda x: -x)
    worse.name = "worse"
    found = check(worse(bad(Value(2.0))))
    assert [p.function for p in found.problems] == ["worse", "bad"]
    assert "(and 1 more further on)" in str(found)


def diamond():
    """h = a·a, z = h + h·h at a = 2: separates the typical wrong traversals, right answer 36."""
    a = Value(2.0, name="a")
    h = a * a
    h.name = "h"
    square = h * h
    z = h + square
    return a, h, z


@each(
    ("wrong", "cause"),
    [
        ({"h": 1.0}, "only the contribution of z is there: is it overwritten instead of added?"),
        ({"a": 4.0}, "the upstream gradient is ignored"),
        ({"a": 72.0}, "it is counted twice"),
        ({"a": -36.0}, "the sign is wrong"),
        ({"a": 18.0}, "only the contribution of h is there"),
        ({"a": 54.0}, "the contribution of h is counted twice"),
        ({"a": 22.0}, "upstream and partial are added"),
        ({"a": 35.0}, "sum the contributions dz/dy · ∂y/∂x of all children"),
    ],
)
def test_a_wrong_dictionary_of_totals_is_diagnosed_where_it_first_goes_wrong(wrong, cause):
    a, h, z = diamond()
    variables = {"a": a, "h": h}
    totals = backpropagation(z) | {variables[name]: total for name, total in wrong.items()}
    assert cause in str(check(z, totals))


def test_a_variable_that_is_missing_from_the_dictionary_is_named():
    a, h, z = diamond()
    assert "dz/da" in str(check(z, {z: 1.0, h: 9.0}))
    assert "missing" in str(check(z, {z: 1.0, h: 9.0}))


def test_a_number_that_was_changed_after_its_use_is_found():
    a, h, z = diamond()
    a.data = 5.0
    assert "changed" in str(check(z))


def test_inputs_that_are_not_finite_are_refused_by_name():
    with pytest.raises(ValueError, match="x is nan"):
        check(Value(math.nan, name="x") * 2)


def test_a_jump_has_no_slope_to_be_compared_with():
    assert check(rules.sign(Value(0.0)))


# A function at a point, and numbers at the end of the floats


def test_a_function_is_checked_at_its_inputs():
    found = check(lambda x, y: x * y.exp(), 1.0, 2.0)
    assert found and found.compared == 9
    assert check(lambda *xs: sg.sum(*xs), 1.0, Value(2.0), Fraction(1, 3))


@each(
    ("f", "got", "expected"),
    [
        (lambda x: x * x.detach(), 3, 6),
        (lambda x: Value(x.data) * x, 3, 6),
        (lambda x: x * 2 + x.data, 2, 3),
        (lambda x: Value(x.data, keep_grad=False) * 2, 0, 2),
    ],
    ids=["detached", "from .data", "a plain number", "everything"],
)
def test_a_part_that_was_detached_is_found_by_checking_the_function_and_not_its_graph(f, got, expected):
    assert check(f(Value(3.0)))
    problem = check(f, 3.0).problems[0]
    assert (problem.what, problem.got, problem.expected) == ("∂f/∂x", got, pytest.approx(expected))
    assert "is a part of f detached, or computed from .data?" in problem.cause


def test_a_wrong_rule_inside_a_function_is_named_before_the_function():
    bad = function(lambda x: x * x, partials=lambda x: x)
    found = check(lambda x: bad(x) * x.detach(), 3.0)
    assert not found and len(found.problems) == 1 and "it is half as much" in str(found)


def test_the_step_and_the_tolerance_of_the_differences_are_options():
    almost = function(lambda x: 2.0 * x, partials=lambda x: 2.0002)
    for z in (almost(Value(3.0)),), (almost, 3.0):
        assert not check(*z) and check(*z, tol=1e-3)
    wiggly = lambda x: x + (1000 * x).sin() / 1000
    assert check(wiggly, 0.5, eps=1e-5)


@each(
    ("call", "says"),
    [
        (lambda x: check(lambda x: x), "check: f is a function; give its inputs too, check(f, x)"),
        (lambda x: check(lambda x: x.data, 3.0), "check: f returned 3.0, a plain number, which has no derivatives"),
        (lambda x: check(lambda x: [x, x], 3.0), "check: f returned [Value(3.0"),
        (lambda x: check(lambda x: x, 3.0, totals={}), "check: totals= requires a variable z"),
        (lambda x: check(x, 5), "check: 5 is not a dictionary {x: dz/dx}; only a function takes inputs"),
        (lambda x: check(x, {x: "a"}), "which is not a number"),
        (lambda x: check(x, tol="a"), "check: tol='a' is not a number"),
    ],
)
def test_check_used_wrongly_says_how_it_is_used(call, says):
    with pytest.raises(TypeError) as caught:
        call(Value(3.0))
    assert says in str(caught.value)


def test_check_shows_its_sentence_wherever_a_result_is_shown():
    assert repr(check(Value(3.0) * 2)) == "<check: all 3 derivatives agree>"


@each("size", [1e-154, 1e-160, 1e-162, 1e-300, 1e-310, 5e-324, 0.0])
def test_partials_below_the_smallest_normal_float_are_not_reported(size):
    for seed in range(60):
        dice = random.Random(seed)
        xs = [Value(dice.choice([size, -size, 2 * size, 0.7, -40.0])) for _ in range(3)]
        for _ in range(6):
            row = dice.choice([sg.mul, sg.sub, sg.square, sg.exp, sg.rules.gelu, sg.silu, sg.sigmoid, sg.add])
            xs.append(row(*(dice.choice(xs) for _ in row.partials)))
        if all(math.isfinite(v.data) for v in xs):
            assert check(xs[-1]), f"seed {seed}"


def test_a_total_that_is_nan_agrees_with_a_sum_that_is_nan():
    x = Value(0.0)
    assert check(sg.sqrt(x) * 0)


def test_a_mask_of_minus_infinity_can_be_checked():
    scores = [Value(x, name=f"s{i}") for i, x in enumerate((0.5, -1.0, 2.0))]
    terms = [(s + away).exp() for s, away in zip(scores, (0, -math.inf, 0))]
    assert check(terms[0] / sum(terms))
    with pytest.raises(ValueError, match="is -inf; derivatives can only be compared at finite numbers"):
        check(Value(0.0).log() + 1)

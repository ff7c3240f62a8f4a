"""The gradient check: it passes what is right, kinks included, and names the first wrong function, the input, and the cause."""

import math

import pytest

from scalargrad import Value, check, function, rules
from scalargrad.pseudocode import backpropagation
from scalargrad.row import Row

POINTS = [(0.3, 0.7, 0.9), (-0.4, 0.2, 1.5), (0.0, 1.0, 2.0), (1.0, 1.0, 2.0), (2.5, -1.5, 3.0), (1e-4, 0.05, 0.1), (100.0, 0.5, 200.0)]


@pytest.mark.parametrize("row", [row for row in rules.TABLE if type(row) is Row], ids=lambda row: row.name)
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


@pytest.mark.parametrize(
    ("wrong", "what", "cause"),
    [
        (lambda a, b: (-a, b), "times: ∂y/∂x is -5, expected 5", "sign"),
        (lambda a, b: (2 * a, b), "times: ∂y/∂x is 10, expected 5", "counted twice"),
        (lambda a, b: (a, 0), "times: ∂y/∂w is 0, expected 3", "forgotten"),
        (lambda a, b: (b, a), "times: ∂y/∂x is 3, expected 5", "exchanged"),
        (lambda a, b: (a, a * b), "times: ∂y/∂w is 15, expected 3", "value of y, not its slope"),
        (lambda a, b: (1 / a, b), "times: ∂y/∂x is 0.2, expected 5", "upside down"),
        (lambda a, b: (a * (1 + 1e-6), b), "times: ∂y/∂x is 5", "compare the partial"),
    ],
)
def test_the_first_wrong_function_is_named_with_its_input_got_expected_and_cause(wrong, what, cause):
    found = check(wrong_function(wrong))
    assert not found
    assert what in str(found)
    assert cause in str(found)


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


@pytest.mark.parametrize(
    ("wrong", "cause"),
    [
        ({"h": 1.0}, "only the term through z is there: is it overwritten instead of added?"),
        ({"a": 4.0}, "the upstream gradient is ignored"),
        ({"a": 72.0}, "it is counted twice"),
        ({"a": -36.0}, "the sign is wrong"),
        ({"a": 18.0}, "only the term through h is there"),
        ({"a": 54.0}, "the term through h is counted twice"),
        ({"a": 22.0}, "upstream and partial are added"),
        ({"a": 35.0}, "sum dz/dy · ∂y/∂x over all children"),
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

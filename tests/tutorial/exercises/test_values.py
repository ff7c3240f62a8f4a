"""Values are compared component by component, types and shapes first; exact values exactly, others up to a small error."""

from fractions import Fraction

import numpy as np
import pytest

from tutorial.exercises.values import MISSING, MORE, SHAPE, TYPE, VALUE, differ, difference, differences, pair, value_text

A = np.array([[1.0, 2.0], [3.0, 4.0]])


@pytest.mark.parametrize(
    ("got", "expected"),
    [
        (3.0, 3),
        (1, Fraction(1)),
        (0.1 + 0.2, 0.3),
        ([1, 2], (1, 2)),
        ((1, 2), [1, 2]),
        (frozenset("ab"), {"a", "b"}),
        (A.astype(np.float32), A),
        (A.astype(int), A),
        (np.float64(2), 2.0),
        (np.array(2.0), 2.0),
        (2.0, 2.0),
        (float("inf"), float("inf")),
        (np.zeros((0, 2)), np.zeros((0, 2))),
        (None, None),
        ({"x": (1, A)}, {"x": (1, A.copy())}),
        (1e12 * (1 + 1e-13), 1e12),
    ],
)
def test_values_that_agree(got, expected):
    assert difference(got, expected) is None and not differ(got, expected)


@pytest.mark.parametrize(
    ("got", "expected", "kind", "component"),
    [
        (3, 4, VALUE, ""),
        (1 / 3, Fraction(1, 3), VALUE, ""),
        (float("nan"), 0.0, VALUE, ""),
        (1.0 + 1e-6, 1.0, VALUE, ""),
        ("3", 3, TYPE, ""),
        (None, 3, TYPE, ""),
        (3, "3", TYPE, ""),
        ([1, 2], {1, 2}, TYPE, ""),
        ([1], [1, 2], SHAPE, ""),
        ((1,), (1, 2), SHAPE, ""),
        (7, (1, 2), TYPE, ""),
        ((1, 3), (1, 2), VALUE, "[1]"),
        ({"x": 1}, {"x": 1, "y": 2}, MISSING, "y"),
        ({"x": 1, "y": 2}, {"x": 1}, MORE, "y"),
        ([1], {"x": 1}, TYPE, ""),
        ({"x": {"y": (1, 2)}}, {"x": {"y": (1, 3)}}, VALUE, "x y[1]"),
        (A[0], A, SHAPE, ""),
        (A.tolist(), A, TYPE, ""),
        (A.astype(object), A, TYPE, ""),
        (A.T, A, VALUE, ""),
        (A * np.nan, A, VALUE, ""),
        (np.array([2**53 + 1]), np.array([2**53]), VALUE, ""),
    ],
)
def test_values_that_differ(got, expected, kind, component):
    found = difference(got, expected)
    assert (found.kind, found.component) == (kind, component) and differ(got, expected)


def test_whether_values_differ_is_known_at_the_first_that_does():
    class Counted(int):
        compared = 0

        def __eq__(self, other):
            Counted.compared += 1
            return int(self) == int(other)

    assert differ((1, Counted(2)), (2, Counted(3))) and Counted.compared == 0
    assert differ((1, Counted(2)), (1, Counted(3))) and Counted.compared == 1


def test_a_wrong_type_comes_before_a_wrong_number_and_all_differences_are_found():
    assert difference({"x": 1, "y": "2"}, {"x": 3, "y": 2}).component == "y"
    assert [d.component for d in differences({"x": 1, "y": "2"}, {"x": 3, "y": 2})] == ["x", "y"]
    assert difference(A.T, A).entry == (0, 1)


def test_an_object_that_calls_itself_equal_is_no_number():
    class Equal(np.ndarray):
        def __eq__(self, other):
            return np.ones(self.shape, bool)

    assert difference(np.zeros((2, 2)).view(Equal), A).kind == VALUE
    assert difference(type("Any", (), {"__eq__": lambda self, other: True})(), 3).kind == TYPE


def test_values_in_words():
    assert value_text({"x": [1.0, "a", None], "y": {"b", "a"}, "z": (1,)}) == "{'x': [1, 'a', None], 'y': {'a', 'b'}, 'z': (1,)}"
    assert value_text(A) == "[[1, 2], [3, 4]]" and value_text(np.zeros((5, 5))) == "an array of shape (5, 5)"
    assert value_text(object()) == "a value of type object" and len(value_text(list(range(1000)))) == 160


def test_two_values_that_differ_are_two_texts():
    large = np.zeros((5, 6))
    wrong = large + 0
    wrong[3, 4] = 7
    assert pair(difference(wrong, large)) == ("7 at [3, 4]", "0 at [3, 4]")
    assert pair(difference(0.1 + 0.2 + 1e-8, 0.3)) == (repr(0.1 + 0.2 + 1e-8), "0.3")
    assert pair(difference(set(), True)) == ("set()", "True")
    assert pair(difference(A.T, A)) == ("[[1, 3], [2, 4]]", "[[1, 2], [3, 4]]")


def test_two_arrays_that_look_equal_are_told_apart_by_all_digits_of_the_first_wrong_entry():
    right = np.array([[0.5, 1 / 3]])
    unlike = difference(right + [[0, 1e-7]], right)
    assert pair(unlike) == ("0.3333334333333333 at [0, 1]", "0.3333333333333333 at [0, 1]")
    assert pair(difference(126.00002, Fraction(126))) == ("126.00002", "126")
    assert pair(difference(1 / 3 + 1e-8, 1 / 3)) == ("0.3333333433333333", "0.3333333333333333")

"""What holds of all wrong values: it is told only if it holds on each input, and if there are enough of them."""

from fractions import Fraction

import numpy as np

from tests.each import each
from tutorial.exercises.authored import find
from tutorial.exercises.checking.check import check
from tutorial.exercises.checking.relations import Part, relation

A = np.array([[1.0, 2.0], [3.0, 5.0]])
RIGHT = (2, -3, 5, 7)
ARRAYS = [A, A * 2 + 1, A - 9]


@each(
    ("wrong", "right", "said"),
    [
        ([-k for k in RIGHT], RIGHT, "each number has the wrong sign."),
        ([2 * k for k in RIGHT], RIGHT, "each number is 2 times what is right."),
        ([k / 3 for k in RIGHT], RIGHT, "each number is 1/3 times what is right."),
        ([k + 1 for k in RIGHT], RIGHT, "each number is larger than right by 1."),
        ([Fraction(1, k) for k in RIGHT], RIGHT, "each number is 1 divided by what is right."),
        ([0, 0, 0, 0], RIGHT, "each number is 0."),
        ([-2, -3, -5, 7], (2, 3, 5, 7), "each number that is wrong has the wrong sign."),
        ([2, 3, 4], [2.5, 3.25, 4.75], "each number is cut to an integer: its fraction is lost."),
        ([k * k for k in RIGHT], RIGHT, "each number is the square of what is right."),
        ([a.T for a in ARRAYS], ARRAYS, "the answer is the transpose of what is right."),
        ([a.ravel() for a in ARRAYS], ARRAYS, "the answer has the right numbers in another shape."),
        ([-a for a in ARRAYS], ARRAYS, "each number has the wrong sign."),
        ([a.sum() for a in ARRAYS], ARRAYS, "the answer is the sum of what is right."),
        ([[2, 1], [4, 3]], [[1, 2], [3, 4]], "the answer is what is right, turned round."),
        ([[2, 3, 1], [5, 6, 4]], [[1, 2, 3], [4, 5, 6]], "the answer has the right items in another order."),
        ([[2], [3]], [2, 3], "the answer is what is right, inside a list or a tuple."),
        (["2", "3"], [2, 3], "the answer is a text of what is right."),
        ([True, False], [False, True], "the answer is the opposite of what is right."),
        ([set(), set()], [{1}, {2}], "the answer is empty."),
        ([4, 5, 6], RIGHT, ""),
        ([-2], [2], ""),
        ([-2, -2, -2], [2, 2, 2], ""),
        ([True, True], [True, False], ""),
        ([0.5, float("nan"), 10**400], RIGHT, ""),
    ],
)
def test_what_holds_on_every_input_is_told(wrong, right, said):
    found = relation([Part(*both, {}) for both in zip(wrong, right)])
    assert found.said == f"On every input, {said}" if said else found is None


def test_an_answer_that_is_an_argument_names_it():
    assert relation([Part(k, k + 1, {"x": k, "n": 3}) for k in RIGHT]).said == "On every input, the answer is x itself."


def test_an_answer_without_a_name_has_what_holds_of_it_beside_the_counterexample():
    found = check(find("00"), "def slope(f, x, h):\n    return 2 * (f(x + h) - f(x)) / h\n")
    assert found.said == "slope is 6. It should be 3. On every input, each number that is wrong is 2 times what is right." and found.id


def test_a_set_says_what_is_missing_and_what_is_too_many():
    found = check(find("01"), "def children(edges, x):\n    return {y for s, y in edges if s == x and y != 'y2'} | {'x3'}\n")
    assert found.said.endswith("It should be {'z'}. Too many: x3.")


def test_numbers_that_are_near_the_right_ones_are_not_called_wrong_without_more():
    assert "near what is right" in relation([Part(k + 1e-5 * k * k, k, {}) for k in (2, 3, 5)]).said
    assert relation([Part(k + 0.1 * k * k, k, {}) for k in (2, 3, 5)]) is None

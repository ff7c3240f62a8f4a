"""The marks of an axis: round numbers, and powers of ten on a logarithmic axis that has two of them."""

import pytest

from tests.each import each
from tutorial.graphs.axis import Axis


@each(
    "low, high, marks",
    [
        (0.01, 1.0, [0.01, 0.1, 1.0]),
        (0.05, 20.0, [0.1, 1.0, 10.0]),
        (2.0, 4.0, [2.0, 2.5, 3.0, 3.5, 4.0]),
        (2, 9, [2, 4, 6, 8]),
        (1e-4, 20, [1e-4, 1e-2, 1]),
    ],
)
def test_the_marks_of_a_logarithmic_axis_are_powers_of_ten_or_round_numbers(low, high, marks):
    assert Axis(low, high, 0, 100, log=True).ticks() == pytest.approx(marks)


def test_marks_are_at_least_so_far_apart_and_an_axis_without_length_has_one():
    assert Axis(1, 2, 0, 100).ticks(least=1) == [1, 2] and Axis(0, 10, 0, 100).ticks(6) == [0, 2, 4, 6, 8, 10]
    assert Axis(3, 3, 0, 100).ticks(least=1) == [3] and Axis(3, 3, 0, 100)(3) == 0
    assert Axis(7.0, 7.0, 0, 100, log=True).ticks() == [7.0]

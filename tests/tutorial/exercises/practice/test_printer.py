"""The printer of exercises: ten dots show how many are solved, all of them only for all."""

import io

from tests.each import each
from tutorial.exercises.authored import find
from tutorial.exercises.practice.printer import EMPTY, FULL, Printer


@each("solved, all, dots", [(0, 40, 0), (3, 40, 0), (4, 40, 1), (20, 40, 5), (39, 40, 9), (40, 40, 10), (1, 1, 10)])
def test_the_dots_are_full_tenths(solved, all, dots):
    file = io.StringIO()
    Printer(file).heading(find("02"), solved, all)
    assert f" {FULL * dots}{EMPTY * (10 - dots)}  {solved}/{all} " in file.getvalue()

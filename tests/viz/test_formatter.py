"""A formatter that remembers writes each thing once: what counts as the same thing."""

import numpy as np

from scalargrad.formulas.symbols import Name
from scalargrad.tracing.quantities import Quantity
from viz.text.formatter import UNICODE, key_of, remembering


def test_two_numbers_in_a_row_are_not_a_quantity():
    x = Name("x")
    assert key_of(Quantity(2.0, x)) == (key_of(2.0), key_of(x))
    for pair in ([1.0, 2.0], np.array([1.0, 2.0]), np.array(1.0)):  # a pattern of two matches a list, and arrays since NumPy 2.5
        assert key_of(pair) == id(pair)


def test_arrays_without_axes_and_with_two_entries_are_written():
    formatter = remembering(UNICODE)
    assert [formatter.number(np.array(a)) for a in (3.0, [3.0, 4.0], [[1.0], [2.0]])] == ["3", "[3, 4]", "[[1], [2]]"]

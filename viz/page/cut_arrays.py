"""The arrays that a page does not write in full. A dialog of the page shows their numbers."""

from math import isfinite, prod

from scalargrad.formulas.lost_entries import without_lost
from viz.text.array_text import statistics
from viz.text.formatter import UNICODE

MOST_ENTRIES, MOST_OF_PAGE, LEAST = 4_096, 60_000, 64  # of an array; of all arrays of a page together; of an array in any case
DIGITS = 6  # of a number


class CutArrays:
    """Arrays, each with its place among them: `cut[array]` is the place, of a new array the next one."""

    def __init__(self):
        self.arrays, self.place = [], {}

    def __getitem__(self, array):
        if id(array) not in self.place:
            self.place[id(array)] = len(self.arrays)
            self.arrays.append(array)  # keep the array: a new one may get the id of a deleted one
        return self.place[id(array)]

    def data(self, names):
        """Return [{name, said, shape, dtype, summary, rows, columns, numbers}].

        `name` is the place of a formula and `said` the same as text, of an array in `names`, {id: (name, said)}. `numbers` are the
        entries of the first matrices of the last two axes, row by row: of each its first `rows` and `columns`. All of a small array;
        of a large one a corner.
        """
        most = max(LEAST, min(MOST_ENTRIES, MOST_OF_PAGE // max(len(self.arrays), 1)))
        named = lambda a: dict(zip(("name", "said"), names.get(id(a), ())))
        return [{**named(a), **numbers_of(a, most)} for a in self.arrays]


def numbers_of(array, most):
    """Return what the dialog shows of an array, at most about `most` of its numbers.

    >>> import numpy as np
    >>> found = numbers_of(np.ones((2, 8, 4)), 40); found["rows"], found["columns"], len(found["numbers"])
    (8, 4, 32)
    """
    found = {"shape": list(array.shape), "dtype": str(array.dtype), "summary": statistics(array, UNICODE)}
    if 0 in array.shape:
        return found | {"rows": 0, "columns": 0, "numbers": []}
    high, wide = array.shape[-2:] if array.ndim > 1 else (1, len(array))
    side = int(most**0.5)
    rows = min(high, max(side, most // min(wide, side)))
    columns = min(wide, max(1, most // rows))
    count = min(max(1, most // (rows * columns)), prod(array.shape) // (high * wide))
    shown = without_lost(array).reshape(-1, high, wide)[:count, :rows, :columns]
    return found | {"rows": rows, "columns": columns, "numbers": [entry(n) for n in shown.reshape(-1).tolist()]}


def entry(number):
    """Return a number for JSON in six digits; text if it is not finite. An integer that fits has no decimal point."""
    if not isfinite(number):
        return UNICODE.number(number)
    short = float(format(number, f".{DIGITS}g"))
    return int(short) if short == int(short) and abs(short) < 10**DIGITS else short

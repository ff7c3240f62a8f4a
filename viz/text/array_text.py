"""Write the numbers of arrays as text: all, or what is said of many. Knows shapes and numbers, not variables."""

from scalargrad.formulas.lost_entries import ends, lost_entries, nested_lists, with_lost, without_lost
from scalargrad.formulas.rounding_error import is_lost

DIGITS = 4  # of a number in an array


def is_array(x):
    """Return whether x has axes; a number does not."""
    return bool(getattr(x, "shape", ()))


def rounded(number):
    """Return a number as a table shows it."""
    return float(format(number, f".{DIGITS}g")) if isinstance(number, float) and not is_lost(number) else number


def in_few_digits(array):
    """Return a copy of an array with its entries as a table shows them."""
    found = without_lost(array).copy()
    found.flat = [rounded(number) for number in found.ravel().tolist()]
    return found


def entries(array, formatter):
    """Return the numbers of an array of one or two axes as text, row by row. A vector is one row."""
    rows = nested_lists(array) if len(array.shape) == 2 else [nested_lists(array)]
    return [[formatter.formula(rounded(number)) for number in row] for row in rows]


def statistics(array, formatter):
    """Return the minimum, the maximum and the mean of an array that is too large to be shown."""
    if 0 in array.shape:
        return "no entries"
    low, high, mean = (formatter.formula(rounded(found)) for found in (*ends(array), mean_of(without_lost(array)).tolist()))
    return f"min {low}, max {high}, mean {mean}" if low != high else f"all {low}"


def mean_of(array):
    """Return the mean of an array. The sum of finite numbers may be infinite, but their mean is not."""
    import numpy as np

    with np.errstate(over="ignore"):
        mean = array.mean()
    return mean if np.isfinite(mean) else (array / array.size).sum()


def numbers_of(x):
    """Return the entries of an array, or the one number."""
    if not hasattr(x, "reshape"):
        return [x]
    lost = lost_entries(x)
    return x.reshape(-1).tolist() if lost is None else with_lost(x.reshape(-1).tolist(), lost.reshape(-1).tolist())

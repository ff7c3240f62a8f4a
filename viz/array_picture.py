"""A picture of an array, for drawings and for pages: cells of sixteen shades, and the scale that says which shade is which number."""

from functools import cached_property
from math import isfinite, nan, prod

from scalargrad.formulas.lost_entries import without_lost
from scalargrad.formulas.text import shown_in_full
from viz.text.formatter import UNICODE

MOST_CELLS = 16  # rows and columns; in a larger matrix a cell is the mean of a block
MOST_MATRICES, ACROSS = 12, 4  # matrices of an array of more axes that are drawn, and in a row
LEVELS = 16  # shades of the colour of positive numbers, and as many of that of negative ones
BAR = 16  # cells of the bar of a scale
DIGITS = "0123456789abcdefghijklmnopqrstuvw"  # the levels -16 to 16, a letter each; a dot is a cell that is not finite


class Picture:
    """The matrices of a picture, all of one size, `across` of them in a row. `note` says what the picture leaves out, or is empty."""

    def __init__(self, matrices: list, across: int, note: str):
        self.matrices, self.across, self.note = matrices, across, note  # matrices are lists of rows: entries, or means of blocks

    @property
    def rows(self):
        return len(self.matrices[0])

    @property
    def columns(self):
        return len(self.matrices[0][0])

    @property
    def down(self):
        """The number of matrices one above the other."""
        return -(-len(self.matrices) // self.across)

    @property
    def levels(self):
        """The matrices as levels from -16 to 16. The largest number has the level 16 or -16; None is not finite."""
        largest = max(map(abs, self.ends))
        return [[[level_of(n, largest) for n in row] for row in matrix] for matrix in self.matrices]

    @cached_property
    def ends(self):
        """The least and the greatest number of the picture; nan if none is finite."""
        known = [n for matrix in self.matrices for row in matrix for n in row if isfinite(n)]
        return (min(known), max(known)) if known else (nan, nan)

    @property
    def bar(self):
        """The levels along the bar of the scale, from the least number to the greatest."""
        low, high = self.ends
        return [level_of(low + (high - low) * k / (BAR - 1), max(abs(low), abs(high))) for k in range(BAR)]

    @property
    def zero(self):
        """The place of 0 on the bar, between 0 and 1; None if 0 is not between the ends."""
        low, high = self.ends
        return -low / (high - low) if low < 0 < high else None

    @property
    def labels(self):
        """The numbers at the ends of the scale, as text; a single text if they are equal, or not finite."""
        if not isfinite(self.ends[0]):
            return ("not finite",)
        low, high = (UNICODE.number(float(format(n, ".3g"))) for n in self.ends)
        return (low, high) if low != high else (f"all {low}",)


def picture(array):
    """Return the Picture of an array; None for a number, an empty array, and one that is small enough to show its numbers.

    Of an array of more than two axes it shows the first matrices of the last two, such as the channels of an image.

    >>> import numpy as np
    >>> found = picture(np.arange(128.0).reshape(2, 8, 8) - 64); len(found.matrices), found.rows, found.labels, found.note
    (2, 8, ('−64', '63'), '')
    >>> picture(np.ones((40, 40))).note, picture(np.ones((3, 3)))
    ('means of blocks', None)
    """
    shape = getattr(array, "shape", ())
    if array is None or not shape or 0 in shape or shown_in_full(shape):
        return None
    found = matrices(without_lost(array))
    across = shape[-3] if len(found) > 1 and 1 < shape[-3] <= ACROSS else min(ACROSS, len(found))
    shown, size = found[:MOST_MATRICES], found[0].shape
    notes = [f"first {len(shown)} of {len(found):,}"] * (len(found) > len(shown))
    notes += ["means of blocks"] * (max(size) > MOST_CELLS)
    cells = block_means(shown)
    notes += ["× is not finite"] * any(not isfinite(n) for matrix in cells for row in matrix for n in row)
    return Picture(cells, across, ", ".join(notes))


def matrices(array):
    """Return the matrices of the last two axes of an array; a vector is one row. Other axes of length 1 do not count."""
    while array.ndim > 2 and array.shape[-2:] == (1, 1):
        array = array.reshape(array.shape[:-2])
    rows, columns = array.shape[-2:] if array.ndim > 1 else (1, len(array))
    return array.reshape(prod(array.shape) // (rows * columns), rows, columns)


def block_means(matrices):
    """Return the entries of matrices of one size; of large ones the means of at most 16 × 16 blocks of about the same size."""
    import numpy as np

    means = np.asarray(matrices, dtype=float)
    _, rows, columns = means.shape
    scale = 2.0**-100 if np.abs(means).max(initial=0) > 2.0**900 else 1.0  # so that the sum of finite numbers is finite
    means = means * scale
    with np.errstate(invalid="ignore"):  # inf - inf
        if rows > MOST_CELLS:
            means = np.add.reduceat(means, borders(rows), 1) / np.diff([*borders(rows), rows])[:, None]
        if columns > MOST_CELLS:
            means = np.add.reduceat(means, borders(columns), 2) / np.diff([*borders(columns), columns])
    return (means / scale).tolist()


def borders(n):
    """Return where the blocks of n rows or columns begin."""
    return [k * n // min(n, MOST_CELLS) for k in range(min(n, MOST_CELLS))]


def level_of(number, largest):
    """Return the level of a number, from -16 to 16; None if it is not finite."""
    return round(LEVELS * (number / (largest or 1))) if isfinite(number) else None


def picture_data(array):
    """Return a picture as JSON for a page, {} if there is none: each matrix and the bar as text, a letter for each cell."""
    found = picture(array)
    if found is None:
        return {}
    cells = lambda row: "".join("." if n is None else DIGITS[n + LEVELS] for n in row)
    data = {"cells": ["".join(map(cells, matrix)) for matrix in found.levels], "columns": found.columns, "across": found.across}
    data |= {"bar": cells(found.bar), "labels": found.labels}
    return {"picture": data | ({"zero": round(found.zero, 3)} if found.zero else {}) | ({"note": found.note} if found.note else {})}

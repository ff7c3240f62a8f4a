"""Write to arrays in place, block by block: a block stays in the processor's cache from its first function to its last.

An array that something else refers to is not written to. A graph may have saved it, or the user may have kept `w.data`.
"""

import sys
from sys import getrefcount

from tensorgrad.tensor import Tensor

BYTES = 2**18  # of one array in a block: with the arrays of Adam and the scratch, they fit into a cache of 2 MiB


def references(t):
    """Return how many references the array of a tensor has."""
    return getrefcount(t._data)


ALONE = references(Tensor(0.0))  # an array to which only its tensor refers
EXACT = getattr(sys, "_is_gil_enabled", lambda: True)()  # without its lock, Python does not count every reference at once


def writable(t):
    """Return the array of a leaf to write to. If something else may refer to it, the leaf gets a copy, and the other keeps its numbers."""
    if not EXACT or references(t) > ALONE or t._data.base is not None or not t._data.flags.owndata:
        t._data = t._data.copy()
    t._data.setflags(write=True)
    return t._data


def blocks(arrays, entries):
    """Yield the blocks of arrays of one shape, each a list of views with at most `entries` entries, without a copy.

    Blocks are flat if all arrays lie in C order. Otherwise they are parts along the first axes.

    >>> import numpy as np
    >>> [[a.tolist() for a in block] for block in blocks([np.arange(3), np.arange(3.0)], 2)]
    [[[0, 1], [0.0, 1.0]], [[2], [2.0]]]
    """
    if all(a.flags.c_contiguous for a in arrays):
        flat = [a.reshape(-1) for a in arrays]
        if flat[0].size <= entries:
            yield flat
            return
        for i in range(0, flat[0].size, entries):
            yield [a[i : i + entries] for a in flat]
        return
    rows = entries // max(1, arrays[0][0].size)
    for i in range(0, len(arrays[0]), max(1, rows)):
        if rows:
            yield [a[i : i + rows] for a in arrays]
        else:
            yield from blocks([a[i] for a in arrays], entries)

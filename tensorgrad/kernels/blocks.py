"""Elementwise functions of several steps, computed block by block: intermediate results stay in the processor's cache.

A kernel is steps(out, *blocks, *numbers), which fills `out`. It is for large arrays; for small ones whole passes are as fast.
"""

import numpy as np

BLOCK_ENTRIES = 1 << 15  # entries at a time
LARGE = 1 << 13  # entries from which blocks are faster
ZEROS = {np.dtype(kind): np.zeros(BLOCK_ENTRIES, kind) for kind in (np.float32, np.float64)}


def large(x):
    """Return whether x is an array of floats with at least LARGE entries."""
    return type(x) is np.ndarray and x.size >= LARGE and x.dtype in ZEROS


def in_blocks(steps, *arrays, numbers=()):
    """Apply the steps to arrays of one shape; the result has the dtype and the memory layout of the first."""
    y = np.empty_like(arrays[0])
    out = y.ravel("K")  # a view, because y has no gaps
    columns = [in_order(a, y) for a in arrays]
    for start in range(0, y.size, BLOCK_ENTRIES):
        block = slice(start, start + BLOCK_ENTRIES)
        steps(out[block], *[c[block] if c.ndim else c for c in columns], *numbers)
    return y


def in_order(x, like):
    """Return the entries of x in the memory order of `like`; an array that repeats one number gives that number."""
    if x.size > 1 and not any(x.strides):
        return x[(0,) * x.ndim + (...,)]
    if x.strides != like.strides:
        copy = np.empty_like(like)
        copy[...] = x
        x = copy
    return x.ravel("K")

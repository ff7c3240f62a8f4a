"""Functions of single entries in several steps, a block at a time: what lies between the steps stays in the processor's cache.

A kernel is steps(out, *blocks, *numbers), which fills `out`. It is for large arrays; on small ones NumPy's whole passes do as well.
"""

import numpy as np

BLOCK = 1 << 16  # entries at a time
LARGE = 1 << 13  # entries, from which on it is worth while
ZEROS = {np.dtype(kind): np.zeros(BLOCK, kind) for kind in (np.float32, np.float64)}


def large(x):
    """Whether x is an array of floats, and large."""
    return type(x) is np.ndarray and x.size >= LARGE and x.dtype in ZEROS


def in_blocks(steps, *arrays, numbers=()):
    """What the steps make of arrays of one shape, with the kind and the memory layout of the first."""
    y = np.empty_like(arrays[0])
    out = y.ravel("K")  # a view: y has no gaps
    columns = [in_order(a, y) for a in arrays]
    for start in range(0, y.size, BLOCK):
        block = slice(start, start + BLOCK)
        steps(out[block], *[c[block] if c.ndim else c for c in columns], *numbers)
    return y


def in_order(x, like):
    """The entries of x in a row, as those of `like` lie in memory; a number repeated everywhere as that number."""
    if x.size > 1 and not any(x.strides):
        return x[(0,) * x.ndim + (...,)]
    if x.strides != like.strides:
        copy = np.empty_like(like)
        copy[...] = x
        x = copy
    return x.ravel("K")

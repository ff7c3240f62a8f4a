"""Elementwise functions of several steps, computed block by block: intermediate results stay in the processor's cache.

Such a kernel is steps(out, *blocks, *numbers), which fills `out`. It is for large arrays; for small ones whole passes are as fast.
"""

import threading

import numpy as np

from tensorgrad.kernels.threads import each

BLOCK_ENTRIES = 1 << 15  # entries at a time
LARGE = 1 << 13  # entries from which blocks are faster
FOR_THREADS = 1 << 18  # entries from which several threads are faster
ZEROS = {np.dtype(kind): np.zeros(BLOCK_ENTRIES, kind) for kind in (np.float32, np.float64)}


def large(x):
    """Return whether x is an array of floats with at least LARGE entries."""
    return type(x) is np.ndarray and x.size >= LARGE and x.dtype in ZEROS


def in_blocks(steps, *arrays, numbers=()):
    """Apply the steps to arrays of one shape; the result has the dtype and the memory layout of the first."""
    y = np.empty_like(arrays[0])
    out = y.ravel("K")  # a view, because y has no gaps
    columns = [in_order(a, y) for a in arrays]
    larger = getattr(steps, "larger", 1)
    work = lambda block: steps(out[block], *[c[block] if c.ndim else c for c in columns], *numbers)
    each(slices(y.size, BLOCK_ENTRIES * larger), work, pays=larger > 1, large=False)
    return y


class Rooms(threading.local):
    """Memory for the intermediate results of a block. Each thread takes it once: new memory for each block would take longer to get."""

    def __init__(self):
        self.rooms = {}

    def like(self, block, number=0):
        """Return array `number`, in the shape and the dtype of a block; it holds whatever was last written there."""
        room = self.rooms.get((block.dtype, number))
        if room is None or room.size < block.size:
            room = self.rooms[block.dtype, number] = np.empty(block.size, block.dtype)
        return room[: block.size].reshape(block.shape)


ROOMS = Rooms()


def slices(count, width):
    """Return slices of at most `width` of `count` things."""
    return [slice(start, start + width) for start in range(0, count, width)]


def for_threads(x, kernel):
    """Return whether several threads pay for a kernel of rows: those of NumPy are many short functions, those in C are one."""
    return {"pays": kernel.larger > 1 and x.size >= 8 * FOR_THREADS, "large": x.size >= LARGE}


def row_blocks(x, kernel):
    """Return slices of the rows of a matrix, for a kernel that computes each row."""
    return slices(len(x), max(1, 2 * BLOCK_ENTRIES * kernel.larger // max(1, x.shape[1])))


def in_turn(v, times):
    """Return a vector so many times in turn: np.tile, in a third of the time for short ones."""
    return v[None].repeat(times, 0).reshape(-1)


def in_order(x, like):
    """Return the entries of x in the memory order of `like`; an array that repeats one number gives that number."""
    if x.size > 1 and not any(x.strides):
        return x[(0,) * x.ndim + (...,)]
    if x.strides != like.strides:
        copy = np.empty_like(like)
        copy[...] = x
        x = copy
    return x.ravel("K")

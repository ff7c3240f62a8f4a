"""Elementwise functions of several steps, computed block by block: intermediate results stay in the processor's cache.

Such a kernel is steps(out, *blocks, *numbers), which fills `out`. It is for large arrays; for small ones whole passes are as fast.
"""

import threading
from functools import partial

import numpy as np

from tensorgrad.kernels.threads import each

BLOCK_ENTRIES = 1 << 15  # entries at a time
LARGE = 1 << 13  # entries from which blocks are faster
MANY = 1 << 17  # entries from which intermediate results no longer fit the cache
FOR_THREADS = 1 << 18  # entries from which several threads are faster
ZEROS = {np.dtype(kind): np.zeros(BLOCK_ENTRIES, kind) for kind in (np.float32, np.float64)}
ARRAY, PLAIN = np.ndarray, (int, float, type(None))


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


def by_blocks(function):
    """Return an elementwise function of arrays, numbers and None in a form that computes large arrays block by block, to the same bits."""

    def step(out, *blocks, given):
        blocks = iter(blocks)
        out[...] = function(*[next(blocks) if a is ARRAY else a for a in given])

    return blockwise(function, step)


def product_by_blocks(function):
    """Return the function (g, *args) ↦ g · function(*args) in the same form."""

    def step(out, g, *blocks, given):
        blocks = iter(blocks)
        np.multiply(g, function(*[next(blocks) if a is ARRAY else a for a in given[1:]]), out=out)

    return blockwise(lambda g, *args: g * function(*args), step)


def blockwise(whole, step):
    """Return whole(*args), computed by step(out, *blocks, given=args) if the arrays are large, and of one shape and dtype."""

    def kernel(*args):
        first = args[0]
        if type(first) is not ARRAY or first.size < MANY or first.dtype not in ZEROS or not all(like(a, first) for a in args):
            return whole(*args)
        given = [ARRAY if type(a) is ARRAY else a for a in args]
        return in_blocks(partial(step, given=given), *[a for a in args if type(a) is ARRAY])

    return kernel


def like(a, first):
    """Return whether a is a number, None, or an array of the shape and the dtype of the first."""
    return type(a) in PLAIN or (type(a) is ARRAY and a.shape == first.shape and a.dtype == first.dtype)


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

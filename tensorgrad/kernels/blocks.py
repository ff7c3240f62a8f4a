"""Elementwise functions of several steps, computed block by block: intermediate results stay in the processor's cache.

Such a kernel is steps(out, *blocks, *numbers), which fills `out`. It is for large arrays; for small ones whole passes are as fast.
"""

import threading
from contextlib import contextmanager
from functools import partial

import numpy as np

from tensorgrad.arrays.memory import LARGEST, LINE, aligned, new_like
from tensorgrad.kernels.registry import Kernel, kernel
from tensorgrad.kernels.threads import each

BLOCK_BYTES = 1 << 18  # bytes of an array at a time: with half as many, the calls of NumPy's functions take a tenth of the time
ROW_ENTRIES = 1 << 16  # entries of whole rows at a time
LARGE = 1 << 13  # entries from which blocks are faster
MANY = 1 << 17  # entries from which intermediate results no longer fit the cache
FOR_THREADS = 1 << 18  # entries from which several threads are faster
FOR_COMPILED = 1 << 16  # the same for kernels in C
SIMPLE = 2  # blocks of a function that takes one or two passes are so many times as large: then threads pay
ZEROS = {np.dtype(kind): np.zeros(SIMPLE * BLOCK_BYTES // np.dtype(kind).itemsize, kind) for kind in (np.float32, np.float64)}
ARRAY, PLAIN = np.ndarray, (int, float, type(None))


def large(x):
    """Return whether x is an array of floats with at least LARGE entries."""
    return type(x) is np.ndarray and x.size >= LARGE and x.dtype in ZEROS


class Spent(threading.local):
    """The array that a kernel may write its result over, in this thread."""

    array = None


SPENT = Spent()


@contextmanager
def written_over(x):
    """Within the `with` block, let a kernel write over the array x, which nothing else refers to: new memory would take longer to fill."""
    SPENT.array = x
    try:
        yield
    finally:
        SPENT.array = None


def memory(kernel, G, like):
    """Return an array for what a kernel of rows computes from G, with the shape and the dtype of `like`: G itself if it may be."""
    mine = SPENT.array is not None and kernel.over and (G is SPENT.array or G.base is SPENT.array)
    return G if mine and G.flags.c_contiguous and G.shape == like.shape and G.dtype == like.dtype else np.empty_like(like)


def over(steps):
    """Decorate a kernel whose `out` may be its first input."""
    steps.over = True
    return steps


def simple(steps):
    """Decorate steps of one or two passes, whose blocks may be larger: several threads pay for these."""
    steps.larger = SIMPLE
    return steps


def in_place(vjp):
    """Decorate a vjp that uses G only once, in a kernel that may write over it."""
    vjp.in_place = True
    return vjp


def times_g(factor):
    """Return the steps of a vjp, g · factor: those of the factor, which stays in the cache, and a product. So `out` may be g itself."""

    def vjp(out, g, *blocks):
        room = ROOMS.like(out, "factor")
        factor(room, *blocks)
        np.multiply(g, room, out=out)

    vjp.larger = getattr(factor, "larger", 1)
    vjp.__doc__, vjp.__wrapped__, vjp.over = f"g · ({factor.__doc__})", factor, True  # `inspect` shows the inputs of the factor
    return vjp


@in_place
def times(G, y):
    """Return G · y."""
    return np.multiply(G, y, out=G) if writable(G, y) else product(G, y) if type(G) is ARRAY and G.nbytes >= LARGEST else G * y


@in_place
def divided(G, b):
    """dz/da = dz/dy · (1/b)"""
    return np.divide(G, b, out=G) if writable(G, b) else G / b


def product(a, b):
    """Return a · b in memory that may be used again."""
    alike = a.dtype in ZEROS and like(b, a) and (type(b) is not ARRAY or b.strides == a.strides)
    return np.multiply(a, b, out=new_like(a)) if alike else a * b


def writable(G, y):
    """Return whether a function of G and y may write over G."""
    return G is SPENT.array and (type(y) in (int, float) or (type(y) is ARRAY and like(y, G)))


def in_blocks(steps, *arrays, numbers=()):
    """Apply the steps to arrays of one shape; the result has the dtype and the memory layout of the first."""
    y = arrays[0] if arrays[0] is SPENT.array and getattr(steps, "over", False) else new_like(arrays[0])
    out = y.ravel("K")  # a view, because y has no gaps
    columns = [in_order(a, y) for a in arrays]
    larger, least = getattr(steps, "larger", 1), 2 * FOR_THREADS if getattr(steps, "by", "numpy") == "numpy" else FOR_COMPILED

    def cut(*arrays):
        return [(*[a[block] if a.ndim else a for a in arrays], *numbers) for block in blocks_of(y, larger, least)]

    how = {"pays": larger > 1 and y.size >= least, "large": False}
    if type(steps) is Kernel:
        steps.each([(out, *columns)], cut, **how)
    else:
        each(cut(out, *columns), lambda args: steps(*args), **how)
    return y


@kernel("sum_of_two")
@simple
def sum_of_two(out, a, b):
    np.add(a, b, out=out)


def added(a, b):
    """Return a + b; large arrays of one memory layout, without gaps, are computed in blocks."""
    large = type(a) is type(b) is ARRAY and a.size >= FOR_COMPILED and a.dtype in ZEROS and like(b, a)
    pays = large and (a.size >= 2 * FOR_THREADS or sum_of_two.by != "numpy")
    if pays and a.strides == b.strides == np.empty_like(a).strides:
        return in_blocks(sum_of_two, a, b)
    return a + b


def in_parts(steps, *arrays):
    """Call steps(*parts) for parts of arrays of one shape along the longest axis in front; halves of an array are not copied first."""
    shape, entries = arrays[0].shape, BLOCK_BYTES // arrays[0].itemsize
    axis = max(range(len(shape)), key=lambda i: (shape[i] >= arrays[0].size // entries, -i))
    width = max(1, entries * shape[axis] // arrays[0].size)
    for part in slices(shape[axis], width):
        steps(*[a[(slice(None),) * axis + (part,)] for a in arrays])


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

    return in_place(blockwise(lambda g, *args: g * function(*args), over(step)))


def blockwise(whole, step):
    """Return whole(*args), computed by step(out, *blocks, given=args) if the arrays are large, and of one shape and dtype."""

    def kernel(*args):
        first = args[0]
        if type(first) is not ARRAY or first.size < MANY or first.dtype not in ZEROS or not all(like(a, first) for a in args):
            return whole(*args)
        given = [ARRAY if type(a) is ARRAY else a for a in args]
        steps = partial(step, given=given)
        steps.over = getattr(step, "over", False)
        return in_blocks(steps, *[a for a in args if type(a) is ARRAY])

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
            room = self.rooms[block.dtype, number] = aligned(block.size, block.dtype)
        return room[: block.size].reshape(block.shape)


ROOMS = Rooms()


def slices(count, width):
    """Return slices of at most `width` of `count` things."""
    return [slice(start, start + width) for start in range(0, count, width)]


def blocks_of(x, larger=1, least=0):
    """Return slices of the entries of x, in order; if they may be `larger`, an x of `least` entries or more has two to eight at least."""
    most = BLOCK_BYTES // x.itemsize * larger
    return slices(x.size, most if larger == 1 else min(most, max(least // 2, -(-x.size // (8 * LINE)) * LINE)))


def for_threads(x, kernel):
    """Return whether several threads pay for a kernel of rows: those of NumPy are many short functions, those in C are one."""
    return {"pays": kernel.larger > 1 and x.size >= FOR_COMPILED, "large": x.size >= LARGE}


def row_blocks(x):
    """Return slices of the rows of a matrix, for a kernel of NumPy that computes each row."""
    return slices(len(x), max(1, ROW_ENTRIES // max(1, x.shape[1])))


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

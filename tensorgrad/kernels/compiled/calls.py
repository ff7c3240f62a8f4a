"""Load the library of kernels.c for this processor, and call its functions. A call lets other threads of Python run.

Arrays of another dtype or memory layout than the output's are copied first. An output is one block of memory.
"""

import sys
from ctypes import CDLL, c_char_p, c_int, c_int64, c_size_t, c_uint32, c_void_p, cast
from functools import cache
from itertools import groupby
from operator import attrgetter, itemgetter
from struct import Struct

import numpy as np

from tensorgrad.kernels.compiled.build import LEVELS, checksum, path_of
from tensorgrad.kernels.registry import KERNELS
from tensorgrad.kernels.threads import number

SHARE = 1 << 15  # entries of a part
NAMES = {np.dtype(np.float32): "float", np.dtype(np.float64): "double"}


@cache
def library():
    """Return the library for this processor, or None if none was built from the sources that are here."""
    if not path_of(0).exists():
        return None
    base = CDLL(str(path_of(0)))
    if not hasattr(base, "source") or c_uint32(base.source()).value != checksum():
        return None
    best = max(level for level in LEVELS if level <= base.level() and path_of(level).exists())
    found = CDLL(str(path_of(best)))
    found.run.argtypes, found.run.restype = [c_void_p, c_char_p, c_int64, c_int64, c_int], None
    return found


@cache
def function(name, dtype):
    """Return the address of a function of the library."""
    return cast(library()[f"call_{name}_{NAMES[dtype]}"], c_void_p).value


class Call:
    """A call that is still to be made, in so many parts: a function, its arguments, whose arrays it keeps, and what its kernel returns."""

    __slots__ = "arrays", "function", "parts", "result", "row"

    def __init__(self, name, sizes, arrays, reals=(), flags=(), result=None, dtype=None, parts=1):
        self.function, self.arrays, self.result, self.parts = function(name, dtype or arrays[0].dtype), arrays, result, parts
        places = [0 if a is None else address(a) for a in arrays]
        self.row = row(len(sizes) + len(places), len(reals), len(flags)).pack(*sizes, *places, *reals, *flags)

    def make(self, threads=1):
        make_all([self], threads)
        return self.returned()

    def returned(self):
        """Return what the kernel returns, after the call was made. A result that is a function gives it."""
        return self.result() if callable(self.result) else self.result


FUNCTIONS: dict = {}  # {name of a kernel: its function here}


def in_c(function):
    """Decorate a kernel."""
    FUNCTIONS[function.__name__] = function
    return function


class OneCall:
    """A kernel that is one call of the library, so that threads of C can make many: `prepare` returns the call, or None for arrays that
    NumPy's kernel of the name shall take.
    """

    def __init__(self, prepare, name=None):
        self.prepare, self.__name__ = prepare, name or prepare.__name__
        in_c(self)

    def __call__(self, *args):
        call = self.prepare(*args)
        return KERNELS[self.__name__].numpy(*args) if call is None else call.make(number())

    def together(self, calls, threads):
        """Let threads compute for tuples of arguments. Return a list with the result of each, and the numbers of those left to NumPy."""
        prepared = [self.prepare(*args) for args in calls]
        make_all([call for call in prepared if call is not None], threads)
        left = [i for i, call in enumerate(prepared) if call is None]
        return [[] if call is None else [call.returned()] for call in prepared], left


@cache
def row(numbers, reals, flags):
    return Struct(f"{numbers}q{reals}d{flags}q")


def make_all(calls, threads):
    """Make all calls, on so many threads."""
    for place, some in groupby(calls, attrgetter("function")):
        rows = sorted([(part, numbers + call.row) for call in some for part, numbers in parts(call.parts)], key=itemgetter(0))
        table = b"".join([row for _, row in rows])
        library().run(place, table, len(table) // len(rows) // 8, len(rows), threads)


@cache
def parts(many):
    """Return how far each part begins, from 0 to 1, and its number and theirs, as a row of arguments begins."""
    return [(i / many, Struct("2q").pack(i, many)) for i in range(many)]


def call(name, sizes, out, arrays, reals=(), flags=(), **more):
    """Return the call of a function with sizes, `out`, more arrays (or None), and numbers."""
    return Call(name, sizes, [out, *[a if a is None else fitting(a, out) for a in arrays]], reals, flags, **more)


def in_rows(name, sizes, out, arrays, reals=(), **more):
    """Return the same for a function of rows, in up to eight parts of so many entries that several threads pay."""
    return call(name, sizes, out, arrays, reals, parts=parts_of(out, sizes[0]), **more)


def parts_of(x, rows):
    return max(1, min(8, rows, x.size // SHARE))


def call_views(name, sizes, *arrays):
    """Call a function that knows the memory layout of all arrays by the sizes. They have one dtype."""
    Call(name, sizes, arrays).make()


def address_by_ctypes(a):
    """Return where the numbers of an array are."""
    return a.ctypes.data


def address_after_head(a):
    """Return the same in a seventh of the time. In CPython, the address follows what all objects begin with."""
    return c_size_t.from_address(id(a) + object.__basicsize__).value


def fastest_address():
    a = np.zeros(1)
    fits = sys.implementation.name == "cpython" and address_after_head(a) == address_by_ctypes(a)
    return address_after_head if fits else address_by_ctypes


address = fastest_address()


def fitting(a, like):
    return a if a.dtype == like.dtype and a.flags.c_contiguous else np.ascontiguousarray(a, like.dtype)


def in_numbers(x, *axes):
    """Return how many numbers apart the entries along some axes are."""
    return [x.strides[axis] // x.itemsize for axis in axes]

"""Load the library of kernels.c for this processor, and call its functions. A call lets other threads run.

Arrays of another dtype or memory layout than the output's are copied first. An output is one block of memory.
"""

import sys
from ctypes import CDLL, c_double, c_int, c_int64, c_size_t, c_uint32, c_void_p
from functools import cache

import numpy as np

from tensorgrad.kernels.compiled.build import LEVELS, checksum, path_of

NAMES = {np.dtype(np.float32): "float", np.dtype(np.float64): "double"}
SIZE, REAL, FLAG, ARRAY = c_int64, c_double, c_int, c_void_p
# fmt: off
SIGNATURES = {  # sizes, then arrays, then numbers
    "gelu":            [SIZE] + [ARRAY] * 2,
    "gelu_vjp":        [SIZE] + [ARRAY] * 3,
    "gelu_tanh":       [SIZE] + [ARRAY] * 2,
    "gelu_tanh_vjp":   [SIZE] + [ARRAY] * 4,
    "softmax":         [SIZE] * 2 + [ARRAY] * 4,
    "softmax_vjp":     [SIZE] * 2 + [ARRAY] * 3,
    "log_softmax":     [SIZE] * 2 + [ARRAY] * 2,
    "log_softmax_vjp": [SIZE] * 2 + [ARRAY] * 3,
    "attention":       [SIZE] * 6 + [ARRAY] * 10,
    "attention_vjp":   [SIZE] * 6 + [ARRAY] * 12 + [REAL] + [FLAG],
    "layer_norm":      [SIZE] * 2 + [ARRAY] * 7 + [REAL],
    "layer_norm_vjp":  [SIZE] * 2 + [ARRAY] * 9,
    "group_norm": [SIZE] * 3 + [ARRAY] * 7 + [REAL],
    "group_norm_vjp": [SIZE] * 3 + [ARRAY] * 9,
    "batch_norm_sums": [SIZE] * 3 + [ARRAY] * 5,
    "batch_norm_relu_sums": [SIZE] * 3 + [ARRAY] * 7,
    "batch_norm":      [SIZE] * 2 + [ARRAY] * 6 + [FLAG],
    "batch_norm_vjp":  [SIZE] * 2 + [ARRAY] * 7,
    "winograd_kernel": [SIZE] * 4 + [ARRAY] * 2,
    "winograd_kernel_vjp": [SIZE] * 4 + [ARRAY] * 2,
    "winograd_input":  [SIZE] * 9 + [ARRAY] * 3,
    "winograd_input_vjp": [SIZE] * 9 + [ARRAY] * 3,
    "winograd_output": [SIZE] * 5 + [ARRAY] * 2,
    "winograd_output_vjp": [SIZE] * 4 + [ARRAY] * 2,
    "depthwise":       [SIZE] * 12 + [ARRAY] * 3,
    "depthwise_vjps":  [SIZE] * 12 + [ARRAY] * 5,
    "kernel_rows":     [SIZE] * 11 + [ARRAY] * 3,
    "kernel_panels":   [SIZE] * 8 + [ARRAY] * 2,
    "kernel_rows_vjp": [SIZE] * 11 + [ARRAY] * 3,
    "max_pool":        [SIZE] * 5 + [ARRAY] * 3,
    "max_pool_vjp":    [SIZE] * 5 + [ARRAY] * 3,
    "product":         [SIZE] * 12 + [ARRAY] * 5,
    "sgd":             [SIZE] + [ARRAY] * 3 + [REAL] * 4 + [FLAG],
    "adam":            [SIZE] + [ARRAY] + [REAL] * 7,
}
# fmt: on


@cache
def library():
    """Return the library for this processor, or None if none was built from the kernels.c that is here."""
    if not path_of(0).exists():
        return None
    base = CDLL(str(path_of(0)))
    if not hasattr(base, "source") or c_uint32(base.source()).value != checksum():
        return None
    level = base.level()
    return CDLL(str(path_of(level))) if level in LEVELS and path_of(level).exists() else base


@cache
def function(name, dtype):
    """Return a function of the library."""
    found = getattr(library(), f"{name}_{NAMES[dtype]}")
    found.argtypes, found.restype = SIGNATURES[name], None
    return found


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


def call(name, sizes, out, arrays, numbers=()):
    """Call a function with sizes, `out`, more arrays (or None), and numbers."""
    given = [a if a is None else fitting(a, out) for a in arrays]  # which keeps copies until the call has ended
    function(name, out.dtype)(*sizes, address(out), *[a if a is None else address(a) for a in given], *numbers)


def call_views(name, sizes, *arrays):
    """Call a function that knows the memory layout of all arrays by the sizes. They have one dtype."""
    function(name, arrays[0].dtype)(*sizes, *map(address, arrays))


def fitting(a, like):
    return a if a.dtype == like.dtype and a.flags.c_contiguous else np.ascontiguousarray(a, like.dtype)


def in_numbers(x, *axes):
    """Return how many numbers apart the entries along some axes are."""
    return [x.strides[axis] // x.itemsize for axis in axes]

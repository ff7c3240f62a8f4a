"""Call the library of kernels.c. Each function here takes what the NumPy kernel of its name takes; a call lets other threads run.

Arrays of another dtype or memory layout than the output's are copied first. An output is one block of memory.

Where there is glibc, the process keeps the memory of freed arrays for the next ones, unless a variable MALLOC_… or GLIBC_TUNABLES says
what malloc should do.
"""

import os
import sys
from ctypes import CDLL, c_double, c_int, c_int64, c_size_t, c_uint32, c_void_p
from functools import cache
from math import prod

import numpy as np

from tensorgrad.arrays.windows import interior
from tensorgrad.kernels.blocks import aligned
from tensorgrad.kernels.compiled.build import LEVELS, checksum, path_of
from tensorgrad.kernels.convolutions.kernel_rows import rooms
from tensorgrad.kernels.convolutions.layout import empty_channels_last, zero_padded
from tensorgrad.kernels.registry import KERNELS, offered

LARGER = 4  # blocks are so many times as large as NumPy's: no intermediate result must fit the cache
TALLEST_TILE = 8  # rows of the tile of kernel_rows
MALLOC_TOLD = any(name.startswith(("MALLOC_", "GLIBC_TUNABLES")) for name in os.environ)
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
    "attention_scores_vjp": [SIZE] * 2 + [ARRAY] * 3,
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
    "sgd":             [SIZE] + [ARRAY] * 3 + [REAL] * 4 + [FLAG],
    "adam":            [SIZE] + [ARRAY] * 5 + [REAL] * 7,
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


def elementwise(name):
    """Return the kernel of blocks with one axis. A block may be one number, which stands for all entries."""

    def run(out, *blocks):
        call(name, (out.size,), out, [b if b.ndim else np.full(out.shape, b, out.dtype) for b in blocks])

    return run


def softmax(y, x, largest=None, totals=None):
    call("softmax", y.shape, y, [x, largest, totals])


def softmax_vjp(dx, g, y):
    call("softmax_vjp", dx.shape, dx, [g, y])


def log_softmax(y, x):
    call("log_softmax", y.shape, y, [x])


def log_softmax_vjp(dx, g, y):
    call("log_softmax_vjp", dx.shape, dx, [g, y])


def attention_scores_vjp(s, e, r):
    if without_gaps(s, e):
        call("attention_scores_vjp", (r.size, s.shape[-1]), s, [e, r])
    else:
        KERNELS["attention_scores_vjp"].numpy(s, e, r)


def layer_norm(y, x, moments, weight, bias, eps):
    call("layer_norm", y.shape, y, [x, *moments, weight, bias], [eps])


def layer_norm_vjp(dx, g, x, moments, weight, sums):
    added = np.zeros((2, dx.shape[1]), dx.dtype) if sums else (None, None)
    call("layer_norm_vjp", dx.shape, dx, [g, x, *moments, weight, *added])
    return added


def group_norm(y, x, moments, W, B, eps):
    call("group_norm", (*W.shape, x.shape[1] // W.shape[1]), y, [x, *moments, W, B], [eps])


def group_norm_vjp(dx, dw, db, g, x, moments, W):
    call("group_norm_vjp", (*W.shape, x.shape[1] // W.shape[1]), dx, [dw, db, g, x, *moments, W])


def batch_norm_sums(columns, x, near, g):
    return sums_of("batch_norm_sums", columns, x, g, near)


def batch_norm_relu_sums(columns, x, near, G, y, g):
    return sums_of("batch_norm_relu_sums", columns, x, G, near, y, g)


def sums_of(name, columns, x, g, near, *more):
    last = columns.channels_last
    rows, width = (x.size // columns.lane, columns.lane) if last else x.shape
    run = 1 if last else columns.size
    first, second = np.zeros((2, width // run), x.dtype)
    if width:
        call(name, (rows, width, run), first, [second, x, g, None if near is None else near[:width], *more])
    return first, second


def batch_norm(y, x, near, scale, shift, residual, zeros):
    call("batch_norm", y.shape, y, [x, near, scale, shift, residual], [zeros is not None])


def batch_norm_vjp(dx, g, x, near, scale, slope, level):
    call("batch_norm_vjp", dx.shape, dx, [g, x, near, scale, slope, level])


def winograd_kernel(w, across=False):
    w = w if w.strides[2:] == (3 * w.itemsize, w.itemsize) else np.ascontiguousarray(w)
    w = w.swapaxes(0, 1) if across else w
    rows, columns = w.shape[:2]
    u = aligned(16 * rows * columns, w.dtype).reshape(16, rows, columns)
    call_views("winograd_kernel", (rows, columns, *in_numbers(w, 0, 1)), u, w)
    return u


def winograd_kernel_vjp(w, u):
    call_views("winograd_kernel_vjp", (*w.shape[:2], *in_numbers(w, 0), *in_numbers(u, 0)), w, u)


def in_numbers(x, *axes):
    """Return how many numbers apart the entries along some axes are."""
    return [x.strides[axis] // x.itemsize for axis in axes]


def winograd_input(x, window):
    n, high, wide, channels = x.shape
    rows, columns = [size // 2 for size in window.count((high, wide))]
    v = np.empty((4, 4, n, rows, columns, channels), x.dtype)
    call_views("winograd_input", (*v.shape[2:], *tiles(x, window)), v, x, np.zeros(channels, x.dtype))
    return v


def winograd_input_vjp(x, v, window):
    call_views("winograd_input_vjp", (*v.shape[2:], *tiles(x, window)), x, v, np.empty(x.shape[3], x.dtype))


def tiles(x, window):
    """Return the rows, the columns, the padding above and on the left, and the numbers of a column of x (n, row, column, channel)."""
    return [*x.shape[1:3], window.padding[0][0], window.padding[1][0], *in_numbers(x, 2)]


def winograd_output(m, y):
    call("winograd_output", (*m.shape[2:], y.strides[2] // y.itemsize), y, [m])


def winograd_output_vjp(g):
    n, rows, columns, channels = g.shape
    m = np.empty((4, 4, n, rows // 2, columns // 2, channels), g.dtype)
    call("winograd_output_vjp", m.shape[2:], m, [g])
    return m


def depthwise(x, w, window, groups, y=None):
    if len(window.kernel) != 2:
        return KERNELS["depthwise"].numpy(x, w, window, groups, y)
    count = window.count(x.shape[1:-1])
    y = empty_channels_last((len(x), *count, len(w)), x.dtype) if y is None else y
    x = zero_padded(x, window)
    call("depthwise", (*x.shape, *count, *window.kernel, *window.stride, *window.dilation), y, [x, by_place(w)])
    return y


def depthwise_vjps(g, x, w, window, groups, size, dx=None):
    if len(window.kernel) != 2:
        return KERNELS["depthwise_vjps"].numpy(g, x, w, window, groups, size, dx)
    wide = (len(g), *[n + a + b for n, (a, b) in zip(size, window.padding)], g.shape[-1])
    sizes = (*wide, *g.shape[1:-1], *window.kernel, *window.stride, *window.dilation)
    into = np.zeros(0 if w is None else wide, g.dtype)
    dw = None if x is None else np.zeros((len(g), prod(window.kernel), g.shape[-1]), g.dtype)
    x = None if x is None else zero_padded(x, window)
    call("depthwise_vjps", sizes, into, [dw, g, x, None if w is None else by_place(w)])
    if w is not None:
        inner = into[(slice(None), *interior(window, size)[1:])]
        if dx is None:
            dx = inner
        else:
            dx[...] = inner
    return dx, None if dw is None else dw.sum(0).T.reshape(-1, 1, *window.kernel)


def kernel_rows(x, matrices, window, partner=None, products=None, y=None):
    lanes, out = library().wide() // x.itemsize, 0 if matrices is None else matrices.shape[-1]
    sums = partner is None or (partner.shape[-1] % TALLEST_TILE == 0 and x.shape[-1] % lanes == 0)
    count = window.count(x.shape[1:-1])
    if out % lanes or not sums or count[1] < TALLEST_TILE:
        return KERNELS["kernel_rows"].numpy(x, matrices, window, partner, products, y)
    y = empty_channels_last((len(x), *count, out), x.dtype) if y is None and out else y
    panels = None if y is None else in_panels(matrices)
    for block, wide in rooms(x, window):
        sizes = *wide.shape, *count, *window.kernel, *window.stride
        if y is not None:
            call("kernel_rows", (*sizes, out), y[block], [wide, panels])
        if partner is not None:
            call("kernel_rows_vjp", (*sizes, partner.shape[-1]), products, [wide, partner[block]])
    return y


def in_panels(matrices):
    """Return the matrices (kernel row, column, channel, out) in panels of two vectors of channels out; a last may have one."""
    panels = aligned(matrices.size, matrices.dtype)
    call_views("kernel_panels", (*matrices.shape, *in_numbers(matrices, 0, 1, 2, 3)), panels, matrices)
    return panels


def by_place(w):
    return np.ascontiguousarray(w.reshape(len(w), -1).T)


def max_pool(x, window, y, masks):
    if side_by_side(window, x, y, masks):
        pooling("max_pool", window, x, y, masks)
    else:
        KERNELS["max_pool"].numpy(x, window, y, masks)


def max_pool_vjp(dx, window, g, masks):
    if side_by_side(window, dx, g, masks):
        pooling("max_pool_vjp", window, dx, g, masks)
    else:
        KERNELS["max_pool_vjp"].numpy(dx, window, g, masks)


def side_by_side(window, x, y, masks):
    """Return whether windows over two axes cover x (n, c, row, column) without padding or overlap, and the arrays have channels last."""
    covered = x.ndim == 4 and tuple([n * k for n, k in zip(y.shape[2:], window.kernel)]) == x.shape[2:]
    if not covered or window.kernel != window.stride or max(window.dilation) > 1 or any(map(any, window.padding)):
        return False
    return x.dtype in NAMES and all(last(a).flags.c_contiguous for a in (x, *masks))


def last(x):
    """Return x with its channels as the last axis."""
    return x.transpose(0, 2, 3, 1)


def pooling(name, window, x, y, masks):
    n, channels, rows, columns = y.shape
    y = fitting(last(y), x)
    places = (c_void_p * len(masks))(*[address(mask) for mask in masks])
    function(name, x.dtype)(n * rows, columns, channels, *window.kernel, address(x), address(y), places)


def adam(p, g, t, m, v, largest, shrink, *numbers):
    if without_gaps(p, m, v, *([] if largest is None else [largest])):
        call("adam", (p.size,), p, [g, m, v, largest], [shrink, *numbers])
    else:  # a parameter whose memory has gaps
        KERNELS["adam"].numpy(p, g, t, m, v, largest, shrink, *numbers)


def sgd(p, g, t, v, decay, momentum, share, lr, nesterov):
    if without_gaps(p, *([] if v is None else [v])):
        call("sgd", (p.size,), p, [g, v], [decay or 0, momentum, share, lr, nesterov])
    else:
        KERNELS["sgd"].numpy(p, g, t, v, decay, momentum, share, lr, nesterov)


def without_gaps(p, *state):
    """Return whether a block can be written to in place: `call` copies arrays whose memory has gaps."""
    return p.flags.c_contiguous and all([a.flags.c_contiguous and a.dtype == p.dtype for a in state])


def gelu_vjp(out, g, x, y):
    elementwise("gelu_vjp")(out, g, x)  # Φ(x) again: y is not read


FUNCTIONS = {name: elementwise(name) for name in ("gelu", "gelu_tanh", "gelu_tanh_vjp")} | {
    f.__name__: f
    for f in (
        gelu_vjp,
        winograd_kernel,
        winograd_kernel_vjp,
        winograd_input,
        winograd_input_vjp,
        winograd_output,
        winograd_output_vjp,
        depthwise,
        depthwise_vjps,
        kernel_rows,
        softmax,
        softmax_vjp,
        log_softmax,
        log_softmax_vjp,
        attention_scores_vjp,
        layer_norm,
        layer_norm_vjp,
        group_norm,
        group_norm_vjp,
        batch_norm_sums,
        batch_norm_relu_sums,
        batch_norm,
        batch_norm_vjp,
        max_pool,
        max_pool_vjp,
        sgd,
        adam,
    )
}
if library() is not None:
    offered("compiled", FUNCTIONS, LARGER)
    if not MALLOC_TOLD:
        library().keep_memory()

"""The kernels of kernels.c as functions of arrays. Each takes what the NumPy kernel of its name takes.

Where there is glibc, the process keeps the memory of freed arrays for the next ones, unless a variable MALLOC_… or GLIBC_TUNABLES says
what malloc should do.
"""

import os
from ctypes import c_void_p
from functools import cache
from math import prod
from threading import local

import numpy as np

from tensorgrad.arrays.windows import interior
from tensorgrad.kernels.blocks import aligned
from tensorgrad.kernels.compiled.calls import NAMES, address, call, call_views, fitting, function, in_numbers, library
from tensorgrad.kernels.convolutions.kernel_rows import rooms
from tensorgrad.kernels.convolutions.layout import empty_channels_last, zero_padded
from tensorgrad.kernels.registry import KERNELS, offered

LARGER = 4  # blocks are so many times as large as NumPy's: no intermediate result must fit the cache
TALLEST_TILE = 8  # rows of the tile of kernel_rows
WORTHWHILE = 1 << 22  # multiplications of a product from which C is quicker than BLAS
FEWEST, FEWER = 64, 13  # rows that it needs, and the same where the rows of B are not contiguous
MALLOC_TOLD = any(name.startswith(("MALLOC_", "GLIBC_TUNABLES")) for name in os.environ)


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


def attention(y, q, k, v, hidden):
    if not heads_fit(y, q, k, v):
        return KERNELS["attention"].numpy(y, q, k, v, hidden)
    rows, keys = q.shape[-2], k.shape[-2]
    e, r = np.empty((*y.shape[:-1], keys), y.dtype), np.empty((*y.shape[:-1], 1), y.dtype)
    mask = None if hidden is None else hidden if hidden.strides[-1] == 1 else np.ascontiguousarray(hidden)
    by = np.array([apart(x, x.itemsize) for x in (y, q, k, v, y if mask is None else mask)], np.int64)
    line, seen = np.empty(keys, y.dtype), None if mask is None else address(mask)
    call_heads("attention", y, rows, keys, q.shape[-1], v.shape[-1], by, *map(address, (y, q, k, v)), seen, *map(address, (e, r, line)))
    return e, r


def attention_vjp(dq, dk, dv, g, q, k, v, e, r, scale, more):
    arrays = dq, dk, dv, g, q, k, v
    if not heads_fit(*arrays) or e.shape[:-2] != g.shape[:-2] or not without_gaps(e, r) or e.dtype != g.dtype:
        KERNELS["attention_vjp"].numpy(*arrays, e, r, scale, more)
        return
    by, scores = np.array([apart(x, x.itemsize) for x in arrays], np.int64), np.empty(e.shape[-2:], e.dtype)
    sizes = *e.shape[-2:], q.shape[-1], v.shape[-1]
    call_heads("attention_vjp", g, *sizes, by, *map(address, (*arrays, e, r, scores)), scale=(scale, more))


def heads_fit(*arrays):
    """Return whether C computes the attention of such arrays: stacks of matrices with contiguous rows, along two axes at most."""
    first = arrays[0]
    if first.ndim > 4 or first.dtype not in NAMES or not has_products():
        return False
    return all(
        x.dtype == first.dtype
        and x.strides[-1] == x.itemsize
        and x.shape[-2] >= FEWER
        and x.shape[-1]
        and not any([s % x.itemsize for s in x.strides])
        for x in arrays
    )


def apart(x, item):
    """Return how many numbers apart the entries along the last three axes but one are: 0 along an axis that x repeats, or lacks."""
    steps = [0 if n == 1 else s // item for n, s in zip(x.shape[:-1], x.strides)]
    return [0] * (3 - len(steps)) + steps


def call_heads(name, y, rows, keys, width, out, by, *places, scale=()):
    n, heads = (1, 1, *y.shape[:-2])[-2:]
    function(name, y.dtype)(n, heads, rows, keys, width, out, address(by), *places, PANELS.address, *scale)


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


def product(A, B, y, bias=None):
    (*_, rows, inner), (*_, columns), item = A.shape, y.shape, y.itemsize
    (*_, a_row, a_next), (*_, b_row, b_column), (*_, y_row, y_column) = A.strides, B.strides, y.strides
    if (
        rows * inner * columns < WORTHWHILE
        or rows < (FEWEST if b_column == item else FEWER)
        or not (y_column == item and item in (a_row, a_next) and item in (b_row, b_column) and fit(y, A, B))
        or (a_row | a_next | b_row | b_column | y_row | A.strides[0] | B.strides[0] | y.strides[0]) % item  # part of a number
    ):
        KERNELS["product"].numpy(A, B, y, bias)
        return
    n, *apart = (1, 0, 0, 0) if y.ndim == 2 else (len(y), *[x.strides[0] // item if x.ndim == 3 and len(x) > 1 else 0 for x in (A, B, y)])
    of_a, of_b = (apart[0], a_row // item, a_next // item), (apart[1], b_row // item, b_column // item)
    near = None if bias is None else fitting(bias, y)  # which keeps a copy until the call has ended
    arrays = address(y), address(A), address(B), None if bias is None else address(near), PANELS.address
    function("product", y.dtype)(n, rows, inner, columns, *of_a, *of_b, apart[2], y_row // item, *arrays)


def fit(y, A, B):
    """Return whether C computes such products: it needs AVX-512. Where A is Bᵀ, BLAS is quicker, since half of y is enough."""
    return y.ndim < 4 and y.dtype in NAMES and A.dtype == B.dtype == y.dtype and address(A) != address(B) and has_products()


class Panels(local):
    """Memory for the panels of a product, 512 KiB for each thread that computes one."""

    def __init__(self):
        self.memory = aligned(1 << 17, np.float32)
        self.address = address(self.memory)


PANELS = Panels()


@cache
def has_products():
    """Return whether the library has them: they are for AVX-512."""
    return hasattr(library(), "product_float")


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


def adam(blocks, *numbers):
    fine = [block for block in blocks if without_gaps(block[0], *block[2:])]
    if fine:
        gradients = [fitting(g, p) for p, g, *_ in fine]
        rows = [[p.size, *map(address, (p, g, *state)), *[0] * (3 - len(state))] for (p, _, *state), g in zip(fine, gradients)]
        table = np.array(rows, np.int64)
        function("adam", fine[0][0].dtype)(len(table), address(table), *numbers)
    if len(fine) < len(blocks):  # a parameter whose memory has gaps
        KERNELS["adam"].numpy([block for block in blocks if not without_gaps(block[0], *block[2:])], *numbers)


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
        attention,
        attention_vjp,
        layer_norm,
        layer_norm_vjp,
        group_norm,
        group_norm_vjp,
        batch_norm_sums,
        batch_norm_relu_sums,
        batch_norm,
        batch_norm_vjp,
        product,
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

"""The kernels of kernels.c as functions of arrays. Each takes what the NumPy kernel of its name takes.

Where there is glibc, the process keeps the memory of freed arrays for the next ones, unless a variable MALLOC_… or GLIBC_TUNABLES says
what malloc should do.
"""

import os
from functools import cache, partial
from math import prod

import numpy as np

from tensorgrad.arrays.windows import interior
from tensorgrad.kernels.blocks import aligned
from tensorgrad.kernels.compiled.calls import (
    FUNCTIONS,
    NAMES,
    Call,
    OneCall,
    address,
    call,
    call_views,
    fitting,
    in_c,
    in_numbers,
    in_rows,
    library,
    parts_of,
)
from tensorgrad.kernels.convolutions.kernel_rows import room_of
from tensorgrad.kernels.convolutions.layout import empty_channels_last, sample_parts, zero_padded
from tensorgrad.kernels.convolutions.winograd import sixteen
from tensorgrad.kernels.products import many_parts
from tensorgrad.kernels.registry import KERNELS, offered
from tensorgrad.kernels.threads import OTHERS

LARGER = 4  # blocks are so many times as large as NumPy's: no intermediate result must fit the cache
TALLEST_TILE = 8  # rows of the tile of kernel_rows
SHARE = 1 << 16  # multiplications for a place of the kernel from which it has parts
WORTHWHILE = 1 << 22  # multiplications of a product from which C is quicker than BLAS
FEWEST, FEWER = 64, 13  # rows that it needs, and the same where the rows of B are not contiguous
LONG = 1 << 14  # entries that B needs where A has one row
MALLOC_TOLD = any(name.startswith(("MALLOC_", "GLIBC_TUNABLES")) for name in os.environ)


def elementwise(name):
    """Register the kernel of arrays with one axis."""
    OneCall(partial(blocks, name), name)


def blocks(name, out, *inputs):
    """Return the call; an input may be one number, which stands for all entries."""
    return in_rows(name, (out.size,), out, [b if b.ndim else np.full(out.shape, b, out.dtype) for b in inputs])


@OneCall
def softmax(y, x, largest=None, totals=None):
    return in_rows("softmax", y.shape, y, [x, largest, totals])


@OneCall
def softmax_vjp(dx, g, y):
    return in_rows("softmax_vjp", dx.shape, dx, [g, y])


@OneCall
def log_softmax(y, x):
    return in_rows("log_softmax", y.shape, y, [x])


@OneCall
def log_softmax_vjp(dx, g, y):
    return in_rows("log_softmax_vjp", dx.shape, dx, [g, y])


@OneCall
def attention(y, q, k, v, hidden, scale):
    if not heads_fit(y, q, k, v):
        return None
    rows, keys = q.shape[-2], k.shape[-2]
    e, r = np.empty((*y.shape[:-1], keys), y.dtype), np.empty((*y.shape[:-1], 1), y.dtype)
    mask = None if hidden is None else hidden if hidden.strides[-1] == 1 else np.ascontiguousarray(hidden)
    by = np.array([apart(x, x.itemsize) for x in (y, q, k, v, y if mask is None else mask)], np.int64)
    sizes = *heads_of(y), rows, keys, q.shape[-1], v.shape[-1]
    room = np.empty(keys + rows * q.shape[-1], y.dtype)
    return Call("attention", sizes, [by, y, q, k, v, mask, e, r, room], [scale], result=(e, r), dtype=y.dtype)


@OneCall
def attention_vjp(dq, dk, dv, g, q, k, v, e, r, scale, more):
    arrays = dq, dk, dv, g, q, k, v
    if not heads_fit(*arrays) or e.shape[:-2] != g.shape[:-2] or not without_gaps(e, r) or e.dtype != g.dtype:
        return None
    (rows, keys), width, out = e.shape[-2:], q.shape[-1], v.shape[-1]
    by, room = np.array([apart(x, x.itemsize) for x in arrays], np.int64), np.empty(rows * (keys + out + width), e.dtype)
    sizes = *heads_of(g), rows, keys, width, out
    return Call("attention_vjp", sizes, [by, *arrays, e, r, room], [scale], [more], dtype=g.dtype)


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


def heads_of(y):
    """Return how many stacks of matrices y has, and how many matrices a stack has."""
    return (1, 1, *y.shape[:-2])[-2:]


@OneCall
def layer_norm(y, x, moments, weight, bias, eps):
    return in_rows("layer_norm", y.shape, y, [x, *moments, weight, bias], [eps])


@OneCall
def layer_norm_vjp(dx, g, x, moments, weight, sums):
    if not sums:
        return in_rows("layer_norm_vjp", dx.shape, dx, [g, x, *moments, weight, None, None])
    added = np.zeros((parts_of(dx, len(dx)), 2, dx.shape[1]), dx.dtype)  # each part's own
    return in_rows("layer_norm_vjp", dx.shape, dx, [g, x, *moments, weight, *added[0]], result=partial(added.sum, 0))


@OneCall
def group_norm(y, x, moments, W, B, eps):
    return in_rows("group_norm", (*W.shape, x.shape[1] // W.shape[1]), y, [x, *moments, W, B], [eps])


@OneCall
def group_norm_vjp(dx, dw, db, g, x, moments, W):
    return in_rows("group_norm_vjp", (*W.shape, x.shape[1] // W.shape[1]), dx, [dw, db, g, x, *moments, W])


@OneCall
def batch_norm_sums(columns, x, near, g):
    return sums_of("batch_norm_sums", columns, x, g, near)


@OneCall
def batch_norm_relu_sums(columns, x, near, G, y, g):
    return sums_of("batch_norm_relu_sums", columns, x, G, near, y, g)


def sums_of(name, columns, x, g, near, *more):
    last = columns.channels_last
    rows, width = (x.size // columns.lane, columns.lane) if last else x.shape
    run = 1 if last else columns.size
    first, second = np.zeros((2, width // max(1, run)), x.dtype)
    near = None if near is None else near[:width]
    return call(name, (rows, width, run), first, [second, x, g, near, *more], result=(first, second))


@OneCall
def batch_norm(y, x, near, scale, shift, residual, zeros):
    return call("batch_norm", y.shape, y, [x, near, scale, shift, residual], flags=[zeros is not None])


@OneCall
def batch_norm_vjp(dx, g, x, near, scale, slope, level):
    return call("batch_norm_vjp", dx.shape, dx, [g, x, near, scale, slope, level])


@in_c
def winograd_kernel(w, across=False):
    w = w if w.strides[2:] == (3 * w.itemsize, w.itemsize) else np.ascontiguousarray(w)
    w = w.swapaxes(0, 1) if across else w
    rows, columns = w.shape[:2]
    u = aligned(16 * rows * columns, w.dtype).reshape(16, rows, columns)
    call_views("winograd_kernel", (rows, columns, *in_numbers(w, 0, 1)), u, w)
    return u


@in_c
def winograd_kernel_vjp(w, u):
    call_views("winograd_kernel_vjp", (*w.shape[:2], *in_numbers(w, 0), *in_numbers(u, 0)), w, u)


@in_c
def winograd_input(x, window):
    n, high, wide, channels = x.shape
    rows, columns = [size // 2 for size in window.count((high, wide))]
    v = sixteen((n, rows, columns, channels), x.dtype)
    call_views("winograd_input", (*v.shape[2:], *tiles(x, window), *in_numbers(v, 1)), v, x, np.zeros(channels, x.dtype))
    return v


@in_c
def winograd_input_vjp(x, v, window):
    call_views("winograd_input_vjp", (*v.shape[2:], *tiles(x, window), *in_numbers(v, 1)), x, v, np.empty(x.shape[3], x.dtype))


def tiles(x, window):
    """Return the rows, the columns, the padding above and on the left, and the numbers of a column of x (n, row, column, channel)."""
    return [*x.shape[1:3], window.padding[0][0], window.padding[1][0], *in_numbers(x, 2)]


@in_c
def winograd_output(m, y):
    call_views("winograd_output", (*m.shape[2:], *in_numbers(y, 2), *in_numbers(m, 1)), y, m)


@in_c
def winograd_output_vjp(g):
    n, rows, columns, channels = g.shape
    m = sixteen((n, rows // 2, columns // 2, channels), g.dtype)
    call_views("winograd_output_vjp", (*m.shape[2:], *in_numbers(m, 1)), m, fitting(g, g))
    return m


@in_c
def depthwise(x, w, window, groups, y=None):
    if len(window.kernel) != 2:
        return KERNELS["depthwise"].numpy(x, w, window, groups, y)
    count = window.count(x.shape[1:-1])
    y = empty_channels_last((len(x), *count, len(w)), x.dtype) if y is None else y
    x = zero_padded(x, window)
    call("depthwise", (*x.shape, *count, *window.kernel, *window.stride, *window.dilation), y, [x, by_place(w)]).make()
    return y


@in_c
def depthwise_vjps(g, x, w, window, groups, size, dx=None):
    if len(window.kernel) != 2:
        return KERNELS["depthwise_vjps"].numpy(g, x, w, window, groups, size, dx)
    wide = (len(g), *[n + a + b for n, (a, b) in zip(size, window.padding)], g.shape[-1])
    sizes = (*wide, *g.shape[1:-1], *window.kernel, *window.stride, *window.dilation)
    into = np.zeros(0 if w is None else wide, g.dtype)
    dw = None if x is None else np.zeros((len(g), prod(window.kernel), g.shape[-1]), g.dtype)
    x = None if x is None else zero_padded(x, window)
    call("depthwise_vjps", sizes, into, [dw, g, x, None if w is None else by_place(w)]).make()
    if w is not None:
        inner = into[(slice(None), *interior(window, size)[1:])]
        if dx is None:
            dx = inner
        else:
            dx[...] = inner
    return dx, None if dw is None else dw.sum(0).T.reshape(-1, 1, *window.kernel)


@OneCall
def kernel_rows(x, matrices, window, partner, y):
    (n, *size, channels), lanes = x.shape, library().wide() // x.itemsize
    out, others = [0 if a is None else a.shape[-1] for a in (matrices, partner)]
    rows, columns = window.count(size)
    fits = out % lanes == 0 and columns >= TALLEST_TILE and others % TALLEST_TILE == 0
    if not fits or not (y is None or y.flags.c_contiguous):
        return None
    room = room_of(window, rows, columns)
    parts = len(sample_parts(n)) if n * rows * columns * channels * max(out, others) >= SHARE else 1
    sums = np.zeros((parts, window.kernel[0], others, window.kernel[1] * channels), x.dtype) if others else None
    before = [a for a, _ in window.padding]
    sizes = n, *room, channels, rows, columns, *window.kernel, *window.stride, out, others, *before, *size
    partner = partner if partner is None else fitting(partner, x)
    rooms = np.empty(parts * (prod(room) * channels + 16), x.dtype)
    arrays = [y, fitting(x, x), None if y is None else in_panels(matrices), partner, sums, rooms]
    return Call("kernel_rows", sizes, arrays, result=sums if sums is None else partial(sums.sum, 0), dtype=x.dtype, parts=parts)


def in_panels(matrices):
    """Return the matrices (kernel row, column, channel, out) in panels of two vectors of channels out; a last may have one."""
    panels = aligned(matrices.size, matrices.dtype)
    call_views("kernel_panels", (*matrices.shape, *in_numbers(matrices, 0, 1, 2, 3)), panels, matrices)
    return panels


@OneCall
def product(A, B, y, bias=None):
    (*_, rows, inner), (*_, columns), item = A.shape, y.shape, y.itemsize
    (*_, a_row, a_next), (*_, b_row, b_column), (*_, y_row, y_column) = A.strides, B.strides, y.strides
    if (
        not worthwhile(rows, inner, columns, b_column == item)
        or not (y_column == item and item in (a_row, a_next) and item in (b_row, b_column) and fit(y, A, B))
        or (a_row | a_next | b_row | b_column | y_row | A.strides[0] | B.strides[0] | y.strides[0]) % item  # part of a number
    ):
        return None
    n, *apart = (1, 0, 0, 0) if y.ndim == 2 else (len(y), *[x.strides[0] // item if x.ndim == 3 and len(x) > 1 else 0 for x in (A, B, y)])
    of_a, of_b = (apart[0], a_row // item, a_next // item), (apart[1], b_row // item, b_column // item)
    sizes = n, rows, inner, columns, *of_a, *of_b, apart[2], y_row // item
    parts = 1 if n > 1 else many_parts(A, y)
    return Call("product", sizes, [y, A, B, None if bias is None else fitting(bias, y)], parts=parts)


def worthwhile(rows, inner, columns, beside):
    """Return whether C is as quick as BLAS; `beside` says that the entries of a row of B are."""
    if rows == 1:
        return beside and inner * columns >= LONG
    return rows * inner * columns >= WORTHWHILE and rows >= (FEWEST if beside else FEWER)


def fit(y, A, B):
    """Return whether C computes such products: it needs AVX-512. Where A is Bᵀ, BLAS is quicker, since half of y is enough."""
    return y.ndim < 4 and y.dtype in NAMES and A.dtype == B.dtype == y.dtype and address(A) != address(B) and has_products()


@cache
def has_products():
    """Return whether the library has them: they are for AVX-512."""
    return hasattr(library(), "call_product_float")


def by_place(w):
    return np.ascontiguousarray(w.reshape(len(w), -1).T)


@OneCall
def max_pool(x, window, y, masks):
    return pooling("max_pool", window, x, y, masks) if side_by_side(window, x, y, masks) else None


@OneCall
def max_pool_vjp(dx, window, g, masks):
    return pooling("max_pool_vjp", window, dx, g, masks) if side_by_side(window, dx, g, masks) else None


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
    places = np.array([address(mask) for mask in masks], np.int64)  # the mask's arrays are those of x's node, which outlive the call
    return Call(name, (n * rows, columns, channels, *window.kernel), [x, fitting(last(y), x), places])


@OneCall
def adam(p, g, state, *numbers):
    return call("adam", (p.size,), p, [g, *state, *[None] * (3 - len(state))], numbers) if without_gaps(p, *state) else None


@OneCall
def sgd(p, g, state, decay, momentum, share, lr, nesterov):
    if not without_gaps(p, *state):
        return None
    return call("sgd", (p.size,), p, [g, *(state or [None])], [decay or 0, momentum, share, lr], [nesterov])


def without_gaps(p, *state):
    """Return whether a block can be written to in place: `call` copies arrays whose memory has gaps."""
    return p.flags.c_contiguous and all([a.flags.c_contiguous and a.dtype == p.dtype for a in state])


@OneCall
def gelu_vjp(out, g, x, y):
    return blocks("gelu_vjp", out, g, x)  # Φ(x) again: y is not read


for name in ("sum_of_two", "gelu", "gelu_tanh", "gelu_tanh_vjp"):
    elementwise(name)
if library() is not None:
    offered("compiled", FUNCTIONS, LARGER)
    OTHERS.append(library())
    if not MALLOC_TOLD:
        library().keep_memory()

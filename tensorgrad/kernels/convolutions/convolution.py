"""The kernels of convolution, transposed convolution and correlation: they choose the algorithm, and share work between the
gradients.

Legend: x (n, *size, c), g (n, *windows, o) and y have channels last; w (o, c / groups, *kernel) is as the user gave it.

Arrays from and for the user have shape (n, c, *size) and memory with channels last. An array in another layout is copied once.
"""

from collections.abc import Callable
from math import prod
from typing import NamedTuple

import numpy as np

from tensorgrad.arrays.blas import one_blas_thread
from tensorgrad.arrays.windows import Window, spatial_shape
from tensorgrad.kernels.blocks import in_turn
from tensorgrad.kernels.convolutions import depthwise, few_channels, gathered, im2col, kernel_rows, pointwise, winograd
from tensorgrad.kernels.convolutions.layout import FOR_THREADS, accumulate, base_array, channels_last, empty_channels_last, sample_parts
from tensorgrad.kernels.registry import kernel
from tensorgrad.kernels.threads import each


class Algorithm(NamedTuple):
    """One way to compute a convolution: `products(x, w, window, groups)`, and its `vjps(g, x, w, window, groups, size)`.

    `vjps` returns (dx, dw); dw is None if x is None, and dx is None if w is None. A node keeps the algorithm. It holds
    functions, because functions can be copied and pickled, and modules cannot. If it works by `samples`, both take an array to fill,
    too, and threads compute some samples each; the others use threads within.
    """

    products: Callable
    vjps: Callable
    samples: bool


# The limits between algorithms, in channels. The table compares CPU times (first / second) of a forward and a backward pass: kernel
# of 3 × 3, 8 samples of 32 × 32 (odd: 15 × 15), float32, one thread of a busy machine. Another processor may move the limits.
#
#     FEW_CHANNELS / IM2COL, 64 out     2 channels 0.80     3 0.89     4 0.96     8 1.04
#     WINOGRAD / KERNEL_ROWS           32 channels 1.45    48 0.94    64 1.00    96 0.87
#     KERNEL_ROWS / IM2COL              4 channels 0.59     8 0.44    16 0.47
#     KERNEL_ROWS / IM2COL, odd        64 channels 0.90   128 0.93   256 0.87
#     KERNEL_ROWS / IM2COL, stride 2   32 channels 0.80    64 1.00   128 0.99
#
# On a processor with AVX-512, products take less of the time: WINOGRAD / KERNEL_ROWS is 1.13 to 1.33 for 64 channels, 0.77 to 0.93 for 128.
# With Winograd's transforms in C it is 0.80 to 0.90 for 64. There, kernel rows in C take 0.5 to 0.7 of NumPy's time below 64 channels,
# and 0.4 to 0.7 of FEW_CHANNELS's for images.

# fmt: off
MOST_FEW       =   4  # more channels make the rows of im2col long enough to copy
LEAST_WINOGRAD =  96  # its additions grow with the channels, the multiplications that it saves with their square
LEAST_COMPILED =  64  # with its additions in C
LEAST_ROWS     =   8  # fewer channels, but more than MOST_FEW, are rare; kernel rows would be faster there too
BELOW_ROWS     = 128  # with many channels, the copies count less and less: about a tenth of the time
BELOW_STRIDED  =  64  # with a stride, dx also multiplies with zeros
BELOW_COMPILED = 128  # the same, if no strips are copied, in C
LANES          =  16  # in C, kernel rows take a multiple of so many channels out, and then any number in
# fmt: on

DEPTHWISE, FEW_CHANNELS, GATHERED, IM2COL, KERNEL_ROWS, POINTWISE, WINOGRAD = [
    Algorithm(how.products, how.vjps, how not in (gathered, kernel_rows, pointwise, winograd))
    for how in (depthwise, few_channels, gathered, im2col, kernel_rows, pointwise, winograd)
]


def algorithm_for(many, channels, out, count, window, groups):
    """Return GATHERED for few entries, where the number of calls of NumPy counts alone; else what is fastest for one sample of `many`."""
    if 0 < many * channels * prod(count) * prod(window.kernel) <= gathered.MOST:
        return GATHERED
    return algorithm(channels, out, count, window, groups)


def algorithm(channels, out, count, window, groups):
    """Return the fastest algorithm, by the measurements above, for these channels in and out, windows, stride and groups.

    - DEPTHWISE: each channel has its own kernel, so there is nothing to add up over channels, and no matrix product
    - POINTWISE: a kernel of one place needs no copies of x; the convolution is one matrix product
    - FEW_CHANNELS: an image has few channels, so that rows with one number per channel would be short
    - WINOGRAD: it saves more than half of the multiplications; with many channels, that outweighs its additions
    - KERNEL_ROWS: it copies a third of what im2col copies; the more channels, the less the copies count. With a stride, the
      gradient of x multiplies with some zeros
    - IM2COL: everything else
    """
    kernel, d = window.kernel, len(window.kernel)
    unmoved = max(window.stride) == 1
    if groups == channels == out > 1:
        return DEPTHWISE
    if groups == 1 and prod(kernel) == 1 and not any(map(any, window.padding)):
        return POINTWISE
    compiled = kernel_rows.summed.larger > 1
    overlapping = groups == 1 and d == 2 and max(window.dilation) == 1 and all(s <= k for s, k in zip(window.stride, kernel))
    if compiled and overlapping and channels <= MOST_FEW and out % LANES == 0:
        return KERNEL_ROWS
    if groups == 1 and channels <= MOST_FEW:
        return FEW_CHANNELS
    if overlapping:
        even = count[0] % 2 == 0 and count[1] % 2 == 0
        least = LEAST_COMPILED if winograd.tiles_of.larger > 1 else LEAST_WINOGRAD
        if kernel == (3, 3) and unmoved and min(channels, out) >= least and even:
            return WINOGRAD
        strided = BELOW_COMPILED if compiled else BELOW_STRIDED
        if min(channels, out) >= LEAST_ROWS and channels < (BELOW_ROWS if unmoved else strided):
            return KERNEL_ROWS
    return IM2COL


def products(how, x, w, window, groups):
    """Return the convolution of x with w by an algorithm."""
    if how is GATHERED:
        return how.products(x, w, window, groups)
    y_shape = (len(x), *window.count(x.shape[1:-1]), len(w))
    if not by_samples(how) or len(x) < 2 or prod(y_shape) * prod(w.shape[1:]) < FOR_THREADS:
        return one_blas_thread.call(how.products, x, w, window, groups)
    y = empty_channels_last(y_shape, x.dtype)
    each(sample_parts(len(x)), lambda some: how.products(x[some], w, window, groups, y[some]))
    return y


def by_samples(how):
    """Return whether threads compute some samples each. Depthwise, NumPy's kernel is many short functions, so they do not pay."""
    return how.samples and (how is not DEPTHWISE or how.products.larger > 1)


def both_vjps(how, g, x, w, window, groups, size):
    """Return the gradients of x and w by an algorithm."""
    channels = (x.shape[-1] // groups) if w is None else w.shape[1]
    if not by_samples(how) or len(g) < 2 or g.size * channels * prod(window.kernel) < FOR_THREADS:
        return one_blas_thread.call(how.vjps, g, x, w, window, groups, size)
    dx = None if w is None else empty_channels_last((len(g), *size, channels * groups), g.dtype)
    found = [None]  # dw, once there is some

    def work(some):
        into = None if dx is None else dx[some]
        return how.vjps(g[some], None if x is None else x[some], w, window, groups, size, into)[1]

    def add(dw):
        found[0] = dw if dw is None else accumulate(found[0], dw)

    each(sample_parts(len(g)), work, add)
    return dx, found[0]


def vjps(how, g, x, w, window, groups, size):
    """Return the gradients of x and w by an algorithm, or by exact sums if an inf or nan may have spread.

    Fast algorithms also add products with zeros that the formula does not have, and 0 · nan is nan. An inf or nan of g or x that is
    multiplied at all also reaches dw. So a look at the small arrays w and dw is enough. Without x, the look is at dx.
    """
    if how is GATHERED:
        return how.vjps(g, x, w, window, groups, size)
    dx, dw = both_vjps(how, g, x, w, window, groups, size)
    if winograd.all_finite(w, dx if dw is None else dw):
        return dx, dw
    del dx, dw  # free them before their copies are made
    return im2col.exact_vjps(g, x, w, window, groups, size)


def window_of(name, kernel, stride, padding, dilation):
    """Return the window; the public functions give its settings for each axis, which then are checked already."""
    given = type(stride) is type(padding) is type(dilation) is tuple and len(stride) == len(padding) == len(dilation) == len(kernel)
    if given and type(padding[0]) is tuple:
        return Window(kernel, stride, padding, dilation)
    return Window.of(name, kernel, stride, padding, dilation)


def in_common_dtype(*arrays):
    """Return the arrays in their common float dtype; an integer array takes that of the others."""
    first = arrays[0].dtype
    if first.kind == "f" and all([a is None or a.dtype is first for a in arrays]):
        return arrays
    kinds = [a.dtype for a in arrays if a is not None and a.dtype.kind == "f"]
    dtype = np.result_type(*kinds) if kinds else np.dtype(np.float64)
    return [a if a is None or a.dtype == dtype else a.astype(dtype) for a in arrays]


def add_bias(y, bias):
    """Add the bias in place; y belongs to the kernel."""
    if bias is not None and y.size > gathered.MOST and y.flags.c_contiguous:
        rows = y.reshape(prod(y.shape[:-2]), y.shape[-2] * y.shape[-1])  # long rows, because NumPy is slow on short ones
        np.add(rows, in_turn(bias, y.shape[-2]), out=rows)
    elif bias is not None:
        np.add(y, bias, out=y)
    return base_array(y)


def bias_gradient(g):
    if g.size <= gathered.MOST:
        return np.add.reduce(g.reshape(-1, g.shape[-1]), 0)
    rows = g.reshape(prod(g.shape[:-2]), g.shape[-2] * g.shape[-1])
    return one_blas_thread.call(np.matmul, np.ones(len(rows), g.dtype), rows).reshape(-1, g.shape[-1]).sum(0)


@kernel("convolution")
def convolution(slots, x, w, bias, stride, padding, dilation, groups):
    x, w, bias = in_common_dtype(x, w, bias)
    window = window_of("convolution", w.shape[2:], stride, padding, dilation)
    size = x.shape[2:]
    how = algorithm_for(len(x), x.shape[1], w.shape[0], window.count(size), window, groups)
    x = channels_last(x)
    y = products(how, x, w, window, groups)
    return add_bias(y, bias), (how, x if 1 in slots else None, w if 0 in slots else None, window, groups, size)


@kernel("convolution_vjps")
def convolution_vjps(G, aux, slots):
    how, x, w, window, groups, size = aux
    g = channels_last(G)
    dx = dw = None
    if 0 in slots or 1 in slots:
        dx, dw = vjps(how, g, x, w, window, groups, size)
    found = (None if dx is None else base_array(dx), dw, bias_gradient(g) if 2 in slots else None)
    return [found[slot] for slot in slots]


@kernel("transposed_convolution")
def transposed_convolution(slots, x, w, bias, size, stride, padding, dilation, groups):
    x, w, bias = in_common_dtype(x, w, bias)
    window = window_of("transposed_convolution", w.shape[2:], stride, padding, dilation)
    how = algorithm_for(len(x), w.shape[1] * groups, w.shape[0], spatial_shape(x, len(size)), window, groups)
    x = channels_last(x)
    y, _ = vjps(how, x, None, w, window, groups, tuple(size))
    return add_bias(y, bias), (how, x if 1 in slots else None, w if 0 in slots else None, window, groups)


@kernel("transposed_convolution_vjps")
def transposed_vjps(G, aux, slots):
    how, x, w, window, groups = aux
    g = channels_last(G)
    found = {2: bias_gradient(g)} if 2 in slots else {}
    if 0 in slots:
        found[0] = base_array(products(how, g, w, window, groups))
    if 1 in slots:
        found[1] = vjps(how, x, g, None, window, groups, g.shape[1:-1])[1]
    return [found[slot] for slot in slots]


@kernel("correlation")
def correlation(slots, x, g, kernel, stride, padding, dilation, groups):
    x, g = in_common_dtype(x, g)
    window = window_of("correlation", kernel, stride, padding, dilation)
    size = x.shape[2:]
    how = algorithm_for(len(x), x.shape[1], g.shape[1], spatial_shape(g, len(kernel)), window, groups)
    x, g = channels_last(x), channels_last(g)
    y = vjps(how, g, x, None, window, groups, size)[1]
    return y, (how, x if 1 in slots else None, g if 0 in slots else None, window, groups, size)


@kernel("correlation_vjps")
def correlation_vjps(G, aux, slots):
    how, x, g, window, groups, size = aux
    found = {}
    if 0 in slots:
        found[0] = base_array(vjps(how, g, None, G, window, groups, size)[0])
    if 1 in slots:
        found[1] = base_array(products(how, x, G, window, groups))
    return [found[slot] for slot in slots]

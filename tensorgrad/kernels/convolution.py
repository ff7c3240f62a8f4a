"""The kernels of convolution, its transpose and correlation: which algorithm, and what is shared between the gradients.

Legend: x (n, *size, c), g (n, *windows, o) and y are channels last; w (o, c / groups, *kernel) is as the user gave it.

The arrays that come and go have shape (n, c, *size), and memory laid out channels last: an array that comes with another
layout is copied once.
"""

from collections.abc import Callable
from math import prod
from typing import NamedTuple

import numpy as np

from tensorgrad.kernels import depthwise, im2col, kernel_rows, pointwise, winograd
from tensorgrad.kernels.layout import channels_last, owner
from tensorgrad.windows import Window, spatial_shape


class Algorithm(NamedTuple):
    """One way to compute: `products(x, w, window, groups)` is the convolution, `vjps(g, x, w, window, groups, size)` its gradients.

    The gradients are (dx, dw), of which dw is left out (None) where x is None, and dx where w is None. A node keeps the
    algorithm, so it is made of functions, which can be copied and pickled, where the module that holds them could not.
    """

    products: Callable
    vjps: Callable


DEPTHWISE, IM2COL, KERNEL_ROWS, POINTWISE, WINOGRAD = [
    Algorithm(how.products, how.vjps) for how in (depthwise, im2col, kernel_rows, pointwise, winograd)
]


def algorithm(channels, out, count, window, groups):
    """The quickest algorithm, by measurement, for these channels in and out, and windows."""
    kernel, d = window.kernel, len(window.kernel)
    unmoved = max(window.stride) == 1
    if groups == channels == out > 1:
        return DEPTHWISE
    if groups == 1 and unmoved and prod(kernel) == 1 and not any(map(any, window.padding)):
        return POINTWISE
    if groups == 1 and unmoved and d == 2 and max(window.dilation) == 1:
        even = count[0] % 2 == 0 and count[1] % 2 == 0
        if kernel == (3, 3) and min(channels, out) >= 64 and even:
            return WINOGRAD
        if min(channels, out) >= 8 and channels < 64:
            return KERNEL_ROWS
    return IM2COL


def in_common_dtype(*arrays):
    """The arrays in the kind of float that they have in common; whole numbers take that of the others."""
    kinds = [a.dtype for a in arrays if a is not None and a.dtype.kind == "f"]
    dtype = np.result_type(*kinds) if kinds else np.dtype(np.float64)
    return [a if a is None or a.dtype == dtype else a.astype(dtype) for a in arrays]


def add_bias(y, bias):
    """y with the bias added in place: it is ours."""
    if bias is not None:
        np.add(y, bias, out=y)
    return owner(y)


def bias_gradient(g):
    return g.reshape(-1, g.shape[-1]).sum(0)


def convolution(slots, x, w, bias, stride, padding, dilation, groups):
    x, w, bias = in_common_dtype(x, w, bias)
    window = Window.of("convolution", w.shape[2:], stride, padding, dilation)
    size = x.shape[2:]
    how = algorithm(x.shape[1], w.shape[0], window.count(size), window, groups)
    x = channels_last(x)
    y = how.products(x, w, window, groups)
    return add_bias(y, bias), (how, x if 1 in slots else None, w if 0 in slots else None, window, groups, size)


def convolution_vjps(G, aux, slots):
    how, x, w, window, groups, size = aux
    g = channels_last(G)
    dx = dw = None
    if 0 in slots or 1 in slots:
        dx, dw = how.vjps(g, x, w, window, groups, size)
    found = (None if dx is None else owner(dx), dw, bias_gradient(g) if 2 in slots else None)
    return [found[slot] for slot in slots]


def transposed_convolution(slots, x, w, bias, size, stride, padding, dilation, groups):
    x, w, bias = in_common_dtype(x, w, bias)
    window = Window.of("transposed_convolution", w.shape[2:], stride, padding, dilation)
    how = algorithm(w.shape[1] * groups, w.shape[0], spatial_shape(x, len(size)), window, groups)
    x = channels_last(x)
    y, _ = how.vjps(x, None, w, window, groups, tuple(size))
    return add_bias(y, bias), (how, x if 1 in slots else None, w if 0 in slots else None, window, groups)


def transposed_vjps(G, aux, slots):
    how, x, w, window, groups = aux
    g = channels_last(G)
    found = {2: bias_gradient(g)} if 2 in slots else {}
    if 0 in slots:
        found[0] = owner(how.products(g, w, window, groups))
    if 1 in slots:
        found[1] = how.vjps(x, g, None, window, groups, g.shape[1:-1])[1]
    return [found[slot] for slot in slots]


def correlation(slots, x, g, kernel, stride, padding, dilation, groups):
    x, g = in_common_dtype(x, g)
    window = Window.of("correlation", kernel, stride, padding, dilation)
    size = x.shape[2:]
    how = algorithm(x.shape[1], g.shape[1], spatial_shape(g, len(kernel)), window, groups)
    x, g = channels_last(x), channels_last(g)
    y = how.vjps(g, x, None, window, groups, size)[1]
    return y, (how, x if 1 in slots else None, g if 0 in slots else None, window, groups, size)


def correlation_vjps(G, aux, slots):
    how, x, g, window, groups, size = aux
    found = {}
    if 0 in slots:
        found[0] = owner(how.vjps(g, None, G, window, groups, size)[0])
    if 1 in slots:
        found[1] = owner(how.products(x, G, window, groups))
    return [found[slot] for slot in slots]

"""unfold copies each window into a column (im2col); fold adds overlapping columns up (overlap-add).

Legend: p numbers the windows, k the places of a window, q the entries of x. Place k of window p covers entry q = p · stride + k
· dilation - padding, or a zero outside of x.
"""

from math import prod

import numpy as np

from tensorgrad.arrays import windows as geometry
from tensorgrad.arrays.windows import Window, per_axis
from tensorgrad.public import Array, Option, public
from tensorgrad.rule import rule
from tensorgrad.vjp import vjp

__all__ = ["unfold", "fold"]


def window_entries_vjp(G, x_shape, window):
    """dz/dx[q] = Σ over p, k: dz/dy[p,k] where window p covers x[q] at its place k"""
    return overlap_add(G, x_shape[len(x_shape) - len(window.kernel) :], window)


@rule(window_entries_vjp)
def window_entries(x, window):
    """y[..., p, k] = x[..., q]: the entries that each window covers. The axes p and k replace the axes of the windows."""
    return geometry.window_entries(x, window)


@rule(vjp("dz/dx[p,k] = dz/dy[q] where window p covers y[q] at its place k", lambda G, window: window_entries(G, window)))
def overlap_add(x, size, window):
    """y[..., q] = the sum of x[..., p, k] over all windows p and places k that cover entry q."""
    return geometry.overlap_add(x, size, window)


@public
def unfold(x: Array, kernel_size: Option, dilation=1, padding=0, stride=1):
    """Return every window of x as a column: (batch, channels, *size) to (batch, channels · places, windows), as in PyTorch.

    In formulas, for one axis and kernels of size entries:
        y[n,c · size + i,p] = x[n,c,p · stride + i · dilation - padding]

    In the backward pass:
        dz/dx[n,c,q] = Σ over p, i where p · stride + i · dilation - padding = q: dz/dy[n,c · size + i,p]

    `kernel_size` is one number for a square kernel, or one per axis. x may lack the batch axis. A convolution is
    weight.reshape(out, -1) @ unfold(x). Raises ValueError if the windows do not fit.

    >>> unfold(np.arange(9.0).reshape(1, 1, 3, 3), 2)[0]
    array([[0., 1., 3., 4.],
           [1., 2., 4., 5.],
           [3., 4., 6., 7.],
           [4., 5., 7., 8.]])
    """
    window, d = unfolding_window("unfold", kernel_size, stride, padding, dilation)
    if len(x.shape) not in (d + 1, d + 2):
        raise ValueError(f"unfold: x has shape {x.shape}; {d + 2} axes are needed, (batch, channels, *size), or {d + 1} without the batch")
    window.must_fit("unfold", x.shape[-d:], x.shape)
    y = window_entries(x, window)  # (..., channel, *windows, *places)
    before = len(x.shape) - d
    y = y.transpose((*range(before), *range(before + d, before + 2 * d), *range(before, before + d)))
    many = prod(window.count(x.shape[-d:]))
    return y.reshape((*x.shape[: before - 1], x.shape[before - 1] * prod(window.kernel), many))


@public
def fold(x: Array, output_size: Option, kernel_size: Option, dilation=1, padding=0, stride=1):
    """Return the sum of overlapping windows: (batch, channels · places, windows) to (batch, channels, *output_size).

    In formulas, for one axis and kernels of size entries:
        y[n,c,q] = Σ over p, i where p · stride + i · dilation - padding = q: x[n,c · size + i,p]

    In the backward pass:
        dz/dx[n,c · size + i,p] = dz/dy[n,c,p · stride + i · dilation - padding]

    It is the transpose of `unfold`. x may lack the batch axis. Raises ValueError if the number of columns is not the number of
    windows in `output_size`.

    >>> fold(np.ones((1, 4, 4)), (3, 3), 2)[0, 0]
    array([[1., 2., 1.],
           [2., 4., 2.],
           [1., 2., 1.]])
    """
    window, d = unfolding_window("fold", kernel_size, stride, padding, dilation)
    size = per_axis("fold", "output_size", output_size, d, 1)
    window.must_fit("fold", size, size)
    count, places = window.count(size), prod(window.kernel)
    if len(x.shape) not in (2, 3) or x.shape[-2] % places or x.shape[-1] != prod(count):
        raise ValueError(
            f"fold: x has shape {x.shape}; windows of {window.kernel} over an output of {size} make {count} windows, so "
            f"(batch, channels · {places}, {prod(count)}) is needed, or without the batch"
        )
    before = x.shape[:-2]
    y = x.reshape((*before, x.shape[-2] // places, *window.kernel, *count))
    n = len(before) + 1
    return overlap_add(y.transpose((*range(n), *range(n + d, n + 2 * d), *range(n, n + d))), size, window)


def unfolding_window(name, kernel_size, stride, padding, dilation):
    d = 2 if isinstance(kernel_size, int) or np.ndim(kernel_size) == 0 else len(kernel_size)
    return Window.of(name, per_axis(name, "kernel_size", kernel_size, d, 1), stride, padding, dilation), d

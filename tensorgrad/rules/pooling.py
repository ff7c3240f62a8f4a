"""Pooling: the largest entry, the mean, the smooth maximum of each window over the last axes.

Legend: p numbers the windows, k the places of a window, q the entries of x; the place k of the window p meets the entry
q = p · stride + k · dilation - padding. What lies in the padding is no entry.
"""

from itertools import product
from math import prod

import numpy as np

from scalargrad import rules as rows
from tensorgrad.kernels import pooling as kernels
from tensorgrad.public import public
from tensorgrad.rule import Fast, rule
from tensorgrad.rules.extrema import amax
from tensorgrad.rules.joining import stack
from tensorgrad.rules.linear import matmul
from tensorgrad.rules.reductions import mean
from tensorgrad.rules.unfolding import entries_met, laid_together
from tensorgrad.tensor import Tensor, plain
from tensorgrad.windows import Window, along, along_each_axis, inside, met, padded, per_axis, places, spatial, tap

__all__ = [
    "max_pool1d", "max_pool2d", "max_pool3d", "avg_pool1d", "avg_pool2d", "avg_pool3d",
    "smooth_max_pool1d", "smooth_max_pool2d", "smooth_max_pool3d",
    "adaptive_avg_pool1d", "adaptive_avg_pool2d", "adaptive_avg_pool3d",
    "adaptive_max_pool1d", "adaptive_max_pool2d", "adaptive_max_pool3d",
]  # fmt: skip

# The rules


def each_window(function, x, window):
    """`function` of the entries that each window meets, on arrays of Values."""
    d = len(window.kernel)
    seen = met(x, window, fill=None)
    found = np.empty(seen.shape[:-d], dtype=object)
    for place in np.ndindex(found.shape):
        found[place] = function(*[entry for entry in seen[place].ravel() if entry is not None])
    return found


def beside(y, window):
    """y, an entry a window, with axes for the places of the window."""
    return y.reshape((*y.shape, *[1] * len(window.kernel)))


def window_max_pull(G, x, y, window):
    """dz/dx[q] = Σ over p, k: dz/dy[p] where x[q] is the largest of window p, shared evenly among equal ones"""
    largest = met(plain(x), window, fill=np.nan) == beside(plain(y), window)
    d = len(window.kernel)
    shares = largest / largest.sum(tuple(range(-d, 0)), keepdims=True, dtype=y.dtype)
    return laid_together(beside(G, window) * shares, size=spatial(x, d), window=window)


@rule(window_max_pull, entries=lambda x, window: each_window(rows.max, x, window), fast=Fast(kernels.window_max, kernels.window_max_pulls))
def window_max(x, window):
    """y[p] = the largest x[q] of window p, over all k."""
    d = len(window.kernel)
    return np.maximum.reduce(met(x, window, fill=-np.inf), tuple(range(-d, 0)))


def window_sum_pull(G, x_shape, window):
    """dz/dx[q] = Σ over p, k: dz/dy[p]"""
    return window_share(G, size=x_shape[len(x_shape) - len(window.kernel) :], window=window)


@rule(window_sum_pull)
def window_sum(x, window):
    """y[p] = Σ over k: x[q], summed along one axis after the other."""
    wide, count = padded(x, window), window.count(spatial(x, len(window.kernel)))
    for one, n in along_each_axis(window, count, spatial(wide, len(count))):
        wide = sum(tap(wide, one, k, n) for k in places(one))
    return wide


def window_share_pull(G, window):
    """dz/dx[p] = Σ over k: dz/dy[q]"""
    return window_sum(G, window=window)


@rule(window_share_pull)
def window_share(x, size, window):
    """y[q] = Σ over p, k: x[p], every window giving all of its entries the same; along one axis after the other."""
    sizes = [n + a + b for n, (a, b) in zip(size, window.padding)]
    d, count = len(sizes), spatial(x, len(sizes))
    for axis in reversed(range(d)):
        one = along(window, axis)
        longer = np.zeros((*x.shape[: x.ndim - d + axis], sizes[axis], *x.shape[x.ndim - d + axis + 1 :]), x.dtype)
        n = [*count[: axis + 1], *sizes[axis + 1 :]]
        for k in places(one):
            there = tap(longer, one, k, n)
            np.add(there, x, out=there)
        x = longer
    return x[inside(window, size)]


def smooth_max_pull(G, x, y, window, beta):
    """dz/dx[q] = Σ over p, k: dz/dy[p] exp(β (x[q] - y[p]))"""
    shares = np.exp((entries_met(x, window=window) - beside(y, window)) * beta)
    return laid_together(beside(G, window) * shares, size=spatial(x, len(window.kernel)), window=window)


def smooth_max_entries(x, window, beta):
    return each_window(lambda *xs: rows.logsumexp(*[beta * x for x in xs]) / beta, x, window)


@rule(smooth_max_pull, entries=smooth_max_entries)
def window_smooth_max(x, window, beta):
    """y[p] = log(Σ over k: exp(β x[q])) / β, shifted by the maximum so that nothing overflows."""
    wide, count = padded(x, window, -np.inf), window.count(spatial(x, len(window.kernel)))
    seen = [tap(wide, window, k, count) for k in places(window)]
    top = np.maximum.reduce(seen) if len(seen) > 1 else seen[0]
    shift = np.where(np.isfinite(top), top, 0)
    return shift + np.log(sum(np.exp((entry - shift) * beta) for entry in seen)) / beta


# What the user calls


@public
def max_pool1d(x, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False):
    """The largest entry of each window along the last axis. See `max_pool2d`.

    >>> max_pool1d(np.array([[1.0, 4.0, 2.0, 3.0]]), 2)
    array([[4., 3.]])
    """
    return max_pooled("max_pool1d", 1, x, kernel_size, stride, padding, dilation, ceil_mode)


@public
def max_pool2d(x, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False):
    """The largest entry of each window over the last two axes; further axes, channels and batch, stand before them.

    The windows stand `stride` apart (by default side by side). `padding` entries of -inf are added on both sides, at most half a
    window (seed programs that pad with zeros: pad x first). `ceil_mode` allows a last window that reaches over the edge.
    Equal largest entries share the gradient of their window evenly (PyTorch gives it to the first). ValueError for windows
    that do not fit.

    >>> max_pool2d(np.arange(16.0).reshape(4, 4), 2)
    array([[ 5.,  7.],
           [13., 15.]])
    """
    return max_pooled("max_pool2d", 2, x, kernel_size, stride, padding, dilation, ceil_mode)


@public
def max_pool3d(x, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False):
    """The largest entry of each window over the last three axes. See `max_pool2d`.

    >>> max_pool3d(np.arange(8.0).reshape(2, 2, 2), 2)
    array([[[7.]]])
    """
    return max_pooled("max_pool3d", 3, x, kernel_size, stride, padding, dilation, ceil_mode)


@public
def avg_pool1d(x, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None):
    """The mean of each window along the last axis. See `avg_pool2d`.

    >>> avg_pool1d(np.array([[1.0, 3.0, 2.0, 4.0]]), 2)
    array([[2., 3.]])
    """
    return avg_pooled("avg_pool1d", 1, x, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)


@public
def avg_pool2d(x, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None):
    """The mean of each window over the last two axes; further axes, channels and batch, stand before them.

    The windows stand `stride` apart (by default side by side). `padding` zeros are added on both sides, at most half a window;
    they are counted unless `count_include_pad=False`. `ceil_mode` allows a last window that reaches over the edge, where nothing
    is counted. `divisor_override` divides every sum by this number. ValueError for windows that do not fit.

    >>> avg_pool2d(np.arange(16.0).reshape(4, 4), 2)
    array([[ 2.5,  4.5],
           [10.5, 12.5]])
    """
    return avg_pooled("avg_pool2d", 2, x, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)


@public
def avg_pool3d(x, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None):
    """The mean of each window over the last three axes. See `avg_pool2d`.

    >>> avg_pool3d(np.arange(8.0).reshape(2, 2, 2), 2)
    array([[[3.5]]])
    """
    return avg_pooled("avg_pool3d", 3, x, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)


@public
def smooth_max_pool1d(x, kernel_size, stride=None, padding=0, beta=1.0):
    """A smooth maximum of each window along the last axis. See `smooth_max_pool2d`.

    >>> smooth_max_pool1d(np.array([[0.0, 0.0, 1.0, 3.0]]), 2).round(4)
    array([[0.6931, 3.1269]])
    """
    return smooth_pooled("smooth_max_pool1d", 1, x, kernel_size, stride, padding, beta)


@public
def smooth_max_pool2d(x, kernel_size, stride=None, padding=0, beta=1.0):
    """log(Σ exp(β x)) / β over each window of the last two axes: a maximum that is smooth everywhere.

    It lies between the maximum and the maximum + log(entries of a window) / β, and its gradient is shared as softmax(β x). Windows,
    stride and padding (of -inf: nothing is added) as for `max_pool2d`. ValueError for windows that do not fit or β <= 0.

    >>> smooth_max_pool2d(np.array([[1.0, 2.0], [3.0, 4.0]]), 2, beta=100.0).round(4)
    array([[4.]])
    """
    return smooth_pooled("smooth_max_pool2d", 2, x, kernel_size, stride, padding, beta)


@public
def smooth_max_pool3d(x, kernel_size, stride=None, padding=0, beta=1.0):
    """A smooth maximum of each window over the last three axes. See `smooth_max_pool2d`.

    >>> smooth_max_pool3d(np.zeros((2, 2, 2)), 2).round(4)
    array([[[2.0794]]])
    """
    return smooth_pooled("smooth_max_pool3d", 3, x, kernel_size, stride, padding, beta)


@public
def adaptive_avg_pool1d(x, output_size):
    """The means of `output_size` stretches along the last axis. See `adaptive_avg_pool2d`.

    >>> adaptive_avg_pool1d(np.array([[1.0, 2.0, 3.0]]), 2)
    array([[1.5, 2.5]])
    """
    return adaptive_avg("adaptive_avg_pool1d", 1, x, output_size)


@public
def adaptive_avg_pool2d(x, output_size):
    """The last two axes brought to `output_size` (one number, or one for each; None keeps an axis) by means of boxes.

    Box i of m along an axis of n entries goes from ⌊i·n/m⌋ to ⌈(i+1)·n/m⌉, as in PyTorch: boxes overlap where m does not divide n.

    >>> adaptive_avg_pool2d(np.arange(16.0).reshape(4, 4), (1, 2))
    array([[6.5, 8.5]])
    """
    return adaptive_avg("adaptive_avg_pool2d", 2, x, output_size)


@public
def adaptive_avg_pool3d(x, output_size):
    """The last three axes brought to `output_size` by means of boxes. See `adaptive_avg_pool2d`.

    >>> adaptive_avg_pool3d(np.arange(8.0).reshape(2, 2, 2), 1)
    array([[[3.5]]])
    """
    return adaptive_avg("adaptive_avg_pool3d", 3, x, output_size)


@public
def adaptive_max_pool1d(x, output_size):
    """The largest entries of `output_size` stretches along the last axis. See `adaptive_max_pool2d`.

    >>> adaptive_max_pool1d(np.array([[1.0, 3.0, 2.0]]), 2)
    array([[3., 3.]])
    """
    return adaptive_max("adaptive_max_pool1d", 1, x, output_size)


@public
def adaptive_max_pool2d(x, output_size):
    """The last two axes brought to `output_size` by the largest entries of boxes, which stand as in `adaptive_avg_pool2d`.

    Equal largest entries of a box share its gradient evenly.

    >>> adaptive_max_pool2d(np.arange(16.0).reshape(4, 4), (1, 2))
    array([[13., 15.]])
    """
    return adaptive_max("adaptive_max_pool2d", 2, x, output_size)


@public
def adaptive_max_pool3d(x, output_size):
    """The last three axes brought to `output_size` by the largest entries of boxes. See `adaptive_max_pool2d`.

    >>> adaptive_max_pool3d(np.arange(8.0).reshape(2, 2, 2), 1)
    array([[[7.]]])
    """
    return adaptive_max("adaptive_max_pool3d", 3, x, output_size)


def max_pooled(name, d, x, kernel_size, stride, padding, dilation, ceil_mode):
    x, window = pooling_window(name, d, x, kernel_size, stride, padding, dilation, ceil_mode)
    return window_max(x, window=window)


def avg_pooled(name, d, x, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override):
    x, window = pooling_window(name, d, x, kernel_size, stride, padding, 1, ceil_mode)
    if divisor_override is not None:
        if not divisor_override:
            raise ValueError(f"{name}: divisor_override=0: nothing can be divided by 0")
        return window_sum(x, window=window) / divisor_override
    margins = [before if count_include_pad else 0 for before, _ in window.padding]  # entries of padding that count, on either side
    counts = [
        counted(*axis) for axis in zip(x.shape[-d:], window.count(x.shape[-d:]), window.kernel, window.stride, window.padding, margins)
    ]
    if all(len(set(n.tolist())) == 1 for n in counts):
        return window_sum(x, window=window) / prod([int(n[0]) for n in counts])
    return window_sum(x, window=window) / prod(np.ix_(*counts)).astype(x.dtype)


def counted(size, count, kernel, stride, padding, margin):
    """How many entries each window along an axis meets, where `margin` entries of the padding on either side count too."""
    start = np.arange(count) * stride - padding[0]
    return np.minimum(start + kernel, size + margin) - np.maximum(start, -margin)


def smooth_pooled(name, d, x, kernel_size, stride, padding, beta):
    if not beta > 0:
        raise ValueError(f"{name}: beta={beta}: a number above 0 is needed")
    x, window = pooling_window(name, d, x, kernel_size, stride, padding, 1, False)
    return window_smooth_max(x, window=window, beta=float(beta))


def pooling_window(name, d, x, kernel_size, stride, padding, dilation, ceil_mode):
    """x as floats, and the window that `name` was asked for, checked; with `ceil_mode` it has more padding behind."""
    x = entries_of(name, x, d)
    kernel = per_axis(name, "kernel_size", kernel_size, d, 1)
    window = Window.of(name, kernel, kernel if stride is None else stride, padding, dilation)
    if any(2 * before > reach for (before, _), reach in zip(window.padding, window.reach)):
        raise ValueError(f"{name}: padding={padding} is more than half of the kernel, {window.reach}: a window would meet padding alone")
    size = x.shape[-d:]
    if ceil_mode:
        window = window._replace(padding=tuple([over_the_edge(*axis) for axis in zip(size, window.reach, window.stride, window.padding)]))
    window.must_fit(name, size, x.shape)
    return x, window


def over_the_edge(size, reach, stride, padding):
    """The padding with which also the last window stands that begins before the end (of entries and padding)."""
    left = size + sum(padding) - reach
    count = -(-left // stride) + 1
    if (count - 1) * stride >= size + padding[0]:
        count -= 1
    return padding[0], padding[1] + max(0, (count - 1) * stride - left)


def entries_of(name, x, d):
    """x with at least d axes; a plain array as floats."""
    if type(x) is not Tensor:
        x = np.asarray(x)
        x = x.astype(float) if x.dtype.kind in "iub" else x
    if len(x.shape) < d:
        raise ValueError(f"{name}: x has shape {x.shape}; at least {d} axes are needed, as a rule (batch, channels, *size)")
    return x


def boxes(name, d, x, output_size):
    """x, and for each of the last d axes the boxes (start, stop) that adaptive pooling divides it into."""
    x = entries_of(name, x, d)
    sizes = output_size if isinstance(output_size, (tuple, list)) else [output_size] * d
    if len(sizes) != d:
        raise ValueError(f"{name}: output_size={output_size} has {len(sizes)} numbers; one is needed, or one for each of the last {d} axes")
    sizes = per_axis(name, "output_size", [n if m is None else m for n, m in zip(x.shape[-d:], sizes)], d, 1)
    if 0 in x.shape[-d:]:
        raise ValueError(f"{name}: x of shape {x.shape} has an axis without entries")
    return x, [[(i * n // m, -(-(i + 1) * n // m)) for i in range(m)] for n, m in zip(x.shape[-d:], sizes)]


def evenly(x, stretches):
    """The window that stands for the boxes where they all have one size and lie side by side; None elsewhere."""
    d = len(stretches)
    if any(n % len(s) for n, s in zip(x.shape[-d:], stretches)):
        return None
    kernel = tuple([n // len(s) for n, s in zip(x.shape[-d:], stretches)])
    return Window(kernel, kernel, ((0, 0),) * d, (1,) * d)


def adaptive_avg(name, d, x, output_size):
    """The mean along one axis after the other, each a product with a matrix of shares."""
    x, stretches = boxes(name, d, x, output_size)
    window = evenly(x, stretches)
    if all(len(s) == 1 for s in stretches):
        return mean(x, axis=tuple(range(-d, 0)), keepdims=True)
    if window is not None:
        return window_sum(x, window=window) / prod(window.kernel)
    for axis, along_axis in enumerate(stretches, start=-d):
        n = x.shape[axis]
        shares = np.array([[(a <= i < b) / (b - a) for a, b in along_axis] for i in range(n)], x.dtype)  # (entry, box)
        x = matmul(x.swapaxes(axis, -1), shares).swapaxes(axis, -1)
    return x


def adaptive_max(name, d, x, output_size):
    x, stretches = boxes(name, d, x, output_size)
    window = evenly(x, stretches)
    if window is not None:
        return window_max(x, window=window)
    found = [amax(x[(..., *[slice(a, b) for a, b in box])], axis=tuple(range(-d, 0))) for box in product(*stretches)]
    return stack(found, axis=-1).reshape((*x.shape[:-d], *map(len, stretches)))

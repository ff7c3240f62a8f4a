"""Pooling: the largest entry, the mean, a norm or a smooth maximum of each window over the last axes. Arguments are PyTorch's.

Adaptive pooling resizes the last axes to a given size, by the mean or the largest entry of each box.

max_pool and its relatives pool over as many axes as `kernel_size` has numbers. Their versions for 1, 2 and 3 axes also accept
one number for all axes.
"""

from functools import lru_cache, partial
from itertools import product
from math import prod

import numpy as np

from tensorgrad.arrays.windows import Window, per_axis, sliding_windows, spatial_shape
from tensorgrad.errors.calls import must_be_feasible
from tensorgrad.public import Array, Option, public, versions
from tensorgrad.rules.elementwise import abs, pow, where
from tensorgrad.rules.extrema import amax
from tensorgrad.rules.images.pooling import window_max, window_smooth_max, window_sum
from tensorgrad.rules.images.resampling import weighted_entries
from tensorgrad.rules.joining import stack
from tensorgrad.rules.moving import pad
from tensorgrad.rules.reductions import mean
from tensorgrad.tensor import array_of

__all__ = [
    "max_pool", "max_pool1d", "max_pool2d", "max_pool3d", "avg_pool", "avg_pool1d", "avg_pool2d", "avg_pool3d",
    "lp_pool", "lp_pool1d", "lp_pool2d", "lp_pool3d",
    "smooth_max_pool", "smooth_max_pool1d", "smooth_max_pool2d", "smooth_max_pool3d",
    "adaptive_avg_pool", "adaptive_avg_pool1d", "adaptive_avg_pool2d", "adaptive_avg_pool3d",
    "adaptive_max_pool", "adaptive_max_pool1d", "adaptive_max_pool2d", "adaptive_max_pool3d",
]  # fmt: skip


@public
def max_pool(x: Array, kernel_size: Option, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False, total=False):
    """Return the largest entry of each window over the last axes.

    In formulas, along one axis:
        y[q] = max over k < kernel_size: x[q · stride + k · dilation - padding]
        t[q,k] = 1 where x[q · stride + k · dilation - padding] = y[q], else 0
        dz/dx[i] = Σ over q, k < kernel_size where q · stride + k · dilation - padding = i: dz/dy[q] · (t[q,k] / Σ over j: t[q,j])

    `kernel_size` has one number per axis; x may have further axes in front. t marks the largest entries of a window: equal ones
    share its gradient evenly (PyTorch gives it to the first); so do zeros of the padding. A window with a nan gives nan, and its
    entries get gradients of nan. Raises ValueError if the windows do not fit.

    - stride: the distance of windows; by default the kernel size
    - padding: how many -inf to add on both sides of each axis, at most half a kernel
    - dilation: the distance of entries within a window
    - ceil_mode: allow a last window that extends past the edge
    - return_indices: return (maxima, positions); a position counts the entries of the pooled axes in row-major order, and of
      equal entries it is the first
    - total: pad with zeros, which may be the largest entries

    >>> max_pool(np.arange(16.0).reshape(4, 4), (2, 2), return_indices=True)
    (array([[ 5.,  7.],
           [13., 15.]]), array([[ 5,  7],
           [13, 15]]))
    """
    return max_pool_as(
        "max_pool", axis_count("max_pool", kernel_size), x, kernel_size, stride, padding, dilation, ceil_mode, return_indices, total
    )


@public
def avg_pool(x: Array, kernel_size: Option, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None):
    """Return the mean of each window over the last axes.

    In formulas, along one axis:
        y[q] = Σ over k < kernel_size: x[q · stride + k - padding] / kernel_size
        dz/dx[i] = Σ over q, k < kernel_size where q · stride + k - padding = i: dz/dy[q] / kernel_size

    `kernel_size` has one number per axis; x may have further axes in front. Raises ValueError if the windows do not fit.

    - stride: the distance of windows; by default the kernel size
    - padding: how many zeros to add on both sides of each axis, at most half a kernel
    - ceil_mode: allow a last window that extends past the edge; the mean leaves out what is past it
    - count_include_pad: whether the mean counts zeros of the padding
    - divisor_override: divide every sum by this number instead

    >>> avg_pool(np.arange(16.0).reshape(4, 4), (2, 2))
    array([[ 2.5,  4.5],
           [10.5, 12.5]])
    """
    d = axis_count("avg_pool", kernel_size)
    return avg_pool_as("avg_pool", d, x, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)


@public
def lp_pool(x: Array, norm_type: Option, kernel_size: Option, stride=None, padding=0):
    """Return the norm (Σ |x|^p)^(1/p) of each window over the last axes; p is `norm_type`.

    In formulas, along one axis:
        y[q] = (Σ over k < kernel_size: |x[q · stride + k - padding]|^p)^(1 / p)

    In the backward pass:
        dz/dx[i] = Σ over q, k < kernel_size where q · stride + k - padding = i: dz/dy[q] · sign(x[i]) · (|x[i]| / y[q])^(p - 1)

    `kernel_size` has one number per axis. p = inf gives the largest |x|. PyTorch omits the bars, so its result differs for odd
    p and negative entries. Where all entries of a window are 0, the derivative is taken as 0. Windows and stride are those of
    `avg_pool`; `padding` adds zeros. Raises ValueError for p <= 0 and if the windows do not fit.

    >>> lp_pool(np.array([[3.0, 4.0], [0.0, 0.0]]), 2, (1, 2))
    array([[5.],
           [0.]])
    """
    return lp_pool_as("lp_pool", axis_count("lp_pool", kernel_size), x, norm_type, kernel_size, stride, padding)


@public
def smooth_max_pool(x: Array, kernel_size: Option, stride=None, padding=0, beta=1.0):
    """Return log(Σ exp(β x)) / β of each window over the last axes, a smooth maximum; β is `beta`.

    In formulas, along one axis:
        y[q] = log(Σ over k < kernel_size: exp(beta · x[q · stride + k - padding])) / beta
        dz/dx[i] = Σ over q, k < kernel_size where q · stride + k - padding = i: dz/dy[q] · exp(beta · (x[i] - y[q]))

    `kernel_size` has one number per axis. The result lies between the maximum and the maximum + log(entries of a window) / β.
    The entries share the gradient of a window as softmax(β x). Windows and stride are those of `max_pool`; `padding` adds -inf,
    that is, nothing to the sum. Raises ValueError for β <= 0 and if the windows do not fit.

    >>> smooth_max_pool(np.array([[1.0, 2.0], [3.0, 4.0]]), (2, 2), beta=100.0).round(4)
    array([[4.]])
    """
    return smooth_max_pool_as("smooth_max_pool", axis_count("smooth_max_pool", kernel_size), x, kernel_size, stride, padding, beta)


@public
def adaptive_avg_pool(x: Array, output_size: Option):
    """Return x with its last axes resized to `output_size`; each entry is the mean of a box.

    In formulas, along one axis, for n entries and m boxes:
        y[i] = Σ over a <= k < b: x[k] / (b - a), with a = ⌊i · n / m⌋, b = ⌈(i + 1) · n / m⌉
        dz/dx[k] = Σ over i where a <= k < b: (dz/dy[i] / (b - a))

    `output_size` holds one integer per axis; None keeps an axis. Box i of m along an axis of n entries goes from ⌊i·n/m⌋ to
    ⌈(i+1)·n/m⌉, as in PyTorch. Boxes overlap if m does not divide n. Raises ValueError for less than one box and for an axis
    without entries.

    >>> adaptive_avg_pool(np.arange(16.0).reshape(4, 4), (1, 2))
    array([[6.5, 8.5]])
    """
    return adaptive_avg_pool_as("adaptive_avg_pool", axis_count("adaptive_avg_pool", output_size, "output_size"), x, output_size)


@public
def adaptive_max_pool(x: Array, output_size: Option):
    """Return x with its last axes resized to `output_size`; each entry is the largest of a box.

    In formulas, along one axis, for n entries and m boxes:
        y[i] = max over a <= k < b: x[k], with a = ⌊i · n / m⌋, b = ⌈(i + 1) · n / m⌉
        dz/dx[k] = Σ over i where a <= k < b: dz/dy[i] · (1 where x[k] = y[i], else 0); equal entries share it evenly

    The boxes are those of `adaptive_avg_pool`. Equal largest entries of a box share its gradient evenly. Raises ValueError for
    less than one box and for an axis without entries.

    >>> adaptive_max_pool(np.arange(16.0).reshape(4, 4), (1, 2))
    array([[13., 15.]])
    """
    return adaptive_max_pool_as("adaptive_max_pool", axis_count("adaptive_max_pool", output_size, "output_size"), x, output_size)


LARGEST = {name: window_max.under(name) for name in ("max_pool", "max_pool1d", "max_pool2d", "max_pool3d")}
SMOOTH = {f"smooth_{name}": window_smooth_max.under(f"smooth_{name}") for name in LARGEST}


def max_pool_as(name, d, x, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False, total=False):
    window = pooling_window(name, d, x, kernel_size, stride, padding, dilation, ceil_mode)
    if total:
        if return_indices:
            raise ValueError(
                f"{name}: total=True excludes return_indices=True, because the maximum may be a zero of the padding, which has no index"
            )
        borders = [(n, n) for n in per_axis(name, "padding", padding, d, 0)]
        x = pad(x, [(0, 0)] * (x.ndim - d) + borders)
        window = window._replace(padding=tuple([(0, behind - n) for (n, _), (_, behind) in zip(borders, window.padding)]))
    y = LARGEST[name](x, window)
    return (y, argmax_positions(array_of(x), window)) if return_indices else y


def argmax_positions(x, window):
    """Return the row-major position of the largest entry of each window among the pooled axes; of equal entries, the first."""
    d = len(window.kernel)
    numbered = np.arange(prod(spatial_shape(x, d))).reshape(spatial_shape(x, d))
    windows = sliding_windows(x, window, fill=-np.inf), sliding_windows(numbered, window, fill=-1)
    entries, positions = [a.reshape(*a.shape[:-d], -1) for a in windows]
    positions = np.broadcast_to(positions, entries.shape)
    largest = np.take_along_axis(positions, entries.argmax(-1)[..., None], -1)
    first = np.take_along_axis(positions, (positions >= 0).argmax(-1)[..., None], -1)
    return np.where(largest < 0, first, largest)[..., 0]  # if all entries are -inf, argmax may find the padding


def avg_pool_as(name, d, x, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None):
    window = pooling_window(name, d, x, kernel_size, stride, padding, 1, ceil_mode)
    if divisor_override is not None:
        if not divisor_override:
            raise ValueError(f"{name}: divisor_override=0 would divide by 0")
        return window_sum(x, window, divisor_override)
    if not any(map(any, window.padding)):
        return window_sum(x, window, prod(window.kernel))
    margins = [before if count_include_pad else 0 for before, _ in window.padding]  # entries of padding that count, on each side
    size = x.shape[-d:]
    axes = zip(size, window.count(size), window.kernel, window.stride, window.padding, margins)
    counts = [entries_per_window(*axis) for axis in axes]
    if all(len(set(n.tolist())) == 1 for n in counts):
        return window_sum(x, window, prod([int(n[0]) for n in counts]))
    return window_sum(x, window, prod(np.ix_(*counts)).astype(x.dtype))


def entries_per_window(size, count, kernel, stride, padding, margin):
    """Return how many entries each window along an axis covers; `margin` entries of padding on each side count too."""
    start = np.arange(count) * stride - padding[0]
    return np.minimum(start + kernel, size + margin) - np.maximum(start, -margin)


def lp_pool_as(name, d, x, norm_type, kernel_size, stride=None, padding=0):
    p = norm_type
    if not p > 0:
        raise ValueError(f"{name}: norm_type={p} must be positive")
    window = pooling_window(name, d, x, kernel_size, stride, padding, 1, False)
    if p == np.inf:
        return window_max(abs(x), window)
    total = window_sum(pow(abs(x), p), window)
    nothing = array_of(total) == 0
    return where(nothing, 0, pow(where(nothing, 1, total), 1 / p))


def smooth_max_pool_as(name, d, x, kernel_size, stride=None, padding=0, beta=1.0):
    if not beta > 0:
        raise ValueError(f"{name}: beta={beta} must be positive")
    window = pooling_window(name, d, x, kernel_size, stride, padding, 1, False)
    return SMOOTH[name](x, window, float(beta))


def axis_count(name, kernel_size, what="kernel_size"):
    """Return how many axes a window has, from an argument with one number per axis."""
    if not isinstance(kernel_size, tuple | list) or not kernel_size:
        raise ValueError(f"{name}: {what}={kernel_size!r} is not a sequence; give one number for each axis of the window, such as (2, 2)")
    return len(kernel_size)


def pooling_window(name, d, x, *settings):
    """Return the checked Window for (kernel_size, stride, padding, dilation, ceil_mode) of the function `name`.

    Each step of a training loop asks for the same windows, so those of plain numbers are remembered.
    """
    must_have_pooled_axes(name, x, d)
    find = remembered_window if NUMBERS.issuperset(map(type, settings)) else new_window
    return find(name, d, x.shape, *settings)


def new_window(name, d, shape, kernel_size, stride, padding, dilation, ceil_mode):
    """Return the window for x of a shape; `ceil_mode` enlarges the padding at the end."""
    kernel = per_axis(name, "kernel_size", kernel_size, d, 1)
    window = Window.of(name, kernel, kernel if stride is None else stride, padding, dilation)
    if any(2 * before > reach for (before, _), reach in zip(window.padding, window.extent)):
        raise ValueError(f"{name}: padding={padding} is more than half of the kernel, {window.extent}; a window could hold padding alone")
    size = shape[-d:]
    if ceil_mode:
        window = window._replace(padding=tuple([ceil_padding(*axis) for axis in zip(size, window.extent, window.stride, window.padding)]))
    window.must_fit(name, size, shape)
    return window


NUMBERS = frozenset({int, bool, type(None)})
remembered_window = lru_cache(256, typed=True)(new_window)


def ceil_padding(size, reach, stride, padding):
    """Return the padding that makes room for a last window which begins before the end of the entries and the padding."""
    left = size + sum(padding) - reach
    count = -(-left // stride) + 1
    if (count - 1) * stride >= size + padding[0]:
        count -= 1
    return padding[0], padding[1] + max(0, (count - 1) * stride - left)


def must_have_pooled_axes(name, x, d):
    if len(x.shape) < d:
        raise ValueError(f"{name}: x has shape {x.shape}; at least {d} axes are needed, usually (batch, channels, *size)")


# Adaptive pooling


def boxes_of(name, d, x, output_size):
    """Return the boxes of adaptive pooling, for each of the last d axes a list of (start, stop), and their window or None."""
    must_have_pooled_axes(name, x, d)
    sizes = output_size if isinstance(output_size, (tuple, list)) else [output_size] * d
    if len(sizes) != d:
        raise ValueError(f"{name}: output_size={output_size} has {len(sizes)} numbers; give one, or one for each of the last {d} axes")
    find = remembered_boxes if type(output_size) is int else new_boxes
    return find(name, d, x.shape, tuple(sizes))


def new_boxes(name, d, shape, sizes):
    sizes = per_axis(name, "output_size", [n if m is None else m for n, m in zip(shape[-d:], sizes)], d, 1)
    must_be_feasible(name, "output_size", max(sizes))
    if 0 in shape[-d:]:
        raise ValueError(f"{name}: x of shape {shape} has an axis without entries; pooling needs at least one")
    boxes = [[(i * n // m, -(-(i + 1) * n // m)) for i in range(m)] for n, m in zip(shape[-d:], sizes)]
    return boxes, uniform_window(shape, boxes)


remembered_boxes = lru_cache(64)(new_boxes)


def uniform_window(shape, boxes):
    """Return the window that covers the boxes if they have one size and do not overlap; else None."""
    d = len(boxes)
    if any(n % len(along_axis) for n, along_axis in zip(shape[-d:], boxes)):
        return None
    kernel = tuple([n // len(along_axis) for n, along_axis in zip(shape[-d:], boxes)])
    return Window(kernel, kernel, ((0, 0),) * d, (1,) * d)


def adaptive_avg_pool_as(name, d, x, output_size):
    """Average along one axis after the other."""
    boxes, window = boxes_of(name, d, x, output_size)
    if all(len(along_axis) == 1 for along_axis in boxes):
        return mean(x, axis=tuple(range(-d, 0)), keepdims=True)
    if window is not None:
        return window_sum(x, window, prod(window.kernel))
    for axis, along_axis in enumerate(boxes, start=-d):
        x = weighted_entries(x, axis % x.ndim, *places_and_shares(along_axis))
    return x


def places_and_shares(boxes):
    """Return the entries of each box with their weights, in rows of one length: the last entry of a smaller box is there several times."""
    largest = max(b - a for a, b in boxes)
    places = np.array([[min(a + j, b - 1) for j in range(largest)] for a, b in boxes])  # (box, entry)
    times = np.array([[1 if j < b - a - 1 else largest - (b - a - 1) for j in range(largest)] for a, b in boxes])
    return places, 1 / (times * np.array([[b - a] for a, b in boxes]))


def adaptive_max_pool_as(name, d, x, output_size):
    boxes, window = boxes_of(name, d, x, output_size)
    if window is not None:
        return window_max(x, window)
    must_be_feasible(name, "the number of boxes", prod(map(len, boxes)))
    found = [amax(x[(..., *[slice(a, b) for a, b in box])], axis=tuple(range(-d, 0))) for box in product(*boxes)]
    return stack(found, axis=-1).reshape((*x.shape[:-d], *map(len, boxes)))


# The versions for 1, 2 and 3 axes


def halved(d, settings="2"):
    """Return the arguments of an example over d axes, and the shape of its result."""
    return f"np.ones({(4,) * d}), {settings}", (2,) * d


max_pool1d, max_pool2d, max_pool3d = versions(max_pool, max_pool_as, halved)
avg_pool1d, avg_pool2d, avg_pool3d = versions(avg_pool, avg_pool_as, halved)
lp_pool1d, lp_pool2d, lp_pool3d = versions(lp_pool, lp_pool_as, partial(halved, settings="2, 2"))
smooth_max_pool1d, smooth_max_pool2d, smooth_max_pool3d = versions(smooth_max_pool, smooth_max_pool_as, halved)
adaptive_avg_pool1d, adaptive_avg_pool2d, adaptive_avg_pool3d = versions(adaptive_avg_pool, adaptive_avg_pool_as, halved)
adaptive_max_pool1d, adaptive_max_pool2d, adaptive_max_pool3d = versions(adaptive_max_pool, adaptive_max_pool_as, halved)

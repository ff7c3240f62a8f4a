"""The memory layout of the kernels' arrays: channels last, (n, *size, c), whatever shape the user sees."""

import numpy as np

from tensorgrad.arrays.windows import Window, padded
from tensorgrad.kernels.blocks import slices

FOR_THREADS = 1 << 22  # multiplications of a convolution from which several threads are faster


def channels_last(x):
    """Return (n, c, *size) as a contiguous array (n, *size, c); copy only if the memory layout differs."""
    return np.ascontiguousarray(x.transpose(0, *range(2, x.ndim), 1))


def channels_first(x):
    """Return (n, *size, c) as (n, c, *size), without a copy."""
    return x.transpose(0, -1, *range(1, x.ndim - 1))


def zero_padded(x, window):
    """Return x (n, *size, c) with zeros around the axes `size`."""
    if not any(map(any, window.padding)):
        return x
    return padded(x, Window((*window.kernel, 1), window.stride, (*window.padding, (0, 0)), window.dilation))


def without_padding(window):
    """Return the same window for an array that is padded already."""
    return Window(window.kernel, window.stride, ((0, 0),) * len(window.kernel), window.dilation)


def empty_channels_last(shape, dtype):
    """Return a new contiguous array (n, *size, c), a view of the array (n, c, *size) that the user gets.

    The inner array is never written, so it takes no memory. Freeing it keeps malloc from giving memory back between arrays: without it,
    a step of ResNet-20 has three times the page faults and takes 10 % longer.
    """
    return channels_last(np.empty_like(channels_first(np.empty(shape, dtype))))


def base_array(x):
    """Return the array (n, c, *size) that x (n, *size, c) is a view of, if there is one; else the view of x."""
    y = channels_first(x)
    return x.base if x.base is not None and (x.base.shape, x.base.strides) == (y.shape, y.strides) else y


def sample_parts(many):
    """Return slices of the samples: eight, or fewer if they would have fewer than four samples, but at least two."""
    return slices(many, max(-(-many // 8), min(4, -(-many // 2))))


def accumulate(total, part):
    """Return total + part, in the memory of `total`; `total` is None before the first part."""
    return part if total is None else np.add(total, part, out=total)

"""How the kernels' arrays lie in memory: channels last, (n, *size, c), whatever shape the user sees."""

import numpy as np

from tensorgrad.windows import padded


def channels_last(x):
    """(n, c, *size) as a contiguous array (n, *size, c); nothing is copied where the memory is so already."""
    return np.ascontiguousarray(np.moveaxis(x, 1, -1))


def channels_first(x):
    """(n, *size, c) as (n, c, *size), without a copy."""
    return np.moveaxis(x, -1, 1)


def zero_padded(x, window):
    """x (n, *size, c) between zeros along its axes in the middle."""
    return padded(x, window._replace(kernel=(*window.kernel, 1), padding=(*window.padding, (0, 0))))


def without_padding(window):
    """The same window on what is padded already."""
    return window._replace(padding=((0, 0),) * len(window.kernel))


def empty_channels_last(shape, dtype):
    """A new contiguous array (n, *size, c), as a view of the array (n, c, *size) that owns it and is what the user gets."""
    return np.moveaxis(np.empty_like(channels_first(np.empty(shape, dtype))), 1, -1)


def owner(x):
    """The array (n, c, *size) that x (n, *size, c) is a view of, where it is one; else the view."""
    y = channels_first(x)
    return x.base if x.base is not None and (x.base.shape, x.base.strides) == (y.shape, y.strides) else y


def accumulate(total, part):
    """total + part, in the memory of `total`; None before the first part."""
    return part if total is None else np.add(total, part, out=total)

"""Windows over the last axes of an array: their geometry, views of the entries that they cover, and errors for windows that do not
fit.

A window has `kernel` places along each axis, `dilation` entries apart; neighbouring windows are `stride` entries apart. Padding
surrounds each axis. Place k of window p covers entry p · stride + k · dilation of the padded array.
"""

from functools import lru_cache
from itertools import product
from math import prod
from typing import NamedTuple

import numpy as np

from scalargrad.messages.errors import wrong_type


class Window(NamedTuple):
    """Kernel size, stride, padding (entries before, entries behind) and dilation of a window, one number or pair per axis."""

    kernel: tuple
    stride: tuple
    padding: tuple
    dilation: tuple

    @classmethod
    def of(cls, name, kernel, stride=1, padding=0, dilation=1):
        """Return the window for the arguments of the function `name`.

        Each argument is one number for all axes, or one per axis; padding may also be "same" or "valid".
        """
        d = len(kernel)
        if type(padding) is int and padding >= 0:  # the commonest case, without a look at each pair
            return cls(
                tuple(kernel), per_axis(name, "stride", stride, d, 1), ((padding, padding),) * d, per_axis(name, "dilation", dilation, d, 1)
            )
        stride, dilation = per_axis(name, "stride", stride, d, 1), per_axis(name, "dilation", dilation, d, 1)
        if isinstance(padding, str):
            padding = named_padding(name, padding, kernel, stride, dilation)
        elif not in_pairs(padding, d):
            padding = [(n, n) for n in per_axis(name, "padding", padding, d, 0)]
        return cls(tuple(kernel), stride, tuple([(int(a), int(b)) for a, b in padding]), dilation)

    @property
    def extent(self):
        """The distance from the first to the last place of a window along each axis, both included."""
        return tuple([(k - 1) * d + 1 for k, d in zip(self.kernel, self.dilation)])

    def count(self, size):
        """Return the number of windows along each axis of an array of this size."""
        return window_count(self, tuple(size))

    def input_size(self, count):
        """Return the size that this many windows cover, without padding. It inverts `count`, up to entries that a stride skips."""
        return tuple([(n - 1) * s + r - a - b for n, s, (a, b), r in zip(count, self.stride, self.padding, self.extent)])

    def mirrored(self):
        """Return the window of stride 1 from the outputs back to the entries, for a kernel with all axes reversed."""
        return mirrored_window(self)

    def must_fit(self, name, size, shape):
        """Raise ValueError if not a single window fits into an array of this shape."""
        if min(self.count(size), default=1) < 1:
            padded = tuple([n + a + b for n, (a, b) in zip(size, self.padding)])
            spread = (
                f" with dilation {short_tuple(self.dilation)} reaches over {self.extent} entries, which" if max(self.dilation) > 1 else ""
            )
            raise ValueError(
                f"{name}: a kernel of {self.kernel}{spread} does not fit into x of shape {shape}, "
                f"whose last axes are {padded} with padding; make the kernel smaller or the padding larger"
            )


@lru_cache(maxsize=256)  # a layer asks up to ten times in a step; a look here takes a quarter of the time
def window_count(window, size):
    axes = zip(size, window.kernel, window.stride, window.padding, window.dilation)
    return tuple([(n + a + b - (k - 1) * d - 1) // s + 1 for n, k, s, (a, b), d in axes])


@lru_cache(maxsize=256)
def mirrored_window(window):
    return window._replace(padding=tuple([(r - 1 - a, r - 1 - b) for (a, b), r in zip(window.padding, window.extent)]))


def in_pairs(padding, d):
    """Return whether `padding` is d pairs of numbers."""
    if type(padding) is tuple and [type(pair) for pair in padding] == [tuple] * d:
        return [len(pair) for pair in padding] == [2] * d  # without np.shape, which takes five times as long
    return np.shape(padding) == (d, 2)


def per_axis(name, what, value, d, least):
    """Return a setting as one integer for each of d axes; `value` is one number for all axes, or one per axis."""
    if type(value) is int and value >= least:  # the commonest case first, because each call of a layer comes here
        return (value,) * d
    numbers = value if type(value) is tuple else (value,) if np.ndim(value) == 0 else tuple(value)
    if not all(isinstance(n, (int, np.integer)) for n in numbers):
        raise wrong_type(name, what, value, "an integer or a tuple of integers")
    if len(numbers) not in (1, d):
        raise ValueError(f"{name}: {what}={value!r} has {len(numbers)} numbers; give one, or one for each of the {d} axes of the window")
    if min(numbers) < least:
        raise ValueError(f"{name}: {what}={value!r} is too small; use at least {least}")
    return tuple([int(n) for n in numbers]) * (d if len(numbers) == 1 else 1)


def named_padding(name, padding, kernel, stride, dilation):
    """Return the padding called "valid" (none) or "same": the output is then as long as x, and an odd entry goes behind."""
    if padding == "valid":
        return [(0, 0)] * len(kernel)
    if padding != "same":
        raise ValueError(f'{name}: padding={padding!r} is unknown; use integers, "same" or "valid"')
    if max(stride) > 1:
        raise ValueError(f'{name}: padding="same" needs stride 1, got stride {short_tuple(stride)}')
    whole = [d * (k - 1) for k, d in zip(kernel, dilation)]
    return [(n // 2, n - n // 2) for n in whole]


def short_tuple(numbers):
    """Shorten (2, 2) to 2."""
    return numbers[0] if len(set(numbers)) == 1 else numbers


def padded(x, window, fill=0):
    """Return x with `fill` around its last axes; a negative padding removes entries."""
    sides = [n for pair in window.padding for n in pair]
    if not any(sides):
        return x
    d = len(window.kernel)
    if min(sides) < 0:
        x = x[(..., *[slice(max(-a, 0), n - max(-b, 0)) for n, (a, b) in zip(x.shape[-d:], window.padding)])]
        window = window._replace(padding=tuple([(max(a, 0), max(b, 0)) for a, b in window.padding]))
    shape = (*x.shape[:-d], *[n + a + b for n, (a, b) in zip(x.shape[-d:], window.padding)])
    wide = np.empty(shape, x.dtype) if x.flags.c_contiguous else np.empty_like(x, shape=shape)
    if wide.size <= SMALL:
        wide.fill(fill)
    else:  # the border alone: a whole pass would write twice where x is
        for axis, (before, behind) in zip(range(-d, 0), window.padding):
            for side in (slice(before), slice(shape[axis] - behind, None)):
                wide[(..., side, *[slice(None)] * (-axis - 1))] = fill
    wide[interior(window, x.shape[-d:])] = x
    return wide


def interior(window, size):
    """Return the index of what is not padding."""
    return (..., *[slice(a, a + n) for n, (a, _) in zip(size, window.padding)])


def kernel_offsets(window):
    """Return the places of a window: (0, 0), (0, 1), ..."""
    return product(*map(range, window.kernel))


def tap(wide, window, k, count):
    """Return the view of a padded array that place k of all windows covers."""
    return wide[(..., *[slice(i * d, i * d + (n - 1) * s + 1, s) for i, d, n, s in zip(k, window.dilation, count, window.stride)])]


SMALL = 1 << 11  # entries up to which the number of calls of NumPy counts alone
LONG = 8  # places of a window along its last axis from which NumPy's loops over one window are faster than loops over all windows


def in_parts(x, window):
    """Return a view of x with each of its last axes parted into windows and places: (..., n, places, m, places).

    None unless the windows lie side by side, without padding, cover all of x, and are long, or x is small.
    """
    if window.kernel[-1] < LONG and x.size > SMALL:
        return None
    shape = parted(x.shape, window)
    return None if shape is None else x.reshape(shape)


@lru_cache(256)
def parted(shape, window):
    """Return the shape with each of its last axes parted into windows and places; None unless the windows lie side by side and fill it."""
    front, size, kernel = shape[: -len(window.kernel)], shape[-len(window.kernel) :], window.kernel
    if kernel != window.stride or any(n % k for n, k in zip(size, kernel)) or any(map(any, window.padding)):
        return None
    if any(d != 1 for d, k in zip(window.dilation, kernel) if k > 1):
        return None
    return (*front, *[part for n, k in zip(size, kernel) for part in (n // k, k)])


def place_axes(window):
    """Return the axes of places in the result of `in_parts`, counted from the last."""
    return tuple(range(1 - 2 * len(window.kernel), 0, 2))


def over_places(ufunc, parts, window):
    """Reduce the axes of places in the result of `in_parts`."""
    if parts.size <= SMALL:
        return ufunc.reduce(parts, place_axes(window))
    for axis in place_axes(window):  # one after the other, and each stays with length 1
        parts = ufunc.reduce(parts, axis, keepdims=True)
    return parts.squeeze(place_axes(window))


def beside_parts(y, window):
    """Return y, one entry per window, such that it broadcasts with the result of `in_parts`.

    Along all axes of places but the first it is repeated already, because NumPy's innermost loop is then over whole rows.
    """
    shape = [*y.shape]
    for n in range(len(window.kernel)):
        shape.insert(len(shape) - 2 * n, 1)
    y = y.reshape(shape)
    if y.size <= SMALL:
        return y
    for axis, k in zip(place_axes(window)[1:], window.kernel[1:]):
        shape[axis] = k
    return y if tuple(shape) == y.shape else np.broadcast_to(y, shape).copy()


def sliding_windows(x, window, fill=0):
    """Return the entries that each window covers, as a view of the padded x: axes (..., *windows, *places)."""
    wide = padded(x, window, fill)
    d = len(window.kernel)
    steps = wide.strides[-d:]
    shape = (*wide.shape[:-d], *window.count(x.shape[-d:]), *window.kernel)
    strides = (*wide.strides[:-d], *[a * s for a, s in zip(steps, window.stride)], *[a * s for a, s in zip(steps, window.dilation)])
    if wide.flags.c_contiguous and wide.size and wide.dtype != object:
        found = np.ndarray(shape, wide.dtype, wide, 0, strides)  # what as_strided returns, in a tenth of the time
        found.flags.writeable = False
        return found
    return np.lib.stride_tricks.as_strided(wide, shape, strides, writeable=False)


@lru_cache(256)
def entry_numbers(shape, window):
    """Return the number of the entry that each window covers at each place, (..., *windows, *places): from 1 on, and 0 in the padding."""
    return np.ascontiguousarray(sliding_windows(np.arange(1, prod(shape) + 1).reshape(shape), window))


def is_small(x):
    """Return whether it is faster to remember the numbers of entries: there the number of calls of NumPy counts alone."""
    return 0 < x.size <= SMALL and x.dtype.kind == "f"


def at_numbers(x, numbers):
    """Return the entries of x with these numbers, and 0 for number 0."""
    behind = np.empty(x.size + 1, x.dtype)
    behind[0] = 0
    behind[1:] = x.reshape(-1)
    return behind.take(numbers)


def sums_at_numbers(entries, numbers, shape):
    """Return an array in which each entry is added where its number says; those with number 0 are left out."""
    sums = np.bincount(numbers.reshape(-1), entries.reshape(-1), prod(shape) + 1)
    return sums[1:].astype(entries.dtype).reshape(shape)


def window_entries(x, window):
    """Return what `sliding_windows` returns, or a copy of it."""
    d = len(window.kernel)
    if is_small(x) and x.size // prod(x.shape[-d:]) * prod(window.count(x.shape[-d:])) * prod(window.kernel) <= SMALL:
        return at_numbers(x, entry_numbers(x.shape, window))
    return sliding_windows(x, window)


def overlap_add(entries, size, window):
    """Add the entries of each window, (..., *windows, *places), where the window lies. This is the transpose of `sliding_windows`."""
    d = len(window.kernel)
    if is_small(entries):
        shape = (*entries.shape[: -2 * d], *size)
        return sums_at_numbers(entries, entry_numbers(shape, window), shape)
    wide = np.zeros([*entries.shape[: -2 * d], *[n + a + b for n, (a, b) in zip(size, window.padding)]], dtype=entries.dtype)
    count = entries.shape[-2 * d : -d]
    for k in kernel_offsets(window):
        there = tap(wide, window, k, count)
        np.add(there, entries[(..., *k)], there)
    return wide[interior(window, size)]


def windows_along_each_axis(window, count, size):
    """Return, for each axis, the window along that axis only, and the size after all axes up to it are reduced."""
    return [(window_along(window, axis), (*count[: axis + 1], *size[axis + 1 :])) for axis in range(len(count))]


def window_along(window, axis):
    """Return the window along one axis only, over an array that is padded already."""
    still = [(1, 1, (0, 0), 1)] * len(window.kernel)
    still[axis] = (window.kernel[axis], window.stride[axis], (0, 0), window.dilation[axis])
    return Window(*map(tuple, zip(*still)))


def spatial_shape(x, d):
    """Return the lengths of the last d axes."""
    return tuple(x.shape[x.ndim - d :])

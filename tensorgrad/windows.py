"""Windows over the last axes of an array: where they stand, which entries they meet, and the errors for those that do not fit.

A window has `kernel` places along each axis, `dilation` entries apart; it moves on by `stride`. Before the first and behind the
last entry of an axis stands padding. The place k of the window at p meets the entry p · stride + k · dilation of what is padded.
"""

from itertools import product
from typing import NamedTuple

import numpy as np


class Window(NamedTuple):
    """A window, one number an axis: its places, its step, (entries before, entries behind) as padding, the distance of its places."""

    kernel: tuple
    stride: tuple
    padding: tuple
    dilation: tuple

    @classmethod
    def of(cls, name, kernel, stride=1, padding=0, dilation=1):
        """The window that the function `name` was asked for: numbers for all axes or one for each, padding also "same" or "valid"."""
        d = len(kernel)
        stride, dilation = per_axis(name, "stride", stride, d, 1), per_axis(name, "dilation", dilation, d, 1)
        if isinstance(padding, str):
            padding = named_padding(name, padding, kernel, stride, dilation)
        elif not (np.ndim(padding) == 2 and np.shape(padding) == (d, 2)):
            padding = [(n, n) for n in per_axis(name, "padding", padding, d, 0)]
        return cls(tuple(kernel), stride, tuple([(int(a), int(b)) for a, b in padding]), dilation)

    @property
    def extent(self):
        """How many entries lie between the first and the last place, these included."""
        return tuple([(k - 1) * d + 1 for k, d in zip(self.kernel, self.dilation)])

    def count(self, size):
        """How many windows stand along each axis of an array of this size."""
        return tuple([(n + a + b - r) // s + 1 for n, s, (a, b), r in zip(size, self.stride, self.padding, self.extent)])

    def input_size(self, count):
        """The size of what the windows reach over, less the padding: the inverse of `count`, up to what a stride leaves over."""
        return tuple([(n - 1) * s + r - a - b for n, s, (a, b), r in zip(count, self.stride, self.padding, self.extent)])

    def mirrored(self):
        """The window of step 1 that goes back from the outputs to the entries: seen from there, the kernel is turned round."""
        turned = tuple([(r - 1 - a, r - 1 - b) for (a, b), r in zip(self.padding, self.extent)])
        return self._replace(padding=turned)

    def must_fit(self, name, size, shape):
        """ValueError if not one window fits into an array of this shape."""
        if min([0, *[n - 1 for n in self.count(size)]]) < 0:
            padded = tuple([n + a + b for n, (a, b) in zip(size, self.padding)])
            spread = f" with dilation {brief(self.dilation)} reaches over {self.extent} entries, which" if max(self.dilation) > 1 else ""
            raise ValueError(
                f"{name}: a kernel of {self.kernel}{spread} does not fit into x of shape {shape}, "
                f"whose last axes are {padded} with padding: make the kernel smaller or the padding larger"
            )


def per_axis(name, what, value, d, least):
    """A setting with one whole number for each of d axes, from one number for all or one for each."""
    numbers = (value,) if np.ndim(value) == 0 else tuple(value)
    if not all(isinstance(n, (int, np.integer)) for n in numbers):
        raise TypeError(f"{name}: {what}={value!r}: whole numbers are needed")
    if len(numbers) not in (1, d):
        raise ValueError(
            f"{name}: {what}={value!r} has {len(numbers)} numbers; one is needed, or one for each of the {d} axes of the window"
        )
    if min(numbers) < least:
        raise ValueError(f"{name}: {what}={value!r}: at least {least} is needed")
    return tuple([int(n) for n in numbers]) * (d if len(numbers) == 1 else 1)


def named_padding(name, padding, kernel, stride, dilation):
    """The padding that is called "valid" (none) or "same" (so that the output is as long as x; an odd entry stands behind)."""
    if padding == "valid":
        return [(0, 0)] * len(kernel)
    if padding != "same":
        raise ValueError(f'{name}: padding={padding!r}: it is a number, one for each axis, "same" or "valid"')
    if max(stride) > 1:
        raise ValueError(f'{name}: padding="same" needs stride 1, got stride {brief(stride)}: the output would be shorter than x anyway')
    whole = [d * (k - 1) for k, d in zip(kernel, dilation)]
    return [(n // 2, n - n // 2) for n in whole]


def brief(numbers):
    """(2, 2) is 2."""
    return numbers[0] if len(set(numbers)) == 1 else numbers


def padded(x, window, fill=0):
    """x between `fill`, over its last axes; a negative padding cuts entries off."""
    if not any(a or b for a, b in window.padding):
        return x
    d = len(window.kernel)
    if min([n for pair in window.padding for n in pair]) < 0:
        x = x[(..., *[slice(max(-a, 0), n - max(-b, 0)) for n, (a, b) in zip(x.shape[-d:], window.padding)])]
        window = window._replace(padding=tuple([(max(a, 0), max(b, 0)) for a, b in window.padding]))
    sides = window.padding
    wide = np.full_like(x, fill, shape=[*x.shape[:-d], *[n + a + b for n, (a, b) in zip(x.shape[-d:], sides)]])
    wide[interior(window, x.shape[-d:])] = x
    return wide


def interior(window, size):
    """The index of what is not padding."""
    return (..., *[slice(a, a + n) for n, (a, _) in zip(size, window.padding)])


def kernel_offsets(window):
    """The places of a window: (0, 0), (0, 1), ..."""
    return product(*map(range, window.kernel))


def tap(wide, window, k, count):
    """The view of a padded array that the place k of all windows meets."""
    return wide[(..., *[slice(i * d, i * d + (n - 1) * s + 1, s) for i, d, n, s in zip(k, window.dilation, count, window.stride)])]


def sliding_windows(x, window, fill=0):
    """The entries that each window meets, as a view of x between `fill`: axes (..., *windows, *places)."""
    wide = padded(x, window, fill)
    d = len(window.kernel)
    steps = wide.strides[-d:]
    shape = (*wide.shape[:-d], *window.count(x.shape[-d:]), *window.kernel)
    strides = (*wide.strides[:-d], *[a * s for a, s in zip(steps, window.stride)], *[a * s for a, s in zip(steps, window.dilation)])
    return np.lib.stride_tricks.as_strided(wide, shape, strides, writeable=False)


def overlap_add(entries, size, window):
    """The array in which every window adds its entries (..., *windows, *places) where it stands: `met`, transposed."""
    d = len(window.kernel)
    wide = np.zeros([*entries.shape[: -2 * d], *[n + a + b for n, (a, b) in zip(size, window.padding)]], dtype=entries.dtype)
    for k in kernel_offsets(window):
        there = tap(wide, window, k, entries.shape[-2 * d : -d])
        np.add(there, entries[(..., *k)], out=there)
    return wide[interior(window, size)]


def windows_along_each_axis(window, count, size):
    """For each axis the window that moves along it alone, and the size that it leaves of what the axes before have left."""
    return [(window_along(window, axis), (*count[: axis + 1], *size[axis + 1 :])) for axis in range(len(count))]


def window_along(window, axis):
    """The window that moves along one axis alone, over what is padded already."""
    still = [(1, 1, (0, 0), 1)] * len(window.kernel)
    still[axis] = (window.kernel[axis], window.stride[axis], (0, 0), window.dilation[axis])
    return Window(*map(tuple, zip(*still)))


def spatial_shape(x, d):
    """The lengths of the last d axes."""
    return tuple(x.shape[x.ndim - d :])

"""Max-pooling. Of equal largest entries of a window PyTorch's choice gets the derivative; with our own rule they would share it."""

import numpy as np
import torch.nn.functional as F

import tensorgrad as tg
from tensorgrad.arrays.windows import sliding_windows, spatial_shape
from tensorgrad.beside_torch.counterparts.elementwise import still
from tensorgrad.beside_torch.counterparts.table import beside, rule
from tensorgrad.functions.pooling import pooling_window
from tensorgrad.kernels import pooling as kernels
from tensorgrad.rule import Fast
from tensorgrad.rules.images import pooling as rules
from tensorgrad.rules.images.unfolding import overlap_add
from tensorgrad.tensor import array_of


def first_max_vjp(G, x, y, window):
    """dz/dx[q] = Σ over p, k: dz/dy[p] where x[q] is the largest of window p, the first of equal ones"""
    largest = sliding_windows(array_of(x), window, fill=np.nan) == rules.with_kernel_axes(array_of(y), window)
    flat = largest.reshape(*y.shape, -1)
    first = (flat & (np.cumsum(flat, -1) == 1)).reshape(largest.shape)
    return overlap_add(rules.with_kernel_axes(G, window) * first, size=spatial_shape(x, len(window.kernel)), window=window)


def forward(slots, x, window):
    """Our kernel, with only the first of the masks that mark an entry of a window."""
    y, saved = kernels.window_max(slots, x, window)
    taken = np.zeros_like(y, dtype=bool)  # in the same order of memory
    for mask in kernels.mask_of_each_place(saved):
        np.greater(mask, taken, out=mask)  # mask and not taken
        np.logical_or(taken, mask, out=taken)
    return y, saved


def window_max(x, window):
    """y[p] = the largest x[q] of window p, over all k"""
    return rules.window_max.forward(x, window)


first_max = rule(window_max, first_max_vjp, entries=rules.window_max.entries, fast=Fast(forward, kernels.window_max_vjps))


def at_places(input, places, axes):
    """Return the entries at PyTorch's places, which are numbers within the last axes."""
    flat = tg.reshape(input, (*input.shape[: input.ndim - axes], -1))
    numbers = places.numpy().reshape(*flat.shape[:-1], -1)
    return tg.reshape(tg.take_along_axis(flat, numbers, -1), tuple(places.shape))


def pooling_of(axes):
    adaptive_indices = getattr(F, f"adaptive_max_pool{axes}d_with_indices")

    def max_pool(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False, theirs=None):
        if isinstance(theirs.result, tuple):
            return at_places(input, theirs.result[1], axes)
        window = pooling_window(f"max_pool{axes}d", axes, input, kernel_size, stride or None, padding, dilation, ceil_mode)
        return first_max(input, window)

    def adaptive_max_pool(input, output_size, return_indices=False, theirs=None):
        if isinstance(theirs.result, tuple):
            return at_places(input, theirs.result[1], axes)
        return at_places(input, theirs.again(adaptive_indices, theirs.first.detach(), output_size)[1], axes)

    beside(f"max_pool{axes}d", f"F.max_pool{axes}d_with_indices", theirs=True)(max_pool)
    beside(f"adaptive_max_pool{axes}d", f"F.adaptive_max_pool{axes}d_with_indices", theirs=True)(adaptive_max_pool)


for axes in (1, 2, 3):
    pooling_of(axes)


@beside("max_unpool1d", "max_unpool2d", "max_unpool3d", "nn.max_unpool2d", "nn.max_unpool3d", theirs=True)
def max_unpool(input, indices, *args, theirs, **options):
    """Of several entries for one place the last is written, and each gets the derivative, as in PyTorch."""
    y = theirs.result.detach().numpy()
    axes = input.ndim - (2 if input.ndim > 2 and input.shape[:2] == y.shape[:2] else 1)
    return spread(input, indices, y.shape, axes, y)


def spread(x, places, shape, axes, value=None):
    """Return zeros with the entries of x added at their places within the last axes; as a value, the one that is given."""
    flat = tg.reshape(x, (-1, *x.shape[x.ndim - axes :]))
    numbers = places.reshape(flat.shape[0], -1)
    count = int(np.prod(shape[len(shape) - axes :]))
    rows = np.arange(flat.shape[0])[:, None]
    y = tg.index_put(np.zeros((flat.shape[0], count), x.dtype), (rows, numbers), tg.reshape(flat, numbers.shape), accumulate=True)
    y = tg.reshape(y, shape)
    return y if value is None or np.array_equal(y.data, value) else y + (value - y.data)


@beside("aten.max_pool2d_with_indices_backward")
def max_pool_backward(grad_output, self, kernel_size, stride, padding, dilation, ceil_mode, indices):
    """Its derivative with respect to `self` is 0."""
    return spread(grad_output, indices, self.shape, 2) + still(self, np.zeros(()))


@beside("F.fractional_max_pool2d", "F.fractional_max_pool2d_with_indices", theirs=True)
def fractional_max_pool2d(input, *args, theirs, **options):
    """The windows are drawn: PyTorch draws them again, and tells the places of their largest entries."""
    return fractional(input, F.fractional_max_pool2d_with_indices, 2, theirs)


@beside("F.fractional_max_pool3d", "F.fractional_max_pool3d_with_indices", theirs=True)
def fractional_max_pool3d(input, *args, theirs, **options):
    return fractional(input, F.fractional_max_pool3d_with_indices, 3, theirs)


def fractional(input, function, axes, theirs):
    found = theirs.result if isinstance(theirs.result, tuple) else theirs.again(function, *theirs.args, **theirs.options)
    return at_places(input, found[1], axes)

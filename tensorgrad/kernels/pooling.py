"""The largest entry of each window, and a mask for each place of the window that marks where it was found.

Both are computed while a block of x is in the processor's cache. The entries of each place are copied side by side first,
because they are read several times. The backward function needs only the masks, one byte per place. Of long windows side by
side, each is reduced by itself, and the masks are one array.
"""

from functools import reduce
from math import prod

import numpy as np

from tensorgrad.arrays.windows import (
    beside_parts,
    in_parts,
    interior,
    kernel_offsets,
    over_places,
    padded,
    place_axes,
    spatial_shape,
    tap,
    windows_along_each_axis,
)
from tensorgrad.kernels.registry import kernel
from tensorgrad.kernels.threads import each

BLOCK_BYTES = 1 << 20  # bytes of x at a time


def window_max(slots, x, window):
    """Return the maxima, and the masks if they are needed."""
    d = len(window.kernel)
    if (parts := in_parts(x, window)) is not None:
        y = over_places(np.maximum, parts, window)
        mask = np.equal(parts, beside_parts(y, window)) if slots else []
        return y, (mask, y, spatial_shape(x, d), window)
    y = np.empty_like(x, shape=(*x.shape[: x.ndim - d], *window.count(spatial_shape(x, d))))
    masks = [np.empty_like(y, dtype=bool) for _ in kernel_offsets(window)] if slots else []

    if masks:
        with_masks.each([(x[block], window, y[block], [mask[block] for mask in masks]) for block in blocks(x, d)])
    else:
        each(blocks(x, d), lambda block: largest(padded(x[block], window, -np.inf), window, spatial_shape(y, d), y[block]))
    return y, (masks, y, spatial_shape(x, d), window)


@kernel("max_pool")
def with_masks(x, window, y, masks):
    """Fill y with the largest entry of each window, and fill the masks."""
    wide, count = padded(x, window, -np.inf), spatial_shape(y, len(window.kernel))
    seen = [tap(wide, window, k, count).copy("K") for k in kernel_offsets(window)]
    y[...] = seen[0]
    for entries in seen[1:]:
        np.maximum(y, entries, out=y)
    for entries, mask in zip(seen, masks):
        np.equal(entries, y, out=mask)
    if wide is not x and (y == -np.inf).any():  # padding is never the largest
        wide = padded(x, window, np.nan)
        for k, mask in zip(kernel_offsets(window), masks):
            np.equal(tap(wide, window, k, count), y, out=mask)


def blocks(x, d):
    """Return indices of blocks of the first axis, if no window moves along it."""
    if x.ndim == d or not x.size:
        return [...]
    many = max(1, BLOCK_BYTES * len(x) // x.nbytes)
    return [slice(start, start + many) for start in range(0, len(x), many)]


def largest(wide, window, count, y):
    """Fill y with the largest entry of each window: the maximum along one axis after the other."""
    *steps, (last, n) = windows_along_each_axis(window, count, spatial_shape(wide, len(count)))
    for one, m in steps:
        wide, *others = [tap(wide, one, k, m) for k in kernel_offsets(one)]
        for i, seen in enumerate(others):
            wide = np.maximum(wide, seen, out=wide if i else None)
    first, *others = [tap(wide, last, k, n) for k in kernel_offsets(last)]
    if not others:
        y[...] = first
    for seen in others:
        first = np.maximum(first, seen, out=y)


def mask_of_each_place(aux):
    """Return the masks, also those that are one array, as a list of views."""
    masks, _, _, window = aux
    if type(masks) is list:
        return masks
    return [masks[(..., *[part for i in k for part in (slice(None), i)])] for k in kernel_offsets(window)]


def window_max_vjps(G, aux, slots):
    """Return G at each maximum, divided by the number of entries that share the maximum."""
    masks, y, size, window = aux
    if type(masks) is not list:
        axes = place_axes(window)
        if np.count_nonzero(masks) != y.size or (y != y).any():
            G = np.divide(G, np.add.reduce(masks, axes, dtype=np.intp), dtype=G.dtype)
        dx = np.empty_like(masks, G.dtype)
        np.copyto(dx, masks)  # numbers first: a product with truth values goes through buffers
        np.multiply(dx, beside_parts(G, window), out=dx)
        return [dx.reshape(*y.shape[: y.ndim - len(size)], *size)]
    count = spatial_shape(y, len(size))
    if sum(map(np.count_nonzero, masks)) != y.size or (y != y).any():  # usually no two entries are equal
        few = np.uint8 if prod(window.kernel) < 256 else np.intp
        G = np.divide(G, reduce(np.add, [mask.astype(few) for mask in masks]), dtype=G.dtype)
    wide = tuple([n + a + b for n, (a, b) in zip(size, window.padding)])
    covered = window.kernel == window.stride and tuple([n * s for n, s in zip(count, window.stride)]) == wide
    dx = (np.empty_like if covered else np.zeros_like)(y, shape=(*y.shape[: y.ndim - len(size)], *wide))
    apart = all(s >= r for s, r in zip(window.stride, window.extent))
    if apart:
        to_apart.each([(dx[block], window, G[block], [mask[block] for mask in masks]) for block in blocks(dx, len(size))])
        return [dx[interior(window, size)]]
    for k, mask in zip(kernel_offsets(window), masks):
        there = tap(dx, window, k, count)
        np.add(there, G * mask, out=there)
    return [dx[interior(window, size)]]


@kernel("max_pool_vjp")
def to_apart(dx, window, G, masks):
    """Fill the places of windows that do not overlap."""
    count = spatial_shape(G, len(window.kernel))
    for k, mask in zip(kernel_offsets(window), masks):
        np.multiply(G, mask, out=tap(dx, window, k, count))

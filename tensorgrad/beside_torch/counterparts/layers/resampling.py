"""Images at other positions: interpolate, grid_sample, and the functions of torch._C._nn that they call."""

from itertools import product
from math import prod

import numpy as np
import torch

import tensorgrad as tg
from tensorgrad.beside_torch.counterparts.table import Unsupported, beside
from tensorgrad.rules.images.resampling import weighted_entries
from tensorgrad.tensor import constant


@beside("F.interpolate")
def interpolate(
    input, size=None, scale_factor=None, mode="nearest", align_corners=None, recompute_scale_factor=None, antialias=False
):  # fmt: skip
    if mode == "area":
        return getattr(tg, f"adaptive_avg_pool{input.ndim - 2}d")(input, area(input, size, scale_factor))
    if antialias:
        if align_corners or (scale_factor is not None and not recompute_scale_factor):
            raise Unsupported("antialias=True with align_corners=True or a scale_factor")
        return smoothed(input, area(input, size, scale_factor), mode)
    if mode == "nearest-exact":
        return nearest_exact(input, area(input, size, scale_factor) if recompute_scale_factor else size, scale_factor)
    size = tuple(size) if isinstance(size, list | tuple) else size
    return tg.interpolate(input, size, scale_factor, mode, align_corners, bool(recompute_scale_factor))


def area(input, size, scale_factor):
    if size is not None:
        return size
    factors = scale_factor if isinstance(scale_factor, list | tuple) else [scale_factor] * (input.ndim - 2)
    return tuple([int(n * f) for n, f in zip(input.shape[2:], factors)])


HATS = {  # mode: (the half width of the weights, the weights by distance)
    "bilinear": (1, lambda d: np.maximum(1 - d, 0)),
    "bicubic": (2, lambda d: np.where(d < 1, (1.5 * d - 2.5) * d * d + 1, np.where(d < 2, ((-0.5 * d + 2.5) * d - 4) * d + 2, 0))),
}


def smoothed(input, sizes, mode):
    """Weigh all entries near the middle of a new one: the weights are as wide as the new entries. Source: PyTorch's antialias=True."""
    width, weight_at = HATS[mode]
    sizes = sizes if isinstance(sizes, list | tuple) else [sizes] * (input.ndim - 2)
    for axis, m in enumerate(sizes, start=2):
        n = input.shape[axis]
        step = n / m
        middle, reach = (np.arange(m) + 0.5) * step, width * max(step, 1)
        first = np.maximum((middle - reach + 0.5).astype(int), 0)
        last = np.minimum((middle + reach + 0.5).astype(int), n)
        places = first[:, None] + np.arange((last - first).max())
        weights = np.where(places < last[:, None], weight_at(np.abs(places - middle[:, None] + 0.5) / max(step, 1)), 0)
        input = weighted_entries(input, axis, np.minimum(places, n - 1), weights / weights.sum(1, keepdims=True))
    return input


@beside("aten._upsample_bilinear2d_aa")
def upsample_bilinear_aa(input, output_size, align_corners, scales_h=None, scales_w=None):
    if align_corners or scales_h is not None:
        raise Unsupported("align_corners=True, or scales")
    return smoothed(input, tuple(output_size), "bilinear")


def nearest_exact(input, size, scale_factor):
    """New entry i is the entry whose cell its middle is in."""
    factors = scale_factor if isinstance(scale_factor, list | tuple) else [scale_factor] * (input.ndim - 2)
    sizes = area(input, size, scale_factor)
    sizes = sizes if isinstance(sizes, list | tuple) else [sizes] * (input.ndim - 2)
    for axis, (m, f) in enumerate(zip(sizes, factors), start=2):
        n = input.shape[axis]
        places = np.floor((np.arange(m) + 0.5) * (n / m if f is None or size is not None else 1 / f)).astype(int)
        input = tg.take(input, np.minimum(places, n - 1), axis)
    return input


@beside("torch.affine_grid_generator", theirs=True)
def affine_grid(theta, size, align_corners, theirs=None):
    """y = [p, 1] θᵀ for the places p between -1 and 1, which the matrix [1, 0] leaves as they are."""
    n, d = theta.shape[:2]
    places = theirs.at(torch.eye(d, d + 1, dtype=theirs.first.dtype).expand(n, d, d + 1)).numpy()
    ones = np.ones((*places.shape[:-1], 1), places.dtype)
    y = tg.matmul(np.concatenate([places, ones], -1).reshape(n, -1, d + 1), theta.mT)
    return tg.reshape(y, places.shape)


@beside("grid_sampler", "torch.grid_sampler_2d", "torch.grid_sampler_3d")
def grid_sampler(input, grid, interpolation_mode, padding_mode, align_corners):
    """Sample x (n, channels, *size) at the positions of the grid, which has the last axis first: -1 and 1 are the ends of an axis."""
    size, axes = input.shape[2:], input.ndim - 2
    positions = [position(grid[..., axes - 1 - k], size[k], padding_mode, align_corners, interpolation_mode) for k in range(axes)]
    if interpolation_mode == 1:
        return read(input, [np.rint(p.data).astype(int) for p in positions], padding_mode) + zero(positions)
    if interpolation_mode == 2:
        return bicubic(input, positions, padding_mode, align_corners)
    low = [np.floor(p.data) for p in positions]
    y = 0
    for corner in product((0, 1), repeat=axes):
        weight = prod([p - at if up else at + 1 - p for p, at, up in zip(positions, low, corner)])
        there = [(at + up).astype(int) for at, up in zip(low, corner)]
        y = y + read(input, there, padding_mode) * tg.unsqueeze(weight, 1)
    return y


def zero(positions):
    """Return a 0 that depends on the grid: its derivative is 0 where the nearest entry is taken."""
    return tg.where(False, tg.sum(positions[0]), 0.0)


def position(x, n, padding_mode, align_corners, interpolation_mode):
    """Return positions between -1 and 1 as places along an axis of n entries, moved into it unless zeros lie outside."""
    place = (x + 1) * ((n - 1) / 2) if align_corners else ((x + 1) * n - 1) / 2
    return place if interpolation_mode == 2 else inside(place, n, padding_mode, align_corners)


def inside(place, n, padding_mode, align_corners):
    if padding_mode == 2:
        low, high = (0, n - 1) if align_corners else (-0.5, n - 0.5)
        place = reflected(place, low, high)
    return clipped(place, n) if padding_mode else place


def clipped(place, n):
    """Clip to the first and last entries; the derivative is 0 at these and beyond them, as PyTorch's is."""
    return tg.where((place.data > 0) & (place.data < n - 1), place, np.clip(place.data, 0, n - 1))


def reflected(place, low, high):
    """Reflect at both ends, as often as needed."""
    if high == low:
        return tg.where(False, place, 0.0)
    sign = np.where(place.data < low, -1.0, 1.0)
    away = (place - low) * sign
    times = np.floor(away.data / (high - low))
    rest = away - times * (high - low)
    return tg.where(times % 2 == 0, rest + low, high - rest)


def read(input, places, padding_mode):
    """Return x[:, :, places], and 0 for a place outside of x."""
    size = input.shape[2:]
    known = np.logical_and.reduce([(i >= 0) & (i < n) for i, n in zip(places, size)])
    sample = np.arange(input.shape[0]).reshape(-1, *[1] * (known.ndim - 1))
    index = (sample, slice(None), *[np.clip(i, 0, n - 1) for i, n in zip(places, size)])
    found = tg.moveaxis(tg.getitem(input, index), -1, 1)  # NumPy puts the channels last
    return found if known.all() else tg.where(np.expand_dims(known, 1), found, 0.0)


def bicubic(input, positions, padding_mode, align_corners):
    """Weigh four neighbours along each axis, with Keys' cubic for a = -3/4; each neighbour is moved inside on its own."""
    near = lambda d: (1.25 * d - 2.25) * d * d + 1
    far = lambda d: ((-0.75 * d + 3.75) * d - 6) * d + 3
    low = [np.floor(p.data) for p in positions]
    weights = []
    for p, at in zip(positions, low):
        share = p - at
        weights.append([far(share + 1), near(share), near(1 - share), far(2 - share)])
    y = 0
    for offsets in product(range(4), repeat=len(positions)):
        places = [at + k - 1 for at, k in zip(low, offsets)]
        if padding_mode:
            places = [inside(constant(i), n, padding_mode, align_corners).data for i, n in zip(places, input.shape[2:])]
        weight = prod([w[k] for w, k in zip(weights, offsets)])
        y = y + read(input, [np.floor(i).astype(int) for i in places], padding_mode) * tg.unsqueeze(weight, 1)
    return y

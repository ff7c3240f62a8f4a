"""Resize images by repeating, weighing and moving entries: interpolate, pixel_shuffle, pixel_unshuffle."""

from functools import lru_cache, reduce
from math import isfinite, prod

import numpy as np

from scalargrad.messages.errors import must_be_one_of
from tensorgrad.arrays.windows import per_axis
from tensorgrad.public import Array, Option, public
from tensorgrad.rule import rule
from tensorgrad.rules.moving import repeat

__all__ = ["interpolate", "pixel_shuffle", "pixel_unshuffle"]


def weighted_entries_vjp(G, x_shape, axis, places, weights):
    """dz/dx[q] = Σ over i, j: weights[i,j] dz/dy[i] where places[i,j] = q"""
    return weighted_sums(G, x_shape[axis], axis, places, weights)


@rule(weighted_entries_vjp)
def weighted_entries(x, axis, places, weights):
    """y[i] = Σ over j: weights[i,j] x[places[i,j]], along an axis"""
    if x.dtype != object and x.size <= FEW:
        y = times_matrix(x, matrix_of(x.shape[axis], places, weights, x.dtype).T, axis)
        if isfinite(np.add.reduce(y, None)):
            return y
    parts = (np.take(x, place, axis) for place in places.T)
    weighted = (np.multiply(part, along(weight, x, axis), out=part) for part, weight in zip(parts, weights.T))
    return sum(weighted) if x.dtype == object else reduce(lambda y, part: np.add(y, part, out=y), weighted)


def weighted_sums_vjp(G, axis, places, weights):
    """dz/dx[i] = Σ over j: weights[i,j] dz/dy[places[i,j]]"""
    return weighted_entries(G, axis, places, weights)


FEW = 1 << 10  # entries up to which a product with such a matrix takes less time than the sum of a few weighted entries
SMALL = 1 << 16  # entries of a matrix with which a product takes less time than sums of its few weights


@rule(weighted_sums_vjp)
def weighted_sums(x, count, axis, places, weights):
    """y[q] = Σ over i, j: weights[i,j] x[i] where places[i,j] = q, along an axis of `count` entries. The places ascend with i."""
    if x.dtype != object and count * len(places) <= SMALL:
        y = by_matrix(x, count, axis, places, weights)
        if isfinite(np.add.reduce(y, None)):
            return y
    y = np.zeros((*x.shape[:axis], count, *x.shape[axis + 1 :]), x.dtype)
    before = (slice(None),) * axis
    for place, weight in zip(places.T, weights.T):
        number = np.arange(len(place)) - np.searchsorted(place, place)  # within a run of equal places; += needs different ones
        for i in range(number.max() + 1):
            some = np.flatnonzero(number == i)
            y[(*before, place[some])] += along(weight[some], x, axis) * x[(*before, some)]
    return y


def by_matrix(x, count, axis, places, weights):
    """Compute the sums as one product with a matrix, whose zeros would spread inf and nan. It takes a tenth of the time."""
    return times_matrix(x, matrix_of(count, places, weights, x.dtype), axis)


def matrix_of(count, places, weights, dtype):
    """Return the matrix with weights[i,j] at row places[i,j] of column i; small ones are remembered."""
    if places.size > FEW or places.dtype != int or weights.dtype != float:
        return new_matrix(count, places, weights, dtype)
    return remembered_matrix(count, places.shape, places.tobytes(), weights.tobytes(), dtype)


@lru_cache(64)
def remembered_matrix(count, shape, places, weights, dtype):
    return new_matrix(count, np.frombuffer(places, int).reshape(shape), np.frombuffer(weights).reshape(shape), dtype)


def new_matrix(count, places, weights, dtype):
    matrix = np.zeros((count, len(places)), dtype)
    np.add.at(matrix, (places, np.arange(len(places))[:, None]), weights)
    return matrix


def times_matrix(x, matrix, axis):
    """Return x with each line along an axis multiplied by the matrix."""
    if axis == x.ndim - 1:
        return x @ matrix.T
    y = matrix @ x.reshape(*x.shape[: axis + 1], prod(x.shape[axis + 1 :]))
    return y.reshape(*x.shape[:axis], len(matrix), *x.shape[axis + 1 :])


def along(weight, x, axis):
    """Return weights for the entries along an axis of x, in the dtype of x."""
    weight = weight if x.dtype == object else weight.astype(x.dtype)
    return weight.reshape(-1, *[1] * (x.ndim - axis - 1))


@lru_cache(64)
def copies_of(distance, n, m, axes):
    """Return how often each of n entries is taken by m new ones, which ascend: one number if all are taken equally often."""
    copies = np.bincount(nearest(distance, n, m, axes), minlength=n)
    return int(copies[0]) if (copies == copies[0]).all() else copies


def linear(position, old):
    """Return the two entries around a position, with weights that are proportional to the distance from the other one."""
    position = position.clip(0)
    before = np.minimum(position.astype(int), old - 1)
    share = np.minimum(position - before, 1)
    return np.stack([before, np.minimum(before + 1, old - 1)], 1), np.stack([1 - share, share], 1)


def cubic(position, old):
    """Return the four entries around a position, with the weights of Keys' cubic for a = -3/4; entries outside repeat the border."""
    before = np.minimum(np.floor(position), old - 1).astype(int)
    share = np.minimum(position - before, 1)
    near = lambda d: (1.25 * d - 2.25) * d * d + 1  # for a distance d up to 1: (a + 2) d³ - (a + 3) d² + 1
    far = lambda d: ((-0.75 * d + 3.75) * d - 6) * d + 3  # up to 2: a d³ - 5a d² + 8a d - 4a
    weights = np.stack([far(share + 1), near(share), near(1 - share), far(2 - share)], 1)
    return (before[:, None] + np.arange(-1, 3)).clip(0, old - 1), weights


MODES: dict = {  # mode: (number of axes, or None for any; the entries and weights at positions along an axis)
    "nearest": (None, None),
    "linear": (1, linear),
    "bilinear": (2, linear),
    "trilinear": (3, linear),
    "bicubic": (2, cubic),
}


@public
def interpolate(x: Array, size=None, scale_factor=None, mode="nearest", align_corners=None, recompute_scale_factor=False):
    """Return x (batch, channels, *size) resized to the new `size`, or by a `scale_factor`; one number, or one per axis.

    In formulas, along each axis, where new entries are s = old / new of the old ones apart, or s = 1 / f with a factor f:
        y[n,c,i] = x[n,c,⌊i · s⌋], for mode="nearest"
        y[n,c,i] = Σ over -2 <= j < old + 2: w · x[n,c,clamp(j, 0, old - 1)], otherwise
        dz/dx[n,c,k] = Σ over i where ⌊i · s⌋ = k: dz/dy[n,c,i], for mode="nearest"
        dz/dx[n,c,k] = Σ over i: Σ over -2 <= j < old + 2 where clamp(j, 0, old - 1) = k: w · dz/dy[n,c,i], otherwise
        w = 5/4 d³ - 9/4 d² + 1 where d <= 1, else -3/4 d³ + 15/4 d² - 6 d + 3 where d <= 2, else 0, for mode="bicubic"
        w = max(0, 1 - d), otherwise
        d = |p - j|
        p = i (old - 1) / (new - 1), for align_corners=True
        p = (i + 1/2) · s - 1/2, otherwise

    A factor f makes ⌊old · f⌋ entries. The gradient of an entry is the sum over the entries that use it, each times its weight.
    Raises ValueError for a mode that is not for so many axes, and unless exactly one of size and scale_factor is given.

    - mode: with "nearest" and a factor f PyTorch rounds 1 / f first, so it may take the entry before if i / f is an integer. Of images
      (two axes), an axis that keeps or doubles its length takes each entry once or twice, whatever the factor, as in PyTorch.
      "linear", "bilinear" and "trilinear" (for one, two and three axes) weigh the two neighbours along each axis, and "bicubic"
      (two axes) weighs four
    - align_corners: the positions of the new entries, except for "nearest". If true, the first and last entries of an axis stay in
      place. If false (the default), entries are cells of equal width: new entry i is at (i + ½) old / new - ½
    - recompute_scale_factor: treat ⌊old · f⌋ as the given size, so that new entries are old / new apart, and not 1 / f

    Source of "bicubic": R. Keys, "Cubic convolution interpolation for digital image processing", 1981.

    >>> x = np.array([[[1.0, 2.0]]])
    >>> interpolate(x, scale_factor=2), interpolate(x, 4, mode="linear")
    (array([[[1., 1., 2., 2.]]]), array([[[1.  , 1.25, 1.75, 2.  ]]]))
    """
    must_be_one_of("interpolate", MODES, mode=mode)
    if len(x.shape) < 3:
        raise ValueError(f"interpolate: x has shape {x.shape}; (batch, channels, *size) is needed")
    old = x.shape[2:]
    axes, at = MODES[mode]
    if axes not in (None, len(old)):
        other = next((name for name, (d, _) in MODES.items() if d == len(old)), "nearest")
        raise ValueError(f"interpolate: mode={mode!r} does not fit x of shape {x.shape}, (batch, channels, *size); use {other!r}")
    if mode == "nearest" and align_corners is not None:
        raise ValueError("interpolate: align_corners requires a mode that weighs neighbours, such as 'bilinear'; leave it out here")
    sizes, distances = sizes_and_distances(x, size, scale_factor, recompute_scale_factor)
    for axis, (n, m, distance) in enumerate(zip(old, sizes, distances), start=2):
        if mode == "nearest":
            copies = copies_of(distance, n, m, len(old))
            x = x if type(copies) is int and copies == 1 else repeat(x, copies, axis)
        elif m != n or mode == "bicubic":
            x = weighted_entries(x, axis, *neighbours(at, n, m, distance, bool(align_corners)))
    return x


@lru_cache(64)
def neighbours(at, n, m, distance, align_corners):
    """Return which of n entries each of m new ones weighs, and the weights."""
    new = np.arange(m)
    return at(new * (n - 1) / max(m - 1, 1) if align_corners else along_old(new + 0.5, distance) - 0.5, n)


def along_old(position, distance):
    """Return a position among the new entries as one among the old. `distance` is (a, b), for a distance of a / b between new ones."""
    a, b = distance
    return position * a / b


def nearest(distance, n, m, axes):
    """Return which of n entries each of m new ones takes. In images, each serves once or twice where n stays or doubles, as in PyTorch."""
    new = np.arange(m)
    return new // (m // n) if axes == 2 and m in (n, 2 * n) else np.minimum(along_old(new, distance), n - 1).astype(int)


def sizes_and_distances(x, size, scale_factor, recompute_scale_factor):
    """Return, for each axis, the new size, and the distance of new entries in x, as a quotient."""
    if (size is None) == (scale_factor is None):
        raise ValueError("interpolate: give either size or scale_factor, not both")
    if recompute_scale_factor and size is not None:
        raise ValueError("interpolate: recompute_scale_factor requires scale_factor; leave it out with size")
    old = x.shape[2:]
    if size is not None:
        sizes = per_axis("interpolate", "size", size, len(old), 1)
    else:
        factors = [scale_factor] * len(old) if isinstance(scale_factor, int | float) or np.ndim(scale_factor) == 0 else scale_factor
        sizes = [int(n * f) for n, f in zip(old, factors)]
        if len(factors) != len(old) or min(sizes) < 1:
            raise ValueError(
                f"interpolate: scale_factor={scale_factor} does not fit x of shape {x.shape}; give one number, or one for "
                "each axis after the channels, and leave every axis at least one entry"
            )
    if size is not None or recompute_scale_factor:
        return sizes, [*zip(old, sizes)]
    return sizes, [(1, f) for f in factors]


@public
def pixel_shuffle(x: Array, upscale_factor: Option):
    """Rearrange channels into pixels; r is upscale_factor.

    In formulas, for a, b < r:
        y[n,c,h · r + a,w · r + b] = x[n,c · r² + a · r + b,h,w]
        dz/dx[n,c · r² + a · r + b,h,w] = dz/dy[n,c,h · r + a,w · r + b]

    (..., channels · r², height, width) becomes (..., channels, height · r, width · r).

    In the backward pass:
        dz/dx = dz/dy, rearranged back

    Raises ValueError if r² does not divide the channels. Source: Shi and others, "Real-time single image and video
    super-resolution", 2016.

    >>> pixel_shuffle(np.arange(4.0).reshape(1, 4, 1, 1), 2)[0, 0]
    array([[0., 1.],
           [2., 3.]])
    """
    r = image_factor("pixel_shuffle", x, upscale_factor)
    *before, channels, height, width = x.shape
    if channels % (r * r):
        raise ValueError(f"pixel_shuffle: x of shape {x.shape} has {channels} channels, which {r}² = {r * r} does not divide")
    n = len(before)
    y = x.reshape((*before, channels // (r * r), r, r, height, width))
    return y.transpose((*range(n + 1), n + 3, n + 1, n + 4, n + 2)).reshape((*before, channels // (r * r), height * r, width * r))


@public
def pixel_unshuffle(x: Array, downscale_factor: Option):
    """Rearrange pixels into channels; r is downscale_factor.

    In formulas, for a, b < r:
        y[n,c · r² + a · r + b,h,w] = x[n,c,h · r + a,w · r + b]
        dz/dx[n,c,h · r + a,w · r + b] = dz/dy[n,c · r² + a · r + b,h,w]

    (..., channels, height · r, width · r) becomes (..., channels · r², height, width).

    In the backward pass:
        dz/dx = dz/dy, rearranged back

    It undoes `pixel_shuffle`. Raises ValueError if r does not divide height and width.

    >>> pixel_unshuffle(np.arange(4.0).reshape(1, 1, 2, 2), 2)[0, :, 0, 0]
    array([0., 1., 2., 3.])
    """
    r = image_factor("pixel_unshuffle", x, downscale_factor)
    *before, channels, height, width = x.shape
    if height % r or width % r:
        raise ValueError(f"pixel_unshuffle: x of shape {x.shape} has sides {height} and {width}, which the factor {r} does not divide")
    n = len(before)
    y = x.reshape((*before, channels, height // r, r, width // r, r))
    return y.transpose((*range(n + 1), n + 2, n + 4, n + 1, n + 3)).reshape((*before, channels * r * r, height // r, width // r))


def image_factor(name, x, factor):
    """Return the factor as an integer above 0, for an x of at least three axes."""
    if len(x.shape) < 3:
        raise ValueError(f"{name}: x has shape {x.shape}; (..., channels, height, width) is needed")
    return per_axis(name, "the factor", factor, 1, 1)[0]

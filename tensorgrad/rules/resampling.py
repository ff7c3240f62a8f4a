"""Resize images by moving and repeating entries: interpolate, pixel_shuffle, pixel_unshuffle."""

import numpy as np

from scalargrad.errors import unknown_choice
from tensorgrad.public import public
from tensorgrad.rules.moving import repeat
from tensorgrad.windows import per_axis

__all__ = ["interpolate", "pixel_shuffle", "pixel_unshuffle"]


@public
def interpolate(x, size=None, scale_factor=None, mode="nearest", recompute_scale_factor=False):
    """Return x (batch, channels, *size) resized; entry i of an axis is entry ⌊i · old / new⌋ of x (nearest, as in PyTorch).

    Give the new `size` or a `scale_factor`, as one number or one per axis. The gradient of an entry is the sum over its copies.
    Raises ValueError for another mode, and unless exactly one of size and scale_factor is given.

    - scale_factor: a factor f makes ⌊old · f⌋ entries; entry i is entry ⌊i / f⌋ of x
    - recompute_scale_factor: treat ⌊old · f⌋ as the given size

    >>> interpolate(np.array([[[1.0, 2.0]]]), scale_factor=2)
    array([[[1., 1., 2., 2.]]])
    """
    if mode != "nearest":
        raise unknown_choice("interpolate", "mode", mode, ("nearest",))
    if len(x.shape) < 3:
        raise ValueError(f"interpolate: x has shape {x.shape}; (batch, channels, *size) is needed")
    if (size is None) == (scale_factor is None):
        raise ValueError("interpolate: give either size or scale_factor, not both")
    if recompute_scale_factor and size is not None:
        raise ValueError("interpolate: recompute_scale_factor requires scale_factor; leave it out with size")
    old = x.shape[2:]
    if size is not None:
        sizes = per_axis("interpolate", "size", size, len(old), 1)
    else:
        factors = [scale_factor] * len(old) if np.ndim(scale_factor) == 0 else scale_factor
        if len(factors) != len(old) or min(int(n * f) for n, f in zip(old, factors)) < 1:
            raise ValueError(
                f"interpolate: scale_factor={scale_factor} does not fit x of shape {x.shape}; give one number, or one for "
                "each axis after the channels, and leave every axis at least one entry"
            )
        sizes = [int(n * f) for n, f in zip(old, factors)]
    if size is not None or recompute_scale_factor:
        taken = [np.arange(m) * n // m for n, m in zip(old, sizes)]
    else:
        taken = [np.minimum(np.arange(m) / f, n - 1).astype(int) for n, m, f in zip(old, sizes, factors)]
    for axis, (n, places) in enumerate(zip(old, taken), start=2):
        if not np.array_equal(places, np.arange(n)):
            copies = np.bincount(places, minlength=n)
            x = repeat(x, copies[0] if (copies == copies[0]).all() else copies, axis)
    return x


@public
def pixel_shuffle(x, upscale_factor):
    """Rearrange channels into pixels: (..., channels · r², height, width) to (..., channels, height · r, width · r); r is
    upscale_factor.

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
def pixel_unshuffle(x, downscale_factor):
    """Rearrange pixels into channels: (..., channels, height · r, width · r) to (..., channels · r², height, width); r is
    downscale_factor.

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

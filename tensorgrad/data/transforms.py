"""Transforms of image batches (n, c, h, w): crops, flips, normalisation. A transform is called with a batch and a generator."""

from collections.abc import Sequence
from numbers import Integral

import numpy as np

from scalargrad.messages.errors import brief, must_be_integers, number
from tensorgrad.data.arguments import must_be_transform


class Transform:
    """A transform whose result is always a new array. A subclass writes `__call__`, or `overwrite`, which may write into its input.

    `Compose` calls `overwrite` for the result of another Transform, which saves a new array for each step. Random numbers come only
    from `generator`: so a resumed run draws the same ones.

    >>> class Noise(Transform):
    ...     def overwrite(self, x, generator):
    ...         x += generator.normal(0, 0.1, x.shape).astype(x.dtype)
    ...         return x
    >>> Noise()(np.zeros((1, 1, 2, 2)), np.random.default_rng(0)).round(2).tolist()
    [[[[0.01, -0.01], [0.06, 0.01]]]]
    """

    def __call__(self, x, generator=None):
        return self.overwrite(np.array(x), generator)

    def overwrite(self, x, generator=None):
        return self(x, generator)


class Compose:
    """Apply transforms one after the other. All draw from the same generator, in order.

    >>> both = Compose([ToFloat(), Normalize(0.5, 0.5)])
    >>> both(np.array([[[[0, 255]]]], dtype=np.uint8), np.random.default_rng(0)).tolist()
    [[[[-1.0, 1.0]]]]
    """

    def __init__(self, transforms: Sequence):
        self.transforms = list(transforms)
        for transform in self.transforms:
            must_be_transform("Compose", transform)

    def __call__(self, x, generator=None):
        new = False  # whether x is an array of the transform before
        for transform in self.transforms:
            x = transform.overwrite(x, generator) if new and isinstance(transform, Transform) else transform(x, generator)
            new = isinstance(transform, Transform)
        return x

    def __repr__(self):
        return f"Compose({self.transforms})"


class ToFloat(Transform):
    """Return integers from 0 to `largest` as float32 from 0 to 1.

    >>> ToFloat(largest=4)(np.array([[[[0, 1, 4]]]], dtype=np.uint8)).tolist()
    [[[[0.0, 0.25, 1.0]]]]
    """

    def __init__(self, largest: float = 255, dtype=np.float32):
        number("ToFloat", "largest", largest, 1e-30, 1e30)
        self.largest, self.dtype = largest, np.dtype(dtype)

    def __call__(self, x, generator=None):
        return np.divide(x, self.dtype.type(self.largest), dtype=self.dtype)

    def __repr__(self):
        return f"ToFloat({self.largest})"


class Normalize(Transform):
    """Return (x - mean) / std. Each is a number, or has one entry for each channel.

    >>> x = np.array([[[[3.0]], [[9.0]]]])
    >>> Normalize(mean=[1, 5], std=[2, 4])(x).ravel().tolist()
    [1.0, 1.0]
    """

    def __init__(self, mean, std):
        self.mean, self.std = np.asarray(mean, dtype=np.float64), np.asarray(std, dtype=np.float64)
        if self.mean.ndim > 1 or self.std.ndim > 1:
            raise ValueError(f"Normalize: mean and std of shapes {self.mean.shape} and {self.std.shape}; give one entry for each channel")
        if not (self.std > 0).all():
            raise ValueError(f"Normalize: std={brief(self.std.tolist())}; each must be positive")

    def overwrite(self, x, generator=None):
        must_be_images("Normalize", x)
        if x.dtype.kind != "f":
            raise TypeError(f"Normalize: the images are {x.dtype}; put ToFloat() before Normalize")
        for name, given in ("mean", self.mean), ("std", self.std):
            if given.size not in (1, x.shape[1]):
                raise ValueError(f"Normalize: {name} has {given.size} entries, the images have {x.shape[1]} channels")
        mean, std = (part.astype(x.dtype).reshape(-1, 1, 1) for part in (self.mean, self.std))
        x -= mean
        x /= std
        return x

    def __repr__(self):
        return f"Normalize({self.mean.tolist()}, {self.std.tolist()})"


class Pad(Transform):
    """Add `padding` rows and columns of `value` at all four sides.

    >>> Pad(1)(np.ones((1, 1, 1, 1)))[0, 0].tolist()
    [[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.0]]
    """

    def __init__(self, padding: int, value=0):
        must_be_integers("Pad", 0, padding=padding)
        self.padding, self.value = padding, value

    def __call__(self, x, generator=None):
        must_be_images("Pad", x)
        n, c, h, w = x.shape
        p = self.padding
        padded = np.full((n, c, h + 2 * p, w + 2 * p), self.value, dtype=x.dtype)
        padded[:, :, p : p + h, p : p + w] = x
        return padded

    def __repr__(self):
        return f"Pad({self.padding}, {self.value})"


class RandomCrop(Transform):
    """Cut a window of `size` out of every image, each at a place of its own, after `padding` zeros at all four sides.

    size is a number of pixels, or (height, width).

    >>> images = np.arange(16.0).reshape(1, 1, 4, 4)
    >>> RandomCrop(2)(images, np.random.default_rng(1))[0, 0].tolist()
    [[5.0, 6.0], [9.0, 10.0]]
    """

    def __init__(self, size, padding: int = 0):
        height, width = (size, size) if isinstance(size, Integral) else size
        must_be_integers("RandomCrop", 1, height=height, width=width)
        self.size, self.pad = (int(height), int(width)), Pad(padding)

    def __call__(self, x, generator):
        must_be_images("RandomCrop", x)
        x = self.pad(x) if self.pad.padding else x
        (height, width), (n, _, h, w) = self.size, x.shape
        if height > h or width > w:
            raise ValueError(f"RandomCrop: a window of {height} x {width} does not fit into padded images of {h} x {w}")
        top, left = generator.integers(h - height + 1, size=n), generator.integers(w - width + 1, size=n)
        windows = np.lib.stride_tricks.sliding_window_view(x, self.size, axis=(2, 3))  # (n, c, tops, lefts, height, width)
        return windows[np.arange(n), :, top, left]

    def __repr__(self):
        return f"RandomCrop({self.size}, padding={self.pad.padding})"


class RandomHorizontalFlip(Transform):
    """Mirror each image, left to right, with probability p.

    >>> RandomHorizontalFlip(p=1)(np.array([[[[1, 2, 3]]]]), np.random.default_rng(0)).tolist()
    [[[[3, 2, 1]]]]
    """

    def __init__(self, p: float = 0.5):
        number("RandomHorizontalFlip", "p", p, 0, 1)
        self.p = p

    def overwrite(self, x, generator):
        must_be_images("RandomHorizontalFlip", x)
        flipped = generator.random(len(x)) < self.p
        x[flipped] = x[flipped][..., ::-1]
        return x

    def __repr__(self):
        return f"RandomHorizontalFlip({self.p})"


def must_be_images(name, x):
    if getattr(x, "ndim", None) != 4:
        raise ValueError(f"{name}: shape {np.shape(x)} is not a batch of images (n, channels, height, width)")

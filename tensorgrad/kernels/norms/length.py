"""Norms along axes whose powers neither overflow nor underflow, for vector_norm and std."""

import numpy as np

SMALLEST_SUM = 1e-30  # the powers behind a smaller sum may have lost digits in float32


def length(x, axes, keepdims, ord=2):
    """Return (Σ |x|^ord)^(1/ord) along the axes, a tuple."""
    total = np.add.reduce(np.square(x) if ord == 2 else np.abs(x) ** ord, axes, keepdims=keepdims)
    if np.minimum.reduce(total, None, initial=1) > SMALLEST_SUM and np.maximum.reduce(total, None, initial=1) < np.inf:
        return np.sqrt(total) if ord == 2 else total ** (1 / ord)
    return scaled_length(x, axes, keepdims, ord)


def scaled_length(x, axes, keepdims, ord=2):
    """Return the same, but divide by the |x| of the largest power first: then no power is above 1."""
    size = np.abs(x)
    top = np.max(size, axis=axes, keepdims=True, initial=0) if ord > 0 else np.min(size, axis=axes, keepdims=True, initial=np.inf)
    unit = np.where((top > 0) & (top < np.inf), top, 1).astype(x.dtype)
    y = unit * np.add.reduce((size / unit) ** ord, axes, keepdims=True) ** (1 / ord)
    return y if keepdims else y.squeeze(axes)

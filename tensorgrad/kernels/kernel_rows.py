"""Convolution over two axes with stride 1 and few channels, one row of the kernel at a time.

The entries that a kernel row covers are copied once as strips, (n, height, width, column and channel). Each kernel row is then
a matrix product with a shifted part of the strips. The backward function uses the same strips of g for both gradients.
"""

import numpy as np

from tensorgrad.kernels.layout import empty_channels_last, zero_padded

BLOCK_BYTES = 1 << 20  # bytes of strips at a time


def products(x, w, window, groups):
    """Return the convolution of x with w: the sum over the kernel's rows."""
    matrices = w.transpose(2, 3, 1, 0).reshape(window.kernel[0], -1, len(w))  # (row, column and channel, out)
    return summed(x, matrices, window)


def vjps(g, x, w, window, groups, size):
    """Return dx, the convolution of g with the reversed kernel, and dw = xᵀ strips(g)."""
    window = window.mirrored()
    high, wide = window.kernel
    out, channels = g.shape[-1], (x if w is None else w).shape[-1 if w is None else 1]
    matrices = None if w is None else w[:, :, ::-1, ::-1].transpose(2, 3, 0, 1).reshape(high, -1, channels)
    dw = None if x is None else np.zeros((high, channels, wide * out), g.dtype)
    dx = summed(g, matrices, window, x, dw)
    if x is not None:
        dw = dw.reshape(high, channels, wide, out)[::-1, :, ::-1].transpose(3, 1, 0, 2)
    return dx, dw


def strips(x, window, columns, width):
    """Return (n, row and column, column and channel) for the padded rows of x: what a row of the kernel covers at each place."""
    padded = np.ascontiguousarray(zero_padded(x, window))
    entries = np.ndarray((*padded.shape[:2], columns, width), x.dtype, padded, 0, padded.strides)  # overlapping; as_strided is slower
    return entries.copy().reshape(len(x), -1, width)


def summed(x, matrices, window, partner=None, products=None):
    """Return Σ over i: strip i of x times matrix i. With a `partner`, also add partnerᵀ times strip i to `products`."""
    high, wide = window.kernel
    rows, columns = window.count(x.shape[1:-1])
    width = wide * x.shape[-1]
    y = None if matrices is None else empty_channels_last((len(x), rows, columns, matrices.shape[-1]), x.dtype)
    many = max(1, min(len(x), BLOCK_BYTES // ((rows + high - 1) * columns * width * x.itemsize)))
    scratch = None if y is None else np.empty((many, rows * columns, y.shape[-1]), x.dtype)
    for start in range(0, len(x), many):
        strip = strips(x[start : start + many], window, columns, width)
        parts = [strip[:, i * columns : (i + rows) * columns] for i in range(high)]
        if y is not None:
            total = np.matmul(parts[0], matrices[0], out=y[start : start + many].reshape(len(strip), rows * columns, -1))
            for part, matrix in zip(parts[1:], matrices[1:]):
                total += np.matmul(part, matrix, out=scratch[: len(part)])
        if partner is not None:
            other = partner[start : start + many].reshape(len(strip), rows * columns, -1).swapaxes(1, 2)
            for i, part in enumerate(parts):
                products[i] += (other @ part).sum(0)
    return y

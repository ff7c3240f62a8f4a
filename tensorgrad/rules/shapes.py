"""Functions that move entries and change none."""

import numpy as np

from tensorgrad.rule import rule

__all__ = ["reshape", "broadcast_to", "transpose", "swapaxes", "expand_dims"]
METHODS = ["swapaxes", "expand_dims"]
OF_SHAPE = ["reshape", "broadcast_to", "transpose"]


def reshape_pull(G, x_shape):
    """dz/dx = dz/dy in the shape of x"""
    return G.reshape(x_shape)


@rule(reshape_pull)
def reshape(x, shape):
    """The same entries, row by row, in another shape; one length may be -1."""
    return np.reshape(x, shape)


def broadcast_to_pull(G):
    """dz/dx = dz/dy, summed over the copies"""
    return G  # where contributions meet, what was repeated is summed


@rule(broadcast_to_pull)
def broadcast_to(x, shape):
    """x, repeated along new axes and axes of length 1."""
    return np.broadcast_to(x, shape)


def transpose_pull(G, axes):
    """dz/dx = dz/dy with its axes put back"""
    return G.transpose(None if axes is None else tuple(np.argsort([a % len(axes) for a in axes]).tolist()))


@rule(transpose_pull)
def transpose(x, axes=None):
    """The axes in another order: reversed, or as `axes` lists them."""
    return np.transpose(x, axes)


def swapaxes_pull(G, axis1, axis2):
    """dz/dx = dz/dy with the two axes swapped back"""
    return G.swapaxes(axis1, axis2)


@rule(swapaxes_pull)
def swapaxes(x, axis1, axis2):
    """Two axes change places."""
    return np.swapaxes(x, axis1, axis2)


def expand_dims_pull(G, x_shape):
    """dz/dx = dz/dy in the shape of x"""
    return G.reshape(x_shape)


@rule(expand_dims_pull)
def expand_dims(x, axis):
    """New axes of length 1."""
    return np.expand_dims(x, axis)

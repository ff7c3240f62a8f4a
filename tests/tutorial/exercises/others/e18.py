"""Other right answers."""

import numpy as np


def sum_backward(G, shape, axis, keepdims):
    kept = list(shape)
    kept[axis] = 1
    return np.ones(shape) * G.reshape(kept)


def mean_backward(G, shape, axis, keepdims):
    return sum_backward(G / shape[axis], shape, axis, keepdims)


def reshape_backward(G, shape):
    return np.array(G.ravel().tolist()).reshape(shape)


def transpose_backward(G, axes):
    back = [0] * len(axes)
    for k, axis in enumerate(axes):
        back[axis] = k
    return np.transpose(G, back)


# ---
import numpy as np


def sum_backward(G, shape, axis, keepdims):
    return np.repeat(G if keepdims else np.expand_dims(G, axis), shape[axis], axis=axis)


def mean_backward(G, shape, axis, keepdims):
    return np.repeat(G if keepdims else np.expand_dims(G, axis), shape[axis], axis=axis) / shape[axis]


def reshape_backward(G, shape):
    dX = np.empty(shape)
    dX.flat = G.flat
    return dX


def transpose_backward(G, axes):
    return np.moveaxis(G, range(len(axes)), axes)

"""Other right answers."""

import numpy as np


def embedding_backward(index, G, rows):
    return np.eye(rows)[index].T @ G


def max_backward(X, G, axis):
    lines, dX = np.moveaxis(X, axis, -1), np.zeros(X.shape)
    for place in np.ndindex(G.shape):
        largest = lines[place] == max(lines[place])
        np.moveaxis(dX, axis, -1)[place] = G[place] * largest / sum(largest)
    return dX


# ---
import numpy as np


def embedding_backward(index, G, rows):
    dE = np.zeros((rows,) + G.shape[1:])
    for row, upstream in zip(index, G):
        dE[row] += upstream
    return dE


def max_backward(X, G, axis):
    top = np.expand_dims(X.max(axis), axis)
    ties = np.expand_dims((top == X).sum(axis), axis)
    return np.where(top == X, np.expand_dims(G, axis) / ties, 0)

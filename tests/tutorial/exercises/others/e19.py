"""Other right answers."""


def unbroadcast(G, shape):
    extra = G.ndim - len(shape)
    repeated = [i for i in range(G.ndim) if i < extra or shape[i - extra] == 1]
    total = G.sum(axis=tuple(repeated))
    return total.reshape(shape)


# ---


def unbroadcast(G, shape):
    while G.ndim > len(shape):
        G = G.sum(axis=0)
    for axis, n in enumerate(shape):
        if n == 1:
            G = G.sum(axis=axis, keepdims=True)
    return G


# ---
import numpy as np


def unbroadcast(G, shape):
    small = np.zeros(shape)
    places = np.broadcast_to(np.arange(small.size).reshape(shape), G.shape)
    np.add.at(small.reshape(-1), places, G)
    return small

"""Other right answers."""

import numpy as np


def gradients(parameters, X, y):
    W1, b1, W2, b2 = parameters
    found = [np.zeros_like(w) for w in parameters]
    for x, label in zip(X, y):  # row by row
        a = x @ W1 + b1
        h = np.where(a > 0, a, 0)
        scores = h @ W2 + b2
        p = np.exp(scores) / np.exp(scores).sum()
        p[label] -= 1
        da = W2 @ p * (a > 0)
        for total, part in zip(found, (np.outer(x, da), da, np.outer(h, p), p)):
            total += part / len(X)
    return tuple(found)


def allreduce_mean(shards, sizes):
    weights = np.array(sizes) / sum(sizes)
    return tuple(np.tensordot(weights, np.stack(parts), 1) for parts in zip(*shards))

"""Other right answers."""

import numpy as np


def cross_entropy_backward(logits, y, G):
    N, _ = logits.shape
    shifted = logits - logits.max(1)[:, None]
    P = np.exp(shifted - np.log(np.exp(shifted).sum(1))[:, None])
    P[np.arange(N), y] -= 1
    P *= G / N
    return P


# ---
import numpy as np


def cross_entropy_backward(logits, y, G):
    rows = []
    for row, right in zip(logits.tolist(), y.tolist()):
        powers = [np.exp(x - max(row)) for x in row]
        rows.append([(power / sum(powers) - (k == right)) * G / len(y) for k, power in enumerate(powers)])
    return np.array(rows)

"""Other right answers."""

import numpy as np


def numeric_grad(f, X, upstream, h=1e-6):
    gradient = np.zeros(X.shape)
    for i in np.ndindex(X.shape):
        nudge = np.zeros(X.shape)
        nudge[i] = h
        gradient[i] = ((f(X + nudge) - f(X - nudge)) / (2 * h) * upstream).sum()
    return gradient


def gradcheck(f, backward, shape, dice):
    for _ in range(5):
        X = dice.uniform(-2, 2, shape)
        upstream = dice.uniform(1, 3, np.shape(f(X)))
        got = np.asarray(backward(upstream, X))
        if got.shape != X.shape or not np.allclose(got, numeric_grad(f, X, upstream)):
            return False
    return True


# ---
import numpy as np


def gradcheck(f, backward, shape, dice):
    X = dice.normal(size=(8, *shape))
    return all(agrees(f, backward, x, dice.normal(size=f(x).shape)) for x in X)


def agrees(f, backward, X, G):
    got, h = backward(G, X), 1e-5
    if got.shape != X.shape:
        return False
    for k in range(X.size):
        nudge = np.zeros(X.size)
        nudge[k] = h
        nudge = nudge.reshape(X.shape)
        slope = ((f(X + nudge) - f(X - nudge)) * G).sum() / (2 * h)
        scale = np.abs(f(X)).max() + np.abs(slope)
        if not abs(got.flat[k] - slope) <= 1e-6 * scale:
            return False
    return True

"""Other right answers."""

import numpy as np


def batchnorm_backward(X, gamma, G, eps):
    N, mean, variance = len(X), X.mean(0), X.var(0)
    d_normal = G * gamma
    d_variance = (d_normal * (X - mean)).sum(0) * -0.5 * (variance + eps) ** -1.5
    d_mean = -d_normal.sum(0) / np.sqrt(variance + eps) + d_variance * (-2 * (X - mean)).mean(0)
    return d_normal / np.sqrt(variance + eps) + d_variance * 2 * (X - mean) / N + d_mean / N


# ---
import numpy as np


def batchnorm_backward(X, gamma, G, eps):
    N, dX = len(X), np.zeros(X.shape)
    for k in range(X.shape[1]):
        centred = X[:, k] - X[:, k].mean()
        deviation = np.sqrt(centred @ centred / N + eps)
        normal = centred / deviation
        jacobian = (np.eye(N) - 1 / N - np.outer(normal, normal) / N) / deviation
        dX[:, k] = gamma[k] * G[:, k] @ jacobian
    return dX

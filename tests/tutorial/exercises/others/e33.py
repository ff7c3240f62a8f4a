"""Other right answers."""

import numpy as np


class Softplus:
    def forward(self, x, beta):
        self.saved = x.copy(), beta
        t = x * beta
        return (np.maximum(t, 0) + np.log1p(np.exp(-abs(t)))) / beta

    def backward(self, upstream):
        x, beta = self.saved
        small = np.exp(-np.abs(beta * x))  # never above 1
        return [np.where(x > 0, 1, small) / (1 + small) * upstream, None]


class Round:
    def forward(self, x):
        return np.round(x)

    def backward(self, upstream):
        return upstream.copy()

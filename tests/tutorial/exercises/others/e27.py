"""Other right answers."""

import numpy as np


def sgd_momentum_step(w, g, state, rate, momentum):
    if "velocity" not in state:
        state["velocity"] = np.zeros_like(w)
    state["velocity"] *= momentum
    state["velocity"] += g
    return w - rate * state["velocity"]


def adam_step(w, g, state, t, rate, beta1, beta2, eps, decay):
    m, s = state.get("moments", (np.zeros_like(w), np.zeros_like(w)))
    m, s = m + (1 - beta1) * (g - m), s + (1 - beta2) * (g * g - s)
    state["moments"] = m, s
    length = rate / (1 - beta1**t)
    w = w * (1 - rate * decay)
    return w - length * m / (np.sqrt(s) / np.sqrt(1 - beta2**t) + eps)

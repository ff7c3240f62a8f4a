"""Weights that are the same on every machine, and a few steps of training with ours and with PyTorch's optimisers."""

import numpy as np

import tensorgrad as tg
from tensorgrad import optim


def weights(state):
    """Return numbers for each entry of a state: small around 0, positive around 1 for factors and variances."""
    dice, found = np.random.default_rng(11), {}
    for name in sorted(state):
        shape = np.shape(state[name])
        noise = dice.standard_normal(shape)
        if np.asarray(state[name]).dtype.kind in "iu":
            found[name] = np.zeros(shape, np.int64)
        elif len(shape) > 1:
            found[name] = noise / np.sqrt(np.prod(shape[1:]))
        else:
            found[name] = 0.1 * noise if name.endswith(("bias", "running_mean")) else 1 + 0.1 * np.tanh(noise)
    return tied(found)


def tied(state):
    """Give the two names of a shared weight the same numbers."""
    return state | ({"lm_head.weight": state["transformer.wte.weight"]} if "lm_head.weight" in state else {})


def targets(scores, classes):
    """Return a class for each row of scores."""
    return np.arange(np.prod(scores.shape[:-1])) % classes


def loss_of(scores, classes):
    return tg.cross_entropy(scores.reshape(-1, classes), targets(scores, classes))


def losses(model, x, classes, optimiser, steps=3):
    """Return the losses before each step of the optimiser, and the one after the last."""
    found = []
    for _ in range(steps):
        optimiser.zero_grad()
        z = loss_of(model(x), classes)
        z.backward()
        optimiser.step()
        found.append(z.item())
    return [*found, loss_of(model(x), classes).item()]


OPTIMISERS = {  # {name: (ours, the name of PyTorch's class, options)}
    "SGD": (lambda p: optim.SGD(p, lr=0.05, momentum=0.9, weight_decay=1e-3), "SGD", {"lr": 0.05, "momentum": 0.9, "weight_decay": 1e-3}),
    "Adam": (lambda p: optim.Adam(p, lr=0.002), "Adam", {"lr": 0.002}),
}

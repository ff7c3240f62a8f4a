"""Other right answers."""

import numpy as np


def backward(z, retain=False):
    if z.saved is None:
        raise RuntimeError("released")
    turns = topological_order(z)
    z.grad = np.ones_like(z.data)
    while turns:
        y = turns.pop(0)
        saved, upstream = y.saved, y.grad
        if not retain:
            y.saved = None
        y.grad = None
        for x, G in zip(y.inputs, y.backward_fn(upstream, *saved)):
            x.grad = x.grad + G if x.grad is not None else G.copy()


# ---

import numpy as np


class Released(RuntimeError):
    pass


def backward(z, retain=False):
    order = topological_order(z)
    for y in order:
        if y.saved is None:
            raise Released(y)
    found = {z: np.ones(z.data.shape)}
    for y in order:
        for x, G in zip(y.inputs, y.backward_fn(found.pop(y), *y.saved)):
            found[x] = found.get(x, 0) + G
        y.saved = y.saved if retain else None
    for x, G in found.items():
        x.grad = G if x.grad is None else x.grad + G

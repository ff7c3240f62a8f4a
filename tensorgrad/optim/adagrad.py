"""Adagrad: each entry of the gradient is divided by the root of the sum of all its squares so far.

Legend: p a block of a parameter, g of its gradient, t scratch, s the sum of g² (PyTorch's sum).
"""

import numpy as np

from tensorgrad.optim.optimiser import Optimiser


class Adagrad(Optimiser):
    """Adagrad. Step number n computes s = s + g², then p = p - lr / (1 + (n - 1) · lr_decay) · g / (√s + eps).

    g is dz/dp + weight_decay · p (with `maximize`, -dz/dp + …). s starts at initial_accumulator_value. Errors: see Optimiser.
    Source: Duchi, Hazan and Singer, "Adaptive Subgradient Methods for Online Learning and Stochastic Optimization", 2011.

    >>> from tensorgrad import Tensor
    >>> w = Tensor([3.0, -5.0]); adagrad = Adagrad([w], lr=0.1)
    >>> (w * w).sum().backward(); adagrad.step(); w
    Tensor([ 2.9, -4.9])
    """

    def __init__(self, params, lr=1e-2, lr_decay=0, weight_decay=0, initial_accumulator_value=0, eps=1e-10, *, maximize=False):
        options = {"lr": lr, "lr_decay": lr_decay, "eps": eps, "weight_decay": weight_decay}
        super().__init__(params, options | {"initial_accumulator_value": initial_accumulator_value, "maximize": maximize})

    def arrays(self, options):
        return {"sum": options["initial_accumulator_value"]}

    def update(self, options, number, scalar):
        rate, eps = scalar(options["lr"] / (1 + (number - 1) * options["lr_decay"])), scalar(options["eps"])

        def block(p, g, t, s):
            np.multiply(g, g, out=t)
            s += t
            np.sqrt(s, out=t)
            t += eps
            np.divide(g, t, out=t)
            t *= rate
            p -= t

        return block

"""Stochastic gradient descent: p becomes p - lr · v, where v is the gradient with momentum.

Legend: p a block of a parameter, g of its gradient, t scratch, v the velocity (PyTorch's momentum_buffer).
"""

import numpy as np

from tensorgrad.optim.optimiser import Optimiser


class SGD(Optimiser):
    """Stochastic gradient descent.

    g is dz/dp + weight_decay · p, or with `maximize` -dz/dp + weight_decay · p. Without momentum, step() subtracts lr · g. With
    momentum the velocity v is g in the first step, then momentum · v + (1 - dampening) · g. step() subtracts lr · v, or with
    `nesterov` lr · (g + momentum · v).
    Raises ValueError if nesterov is used without momentum or with dampening. Other errors: see Optimiser.
    Source: Sutskever, Martens, Dahl and Hinton, "On the importance of initialization and momentum in deep learning", 2013, as in PyTorch.

    >>> from tensorgrad import Tensor
    >>> w = Tensor([3.0]); sgd = SGD([w], lr=0.25)
    >>> (w * w).sum().backward(); sgd.step(); w
    Tensor([1.5])
    """

    counts_steps = False

    def __init__(self, params, lr=1e-3, momentum=0, dampening=0, weight_decay=0, nesterov=False, *, maximize=False):
        options = {"lr": lr, "momentum": momentum, "dampening": dampening, "weight_decay": weight_decay}
        super().__init__(params, options | {"nesterov": nesterov, "maximize": maximize})

    def require(self, options):
        if options["nesterov"] and (not options["momentum"] or options["dampening"]):
            raise ValueError(f"SGD: nesterov needs momentum above 0 and dampening=0, got {options['momentum']} and {options['dampening']}")

    def arrays(self, options):
        return {"momentum_buffer": 0} if options["momentum"] else {}

    def update(self, options, number, scalar):
        lr, momentum, nesterov = scalar(options["lr"]), scalar(options["momentum"]), options["nesterov"]
        share = 1 if number == 1 else 1 - options["dampening"]

        def plain(p, g, t):
            np.multiply(g, lr, out=t)
            p -= t

        def with_momentum(p, g, t, v):
            v *= momentum
            if share == 1:
                v += g
            else:
                np.multiply(g, share, out=t)
                v += t
            if nesterov:
                np.multiply(v, momentum, out=t)
                t += g
                t *= lr
            else:
                np.multiply(v, lr, out=t)
            p -= t

        return with_momentum if momentum else plain

"""Stochastic gradient descent: p becomes p - lr · v, where v is the gradient with momentum.

Legend: p a block of a parameter, g of its gradient, t scratch, v the velocity (PyTorch's momentum_buffer).
"""

import numpy as np

from tensorgrad.kernels.blocks import ROOMS
from tensorgrad.kernels.registry import kernel
from tensorgrad.optim.optimiser import ByKernel, Optimiser, decayed


@kernel("sgd")
def sgd(p, g, state, decay, momentum, share, lr, nesterov):
    """Move one block. Its state is v, or nothing without momentum; decay is None without weight decay."""
    t = ROOMS.like(p)
    if decay is not None:
        g = decayed(g, p, decay, 1, ROOMS.like(p, 1))
    step = g
    for v in state:
        v *= momentum
        v += g if share == 1 else np.multiply(g, share, out=t)
        step = np.add(np.multiply(v, momentum, out=t), g, out=t) if nesterov else v
    p -= np.multiply(step, lr, out=t)


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

    counts_steps, kernel = False, sgd

    def __init__(self, params, lr=1e-3, momentum=0, dampening=0, weight_decay=0, nesterov=False, *, maximize=False):
        options = {"lr": lr, "momentum": momentum, "dampening": dampening, "weight_decay": weight_decay}
        super().__init__(params, options | {"nesterov": nesterov, "maximize": maximize})

    def require(self, options):
        if options["nesterov"] and (not options["momentum"] or options["dampening"]):
            raise ValueError(f"SGD: nesterov needs momentum above 0 and dampening=0, got {options['momentum']} and {options['dampening']}")

    def arrays(self, options):
        return {"momentum_buffer": 0} if options["momentum"] else {}

    def decays(self, options):
        return 0  # the kernel applies it

    def update(self, options, number, scalar):
        lr, momentum, nesterov = scalar(options["lr"]), scalar(options["momentum"]), options["nesterov"]
        share = 1 if number == 1 else 1 - options["dampening"]

        decay = scalar(options["weight_decay"]) if options["weight_decay"] else None
        return ByKernel(sgd, decay, momentum, share, lr, nesterov)

"""Adam and AdamW: each entry moves by its mean gradient, divided by the root of its mean squared gradient.

Legend: p a block of a parameter, g of its gradient, t scratch, m and v the running means of g and g² (PyTorch's exp_avg and exp_avg_sq),
largest the largest v so far.
"""

from math import sqrt

import numpy as np

from tensorgrad.kernels.blocks import ROOMS
from tensorgrad.kernels.registry import kernel
from tensorgrad.optim.optimiser import ByKernel, Optimiser


@kernel("adam")
def adam(p, g, state, shrink, beta1, rest1, beta2, rest2, rate, eps):
    """Move one block. Its state is m and v, with amsgrad also `largest`."""
    (m, v, *largest), t = state, ROOMS.like(p)
    if shrink != 1:
        p *= shrink
    m *= beta1
    np.multiply(g, rest1, out=t)
    m += t
    v *= beta2
    np.multiply(g, g, out=t)
    t *= rest2
    v += t
    for most in largest:
        np.maximum(most, v, out=most)
    np.sqrt(*(largest or [v]), out=t)
    t += eps
    np.divide(m, t, out=t)
    t *= rate
    p -= t


class Adam(Optimiser):
    """Adam. With betas = (β₁, β₂), step number n computes

    m = β₁ m + (1 - β₁) g,  v = β₂ v + (1 - β₂) g²,  p = p - lr · m̂ / (√v̂ + eps),  where m̂ = m / (1 - β₁ⁿ), v̂ = v / (1 - β₂ⁿ).
    g is dz/dp + weight_decay · p (with `maximize`, -dz/dp + …). With `amsgrad`, v̂ comes from the largest v so far. Errors: see Optimiser.
    Source: Kingma and Ba, "Adam: A Method for Stochastic Optimization", 2015; amsgrad: Reddi, Kale and Kumar, 2018.

    >>> from tensorgrad import Tensor
    >>> w = Tensor([3.0, -5.0]); adam = Adam([w], lr=0.1)
    >>> (w * w).sum().backward(); adam.step(); w
    Tensor([ 2.9, -4.9])
    """

    kernel = adam

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, amsgrad=False, *, maximize=False):
        options = {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay}
        super().__init__(params, options | {"amsgrad": amsgrad, "maximize": maximize})

    def arrays(self, options):
        return {"exp_avg": 0, "exp_avg_sq": 0} | ({"max_exp_avg_sq": 0} if options["amsgrad"] else {})

    def update(self, options, number, scalar):
        (beta1, beta2), shrink = options["betas"], self.shrinks(options)
        root = sqrt(1 - beta2**number)
        rate = scalar(options["lr"] / (1 - beta1**number) * root)
        eps = scalar(options["eps"] * root)  # so that √v need not be divided by root
        return ByKernel(adam, *map(scalar, (shrink, beta1, 1 - beta1, beta2, 1 - beta2)), rate, eps)

    def shrinks(self, options):
        """Return the factor that p is multiplied by before each step."""
        return 1


class AdamW(Adam):
    """Adam whose weight decay is apart from the gradient: p is multiplied by 1 - lr · weight_decay before each step of Adam.

    Errors: see Optimiser. Source: Loshchilov and Hutter, "Decoupled Weight Decay Regularization", 2019.

    >>> from tensorgrad import Tensor
    >>> w = Tensor([3.0, -5.0]); adam = AdamW([w], lr=0.1, weight_decay=0.5)
    >>> (w * w).sum().backward(); adam.step(); w
    Tensor([ 2.75, -4.65])
    """

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=1e-2, amsgrad=False, *, maximize=False):
        super().__init__(params, lr, betas, eps, weight_decay, amsgrad, maximize=maximize)

    def decays(self, options):
        return 0

    def shrinks(self, options):
        return 1 - options["lr"] * options["weight_decay"]

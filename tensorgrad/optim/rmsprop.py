"""RMSprop: each entry of the gradient is divided by the root of its mean square.

Legend: p a block of a parameter, g of its gradient, t scratch, s the running mean of g² (PyTorch's square_avg), mean that of g
(grad_avg), v the velocity (momentum_buffer).
"""

import numpy as np

from tensorgrad.optim.optimiser import Optimiser


class RMSprop(Optimiser):
    """RMSprop. A step computes s = alpha · s + (1 - alpha) · g², then p = p - lr · g / (√s + eps).

    g is dz/dp + weight_decay · p (with `maximize`, -dz/dp + …). With `centered`, the square of the running mean of g is taken from s
    under the root. With momentum, v = momentum · v + g / (√s + eps), and p = p - lr · v. Errors: see Optimiser.
    Source: Hinton, "Neural Networks for Machine Learning", lecture 6, 2012; centered: Graves, 2013.

    >>> from tensorgrad import Tensor
    >>> w = Tensor([3.0, -5.0]); rmsprop = RMSprop([w], lr=0.1, eps=0.0)
    >>> (w * w).sum().backward(); rmsprop.step(); w.data.round(6).tolist()
    [2.0, -4.0]
    """

    def __init__(self, params, lr=1e-2, alpha=0.99, eps=1e-8, weight_decay=0, momentum=0, centered=False, *, maximize=False):
        options = {"lr": lr, "alpha": alpha, "eps": eps, "weight_decay": weight_decay, "momentum": momentum}
        super().__init__(params, options | {"centered": centered, "maximize": maximize})

    def arrays(self, options):
        wanted = {"square_avg": True, "grad_avg": options["centered"], "momentum_buffer": options["momentum"]}
        return {name: 0 for name, there in wanted.items() if there}

    def update(self, options, number, scalar):
        lr, alpha, eps, momentum = (scalar(options[name]) for name in ("lr", "alpha", "eps", "momentum"))
        rest, centered = scalar(1 - options["alpha"]), options["centered"]

        def block(p, g, t, s, *others):
            s *= alpha
            np.multiply(g, g, out=t)
            t *= rest
            s += t
            if centered:
                mean = others[0]
                mean *= alpha
                np.multiply(g, rest, out=t)
                mean += t
                np.multiply(mean, mean, out=t)
                np.subtract(s, t, out=t)
            np.sqrt(t if centered else s, out=t)
            t += eps
            np.divide(g, t, out=t)
            if momentum:
                v = others[-1]
                v *= momentum
                v += t
                np.multiply(v, lr, out=t)
            else:
                t *= lr
            p -= t

        return block

"""Dropout: set entries to 0 at random in training, and do nothing after eval()."""

from tensorgrad.functions.normalisation import dropout
from tensorgrad.nn import random
from tensorgrad.nn.module import Module
from tensorgrad.nn.sizes import probability


class Dropout(Module):
    """In training, set each entry to 0 with probability p and divide the others by 1 - p. After eval(), return the input.

    The random numbers come from `generator`, or from the default that nn.seed() starts. Source: Srivastava and others, "Dropout",
    2014.

    >>> import numpy as np; from tensorgrad import nn
    >>> drop = nn.Dropout(0.5, generator=np.random.default_rng(0))
    >>> drop(np.ones(6)).tolist(), drop.eval()(np.ones(2)).tolist()
    ([2.0, 0.0, 0.0, 0.0, 2.0, 2.0], [1.0, 1.0])
    """

    def __init__(self, p=0.5, inplace=False, *, generator=None):
        super().__init__()
        self.p, self.inplace = probability(type(self).__name__, p), inplace
        self.generator = None if generator is None else random.generator_or_default(type(self).__name__, generator)

    def forward(self, x):
        if not self.training or self.p == 0:
            return x
        return dropout(x, self.p, rng=self.generator or random.default_generator())

    def extra_repr(self):
        return f"p={self.p}, inplace={self.inplace}"

"""Dropout: set entries to 0 at random in training, and do nothing after eval()."""

import numpy as np

from scalargrad.messages.errors import number
from tensorgrad.functions.normalisation import dropout
from tensorgrad.nn import random
from tensorgrad.nn.by_axes import ByAxes
from tensorgrad.nn.module import Module

__all__ = ["Dropout", "Dropout1d", "Dropout2d", "Dropout3d"]


class Dropping(Module):
    """What all kinds of dropout share: their settings, and that they return the input after eval()."""

    def __init__(self, p=0.5, inplace=False, *, generator=None):
        super().__init__()
        self.p, self.inplace = number(type(self).__name__, "p", p, 0, 1), inplace
        self.generator = None if generator is None else random.generator_or_default(type(self).__name__, generator)

    def forward(self, x):
        return self._dropped(x, self.generator or random.default_generator()) if self.training and self.p else x

    def extra_repr(self):
        return f"p={self.p}, inplace={self.inplace}"


class Dropout(Dropping):
    """In training, set each entry to 0 with probability p and divide the others by 1 - p. After eval(), return the input.

    The random numbers come from `generator`, or from the default that nn.seed() starts. Source: Srivastava and others, "Dropout",
    2014.

    >>> import numpy as np; from tensorgrad import nn
    >>> drop = nn.Dropout(0.5, generator=np.random.default_rng(0))
    >>> drop(np.ones(6)).tolist(), drop.eval()(np.ones(2)).tolist()
    ([2.0, 0.0, 0.0, 0.0, 2.0, 2.0], [1.0, 1.0])
    """

    def _dropped(self, x, generator):
        return dropout(x, self.p, rng=generator)


class DroppedChannels(ByAxes, Dropping):
    """Dropout of whole channels: Dropout1d, Dropout2d and Dropout3d."""

    _summary = "In training, set whole channels of x, of shape {x}, to 0 with probability p. See Dropout2d."

    def forward(self, x):
        if len(np.shape(x)) - self.axes not in (1, 2):
            raise ValueError(f"x has shape {np.shape(x)}; {self.layout} is needed")
        return super().forward(x)

    def _dropped(self, x, generator):
        shape = np.shape(x)
        channels = len(shape) - self.axes  # the axes in front: (n, c) or (c,)
        mask = dropout(np.ones(shape[:channels], getattr(x, "dtype", None)), self.p, rng=generator)
        return x * mask.reshape(*mask.shape, *[1] * (len(shape) - channels))


class Dropout2d(DroppedChannels, axes=2):
    """In training, set whole channels of images to 0 with probability p and divide the others by 1 - p. See Dropout.

    x has shape (n, c, height, width). Source: Tompson and others, "Efficient Object Localization Using Convolutional Networks", 2015.

    >>> import numpy as np; from tensorgrad import nn
    >>> nn.Dropout2d(0.5, generator=np.random.default_rng(0))(np.ones((1, 3, 1, 2))).tolist()
    [[[[2.0, 2.0]], [[0.0, 0.0]], [[0.0, 0.0]]]]
    """


# fmt: off
class Dropout1d(DroppedChannels, axes=1): ...
class Dropout3d(DroppedChannels, axes=3): ...
# fmt: on

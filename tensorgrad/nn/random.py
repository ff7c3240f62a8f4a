"""The random numbers of layers: one default generator, which `seed` starts anew. A layer may be given a generator of its own."""

import numpy as np

from scalargrad.messages.errors import wrong_type

__all__ = ["seed", "default_generator"]

_default = np.random.default_rng()


def seed(n):
    """Start the default generator of all layers anew. The same seed then gives the same networks, to the bit.

    >>> from tensorgrad import nn
    >>> nn.seed(0); first = nn.Linear(2, 3)
    >>> nn.seed(0); bool((nn.Linear(2, 3).weight.data == first.weight.data).all())
    True
    """
    global _default
    _default = np.random.default_rng(n)


def default_generator():
    """Return the generator of all layers that were not given one. A checkpoint file may save its state.

    >>> from tensorgrad import nn
    >>> nn.seed(0); nn.default_generator().random() == np.random.default_rng(0).random()
    True
    """
    return _default


def generator_or_default(layer, generator):
    """Return the given generator, or the default if it is None. Raises TypeError for anything else."""
    if generator is None:
        return _default
    if not isinstance(generator, np.random.Generator):
        raise wrong_type(layer, "generator", generator, "a numpy.random.Generator; write np.random.default_rng(0)")
    return generator

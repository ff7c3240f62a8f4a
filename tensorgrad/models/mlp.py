"""MLP: linear layers with an activation between them."""

from collections.abc import Callable, Sequence
from itertools import pairwise

import tensorgrad as tg
from scalargrad.messages.errors import wrong_type
from tensorgrad import nn


class MLP(nn.Module):
    """Linear layers `layer1`, `layer2`, ... with an activation after each but the last: a multi-layer perceptron.

    `sizes` are the numbers of features: of the input, of each hidden layer, and of the result. x has shape (batch, sizes[0]), or
    (batch, *axes), which are flattened; the result has shape (batch, sizes[-1]). Raises ValueError for fewer than two sizes.

    >>> net = MLP((2, 16, 16, 1), tg.tanh)
    >>> net(tg.Tensor([[0.0, 1.0]], dtype="float32")).shape
    (1, 1)
    """

    def __init__(self, sizes: Sequence[int], activation: Callable = tg.relu, *, bias: bool = True, dtype=None, generator=None):
        super().__init__()
        if not isinstance(sizes, Sequence):
            raise wrong_type("MLP", "sizes", sizes, "a list of numbers of features; write MLP((2, 16, 1))")
        if len(sizes) < 2:
            raise ValueError(f"MLP: sizes={tuple(sizes)}; give at least two, the features of the input and of the result")
        self.activation = activation
        self.layers = tuple(f"layer{k}" for k in range(1, len(sizes)))
        for name, (inside, outside) in zip(self.layers, pairwise(sizes)):
            setattr(self, name, nn.Linear(inside, outside, bias, dtype=dtype, generator=generator))

    def forward(self, x):
        """Return the last layer's result for each row of x."""
        x = x.reshape(len(x), -1) if x.ndim > 2 else x
        for name in self.layers[:-1]:
            x = self.activation(getattr(self, name)(x))
        return getattr(self, self.layers[-1])(x)

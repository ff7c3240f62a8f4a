"""CNN: two convolutions with pooling, then linear layers, for small images. LeCun and others, 1998, called such a network LeNet."""

from collections.abc import Sequence

import numpy as np

import tensorgrad as tg
from tensorgrad import nn


class CNN(nn.Module):
    """Twice a convolution, relu and max pooling, then a hidden layer with relu and the scores of the classes.

    `image_size` is the height and width of the images, 8 for the digits of scikit-learn and 28 for MNIST; each pooling halves it. x
    has shape (batch, in_channels, image_size, image_size), the result (batch, num_classes). Raises ValueError if 4 does not
    divide image_size.

    >>> net = CNN(image_size=8, channels=(4, 8), hidden=16)
    >>> net(np.zeros((5, 1, 8, 8), np.float32)).shape
    (5, 10)
    """

    def __init__(
        self,
        image_size: int = 28,
        channels: Sequence[int] = (16, 32),
        hidden: int = 128,
        num_classes: int = 10,
        in_channels: int = 1,
        kernel_size: int = 3,
        *,
        dtype=None,
        generator: np.random.Generator | None = None,
    ):
        super().__init__()
        if image_size < 4 or image_size % 4:
            raise ValueError(f"CNN: image_size={image_size}; 4 must divide it, because it is halved twice")
        first, second = channels
        made = {"dtype": dtype, "generator": generator}
        self.conv1 = nn.Conv2d(in_channels, first, kernel_size, padding=kernel_size // 2, **made)
        self.conv2 = nn.Conv2d(first, second, kernel_size, padding=kernel_size // 2, **made)
        self.fc1 = nn.Linear(second * (image_size // 4) ** 2, hidden, **made)
        self.fc2 = nn.Linear(hidden, num_classes, **made)

    def forward(self, x):
        """Return the scores of the classes for each image."""
        y = tg.max_pool2d(tg.relu(self.conv1(x)), 2)
        y = tg.max_pool2d(tg.relu(self.conv2(y)), 2)
        y = tg.relu(self.fc1(y.reshape(len(y), -1)))
        return self.fc2(y)

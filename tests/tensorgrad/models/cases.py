"""The models that tests compare: each as ours and as PyTorch's, with the same inputs and the same names of parameters."""

from importlib.util import find_spec

import numpy as np
import pytest

from tensorgrad import models


def images(count, channels, size):
    return np.random.default_rng(3).standard_normal((count, channels, size, size))


def tokens(count, length, words):
    return np.random.default_rng(4).integers(0, words, (count, length))


def their_mlp(torch):
    from collections import OrderedDict

    nn = torch.nn
    layers = [("layer1", nn.Linear(6, 5)), ("1", nn.Tanh()), ("layer2", nn.Linear(5, 4)), ("3", nn.Tanh()), ("layer3", nn.Linear(4, 3))]
    return nn.Sequential(OrderedDict(layers))


def their_cnn(torch, size=8):
    nn = torch.nn

    class CNN(nn.Module):
        def __init__(self):
            super().__init__()
            self.conv1, self.conv2 = nn.Conv2d(1, 4, 3, padding=1), nn.Conv2d(4, 6, 3, padding=1)
            self.fc1, self.fc2 = nn.Linear(6 * (size // 4) ** 2, 12), nn.Linear(12, 10)

        def forward(self, x):
            x = torch.max_pool2d(torch.relu(self.conv1(x)), 2)
            x = torch.max_pool2d(torch.relu(self.conv2(x)), 2)
            return self.fc2(torch.relu(self.fc1(x.flatten(1))))

    return CNN()


def need_torchvision():
    """Skip the test, or the case of a test, if torchvision's ResNets are not installed."""
    if find_spec("torchvision") is None:
        pytest.skip("torchvision is not installed: python -m pip install torchvision")


def their_resnet(*args, **options):
    def make(torch):
        need_torchvision()
        from tests.tensorgrad.models.torchvision_resnet import reference

        return reference(*args, **options)

    return make


def their_gpt(**sizes):
    def make(torch):
        from tests.tensorgrad.models.torch_gpt import GPT

        return GPT(**sizes)

    return make


TINY = {"vocab_size": 7, "block_size": 6, "n_layer": 2, "n_head": 2, "n_embd": 8}
SMALL = {"widths": (4, 6, 8), "stem": "cifar"}

CASES = {  # {name: (ours with options for dtype, PyTorch's, input, classes)}
    "mlp": (lambda **o: models.MLP((6, 5, 4, 3), np.tanh, **o), their_mlp, images(4, 1, 6)[:, 0, 0], 3),
    "cnn": (lambda **o: models.CNN(8, (4, 6), 12, **o), their_cnn, images(4, 1, 8), 10),
    "cnn for 28x28": (lambda **o: models.CNN(28, (4, 6), 12, **o), lambda torch: their_cnn(torch, 28), images(4, 1, 28), 10),
    "basic blocks": (
        lambda **o: models.ResNet(models.BasicBlock, (2, 1, 1), 5, **SMALL, **o),
        their_resnet("BasicBlock", (2, 1, 1), 5, **SMALL),
        images(3, 3, 16),
        5,
    ),
    "bottlenecks": (
        lambda **o: models.ResNet(models.Bottleneck, (2, 1), 5, widths=(4, 6), **o),
        their_resnet("Bottleneck", (2, 1), 5, widths=(4, 6)),
        images(3, 3, 32),
        5,
    ),
    "gpt": (lambda **o: models.GPT(**TINY, **o), their_gpt(**TINY), tokens(3, 6, 7), 7),
    "gpt without biases": (
        lambda **o: models.GPT(**TINY, bias=False, **o),
        their_gpt(**TINY, bias=False),
        tokens(3, 6, 7),
        7,
    ),
}
LARGE = {
    "resnet18": (models.resnet18, their_resnet("BasicBlock", (2, 2, 2, 2), 1000), images(4, 3, 64), 1000),
    "resnet20": (
        models.resnet20,
        their_resnet("BasicBlock", (3, 3, 3), 10, widths=(16, 32, 64), stem="cifar"),
        images(4, 3, 32),
        10,
    ),
    "resnet34": (models.resnet34, their_resnet("BasicBlock", (3, 4, 6, 3), 1000), images(4, 3, 64), 1000),
    "resnet50": (models.resnet50, their_resnet("Bottleneck", (3, 4, 6, 3), 1000), images(4, 3, 64), 1000),
    "resnet101": (models.resnet101, their_resnet("Bottleneck", (3, 4, 23, 3), 1000), images(4, 3, 64), 1000),
}

"""Small networks of tensorgrad.models, whose graphs the tests draw, explore, play and check: functions that give z and the model."""

import numpy as np

import tensorgrad as tg
from tensorgrad import models, nn


def dice():
    return np.random.default_rng(0)


def images(*shape):
    return tg.Tensor(dice().standard_normal(shape), keep_grad=False, name="images")


def mlp():
    model = models.MLP((2, 4, 4, 1), np.tanh, generator=dice(), dtype="float64")
    return ((model(images(3, 2)) - 1) ** 2).mean(), model


def cnn():
    model = models.CNN(4, (2, 3), 4, num_classes=3, generator=dice(), dtype="float64")
    return tg.cross_entropy(model(images(2, 1, 4, 4)), [0, 2]), model


def resnet():
    model = models.ResNet(models.BasicBlock, (1, 1), 3, widths=(2, 3), stem="cifar", generator=dice(), dtype="float64")
    return tg.cross_entropy(model(images(2, 3, 4, 4)), [0, 2]), model


def gpt():
    model = models.GPT(vocab_size=5, block_size=4, n_layer=2, n_head=2, n_embd=4, generator=dice(), dtype="float64")
    return model.loss(np.array([[1, 3, 2]]), np.array([[3, 2, 0]])), model


def resnet50():
    """A ResNet-50 of few channels."""
    model = models.resnet50(10, widths=(2, 2, 4, 4), stem="cifar", generator=dice())
    return tg.cross_entropy(model(images(2, 3, 32, 32).astype(np.float32)), [0, 2]), model


class OfSteps(nn.Module):
    """Classify sequences by the last step of a body: an LSTM, or the encoder of a transformer."""

    def __init__(self, name, body):
        super().__init__()
        self.add_module(name, body)
        self.head = nn.Linear(4, 2, dtype="float64", generator=dice())

    def forward(self, x):
        y = next(self.children())(x)
        return self.head((y[0] if isinstance(y, tuple) else y)[-1])


def lstm():
    model = OfSteps("lstm", nn.LSTM(3, 4, dtype="float64", generator=dice()))
    return tg.cross_entropy(model(images(5, 2, 3)), [0, 1]), model


def encoder():
    layer = nn.TransformerEncoderLayer(4, 2, 5, dropout=0.0, dtype="float64", generator=dice())
    model = OfSteps("encoder", nn.TransformerEncoder(layer, 2))
    return tg.cross_entropy(model(images(3, 2, 4)), [0, 1]), model


SMALL = {"mlp": mlp, "cnn": cnn, "resnet": resnet, "gpt": gpt, "lstm": lstm, "encoder": encoder}

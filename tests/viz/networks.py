"""The two networks that tests of large drawings use: a multi-layer perceptron of 979 numbers, a tensor graph in the shape of ResNet-50."""

import numpy as np

import tensorgrad as tg
from scalargrad import Value, scope, tanh


def numbers(k):
    """Return numbers between -1 and 1, the same on every machine."""
    return ((k * 2654435761) % 1009 - 504) / 505


def mlp(sizes=(2, 16, 16, 1)):
    """Return a perceptron of single products and sums, as in micrograd: 2 + 16 * 8 + 16 * 50 + 49 = 979 variables."""
    with scope("input"):
        x = [Value(numbers(i + 1), name=f"x{i + 1}") for i in range(sizes[0])]
    k = 10
    for layer, (a, b) in enumerate(zip(sizes, sizes[1:]), 1):
        outputs = []
        for neuron in range(1, b + 1):
            with scope(f"layer{layer}"), scope(f"neuron{neuron}"):
                w = [Value(numbers(k := k + 1)) for _ in range(a)]
                y = w[0] * x[0]
                for w_i, x_i in zip(w[1:], x[1:]):
                    y = y + w_i * x_i
                y = y + Value(0.0)
                outputs.append(tanh(y) if layer + 1 < len(sizes) else y)
        x = outputs
    return x[0]


class Maker:
    """Makes parameters out of numbers that are the same on every machine."""

    def __init__(self):
        self.k, self.made = 0, []

    def __call__(self, name, *shape, scale=1.0):
        n = int(np.prod(shape))
        self.k += n
        self.made.append(tg.Tensor(numbers(np.arange(self.k - n, self.k)).reshape(shape) * scale, name=name))
        return self.made[-1]


def conv_bn(x, parameter, out, size, stride=1, relu=True):
    inside = x.shape[1]
    w = parameter("W", out, inside, size, size, scale=(6 / (inside * size * size)) ** 0.5)
    y = tg.conv2d(x, w, stride=stride, padding=size // 2)
    y = tg.batch_norm(y, weight=parameter("gamma", out), bias=parameter("beta", out, scale=0.1), training=True)
    return tg.relu(y) if relu else y


def bottleneck(x, parameter, width, stride):
    with scope("conv1"):
        y = conv_bn(x, parameter, width, 1)
    with scope("conv2"):
        y = conv_bn(y, parameter, width, 3, stride)
    with scope("conv3"):
        y = conv_bn(y, parameter, 4 * width, 1, relu=False)
    if x.shape != y.shape:
        with scope("shortcut"):
            x = conv_bn(x, parameter, 4 * width, 1, stride, relu=False)
    return tg.relu(y + x)


def resnet50(channels=4, size=64, batch=2, classes=10):
    """Return z and the parameters of a ResNet-50 of few channels: a stem, 3 + 4 + 6 + 3 bottlenecks with residual additions, a head."""
    parameter = Maker()
    x = tg.Tensor(numbers(np.arange(batch * 3 * size * size)).reshape(batch, 3, size, size), keep_grad=False, name="images")
    with scope("stem"):
        y = tg.max_pool2d(conv_bn(x, parameter, channels, 7, 2), 3, stride=2, padding=1)
    for stage, blocks in enumerate((3, 4, 6, 3), 1):
        with scope(f"stage{stage}"):
            for block in range(1, blocks + 1):
                with scope(f"block{block}"):
                    y = bottleneck(y, parameter, channels * 2 ** (stage - 1), 2 if block == 1 and stage > 1 else 1)
    with scope("head"):
        y = y.mean(axis=(2, 3)) @ parameter("W", y.shape[1], classes, scale=0.2) + parameter("b", classes, scale=0.1)
    z = tg.cross_entropy(y, np.arange(batch) % classes)
    z.name = "z"
    return z, parameter.made

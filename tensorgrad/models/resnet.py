"""ResNet: convolutional networks whose blocks add to their input. Architecture and names are those of torchvision.

Legend: a stage is a row of blocks on images of one size; each later stage halves the size in its first block. Source: He and
others, "Deep Residual Learning for Image Recognition", 2015. As in torchvision, a bottleneck halves the size in its 3×3
convolution, not in its first one.
"""

from collections.abc import Sequence

import numpy as np

import tensorgrad as tg
from scalargrad.messages.errors import must_be_one_of
from tensorgrad import nn

STEMS = ("imagenet", "cifar")
RECOMPUTED = (None, "blocks", "stages")


# Blocks


class NormReLU(nn.BatchNorm2d):
    """relu(batch norm of x + residual), which is one function of the graph in training."""

    def forward(self, x, residual=None):
        """Return relu(batch_norm(x) + residual). The residual has the shape of x, or is None."""
        x, momentum = self._input(x), self._momentum() if self.training else 0.0
        running = self.running_mean, self.running_var
        return tg.batch_norm_relu(x, *running, self.weight, self.bias, residual, self.training, momentum, self.eps)


class BasicBlock(nn.Module):
    """Two 3×3 convolutions, whose result is added to the input of the block. It has `width` channels.

    >>> net = ResNet(BasicBlock, (1,), num_classes=3, widths=(4,), stem="cifar")
    >>> net.layer1[0](np.zeros((2, 4, 8, 8), np.float32)).shape
    (2, 4, 8, 8)
    """

    expansion = 1

    def __init__(self, inside, width, stride, made):
        super().__init__()
        self.conv1, self.bn1 = convolution(inside, width, 3, stride, made), NormReLU(width, dtype=made["dtype"])
        self.conv2, self.bn2 = convolution(width, width, 3, 1, made), NormReLU(width, dtype=made["dtype"])
        self.downsample = projection(inside, width, stride, made)

    def forward(self, x):
        """Return relu(the convolutions of x + the shortcut of x)."""
        y = self.bn1(self.conv1(x))
        return self.bn2(self.conv2(y), shortcut(self, x))

    @property
    def last_norm(self):
        """The batch norm before the addition."""
        return self.bn2


class Bottleneck(nn.Module):
    """Convolutions 1×1, 3×3 and 1×1, whose result is added to the input of the block. It has 4 · `width` channels.

    >>> net = ResNet(Bottleneck, (1,), num_classes=3, widths=(4,), stem="cifar")
    >>> net.layer1[0](np.zeros((2, 4, 8, 8), np.float32)).shape
    (2, 16, 8, 8)
    """

    expansion = 4

    def __init__(self, inside, width, stride, made):
        super().__init__()
        outside = width * self.expansion
        self.conv1, self.bn1 = convolution(inside, width, 1, 1, made), NormReLU(width, dtype=made["dtype"])
        self.conv2, self.bn2 = convolution(width, width, 3, stride, made), NormReLU(width, dtype=made["dtype"])
        self.conv3, self.bn3 = convolution(width, outside, 1, 1, made), NormReLU(outside, dtype=made["dtype"])
        self.downsample = projection(inside, outside, stride, made)

    def forward(self, x):
        """Return relu(the convolutions of x + the shortcut of x)."""
        y = self.bn1(self.conv1(x))
        y = self.bn2(self.conv2(y))
        return self.bn3(self.conv3(y), shortcut(self, x))

    @property
    def last_norm(self):
        """The batch norm before the addition."""
        return self.bn3


def convolution(inside, outside, size, stride, made):
    """Return a convolution that keeps the size of the images at stride 1. It has no bias, since batch norm follows."""
    layer = nn.Conv2d(inside, outside, size, stride=stride, padding=size // 2, bias=False, **made)
    nn.init.kaiming_normal_(layer.weight, mode="fan_out", nonlinearity="relu", generator=made["generator"])
    return layer


def projection(inside, outside, stride, made):
    """Return a 1×1 convolution with batch norm, which gives the input of a block the shape of its result; None if it has that shape."""
    if stride == 1 and inside == outside:
        return None
    return nn.Sequential(convolution(inside, outside, 1, stride, made), nn.BatchNorm2d(outside, dtype=made["dtype"]))


def shortcut(block, x):
    """Return what is added to the result of the convolutions of a block."""
    return x if block.downsample is None else block.downsample(x)


# The network


class Stage(nn.Sequential):
    """Blocks, one after the other. Of the first `recompute` blocks, training saves only the input, and computes the block again."""

    def __init__(self, *blocks, recompute):
        super().__init__(*blocks)
        self.recompute = recompute

    def forward(self, x):
        """Return the blocks of x."""
        for number, block in enumerate(self):
            x = once_or_twice(block, str(number), x, number < self.recompute)
        return x


def once_or_twice(module, name, x, recompute):
    """Return module(x) in the scope `name`. With `recompute`, save only x in training."""
    if not (recompute and module.training):
        return module(x)
    with tg.scope(name):
        return tg.checkpoint(module.forward, x)


class ResNet(nn.Module):
    """A stem, stages of residual blocks, the mean over each image, and one linear layer.

    `x` has shape (batch, in_channels, height, width), the result (batch, num_classes).

    - block, blocks: `BasicBlock` or `Bottleneck`, and their number in each stage
    - widths: the width of the blocks of each stage; the stem has the first
    - stem: "imagenet" halves the size of the images twice, by a 7×7 convolution and by max pooling; "cifar" keeps it, with a 3×3
      convolution, for images of 32×32
    - recompute: "blocks" or "stages" saves only the input of each in training, and computes it again in the backward pass (with
      `tensorgrad.checkpoint`): less memory, more time, and the same gradients to the bit. A stage that is computed again saves only
      the inputs of its blocks, and most blocks are computed a third time
    - zero_init_residual: start the last batch norm of each block at 0, so that each block begins as its shortcut
    - dtype, generator: those of the layers

    >>> net = ResNet(BasicBlock, (1, 1), num_classes=3, widths=(4, 8), stem="cifar")
    >>> net(np.zeros((2, 3, 8, 8), np.float32)).shape
    (2, 3)
    """

    def __init__(
        self,
        block: type[BasicBlock] | type[Bottleneck],
        blocks: Sequence[int],
        num_classes: int = 1000,
        *,
        widths: Sequence[int] = (64, 128, 256, 512),
        in_channels: int = 3,
        stem: str = "imagenet",
        recompute: str | None = None,
        zero_init_residual: bool = False,
        dtype=None,
        generator: np.random.Generator | None = None,
    ):
        super().__init__()
        must_be_known(stem, recompute, blocks, widths)
        self.stem, self.recompute = stem, recompute
        made = {"dtype": dtype, "generator": generator}
        size, stride = (7, 2) if stem == "imagenet" else (3, 1)
        self.conv1, self.bn1 = convolution(in_channels, widths[0], size, stride, made), NormReLU(widths[0], dtype=dtype)
        self.stages = tuple(f"layer{number}" for number in range(1, len(blocks) + 1))
        inside = widths[0]
        for name, count, width in zip(self.stages, blocks, widths):
            strides = [1 if name == "layer1" else 2] + [1] * (count - 1)
            inputs = [inside] + [inside := width * block.expansion] * (count - 1)
            made_of = [block(x, width, stride, made) for x, stride in zip(inputs, strides)]
            # the backward pass starts with the last block of a stage, right after the stage was computed again
            again = {None: 0, "blocks": count, "stages": count - 1}[recompute]
            setattr(self, name, Stage(*made_of, recompute=again))
        self.fc = nn.Linear(inside, num_classes, **made)
        if zero_init_residual:
            for module in self.modules():
                if isinstance(module, BasicBlock | Bottleneck):
                    nn.init.zeros_(module.last_norm.weight)

    def forward(self, x):
        """Return the scores of the classes for each image."""
        y = self.bn1(self.conv1(x))
        if self.stem == "imagenet":
            y = tg.max_pool2d(y, 3, stride=2, padding=1)
        for name in self.stages:
            y = once_or_twice(getattr(self, name), name, y, self.recompute == "stages")
        return self.fc(y.mean(axis=(2, 3)))


def of_depth(block, blocks, num_classes, options):
    """Return a ResNet. Raises TypeError with advice for PyTorch's options of trained weights."""
    for name in ("pretrained", "weights"):
        if name in options:
            raise TypeError(f"ResNet: {name}= is unknown; no weights are downloaded: make the model, then models.load_weights(model, path)")
    return ResNet(block, blocks, num_classes, **options)


def must_be_known(stem, recompute, blocks, widths):
    """Raise ValueError for an unknown stem or unit of recomputing, and for blocks and widths of different numbers of stages."""
    must_be_one_of("ResNet", STEMS, stem=stem)
    must_be_one_of("ResNet", RECOMPUTED, recompute=recompute)
    if len(blocks) != len(widths):
        raise ValueError(f"ResNet: blocks={blocks} has {len(blocks)} stages and widths={widths} has {len(widths)}; give equally many")


# The networks of the paper


def resnet18(num_classes=1000, **options):
    """Return a ResNet of 18 layers with parameters, for the options of `ResNet`.

    >>> resnet18(num_classes=3, widths=(2, 2, 4, 4))(np.zeros((2, 3, 32, 32))).shape
    (2, 3)
    """
    return of_depth(BasicBlock, (2, 2, 2, 2), num_classes, options)


def resnet34(num_classes=1000, **options):
    """Return a ResNet of 34 layers with parameters, for the options of `ResNet`.

    >>> net = resnet34(10, widths=(2, 2, 2, 2), stem="cifar"); sum(len(getattr(net, stage)) for stage in net.stages)
    16
    """
    return of_depth(BasicBlock, (3, 4, 6, 3), num_classes, options)


def resnet50(num_classes=1000, **options):
    """Return a ResNet of 50 layers with parameters, for the options of `ResNet`.

    resnet50(10, stem="cifar") is for CIFAR-10. `python -m benchmarks.resnet50_training` measures its seconds and its memory, and says how
    many days the usual 200 epochs would take; accuracy after them was not measured here.

    >>> resnet50(10, widths=(1, 1, 1, 1), stem="cifar")(np.zeros((2, 3, 8, 8), np.float32)).shape
    (2, 10)
    """
    return of_depth(Bottleneck, (3, 4, 6, 3), num_classes, options)


def resnet101(num_classes=1000, **options):
    """Return a ResNet of 101 layers with parameters, for the options of `ResNet`.

    >>> net = resnet101(10, widths=(1, 1, 1, 1)); [len(getattr(net, stage)) for stage in net.stages]
    [3, 4, 23, 3]
    """
    return of_depth(Bottleneck, (3, 4, 23, 3), num_classes, options)


def resnet20(num_classes=10, **options):
    """Return the small ResNet of the paper for CIFAR-10: 3 stages of 16, 32 and 64 channels, 20 layers with parameters.

    Its shortcuts are convolutions, as in the large networks (option B of the paper).

    >>> sum(p.size for p in resnet20().parameters())
    272474
    """
    return of_depth(BasicBlock, (3, 3, 3), num_classes, {"widths": (16, 32, 64), "stem": "cifar", **options})

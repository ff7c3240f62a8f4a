"""ResNets in plain PyTorch, with torchvision's names of parameters and its order of work, so that measuring needs no torchvision."""

from torch import nn


class BasicBlock(nn.Module):
    """Two 3 × 3 convolutions beside a shortcut."""

    expansion = 1

    def __init__(self, inner, width, stride):
        super().__init__()
        self.conv1, self.bn1 = nn.Conv2d(inner, width, 3, stride, 1, bias=False), nn.BatchNorm2d(width)
        self.conv2, self.bn2 = nn.Conv2d(width, width, 3, 1, 1, bias=False), nn.BatchNorm2d(width)
        self.relu, self.downsample = nn.ReLU(inplace=True), shortcut(inner, width, stride)

    def forward(self, x):
        y = self.relu(self.bn1(self.conv1(x)))
        y = self.bn2(self.conv2(y))
        y += x if self.downsample is None else self.downsample(x)
        return self.relu(y)


class Bottleneck(nn.Module):
    """A 3 × 3 convolution between two of 1 × 1, beside a shortcut; the 3 × 3 one has the stride."""

    expansion = 4

    def __init__(self, inner, width, stride):
        super().__init__()
        self.conv1, self.bn1 = nn.Conv2d(inner, width, 1, bias=False), nn.BatchNorm2d(width)
        self.conv2, self.bn2 = nn.Conv2d(width, width, 3, stride, 1, bias=False), nn.BatchNorm2d(width)
        self.conv3, self.bn3 = nn.Conv2d(width, 4 * width, 1, bias=False), nn.BatchNorm2d(4 * width)
        self.relu, self.downsample = nn.ReLU(inplace=True), shortcut(inner, 4 * width, stride)

    def forward(self, x):
        y = self.relu(self.bn1(self.conv1(x)))
        y = self.relu(self.bn2(self.conv2(y)))
        y = self.bn3(self.conv3(y))
        y += x if self.downsample is None else self.downsample(x)
        return self.relu(y)


def shortcut(inner, outer, stride):
    """Return a 1 × 1 convolution and batch norm where the shape changes, else None."""
    if stride == 1 and inner == outer:
        return None
    return nn.Sequential(nn.Conv2d(inner, outer, 1, stride, bias=False), nn.BatchNorm2d(outer))


class ResNet(nn.Module):
    """Stages of blocks, of which each but the first halves the image. The stem is CIFAR's: one 3 × 3 convolution."""

    def __init__(self, block, blocks, num_classes, widths=(64, 128, 256, 512)):
        super().__init__()
        self.conv1, self.bn1, self.relu = nn.Conv2d(3, widths[0], 3, 1, 1, bias=False), nn.BatchNorm2d(widths[0]), nn.ReLU(inplace=True)
        self.stages, outer = len(blocks), widths[0]
        for stage, (count, width) in enumerate(zip(blocks, widths), 1):
            layers = []
            for i in range(count):
                layers.append(block(outer, width, 2 if stage > 1 and not i else 1))
                outer = width * block.expansion
            setattr(self, f"layer{stage}", nn.Sequential(*layers))
        self.avgpool, self.fc = nn.AdaptiveAvgPool2d(1), nn.Linear(outer, num_classes)
        for layer in self.modules():
            if isinstance(layer, nn.Conv2d):
                nn.init.kaiming_normal_(layer.weight, mode="fan_out", nonlinearity="relu")

    def forward(self, x):
        x = self.relu(self.bn1(self.conv1(x)))
        for stage in range(1, self.stages + 1):
            x = getattr(self, f"layer{stage}")(x)
        return self.fc(self.avgpool(x).flatten(1))

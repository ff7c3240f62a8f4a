"""torchvision's ResNets, also with other stems and widths than its own, to compare with ours."""

import importlib
import sys

import torch
from torch import nn


def torchvision_file():
    """Return torchvision's module of ResNets. It also works where torchvision's compiled operators do not fit the PyTorch there."""
    try:
        return importlib.import_module("torchvision.models.resnet")
    except RuntimeError:  # operators of boxes, which no ResNet uses, are unknown: say that they exist
        for name in [name for name in sys.modules if name.startswith("torchvision")]:
            del sys.modules[name]
        operators = torch.library.Library("torchvision", "DEF")
        for name in ("nms", "qnms"):
            operators.define(f"{name}(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
        torchvision_file.operators = operators  # they exist as long as this object
        return importlib.import_module("torchvision.models.resnet")


def reference(block, blocks, num_classes, widths=(64, 128, 256, 512), stem="imagenet"):
    """Return torchvision's ResNet of `block`, the name of its class, with the stem and the widths of the blocks of each stage."""
    resnet = torchvision_file()
    block = getattr(resnet, block)
    net = resnet.ResNet(block, (1, 1, 1, 1) if len(blocks) != 4 else blocks, num_classes)
    if tuple(widths) != (64, 128, 256, 512):
        net.inplanes = widths[0]
        net.conv1, net.bn1 = nn.Conv2d(3, widths[0], 7, 2, 3, bias=False), nn.BatchNorm2d(widths[0])
        for stage in range(1, 5):
            made = net._make_layer(block, widths[stage - 1], blocks[stage - 1], 1 if stage == 1 else 2) if stage <= len(blocks) else None
            setattr(net, f"layer{stage}", made or nn.Identity())
        net.fc = nn.Linear(net.inplanes, num_classes)
    if stem == "cifar":
        net.conv1, net.maxpool = nn.Conv2d(3, widths[0], 3, 1, 1, bias=False), nn.Identity()
    return net

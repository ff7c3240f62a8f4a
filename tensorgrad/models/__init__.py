"""Networks that are ready to train: MLP, CNN, ResNet and GPT, with the names of torchvision and nanoGPT.

Write `from tensorgrad import models`.
"""

from tensorgrad.models.cnn import CNN
from tensorgrad.models.gpt import GPT
from tensorgrad.models.mlp import MLP
from tensorgrad.models.resnet import BasicBlock, Bottleneck, ResNet, resnet18, resnet20, resnet34, resnet50, resnet101
from tensorgrad.models.weights import load_weights

__all__ = ["CNN", "GPT", "MLP", "load_weights", "BasicBlock", "Bottleneck", "ResNet"]
__all__ += ["resnet18", "resnet20", "resnet34", "resnet50", "resnet101"]

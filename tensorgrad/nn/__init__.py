"""Networks: modules with PyTorch's names, arguments, defaults and initial distributions.

Write `from tensorgrad import nn`.
"""

from tensorgrad.nn import initial as init
from tensorgrad.nn.activations import GELU, ReLU, Sigmoid, Tanh
from tensorgrad.nn.containers import ModuleDict, ModuleList, ParameterList, Sequential
from tensorgrad.nn.convolution import Conv1d, Conv2d, Conv3d, ConvTranspose1d, ConvTranspose2d, ConvTranspose3d
from tensorgrad.nn.dropout import Dropout
from tensorgrad.nn.embedding import Embedding
from tensorgrad.nn.linear import Linear
from tensorgrad.nn.module import Module
from tensorgrad.nn.normalisation import (
    BatchNorm1d,
    BatchNorm2d,
    BatchNorm3d,
    GroupNorm,
    InstanceNorm1d,
    InstanceNorm2d,
    InstanceNorm3d,
    LayerNorm,
    RMSNorm,
)
from tensorgrad.nn.parameter import Parameter
from tensorgrad.nn.pooling import (
    AdaptiveAvgPool1d,
    AdaptiveAvgPool2d,
    AdaptiveAvgPool3d,
    AdaptiveMaxPool1d,
    AdaptiveMaxPool2d,
    AdaptiveMaxPool3d,
    AvgPool1d,
    AvgPool2d,
    AvgPool3d,
    LPPool1d,
    LPPool2d,
    LPPool3d,
    MaxPool1d,
    MaxPool2d,
    MaxPool3d,
)
from tensorgrad.nn.random import seed
from tensorgrad.nn.shape import Flatten, Identity, Unflatten

# fmt: off
__all__ = [
    "Module", "Parameter", "Sequential", "ModuleList", "ModuleDict", "ParameterList", "init", "seed",
    "Linear", "Embedding",
    "Conv1d", "Conv2d", "Conv3d", "ConvTranspose1d", "ConvTranspose2d", "ConvTranspose3d",
    "BatchNorm1d", "BatchNorm2d", "BatchNorm3d", "InstanceNorm1d", "InstanceNorm2d", "InstanceNorm3d",
    "LayerNorm", "RMSNorm", "GroupNorm",
    "MaxPool1d", "MaxPool2d", "MaxPool3d", "AvgPool1d", "AvgPool2d", "AvgPool3d", "LPPool1d", "LPPool2d", "LPPool3d",
    "AdaptiveAvgPool1d", "AdaptiveAvgPool2d", "AdaptiveAvgPool3d", "AdaptiveMaxPool1d", "AdaptiveMaxPool2d", "AdaptiveMaxPool3d",
    "Dropout",
    "Flatten", "Identity", "Unflatten",
    "ReLU", "GELU", "Sigmoid", "Tanh",
]
# fmt: on

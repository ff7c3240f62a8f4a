"""Networks: modules with PyTorch's names, arguments, defaults and initial distributions.

Write `from tensorgrad import nn`.
"""

from tensorgrad.nn import initial as init
from tensorgrad.nn.activations import (
    CELU,
    ELU,
    GELU,
    GLU,
    SELU,
    Hardsigmoid,
    Hardswish,
    Hardtanh,
    LeakyReLU,
    LogSigmoid,
    LogSoftmax,
    Mish,
    PReLU,
    ReLU,
    ReLU6,
    Sigmoid,
    SiLU,
    Softmax,
    Softmin,
    Softplus,
    Softsign,
    Tanh,
)
from tensorgrad.nn.attention import MultiheadAttention
from tensorgrad.nn.containers import ModuleDict, ModuleList, ParameterList, Sequential
from tensorgrad.nn.convolution import Conv1d, Conv2d, Conv3d, ConvTranspose1d, ConvTranspose2d, ConvTranspose3d
from tensorgrad.nn.dropout import Dropout, Dropout1d, Dropout2d, Dropout3d
from tensorgrad.nn.embedding import Embedding
from tensorgrad.nn.images import Fold, PixelShuffle, PixelUnshuffle, Unfold, Upsample
from tensorgrad.nn.linear import Bilinear, Linear
from tensorgrad.nn.losses import (
    BCELoss,
    BCEWithLogitsLoss,
    CosineSimilarity,
    CrossEntropyLoss,
    GaussianNLLLoss,
    HingeEmbeddingLoss,
    HuberLoss,
    KLDivLoss,
    L1Loss,
    MSELoss,
    NLLLoss,
    PoissonNLLLoss,
    SmoothL1Loss,
)
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
    "Linear", "Bilinear", "Embedding", "MultiheadAttention",
    "Conv1d", "Conv2d", "Conv3d", "ConvTranspose1d", "ConvTranspose2d", "ConvTranspose3d",
    "BatchNorm1d", "BatchNorm2d", "BatchNorm3d", "InstanceNorm1d", "InstanceNorm2d", "InstanceNorm3d",
    "LayerNorm", "RMSNorm", "GroupNorm",
    "MaxPool1d", "MaxPool2d", "MaxPool3d", "AvgPool1d", "AvgPool2d", "AvgPool3d", "LPPool1d", "LPPool2d", "LPPool3d",
    "AdaptiveAvgPool1d", "AdaptiveAvgPool2d", "AdaptiveAvgPool3d", "AdaptiveMaxPool1d", "AdaptiveMaxPool2d", "AdaptiveMaxPool3d",
    "Dropout", "Dropout1d", "Dropout2d", "Dropout3d",
    "Flatten", "Identity", "Unflatten",
    "Upsample", "PixelShuffle", "PixelUnshuffle", "Unfold", "Fold",
    "ReLU", "ReLU6", "LeakyReLU", "PReLU", "Hardtanh", "Hardsigmoid", "Hardswish", "ELU", "CELU", "SELU",
    "Sigmoid", "LogSigmoid", "Tanh", "GELU", "SiLU", "Mish", "Softplus", "Softsign", "Softmax", "Softmin", "LogSoftmax", "GLU",
    "MSELoss", "L1Loss", "SmoothL1Loss", "HuberLoss", "BCELoss", "BCEWithLogitsLoss", "CrossEntropyLoss", "NLLLoss", "KLDivLoss",
    "PoissonNLLLoss", "GaussianNLLLoss", "HingeEmbeddingLoss", "CosineSimilarity",
]
# fmt: on

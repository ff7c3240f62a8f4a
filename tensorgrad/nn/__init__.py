"""Networks: modules with PyTorch's names, arguments, defaults and initial distributions.

Write `from tensorgrad import nn`.
"""

from scalargrad.messages.foreign_names import answer, answering
from tensorgrad.nn import initial as init
from tensorgrad.nn import module, parameter, random
from tensorgrad.nn.layers import (  # fmt: skip
    activations,
    attention,
    containers,
    convolution,
    dropout,
    embedding,
    linear,
    losses,
    normalisation,
    padding,
    pooling,
    recurrent,
    shape,
    transformer,
)
from tensorgrad.nn.layers.activations import *
from tensorgrad.nn.layers.attention import *
from tensorgrad.nn.layers.containers import *
from tensorgrad.nn.layers.convolution import *
from tensorgrad.nn.layers.dropout import *
from tensorgrad.nn.layers.embedding import *
from tensorgrad.nn.layers.linear import *
from tensorgrad.nn.layers.losses import *
from tensorgrad.nn.layers.normalisation import *
from tensorgrad.nn.layers.padding import *
from tensorgrad.nn.layers.pooling import *
from tensorgrad.nn.layers.recurrent import *
from tensorgrad.nn.layers.shape import *
from tensorgrad.nn.layers.transformer import *
from tensorgrad.nn.module import *
from tensorgrad.nn.other_names import LAYERS, MODULE, documented
from tensorgrad.nn.parameter import *
from tensorgrad.nn.random import *

# fmt: off
FAMILIES = [
    module, parameter, containers, linear, embedding, recurrent, attention, transformer, convolution, padding, normalisation, pooling,
    dropout, shape, activations, losses, random,
]
# fmt: on
__all__ = ["init", *[name for family in FAMILIES for name in family.__all__]]

__getattr__ = answering(__name__, LAYERS)
answer(module.Module, MODULE)
__doc__ = documented(__doc__)

"""Networks: modules with PyTorch's names, arguments, defaults and initial distributions.

Write `from tensorgrad import nn`.
"""

from scalargrad.messages.foreign_names import answer, answering
from tensorgrad.nn import (
    activations,
    attention,
    containers,
    convolution,
    dropout,
    embedding,
    images,
    linear,
    losses,
    module,
    normalisation,
    padding,
    parameter,
    pooling,
    random,
    recurrent,
    shape,
    transformer,
)  # fmt: skip
from tensorgrad.nn import initial as init
from tensorgrad.nn.activations import *
from tensorgrad.nn.attention import *
from tensorgrad.nn.containers import *
from tensorgrad.nn.convolution import *
from tensorgrad.nn.dropout import *
from tensorgrad.nn.embedding import *
from tensorgrad.nn.images import *
from tensorgrad.nn.linear import *
from tensorgrad.nn.losses import *
from tensorgrad.nn.module import *
from tensorgrad.nn.normalisation import *
from tensorgrad.nn.other_names import LAYERS, MODULE, documented
from tensorgrad.nn.padding import *
from tensorgrad.nn.parameter import *
from tensorgrad.nn.pooling import *
from tensorgrad.nn.random import *
from tensorgrad.nn.recurrent import *
from tensorgrad.nn.shape import *
from tensorgrad.nn.transformer import *

# fmt: off
FAMILIES = [
    module, parameter, containers, linear, embedding, recurrent, attention, transformer, convolution, padding, normalisation, pooling,
    dropout, shape, images, activations, losses, random,
]
# fmt: on
__all__ = ["init", *[name for family in FAMILIES for name in family.__all__]]

__getattr__ = answering(__name__, LAYERS)
answer(module.Module, MODULE)
__doc__ = documented(__doc__)

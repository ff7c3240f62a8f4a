"""Networks: modules with PyTorch's names, arguments, defaults and initial distributions.

Write `from tensorgrad import nn`.
"""

from tensorgrad.nn import initial as init
from tensorgrad.nn.activations import ReLU, Sigmoid, Tanh
from tensorgrad.nn.containers import ModuleDict, ModuleList, ParameterList, Sequential
from tensorgrad.nn.linear import Linear
from tensorgrad.nn.module import Module
from tensorgrad.nn.parameter import Parameter
from tensorgrad.nn.random import seed
from tensorgrad.nn.shape import Flatten, Identity, Unflatten

# fmt: off
__all__ = [
    "Module", "Parameter", "Sequential", "ModuleList", "ModuleDict", "ParameterList", "init", "seed",
    "Linear",
    "Flatten", "Identity", "Unflatten",
    "ReLU", "Sigmoid", "Tanh",
]
# fmt: on

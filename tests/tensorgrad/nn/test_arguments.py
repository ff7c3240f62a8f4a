"""The arguments of every module are PyTorch's: the same names in the same places, from the record that the book shows too."""

from inspect import Parameter, isfunction, signature
from typing import get_overloads

import pytest

from tensorgrad import nn
from tests.each import each
from tutorial.book.reference.sections import arguments, recorded

OURS = {"generator", "name"}  # random numbers of their own, and the scope of a module that stands alone
NOWHERE = {"device", "size_average", "reduce"}  # there is one device; the others are PyTorch's old ways to write reduction
LACKING = {  # what PyTorch's takes and ours does not; the book says so, too
    "Embedding": {"max_norm", "norm_type", "scale_grad_by_freq", "sparse"},
    "MultiheadAttention": {"add_bias_kv", "add_zero_attn"},
    "Hardtanh": {"min_value", "max_value"},  # old names of min_val and max_val
    **{f"ConvTranspose{d}d": {"padding_mode"} for d in "123"},
    **{f"LPPool{d}d": {"ceil_mode"} for d in "123"},
    **{f"AdaptiveMaxPool{d}d": {"return_indices"} for d in "123"},
}
OTHER_DEFAULTS = {  # PyTorch's is None, or its own relu
    *["Softmax.dim", "Softmin.dim", "LogSoftmax.dim", "ModuleList.modules", "ParameterList.values"],
    "TransformerEncoderLayer.activation",
}
MODULES = [name for name in nn.__all__ if isinstance(getattr(nn, name), type) and issubclass(getattr(nn, name), nn.Module)]


def parameters(kind):
    """Return the parameters of a class; PyTorch writes those of a recurrent layer in an overload."""
    own = kind.__init__
    return signature([*(get_overloads(own) if isfunction(own) else ()), own][0]).parameters.values()


def positional(kind):
    """Return the names of the arguments that may be given by their places."""
    return [p.name for p in parameters(kind) if p.kind is Parameter.POSITIONAL_OR_KEYWORD][1:]


@each("name", MODULES)
def test_a_module_takes_pytorchs_arguments(name):
    ours, theirs = arguments(getattr(nn, name)), recorded()[f"nn.{name}"]["arguments"]
    assert set(ours) - set(theirs) <= OURS
    assert set(theirs) - set(ours) - NOWHERE == LACKING.get(name, set())


@each("name", MODULES)
def test_each_argument_has_pytorchs_place(name):
    places, theirs = [x for x in positional(getattr(nn, name)) if x not in OURS], recorded()[f"nn.{name}"]["arguments"]
    assert places == theirs[: len(places)]


@pytest.mark.torch
@each("name", MODULES)
def test_each_argument_has_pytorchs_default(name):
    torch = pytest.importorskip("torch")
    theirs = {p.name: p.default for p in parameters(getattr(torch.nn, name))}
    for p in parameters(getattr(nn, name)):
        if p.name in theirs and f"{name}.{p.name}" not in OTHER_DEFAULTS:
            assert p.default == theirs[p.name], p.name

"""Names: each of the tutorial's library has its counterpart, and those of PyTorch that are not here get an answer."""

from operator import attrgetter

import pytest

import tensorgrad
from tensorgrad import data, nn, optim
from tensorgrad.nn.other_names import COUNTERPARTS
from tests.each import each

PACKAGES = {"nn": nn, "optim": optim, "data": data}


@each("theirs, ours", COUNTERPARTS.items())
def test_each_name_of_the_tutorials_library_has_its_counterpart(theirs, ours):
    package, _, name = ours.partition(".")
    assert callable(attrgetter(name)(PACKAGES[package]))
    assert f"{theirs} " in nn.__doc__ and ours in nn.__doc__


def test_everything_that_the_tutorials_library_offers_is_in_the_table():
    modules = {"Module", "Module.print", "Module.enable_grad", "Module.disable_grad", "Parameter"}
    layers = {"Linear", "Convolution", "MaxPool", "Flatten", "ReLU", "Sigmoid", "Tanh"}
    training = {"SGD", "LRScheduler", "BatchLoader", "train_val_split", "accuracy"}
    transforms = {"ComposeTransforms", "RandomCrop", "RandomHorizontalFlip", "Normalize", "ToFloat"}
    assert COUNTERPARTS.keys() == modules | layers | training | transforms


@each(
    "read, message",
    [
        (lambda: nn.Convolution, r"tensorgrad\.nn has no Convolution: it is called nn\.Conv2d here"),
        (lambda: nn.utils, r"there are no packed sequences"),
        (lambda: nn.functional, r"the functions are tensorgrad's"),
        (lambda: nn.Linear(1, 1).cuda, r"Linear has no cuda: there is one device, the CPU"),
        (lambda: nn.Linear(1, 1).fit, r"write a loop"),
        (lambda: nn.Linear(1, 1).nothing, r"nothing"),
        (lambda: tensorgrad.Linear, r"layers are in tensorgrad\.nn: from tensorgrad import nn"),
    ],
    ids=range(7),
)
def test_a_name_that_is_elsewhere_says_where(read, message):
    with pytest.raises(AttributeError, match=message):
        read()


def test_importing_such_a_name_says_so_too():
    with pytest.raises(ImportError, match="it is called Linear"):
        from tensorgrad.nn import Dense  # noqa: F401


def test_a_module_may_have_such_a_name_for_an_attribute():
    module = nn.Module()
    module.step = 3
    assert module.step == 3

"""The registry: which kernels run, and that another set of them is used where a function has one, and only there."""

import copy
import pickle

import numpy as np
import pytest

import tensorgrad as tg
import tensorgrad.optim  # whose kernel is adam
from tensorgrad.kernels import registry, running, using
from tensorgrad.kernels.activations import gelu

X = np.linspace(-2, 2, 9)


@pytest.fixture
def halves(monkeypatch):
    def half(out, x):
        out[...] = x / 2

    monkeypatch.setitem(registry.SETS, "halves", ({"gelu": half}, 1))
    return half


def test_a_set_replaces_the_kernels_that_it_has_until_the_block_ends(halves):
    before, right = running(), tg.gelu(X)
    with using("halves"):
        assert np.array_equal(tg.gelu(X), X / 2)
        assert {name for name, by in running().items() if by != "numpy"} == {"gelu"}
    assert running() == before and np.array_equal(tg.gelu(X), right)


def test_after_an_error_in_the_block_the_kernels_are_those_of_before(halves):
    before = running()
    with pytest.raises(KeyError), using("halves"):
        raise KeyError
    assert running() == before


def test_every_kernel_that_the_registry_promises_is_there():
    norms = {f"{name}{part}" for name in ("layer_norm", "batch_norm", "softmax") for part in ("", "_vjp")}
    layers = {"convolution", "convolution_vjps", "depthwise", "winograd", "gelu", "gelu_vjp"}
    assert norms | layers | {"matmul", "scatter", "adam"} <= running().keys()


def test_a_set_that_is_not_there_is_an_error_that_says_which_are():
    with pytest.raises(ValueError, match="^kernels.using: there are no kernels 'gpu' here, only .*numpy"):
        using("gpu")


def test_a_kernel_can_be_copied_and_pickled_because_nodes_keep_some():
    assert copy.deepcopy(gelu) is gelu and pickle.loads(pickle.dumps(gelu)) is gelu

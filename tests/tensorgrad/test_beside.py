"""A recorder of another library says what to install."""

import sys

import pytest

from tensorgrad.beside_autograd import from_autograd
from tensorgrad.beside_jax import from_jax
from tensorgrad.beside_torch import from_torch
from tests.each import each


@each("door, package", [(from_torch, "torch"), (from_jax, "jax"), (from_autograd, "autograd")])
def test_a_recorder_says_what_to_install(door, package, monkeypatch):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ModuleNotFoundError, match=f"{door.__name__} records a .* is not installed; python -m pip install {package}"):
        door(lambda: 0)
    with pytest.raises(TypeError, match=door.__name__):
        door(3)

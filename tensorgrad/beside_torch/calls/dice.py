"""The random generators that a program may use, and a block after which they are as they were."""

import random
from contextlib import contextmanager

import numpy as np
import torch


class Dice:
    """The states of the random generators of PyTorch, NumPy and Python, as they are now."""

    def __init__(self):
        self.torch, self.numpy, self.python = torch.random.get_rng_state(), np.random.get_state(), random.getstate()

    def put_back(self):
        torch.random.set_rng_state(self.torch)
        np.random.set_state(self.numpy)
        random.setstate(self.python)


@contextmanager
def same_dice():
    """Let the random generators be after this block as they were before it."""
    now = Dice()
    try:
        yield
    finally:
        now.put_back()

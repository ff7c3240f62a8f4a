"""Blocks in which a program is recorded: no step of an optimiser, no compiled function, and the same random numbers afterwards."""

import random
import sys
from contextlib import contextmanager, nullcontext

import numpy as np
import torch
from torch.optim.optimizer import register_optimizer_step_pre_hook

from tensorgrad.beside_torch.calls.refusals import refusal


@contextmanager
def without_steps(recorder):
    """Refuse in this block a step of an optimiser that changes what was recorded."""

    def refuse(optimizer, args, kwargs):
        if recorder.is_here and any(p in recorder.variables.known for group in optimizer.param_groups for p in group["params"]):
            raise refusal(
                f"{type(optimizer).__name__}.step() changes parameters that were used before it",
                "return the loss before the step, and record one forward pass at a time",
            )

    handle = register_optimizer_step_pre_hook(refuse)
    try:
        yield
    finally:
        handle.remove()


@contextmanager
def eager():
    """Run in this block functions that torch.compile has compiled as they were written: a recorder does not see into compiled ones."""
    compiles = "torch._dynamo" in sys.modules  # else nothing is compiled yet, and importing it takes seconds
    with torch.compiler.set_stance("force_eager") if compiles else nullcontext():
        try:
            yield
        except Exception as error:
            if not compiles and "torch._dynamo" in sys.modules:
                raise refusal("the function calls torch.compile", "compile the model before, or record the model itself") from error
            raise


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

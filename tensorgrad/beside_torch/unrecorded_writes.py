"""Writes to a tensor that PyTorch does not record: under no_grad, through detach(), through .data or NumPy.

PyTorch counts the first two. The other two change memory without a count, so we look at it again: once a program has taken
`x.data` or `x.numpy()`, a copy of this memory is kept, and compared before each use.
"""

import numpy as np
import torch

from tensorgrad.beside_torch.calls.arrays import has_numbers
from tensorgrad.rule import Rule
from tensorgrad.vjp import vjp

SHARES = {torch.Tensor.data.__get__, torch.Tensor.data.__set__, torch.Tensor.numpy, torch.Tensor.__array__}  # type: ignore[attr-defined]


class Silent:
    """The memory that may be written to without PyTorch's knowledge: {its address: [it, a copy, how often it had changed]}.

    `changes` are the variables whose numbers had changed when they were used again: [(it, the one after the change, the line of that use)].
    """

    def __init__(self):
        self.memory, self.changes = {}, []

    def watch(self, t):
        if has_numbers(t) and t.device.type == "cpu":
            self.memory.setdefault(address(t), [t.untyped_storage(), content(t), 0])

    def writes(self, t):
        """Return how often the memory of a tensor was seen to have changed."""
        if not self.memory or (found := self.memory.get(address(t))) is None:
            return 0
        now = content(t)
        if not torch.equal(now, found[1]):
            found[1:] = now, found[2] + 1
        return found[2]


def address(t):
    return t.untyped_storage().data_ptr()


def content(t):
    """Return a copy of the memory of a tensor as bytes."""
    return torch.tensor([], dtype=torch.uint8).set_(t.untyped_storage()).clone()


def write(x, before, after):
    """Return x with what the program wrote to it where PyTorch does not record it. At other x the change is the same."""
    same = (x == before) | (np.isnan(x) & np.isnan(before))
    return np.where(same, after, x + (after - before))


write.__module__ = "torch"
WRITTEN = Rule(write, vjp("dz/dx = dz/dy, as in PyTorch, which does not know of the change", lambda G: G), name="written")


def after_silent_write(variable, after):
    """Return the variable for a tensor whose entries are now those of `after`, though PyTorch's grad_fn is the old one."""
    return WRITTEN(variable, before=variable._data, after=after)

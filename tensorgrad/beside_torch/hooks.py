"""Hooks of PyTorch's tensors (register_hook) change our gradients too: our backward pass calls them as PyTorch's does."""

from contextlib import contextmanager

import numpy as np
import torch

from tensorgrad.beside_torch.calls.arrays import array


class Hooks:
    """The hooks that our variables call. `taken` are PyTorch's dictionaries of them, so that each is taken once: {id: it}."""

    def __init__(self):
        self.taken = {}

    def take(self, t, node):
        """Let a node call the hooks of a tensor, those that are added later too, and not those that are removed."""
        hooks = t._backward_hooks
        if hooks and node is not None and id(hooks) not in self.taken:
            self.taken[id(hooks)] = hooks
            dtype = t.dtype
            node.hooks = [*(node.hooks or ()), lambda G: changed(torch.tensor(np.asarray(G)).to(dtype), hooks)]

    @contextmanager
    def silenced(self):
        """Keep PyTorch from calling the hooks in this block, since our variables call them."""
        kept = [(hooks, hooks.copy()) for hooks in self.taken.values()]
        for hooks, _ in kept:
            hooks.clear()
        try:
            yield
        finally:
            for hooks, before in kept:
                hooks.update(before)


def changed(g, hooks):
    """Return the gradient that hooks make of g, one after the other; None if they change nothing."""
    before = g
    for hook in [*hooks.values()]:
        other = hook(g)
        g = g if other is None else other
    return None if g is before else array(g)

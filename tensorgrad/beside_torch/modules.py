"""Scopes and names from the module tree: encoder.layers.0 is the scope of what this module computes, and begins its parameters' names."""

import sys
from contextlib import contextmanager

import torch
from torch.nn.modules import module as of_torch

from scalargrad.callers import is_users


class Modules:
    """The modules of a run: those that are running, and the roots, which the program itself calls."""

    def __init__(self):
        self.running = []  # (module, its names below the module that called it), the outermost first
        self.paths = {}  # {module: its path from its root, and the root's name}
        self.roots = {}  # {root: its name}

    @property
    def scope(self):
        return tuple([name for _, names in self.running for name in names])

    def enter(self, module, args):
        if module not in self.paths:
            self.add_root(module)
        outer = self.paths[self.running[-1][0]] if self.running else ()
        path = self.paths[module]
        shared = len(outer) if path[: len(outer)] == outer else 0
        self.running.append((module, path[shared:]))

    def leave(self, module, args, output):
        if self.running and self.running[-1][0] is module:
            self.running.pop()

    def add_root(self, root):
        name = name_in_the_program(root) or type(root).__name__
        self.roots[root] = name
        for path, module in root.named_modules():
            self.paths.setdefault(module, (name, *filter(None, path.split("."))))

    @contextmanager
    def watched(self):
        """Note in this block which modules run."""
        handles = [
            of_torch.register_module_forward_pre_hook(self.enter),
            of_torch.register_module_forward_hook(self.leave, always_call=True),
        ]
        try:
            yield
        finally:
            for handle in handles:
                handle.remove()

    def names(self):
        """Return {parameter: its name}; the name of the root stands before it if there are several."""
        several, found = len(self.roots) > 1, {}
        for root, called in self.roots.items():
            for name, p in root.named_parameters():
                found.setdefault(p, f"{called}.{name}" if several else name)
        return found

    def without_root(self, scope):
        """Return a scope without the name of the root, if it is the only one."""
        return scope[1:] if len(self.roots) == 1 and scope[:1] == tuple(self.roots.values()) else scope


def name_in_the_program(module):
    """Return the name under which the program that is running holds a module; None if it has none."""
    frame = sys._getframe(1)
    while frame is not None:
        if is_users(frame.f_code.co_filename):
            for held in (frame.f_locals, frame.f_globals):
                for name, x in list(held.items()):
                    if x is module and name.isidentifier() and not name.startswith("_"):
                        return name
                    if name == "self" and not isinstance(x, torch.nn.Module):
                        for inner, own in getattr(x, "__dict__", {}).items():
                            if own is module:
                                return inner
        frame = frame.f_back
    return None

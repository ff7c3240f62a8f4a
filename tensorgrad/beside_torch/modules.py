"""Scopes and names from the module tree: encoder.layers.0 is the scope of what this module computes, and begins its parameters' names."""

from collections import Counter
from contextlib import contextmanager
from threading import get_ident

import torch
from torch.nn.modules import module as of_torch
from torch.nn.modules.batchnorm import _BatchNorm
from torch.nn.modules.dropout import _DropoutNd

from scalargrad.callers import callers
from scalargrad.user_names.held_items import locals_of, names_in, path_of, written_in
from tensorgrad.beside_torch.mistakes.optimisers import optimisers_of_program


class Modules:
    """The modules of a run: those that are running, and the roots, which the program itself calls."""

    def __init__(self, flow):
        self.flow = flow
        self.norms, self.tried = {}, []  # {frozen batch norm in train mode: it}, (module in train mode under no_grad, number of its result)
        self.turns = Counter()  # {module: how often it was called}
        self.running = []  # (module, its names below the module that called it), the outermost first
        self.paths = {}  # {module: its path from its root, and the root's name}
        self.roots = {}  # {root: its name}
        self.buffers: list = []  # (buffer, a copy of it as it was when its root was met)
        self.attributes: list = []  # (module, its attributes as they were when its root was met)
        self.optimisers: list = []  # (optimiser, its name)
        self.parameters = set()  # the ids of the parameters of all roots
        self.thread = get_ident()  # modules of other threads call our hooks, too

    @property
    def scope(self):
        return tuple([name for _, names in self.running for name in names])

    @property
    def now(self):
        """The innermost module that runs, or None."""
        return self.running[-1][0] if self.running else None

    def enter(self, module, args):
        if get_ident() != self.thread:
            return
        if module not in self.paths:
            self.add_root(module)
        if isinstance(module, _BatchNorm) and is_frozen(module) and not (args and args[0].requires_grad) and torch.is_grad_enabled():
            self.norms[module] = module
        outer = self.paths[self.running[-1][0]] if self.running else ()
        path = self.paths[module]
        shared = len(outer) if path[: len(outer)] == outer else 0
        self.turns[module] += 1
        self.running.append((module, path[shared:]))

    def leave(self, module, args, output):
        if get_ident() == self.thread and self.running and self.running[-1][0] is module:
            self.running.pop()
            if not torch.is_grad_enabled() and module.training and acts_otherwise(module) and isinstance(output, torch.Tensor):
                self.tried.append((module, self.flow.number(output)))

    def add_root(self, module):
        """Note the tree of a module: of the largest one that the program holds and that it is a part of, as in model.encode(x)."""
        root, name = in_the_program(lambda x: module in x.modules()) or (module, type(module).__name__)
        taken = [*self.roots.values()]
        self.roots[root] = name if name not in taken else f"{name}_{len(taken) + 1}"
        self.optimisers = self.optimisers or optimisers_of_program()
        with torch._C.DisableTorchFunction():  # no calls of the program
            self.buffers += [(b, b.detach().clone()) for b in root.buffers()]
        self.attributes += [(m, dict(vars(m))) for m in root.modules()]
        self.parameters.update(map(id, root.parameters()))
        for path, inner in root.named_modules():
            self.paths.setdefault(inner, (self.roots[root], *filter(None, path.split("."))))

    def know(self, parameter):
        """Note the tree of the modules that a parameter belongs to. The program may use it without a call of its module."""
        if id(parameter) not in self.parameters:
            self.parameters.add(id(parameter))
            if found := in_the_program(lambda x: any(parameter is p for p in x.parameters())):
                self.add_root(found[0])

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
        """Return {parameter: its name}; the name of the root stands before it, unless `alone` leaves it out."""
        found, alone = {}, self.alone
        for root, called in self.roots.items():
            for name, p in root.named_parameters():
                found.setdefault(p, name if root is alone else f"{called}.{name}")
        return found

    @property
    def alone(self):
        """The only root with parameters, whose name is left out: fc1.weight. That of a model without names of its own stays: model.0."""
        roots = [root for root in self.roots if next(root.parameters(), None) is not None]
        return roots[0] if len(roots) == 1 and not any(name.isdigit() for name, _ in roots[0].named_children()) else None

    def leave_out_root(self, held):
        """Leave the name of the root out of the scopes of all that is held, if it is left out."""
        root = (self.roots[self.alone],) if self.alone is not None else None
        for here in held:
            if here.scope and here.scope[:1] == root:
                here.scope = here.scope[1:]


def is_frozen(norm):
    """Return whether the parameters of a batch norm are frozen, and it changes its running statistics nevertheless."""
    return norm.training and norm.track_running_stats and norm.affine and not any(p.requires_grad for p in norm.parameters())


def acts_otherwise(module):
    """Return whether a module computes otherwise in training: it drops entries, or normalises by the batch."""
    return isinstance(module, _BatchNorm) or (isinstance(module, _DropoutNd) and module.p > 0)


def in_the_program(fits):
    """Return (module, its name) for the largest module that fits and that the running program holds; None if it holds none.

    The name of a local that a loop walks, and that of the class of `self`, are the last choices.
    """
    found, walking, nameless = [], [], []
    is_wanted = lambda x: isinstance(x, torch.nn.Module) and fits(x)
    for frame in callers():
        held, walks = locals_of(frame), names_in(frame.f_code)
        held += [(name, x) for name, x in frame.f_globals.items() if isinstance(x, torch.nn.Module | list | tuple | dict)]
        for name, x in written_in(held, is_wanted):
            if is_wanted(x):
                (walking if walks.get(name) else found).append((x, path_of(name)))
        nameless += [(x, type(x).__name__) for name, x in held if name == "self" and is_wanted(x)]
    size = lambda found: sum(1 for _ in found[0].modules())
    return max([*found, *walking, *nameless], key=size, default=None)  # the first of the largest

"""What is seldom meant about the modules of a program: layers that their module does not know, eval mode, units that are copies."""

from typing import NamedTuple

import numpy as np
import torch
from torch import nn
from torch.nn.modules.batchnorm import _BatchNorm
from torch.nn.modules.dropout import _DropoutNd

from tensorgrad.beside_torch.report.parameters import some

OF_TORCH = ("_parameters", "_modules", "_buffers")  # what a module knows
FREEZE = "requires_grad"
DEEP = 3  # lists within lists
ALIKE = 1e-6  # how near rows are, relative to their largest entry
DROPS = _DropoutNd | nn.MultiheadAttention | nn.RNNBase
KINDS = {list: "List", tuple: "List", dict: "Dict"}


class OfModules(NamedTuple):
    """What is odd: a few words and a sentence; and the modules, or the tensors, that it is about."""

    label: str
    text: str
    modules: list = []
    tensors: list = []

    def places(self, seen):
        """Return the variables that the modules compute first, and those of the tensors."""
        ours = {id(t): x.node for t, x in seen.leaves}
        calls = [next((call for call in seen.calls if call.module is m and call.results), None) for m in self.modules]
        return [*[call.results[0].node for call in calls if call], *[ours[id(t)] for t in self.tensors if id(t) in ours]]


def remarks_on_modules(seen, gradients):
    """Return OfModules for a recording, from its {variable: gradient}."""
    return [*unknown_to(seen), *not_frozen(seen), *in_eval_mode(seen), *in_train_mode(seen), *copies(seen, gradients)]


def unknown_to(seen):
    """Yield which attributes hold layers or parameters that the program used and their module does not know."""
    used = {id(t) for t, _ in seen.leaves}
    for root, called in seen.roots.items():
        unknown = used - {id(p) for p in root.parameters()}
        for path, module in root.named_modules() if unknown else ():
            for attribute, held in vars(module).items():
                modules, parameters = held_in(held) if attribute not in OF_TORCH else ([], [])
                if not unknown.isdisjoint(map(id, [*[p for m in modules for p in m.parameters()], *parameters])):
                    name, kind = f"{called}.{path}" if path else called, KINDS.get(type(held))
                    use = f"nn.{'Module' if modules else 'Parameter'}{kind}" if kind else "nn.Parameter"
                    text = (
                        f"{name}.{attribute} is a {type(held).__name__}, so {name} does not know what it holds: parameters(), to() and "
                        f"state_dict() leave it out, and an optimiser does not train it; use {use}"
                    )
                    yield OfModules("not known to its module", text, tensors=[*[p for m in modules for p in m.parameters()], *parameters])


def held_in(x, depth=0):
    """Return ([modules], [tensors that require a gradient]) in an attribute: in its lists, tuples and dictionaries."""
    if isinstance(x, nn.Module):
        return [x], []
    if isinstance(x, torch.Tensor):
        return [], [x] if x.requires_grad else []
    if type(x) not in KINDS or depth == DEEP:
        return [], []
    found = [held_in(item, depth + 1) for item in (x.values() if isinstance(x, dict) else x)]
    return [m for modules, _ in found for m in modules], [t for _, tensors in found for t in tensors]


def not_frozen(seen):
    """Yield which modules got an attribute requires_grad, which freezes nothing."""
    modules = [(f"{called}.{path}" if path else called, m) for root, called in seen.roots.items() for path, m in root.named_modules()]
    found = {name: m for name, m in modules if FREEZE in vars(m)}
    if found:
        why = ".requires_grad of a module is an attribute of its own, which freezes nothing; call .requires_grad_(False)"
        yield OfModules("not frozen", f"{some([*found])}: {why}", tensors=[p for m in found.values() for p in m.parameters()])


def in_eval_mode(seen):
    """Yield which modules ran in eval mode and compute otherwise in training. What is frozen, too, is meant."""
    names = lambda root, called: [(f"{called}.{path}" if path else called, m) for path, m in root.named_modules()]
    meant = {m for root in seen.roots for part in root.modules() if not part.training and is_all_frozen(part) for m in part.modules()}
    still = [(name, m) for root, called in seen.roots.items() for name, m in names(root, called) if not m.training and m not in meant]
    norms = {name: m for name, m in still if isinstance(m, _BatchNorm) and m.track_running_stats}
    drops = {name: m for name, m in still if getattr(m, "p" if isinstance(m, _DropoutNd) else "dropout", 0.0) and isinstance(m, DROPS)}
    if norms:
        text = f"{some([*norms])}: in eval mode, with running statistics in the place of the batch's; call train() on the model to train it"
        yield OfModules("in eval mode", text, [*norms.values()])
    if drops:
        text = f"{some([*drops])}: in eval mode, so nothing is dropped; call train() on the model to train it"
        yield OfModules("in eval mode", text, [*drops.values()])


def is_all_frozen(module):
    parameters = list(module.parameters())
    return bool(parameters) and not any(p.requires_grad for p in parameters)


def in_train_mode(seen):
    """Yield which modules ran in train mode where eval mode is meant."""
    if seen.norms:
        text = f"{some(seen.norms)}: frozen, but in train mode, so its running statistics still follow the data; call eval() on it"
        yield OfModules("frozen in train mode", text)
    if seen.tried:
        text = f"{some(seen.tried)}: in train mode under no_grad, and the loss does not use the result; call eval() before you measure"
        yield OfModules("measured in train mode", text)


def copies(seen, gradients):
    """Yield OfModules for parameters whose rows are all the same, as are their gradients: such units stay copies of each other."""
    found = {}
    for t, x in seen.leaves:
        G = gradients.get(x.node) if t in seen.parameters else None
        if G is not None and G.ndim > 1 and len(G) > 1 and np.abs(G).max(initial=0) > 0 and are_rows_alike(x.data) and are_rows_alike(G):
            found[seen.parameters[t]] = t
    if found:
        why = "all rows are the same, and so are their gradients, so the units stay copies of each other; begin at random"
        yield OfModules("copies", f"{some([*found])}: {why}", tensors=[*found.values()])


def are_rows_alike(a):
    return bool(np.allclose(a, a[:1], rtol=0, atol=ALIKE * np.abs(a).max(initial=0)))

"""A layer that was replaced after the optimiser was made: the optimiser still trains the old one."""

import torch

from scalargrad.callers import callers
from scalargrad.user_names.held_items import locals_of, written_in

HOLDERS = (list, tuple, dict)
MOST = 6  # parameters that are named


def optimisers_of_program():
    """Return [(optimiser, its name, whether no module that the running program holds has its parameters)]."""
    found, known = {}, set()
    is_optimiser = lambda x: isinstance(x, torch.optim.Optimizer)
    is_wanted = lambda x: is_optimiser(x) or isinstance(x, torch.nn.Module)
    for frame in callers():
        held = locals_of(frame) + [(name, x) for name, x in frame.f_globals.items() if is_wanted(x) or isinstance(x, HOLDERS)]
        for name, x in written_in(held, is_wanted):
            if is_optimiser(x):
                found.setdefault(id(x), (x, name))
            elif is_wanted(x):
                known.update(map(id, x.parameters()))
    return [(x, name, known.isdisjoint(map(id, held_by(x)))) for x, name in found.values()]


def not_trained(optimisers, roots, is_used):
    """Yield (parameters, what is odd about them) for each optimiser that holds others in the places of parameters that the loss uses.

    It was made of all parameters of a module, since it holds as many, and in the same order, but for those. Or it holds none of them,
    as many of the same shapes, and no module has those: then the whole module was replaced.
    """
    trained = {id(p) for optimiser, *_ in optimisers for p in held_by(optimiser)}
    for optimiser, called, lost in optimisers:
        held = held_by(optimiser)
        for root, name in roots.items():
            own = dict(root.named_parameters())
            pairs = [(path, now, then) for (path, now), then in zip(own.items(), held) if now is not then]
            whole = len(pairs) == len(own)
            if len(own) != len(held) or not pairs or (whole and not (lost and all(now.shape == then.shape for _, now, then in pairs))):
                continue
            ours = {id(p) for p in own.values()}
            if all(id(now) not in trained and id(then) not in ours and is_used(now) and not is_used(then) for _, now, then in pairs):
                paths = [f"{name}.{path}" for path, *_ in pairs]
                what = f"{', '.join(paths[:MOST])}{', …' * (len(paths) > MOST)}: {called} does not train them"
                why = f"it holds what stood there when it was made; make it after the {'model' if whole else 'layer'} is replaced"
                yield [now for _, now, _ in pairs], f"{what}: {why}"


def held_by(optimiser):
    return [p for group in optimiser.param_groups for p in group["params"]]

"""A layer that was replaced after the optimiser was made: the optimiser still trains the old one."""

from scalargrad.callers import callers
from scalargrad.user_names.local_names import locals_of, written_in

HOLDERS = (list, tuple, dict)
MOST = 6  # parameters that are named


def optimisers_of_program():
    """Return [(optimiser, its name)] that the running program holds."""
    found = {}
    is_wanted = lambda x: hasattr(x, "param_groups") and hasattr(x, "zero_grad")
    for frame in callers():
        held = locals_of(frame) + [(name, x) for name, x in frame.f_globals.items() if is_wanted(x) or isinstance(x, HOLDERS)]
        for name, x in written_in(held, is_wanted):
            if is_wanted(x):
                found.setdefault(id(x), (x, name))
    return list(found.values())


def not_trained(optimisers, roots, is_used):
    """Yield (parameters, what is odd about them) for each optimiser that holds others in the places of parameters that the loss uses.

    It was made of all parameters of a module, since it holds as many, and in the same order, but for those.
    """
    trained = {id(p) for optimiser, _ in optimisers for p in held_by(optimiser)}
    for optimiser, called in optimisers:
        held = held_by(optimiser)
        for root, name in roots.items():
            own = dict(root.named_parameters())
            pairs = [(path, now, then) for (path, now), then in zip(own.items(), held) if now is not then]
            if len(own) != len(held) or not pairs or len(pairs) == len(own):
                continue
            ours = {id(p) for p in own.values()}
            if all(id(now) not in trained and id(then) not in ours and is_used(now) and not is_used(then) for _, now, then in pairs):
                paths = [f"{name}.{path}" for path, *_ in pairs]
                what = f"{', '.join(paths[:MOST])}{', …' * (len(paths) > MOST)}: {called} does not train them"
                why = "it holds what stood there when it was made; make the optimiser after the layer is replaced"
                yield [now for _, now, _ in pairs], f"{what}: {why}"


def held_by(optimiser):
    return [p for group in optimiser.param_groups for p in group["params"]]

"""Each parameter with the size of its gradient, and why one has none."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import torch

MOST_STEPS = 3  # that a reason names


class Parameter(NamedTuple):
    """A parameter, or another leaf of the program. `gradient` is the norm of its gradient, or None: `why` says why it has none, or 0.

    `held` is the norm of what its .grad holds now, None if that is empty. `made` is the line of the program that made it in this run,
    "" if it was there before.
    """

    name: str
    shape: tuple
    weight: float
    gradient: float | None
    why: str
    held: float | None = None
    made: str = ""


def parameters_of(seen, gradients) -> Iterator[Parameter]:
    """Yield each parameter of a recording, from its {variable: gradient}; those of its modules first."""
    children: dict = {}
    for y in gradients:
        for x in y.inputs:
            children.setdefault(x, []).append(y)
    called = {v.node: call for call in seen.calls for v in call.results}
    ours = dict([(id(t), x.node) for t, x in seen.leaves])
    for name, t in named(seen):
        found = gradients.get(ours.get(id(t)))
        size = None if found is None else float(np.linalg.norm(found.astype(float).ravel()))
        why = "" if size else why_none(seen.flow, t, seen.loss) if size is None else why_zero(ours[id(t)], gradients, children, called)
        yield Parameter(name, tuple(t.shape), norm(t), size, why, None if t.grad is None else norm(t.grad), seen.made_inside.get(id(t), ""))


def named(seen):
    """Yield (name, tensor) for the parameters of the modules that ran, and then for the other leaves."""
    names = dict(seen.parameters)
    ours = [(t, x.name) for t, x in seen.leaves]
    for t, name in names.items():
        yield name, t
    others = {id(t): (t, name) for t, name in [*[(t, None) for t, _ in seen.flow.first], *ours] if t not in names}
    for t, name in others.values():
        yield name or seen.names_outside.get(id(t)) or f"a tensor of shape {tuple(t.shape)}", t


def some(names, most=6):
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")


def norm(t):
    return float(torch.linalg.vector_norm(t.detach().to(torch.float64)))


def why_none(flow, t, loss):
    """Return why a tensor gets no gradient."""
    start = flow.start(t)
    if not t.requires_grad:
        return "frozen, requires_grad is False"
    if start is None:
        return "never used"
    arrives, steps = flow.ends(start, flow.number(loss))
    if arrives:
        return f"every path to the loss ends at {listed(steps)}"
    lost = [step for step in steps if not step.made]
    if lost:
        return f"it became a number outside PyTorch, which has no gradient, by {listed(lost)}"
    return f"used, but the loss does not depend on the result of {listed(steps)}" if steps else "never used"


def why_zero(x, gradients, children, called):
    """Return which calls pass nothing on to a variable whose gradient is 0: the first after it whose own gradient is not 0."""
    ready, met, found = [x], {x}, []
    while ready:
        for y in children.get(ready.pop(), ()):
            if y not in met:
                met.add(y)
                if gradients[y].any():
                    found += [called[y]] if y in called else []
                else:
                    ready.append(y)
    where = listed([f"{call.title} ({call.place})" for call in sorted(found, key=lambda call: call.number)])
    return "its gradient is 0 in every entry" + (f": {where} passes none on" if where else "")


def listed(steps):
    """Return steps as text, each line of the program once."""
    found = list(dict.fromkeys(map(str, steps)))
    more = f" and {len(found) - MOST_STEPS} more" if len(found) > MOST_STEPS else ""
    return ", ".join(found[:MOST_STEPS]) + more

"""Each parameter with the size of its gradient, and why one has none."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import torch

MOST_STEPS = 3  # that a reason names


class Parameter(NamedTuple):
    """A parameter, or another leaf of the program. `gradient` is the norm of its gradient, or None: `why` says why it has none.

    `held` is the norm of what its .grad holds now, None if that is empty.
    """

    name: str
    shape: tuple
    weight: float
    gradient: float | None
    why: str
    held: float | None = None


def parameters_of(seen, gradients) -> Iterator[Parameter]:
    """Yield each parameter of a recording, from its {variable: gradient}; those of its modules first."""
    ours = dict([(id(t), x.node) for t, x in seen.leaves])
    for name, t in named(seen):
        found = gradients.get(ours.get(id(t)))
        size = None if found is None else float(np.linalg.norm(found.astype(float).ravel()))
        why = "" if size is not None else why_none(seen.flow, t, seen.loss)
        yield Parameter(name, tuple(t.shape), norm(t), size, why, None if t.grad is None else norm(t.grad))


def named(seen):
    """Yield (name, tensor) for the parameters of the modules that ran, and then for the other leaves."""
    names = dict(seen.parameters)
    ours = [(t, x.name) for t, x in seen.leaves]
    for t, name in names.items():
        yield name, t
    others = {id(t): (t, name) for t, name in [*[(t, None) for t, _ in seen.flow.first], *ours] if t not in names}
    for t, name in others.values():
        yield name or seen.names_outside.get(id(t)) or f"a tensor of shape {tuple(t.shape)}", t


def norm(t):
    return float(torch.linalg.vector_norm(t.detach().to(torch.float64)))


def why_none(flow, t, loss):
    """Return why a tensor gets no gradient."""
    start = next((number for x, number in flow.first if x is t), None)
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


def listed(steps):
    """Return steps as text, each line of the program once."""
    found = list(dict.fromkeys(map(str, steps)))
    more = f" and {len(found) - MOST_STEPS} more" if len(found) > MOST_STEPS else ""
    return ", ".join(found[:MOST_STEPS]) + more

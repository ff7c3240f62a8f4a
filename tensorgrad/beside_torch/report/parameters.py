"""Each parameter with the size of its gradient, and why one has none, in the report and as a remark in the picture.

The remark stands at the function that uses what detach(), no_grad or an integer has cut off, or a frozen parameter. What has no place in
the graph, such as an unused parameter, is named at the loss.
"""

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

import numpy as np
import torch

from scalargrad.graph import by_key, inputs_first
from scalargrad.user_names.remarks import Remark, note
from tensorgrad.arrays.errstate import quietly

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


def parameters_of(seen, gradients, arrays, dead) -> Iterator[Parameter]:
    """Yield each parameter of a recording, from its {variable: gradient} and {variable: array}; those of its modules first.

    `dead` are the numbers of the calls of which all units are dead.
    """
    children = by_key((x, y) for y in gradients for x in y.inputs)
    called = {v.node: call for call in seen.calls for v in call.results}
    ours = dict([(id(t), x.node) for t, x in seen.leaves])
    for name, t in named(seen):
        found = gradients.get(ours.get(id(t)))
        size = None if found is None else float(np.linalg.norm(found.astype(float).ravel()))
        zero = size == 0 and why_zero(ours[id(t)], gradients, arrays, children, called, dead)
        why = why_none(seen, t) if size is None else zero or ""
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
    return np.nan if t.is_meta else float(torch.linalg.vector_norm(t.detach().to(torch.float64)))


def why_none(seen, t):
    """Return why a tensor gets no gradient."""
    flow, start = seen.flow, seen.flow.start(t)
    if not t.requires_grad:
        return "frozen, requires_grad is False"
    if t in seen.frozen:
        call = seen.frozen[t]
        return f"requires_grad was False when {call.title} ({call.place}) used it"
    if start is None:
        return "never used"
    arrives, steps = flow.ends(start, flow.number(seen.loss))
    if arrives:
        return f"every path to the loss ends at {listed(steps)}"
    lost = [step for step in steps if not step.made]
    if lost:
        return f"it became a number outside PyTorch, which has no gradient, by {listed(lost)}"
    return f"used, but the loss does not depend on the result of {listed(steps)}" if steps else "never used"


def why_zero(x, gradients, arrays, children, called, dead):
    """Return which calls pass nothing on to a variable whose gradient is 0: the first after it whose own gradient is not 0.

    A call of dead units passes nothing on, nor does one whose other inputs have a 0 in every entry, which may come from dead units.
    What several calls pass on may also cancel.
    """
    ready, met, found, passing = [x], {x}, [], []
    while ready:
        for y in children.get(ready.pop(), ()):
            if y not in met:
                met.add(y)
                if not gradients[y].any():
                    ready.append(y)
                elif y in called:
                    contributions = zip(y.edges, quietly(y.rule.contributions, y, gradients[y]))
                    (passing if any(np.any(C) for (x, *_), C in contributions if x in met) else found).append(called[y])
    if passing:
        where = listed([f"{call.title} ({call.place})" for call in sorted(passing, key=lambda call: call.number)])
        return f"the gradient is 0 in every entry: the contributions of {where} cancel"
    reasons = [passes_none(call, met, arrays, called, dead) for call in sorted(found, key=lambda call: call.number)]
    where = listed(reasons, "; ")
    return "the gradient is 0 in every entry" + (f": {where}" if where else "")


def passes_none(call, before, arrays, called, dead):
    """Return in words that a call passes no gradient to the variables `before` it, and why, if that is known."""
    where = f"{call.title} ({call.place}) passes none on"
    others = [x for v in call.results for x in v.node.inputs if x not in before and x in arrays and not arrays[x].any()]
    units = [maker for maker in (call, *[called[x] for x in others if x in called]) if maker.number in dead]
    if units:
        maker = units[0]
        return f"{where}, since all units of {'.'.join(maker.scope) or maker.title} ({maker.place}) are dead"
    name = others[0].name or "another input" if others else ""
    return where + (f", since {name} is 0 in every entry" if name else "")


def listed(steps, between=", "):
    """Return steps as text, each line of the program once."""
    found = list(dict.fromkeys(map(str, steps)))
    more = f" and {len(found) - MOST_STEPS} more" if len(found) > MOST_STEPS else ""
    return between.join(found[:MOST_STEPS]) + more


CUT, NONE, FROZEN = "gradient stops", "no gradient", ""  # a parameter is frozen on purpose: no mark


def note_stops(seen):
    """Note at variables of a recording which parameters get no gradient there."""
    there = set(inputs_first(seen.z.node))
    ours = {id(t): x.node for t, x in seen.leaves}
    by_step = {call.step: call for call in seen.calls if not there.isdisjoint(v.node for v in call.results)}
    found: dict = {}
    for name, t in named(seen):
        if ours.get(id(t)) not in there:
            label, calls = where(seen, t, by_step)
            places = [next(v.node for v in call.results if v.node in there) for call in calls]
            for v in places or [seen.z.node] * (label != FROZEN):
                found.setdefault((v, label, why_none(seen, t)), []).append(name)
    for (v, label, why), names in found.items():
        remark = Remark(label, f"No gradient for {some(names)}: {why}.")
        note(v, partial(list, [remark]))


def where(seen, t, by_step):
    """Return the label of the remark on a tensor that gets no gradient, and the calls at which its gradient would have come in."""
    start = seen.flow.start(t)
    if t in seen.frozen or not t.requires_grad:
        return FROZEN, [seen.frozen[t]] if t in seen.frozen else []
    arrives, steps = seen.flow.ends(start, seen.flow.number(seen.loss)) if start is not None else (False, [])
    return (CUT, [by_step[k] for k in seen.flow.next(steps, by_step)]) if arrives else (NONE, [])

"""Why parameters get no gradient, as remarks in the picture: at the function that uses what detach(), no_grad or an integer has cut off.

A frozen parameter is named at the function that uses it. What has no place in the graph, such as an unused parameter, is named at the loss.
"""

from functools import partial

from scalargrad.graph import inputs_first
from scalargrad.user_names.remarks import Remark, note
from tensorgrad.beside_torch.report.parameters import named, some, why_none

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

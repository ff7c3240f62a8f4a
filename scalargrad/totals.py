"""All total derivatives of a graph at once, as plain numbers or as variables that can be differentiated again.

A total that is a variable comes from the rows of the table, evaluated on variables instead of numbers: so the partials
are recorded as functions.
"""

from scalargrad import modes
from scalargrad.anomaly import require_finite_contribution
from scalargrad.graph import ChangedError, inputs_first, show


def plain_totals(z):
    """Return {x: dz/dx} as plain numbers, for z and its ancestors."""
    return totals_by(plain_contribution, z)


def differentiable_totals(z, upstream=1, leaves=()):
    """Return {x: dz/dx} for z and its ancestors, each total a variable (or a plain number where it is one for all inputs).

    `leaves` are variables at which to stop.
    """
    return totals_by(lambda y, slot, dz_dy: dz_dy * differentiable_partial(y, slot), z, upstream, leaves)


def totals_by(contribution, z, upstream=1, leaves=()):
    """The loop of both. They add in one order, so that their numbers are equal to the last digit."""
    totals = {**dict.fromkeys(leaves, 0), z: upstream}
    for y in reversed(inputs_first(z, leaves)):
        for slot, x in enumerate(y.inputs):
            passed = contribution(y, slot, totals[y])
            totals[x] = totals[x] + passed if x in totals else passed
    return totals


def plain_contribution(y, slot, upstream):
    """What y passes to its input `slot`: upstream · ∂y/∂x; finite, if detect_anomaly is on."""
    passed = upstream * y.partials[slot]
    if modes.active and modes.anomalies_on.get():
        require_finite_contribution(y, slot, y.partials[slot], upstream, passed)
    return passed


def differentiable_partial(y, slot):
    """∂y/∂(input `slot`) as a function of y's inputs; ChangedError if they are no longer what y was made from."""
    partial = y.rule.partial(slot, y.arguments, y)
    now, then = getattr(partial, "data", partial), y.partials[slot]
    if now != then and (now == now or then == then):
        changed = y.inputs[slot]
        raise ChangedError(
            f"{y.rule.name} used {', '.join(map(show, y.inputs))}, and one of them was changed since: ∂/∂{show(changed)} was {then} "
            f"and is now {now}; make {show(y)} again before you ask for derivatives of derivatives"
        )
    return partial

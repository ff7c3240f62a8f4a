"""All total derivatives of a graph at once, as plain numbers or as variables that can be differentiated again.

A total that is a variable comes from the rows of the table, evaluated on variables instead of numbers: so the partials
are recorded as functions.
"""

from scalargrad import modes
from scalargrad.anomaly import require_finite_contribution
from scalargrad.graph import ChangedError, inputs_first, show


def plain_totals(z):
    """Return {x: dz/dx} as plain numbers, for z and its ancestors."""
    return totals_by(plain_contributions, z)


def differentiable_totals(z, upstream=1, leaves=()):
    """Return {x: dz/dx} for z and its ancestors, each total a variable (or a plain number where it is one for all inputs).

    `leaves` are variables at which to stop.
    """
    return totals_by(differentiable_contributions, z, upstream, leaves)


def totals_by(contributions, z, upstream=1, leaves=()):
    """The loop of both. They add in one order, so that their numbers are equal to the last digit."""
    totals = {**dict.fromkeys(leaves, 0), z: upstream}
    for y in reversed(inputs_first(z, leaves)):
        for x, passed in zip(y.inputs, contributions(y, totals[y])):
            totals[x] = totals[x] + passed if x in totals else passed
    return totals


def plain_contributions(y, upstream):
    """What y passes to each of its inputs: upstream · ∂y/∂x; finite, if detect_anomaly is on."""
    for slot, partial in enumerate(y.partials):
        passed = upstream * partial
        if modes.active and modes.anomalies_on.get():
            require_finite_contribution(y, slot, partial, upstream, passed)
        yield passed


def differentiable_contributions(y, upstream):
    """The same as functions of y's inputs; ChangedError if these are no longer what y was made from."""
    partials = y.rule.partials_for(range(len(y.inputs)), y.arguments, y) if y.inputs else ()
    for x, partial, then in zip(y.inputs, partials, y.partials):
        now = getattr(partial, "data", partial)
        if now != then and (now == now or then == then):
            raise ChangedError(
                f"{y.rule.name} used {', '.join(map(show, y.inputs))}, and one of them was changed since: ∂/∂{show(x)} was {then} "
                f"and is now {now}; make {show(y)} again before you ask for derivatives of derivatives"
            )
        yield upstream * partial

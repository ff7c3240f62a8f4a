"""Added: all total derivatives of a graph in a dictionary, as plain numbers or as variables that can be differentiated again.

A total that is a variable comes from the rows of the table, evaluated on variables instead of numbers: so the partials
are recorded as functions.
"""

from scalargrad import modes
from scalargrad.graph import ChangedError, inputs_first, show
from scalargrad.messages.anomaly import require_finite_contribution


def total_derivatives(z, upstream=1, leaves=(), create_graph=False):
    """Return {x: dz/dx} for z and its ancestors. With create_graph each total is a variable, or a number if it is a constant.

    The search stops at `leaves`. Under detect_anomaly, raises AnomalyError if a contribution is not finite. Both kinds of totals
    are summed in the order of `.backward()`, so their numbers are equal to the last digit.
    """
    checked = modes.active and modes.anomalies_on.get()
    contributions = differentiable_contributions if create_graph else checked_contributions if checked else plain_contributions
    found = {**dict.fromkeys(leaves, 0), z: upstream}
    for y in reversed(inputs_first(z, leaves)):
        inputs = y.inputs
        if inputs:
            for x, passed in zip(inputs, contributions(y, found[y])):
                found[x] = found[x] + passed if x in found else passed
    return found


def plain_contributions(y, upstream):
    """Return what y passes to each of its inputs: upstream · ∂y/∂x."""
    return [upstream * partial for partial in y.partials]


def checked_contributions(y, upstream):
    """Return the same; raise AnomalyError if one is not finite."""
    for slot, (partial, passed) in enumerate(zip(y.partials, plain_contributions(y, upstream))):
        require_finite_contribution(y, slot, partial, upstream, passed)
        yield passed


def differentiable_contributions(y, upstream):
    """Return the same as functions of y's inputs. Raises ChangedError if an input has changed since y was made."""
    partials = y.rule.partials_for(range(len(y.inputs)), y.arguments, y)
    for x, partial, then in zip(y.inputs, partials, y.partials):
        now = getattr(partial, "data", partial)
        if now != then and (now == now or then == then):
            raise ChangedError(
                f"{y.rule.name} used {', '.join(map(show, y.inputs))}, and one of them was changed since: ∂/∂{show(x)} was {then} "
                f"and is now {now}; make {show(y)} again before you ask for derivatives of derivatives"
            )
        yield upstream * partial

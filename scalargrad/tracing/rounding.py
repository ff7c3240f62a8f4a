"""How far rounding may have moved the numbers of a graph, and which partials are 0 up to rounding.

To first order, a function passes the error of x on times ∂y/∂x. Knows numbers and rules, not how they are written.
"""

from scalargrad.custom_function import FunctionByHand
from scalargrad.fast.value import Value
from scalargrad.formulas.rounding_error import NEGLIGIBLE, Rounded, add, error_of, is_lost, is_rounded, made, mul
from scalargrad.graph import inputs_first
from scalargrad.modes import recording


def values(variables, known=()):
    """Return {variable: its number} for variables, inputs first; floats know their errors. `known` are those of other variables."""
    found = dict(known)
    for y in variables:
        if y not in found:
            found[y] = value(y, found)
    return found


def value(y, at):
    if hasattr(y.rule, "operations"):
        return Rounded(y.data, error_of(last := inside(y, at)[y.rule.y]), is_lost(last)) if is_rounded(y.data) else y.data
    if not y.inputs:
        return Rounded(y.data) if is_rounded(y.data) else y.data
    return made(y.data, [at[x] for x in y.inputs], y.partials)


def inside(y, at):
    """Return the numbers of the variables that a statement makes one after the other."""
    statement = y.rule
    known = dict(zip(statement.inputs, [at[x] for x in y.inputs]))
    constants = [x for operation in statement.operations for x in operation.inputs if not x.inputs]
    return values([*constants, *statement.operations], known)


def partials(y, at):
    """Return the partials of y; floats know their errors. `at` holds the numbers of y and its inputs."""
    if hasattr(y.rule, "operations"):
        return partials_of_statement(y, at)
    relative = max([error_of(n) / abs(n) for n in (at[y], *[at[x] for x in y.inputs]) if n and error_of(n)], default=0.0)
    doubtful = [] if isinstance(y.rule, FunctionByHand) else [slot for slot in range(len(y.inputs)) if is_doubtful(y, slot, at, relative)]
    by_formula = dict(zip(doubtful, by_their_formulas(y, doubtful, at)))
    usual = [Rounded(p, abs(p) * relative) if is_rounded(p) else p for p in y.partials]
    return [by_formula.get(slot, p) for slot, p in enumerate(usual)]


def partials_of_statement(y, at):
    """Return them by the chain rule inside the statement, whose terms may cancel."""
    known, totals = inside(y, at), {y.rule.y: 1}
    for operation in reversed(y.rule.operations):
        for x, p in zip(operation.inputs, partials(operation, known)):
            totals[x] = add(totals.get(x, 0), mul(totals[operation], p))
    found = [totals[x] for x in y.rule.inputs]
    return [Rounded(p, error_of(q), is_lost(q)) if is_rounded(p) else p for p, q in zip(y.partials, found)]


def is_doubtful(y, slot, at, relative):
    """Return whether a partial may be only rounding: it counts for nothing beside y, or an input has lost its digits."""
    number = y.partials[slot]
    if not is_rounded(number) or not number:
        return False
    return relative > NEGLIGIBLE or mul(abs(number), abs(at[y.inputs[slot]])) <= mul(NEGLIGIBLE, abs(at[y]))


def by_their_formulas(y, slots, at):
    """Return partials with the errors of their formulas, each computed as a graph of its own: 1 − y² is 0 where tanh is 1."""
    if not slots:
        return []
    with recording():
        copies = {v: Value(v.data) for v in (*y.inputs, y)}
        found = y.rule.partials_for(slots, y.rule.arguments([copies[x] for x in y.inputs]), copies[y])
    known = {copy: at[v] for v, copy in copies.items()}
    for formula in found:
        for v in inputs_first(formula) if isinstance(formula, Value) else ():
            if v not in known:
                known[v] = value(v, known)
    numbers = [known[formula] if isinstance(formula, Value) else 0 for formula in found]
    return [Rounded(y.partials[slot], error_of(n), is_lost(n)) for slot, n in zip(slots, numbers)]

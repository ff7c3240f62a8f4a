"""Find where a graph stops being finite: the first function with inf or nan, and its effect on z and the derivatives."""

from collections.abc import Mapping
from math import isnan
from typing import NamedTuple

from scalargrad.formulas.symbols import Symbol
from scalargrad.graph import by_key, scopes_of
from viz.text.formatter import LONGEST_FORMULA, UNICODE, enumerated, listed
from viz.text.narration import in_numbers

MOST_NAMED = 4  # derivatives that the sentence names; if there are more, it counts them


class NotFinite(NamedTuple):
    """The function that made y has a value (slot=None), or a partial derivative in its input number `slot`, that is inf or nan.

    `number` is the first such number, `place` its index in an array. `inputs` are those inputs of y that are inf or nan themselves.
    """

    y: object
    slot: int | None
    number: float
    place: tuple
    inputs: list


def first_not_finite(on, totals: Mapping) -> NotFinite | None:
    """Return the first function, inputs before outputs, whose value or partial is not finite; None if all are finite.

    `on` are the quantities of a trace or a drawing. `totals` are the known derivatives. A contribution between tensors is
    examined if its upstream gradient is known and finite. A -inf that the program put in, as a mask of scores, does not count,
    unless z or a derivative is not finite and nothing else can be the cause.

    >>> from scalargrad import Trace, Value, log
    >>> x = Value(-1, name="x"); trace = Trace(log(x) * 2)
    >>> first_not_finite(trace.on, {}).y.rule.name
    'log'
    """
    found = first(on, totals, lambda y: on.not_finite(on.data(y)))
    ends = [on.data(on.z)] if on.z is not None else []
    return found and (first(on, totals, on.anomaly) or (found if any(map(on.not_finite, [*ends, *totals.values()])) else None))


def first(on, totals, anomaly):
    """Return the first function whose value, by `anomaly`, or whose partial is not finite; None if there is none."""
    for y in on.variables:
        if not y.rule:
            continue
        if found := anomaly(y):
            return NotFinite(y, None, found[0], found[1], on.not_finite_inputs(y, found[1]))
        for slot in range(len(y.inputs)):
            partial = on.on_edge(y, slot, totals)
            if partial is None or (hasattr(partial, "shape") and on.not_finite(totals[y])):
                continue
            if found := on.not_finite(partial):
                return NotFinite(y, slot, found[0], found[1], [])
    return None


def warning_of(trace, formatter=UNICODE, derivatives=False):
    """Return the warning of a trace, or "" if all functions are finite. With derivatives=True it also names the derivatives."""
    totals = {v: q.number for v, q in trace.computed.items()}
    found = first_not_finite(trace.on, totals)
    return warning(trace.on, found, totals if derivatives else {}, formatter) if found else ""


def cause(on, found, formatter=UNICODE):
    """Return what went wrong first: `log(−1) is undefined here`."""
    y, slot, number, place, inputs = found
    at = f"at index {place}" if place else "here"
    named = all(v in on.names for v in (y, *y.inputs))
    called = call(on, y, formatter) if named else hidden(y)
    if slot is not None:
        which = formatter.formula(on.ratio(y, slot)) if named else f"its derivative for input {slot + 1}"
        return formatter(f"{called}: {which} is {formatter.number(number)} {at}")
    if inputs:
        because = (
            formatter.name(on.name(inputs[0])) if named else f"its input {next(k for k, x in enumerate(y.inputs, 1) if x is inputs[0])}"
        )
        return formatter(f"{called} is {formatter.number(number)} {at}, because {because} is not finite")
    return formatter(f"{called} is {'undefined' if isnan(number) else formatter.number(number)} {at}")


def warning(on, found, totals: Mapping, formatter=UNICODE):
    """Return the cause, and which of z and its known derivatives are not finite.

    >>> from scalargrad import Trace, Value, log
    >>> x = Value(-1, name="x"); y = Value(2, name="y"); trace = Trace(log(x) * y, names={})
    >>> totals = {v: q.number for v, q in trace.computed.items()}
    >>> warning(trace.on, first_not_finite(trace.on, totals), totals)
    'log(−1) is undefined here: z and dz/dy are nan. No derivative through it has a meaning.'
    """
    held = {formatter.name(on.name(z)): on.data(z) for z in (on.z,) if z is not None}
    held |= {formatter.formula(on.total(v)): total for v, total in totals.items() if v in on.names}
    bad = {name: entry[0] for name, number in held.items() if (entry := on.not_finite(number))}
    others = any(v not in on.names and on.not_finite(total) for v, total in totals.items())
    fine = "some derivatives that the picture does not show are not finite" if others else "z and its derivatives are finite nevertheless"
    what = effects(bad, formatter) if bad else fine if totals else ""
    meaningless = bool(bad) and found.slot is None and isnan(found.number) and not found.inputs
    consequence = " No derivative through it has a meaning." * meaningless
    return f"{cause(on, found, formatter)}{': ' * bool(what)}{formatter(what)}.{formatter(consequence)}"


def effects(bad, formatter):
    """Return `z and dz/dx are nan, dz/dy is inf`; of many names the first two and a count."""
    if len(bad) > MOST_NAMED + 1:
        return f"{listed([*bad], most=2)} are not finite"
    of = by_key((formatter.number(number), name) for name, number in bad.items())
    return ", ".join(f"{enumerated(names)} {'are' if len(names) > 1 else 'is'} {number}" for number, names in of.items())


def hidden(y):
    """Return the function of a variable that a picture does not show, with the scope that it stands in: log in layer1/attention."""
    scope = "/".join(scopes_of([y])[y])
    return f"{y.rule.name} in {scope}" if scope else y.rule.name


def call(on, y, formatter):
    """Return y's function at the numbers of its inputs, log(−1). For arrays and long texts, return its formula, or y's name."""
    for formula in (None if hasattr(y, "shape") else in_numbers(y, on), on.written(y)):
        if isinstance(formula, Symbol) and formula.size <= LONGEST_FORMULA and len(UNICODE.formula(formula)) <= LONGEST_FORMULA:
            return formatter.formula(formula)
    return formatter.name(on.name(y))

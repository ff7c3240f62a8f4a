"""The first value and the first gradient of a program that is nan or infinite, and its line. A -inf that the program put in is meant."""

import numpy as np

from tensorgrad.anomaly import at, not_finite, not_masked
from tensorgrad.arrays.errstate import quietly
from tensorgrad.beside_torch.mistakes.seldom_meant import Odd
from tensorgrad.node import Node


def first_value(calls, arrays):
    """Return the first call whose value is nan or infinite; None if there is none. `arrays` are the {variable: array} of the run."""
    for call in calls:
        for v in call.results:
            y = v.node
            given = [arrays.get(a) if isinstance(a, Node) else a for a in y.arguments]
            given = [a for a in given if a is not None]
            place = not_finite(v.data)
            if place is not None:
                place = not_masked(v.data, (*given, *y.options, *y.rule.constants_inside(y)))
            if place is not None:
                return Odd(call.title, call.place, f"gives {at(v.data, place)}{of_inputs(given)}")
    return None


def of_inputs(given):
    """Return what is odd about the arrays that a function was given."""
    for a in given:
        array = np.asarray(getattr(a, "_data", a))
        if array.dtype.kind == "f" and (place := not_finite(array)) is not None:
            return f"; it was given {at(array, place)}"
    numbers = [a for a in map(np.asarray, [getattr(a, "_data", a) for a in given]) if a.dtype.kind == "f" and a.size]
    if not numbers:
        return ""
    least, most = min(a.min() for a in numbers), max(a.max() for a in numbers)
    return f"; what it was given is finite, from {least:.4g} to {most:.4g}"


def first_gradient(calls, arrays, gradients, names):
    """Return the first function on the way from the loss that passes on a gradient which is nan or infinite; None if there is none.

    `gradients` and `names` have the variables of the graph, inputs before outputs.
    """
    called = {v.node: call for call in calls for v in call.results}
    for y in reversed(gradients):
        suspects = {x: place for x in y.inputs if (place := not_finite(gradients[x])) is not None}
        if not suspects or not np.isfinite(gradients[y]).all():
            continue
        for (x, _, _), passed in zip(y.edges, quietly(y.rule.contributions, y, gradients[y])):
            if (place := suspects.get(x)) is not None and not np.isfinite(passed).all():
                value = arrays.get(x)
                there = "" if value is None else f", where {names[x]} is {value[place]:.4g}"
                call = called.get(y)
                where = (call.title, call.place) if call else (y.rule.name, "inside a call")
                return Odd(*where, f"passes {at(gradients[x], place)} to {names[x]}{there}")
    return None

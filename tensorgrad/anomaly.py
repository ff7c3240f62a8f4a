"""detect_anomaly: find the first function, forward or backward, that made a number that is not finite, and its source line.

A function that was given an infinity may give -inf: so a program masks scores, and softmax makes 0 of them.
"""

from weakref import WeakKeyDictionary

import numpy as np

from scalargrad import callers
from scalargrad.modes import AnomalyError
from scalargrad.user_names import names
from tensorgrad.arrays.axes import broadcasts
from tensorgrad.node import Dropped, there

UNRECORDED = "an unrecorded line (run the forward pass under detect_anomaly too)"

_made: WeakKeyDictionary = WeakKeyDictionary()  # node: (the line that made it, what its function was given)


def require_finite(t, rule, values, options):
    """Remember where t was made. Raises AnomalyError if the array that `rule` computed from `values` is not finite, nor masked."""
    line = callers.source_line()
    if t.node is not None:
        _made[t.node] = line, values
    place = not_finite(t._data)
    if place is not None:
        place = not_masked(t._data, (*values, *options, *rule.constants_inside(t.node)))
    if place is not None:
        raise AnomalyError(f"{rule.name} forward gave {at(t._data, place)}: {given(values, t.shape, place)}; made at {line}")


def require_finite_contribution(y, slot, contribution, G):
    """Raise AnomalyError if what y passes to its input at `slot` is not finite."""
    passed, G = data_of(contribution), data_of(G)
    place = not_finite(passed)
    if place is None:
        return
    line, values = _made.get(y, (UNRECORDED, ()))
    arrays = [i for i, x in enumerate(values) if isinstance(x, np.ndarray)]
    whose = f" for input {slot + 1}" if len(arrays) > 1 else ""
    told = given(values, passed.shape, place)
    incoming = f"incoming gradient {number(G[place])}" if G.shape == passed.shape else f"incoming gradient of shape {G.shape}, {state(G)}"
    raise AnomalyError(f"{y.rule.name} backward gave {at(passed, place)}{whose}: {told}{', ' * bool(told)}{incoming}; made at {line}")


def require_finite_total(x, G):
    """Raise AnomalyError if a total derivative is not finite, though each contribution to it was."""
    total = data_of(G)
    place = not_finite(total)
    if place is not None:
        line = f"; made at {_made.get(x, (UNRECORDED,))[0]}" if x.rule else ""
        raise AnomalyError(
            f"the gradient of {names.called_one(x)} is {at(total, place)}: its contributions are finite and their sum is not, "
            f"or the upstream gradient or a hook brought it in{line}"
        )


def data_of(G):
    """Return the array of a tensor, an array or a number."""
    return np.asarray(getattr(G, "_data", G))


def not_finite(array):
    """Return the index of the first entry that is inf or nan; None if there is none."""
    finite = np.isfinite(array)
    return None if finite.all() else np.unravel_index(np.argmin(finite), finite.shape)


def not_masked(array, given):
    """Return the index of the first entry that is inf or nan; -inf does not count if what the function was `given` has an infinity."""
    return not_finite(np.where(np.isneginf(array), 0, array) if has_infinity(given) else array)


def has_infinity(things):
    """Return whether an array or a number among these arguments and options is infinite; one that was dropped may be."""
    stack = [*things]
    while stack:
        x = there(stack.pop())
        x = getattr(x, "_data", x)
        if isinstance(x, (tuple, list)):
            stack.extend(x)
        elif type(x) is Dropped or (np.asarray(x).dtype.kind == "f" and np.isinf(x).any()):
            return True
    return False


def at(array, place):
    """Return the entry and its index as text, such as: NaN at index (0,)."""
    place = tuple(map(int, place))
    return f"{number(array[place])} at index {place}" if place else number(array[()])


def given(values, shape, place):
    """Return the inputs of a function at that entry as text. If they do not broadcast, say for each whether it is finite."""
    arrays = [np.asarray(x) for x in values if isinstance(x, (np.ndarray, int, float))]
    if not arrays:
        return ""
    if all(broadcasts(x.shape, shape) for x in arrays):
        found = [number(np.broadcast_to(x, shape)[place]) for x in arrays]
        return f"input{'s' * (len(found) > 1)} {' and '.join(found)}"
    return " and ".join(f"an input of shape {x.shape}, {state(x)}" for x in arrays)


def state(array):
    """Return as text whether an array is finite, with the first entry that is not."""
    place = not_finite(array)
    return "all finite" if place is None else f"with {at(array, place)}"


def number(x):
    return "NaN" if x != x else repr(float(x))

"""What detect_anomaly does: it finds the first function that made inf or nan, and the source line of its call.

A function that was given an infinity may give -inf: so a program masks scores, and exp makes 0 of them.
"""

import math
from weakref import WeakKeyDictionary

from scalargrad import callers
from scalargrad.formulas.text import short
from scalargrad.modes import AnomalyError
from scalargrad.user_names import names

_lines: WeakKeyDictionary = WeakKeyDictionary()  # {variable made under detect_anomaly: the source line that made it}


def remember_line(y):
    _lines[y] = callers.source_line()


def line_of(y):
    return _lines.get(y, "an unrecorded line (run the forward pass under detect_anomaly too)")


def is_finite(x):
    x = getattr(x, "data", x)
    return type(x) is not float or math.isfinite(x)


def is_masked(y):
    """Return whether y is -inf because its function was given an infinity, as the program intends with a mask of scores."""
    return y.data == -math.inf and any(getattr(a, "data", a) in (math.inf, -math.inf) for a in y.arguments)


def require_finite(y):
    """Raise AnomalyError if the number that y's function made is not finite, unless it is masked."""
    if not is_finite(y.data) and not is_masked(y):
        raise AnomalyError(f"{y.rule.name} made {y.data} in the forward pass at {callers.source_line()}: {call(y)}, where {where(y)}")


def require_finite_contribution(y, slot, partial, upstream, contribution):
    """Raise AnomalyError if the contribution of y to its input number `slot` is not finite."""
    if not is_finite(contribution):
        x = names.called_one(y.inputs[slot])
        raise AnomalyError(
            f"{y.rule.name} made {short(getattr(contribution, 'data', contribution))} in the backward pass, for {x}: upstream "
            f"{short(getattr(upstream, 'data', upstream))} times partial {short(getattr(partial, 'data', partial))}; "
            f"{call(y)}, where {where(y)}, was made at {line_of(y)}"
        )


def call(y):
    return f"{y.rule.name}({', '.join(str(getattr(a, 'data', a)) for a in y.arguments)})"


def where(y):
    return ", ".join(f"{names.called(x).get(x) or x.name or 'an input'} = {x.data}" for x in y.inputs)

"""A call of another library's function beside ours: the step that every recorder shares.

Libraries tell of their calls in different ways: PyTorch by a mode, JAX by a jaxpr, HIPS autograd by a class of nodes. So each recorder
sees calls in its own way. It then gives the name, our function, the results and the library's vjp, and gets a variable for each result.
"""

from dataclasses import dataclass
from functools import partial

import numpy as np

from scalargrad import callers
from scalargrad.user_names import made_at
from tensorgrad.modes import telling
from tensorgrad.rules.elsewhere import Elsewhere, rule_of
from tensorgrad.tensor import is_variable as is_ours  # other libraries have variables, too

OURS = "a rule of tensorgrad"
TOLERANCE = {np.dtype(np.float64): 1e-7, np.dtype(np.float32): 1e-3}  # relative to the largest entry


class Unsupported(Exception):
    """These arguments have no counterpart here. The message says which."""


@dataclass
class Call:
    """One call of the program that takes part in the graph: the function, and the line of the program.

    `by` says who computes its derivative. `why` says why it is not a rule of ours. `difference` is the largest difference of a value
    from the library's, relative to the largest entry.
    """

    name: str
    file: str
    line: int
    by: str = OURS
    why: str = ""
    difference: float = 0.0

    @property
    def place(self):
        """The file, without its folder, and the line."""
        return callers.place(self.file, self.line)


def how_far(v, y):
    """Return the largest difference of a variable from an array, relative to its largest entry, and the difference that is allowed."""
    return far(np.asarray(v.data), np.asarray(y)), TOLERANCE[v.dtype]


def far(a, b):
    """Return the largest difference of two arrays, relative to the largest entry."""
    same = (a == b) | (np.isnan(a) & np.isnan(b))
    scale = np.abs(b[np.isfinite(b)]).max(initial=0) or 1.0
    return float(np.nan_to_num(np.abs(np.where(same, 0, a - b)), nan=np.inf).max(initial=0) / scale)


class Library:
    """Another library, by its name: it makes variables of ours for the results of its calls."""

    def __init__(self, name, by="", elsewhere=None):
        self.name, self.by = name, by or f"{name}'s own derivative"
        self.elsewhere = elsewhere or Elsewhere("theirs", f"derivative by {name}", name, f"{name} computes this derivative")

    def variables(self, call, ours, results, inputs, at, vjp):
        """Return a variable for each result: by a rule of ours, or as boxes. See `by_our_rule` and `boxes`; `ours` may be None."""
        found = self.by_our_rule(call, ours, list(results.values()))[0] if ours else None
        return found or self.boxes(call, inputs, results, at, vjp)

    def by_our_rule(self, call, ours, results, how_far=how_far):
        """Return the variables that ours() makes, one for each result, and all that it made inside; (None, []) if it cannot.

        `call.why` then says why: it raises, or its variables are not those of the library. how_far(variable, result) returns their
        difference, and the one that is allowed.
        """
        made: list = []
        try:
            with telling(made.append):
                found = [v for v in ours() if is_ours(v)]
        except Unsupported as reason:
            call.why = str(reason)
        except Exception as wrong:  # an argument that our function does not take
            call.why = f"our {call.name} raised {type(wrong).__name__}: {wrong}"
        else:
            call.why = self.unlike(call, found, results, how_far)
        if call.why:
            return None, []
        for t in made:
            note_line(t, call)
        return found, made

    def unlike(self, call, found, results, how_far):
        """Return how our variables differ from the results of a call, in words; "" if they do not."""
        if len(found) != len(results):
            return f"our {call.name} made {len(found)} variables, {self.name} {len(results)}"
        for v, y in zip(found, results):
            if v.shape != tuple(y.shape):
                return f"our {call.name} made the shape {v.shape}, {self.name} {tuple(y.shape)}"
            difference, allowed = how_far(v, y)
            call.difference = max(call.difference, difference)
            if call.difference > allowed:
                return f"the value of our {call.name} differs from {self.name}'s by {call.difference:.2g} of its largest entry"
        return ""

    def boxes(self, call, inputs, results, at, vjp):
        """Return a closed box of the variables `inputs` for each of `results`, {place: array}. The library computes its derivative.

        at(place, *arrays) computes a result at other arrays. vjp(place, G, arrays, slots) returns what the call passes to the inputs at
        `slots`.
        """
        call.by = self.by
        rules = [rule_of(call.name, len(inputs), y, partial(at, i), partial(vjp, i), self.elsewhere) for i, y in results.items()]
        found = [rule(*inputs) for rule in rules]
        for v in found:
            note_line(v, call)
        return found


BY_USER = Elsewhere("own", "your own backward", "yours", "your own backward computes this derivative")
YOURS = Library("you", "a function of your own", BY_USER)  # functions whose vjp the program defines


def note_line(v, call):
    """Note the line of the program that made a variable of ours."""
    if call.line:
        made_at.note(v, call.file, call.line)

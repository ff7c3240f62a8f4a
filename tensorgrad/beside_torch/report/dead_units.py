"""Dead units: those of a ReLU that are 0 for the whole batch, so that no gradient passes through them."""

from typing import NamedTuple

import numpy as np

RELU = {"relu", "relu_", "relu6", "threshold", "threshold_", "clamp", "clamp_", "clamp_min", "clamp_min_"}
SMALL = 2  # a unit that fewer entries belong to says nothing


class DeadUnits(NamedTuple):
    """A call of ReLU: how many of its units are 0 in all of their `entries`."""

    name: str
    place: str
    dead: int
    units: int
    entries: int

    def __str__(self):
        return f"{self.name} ({self.place}): {self.dead} of {self.units} units are 0 in all their {self.entries} entries ({self.share:.0%})"

    @property
    def share(self):
        return self.dead / self.units


def dead_units_of(seen):
    """Return DeadUnits for each call of a recording that has some, in the order of the calls."""
    found = []
    for call in seen.calls:
        for y in call.results if call.name in RELU else ():
            array = y.data
            if array.ndim > 1 and array.size and array.min() == 0:
                axis = 1 if of_images(y.node, array.ndim) else array.ndim - 1
                others = tuple([i for i in range(array.ndim) if i != axis])
                dead, units = int((array == 0).all(axis=others).sum()), array.shape[axis]
                if dead and array.size // units >= SMALL:
                    found.append(DeadUnits(".".join(call.scope) or call.title, call.place, dead, units, array.size // units))
    return found


def of_images(y, axes):
    """Return whether a variable has its units along axis 1: it has 4 axes or more, or a convolution lies just before it."""
    if axes != 3:
        return axes > 3
    while len(y.inputs):
        if "conv" in y.rule.name:
            return True
        if len(np.unique([x.shape for x in y.inputs if len(x.shape) == axes], axis=0)) != 1 or "linear" in y.rule.name:
            return False
        y = y.inputs[0]
    return False

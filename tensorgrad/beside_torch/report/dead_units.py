"""Dead units: those of a ReLU that are 0 for the whole batch, and those of a smooth activation that is flat there: no gradient passes."""

from typing import NamedTuple

import numpy as np
import torch

RELU = {"relu", "relu_", "relu6", "threshold", "threshold_", "clamp", "clamp_", "clamp_min", "clamp_min_"}
SMOOTH = {
    *["gelu", "silu", "mish", "elu", "celu", "selu", "softplus", "softsign", "logsigmoid", "sigmoid", "tanh"],
    *["hardtanh", "hardsigmoid", "hardswish"],
}
FLAT = 1e-3  # a smaller slope passes nothing on
NOT_LAYERS = {"clamp", "clamp_min", "logsigmoid"}  # parts of losses and of geometry: 0 is often meant there
MANY, ENOUGH = 1 / 2, 8  # of the units, and entries: at random, so many are not dead
SMALL = 2  # a unit that fewer entries belong to says nothing


class DeadUnits(NamedTuple):
    """A call of an activation: how many of its units pass no gradient on in all of their `entries`, and what they do instead."""

    name: str
    place: str
    dead: int
    units: int
    entries: int
    what: str
    call: object

    def __str__(self):
        units = f"{self.dead} of {self.units} units {self.what}"
        return f"{self.name} ({self.place}): {units} in all their {self.entries} entries ({self.share:.0%})"

    @property
    def share(self):
        return self.dead / self.units

    @property
    def is_odd(self):
        """Whether so many are hardly meant. A few dead units are usual at the start."""
        return self.share >= MANY and self.entries >= ENOUGH and self.call.name.strip("_") not in NOT_LAYERS


def dead_units_of(seen):
    """Return DeadUnits for each call of a recording that has some, in the order of the calls."""
    found = []
    for call in seen.calls:
        name = call.name.strip("_")
        for y in call.results if name in RELU | SMOOTH else ():
            slopes, what = (y.data, "are 0") if name in RELU else (slopes_of(y.node, seen.functions), f"have a slope below {FLAT:g}")
            if slopes is not None and slopes.ndim > 1 and slopes.size and slopes.min() <= FLAT:
                axis = 1 if of_images(y.node, slopes.ndim) else slopes.ndim - 1
                others = tuple([i for i in range(slopes.ndim) if i != axis])
                passes = slopes != 0 if name in RELU else np.abs(slopes) >= FLAT
                dead, units = int((~passes).all(axis=others).sum()), slopes.shape[axis]
                if dead and slopes.size // units >= SMALL:
                    found.append(DeadUnits(".".join(call.scope) or call.title, call.place, dead, units, slopes.size // units, what, call))
    return found


def slopes_of(y, functions):
    """Return the slope of an activation at each entry, by PyTorch's own backward function; None if PyTorch has freed it."""
    function = next((function for (function, _), node in functions.items() if node is y), None)
    try:
        slopes = function and function(torch.ones(y.shape))
    except RuntimeError:
        return None
    return slopes.detach().numpy() if isinstance(slopes, torch.Tensor) and slopes.shape == y.shape else None


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

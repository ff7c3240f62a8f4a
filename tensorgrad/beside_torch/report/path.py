"""How large gradients are along the path from the loss: where they vanish, and where they explode."""

from itertools import groupby
from typing import NamedTuple

import numpy as np

FAR = 1e4  # times smaller or larger than near the loss: then gradients vanish or explode
AT_ONCE = 1e3  # a single function that changes them more does so for a reason of its own


class Layer(NamedTuple):
    """What one module computed in one pass, or a call outside all modules. `gradient` is the norm of dz/d(its result, `variable`)."""

    name: str
    place: str
    gradient: float
    variable: object = None


def layers_of(seen, gradients):
    """Return the Layers of a recording, from its {variable: gradient}, in the order in which they ran."""
    found, passes = [], {}
    for _, calls in groupby(seen.calls, key=lambda call: (call.scope, call.turn) if call.scope else call.number):
        for call in reversed(list(calls)):
            totals = [gradients[v.node] for v in call.results if v.node in gradients]
            if totals and max(G.size for G in totals) > 1:
                name = ".".join(call.scope) or call.title
                passes[name] = call.turn if call.scope else passes.get(name, 0) + 1
                size = np.sqrt(sum(np.square(G.astype(float)).sum() for G in totals))
                found.append((name, passes[name], call.place, float(size), call.results[0].node))
                break
    return [Layer(f"{name} (pass {i})" if passes[name] > 1 and name else name, *more) for name, i, *more in found]


class Far(NamedTuple):
    """`what` gradients do on the way from the last of the layers, nearest the loss. It begins with the layer `begin`; `far` is the end."""

    what: str
    layers: list
    begin: Layer
    far: Layer

    def __str__(self):
        near, begin, far = self.layers[-1], self.begin, self.far
        step = len(self.layers) - 1 - self.layers.index(far)
        each = (far.gradient / near.gradient) ** (1 / max(step, 1))
        rate = f", about {each:.2g} times from one to the next" if each and step > 2 and self.is_gradual else ""
        return (
            f"gradients {self.what}: {near.gradient:.2g} at {near.name}, {far.gradient:.2g} at {far.name} ({far.place}){rate}; "
            f"further than 1 : {FAR:,.0f} from {begin.name} on"
        )

    @property
    def is_gradual(self):
        """Whether no single layer changes gradients much, nor passes none on."""
        sizes = np.array([layer.gradient for layer in self.layers])
        return bool(sizes.all()) and np.abs(np.diff(np.log(sizes))).max() <= np.log(AT_ONCE)

    @property
    def is_odd(self):
        """Whether it is step by step, and no layer before gets more. A branch that begins with the weight 0 is meant, and where all terms
        cancel, as behind a layer norm, only rounding is left.
        """
        if not self.is_gradual:
            return False
        sizes = np.array([layer.gradient for layer in self.layers])
        before = sizes[: self.layers.index(self.begin) + 1]
        return bool((before * FAR < sizes[-1] if self.what == "vanish" else before > sizes[-1] * FAR).all())


def far_gradients(layers):
    """Return how gradients vanish or explode on their way from the loss, a Far; None if they do neither.

    A gradient of exactly 0 did not shrink: a function passes none on, which the report says of the parameters behind it.
    """
    if len(layers) < 2 or not np.isfinite([layer.gradient for layer in layers]).all() or not layers[-1].gradient:
        return None
    near, size = layers[-1].gradient, lambda layer: layer.gradient
    small = [layer for layer in layers if 0 < layer.gradient * FAR < near]
    large = [layer for layer in layers if layer.gradient > near * FAR]
    for what, those, end in ("vanish", small, min), ("explode", large, max):
        if those:
            return Far(what, layers, those[-1], end(those, key=size))
    return None

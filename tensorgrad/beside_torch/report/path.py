"""How large gradients are along the path from the loss: where they vanish, and where they explode."""

from itertools import groupby
from typing import NamedTuple

import numpy as np

FAR = 1e4  # times smaller or larger than near the loss: then gradients vanish or explode


class Layer(NamedTuple):
    """What one module computed in one pass, or a call outside all modules. `gradient` is the norm of dz/d(its result)."""

    name: str
    place: str
    gradient: float


def layers_of(seen, gradients):
    """Return the Layers of a recording, from its {variable: gradient}, in the order in which they ran."""
    found, passes = [], {}
    for _, calls in groupby(seen.calls, key=lambda call: call.scope or call.number):
        for call in reversed(list(calls)):
            totals = [gradients[v.node] for v in call.results if v.node in gradients]
            if totals and max(G.size for G in totals) > 1:
                name = ".".join(call.scope) or call.title
                passes[name] = passes.get(name, 0) + 1
                size = np.sqrt(sum(np.square(G.astype(float)).sum() for G in totals))
                found.append((name, passes[name], call.place, float(size)))
                break
    return [Layer(f"{name} (pass {i})" if passes[name] > 1 and name else name, place, size) for name, i, place, size in found]


def remark_on(layers):
    """Return a sentence on gradients that vanish or explode on their way from the loss, or ""."""
    if len(layers) < 2 or not np.isfinite([layer.gradient for layer in layers]).all() or not layers[-1].gradient:
        return ""
    near = layers[-1].gradient
    small = [layer for layer in layers if layer.gradient * FAR < near]
    large = [layer for layer in layers if layer.gradient > near * FAR]
    for what, those, end in ("vanish", small, min), ("explode", large, max):
        if those:
            far = end(layers, key=lambda layer: layer.gradient)
            step = layers.index(layers[-1]) - layers.index(far)
            each = (far.gradient / near) ** (1 / max(step, 1))
            rate = f", about {each:.2g} times from one to the next" if each and step > 2 else ""
            begin = max(those, key=layers.index)
            return (
                f"gradients {what}: {near:.2g} at {layers[-1].name}, {far.gradient:.2g} at {far.name} ({far.place}){rate}; "
                f"further than 1 : {FAR:,.0f} from {begin.name} on"
            )
    return ""

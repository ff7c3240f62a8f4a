"""The likely mistake in a custom function's backward: what forward kept is mixed up, or a known array is a factor too many or too few.

It tries: if backward becomes right with another tensor in the place of one that forward kept, that is the mistake.
"""

from itertools import permutations

import numpy as np
import torch

from tensorgrad.axes import can_unbroadcast
from tensorgrad.beside_torch.arrays import array
from tensorgrad.check.diagnosis import equal, largest_entry, summed

MOST_PERMUTED = 4  # tensors; five have 120 orders
ROUNDED = 1e-5  # relative: this close is right, but for float32
FEW = 16  # entries that show whether a function is flat
TRANSPOSED = "ᵀ"


class OwnMistakes:
    """What is known of one run of a custom function, whose `edges` have the right gradients: {place among its arguments: Edge}."""

    def __init__(self, run, place, G, edges):
        self.run, self.place, self.G, self.edges = run, place, G, edges
        names = run.call.names
        self.known = {names[i]: t.detach() for i, t in enumerate(run.given) if isinstance(t, torch.Tensor)}
        several = len(run.results) > 1
        self.known |= {f"result {i + 1}" if several else "the result": t.detach() for i, t in enumerate(run.results)}
        self.kept = run.kept

    def name_of(self, label):
        """Return how a message calls a tensor that forward kept."""
        t = self.kept[label]
        same = [name for name, known in self.known.items() if known.shape == t.shape and torch.equal(known, t.to(known.dtype))]
        called = f"ctx.saved_tensors[{label.removeprefix('saved')}]" if label.startswith("saved") else f"ctx.{label}"
        return f"{same[0]} ({called})" if same else called

    def cause(self, slot):
        """Return why backward is wrong for the argument number `slot`, or ""."""
        return next((cause for cause, other in self.replacements() if self.right_with(other, slot)), "")

    def right_with(self, other, slot):
        """Return whether backward is right for an argument if other tensors are in the place of those that forward kept."""
        try:
            g = self.run.passed(self.place, self.G, **other)[slot]
        except Exception:  # a wrong shape: this is not the mistake
            return False
        edge = self.edges[slot]
        return isinstance(g, torch.Tensor) and can_unbroadcast(g.shape, edge.x.shape) and edge.right(summed(array(g), edge.x.shape))

    def replacements(self):
        """Yield (cause, {label: another tensor}) for what may have been meant, the simplest first."""
        saved = [label for label in self.kept if label.startswith("saved")]
        for order in list(permutations(saved))[1:] if len(saved) <= MOST_PERMUTED else ():
            names = ", ".join(self.name_of(label).partition(" (")[0] for label in order)
            cause = f"with ctx.saved_tensors in another order, {names}, it would be right: are two of them exchanged?"
            yield cause, {label: self.kept[other] for label, other in zip(saved, order)}
        for label, t in self.kept.items():
            if t.ndim > 1:
                name, _, where = self.name_of(label).partition(" ")
                yield f"with {name}{TRANSPOSED} instead of {' '.join((name, where)).strip()} it would be right", {label: t.mT}
        for label, t in self.kept.items():
            for name, known in self.known.items():
                if known.is_floating_point() == t.is_floating_point() and not (known.shape == t.shape and torch.equal(known, t)):
                    yield f"with {name} instead of {self.name_of(label)} it would be right", {label: known}
                    if known.ndim > 1:
                        yield f"with {name}{TRANSPOSED} instead of {self.name_of(label)} it would be right", {label: known.mT}

    def meant(self, slot, got):
        """Return what the contribution `got` may be for on purpose, or ""."""
        edge = self.edges[slot]
        if edge.G.shape != got.shape:
            return ""
        y, expected = edge.function.array, [edge.expected(p) for p in range(min(got.size, FEW))]
        if got.size > 1 and not np.any(expected) and np.isin(got, [0.0, *edge.G.ravel()]).all() and got.any():
            return "forward is flat here, and backward passes G on; right only if it is meant, as a straight-through estimator"
        if equal(y, edge.x) and ratio(got.ravel(), edge.G.ravel()):
            return f"forward gives its input, and backward {ratio(got.ravel(), edge.G.ravel()):.4g} · G; right only if it is meant"
        return ""

    def of_entries(self, slot, got, looked):
        """Return why the entries `looked` at of the contribution `got` are wrong, judged by the numbers alone, or ""."""
        edge = self.edges[slot]
        found, expected = got.ravel()[looked], np.array([edge.expected(p) for p in looked])
        scale = largest_entry(expected)
        if scale and np.allclose(found, expected, rtol=0, atol=ROUNDED * scale):
            return "it agrees in the first digits only: are numbers rounded to float32 on the way?"
        flat = np.abs(expected) < 1e-9 * scale
        if flat.any() and found[flat].any():
            if equal(found[~flat], expected[~flat]):
                return "it is right, except where the slope is 0: is a mask missing, or one of its conditions?"
            if not found[~flat].any():
                return "it is 0 where the slope is not, and not 0 where it is: is the mask inverted?"
        factors = [(name, np.broadcast_to(a, got.shape).ravel()[looked]) for name, a in self.factors(got.shape)]
        for name, factor in factors:
            if number := ratio(found * factor, expected):
                return f"a factor {product(1 / number, name)} is missing: is the derivative of something inside forgotten?"
            if number := ratio(found, expected * factor):
                return f"a factor {product(number, name)} is too many"
        for axis in range(edge.G.ndim):
            turned = edge.contribution(np.flip(edge.G, axis).copy())
            if turned.ndim > axis and edge.right(summed(np.flip(turned, axis), edge.x.shape)):
                return f"along axis {axis} the other way round it would be right"
        if edge.G.shape == got.shape:
            upstream = edge.G.ravel()[looked]
            for name, factor in [("", np.ones(len(looked))), *factors]:
                if number := ratio(expected - found, upstream * factor):
                    return f"a term is missing: {product(number, 'G' if not name else f'G · {name}')}"
        return ""

    def factors(self, shape):
        """Yield (name, array) for what may be a factor of the derivative."""
        for name, t in self.known.items():
            if t.is_floating_point() and can_unbroadcast(shape, tuple(t.shape)) and t.numel() > 1:
                a = array(t).astype(float)
                yield from ((name, a), (f"{name}²", a * a), (f"(1 − {name})", 1 - a), (f"(1 − {name}²)", 1 - a * a))


def ratio(a, b):
    """Return the number c with a = c · b, if there is one and it is not 0; else None."""
    there = np.abs(b) > 1e-6 * np.abs(b).max(initial=0)
    if there.sum() < 2 or not np.isfinite(a).all() or not np.isfinite(b).all():
        return None
    c = float(np.median(a[there] / b[there]))
    return c if c and equal(a, c * b) else None


def product(number, name):
    return name if abs(number - 1) < 1e-5 else f"−{name}" if abs(number + 1) < 1e-5 else f"{number:.4g} · {name}"

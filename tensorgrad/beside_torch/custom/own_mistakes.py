"""The likely mistake in a custom function's backward: what forward kept is mixed up, or a known array is a factor too many or too few.

It tries: if backward becomes right with another tensor in the place of one that forward kept, that is the mistake.
"""

import re
from itertools import chain, combinations, permutations
from itertools import product as product_of

import numpy as np
import torch

from tensorgrad.arrays.axes import can_unbroadcast
from tensorgrad.beside_torch.calls.arrays import array
from tensorgrad.checking.diagnosis import equal, largest_entry, summed

MOST_PERMUTED = 4  # tensors; five have 120 orders
ROUNDED = 1e-5  # relative: this close is right, but for float32
FEW = 16  # entries that show whether a function is flat
FUNCTIONS = (torch.exp, torch.log, torch.sqrt, torch.reciprocal)  # that may be forgotten
MOST_MIXED = 256  # entries of an array of which each slope is measured
FORGOTTEN = "is the derivative of a sum, a mean or a norm forgotten, or along a wrong axis?"
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
        for other, t in enumerate(self.run.results):
            if other != self.place and t.shape == self.run.results[self.place].shape and self.right_with({}, slot, other):
                return f"that is right for result {other + 1}: is the order of the upstream gradients that of the results?"
        return next((cause for cause, other in self.replacements() if self.right_with(other, slot)), "")

    def right_with(self, other, slot, place=None):
        """Return whether backward is right for an argument if other tensors are in the place of those that forward kept.

        With `place` it takes the upstream gradient for that of another result.
        """
        try:
            g = self.run.passed(self.place if place is None else place, self.G, **other)[slot]
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
                yield (
                    f"with {self.name_of(label).partition(' (')[0]}{TRANSPOSED} instead of {self.name_of(label)} it would be right",
                    {label: t.mT},
                )
        for label, t in self.kept.items():
            for name, known in self.known.items():
                if known.is_floating_point() == t.is_floating_point() and not (known.shape == t.shape and torch.equal(known, t)):
                    yield f"with {name} instead of {self.name_of(label)} it would be right", {label: known}
                    if known.ndim > 1:
                        yield f"with {name}{TRANSPOSED} instead of {self.name_of(label)} it would be right", {label: known.mT}
        for label, t in self.kept.items():
            for function in FUNCTIONS if t.is_floating_point() else ():
                cause = (
                    f"with {function.__name__}({self.name_of(label).partition(' (')[0]}) instead of {self.name_of(label)} it would be right"
                )
                yield cause, {label: function(t)}

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

    def of_scalar(self, cause):
        """Return the end of a cause that names a factor, if this factor is a number that the function was given or returned."""
        found = re.match(r"it is (?:1/)?([0-9.e+-]+) times", cause)
        given = zip(self.run.call.names, self.run.given)
        numbers = [
            *[(n, x) for n, x in given if isinstance(x, int | float)],
            *[(n, float(t)) for n, t in self.known.items() if t.numel() == 1],
        ]
        same = [n for n, x in numbers if found and x and np.isclose(max(abs(x), 1 / abs(x)), larger(float(found[1])), rtol=1e-5)]
        return f" ({same[0]} is {dict(numbers)[same[0]]:.6g})" if same else ""

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
        return (
            self.of_branch(found, expected, factors)
            or of_factors(found, expected, factors)
            or self.of_direction(edge)
            or (edge.G.shape == got.shape and of_term(expected - found, edge.G.ravel()[looked], factors))
            or self.of_mixing(edge, got)
        )

    def of_branch(self, found, expected, factors):
        """Return where backward is wrong, if that is where an argument is below or above a number, and by what factor."""
        wrong = ~np.isclose(found, expected, rtol=1e-5, atol=1e-7 * largest_entry(expected))
        if wrong.sum() < 2 or (~wrong).sum() < 2:
            return ""
        number = ratio(found[wrong], expected[wrong])
        by = "" if not number else ", the sign is wrong there" if abs(number + 1) < ROUNDED else f", it is {number:.4g} times as much there"
        for name, a in factors:
            if name not in self.known:
                continue
            for word, sign in ("below", 1), ("above", -1):
                low, high = (sign * a)[wrong].max(), (sign * a)[~wrong].min()
                if low < high:
                    border = 0.0 if low < 0 < high else sign * (low + high) / 2
                    return f"it is wrong only where {name} is {word} about {border:.2g}{by}: is a branch or its condition wrong?"
        return ""

    def of_direction(self, edge):
        """Return whether backward is right if it runs along an axis in the other direction."""
        for axis in range(edge.G.ndim):
            turned = edge.contribution(np.flip(edge.G, axis).copy())
            if turned.ndim > axis and edge.right(summed(np.flip(turned, axis), edge.x.shape)):
                return f"along axis {axis} the other way round it would be right"
        return ""

    def of_mixing(self, edge, got):
        """Return whether backward spreads the gradient of one entry along other axes than those along which the entry depends on x."""
        x, y = edge.x, edge.function.array
        if x.shape != y.shape or not 1 < x.size <= MOST_MIXED or got.shape != x.shape:
            return ""
        middle = tuple([n // 2 for n in x.shape])
        G = np.zeros(x.shape)
        G[middle] = 1.0
        passed = edge.contribution(G)
        needed = np.array([edge.entry(p)[middle] for p in range(x.size)]).reshape(x.shape)
        has, needs = axes_of(passed, middle), axes_of(needed, middle)
        if passed.shape != x.shape or has == needs:
            return ""
        return f"an entry of the result depends on {along(needs)}, and backward passes its gradient to {along(has)}: {FORGOTTEN}"

    def factors(self, shape):
        """Return (name, array) for what may be a factor of the derivative."""
        found, seen = [], []
        for name, t in [*self.known.items(), *((self.name_of(label), t) for label, t in self.kept.items())]:
            fits = [x for x in [t, *map(t.unsqueeze, range(t.ndim + 1))] if can_unbroadcast(shape, tuple(x.shape))]  # a result of x.sum(1)
            new = t.is_floating_point() and fits and t.numel() > 1
            if new and not any(t.shape == other.shape and torch.equal(t, other) for other in seen):
                a = array(fits[0]).astype(float)
                with np.errstate(over="ignore"):
                    exp = np.exp(a)
                found += [(name, a), (f"{name}²", a * a), (f"(1 − {name})", 1 - a), (f"(1 − {name}²)", 1 - a * a), (f"exp({name})", exp)]
                seen.append(t)
        return found


def of_factors(found, expected, factors):
    """Return which array is a factor too many or too few, or ""."""
    for name, factor in factors:
        if number := ratio(found * factor, expected):
            return f"a factor {product(1 / number, name)} is missing: is the derivative of something inside forgotten?"
        if number := ratio(found, expected * factor):
            return f"a factor {product(number, name)} is too many"
    return ""


def of_term(missing, upstream, factors):
    """Return which term is missing: the upstream gradient times none, one or two known factors; or ""."""
    one = [("", np.ones(len(missing)))]
    for (name, a), (other, b) in chain(product_of(one, one), product_of(one, factors), combinations(factors, 2)):
        if number := ratio(missing, upstream * a * b):
            return f"a term is missing: {product(number, ' · '.join(filter(None, ['G', name, other])))}"
    return ""


def axes_of(a, middle):
    """Return the axes along which an array is not 0 beside one entry."""
    there = np.abs(a) > 1e-9 * largest_entry(a)
    return [axis for axis in range(a.ndim) if there[tuple([slice(None) if i == axis else m for i, m in enumerate(middle)])].sum() > 1]


def along(axes):
    return f"the entries along ax{'e' if len(axes) > 1 else 'i'}s {', '.join(map(str, axes))}" if axes else "the same entry alone"


def larger(x):
    return max(abs(x), 1 / abs(x))


def ratio(a, b):
    """Return the number c with a = c · b, if there is one and it is not 0; else None."""
    there = np.abs(b) > 1e-6 * np.abs(b).max(initial=0)
    if there.sum() < 2 or not np.isfinite(a).all() or not np.isfinite(b).all():
        return None
    c = float(np.median(a[there] / b[there]))
    return c if c and equal(a, c * b) else None


def product(number, name):
    return name if abs(number - 1) < 1e-5 else f"−{name}" if abs(number + 1) < 1e-5 else f"{number:.4g} · {name}"

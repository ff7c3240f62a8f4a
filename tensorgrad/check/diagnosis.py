"""The typical mistake that gives a wrong gradient, guessed from its pattern: for the gradient check to say."""

import numpy as np

from tensorgrad.axes import fits
from tensorgrad.errstate import quietly

IGNORED = "the upstream gradient is ignored: it must be a factor"
TRANSPOSED = "it is the transpose of what is expected: is a ᵀ missing?"


def of_shape(got, shape):
    """Why an array of another shape stands where a gradient of `shape` belongs."""
    if len(shape) > 1 and got.shape == (*shape[:-2], shape[-1], shape[-2]):
        return "it is transposed: is a ᵀ missing?"
    if fits(got.shape, shape):
        extra = got.ndim - len(shape)
        axes = [i for i, n in enumerate(got.shape) if i < extra or n != shape[i - extra]]
        return f"the sum over ax{'e' if len(axes) > 1 else 'i'}s {', '.join(map(str, axes))} is missing, along which it was repeated"
    if fits(shape, got.shape):
        return "it is not repeated along the axes that the function reduced (np.broadcast_to)"
    if got.size == int(np.prod(shape)):
        return "it has as many entries, but must be reshaped to the shape of the variable it goes to"
    return "a gradient has the shape of the variable it goes to"


def summed(contribution, shape):
    """A contribution summed to the shape of its input, written here once more because the engine's way is what is examined."""
    extra = contribution.ndim - len(shape)
    repeated = tuple([i for i in range(contribution.ndim) if i < extra or shape[i - extra] == 1])
    return contribution.sum(axis=repeated, keepdims=True).reshape(shape)


def equal(a, b):
    a, b = np.asarray(a), np.asarray(b)
    return a.shape == b.shape and np.allclose(a, b, rtol=1e-5, atol=1e-7 * max(largest(a), largest(b)))


def largest(array):
    """The largest finite entry, without its sign."""
    return np.abs(array[np.isfinite(array)]).max(initial=0.0)


def of_upstream(edge, raw):
    """Whether what a vjp makes (`raw`) of its upstream gradient shows that it is ignored, or is no factor; "" if all is well."""
    twice = edge.contribution(2 * edge.G)
    if isinstance(twice, Exception) or not np.any(raw):
        return ""
    if equal(twice, raw):
        return IGNORED
    return "" if equal(twice, 2 * raw) else "twice the upstream gradient does not give twice as much: it must be a factor"


def of_transposed(edge):
    """Which of the arrays that a vjp computes with must be transposed to make it right; "" if none."""
    vjp, saved = edge.vjp, list(edge.saved)
    if vjp is None:
        return ""
    names = ["G", *[edge.name_of(source) for source in vjp.sources]]
    known = [edge.G, *saved]
    for i, a in enumerate(known):
        if isinstance(a, np.ndarray) and a.ndim > 1 and i < len(names):
            try:
                made = np.asarray(quietly(vjp.function, *known[:i], a.swapaxes(-1, -2), *known[i + 1 :]))
            except (ValueError, IndexError):
                continue
            if fits(made.shape, edge.x.shape) and edge.right(summed(made, edge.x.shape)):
                return f"with {names[i]}ᵀ instead of {names[i]} it would be right"
    return ""


def of_contribution(edge, others, raw, got, looked):
    """Why `got`, what a vjp made of edge.G, is wrong at some of the entries `looked` at. `others`: {name: edge} of its other inputs."""
    entries = got.ravel()[looked]
    if not np.isfinite(entries).all():
        return "it is no finite number, where the function has a slope: is there a 0 / 0 or 0 · inf in the vjp?"
    expected = np.array([edge.expected(p) for p in looked])
    if not entries.any():
        return "it is 0: is a term forgotten?"
    if cause := of_upstream(edge, raw):
        return cause
    if equal(entries, -expected):
        return "the sign is wrong"
    for name, other in others.items():
        if other.x.shape == edge.x.shape and equal(entries, [other.expected(p) for p in looked]):
            return f"that is what belongs to {name}: are the vjps exchanged?"
    if got.ndim > 1 and got.shape[-1] == got.shape[-2]:
        mirrored = np.arange(got.size).reshape(got.shape).swapaxes(-1, -2).ravel()[looked]
        if equal(entries, [edge.expected(p) for p in mirrored]):
            return TRANSPOSED
    if cause := of_transposed(edge) or of_factor(entries, expected, lengths(edge)):
        return cause
    y = edge.function.array
    if y.shape == got.shape and equal(got, edge.G * y):
        return "that is G times the value of the function, not times its slope"
    if cause := of_terms(edge, looked, entries, expected):
        return cause
    if len(looked) == got.size and equal(np.sort(entries), np.sort(expected)):
        return "these are the right numbers at wrong places: is the order, or the axis, another one?"
    return f"compare the vjp with its formula: {edge.function.rule.formula(edge.slot)}"


def of_factor(got, expected, counts):
    """Whether one number relates what is there to what is expected, and what it may be; "" if there is none."""
    there = np.abs(expected) > 1e-6 * np.abs(expected).max(initial=0)
    if not there.any():
        return ""
    factor = (got[there] / expected[there])[0]
    if not factor or not equal(got, factor * expected):
        return ""
    n = round(max(factor, 1 / factor))
    if n > 1 and abs(max(factor, 1 / factor) - n) < 1e-5 * n:
        which = f"; {n} is {counts[n]}" if n in counts else ""
        if factor < 1:
            return f"it is 1/{n} of what is expected{which}: is a {'mean taken for a sum' if which else 'term or a factor forgotten'}?"
        return "it is twice as much: is something counted twice?" if n == 2 else f"it is {n} times as much{which}: is a division missing?"
    return f"it is {factor:.6g} times what is expected: is a factor wrong?"


def lengths(edge):
    """What the numbers of entries and the lengths of axes that a wrong factor may come from are called."""
    x, y = edge.x, edge.function.array
    found = {n: f"the length of axis {i} of the input" for i, n in enumerate(x.shape)}
    found |= {n: f"the length of axis {i} of the output" for i, n in enumerate(y.shape)}
    found |= {x.size: "the number of entries of the input", y.size: "the number of entries of the output"}
    if y.size and x.size and x.size > y.size:
        found |= {x.size // y.size: "the number of entries that go into one"}
    return {n: what for n, what in found.items() if n > 1}


def of_terms(edge, looked, got, expected):
    """Whether only one of several terms arrived where an entry was used more than once; "" if not."""
    terms = [np.ravel(edge.G * edge.entry(p)) for p in looked]
    scale = max(np.abs(t).max(initial=0) for t in terms)
    most = max(np.count_nonzero(np.abs(t) > 1e-7 * scale) for t in terms)
    one_of = [np.isclose(t, g, rtol=1e-5, atol=1e-7 * scale).any() for t, g in zip(terms, got)]
    if most < 2 or not all(one_of):
        return ""
    x, y = edge.x.shape, edge.function.array.shape
    lined = [n in (1, m) for n, m in zip(x[::-1], y[::-1])]
    if len(x) <= len(y) and all(lined) and edge.x.size < edge.function.array.size:
        return f"only one of {most} terms is there: is the sum over the axis missing along which the input was repeated?"
    return f"only one of {most} terms is there: what is used several times (a repeated index) gets the sum: add, do not assign"


def of_total(got, expected, terms, of_ones, used_by):
    """Why the total `got` is not the sum of the contributions `terms` of the children `used_by`; `of_ones`: what they make of ones."""
    if not terms:
        return "the derivative of z with respect to itself is what backward() starts from"
    if equal(got, of_ones):
        return "the upstream gradient is ignored: each child hands on what its vjp makes of its own total"
    for term, y in zip(terms, used_by):
        if len(terms) > 1 and equal(got, term):
            return f"only the contribution of {y} is there: is it overwritten instead of added?"
        if not equal(got, 0 * got) and equal(got, expected - term):
            return f"the contribution of {y} is forgotten"
        if len(terms) > 1 and equal(got, expected + term):
            return f"the contribution of {y} is counted twice"
    if not got.any():
        return "it is 0: does nothing arrive there?"
    if equal(got, -expected):
        return "the sign is wrong"
    if equal(got, 2 * expected):
        return "it is counted twice: were gradients set to zero before?"
    if got.ndim > 1 and equal(got, expected.swapaxes(-1, -2)):
        return TRANSPOSED
    counts = {n: f"the length of axis {i}" for i, n in enumerate(got.shape)} | {got.size: "the number of entries"}
    return of_factor(got.ravel(), expected.ravel(), counts) or "sum the contributions of all children"

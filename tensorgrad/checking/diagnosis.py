"""The likely cause of a wrong gradient of arrays: shapes, transposes, axes, and repeated entries."""

from itertools import chain

import numpy as np

from scalargrad.checking.diagnosis import START, SUM, likely_cause, mistakes_in_function, mistakes_in_total, value_for_slope
from tensorgrad.arrays.axes import can_unbroadcast

IGNORED = "the upstream gradient is ignored: it must be a factor"
TRANSPOSED = "it is the transpose of what is expected: is a ᵀ missing?"


def of_shape(got, shape):
    """Return why a gradient of the shape `shape` has the shape of `got` instead."""
    if len(shape) > 1 and got.shape == (*shape[:-2], shape[-1], shape[-2]):
        return "it is transposed: is a ᵀ missing?"
    if can_unbroadcast(got.shape, shape):
        extra = got.ndim - len(shape)
        axes = [i for i, n in enumerate(got.shape) if i < extra or n != shape[i - extra]]
        return f"the sum over ax{'e' if len(axes) > 1 else 'i'}s {', '.join(map(str, axes))} is missing, along which it was repeated"
    if can_unbroadcast(shape, got.shape):
        return "it is not repeated along the axes that the function reduced (np.broadcast_to)"
    if got.size == int(np.prod(shape)):
        return "it has as many entries, but must be reshaped to the shape of the variable it goes to"
    return "a gradient has the shape of the variable it goes to"


def summed(contribution, shape):
    """Return a contribution summed to the shape of its input. The check has its own code for that, because it examines the engine's."""
    extra = contribution.ndim - len(shape)
    repeated = tuple([i for i in range(contribution.ndim) if i < extra or shape[i - extra] == 1])
    return contribution.sum(axis=repeated, keepdims=True).reshape(shape)


def equal(a, b):
    a, b = np.asarray(a), np.asarray(b)
    return a.shape == b.shape and np.allclose(a, b, rtol=1e-5, atol=1e-7 * max(largest_entry(a), largest_entry(b)))


def largest_entry(array):
    """Return the largest absolute value of the finite entries."""
    return np.abs(array[np.isfinite(array)]).max(initial=0.0)


def of_upstream(edge, raw):
    """Return the cause if the contribution `raw` is not proportional to the upstream gradient, else ""."""
    twice = edge.contribution(2 * edge.G)
    if isinstance(twice, Exception) or not np.any(raw):
        return ""
    if equal(twice, raw):
        return IGNORED
    return "" if equal(twice, 2 * raw) else "twice the upstream gradient does not give twice as much: it must be a factor"


def of_transposed(edge):
    """Return which array must be transposed to make the vjp right, else ""."""
    vjp, saved = edge.vjp, list(edge.saved)
    if vjp is None:
        return ""
    names = ["G", *[edge.name_of(source) for source in vjp.sources]]
    known = [edge.G, *saved]
    for i, a in enumerate(known):
        if isinstance(a, np.ndarray) and a.ndim > 1 and i < len(names):
            made = edge.passed(*known[:i], a.swapaxes(-1, -2), *known[i + 1 :])
            if isinstance(made, Exception):
                continue
            if can_unbroadcast(made.shape, edge.x.shape) and edge.right(summed(made, edge.x.shape)):
                return f"with {names[i]}ᵀ instead of {names[i]} it would be right"
    return ""


def of_contribution(edge, y, others, raw, got, looked):
    """Return why `got`, which a vjp of the function of y made of edge.G, is wrong at some of the entries `looked` at.

    `others` is a dictionary {name: edge} of the function's other inputs.
    """
    entries = got.ravel()[looked]
    if not np.isfinite(entries).all():
        return "it is not finite, but the function has a slope here: is there a 0 / 0 or 0 · inf in the vjp?"
    expected = np.array([edge.expected(p) for p in looked])
    of_others = ((x, np.array([other.expected(p) for p in looked])) for x, other in others.items() if other.x.shape == edge.x.shape)
    mistakes = chain(mistakes_in_function(expected, of_others), mistakes_of_arrays(edge, y, got, looked))
    return (
        (entries.any() and of_upstream(edge, raw))
        or likely_cause(lambda a: equal(entries, a), mistakes, "")
        or of_transposed(edge)
        or of_factor(entries, expected, lengths(edge))
        or of_terms(edge, looked, entries, expected)
        or of_order(got, entries, expected)
        or f"compare the vjp with its formula: {edge.function.rule.formula(edge.slot)}"
    )


def mistakes_of_arrays(edge, name, got, looked):
    """Yield what a vjp gives at the entries `looked` at, if it gives the transpose, or takes the function's value for its slope."""
    if got.ndim > 1 and got.shape[-1] == got.shape[-2]:
        mirrored = np.arange(got.size).reshape(got.shape).swapaxes(-1, -2).ravel()[looked]
        yield [edge.expected(p) for p in mirrored], TRANSPOSED
    if edge.function.array.shape == got.shape:
        yield value_for_slope(name, (edge.G * edge.function.array).ravel()[looked])


def of_order(got, entries, expected):
    """Return the cause if the right entries are in a wrong order, else ""."""
    right = len(entries) == got.size and equal(np.sort(entries), np.sort(expected))
    return "these are the right numbers at wrong places: is the order, or the axis, another one?" if right else ""


def of_factor(got, expected, counts):
    """Return the cause if `got` is a number times `expected`, else ""; `counts` names the numbers that a factor may come from."""
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
    """Return {n: what n counts} for the lengths of axes and the numbers of entries, from which a wrong factor may come."""
    x, y = edge.x, edge.function.array
    found = {n: f"the length of axis {i} of the input" for i, n in enumerate(x.shape)}
    found |= {n: f"the length of axis {i} of the output" for i, n in enumerate(y.shape)}
    found |= {x.size: "the number of entries of the input", y.size: "the number of entries of the output"}
    if y.size and x.size and x.size > y.size:
        found |= {x.size // y.size: "the number of entries that go into one"}
    return {n: what for n, what in found.items() if n > 1}


def of_terms(edge, looked, got, expected):
    """Return the cause if each entry has only one of its several terms, else ""."""
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


def of_total(got, terms, ignored, children):
    """Return why the total `got` is not the sum of the contributions `terms` of `children`, which is `ignored` for upstreams of 1."""
    if not terms:
        return START
    expected = sum(terms)
    transposed = [(expected.swapaxes(-1, -2), TRANSPOSED)] if got.ndim > 1 else []
    counts = {n: f"the length of axis {i}" for i, n in enumerate(got.shape)} | {got.size: "the number of entries"}
    otherwise = of_factor(got.ravel(), expected.ravel(), counts) or SUM
    return likely_cause(lambda a: equal(got, a), [*mistakes_in_total(terms, ignored, children), *transposed], otherwise)

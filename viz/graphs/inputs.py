"""The inputs of a graph as the page lists them: s1, s2, s3, although the function uses s2 first; and the one that its question is about."""

from collections import defaultdict
from math import inf, isfinite

from scalargrad.formulas.text import split_name
from scalargrad.user_names.names import Numbered

FEW = 3  # paths, which the page shows one by one
SLIGHT, NOISE = 0.05, 1e-9  # shares of the largest effect of an input: one with less is not asked for; one with rounding only, in no case


def inputs_of(trace):
    """Return the variables that no function has made, as the graph lists them, but those of one name in the order of their indices.

    >>> from scalargrad import Trace, Value
    >>> s1, s2, b = Value(1, name="s1"), Value(2, name="s2"), Value(3, name="b")
    >>> [x.name for x in inputs_of(Trace(s2 * b + s1))]
    ['s1', 'b', 's2']
    """
    given, alike = [v for v in trace.graph.variables if not v.rule], defaultdict(list)
    for v in given:
        base, index = split_name(trace.names[v])
        alike[base].append((len(index), index, v))
    ordered = {base: iter(sorted(group, key=lambda found: found[:2])) for base, group in alike.items()}
    return [next(ordered[split_name(trace.names[v])[0]])[-1] for v in given]


def asked_input(trace):
    """Return the input that the question is about: the first of those that reach z over most paths of which each can be shown, at least
    two; else of those over the fewest that are several; else, of those that do not only reach z itself, the one with the largest effect.
    It has a name of the program, if an input with an effect has one.
    Its effect is not slight.

    >>> from scalargrad import Trace, Value
    >>> a, b, c = Value(1, name="a"), Value(2, name="b"), Value(0, name="c")
    >>> asked_input(Trace(a + b * b + c * c)).name
    'b'
    >>> asked_input(Trace(a + 1 / (b + 5))).name, asked_input(Trace(a + b)).name
    ('b', 'a')
    >>> asked_input(Trace((lambda d: d * d)(Value(3)) + a)).name
    'a'
    """
    graph, given = trace.graph, inputs_of(trace)
    paths = {graph.z: 1}
    for x in graph.order:
        if x is not graph.z:
            paths[x] = sum(paths[y] for y, _ in graph.children[x])
    effects = {x: effect(trace, x) for x in given}
    largest = max((found for found in effects.values() if found < inf), default=0)
    known = [x for x in given if type(trace.names[x]) is not Numbered and effects[x] > NOISE * largest] or given
    felt = lambda share: [x for x in known if effects[x] >= share * largest]
    several = [x for x in felt(SLIGHT) if paths[x] > 1]
    deeper = [x for x in felt(NOISE) if any(y is not graph.z for y, _ in graph.children[x])]
    way = max(deeper, key=effects.get, default=next(iter(felt(NOISE)), given[0]))
    return min(several, key=lambda x: (paths[x] > FEW, paths[x] if paths[x] > FEW else -paths[x]), default=way)


def effect(trace, x):
    """Return how much z changes if a number x grows by a share of itself: |dz/dx · x|. Of 0 the share is that of 1. The effect is 0 if it
    is not finite. That of an array is not compared: inf.
    """
    total, data = trace.computed.get(x), trace.on.data(x)
    if total is None or hasattr(total.number, "shape") or hasattr(data, "shape"):
        return inf
    try:
        found = float(abs(total.number * (data or 1)))
    except OverflowError:  # of a huge integer
        return 0.0
    return found if isfinite(found) else 0.0

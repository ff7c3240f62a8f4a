"""The same graph at other numbers: small integers from a seed, at which a person can compute. For graphs of Values."""

import math
import random

from scalargrad.callers import called_function
from scalargrad.fast.value import Constant, Value
from scalargrad.formulas.text import short
from scalargrad.tracing.trace import Trace

SMALL = (*range(-5, 0), *range(1, 8))  # the numbers to draw from
TRIES = 200
BY_HAND = 4  # characters: a number as long as this, such as −125, can be computed with by hand
MOST_AT_ONCE = 2_000  # variables: of a larger graph fewer numbers are tried


def variant(trace, seed):
    """Return a Trace of the graph of `trace` with other numbers in its leaves, the same for the same seed. Constants keep theirs.

    Of the numbers that it draws, it takes the first at which every value and derivative is short. Raises TypeError for a graph of
    arrays, ValueError if no numbers give finite values.

    >>> x = Value(3, name="x"); y = x * x; y.name = "y"
    >>> other = variant(Trace(y), seed=1); other.graph.z.data == other.graph.variables[0].data ** 2
    True
    """
    graph = trace.graph
    if not all(isinstance(v, Value) for v in graph.variables):
        raise TypeError(
            f"{called_function()}: seed={seed} needs a graph of numbers; this graph has arrays: make it again from other arrays"
        )
    leaves = [v for v in graph.variables if not v.rule and not isinstance(v, Constant)]
    if not leaves:
        raise ValueError(f"{called_function()}: seed={seed}: no number of this graph can change, because all its inputs are constants")
    dice, best = random.Random(seed), (math.inf, None)
    for _ in range(max(1, min(TRIES, TRIES * MOST_AT_ONCE // len(graph.variables) // 10))):
        made = again(graph.variables, dict(zip(leaves, drawn(dice, leaves))))
        long = longest(made.values()) if made else math.inf
        best = min(best, (long, made), key=lambda pair: pair[0])
        if long <= BY_HAND:
            break
    if best[1] is None:
        raise ValueError(f"{called_function()}: seed={seed}: no small integers give finite values here; choose other numbers yourself")
    return same_trace(trace, best[1])


def drawn(dice, leaves):
    """Return a small number for each leaf, of the leaf's own type; all different if there are enough."""
    found = dice.sample(SMALL, len(leaves)) if len(leaves) <= len(SMALL) else dice.choices(SMALL, k=len(leaves))
    return [type(x.data)(number) for x, number in zip(leaves, found)]


def again(variables, numbers):
    """Return {variable: the same variable at the new numbers of the leaves}, None if a function is not finite there."""
    made = {}
    for v in variables:
        try:
            new = v.rule(*(made[x] for x in v.inputs)) if v.rule else Value(numbers.get(v, v.data), keep_grad=v.keep_grad)
        except (ArithmeticError, ValueError):
            return None
        new.name = v.name
        new._scope = v.scope
        made[v] = new
    made[variables[-1]].backward()
    return made if all(math.isfinite(n) for v in made.values() for n in (v.data, v.grad, *v.partials)) else None


def longest(variables):
    """Return the number of characters of the longest number in a graph after its backward pass."""
    return max(len(short(n)) for v in variables for n in (v.data, v.grad, *v.partials))


def same_trace(trace, made):
    """Return a trace of the new variables with the order, the names and the loop of the old one."""
    order = [made[v] for v in trace.graph.order] if trace.schedule.takes_order else None
    names = {made[v]: name for v, name in trace.names.items() if v in made}
    loop = None if trace.loop is trace.schedule.loop else trace.loop
    return Trace(made[trace.graph.z], order, trace.schedule, names, steps=loop)

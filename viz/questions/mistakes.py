"""What typical mistakes give for a derivative: the table KINDS, and the wrong numbers of one question."""

import math
import warnings
from typing import NamedTuple

from scalargrad.tracing.quantities import mul
from scalargrad.tracing.steps import Step
from viz.text.array_text import is_array
from viz.text.formatter import UNICODE, name_of, product, total_of

# fmt: off
KINDS = {  # a kind of mistake: its name in the tally at the end of a run
    "path":      "forgot a path",
    "product":   "multiplied paths instead of adding them",
    "twice":     "counted a path twice",
    "upstream":  "left out the upstream gradient",
    "partial":   "left out the partial derivative",
    "total":     "gave the total derivative instead of the partial derivative",
    "direct":    "gave the partial derivative instead of the total derivative",
    "input":     "took the derivative for another input",
    "fraction":  "turned the fraction over",
    "value":     "used the value instead of the derivative",
    "sign":      "wrong sign",
    "transpose": "exchanged rows and columns",
    "other":     "another mistake",
    "shown":     "looked at the answer",
}
# fmt: on


class Mistake(NamedTuple):
    """The wrong number that a mistake gives, its kind, a sentence that names it, and the edges (y, slot) that the sentence speaks of."""

    number: object
    kind: str
    said: str
    edges: tuple = ()


def mistakes(trace, question, formatter=UNICODE):
    """Return [Mistake, …]: what typical mistakes give for the number that a question asks for, the likeliest first."""
    found = mistakes_in_total(trace, question.x, formatter) if question.slot is None else mistakes_in_partial(trace, question, formatter)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # inf - inf is nan, which is not a typical mistake
        return list(found)


def products(trace, x, most=None):
    """Return the first `most` terms of equation (1) for x, or all, each as a step that holds its factors and its product."""
    found = []
    for y, slot in trace.graph.children[x][:most]:
        upstream, partial = trace.on.upstream(y, trace.computed[y]), trace.on.partial(y, slot)
        found.append(Step(None, "add", x=x, y=y, slot=slot, partial=partial, upstream=upstream, term=upstream * partial))
    return found


def term_of(trace, step, formatter, first=False, in_numbers=False):
    """Return a term of equation (1) as the chain rule writes it, or in numbers."""
    chain_rule, _, numbers = trace.on.factors(step.y, step.slot, step)
    return product(numbers if in_numbers else chain_rule, formatter, first)


def mistakes_in_total(trace, x, formatter):
    terms, total = products(trace, x), trace.computed[x].number
    z, name = name_of(trace, trace.graph.z, formatter), name_of(trace, x, formatter)
    edges = tuple((step.y, step.slot) for step in terms)
    through = []
    for edge, step in zip(edges, terms):
        written = f"{term_of(trace, step, formatter, first=True)} = {formatter.number(step.term.number)}"
        way = "directly" if step.y is trace.graph.z else f"through {name_of(trace, step.y, formatter)}"
        through.append((step.term.number, written, way, (edge,)))
    to_z = [k for k, step in enumerate(terms) if step.y is trace.graph.z]

    def holding(k):
        """Return the kind of an answer that holds the term at this place alone: ∂z/∂x for dz/dx, or else some path."""
        return "direct" if to_z == [k] else "path"

    if len(terms) > 1:
        for k, (term, written, way, edge) in enumerate(through):
            kind = holding(1 - k) if len(terms) == 2 else "path"
            yield Mistake(total - term, kind, f"The term {written} is missing: {name} also reaches {z} {way}.", edge)
    if all(t.partial.number is not None for t in terms):  # an edge between tensors holds a vjp, not a number
        sums = sum(t.partial.number for t in terms), sum(t.upstream.number for t in terms)
        said = f"The upstream gradients d{z}/dy are missing: multiply each partial by its upstream gradient."
        yield Mistake(sums[0], "upstream", said, edges)
        yield Mistake(sums[1], "partial", "The partials ∂y/∂x are missing: multiply each upstream gradient by its partial.", edges)
    elif is_array(total) and total.shape == total.shape[::-1]:
        yield Mistake(total.T, "transpose", "This is the transpose: rows and columns are exchanged.")
    if len(terms) > 1:
        product_of_terms = math.prod(term for term, *_ in through)
        yield Mistake(product_of_terms, "product", "The terms were multiplied: multiply along a path, and add over the paths.", edges)
        for k, (term, written, _, edge) in enumerate(through):
            yield Mistake(term, holding(k), f"This is only the term {written}.", edge)
    yield Mistake(-total, "sign", "The sign is wrong.", edges)
    for term, written, _, edge in through:
        yield Mistake(total + term, "twice", f"The term {written} was counted twice.", edge)
    if trace.on.data(x) is not None:
        yield Mistake(trace.on.data(x), "value", f"This is the value of {name}, not its derivative.")


def mistakes_in_partial(trace, question, formatter):
    _, x, y, slot = question
    right, edge = trace.on.partial(y, slot).number, ((y, slot),)
    partial = formatter.formula(trace.ratio(y, slot))
    yield Mistake(-right, "sign", "The sign is wrong.", edge)
    yield Mistake(trace.on.data(y), "value", f"This is the value of {name_of(trace, y, formatter)}, not how fast it changes.", edge)
    for other, v in enumerate(y.inputs):
        if other != slot and v is not x:
            said = f"This is {formatter.formula(trace.ratio(y, other))}. Here {name_of(trace, x, formatter)} changes, and nothing else."
            yield Mistake(trace.on.partial(y, other).number, "input", said, ((y, other), *edge))
    yield Mistake(trace.on.data(x), "value", f"This is the value of {name_of(trace, x, formatter)}, not a derivative.", edge)
    total = trace.computed[x].number
    said = f"This is {total_of(trace, x, formatter)}, over all paths. {partial} is what {name_of(trace, y, formatter)} does by itself."
    yield Mistake(total, "total", said, edge)
    said = f"This is already the term of the chain rule. {partial} is the factor without {total_of(trace, y, formatter)}."
    yield Mistake(mul(trace.computed[y].number, right), "total", said, edge)
    if right not in (0, 1, -1):
        said = f"The fraction is turned over: this is how {name_of(trace, x, formatter)} changes with {name_of(trace, y, formatter)}."
        yield Mistake(1 / right, "fraction", said, edge)

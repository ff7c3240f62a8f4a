"""The likely cause of a wrong derivative: what typical mistakes give. Serves the gradient checks of numbers and of arrays.

A mistake is a pair: the derivative that it gives, and the cause as a sentence.
"""

DETACHED = "each function in the graph is right: is a part of f detached, or computed from .data?"
MISSING = "put it into the dictionary"
START = "dz/dz is what backward() starts from"
SUM = "sum the contributions dz/dy · ∂y/∂x of all children y"


def changed(name):
    """Return the cause of a variable whose value is no longer what its inputs give."""
    return f"an input was changed after {name} was made: make it again"


def likely_cause(same, mistakes, otherwise):
    """Return the cause of the first mistake that gives what was found, where same(wrong) says so; else return `otherwise`."""
    return next((cause for wrong, cause in mistakes if same(wrong)), otherwise)


def mistakes_in_function(expected, others):
    """Yield the mistakes in a function's derivative for one input; `others` has a pair (name, derivative) for each other input."""
    yield 0 * expected, "it is 0: is a term forgotten?"
    yield -expected, "the sign is wrong"
    for x, derivative in others:
        yield derivative, f"that is what belongs to {x}: are the two exchanged?"


def value_for_slope(name, value):
    """Return the mistake of a function that has made the variable `name`: its value stands for its slope."""
    return value, f"that has the value of {name} in place of its slope"


def mistakes_in_total(terms, ignored, children):
    """Yield the mistakes in a total derivative, the sum of the contributions `terms` of `children`.

    `ignored` is what is left of that sum if every upstream gradient is 1.
    """
    expected = sum(terms)
    yield ignored, "the upstream gradient is ignored: the contribution of a child y is dz/dy · ∂y/∂x"
    yield 0 * expected, "it is 0: does nothing arrive there?"
    for term, y in zip(terms, children):
        if len(terms) > 1:
            yield term, f"only the contribution of {y} is there: is it overwritten instead of added?"
            yield expected - term, f"the contribution of {y} is forgotten"
            yield expected + term, f"the contribution of {y} is counted twice"
    yield -expected, "the sign is wrong"
    yield 2 * expected, "it is counted twice: were gradients set to zero before?"

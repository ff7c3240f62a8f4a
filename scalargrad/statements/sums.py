"""Sums of many terms, and which formulas have one shape. A sum of many terms of one shape is written as a·x + … + c·z."""

from itertools import groupby

from scalargrad import rules
from scalargrad.formulas.symbols import Name

SUMS = {rules.add, rules.sub, rules.sum}
ALIKE = 4  # terms of one shape in a sum that is too long: of these the first and the last are written
ELLIPSIS = Name("…")


def row_of(y):
    """Return the row of y's function, which may have constants among its arguments."""
    return getattr(y.rule, "row", y.rule)


def is_sum(y):
    return y.rule is not None and row_of(y) in SUMS


def begins_with_input(y):
    """Return whether the first term of a sum is a variable, as in a + 1, and not in 1 + a."""
    return bool(y.inputs) and y.rule.arguments(y.inputs)[0] is y.inputs[0]


def summands(y, stops):
    """Return the terms of a sum, [(whether it is subtracted, a variable or a number)]: those of a - b + 2 are a, b and 2.

    A sum that is the first term of a sum belongs to it, unless it is in `stops`.
    """
    found = []
    while True:
        first, *others = y.rule.arguments(y.inputs)
        found += reversed([(row_of(y) is rules.sub, x) for x in others])
        if not begins_with_input(y) or not is_sum(first) or first in stops:
            return [(False, first), *reversed(found)]
        y = first


def shapes_of(operations, numbers):
    """Return {y: a number that two formulas share if they are the same functions of other variables and constants}.

    `numbers` gives each shape its number, and grows.
    """
    shapes: dict = {}
    for y in operations:
        function = y.function_kind if hasattr(y, "function_kind") else kind_of(y.rule)
        shape = function, tuple(map(shapes.get, y.inputs))
        shapes[y] = numbers.setdefault(shape, len(numbers))
    return shapes


def kind_of(rule):
    """Return what the functions of two variables share if only their constants differ: a row, or the shapes of a statement's operations."""
    if not hasattr(rule, "operations"):
        return getattr(rule, "row", rule), getattr(rule, "positions", None)
    found: dict = {}
    shapes_of(rule.operations, found)
    return rule.times, tuple(found)


def brief(terms, shapes):
    """Return terms without those between the first and the last of many of one shape; None stands for these."""
    for _, group in groupby(terms, key=lambda term: (term[0], shapes.get(term[1], "variable" if hasattr(term[1], "inputs") else "number"))):
        first, *others = group
        yield first
        yield from others if len(others) + 1 < ALIKE else [None, others[-1]]


def sum_of(terms):
    """Return the sum of formulas, [(whether it is subtracted, formula)], with an ellipsis for None."""
    (_, total), *others = terms
    for term in others:
        subtracted, formula = term or (False, ELLIPSIS)
        total = total - formula if subtracted else total + formula
    return total

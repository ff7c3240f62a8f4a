"""The passes of folded loops: which of them each box stands for, and one pass as a graph of its own.

Later passes take several variables of a pass. Its graph ends at their sum, each multiplied by the derivative of z that comes to it from
outside of the pass. So its derivatives at what it takes are exactly what the pass contributes to the derivatives of z.
"""

from typing import NamedTuple

from scalargrad.statements.statement import inside


class Passes(NamedTuple):
    """The passes of a loop that a box stands for: from `first` to `last` of `many`, counted from 1. `loop` is the number of the loop."""

    loop: int
    first: int
    last: int
    many: int

    def __str__(self):
        here = f"pass {self.first}" if self.first == self.last else f"passes {self.first} to {self.last}"
        return f"{here} of {self.many}"


def passes_of(operations, loops):
    """Return the Passes of the loop of which these operations run most passes; None if they are in no loop."""
    within, found = set(operations), []
    for number, loop in enumerate(loops):
        run = [k for k, each in enumerate(loop.passes, 1) if not within.isdisjoint(each)]
        found += [Passes(number, run[0], run[-1], len(loop.passes))] if run else []
    return max(found, key=lambda passes: passes.last - passes.first, default=None)


def one_pass(found, loop, k):
    """Return z of the graph of pass k, from 1, of a loop of these Statements: its statements, or its operations if it is a single one."""
    boxes = loop.passes[k - 1]
    everything, operations = set(found.called), set()
    for y in boxes:
        operations.update(inside(y, everything)[0])
    if len(boxes) == 1:
        boxes = inside(boxes[0], everything)[0]
    there: dict = {}
    for y in boxes:
        steps, inputs = inside(y, {*everything, *boxes})
        for x in inputs:
            if x not in there:
                there[x] = found.leaf(x)
        there[y] = found.alone(y, steps, inputs, there)
    passed = passed_from_outside(found, operations)
    return found.weighted_sum([(there[y], passed[y]) for y in boxes if y in passed])


def passed_from_outside(found, operations):
    """Return {y: the sum of what the children of y outside of these operations pass to it} for those that have such children, or are z."""
    passed = {found.whole: found.totals[found.whole]} if found.whole in operations else {}
    for y in found.totals:
        if y not in operations and not operations.isdisjoint(y.inputs):
            for x, contribution in zip(y.inputs, found.contributions(y, found.totals[y])):
                if x in operations:
                    passed[x] = passed[x] + contribution if x in passed else contribution
    return passed

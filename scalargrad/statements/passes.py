"""The passes of folded loops: which of them each box stands for, and one pass as a graph of its own.

Later passes take several variables of a pass. Its graph ends at their sum, each multiplied by the derivative of z that comes to it from
outside of the pass. So its derivatives at what it takes are exactly what the pass contributes to the derivatives of z.
"""

from typing import NamedTuple

from scalargrad.copying import make
from scalargrad.statements.statement import Statement, inside
from scalargrad.totals import total_derivatives
from scalargrad.value import Value


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
                there[x] = Value(x.data, name=found.called[x], keep_grad=x.keep_grad)
        alone = len(steps) == 1
        rule, partials = (y.rule, y.partials) if alone else (statement := Statement(steps, inputs), statement.recorded_partials())
        taken = [there[x] for x in (y.inputs if alone else inputs)]
        there[y] = make(Value, [y.data, 0, partials, rule, found.called.get(y), ()], tuple(taken))
    passed = passed_from_outside(found.whole, operations)
    given = [(there[y], passed[y]) for y in boxes if y in passed]
    return given[0][0] if len(given) == 1 else weighted_sum(given, f"{found.called[found.whole]}'")


def passed_from_outside(z, operations):
    """Return {y: the sum of what the children of y outside of these operations pass to it} for those that have such children, or are z."""
    totals = total_derivatives(z)
    found = {z: 1} if z in operations else {}
    for y, total in totals.items():
        if y not in operations:
            for x, partial in zip(y.inputs, y.partials):
                if x in operations:
                    found[x] = found.get(x, 0) + total * partial
    return found


def weighted_sum(terms, name):
    """Return the sum of variables, each multiplied by a number, as one function."""
    leaves = [Value(y.data) for y, _ in terms]
    total = terms[0][1] * leaves[0]
    for x, (_, factor) in zip(leaves[1:], terms[1:]):
        total = total - -factor * x if factor < 0 else total + factor * x
    statement = Statement(*inside(total, set(leaves)))
    return make(Value, [total.data, 0, statement.recorded_partials(), statement, name, ()], tuple(y for y, _ in terms))

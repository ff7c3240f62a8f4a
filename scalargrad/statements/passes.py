"""The passes of folded loops: which of them each box stands for, and one pass as a graph of its own.

Later passes take several variables of a pass. Its graph ends at their sum, each multiplied by the derivative of z that comes to it from
outside of the pass. So its derivatives at what it takes are exactly what the pass contributes to the derivatives of z.
"""

from collections import Counter
from typing import NamedTuple

from scalargrad.statements.statement import inside
from scalargrad.user_names.made_at import calls_of


class Passes(NamedTuple):
    """The passes of a loop that a box stands for: from `first` to `last` of `many`, counted from 1 as the program runs them. `loop` is the
    number of the loop.
    """

    loop: int
    first: int
    last: int
    many: int

    def __str__(self):
        here = f"pass {self.first}" if self.first == self.last else f"passes {self.first} to {self.last}"
        return f"{here} of {self.many}"


def passes_of(operations, loops):
    """Return how many passes of one loop these operations run, of the loop of which they run most, and its Passes. They are 1 and None if
    they are in no loop; None too for what the program makes once more after its loop, as a loop would.
    """
    within, found = set(operations), [(1, None)]
    for number, loop in enumerate(loops):
        run = [k for k, each in enumerate(loop.passes, 1) if not within.isdisjoint(each)]
        numbers = [loop.numbers[y] for y in operations if y in loop.numbers]
        passes = Passes(number, min(numbers), max(numbers), max(loop.numbers.values())) if numbers else None
        found += [(run[-1] - run[0] + 1, passes)] if run else []
    return max(found, key=lambda each: (each[0], each[1] is not None))


def pass_numbers(passes, made):
    """Return {a statement of these passes: the number, from 1, of the pass of the program's loop that makes it}.

    Passes that look alike may begin within a pass of the program: a first pass that adds nothing looks different. So a pass of the program
    ends where it runs a place of its code that does not stand behind the one before. Without known places, or in a loop within a loop,
    these are the numbers of the passes themselves. `made` are all statements in the order of the program.
    """
    place = {y: calls_of(y) for y in made}
    ran = Counter(place[y] for each in passes for y in set(each))
    if () in ran or max(Counter(place[y] for y in passes[1]).values()) > 1 or max(ran.values()) < 2:
        return {y: k for k, each in enumerate(passes, 1) for y in each}
    found, number, before = {}, 0, None
    for y in made:
        if ran[place[y]] > 1:
            number += before is None or place[y] <= before
            found[y], before = number, place[y]
    return found


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

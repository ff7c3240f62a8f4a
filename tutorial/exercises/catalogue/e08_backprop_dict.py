"""Backpropagation with a dictionary

`backprop(order, children, partial)` returns the dictionary `{x: dz/dx}` of all derivatives. `order` is a topological order: $z$ comes
first, and each variable after all its children. `children[x]` lists the children of `x`, one for each use, and `partial[y, x]` is
$\\frac{\\partial y}{\\partial x}$. One line is wrong.
"""
# meta: unit=B minutes=5 difficulty=2 chapter=backpropagation-with-a-dictionary given=overwrite call=backprop


def backprop(order, children, partial):
    # BEGIN SOLUTION
    computed = {order[0]: 1}
    # ~ no-start M28: computed = {order[0]: 0}
    for x in order[1:]:
        # ~ inputs-first M04: for x in order[:0:-1]:
        computed[x] = 0
        # ~ no-zero M61: pass
        # ~ product M30: computed[x] = 1
        # ~ starts-at-1 M76: computed[x] = 1
        for y in children[x]:
            # ~ once M03: for y in set(children[x]):
            # ~ without-first M77: for y in children[x][1:]:
            # ~ first-child M93: for y in children[x][:1]:
            computed[x] += computed[y] * partial[y, x]
            # ~ stays-0 M03: computed[y] += computed[x] * partial[y, x]
            # ~ overwrite M03: computed[x] = computed[y] * partial[y, x]
            # ~ no-upstream M05: computed[x] += partial[y, x]
            # ~ no-partial M64: computed[x] += computed[y]
            # ~ subtracts M66: computed[x] -= computed[y] * partial[y, x]
            # ~ divides M70: computed[x] += computed[y] / partial[y, x]
            # ~ partial-squared M68: computed[x] += computed[y] * partial[y, x] ** 2
            # ~ times-uses M03: computed[x] += computed[y] * partial[y, x] * children[x].count(y)
            # ~ smallest M30: computed[x] = min(computed[x], computed[y] * partial[y, x])
            # ~ direct M02: computed[x] += (y == order[0]) * partial[y, x]
            # ~ all-from-total M30: computed[x] = (computed[x] + computed[y]) * partial[y, x]
            # ~ child-twice M68: computed[x] += computed[y] ** 2 * partial[y, x]
            # ~ sums-times-sums M30: computed[x] = sum(computed[v] for v in children[x]) * sum(partial[v, x] for v in children[x])
            # ~ transposed M01: computed[x] += computed[y] * partial[x, y]
            # ~ adds M30: computed[x] += computed[y] + partial[y, x]
            # ~ product M30: computed[x] *= computed[y] * partial[y, x]
            # ~ largest M30: computed[x] = max(computed[x], computed[y] * partial[y, x])
            # ~ mean M30: computed[x] += computed[y] * partial[y, x] / len(children[x])
    # END SOLUTION
    return computed


# CHECK
from tutorial.exercises.probes.calls import with_names
from tutorial.exercises.probes.probe import Probe
from tutorial.exercises.probes.shared_graphs import about, children, facts, graphs, partial

HINTS = (
    "Try a variable that is used twice: z = a + a. What should dz/da be, and what does the program give?",
    "Equation (1) is a sum over the children. Which line should form this sum?",
    "The sum starts at 0. Each child adds a term to what is there already; it must not replace it.",
)
GROWS = "If {component} grows by 1, by how much does its child grow, and by how much then z?"
TERMS = "dz/d{component} was {got}, expected {expected}. Children of {component}: {terms}. "
SAID = {
    "no-start": "dz/d{component} was {got}, expected {expected}. All derivatives are 0, dz/dz too: it must be 1, and stay 1.",
    "stays-0": TERMS + "Nothing arrives: each derivative but dz/dz stays 0. "
    "Is the term added to the entry of {component}, and does it hold the derivative of the child?",
    "starts-at-1": TERMS + "You began the sum with 1. Before the first child it is 0.",
    "without-first": TERMS + "You left out the first of them.",
    "subtracts": TERMS + "You subtracted the terms. They add up.",
    "divides": TERMS + "You divided by the partial derivative. A nudge of {component} is multiplied by it.",
    "partial-squared": TERMS + "You multiplied by the partial derivative twice.",
    "child-twice": TERMS + "You multiplied by the derivative of the child twice.",
    "times-uses": TERMS + "You counted a double use twice over: `children` lists it twice already.",
    "smallest": TERMS + "You kept the smallest term, or 0. The terms add up.",
    "direct": TERMS + "You took the partial derivatives of z alone, and left out the children between.",
    "all-from-total": TERMS + "You multiplied the sum so far by the partial derivative, too. It belongs to one term alone.",
    "sums-times-sums": TERMS + "You multiplied two sums. Multiply within each term, then add the terms.",
    "no-zero": "{got}: you added to computed[x] before anything stood there. Each sum needs a start: 0.",
    "inputs-first": "{got}: you read the derivative of a child before you computed it. z must come first.",
    "once": TERMS + "Each use is an edge of its own. You counted each child once, also one that uses {component} twice.",
    "overwrite": TERMS + "You overwrote the derivative instead of adding: a later contribution replaced an earlier one.",
    "no-upstream": TERMS + "You added the partial derivatives alone. Each must be multiplied by the derivative of the child.",
    "no-partial": TERMS + "You added the derivatives of the children alone. Each must be multiplied by its partial derivative.",
    "transposed": "{got}: partial[y, x] takes the child first. You asked for the input first.",
    "first-child": TERMS + "You took the first of them and left out the others.",
    "adds": TERMS + "You added the two factors of each term. Factors along one path multiply.",
    "product": TERMS + "You multiplied these terms. Factors multiply along one path, and several paths add.",
    "largest": TERMS + "You kept the largest term, or 0. The terms add up.",
    "mean": TERMS + "You took their mean. Contributions add up.",
}
ASKED = {
    "no-start": "What stands in computed[z] at the beginning, and what at the end?",
    "stays-0": "Into which entry does your line write, and which entries does it read?",
    "starts-at-1": "What is a sum of no terms?",
    "without-first times-uses direct first-child": "By which ways does a nudge of {component} reach z?",
    "divides partial-squared child-twice all-from-total sums-times-sums adds": GROWS,
    "no-zero": "What stands in computed[x] when the first child adds to it?",
    "inputs-first": "Which derivative is known before anything is computed?",
    "once": "How often does {users} use {component}?",
    "overwrite": "Which functions use {component}, and what stood in its entry before the last one was added?",
    "no-upstream": "How much does z change with the child of {component}?",
    "no-partial": "How much does the child of {component} change with {component} alone?",
    "transposed": "Which of the two variables is computed from the other?",
    "product largest mean subtracts smallest": "A nudge of {component} arrives along all paths at once. What happens to z?",
}


def probes(random):
    for numbers in graphs(random):
        names = {"order": numbers.order, "children": children(numbers), "partial": partial(numbers)}
        shown = with_names("backprop(order, children, partial)", **names)
        yield Probe(tuple(names.values()), facts(numbers), about=about(numbers), shown=shown)

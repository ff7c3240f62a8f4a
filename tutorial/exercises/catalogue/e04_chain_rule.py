"""Equation (1)

`derivative(x, z, children, partial)` returns $\\frac{dz}{dx}$ by equation (1). Equation (1) says: $\\frac{dz}{dx}$ is the sum of
$\\frac{dz}{dy} \\cdot \\frac{\\partial y}{\\partial x}$ over all children $y$ of $x$, and $\\frac{dz}{dz}$ is 1. The program finds the
derivatives of the children in the same way. `children[x]` lists the children of `x`, one for each use, and `partial[y, x]` is
$\\frac{\\partial y}{\\partial x}$ for one use, and the same for each use of `x` by `y`. One line is wrong.
"""
# meta: unit=A minutes=5 difficulty=2 chapter=inductive-chain-rule given=direct-only call=derivatives


def derivative(x, z, children, partial):
    if x == z:
        # BEGIN SOLUTION
        return 1
        # ~ no-start M28: return 0
        # END SOLUTION
    total = 0
    # ~ starts-at-1 M76: total = 1
    for y in children[x]:
        # ~ once M03: for y in set(children[x]):
        # ~ without-first M77: for y in children[x][1:]:
        # BEGIN SOLUTION
        total += derivative(y, z, children, partial) * partial[y, x]
        # ~ stays-0 M03: total += 0
        # ~ direct-only M02: total += (y == z) * partial[y, x]
        # ~ overwrite M03: total = derivative(y, z, children, partial) * partial[y, x]
        # ~ no-upstream M05: total += partial[y, x]
        # ~ no-partial M64: total += derivative(y, z, children, partial)
        # ~ first-child M77: return derivative(y, z, children, partial) * partial[y, x]
        # ~ smallest M30: total = min(total, derivative(y, z, children, partial) * partial[y, x])
        # ~ subtracts M66: total -= derivative(y, z, children, partial) * partial[y, x]
        # ~ mean M30: total += derivative(y, z, children, partial) * partial[y, x] / len(children[x])
        # ~ partial-squared M68: total += derivative(y, z, children, partial) * partial[y, x] ** 2
        # ~ times-uses M03: total += derivative(y, z, children, partial) * partial[y, x] * children[x].count(y)
        # ~ two-levels M32: total += (y == z or sum((w == z) * partial[w, y] for w in children[y])) * partial[y, x]
        # ~ grandchildren M32: total += partial[y, x] if y == z else derivative(y, z, children, partial)
        # ~ divides M70: total += derivative(y, z, children, partial) / partial[y, x]
        # ~ all-from-total M30: total = (total + derivative(y, z, children, partial)) * partial[y, x]
        # ~ adds M30: total += derivative(y, z, children, partial) + partial[y, x]
        # ~ largest M30: total = max(total, derivative(y, z, children, partial) * partial[y, x])
        # ~ transposed M01: total += derivative(y, z, children, partial) * partial[x, y]
        # END SOLUTION
    return total


# FRAME
def derivatives(order, children, partial):
    return {x: derivative(x, order[0], children, partial) for x in order}


# CHECK
from tutorial.exercises.probes.calls import with_names
from tutorial.exercises.probes.probe import Probe
from tutorial.exercises.probes.shared_graphs import about, children, facts, graphs, partial

HINTS = (
    "Equation (1): dz/dx is a sum over the children y of x. Each term is dz/dy times the partial derivative of y.",
    "The program is right for a variable whose only child is z. Which term of the sum does another child get?",
    "The derivative of a child is found in the same way as that of x: by the function itself, with the child in the place of x.",
)
MANY = "A nudge of {component} arrives along all paths at once. What happens to z?"
TERMS = "dz/d{component} was {got}, expected {expected}. Children of {component}: {terms}. "
SAID = {
    "no-start": "dz/d{component} was {got}, expected {expected}. All derivatives are 0, dz/dz too. If x is z, the answer is 1.",
    "stays-0": TERMS
    + "Nothing arrives: each derivative but dz/dz is 0. Is the term added to the sum, and does it hold the derivative of the child?",
    "direct-only": TERMS + "You counted only the direct edge to z: for any other child, what stands for its derivative is 0.",
    "overwrite": TERMS + "You replaced the sum by each new term instead of adding to it.",
    "no-upstream": TERMS + "You added the partial derivatives alone. Each must be multiplied by the derivative of the child.",
    "no-partial": TERMS + "You added the derivatives of the children alone. Each must be multiplied by its partial derivative.",
    "adds": TERMS + "You added the two factors of each term. Factors along one path multiply.",
    "largest": TERMS + "You kept the largest term, or 0. The terms add up.",
    "smallest": TERMS + "You kept the smallest term, or 0. The terms add up.",
    "subtracts": TERMS + "You subtracted the terms. They add up.",
    "mean": TERMS + "You took the mean of the terms. They add up.",
    "partial-squared": TERMS + "You multiplied by the partial derivative twice.",
    "times-uses": TERMS + "You counted a double use twice over: `children` lists it twice already.",
    "divides": TERMS + "You divided by the partial derivative. A nudge of {component} is multiplied by it.",
    "all-from-total": TERMS + "You multiplied the sum so far by the partial derivative, too. It belongs to one term alone.",
    "starts-at-1": TERMS + "You began the sum with 1. Without children it is 0.",
    "once": TERMS + "Each use is an edge of its own. You counted each child once, also one that uses {component} twice.",
    "first-child": TERMS + "You took the first of them, and left out the others.",
    "without-first": TERMS + "You left out the first of them.",
    "two-levels": TERMS + "You took paths of one and of two edges, and left out longer ones.",
    "grandchildren": TERMS + "You multiplied by the partial derivative only where the child is z.",
    "transposed": "{got}: partial[y, x] takes the child first. You asked for the input first.",
}
ASKED = {
    "no-start": "How much does z grow if z grows by 1?",
    "stays-0": "Where does your program add a term, and what is the term?",
    "smallest subtracts mean all-from-total grandchildren largest": MANY,
    "starts-at-1": "What is the sum if {component} has no children?",
    "times-uses once first-child without-first two-levels direct-only": "By which ways does a nudge of {component} reach z?",
    "partial-squared divides adds": "If {component} grows by 1, by how much does its child grow, and by how much then z?",
    "overwrite": "Which functions use {component}, and what stood in the sum before the last one was added?",
    "no-upstream": "How much does z change with the child of {component}?",
    "no-partial": "How much does the child of {component} change with {component} alone?",
    "transposed": "Which of the two variables is computed from the other?",
}


def probes(random):
    for numbers in graphs(random):
        names = {"children": children(numbers), "partial": partial(numbers)}
        shown = with_names("derivative(x, 'z', children, partial)  # for each x", **names)
        yield Probe((numbers.order, *names.values()), facts(numbers), about=about(numbers), shown=shown)

"""Equation (1)

`derivative(x, z, children, partial)` returns $\\frac{dz}{dx}$ by equation (1). Equation (1) says: $\\frac{dz}{dx}$ is the sum of
$\\frac{dz}{dy} \\cdot \\frac{\\partial y}{\\partial x}$ over all children $y$ of $x$, and $\\frac{dz}{dz}$ is 1. The program finds the
derivatives of the children in the same way. `children[x]` lists the children of `x`, one for each use, and `partial[y, x]` is
$\\frac{\\partial y}{\\partial x}$. One line is wrong.
"""
# meta: unit=A minutes=5 difficulty=2 chapter=inductive-chain-rule given=direct-only call=derivatives


def derivative(x, z, children, partial):
    if x == z:
        # BEGIN SOLUTION
        return 1
        # ~ no-start M28: return 0
        # END SOLUTION
    total = 0
    for y in children[x]:
        # BEGIN SOLUTION
        total += derivative(y, z, children, partial) * partial[y, x]
        # ~ direct-only M02: total += (y == z) * partial[y, x]
        # ~ overwrite M03: total = derivative(y, z, children, partial) * partial[y, x]
        # ~ no-upstream M05: total += partial[y, x]
        # ~ no-partial M29: total += derivative(y, z, children, partial)
        # ~ adds M30: total += derivative(y, z, children, partial) + partial[y, x]
        # ~ largest M30: total = max(total, derivative(y, z, children, partial) * partial[y, x])
        # ~ transposed M01: total += derivative(y, z, children, partial) * partial[x, y]
        # END SOLUTION
    return total


# BEGIN FRAME
def derivatives(order, children, partial):
    return {x: derivative(x, order[0], children, partial) for x in order}


# END FRAME


# BEGIN CHECK
from tutorial.exercises.calls import with_names
from tutorial.exercises.graphs import about, children, facts, graphs, partial
from tutorial.exercises.probe import Probe

HINTS = (
    "Equation (1): dz/dx is a sum over the children y of x. Each term is dz/dy times the partial derivative of y.",
    "The program is right for a variable whose only child is z. Which term of the sum does another child get?",
    "The derivative of a child is found in the same way as that of x: by the function itself, with the child in the place of x.",
)
TERMS = "dz/d{component} was {got}, expected {expected}. Children of {component}: {terms}. "
SAID = {
    "no-start": "dz/d{component} was {got}, expected {expected}: every derivative is a sum of products that begin with dz/dz = 1.",
    "direct-only": TERMS + "You counted only the direct edge to z and left out the paths through other variables.",
    "overwrite": TERMS + "You replaced the sum by each new term instead of adding to it.",
    "no-upstream": TERMS + "You added the partial derivatives alone. Each must be multiplied by the derivative of the child.",
    "no-partial": TERMS + "You added the derivatives of the children alone. Each must be multiplied by its partial derivative.",
    "adds": TERMS + "You added the two factors of each term. Factors along one path multiply.",
    "largest": TERMS + "You kept the largest term, or 0. The terms add up.",
    "transposed": "{got}: partial[y, x] takes the child first. You asked for the input first.",
}
ASKED = {
    "no-start": "How much does z grow if z grows by 1?",
    "direct-only": "By which ways does a nudge of {component} reach z?",
    "overwrite": "Which functions use {component}, and what stood in the sum before the last one was added?",
    "no-upstream": "How much does z change with the child of {component}?",
    "no-partial": "How much does the child of {component} change with {component} alone?",
    "adds": "If {component} grows by 1, by how much does its child grow, and by how much then z?",
    "largest": "A nudge of {component} arrives over all paths at once. What happens to z?",
    "transposed": "Which of the two variables is computed from the other?",
}


def probes(random):
    for numbers in graphs(random):
        names = {"children": children(numbers), "partial": partial(numbers)}
        shown = with_names("derivative(x, 'z', children, partial)  # for each x", **names)
        yield Probe((numbers.order, *names.values()), facts(numbers), about=about(numbers), shown=shown)


def scene(probe):
    return probe.facts["graph"]


# END CHECK

"""Figure 1 on paper

Figure 1 of the tutorial has four inputs and three functions: $y_1 = x_1 + x_2 + x_3 + x_4$, $y_2 = x_4^2$ and $z = x_1 y_1 + y_2$.

If a variable $v$ is nudged, $z$ moves about $\\frac{dz}{dv}$ times as far. This factor is the total derivative of $z$ with respect to $v$.
All paths from the variable to $z$ count: what is computed from it changes, too, and the other inputs stand still.

`figure1(x1, x2, x3, x4)` returns the total derivative of $z$ with respect to each other variable, as a dictionary with the keys
`"y1"`, `"y2"`, `"x1"`, `"x2"`, `"x3"` and `"x4"`. Derive the six formulas by hand, then write them down. The numbers may be fractions.
`+` and `*` are enough.

At $x = (1, 1, 1, 1)$ the answer is `{"y1": 1, "y2": 1, "x1": 5, "x2": 1, "x3": 1, "x4": 3}`.
"""
# meta: unit=A minutes=10 difficulty=1 chapter=inductive-chain-rule call=figure1


def figure1(x1, x2, x3, x4):
    y1 = x1 + x2 + x3 + x4
    # BEGIN SOLUTION
    return {
        "y1": x1,
        # ~ values M65: "y1": y1,
        # ~ one-for-y1 M68: "y1": 1,
        # ~ sum-of-y1 M02: "y1": x1 + x2 + x3 + x4,
        # ~ four M68: "y1": 4,
        "y2": 1,
        # ~ square-late M67: "y2": 2 * x4,
        # ~ values M65: "y2": x4 * x4,
        # ~ nothing-for-y2 M68: "y2": 0,
        # ~ x1-for-y2 M67: "y2": x1,
        "x1": y1 + x1,
        # ~ direct-x1 M02: "x1": y1,
        # ~ direct M02: "x1": y1,
        # ~ multiplied M30: "x1": y1 * x1,
        # ~ through-y1 M93: "x1": x1,
        # ~ values M65: "x1": x1,
        # ~ stops-at-y1 M05: "x1": y1 + 1,
        # ~ one-path-of-1 M05: "x1": 1,
        # ~ others-alone M02: "x1": x2 + x3 + x4,
        # ~ others-and-1 M02: "x1": x1 + x2 + x3 + x4 + x1 + 1,
        # ~ twice-y1 M30: "x1": 2 * y1,
        # ~ square-of-x1 M67: "x1": 2 * x1,
        "x2": x1,
        # ~ stops-at-y1 M05: "x2": 1,
        # ~ values M65: "x2": x2,
        # ~ y1-for-x1 M65: "x2": y1,
        # ~ with-own M68: "x2": x1 * x2,
        # ~ direct M02: "x2": 0,
        "x3": x1,
        # ~ stops-at-y1 M05: "x3": 1,
        # ~ values M65: "x3": x3,
        # ~ y1-for-x1 M65: "x3": y1,
        # ~ with-own M68: "x3": x1 * x3,
        # ~ direct M02: "x3": 0,
        "x4": x1 + 2 * x4,
        # ~ stops-at-y1 M05: "x4": 1 + 2 * x4,
        # ~ direct M02: "x4": 0,
        # ~ only-y2 M93: "x4": 2 * x4,
        # ~ only-y1 M93: "x4": x1,
        # ~ multiplied M30: "x4": x1 * 2 * x4,
        # ~ value-for-slope M65: "x4": x1 + x4 * x4,
        # ~ values M65: "x4": x4,
        # ~ no-factor M68: "x4": x1 + x4,
        # ~ slope-of-1 M68: "x4": x1 + 2,
        # ~ y1-for-x1 M65: "x4": y1 + 2 * x4,
        # ~ with-own M68: "x4": x1 * x4 + 2 * x4,
        # ~ value-alone M65: "x4": x4 * x4,
        # ~ times-x1 M30: "x4": x1 * (1 + 2 * x4),
        # ~ nothing-from-y1 M93: "x4": 2,
        # ~ minus M66: "x4": x1 - 2 * x4,
    }
    # END SOLUTION


# CHECK
from fractions import Fraction

from tutorial.exercises.probes.probe import Probe

HINTS = (
    "Draw the graph. For each variable, mark the functions that use it: these are its children.",
    "Start at z and go back. For each child, multiply the derivative of the child by its partial derivative. Then add over the children.",
    "x1 and x4 have two children each, so each of their formulas is a sum of two terms. x2 and x3 have one child, y1.",
)
PREDICT = (
    "What is dz/dx₄ at x = (2, 3, 5, 7)?",
    16,
    {
        14: "You followed only the path over y₂. x₄ is an input of y₁, too.",
        2: "You followed only the path over y₁. x₄ is an input of y₂, too.",
        9: "You took x₄ for the derivative of x₄². It is 2x₄.",
        28: "You multiplied the effects of two paths. Along a path you multiply; paths add up.",
    },
)
WAS = "dz/d{component} was {got}, expected {expected}. "
SAID = {
    "square-late": "dz/dy2 was {got}, expected {expected}: z uses y2 itself. The square stands between x4 and y2.",
    "direct-x1": "dz/dx1 was {got}, expected {expected}: {got} is the partial derivative of z. x1 also reaches z through y1.",
    "direct": "dz/d{component} was {got}, expected {expected}: {got} is the partial derivative of z. Add the other paths, too.",
    "through-y1": "dz/dx1 was {got}, expected {expected}: this is the path through y1 alone. z also uses x1 itself.",
    "stops-at-y1": "dz/d{component} was {got}, expected {expected}: y1 passes on dz/dy1 = {x1}, not 1.",
    "only-y2": "dz/dx4 was {got}, expected {expected}: you followed y2 but not y1.",
    "only-y1": "dz/dx4 was {got}, expected {expected}: you followed y1 but not y2.",
    "multiplied": "dz/d{component} was {got}, expected {expected}: the factors along one path multiply. Several paths add.",
    "value-for-slope": "dz/dx4 was {got}, expected {expected}: the square of x4 has the slope 2 · x4 = {slope}. Its value is {square}.",
    "no-factor": "dz/dx4 was {got}, expected {expected}: the square of x4 has the slope 2 · x4 = {slope}.",
    "values": WAS + "That is the value of {component}, not the derivative of z with respect to {component}.",
    "one-for-y1": WAS + "z multiplies y1 by x1, so z changes x1 = {x1} times as much as y1.",
    "sum-of-y1": WAS + "That is how y1 is computed. Asked for is how much z changes with y1: z multiplies it by x1 = {x1}.",
    "four": WAS + "You counted the inputs of y1. Asked for is how much z changes with y1: z multiplies it by x1 = {x1}.",
    "nothing-for-y2": WAS + "z adds y2 itself, so z changes as much as y2.",
    "x1-for-y2": WAS + "z multiplies y1 by x1, and not y2. It adds y2 itself.",
    "one-path-of-1": WAS + "That is the partial derivative of y1. z multiplies y1 by x1, and it also uses x1 itself.",
    "others-alone": WAS + "You left x1 out of y1. The partial derivative of z is the whole y1 = {y1}, and x1 also reaches z through y1.",
    "others-and-1": WAS + "The path through y1 has the factor x1 = {x1}, which you have, and no further 1.",
    "twice-y1": WAS + "One path gives y1 = {y1}. The path through y1 gives x1 = {x1}, not y1 again.",
    "square-of-x1": WAS + "That is the slope of the square of x1. In z the other factor is y1, which holds x1 as one of four terms.",
    "y1-for-x1": WAS + "You multiplied by the value of y1. z changes x1 = {x1} times as much as y1.",
    "with-own": WAS + "You multiplied by {component}, too. {component} is a term of y1, whose slope is 1.",
    "slope-of-1": WAS + "The slope of the square of x4 is 2 · x4 = {slope}. It is 2 only where x4 is 1.",
    "value-alone": WAS + "That is the value of y2. Its slope is 2 · x4 = {slope}, and x4 also reaches z through y1.",
    "times-x1": WAS + "z multiplies y1 by x1, and not y2. The path through y2 gives 2 · x4 = {slope}.",
    "nothing-from-y1": WAS + "The slope of the square of x4 is 2 · x4 = {slope}, and x4 also reaches z through y1.",
    "minus": WAS + "You subtracted a path. Paths add.",
}
ASKED = {
    "square-late": "How much does z grow if y2 grows by 1?",
    "direct-x1 through-y1 one-path-of-1 others-alone others-and-1 twice-y1 square-of-x1": "Which functions use x1?",
    "stops-at-y1": "By which number is y1 multiplied in z?",
    "direct": "By which ways does a nudge of {component} reach z?",
    "only-y2 only-y1": "Which functions use x4?",
    "multiplied": "A nudge of {component} arrives along two paths. What happens to z?",
    "value-for-slope no-factor slope-of-1 value-alone": "How much does the square of x4 grow if x4 grows a little?",
    "values sum-of-y1 four y1-for-x1 with-own": "If {component} grows by 1, by how much does z grow?",
    "one-for-y1 nothing-for-y2 x1-for-y2": "How much does z grow if {component} grows by 1?",
    "times-x1 nothing-from-y1 minus": "Which functions use x4, and what does each path give?",
}


def probes(random):
    """Yield the tutorial's point, then fractions that no float can hold."""
    for point in ((2, 3, 5, 7), *([Fraction(random.randint(-9, 9) * 3 + 1, random.choice((3, 9, 27))) for _ in "1234"] for _ in range(3))):
        x1, _, _, x4 = point
        yield Probe(tuple(point), {"x1": x1, "y1": sum(point), "slope": 2 * x4, "square": x4 * x4})


def scene(probe):
    from tutorial.graphs.figure1 import figure1

    return figure1(*probe.arguments)[0]

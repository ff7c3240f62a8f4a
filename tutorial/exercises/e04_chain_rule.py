"""Equation (1)

`derivative(x, z, children, partial)` returns $\\frac{dz}{dx}$. It is equation (1) as a program: the derivatives of the children are
found in the same way. `children[x]` lists the children of `x`, one for each use, and `partial[y, x]` is
$\\frac{\\partial y}{\\partial x}$. One line is wrong.
"""
# meta: unit=A minutes=5 difficulty=2 chapter=inductive-chain-rule given=direct-only


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
        # ~ transposed M01: total += derivative(y, z, children, partial) * partial[x, y]
        # END SOLUTION
    return total


# BEGIN FRAME
def backprop(order, children, partial):
    return {x: derivative(x, order[0], children, partial) for x in order}


# END FRAME


# BEGIN CHECK
HINTS = (
    "Equation (1): dz/dx is a sum over the children y of x. Each term is dz/dy times the partial derivative of y.",
    "The program is right for a variable whose only child is z. Which term of the sum does another child get?",
    "The derivative of a child is found in the same way as that of x: by the function itself, with the child in the place of x.",
)
# END CHECK

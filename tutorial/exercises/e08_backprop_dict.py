"""Backpropagation with a dictionary

`backprop(order, children, partial)` returns the dictionary of all derivatives. `order` is a topological order, $z$ first.
`children[x]` lists the children of `x`, one for each use, and `partial[y, x]` is $\\frac{\\partial y}{\\partial x}$. One line is wrong.
"""
# meta: unit=B minutes=5 difficulty=2 chapter=backpropagation-with-a-dictionary given=overwrite


def backprop(order, children, partial):
    # BEGIN SOLUTION
    computed = {order[0]: 1}
    # ~ no-start M28: computed = {order[0]: 0}
    for x in order[1:]:
        # ~ inputs-first M04: for x in order[:0:-1]:
        computed[x] = 0
        for y in children[x]:
            # ~ once M03: for y in set(children[x]):
            computed[x] += computed[y] * partial[y, x]
            # ~ overwrite M03: computed[x] = computed[y] * partial[y, x]
            # ~ no-upstream M05: computed[x] += partial[y, x]
            # ~ no-partial M29: computed[x] += computed[y]
            # ~ transposed M01: computed[x] += computed[y] * partial[x, y]
            # ~ mean M30: computed[x] += computed[y] * partial[y, x] / len(children[x])
    # END SOLUTION
    return computed


# BEGIN CHECK
HINTS = (
    "Try a variable that is used twice: z = a + a. What should dz/da be, and what does the program give?",
    "Equation (1) is a sum over the children. Which line should form this sum?",
    "The sum starts at 0. Each child adds a term to what is there already; it must not replace it.",
)
# END CHECK

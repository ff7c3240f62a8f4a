"""A function with a dictionary

One line is wrong. Press "compare an engine", and repair it.
`order` is a topological order: z comes first. children[x] lists the children of x, one for each use.
partial[y, x] is the partial derivative of y with respect to x.
"""


def backprop(order, children, partial):
    computed = {order[0]: 1}
    for x in order[1:]:
        computed[x] = 0
        for y in children[x]:
            computed[x] = computed[y] * partial[y, x]
    return computed

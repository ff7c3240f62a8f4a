"""A function that finds its own order

It visits the graph level by level. Press "compare an engine", and repair it.
inputs[y] lists the inputs of y.
"""


def backprop(z, inputs, partial):
    computed, queue = {z: 1}, [z]
    for y in queue:
        for x in inputs[y]:
            computed[x] = computed.get(x, 0) + computed[y] * partial[y, x]
            if x not in queue:
                queue.append(x)
    return computed

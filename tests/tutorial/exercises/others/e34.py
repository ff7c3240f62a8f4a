"""Other right answers."""


def hvp(f, x, v):
    leaves = [Variable(number) for number in x]
    f(leaves).backward()
    first = [leaf.grad for leaf in leaves]
    sum(slope * number for slope, number in zip(first, v)).backward()  # adds to the first gradient
    return [leaf.grad.data - slope.data for leaf, slope in zip(leaves, first)]


# ---


def hvp(f, x, v):
    leaves = [Variable(number) for number in x]
    f(leaves).backward()
    total = [0] * len(x)
    for k, slope in enumerate([leaf.grad for leaf in leaves]):
        for leaf in leaves:
            leaf.grad = Variable(0)
        slope.backward()  # a row of H
        total = [a + v[k] * leaf.grad.data for a, leaf in zip(total, leaves)]
    return total

"""Other right answers."""


def measure(z, order, inputs, partial):
    leaves, held, turns, most = {}, {z: 1}, 0, 0
    for y in order:
        upstream = held.get(y)
        if upstream is None:
            continue
        turns += 1
        for x in inputs[y]:
            where = held if inputs[x] else leaves
            where[x] = where.get(x, 0) + upstream * partial[y, x]
        most = max(most, len(held))
        held.pop(y)
    return leaves, turns, most

def ancestors(z, inputs):
    return {x for y in inputs[z] for x in {y} | ancestors(y, inputs)}


def is_valid_order(order, z, inputs):
    if sorted(order) != sorted({z} | ancestors(z, inputs)):
        return False
    place = {v: k for k, v in enumerate(order)}
    return all(place[y] < place[x] for y in order for x in inputs[y])


# ---
def is_valid_order(order, z, inputs):
    waiting, left = [z], set()
    uses = {}
    reached = [z]
    for y in reached:
        for x in inputs[y]:
            uses[x] = uses.get(x, 0) + 1
            if x not in reached:
                reached.append(x)
    for y in order:
        if y not in waiting:
            return False
        waiting.remove(y)
        left.add(y)
        for x in inputs[y]:
            uses[x] -= 1
            if not uses[x]:
                waiting.append(x)
    return left == set(reached)

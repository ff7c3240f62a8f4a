def path_sum(z, x, inputs, partial):
    if z == x:
        return 1
    return sum(path_sum(y, x, inputs, partial) * partial[z, y] for y in inputs[z])


# ---
def path_sum(z, x, inputs, partial):
    total, unfinished = 0, [(z, 1)]
    while unfinished:
        y, product = unfinished.pop(0)
        if y == x:
            total += product
        else:
            unfinished += [(v, product * partial[y, v]) for v in inputs[y]]
    return total

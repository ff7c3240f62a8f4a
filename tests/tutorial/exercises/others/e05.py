def ancestors(z, inputs):
    found = list(dict.fromkeys(inputs[z]))
    for y in found:
        found.extend(x for x in dict.fromkeys(inputs[y]) if x not in found)
    return set(found)


# ---
def ancestors(z, inputs):
    new, found = set(inputs[z]), set()
    while new:
        found |= new
        new = {x for y in new for x in inputs[y]} - found
    return found

"""Other right answers."""


class Tape:
    def __init__(self):
        self.entries = []

    def record(self, value, inputs=(), partials=()):
        self.entries.append(list(zip(inputs, partials)))
        return len(self.entries) - 1

    def backward(self, z):
        total = [None] * len(self.entries)
        total[z] = 1
        for k in range(z, -1, -1):
            if total[k] is not None:
                for x, partial in self.entries[k]:
                    total[x] = (total[x] or 0) + total[k] * partial
        return total


# ---


class Tape:
    def __init__(self):
        self.uses = []  # {place of an input: sum of the partials} for each entry

    def record(self, value, inputs=(), partials=()):
        uses = {}
        for x, partial in zip(inputs, partials):
            uses[x] = uses.get(x, 0) + partial
        self.uses.append(uses)
        return len(self.uses) - 1

    def backward(self, z):
        total = [0] * z + [1]  # as far as z
        for y in reversed(range(z + 1)):
            for x in self.uses[y]:
                total[x] += self.uses[y][x] * total[y]
        return total

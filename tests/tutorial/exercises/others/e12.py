class Value:
    def __init__(self, data, inputs=(), partials=()):
        self.data, self.inputs, self.partials, self.grad = data, inputs, partials, 0

    def __add__(self, other):
        return Value(self.data + other.data, (self, other), (1, 1))

    def __mul__(self, other):
        return Value(self.data * other.data, (self, other), (other.data, self.data))


def backward(z):
    reached = [z]
    for y in reached:
        reached += [x for x in dict.fromkeys(y.inputs) if x not in reached]
    uses = dict.fromkeys(reached, 0)
    for y in reached:
        for x in y.inputs:
            uses[x] += 1
    total, ready = dict.fromkeys(reached, 0) | {z: 1}, [z]
    while ready:
        y = ready.pop()
        if not y.inputs:
            y.grad += total[y]
        for x, partial in zip(y.inputs, y.partials):
            total[x] += total[y] * partial
            uses[x] -= 1
            if not uses[x]:
                ready.append(x)


# ---
class Value:
    made = 0

    def __init__(self, data, inputs=(), partials=()):
        self.data, self.inputs, self.partials, self.grad = data, inputs, partials, 0
        Value.made += 1
        self.number = Value.made

    def __add__(self, other):
        return Value(self.data + other.data, (self, other), (1, 1))

    def __mul__(self, other):
        return Value(self.data * other.data, (self, other), (other.data, self.data))


def backward(z):
    reached, to_do = set(), [z]
    while to_do:
        y = to_do.pop()
        if y not in reached:
            reached.add(y)
            to_do.extend(y.inputs)
    z.grad = 1
    for y in sorted(reached, key=lambda v: -v.number):
        for x, partial in zip(y.inputs, y.partials):
            x.grad += partial * y.grad
        if y.inputs:
            y.grad = 0

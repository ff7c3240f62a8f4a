"""A class with a sort from a textbook

One word of its sort is wrong. Press "compare an engine", and repair it.
"""


class Value:
    def __init__(self, data, edges=()):
        self.data = data
        self.grad = 0
        self.edges = edges  # an input, and the partial derivative with respect to it

    def __add__(self, other):
        return Value(self.data + other.data, ((self, 1), (other, 1)))

    def __mul__(self, other):
        return Value(self.data * other.data, ((self, other.data), (other, self.data)))

    def pass_on(self):
        for x, partial in self.edges:
            x.grad += partial * self.grad

    def backward(self):
        order = []
        sort(self, set(), order)
        self.grad = 1
        for v in reversed(order):
            v.pass_on()


def sort(v, seen, order):
    for x, _ in v.edges:
        if v not in seen:
            sort(x, seen, order)
    seen.add(v)
    order.append(v)

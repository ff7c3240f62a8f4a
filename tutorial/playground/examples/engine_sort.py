"""A class with a sort from a textbook

One word of its sort is wrong. Press "compare an engine", and repair it.
"""


class Value:
    def __init__(self, data, inputs=()):
        self.data = data
        self.grad = 0
        self.inputs = inputs
        self.pass_on = lambda: None

    def __add__(self, other):
        out = Value(self.data + other.data, (self, other))

        def pass_on():
            self.grad += out.grad
            other.grad += out.grad

        out.pass_on = pass_on
        return out

    def __mul__(self, other):
        out = Value(self.data * other.data, (self, other))

        def pass_on():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        out.pass_on = pass_on
        return out

    def backward(self):
        order = []
        sort(self, set(), order)
        self.grad = 1
        for v in reversed(order):
            v.pass_on()


def sort(v, seen, order):
    for x in v.inputs:
        if v not in seen:
            sort(x, seen, order)
    seen.add(v)
    order.append(v)

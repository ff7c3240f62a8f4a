"""A class whose backward() is a recursion

It is right for many graphs. Press "compare an engine", and repair it.
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
        self.grad = 1
        pass_back(self)


def pass_back(v):
    v.pass_on()
    for x, _ in v.edges:
        pass_back(x)

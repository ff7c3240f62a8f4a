"""A class whose backward() is a recursion

It is right for many graphs. Press "compare an engine", and repair it.
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
        self.grad = 1
        pass_back(self)


def pass_back(v):
    v.pass_on()
    for x in v.inputs:
        pass_back(x)

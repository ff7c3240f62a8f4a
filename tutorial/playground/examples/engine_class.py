"""A class with backward(): all is well

Change a line, press "compare an engine", and see the smallest graph on which it shows.
"""

import math


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

    def tanh(self):
        t = math.tanh(self.data)
        out = Value(t, (self,))

        def pass_on():
            self.grad += (1 - t * t) * out.grad

        out.pass_on = pass_on
        return out

    def backward(self):
        order = []
        sort(self, set(), order)
        for v in order:
            if v.inputs:
                v.grad = 0
        self.grad = 1
        for v in reversed(order):
            v.pass_on()


def sort(v, seen, order):
    if v not in seen:
        seen.add(v)
        for x in v.inputs:
            sort(x, seen, order)
        order.append(v)

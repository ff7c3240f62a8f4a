"""A variable that passes its derivative on

This is the engine with closures of this chapter, as one class. It is right as long as every variable is used once. One line is wrong.
"""
# meta: unit=C minutes=8 difficulty=2 chapter=your-first-value given=overwrite


class Value:
    def __init__(self, data, inputs=()):
        self.data, self.inputs, self.grad = data, inputs, 0
        self.pass_on = lambda: None

    def __add__(self, other):
        y = Value(self.data + other.data, (self, other))

        def pass_on():
            self.grad += y.grad
            other.grad += y.grad

        y.pass_on = pass_on
        return y

    def __mul__(self, other):
        y = Value(self.data * other.data, (self, other))

        def pass_on():
            # BEGIN SOLUTION
            self.grad += y.grad * other.data
            # ~ own-factor M29: self.grad += y.grad * self.data
            other.grad += y.grad * self.data
            # ~ overwrite M03: other.grad = y.grad * self.data
            # ~ no-upstream M05: other.grad += self.data
            # END SOLUTION

        y.pass_on = pass_on
        return y

    def backward(self):
        order = topological_order(self)
        # BEGIN SOLUTION
        for v in order:
            if v.inputs:
                v.grad = 0
                # ~ keeps-gradients M07: pass
        self.grad = 1
        # ~ no-start M28: pass
        for y in order:
            # ~ inputs-first M04: for y in reversed(order):
            y.pass_on()
        # END SOLUTION


# BEGIN FRAME
def topological_order(z):
    notes, seen = [], set()

    def visit(v):
        if v not in seen:
            seen.add(v)
            for x in v.inputs:
                visit(x)
            notes.append(v)

    visit(z)
    return notes[::-1]


# END FRAME


# BEGIN CHECK
HINTS = (
    "Try z = a * a at a = 3. Here self and other are the same variable.",
    "Each use of a variable gives a contribution to its gradient, and the contributions add up.",
    "Compare the lines of pass_on in __add__ with those in __mul__: one of them writes in another way.",
)
# END CHECK

"""A variable that passes its derivative on

This is an engine as one class. Each function that makes a variable gives it a function `pass_on`, which adds to the gradients of its
inputs. `backward()` calls `pass_on` of each variable in a topological order. `topological_order(z)` is given, though it does not stand in
this file: it lists $z$ and its ancestors, each after all its children. If `backward()` is called twice, the gradients of leaves add up
over both calls. Those of computed variables begin at 0 again.

The engine is right as long as every variable is used once. One line is wrong.
"""
# meta: unit=C minutes=8 difficulty=2 chapter=your-first-value given=overwrite call=gradients


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
            # ~ value-for-gradient M09: self.grad += y.data * other.data
            # ~ late M56: pairs = [lambda: setattr(x, "grad", x.grad + y.grad * p) for x, p in ((self, other.data), (other, self.data))]
            other.grad += y.grad * self.data
            # ~ overwrite M03: other.grad = y.grad * self.data
            # ~ no-upstream M05: other.grad += self.data
            # ~ value-for-gradient M09: other.grad += y.data * self.data
            # ~ late M56: [add() for add in pairs]
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


def gradients(lines, calls):
    variables = {}
    for name, *made in lines:
        if len(made) == 1:
            variables[name] = Value(made[0])
        else:
            x, y = variables[made[1]], variables[made[2]]
            variables[name] = x + y if made[0] == "+" else x * y
    for _ in range(calls):
        variables["z"].backward()
    return {name: v.grad for name, v in variables.items()}


# END FRAME


# BEGIN CHECK
from tutorial.exercises.graphs import facts, graphs
from tutorial.exercises.probe import Probe

HINTS = (
    "Try z = a * a at a = 3. Here self and other are the same variable.",
    "Each use of a variable gives a contribution to its gradient, and the contributions add up.",
    "Compare the lines of pass_on in __add__ with those in __mul__: one of them writes in another way.",
)
TERMS = "{component}.grad was {got}, expected {expected}. Children of {component}: {terms}. "
SAID = {
    "own-factor": TERMS + "The derivative of a product with respect to one factor is the other factor.",
    "overwrite": TERMS + "You overwrote the gradient of the second factor instead of adding: an earlier contribution is lost.",
    "no-upstream": TERMS + "The second factor gets the partial derivative alone. Multiply it by the gradient of the product.",
    "value-for-gradient": TERMS + "You multiplied by the value of the product, y.data. What comes from above is its gradient, y.grad.",
    "late": TERMS + "Your function reads x and p when it is called, and then the loop has ended: the second factor got both parts, "
    "and the first got none.",
    "keeps-gradients": "After two calls, {component}.grad was {got}, expected {expected}: intermediate variables still held the "
    "gradients of the first call, and passed them on again.",
    "no-start": "{component}.grad was {got}, expected {expected}: the backward pass starts with dz/dz = 1.",
    "inputs-first": "{component}.grad was {got}, expected {expected}: the pass began at the inputs. z must come first.",
}
ASKED = {
    "own-factor": "How much does a * b grow if a grows by 1?",
    "overwrite": "Which line writes the gradient of {component}, and what stood there before?",
    "no-upstream": "How much does z change with the product that uses {component}?",
    "value-for-gradient": "How much does z change with the product that uses {component}?",
    "late": "Which value has x when the function is called?",
    "keeps-gradients": "Which gradients must be 0 when a second call begins?",
    "no-start": "How much does z grow if z grows by 1?",
    "inputs-first": "Which derivative is known before anything is computed?",
}


def probes(random):
    made = list(graphs(random))
    for numbers in made:
        yield Probe((lines_of(numbers), 1), facts(numbers), shown=program_of(numbers, 1))
    for numbers in (made[2], made[6]):
        yield Probe((lines_of(numbers), 2), facts(numbers), about="backward() runs twice", shown=program_of(numbers, 2))


def program_of(numbers, calls):
    """Return the graph as a program that ends with so many calls of backward()."""
    return "\n".join([*map(str, numbers.program.lines), *["z.backward()"] * calls])


def lines_of(numbers):
    return [(line.name, line.operator, *line.inputs) if line.operator else (line.name, line.value) for line in numbers.program.lines]


def scene(probe):
    return probe.facts["graph"] if probe.arguments[1] == 1 else None


# END CHECK

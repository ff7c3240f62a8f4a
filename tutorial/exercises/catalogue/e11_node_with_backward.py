"""A variable that passes its derivative on

This is the engine with closures, as one class. Here the class is called `Value`. Each function that makes a variable gives it a function
`pass_on`, which adds to the gradients of its inputs. `backward()` calls `pass_on` of each variable in a topological order.
`topological_order(z)` is given, though it does not stand in this file: it lists $z$ and its ancestors, each after all its children. If
`backward()` is called twice, the gradients of leaves add up over both calls. Those of computed variables begin at 0 again.

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
            # ~ sum-too M03: self.grad = y.grad
            # ~ sum-first M03: self.grad = y.grad
            other.grad += y.grad
            # ~ sum-too M03: other.grad = y.grad
            # ~ sum-second M03: other.grad = y.grad
            # ~ sum-as-product M03: other.grad = y.grad

        y.pass_on = pass_on
        return y

    def __mul__(self, other):
        y = Value(self.data * other.data, (self, other))

        def pass_on():
            # BEGIN SOLUTION
            self.grad += y.grad * other.data
            # ~ own-factor M69: self.grad += y.grad * self.data
            # ~ both-own-factors M69: self.grad += y.grad * self.data
            # ~ value-for-gradient M09: self.grad += y.data * other.data
            # ~ both-overwrite M03: self.grad = y.grad * other.data
            # ~ first-overwrites M03: self.grad = y.grad * other.data
            # ~ no-upstream-at-all M05: self.grad += other.data
            # ~ inputs-gradient M05: self.grad += self.grad * other.data
            # ~ no-partials M64: self.grad += y.grad
            # ~ adds-gradient M30: self.grad += y.grad + other.data
            # ~ late M56: pairs = [lambda: setattr(x, "grad", x.grad + y.grad * p) for x, p in ((self, other.data), (other, self.data))]
            other.grad += y.grad * self.data
            # ~ overwrite M03: other.grad = y.grad * self.data
            # ~ both-overwrite M03: other.grad = y.grad * self.data
            # ~ sum-as-product M03: other.grad = y.grad * self.data
            # ~ both-own-factors M69: other.grad += y.grad * other.data
            # ~ second-own-factor M69: other.grad += y.grad * other.data
            # ~ no-upstream M05: other.grad += self.data
            # ~ no-upstream-at-all M05: other.grad += self.data
            # ~ inputs-gradient M05: other.grad += other.grad * self.data
            # ~ no-partials M64: other.grad += y.grad
            # ~ adds-gradient M30: other.grad += y.grad + self.data
            # ~ multiplies M30: other.grad *= y.grad * self.data
            # ~ subtracts M66: other.grad -= y.grad * self.data
            # ~ into-self M43: self.grad += y.grad * self.data
            # ~ other-gradient M05: other.grad += self.grad * self.data
            # ~ nothing M64: pass
            # ~ square-only M03: other.grad = y.grad * self.data + (other.grad if other is self else 0)
            # ~ not-for-square M03: other.grad += y.grad * self.data * (other is not self)
            # ~ doubles-square M03: other.grad = (2 if self is other else 1) * y.grad * self.data
            # ~ no-data M64: other.grad += y.grad
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
                # ~ clears-leaves M07: if True:
                # ~ clears-only-leaves M07: if not v.inputs:
                v.grad = 0
                # ~ keeps-gradients M07: pass
        self.grad += 1
        # ~ no-start M28: pass
        # ~ starts-with-value M28: self.grad = self.data
        for y in order:
            # ~ inputs-first M04: for y in reversed(order):
            y.pass_on()
        # END SOLUTION


# FRAME
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


# CHECK
from tutorial.exercises.probes.probe import Probe
from tutorial.exercises.probes.shared_graphs import facts, graphs

HINTS = (
    "Try z = a * a at a = 3. Here self and other are the same variable.",
    "Each use of a variable gives a contribution to its gradient, and the contributions add up.",
    "Compare the lines of pass_on in __add__ with those in __mul__: one of them writes in another way.",
)
TERMS = "{component}.grad was {got}, expected {expected}. Children of {component}: {terms}. "
SAID = {
    "own-factor": TERMS + "The derivative of a product with respect to one factor is the other factor.",
    "overwrite": TERMS + "You overwrote the gradient of the second factor instead of adding: an earlier contribution is lost.",
    "both-own-factors": TERMS
    + "You multiplied by the factor itself. The derivative of a product with respect to one factor is the other factor.",
    "second-own-factor": TERMS + "You gave the second factor its own number. The derivative with respect to it is the first factor.",
    "both-overwrite": TERMS + "You overwrote the gradients of both factors instead of adding.",
    "first-overwrites": TERMS + "You overwrote the gradient of the first factor instead of adding.",
    "sum-too": TERMS + "You overwrote gradients in the sum instead of adding. There the lines were right.",
    "sum-first": TERMS + "You overwrote the gradient of the first number of a sum instead of adding.",
    "sum-as-product": TERMS + "You overwrote the gradient of the second input in the product, and in the sum, too, which was right.",
    "sum-second": TERMS + "You overwrote the gradient of the second number of a sum instead of adding.",
    "no-upstream-at-all": TERMS + "You passed on the partial derivatives alone. Multiply each by the gradient of the product, y.grad.",
    "inputs-gradient": TERMS
    + "You multiplied by the gradient of the factor itself. What comes from above is the gradient of the product, y.grad.",
    "other-gradient": TERMS
    + "You multiplied by the gradient of the first factor. What comes from above is the gradient of the product, y.grad.",
    "no-partials": TERMS + "You passed on the gradient of the product alone. Multiply it by the other factor.",
    "no-data": TERMS + "You passed on the gradient of the product alone to the second factor. Multiply it by the first factor.",
    "adds-gradient": TERMS + "You added the gradient of the product and the factor. Multiply them.",
    "multiplies": TERMS + "You multiplied the gradient of the second factor by its contribution. Contributions add up.",
    "subtracts": TERMS + "You subtracted the contribution of the second factor. Contributions add up.",
    "into-self": TERMS + "You added both contributions to the first factor. The second one belongs to the second factor.",
    "nothing": TERMS + "You passed nothing on to the second factor.",
    "square-only": TERMS + "You added only where both factors are one variable. A variable may be used again in another function.",
    "not-for-square": TERMS + "You left out the second use where both factors are one variable. It is a use, too.",
    "doubles-square": TERMS
    + "You doubled where both factors are one variable, and overwrote elsewhere. A variable may be used again in another function.",
    "clears-leaves": "After two calls, {component}.grad was {got}, expected {expected}. You lost what the first call had added. "
    "The gradients of leaves add up over the calls.",
    "clears-only-leaves": "After two calls, {component}.grad was {got}, expected {expected}. "
    "You set the gradients of leaves to 0, and not those of computed variables. It must be the other way round.",
    "starts-with-value": "{component}.grad was {got}, expected {expected}. You began with the value of z. If z grows by 1, z grows by 1.",
    "no-upstream": TERMS + "The second factor gets the partial derivative alone. Multiply it by the gradient of the product.",
    "value-for-gradient": TERMS + "You multiplied by the value of the product, y.data. What comes from above is its gradient, y.grad.",
    "late": TERMS + "You let a function read x and p when it is called, and then the loop has ended. "
    "The second factor got both parts, and the first got none.",
    "keeps-gradients": "After two calls, {component}.grad was {got}, expected {expected}. You let intermediate variables hold the "
    "gradients of the first call, and they passed them on again.",
    "no-start": "{component}.grad was {got}, expected {expected}: the backward pass starts with dz/dz = 1.",
    "inputs-first": "{component}.grad was {got}, expected {expected}: you began at the inputs. z must come first.",
}
ASKED = {
    "own-factor both-own-factors second-own-factor": "How much does a * b grow if a grows by 1?",
    "overwrite both-overwrite first-overwrites sum-too sum-first sum-second sum-as-product square-only not-for-square doubles-square": (
        "Which line writes the gradient of {component}, and what stood there before?"
    ),
    "no-upstream value-for-gradient": "How much does z change with the product that uses {component}?",
    "late": "Which value has x when the function is called?",
    "keeps-gradients": "Which gradients must be 0 when a second call begins?",
    "no-upstream-at-all inputs-gradient other-gradient no-partials no-data adds-gradient": "How much does the product grow with "
    "{component}, and how much z with the product?",
    "multiplies subtracts into-self nothing": "What does each use of {component} add to its gradient?",
    "clears-leaves clears-only-leaves": "Which gradients must be 0 when a second call begins, and which not?",
    "starts-with-value no-start": "How much does z grow if z grows by 1?",
    "inputs-first": "Which derivative is known before anything is computed?",
}


def probes(random):
    made = list(graphs(random))
    for numbers in made:
        yield Probe((lines_of(numbers), 1), facts(numbers), shown=program_of(numbers, 1))
    for numbers in (made[2], made[6]):
        yield Probe((lines_of(numbers), 2), facts(numbers) | {"scene": None}, about="backward() runs twice", shown=program_of(numbers, 2))


def program_of(numbers, calls):
    """Return the graph as a program that ends with so many calls of backward()."""
    return "\n".join([*map(str, numbers.program.lines), *["z.backward()"] * calls])


def lines_of(numbers):
    return [(line.name, line.operator, *line.inputs) if line.operator else (line.name, line.value) for line in numbers.program.lines]

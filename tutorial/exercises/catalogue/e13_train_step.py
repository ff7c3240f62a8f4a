"""A step of descent

`train_step(params, loss_fn, lr)` makes one step of gradient descent. `params` is a list of leaves with `.data` and `.grad`.
`loss_fn(params)` computes the loss and returns it, a variable with `.data` and `.backward()`, which adds to the gradients of the leaves.
`lr` is the learning rate. The step moves each parameter against its gradient, by the rate times the gradient, and returns the loss before
the step, as a number. The program calls `train_step` again and again, with the same `params`. For the loss $(2w - 6)^2$ at $w = 1$ with
the rate $\\frac{1}{16}$, `train_step` returns 16, and $w$ is 2.
"""
# meta: unit=C minutes=12 difficulty=2 chapter=descent call=steps


def train_step(params, loss_fn, lr):
    # BEGIN SOLUTION
    for p in params:
        p.grad = 0
        # ~ never-zero M08: pass
        # ~ zero-data M08: p.data = 0
        # ~ zero-first-only M07: params[0].grad = 0
        # ~ step-and-zero-data M08: pass
        # ~ zero-between M08: pass
    loss = loss_fn(params)
    loss.backward()
    # ~ twice M07: loss.backward() or loss.backward()
    # ~ zero-between M08: loss.backward(); [setattr(p, "grad", 0) for p in params]
    for p in params:
        # ~ recorded M37: for k, p in enumerate(params):
        p.data -= lr * p.grad
        # ~ rebinds M37: p = p - lr * p.grad
        # ~ uphill M36: p.data += lr * p.grad
        # ~ no-rate M72: p.data -= p.grad
        # ~ sign-only M72: p.data -= lr * (1 if p.grad > 0 else -1)
        # ~ rate-alone M72: p.data -= lr * p.data
        # ~ rate-only M72: p.data -= lr
        # ~ divides-by-rate M72: p.data -= p.grad / lr
        # ~ adds-rate M72: p.data -= lr + p.grad
        # ~ set-to-step M72: p.data = lr * p.grad
        # ~ set-to-minus-step M72: p.data = -lr * p.grad
        # ~ turned-step M66: p.data = lr * p.grad - p.data
        # ~ times-data M72: p.data -= lr * p.grad * p.data
        # ~ divided-by-count M72: p.data -= lr * p.grad / len(params)
        # ~ rate-twice M72: p.data -= lr * lr * p.grad
        # ~ loss-for-gradient M65: p.data -= lr * loss.data
        # ~ times-loss M65: p.data -= lr * p.grad * loss.data
        # ~ last-only M77: params[-1].data -= lr * params[-1].grad / len(params)
        # ~ recorded M37: params[k] = p - lr * p.grad
        # ~ step-and-zero-data M08: p.data -= lr * p.grad; p.data = 0
    return loss.data
    # ~ loss-after M08: return loss_fn(params).data
    # ~ gradient-of-loss M65: return loss.grad
    # ~ only-first M77: params[1].data += lr * params[1].grad
    # ~ one-parameter M77:     return loss.data
    # END SOLUTION


# MUTANT one-by-one M45
#     for p in params:
#         for q in params:
#             q.grad = 0
#         loss = loss_fn(params)
#         # ~ one-by-one-first-loss M45: loss = loss_fn(params); first = loss.data if p is params[0] else first
#         loss.backward()
#         p.data -= lr * p.grad
#     return loss.data
#     # ~ one-by-one-first-loss M45: return first
# MUTANT two-steps M07
#     for _ in range(2):
#         for p in params:
#             p.grad = 0
#         loss = loss_fn(params)
#         loss.backward()
#         for p in params:
#             p.data -= lr * p.grad
#     return loss.data
# MUTANT step-first M08
#     loss = loss_fn(params)
#     for p in params:
#         p.data -= lr * p.grad
#         p.grad = 0
#     loss.backward()
#     return loss.data
# FRAME
class Variable:
    def __init__(self, data, inputs=(), partials=()):
        self.data, self.inputs, self.partials, self.grad = data, inputs, partials, 0

    def __add__(self, other):
        other = variable(other)
        return Variable(self.data + other.data, (self, other), (1, 1))

    def __mul__(self, other):
        other = variable(other)
        return Variable(self.data * other.data, (self, other), (other.data, self.data))

    def __sub__(self, other):
        return self + variable(other) * -1

    __radd__, __rmul__ = __add__, __mul__

    def backward(self):
        order = inputs_first(self)
        for v in order:
            if v.inputs:
                v.grad = 0
        self.grad = 1
        for y in reversed(order):
            for x, partial in zip(y.inputs, y.partials):
                x.grad += y.grad * partial


class Parameter(Variable):
    """A leaf that counts how often its number was written."""

    writes = -1

    def __setattr__(self, name, value):
        if name == "data":
            self.writes += 1
        super().__setattr__(name, value)


def variable(x):
    return x if isinstance(x, Variable) else Variable(x)


def inputs_first(z):
    order, seen = [], set()

    def visit(v):
        if v not in seen:
            seen.add(v)
            for x in v.inputs:
                visit(x)
            order.append(v)

    visit(z)
    return order


def steps(start, points, lr, count):
    """Return what each of so many steps leaves, for a line through points: the loss, the parameters, and the size of the graph."""
    params, sizes = [Parameter(number) for number in start], []

    def loss_fn(params):
        loss = 0
        for x, y in points:
            error = params[0] * x + params[1] - y
            loss = error * error + loss
        sizes.append(len(inputs_first(loss)))
        return loss

    leaves, found = list(params), {}
    for k in range(1, count + 1):
        loss = train_step(params, loss_fn, lr)
        now = {"loss": loss, "w": params[0].data, "b": params[1].data, "variables in the graph of the loss": sizes[-1:]}
        found |= {f"{name} in step {k}": value for name, value in now.items()}
    new = sum(p is not leaf for p, leaf in zip(params, leaves))
    return found | {"entries of params that are other objects": new, "leaves whose .data was set": sum(p.writes > 0 for p in leaves)}


# CHECK
from fractions import Fraction

from scalargrad import Value, function
from tutorial.exercises.probes.calls import called
from tutorial.exercises.probes.probe import Probe

HINTS = (
    "Which four things make a step of descent? In which order does each have what it needs?",
    "The gradients must be those of this step alone when the parameters move: 0 before the backward pass, and not 0 after it.",
    "Set all gradients to 0, compute the loss, run its backward pass, and only then move: subtract from each number the rate times its "
    "gradient. Return the number of the loss, which you computed before the move.",
)
PREDICT = (
    "The loss is (2w − 6)², w is 5 and the learning rate is 1/16. What is w after one step?",
    4,
    {
        4.5: "You took the derivative of the square, and not of what stands in it: 2w grows twice as fast as w.",
        6: "You added the step. Along its gradient the loss grows.",
        -11: "You took the whole gradient. The learning rate is a part of it.",
    },
)
WAS = "From w = {w}, b = {b} with the rate {rate}: {component} was {got}, expected {expected}. "
SAID = {
    "never-zero": WAS + "You let the gradients of earlier steps stand, and backward() adds. Set them to 0 before each backward pass.",
    "zero-between": WAS
    + "You moved the parameters by gradients that are 0. backward() must run before, and what it adds must still be there.",
    "zero-first-only": WAS + "You set the gradient of the first parameter to 0, and not that of the other.",
    "rate-only": WAS + "You subtracted the rate alone. Subtract the rate times the gradient.",
    "divides-by-rate": WAS + "You divided the gradient by the rate. Multiply it: a smaller rate makes a shorter step.",
    "adds-rate": WAS + "You added the rate to the gradient. Multiply the two.",
    "set-to-step": WAS + "You set the parameter to the rate times the gradient. Subtract this from the parameter.",
    "set-to-minus-step": WAS + "You set the parameter to minus the step. Subtract the step from the parameter.",
    "turned-step": WAS + "You subtracted the parameter from the step. Subtract the step from the parameter.",
    "times-data": WAS + "You multiplied the step by the parameter, too. A step is the rate times the gradient.",
    "divided-by-count": WAS + "You divided the step by the number of parameters. Each parameter moves by the rate times its own gradient.",
    "rate-twice": WAS + "You multiplied by the rate twice.",
    "loss-for-gradient": WAS + "You multiplied the rate by the loss. Multiply it by the gradient.",
    "times-loss": WAS + "You multiplied the step by the loss, too. A step is the rate times the gradient.",
    "last-only": WAS + "You moved the last parameter alone.",
    "loss-after": WAS + "You computed the loss again after the step. Return the one from before it.",
    "gradient-of-loss": WAS + "You returned the gradient of the loss, which is 1. Return its number, loss.data.",
    "only-first": WAS + "You moved only the first parameter.",
    "one-by-one": WAS
    + "You computed the loss anew for each parameter, after another one had moved. All move by gradients at the same point.",
    "one-by-one-first-loss": WAS
    + "You moved one parameter before the gradient of the next was computed. All move by gradients at the same point.",
    "one-parameter": WAS + "You moved only the first parameter, and returned.",
    "two-steps": WAS + "You made two steps in one call.",
    "step-and-zero-data": WAS + "You set the parameters to 0 after the step, and not their gradients.",
    "zero-data": WAS + "You set the parameters to 0, and not their gradients.",
    "step-first": WAS + "You moved the parameters before backward(). So each step uses the gradients of the step before it.",
    "twice": WAS + "You moved twice as far. backward() adds each time that it runs, and each parameter moves once.",
    "uphill": WAS + "You added the gradient. It leads to where the loss grows: subtract it.",
    "no-rate": WAS + "You moved by the whole gradient. Multiply it by the learning rate {rate}.",
    "sign-only": WAS + "You used the sign of the gradient alone. A steep loss needs a longer step than a flat one.",
    "rate-alone": WAS + "You made the parameter smaller by the rate. Subtract the rate times its gradient.",
    "rebinds": WAS + "You wrote to .data of no parameter, so none moved. A new number under another name changes nothing in params.",
    "recorded": "You put 2 new variables in the place of the parameters. So the step becomes a part of the graph of the next loss, which "
    "grows from step to step. Write to p.data.",
}
ASKED = {
    "never-zero": "What is in p.grad when backward() begins in the second step?",
    "zero-between": "What is in p.grad when the parameters move?",
    "zero-data": "Which attribute does backward() add to?",
    "step-first": "From which step are the gradients that your step uses?",
    "twice": "How often does backward() run in one step, and what does it do with what is there?",
    "uphill": "If the gradient is positive and the parameter grows, does the loss rise or fall?",
    "no-rate": "Where does your program use lr?",
    "sign-only": "How far does your step go where the loss is steep, and how far where it is flat?",
    "rate-alone rate-only loss-for-gradient": "Where does your program use p.grad?",
    "divides-by-rate adds-rate times-data divided-by-count rate-twice times-loss": "The gradient is 6, and the rate is 1/10. How far does "
    "the parameter move?",
    "set-to-step set-to-minus-step turned-step": "Where was the parameter before the step, and where is it then?",
    "loss-after gradient-of-loss": "Which number does your program return, and when was it computed?",
    "one-by-one one-by-one-first-loss": "At which w and b is each gradient computed?",
    "last-only only-first one-parameter two-steps": "How often does each parameter move?",
    "zero-first-only step-and-zero-data": "What is in p.grad of each parameter when the second step begins?",
    "rebinds": "Which object has changed after your line, and which one does the list hold?",
    "recorded": "What are the inputs of the variable that stands in params after your step?",
}


def probes(random):
    """Yield one step, then three steps, from several points."""
    yield probe((1, 0), ((2, 6),), Fraction(1, 16), 1, "there is one point, and one step")
    yield probe((1, 0), ((2, 6),), Fraction(1, 16), 3, "there is one point, and there are three steps")
    for _ in range(2):
        start = tuple(Fraction(random.choice((-5, -3, -2, 2, 3, 5)), 2) for _ in "wb")
        points = tuple((random.choice((-3, -2, 2, 3)), random.choice((-7, -5, 5, 7, 11))) for _ in range(2))
        yield probe(start, points, Fraction(1, random.choice((32, 64, 128))), 3, "there are two points and three steps")


def probe(start, points, rate, count, about):
    w, b = start
    loss = " + ".join(f"(w · {x} + b − {y})²" for x, y in points).replace("· -", "· −").replace("− -", "+ ")
    call = f"{called('train_step', [0], 0, rate)}".replace("[0], 0", "[w, b], loss_fn")
    return Probe(
        (start, points, rate, count),
        {"w": w, "b": b, "rate": rate, "points": points},
        about=f"{about}: w = {w}, b = {b}, and loss_fn([w, b]) is {loss}",
        shown="\n".join([call] * count),
    )


def scene(probe):
    """Return the loss before the first step, as one function of w and b."""
    (w, b), points, *_ = probe.arguments

    def loss_of(w, b):
        return sum((w * x + b - y) ** 2 for x, y in points)

    loss = function(loss_of)(Value(w, name="w"), Value(b, name="b"))
    loss.name = "loss"
    return loss

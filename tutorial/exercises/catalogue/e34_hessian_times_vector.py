"""A derivative of a derivative

`hvp(f, x, v)` returns the product $H v$ as a list of numbers. $H$ is the matrix of the second derivatives of `f` at the point `x`, and `x`
and `v` are lists of numbers. The matrix itself is not needed: $H v$ is the gradient of the number $g \\cdot v$, and $g$ is the gradient of
`f`.

An engine is given, though it does not stand in this file. `Variable(3)` makes a leaf, and `f` takes a list of leaves and returns a
variable. `z.backward()` adds $\\frac{dz}{dx}$ to `x.grad` for each leaf `x`. At the start, `x.grad` is `Variable(0)`. The gradient is a
variable with a graph, so it can be differentiated again. `z.data` is the number of a variable. Use `f` once.

For $f(x, y) = x \\cdot x \\cdot y$ at $(3, 5)$, $g = (2xy, x^2) = (30, 9)$ and $H$ has the rows $(10, 6)$ and $(6, 0)$. For $v = (1, 0)$,
`hvp` returns `[10, 6]`.
"""
# meta: unit=E minutes=30 difficulty=4 chapter=second-derivatives call=hvp_of


def hvp(f, x, v):
    # BEGIN SOLUTION
    leaves = [Variable(number) for number in x]
    f(leaves).backward()
    gradient = [leaf.grad for leaf in leaves]
    # ~ detached M25: gradient = [Variable(leaf.grad.data) for leaf in leaves]
    # ~ turned-round M54: gradient = [leaf.grad for leaf in leaves[::-1]]
    for leaf in leaves:
        leaf.grad = Variable(0)
        # ~ not-cleared M07: pass
    product = Variable(0)
    for slope, number in zip(gradient, v):
        product = product + slope * number
        # ~ overwrite M03: product = slope * number
        # ~ no-vector M05: product = product + slope
        # ~ squared M30: product = product + slope * slope * number
        # ~ x-for-v M09: product = product + slope * x[gradient.index(slope)]
        # ~ v-afterwards M45: product = product + slope
        # ~ v-squared M30: product = product + slope * number * number
        # ~ multiplied M30: product = product * slope * number if product.uses else slope * number
        # ~ minus M66: product = product - slope * number
    product.backward()
    # ~ gradient-times-v M25: leaves = [Variable(0) for _ in v]; [setattr(a, "grad", g * n) for a, g, n in zip(leaves, gradient, v)]
    return [leaf.grad.data for leaf in leaves]
    # ~ v-afterwards M45: return [leaf.grad.data * number for leaf, number in zip(leaves, v)]
    # ~ g-of-f M25: return [slope.data for slope in gradient]
    # ~ number-alone M12: return product.data
    # ~ dictionary M12: return {k: leaf.grad.data for k, leaf in enumerate(leaves)}
    # ~ v-twice M30: return [leaf.grad.data * number for leaf, number in zip(leaves, v)]
    # END SOLUTION


# MUTANT diagonal M45
#     found = []
#     for k in range(len(x)):
#         leaves = [Variable(number) for number in x]
#         f(leaves).backward()
#         slope, leaves[k].grad = leaves[k].grad, Variable(0)
#         slope.backward()
#         found.append(leaves[k].grad.data * v[k])
#     return found
# MUTANT difference M24
#     def gradient(point):
#         leaves = [Variable(number) for number in point]
#         f(leaves).backward()
#         return [leaf.grad.data for leaf in leaves]
#
#     h = 1e-6
#     ahead, here = gradient([a + h * b for a, b in zip(x, v)]), gradient(x)
#     return [(a - b) / h for a, b in zip(ahead, here)]
# FRAME
class Variable:
    """A variable of an engine whose backward pass computes with variables. `uses` has a pair (input, partial) for each use."""

    def __init__(self, data, uses=()):
        self.data, self.uses = data, uses

    def __add__(self, other):
        other = variable(other)
        return Variable(self.data + other.data, ((self, Variable(1)), (other, Variable(1))))

    def __sub__(self, other):
        other = variable(other)
        return Variable(self.data - other.data, ((self, Variable(1)), (other, Variable(-1))))

    def __mul__(self, other):
        other = variable(other)
        return Variable(self.data * other.data, ((self, other), (other, self)))

    __radd__, __rmul__ = __add__, __mul__

    def backward(self):
        total = {self: Variable(1)}
        for y in topological_order(self):
            for x, partial in y.uses:
                total[x] = total[x] + total[y] * partial if x in total else total[y] * partial
        for x, derivative in total.items():
            if not x.uses:
                x.grad = x.grad + derivative


Variable.grad = Variable(0)  # of each variable, until a backward pass adds to it


def variable(x):
    return x if isinstance(x, Variable) else Variable(x)


def topological_order(z):
    notes, seen = [], set()

    def visit(y):
        seen.add(y)
        for x, _ in y.uses:
            if x not in seen:
                visit(x)
        notes.append(y)

    visit(z)
    return notes[::-1]


def ask_the_check(*question):
    """Return what the check answers. The process that runs this program puts its own function here."""


def hvp_of(x, v):
    """Return H v for f, a sum of terms, each a product (factor, places of its variables). Each use of f asks the check for them."""

    def f(leaves):
        total = Variable(0)
        for factor, places in ask_the_check("f"):
            term = Variable(factor)
            for k in places:
                term = term * leaves[k]
            total = total + term
        return total

    found = hvp(f, x, v)
    if not isinstance(found, list):
        return {"the type of what hvp returns": type(found).__name__}
    return {"the type of what hvp returns": "list"} | {f"row {k + 1} of H v": number for k, number in enumerate(found)}


# CHECK
from fractions import Fraction

from tutorial.exercises.probes.calls import code
from tutorial.exercises.probes.probe import Probe

HINTS = (
    "g · v is one number, a sum of products. If g is made of variables, then this number has a graph that leads back to x.",
    "Call backward() twice: on f, and on g · v. Between the two calls, look at what x.grad holds, and who adds to it.",
    "Make leaves, derive f, and take the gradients out of the leaves as they are, without .data. Set the leaves back to 0. Then derive the "
    "sum of each gradient times its number of v, and read the leaves.",
)
PREDICT = (
    "f(x) = x · x · x at x = 4, and v = 1. What is H v?",
    24,
    {
        48: "That is the gradient, 3x². Derive once more.",
        64: "That is f itself.",
        6: "That is the third derivative.",
    },
)
USES = "the number of uses of f"
WAS = "{component} was {got}, expected {expected}. "
SAID = {
    "detached": WAS
    + "Nothing came to the leaves the second time. Either g · v was made of plain numbers, .data, or of gradients that were "
    "set to 0, or you took no derivative of it.",
    "not-cleared": WAS + "That is g + H v, with g = {gradient}. The leaves still held the gradient of the first call.",
    "turned-round": WAS + "That has the gradients in the other order: the first goes with the first number of v = {v}.",
    "rows-not-cleared rows-cleared-once each-row-not-cleared each-row-cleared-once": WAS
    + "The leaves still held an earlier gradient when you computed a row. Set them to 0 before each row.",
    "whole-rows": WAS + "That is a row of H. Multiply its numbers by those of v = {v}, and add.",
    "largest-term": WAS + "That is the largest product of the row. H v has the sum of its {many} products.",
    "products-not-added": WAS + "These are the products of the row. H v has the sum of its {many} products.",
    "first-row-alone": "{component} should be {expected}. H v has a number for each of the {many} variables.",
    "x-for-v": WAS + "That has the point x in the place of v = {v}: it is H x.",
    "v-afterwards": WAS
    + "That is the gradient of the sum of g, entry by entry times v = {v}. Each gradient is multiplied by its number of v before you "
    "take the derivative of the sum.",
    "v-squared": WAS + "That has each number of v = {v} twice.",
    "v-twice": WAS + "That is H v, entry by entry times v = {v} once more.",
    "multiplied": WAS + "That is the gradient of a product. g · v is the sum of the {many} products.",
    "minus": WAS + "The sign is wrong. g · v is a sum of {many} products.",
    "number-alone dictionary": WAS + "H v has a number for each of the {many} variables: return the list of them, in their order.",
    "g-of-f": WAS + "That is g = {gradient}, the gradient of f. Derive g · v, too.",
    "overwrite": WAS + "Only the last product was left. g · v is the sum of all {many} products.",
    "no-vector rows-summed each-row-summed": WAS + "You differentiated the sum of the gradient. This is H times a vector of ones, not {v}.",
    "squared": WAS + "You differentiated a sum of squares. g · v multiplies each gradient by its number of v once.",
    "gradient-times-v": WAS + "You multiplied g = {gradient} by v, entry by entry, and differentiated nothing a second time.",
    "diagonal": WAS + "You took the diagonal of H alone. Row k of H v is a sum over all {many} columns.",
    "difference": WAS + "This is a difference of two gradients. Derive the gradient with the engine: then the number is exact.",
}
ASKED = {
    "detached": "What does the engine know about how a number in .data was computed?",
    "not-cleared": "What does x.grad hold before the second call of backward()?",
    "turned-round x-for-v v-squared v-twice v-afterwards no-vector each-row-summed": "Where does v = {v} come in?",
    "multiplied minus": "What is g · v at this point?",
    "number-alone dictionary": "What does your function return?",
    "g-of-f gradient-times-v": "How often did your program derive?",
    "overwrite": "How many products has g · v?",
    "squared": "Which number has the gradient H v?",
    "diagonal": "How does the first gradient change with the second variable?",
    "difference": "How large is the error of a difference?",
}


def probes(random):
    """Yield one variable, then two and three with mixed terms, at points of fractions."""
    yield probe(random, [(1, [0, 0, 0])], 1, "one variable")
    yield probe(random, [(1, [0, 0, 1])], 2, "two variables")
    yield probe(random, [(2, [0, 0, 0]), (-3, [0, 1, 1]), (1, [1])], 2, "a cubic of two variables")
    for many in (2, 3, 3):
        terms = [(random.choice((-3, -2, 2, 3)), [random.randrange(many) for _ in range(random.choice((2, 3, 3)))]) for _ in range(4)]
        yield probe(random, [*terms, (5, [0, 0, many - 1])], many, "a random cubic")
    yield probe(random, [(2, [0, 0, 1]), (3, [0, 1])], 2, "a v with a zero", idle=1)


def probe(random, terms, many, about, idle=0):
    """Return the probe of a sum of products; the last `idle` entries of v are 0."""
    x = [Fraction(random.choice((-1, 1)) * random.randrange(3, 12, 2), 2) for _ in range(many - 1)] + [Fraction(0 if many > 2 else 7)]
    v = [Fraction(random.choice((-3, -2, 2, 3, 5))) for _ in range(many - idle)] + [Fraction(0)] * idle
    gradient = [sum(slope(term, k, x) for term in terms) for k in range(many)]
    products = [" * ".join([str(factor), *(f"x[{k}]" for k in places)]) for factor, places in terms]
    shown = f"f = lambda x: {' + '.join(products)}\nhvp(f, {code(x)}, {code(v)})"
    return Probe((x, v), {"terms": terms, "gradient": gradient, "v": v, "many": many}, about=about, shown=shown)


def reply(question, probe):
    """Return the terms of f, for one use of it."""
    return probe.facts["terms"]


def slope(term, k, x):
    """Return the derivative of a product (factor, places) with respect to variable k."""
    factor, places = term
    product = factor * places.count(k)
    rest = [*places]
    if product:
        rest.remove(k)
    for place in rest:
        product *= x[place]
    return product


def scene(probe):
    from scalargrad import Value

    terms, (x, _) = probe.facts["terms"], probe.arguments
    leaves = [Value(number, name=f"x{k + 1}") for k, number in enumerate(x)]
    z = 0
    for factor, places in terms:
        term = factor
        for k in places:
            term = term * leaves[k]
        z = z + term
    z.name = "z"
    return z

"""backward on a graph

`backward(z)` writes $\\frac{dz}{dx}$ into the `grad` of every leaf $x$ of `z`. It adds to what is there: after two calls each leaf holds
the sum of both, so for leaves `grad` is not set to 0. What it writes into other variables is up to you, but it must not spoil the next
call.

The class `Value` is given: `y.inputs` are the inputs of `y`, and `y.partials` the partial derivatives $\\frac{\\partial y}{\\partial x}$,
one for each input. For $h = a \\cdot a$ and $z = h + h \\cdot h$ at $a = 2$, `a.grad` becomes 36.
"""
# meta: unit=C minutes=20 difficulty=3 chapter=your-first-value call=gradients


class Value:
    def __init__(self, data, inputs=(), partials=()):
        self.data, self.inputs, self.partials, self.grad = data, inputs, partials, 0

    def __add__(self, other):
        return Value(self.data + other.data, (self, other), (1, 1))

    def __mul__(self, other):
        return Value(self.data * other.data, (self, other), (other.data, self.data))


def backward(z):
    # BEGIN SOLUTION
    order, seen = [], set()

    def visit(v):
        if v not in seen:
            seen.add(v)
            for x in v.inputs:
                visit(x)
            order.append(v)

    visit(z)
    for v in order:
        if v.inputs:
            # ~ clears-leaves M07: if True:
            # ~ clears-only-leaves M07: if not v.inputs:
            v.grad = 0
            # ~ keeps-intermediate M07: pass
            # ~ adds-start M28: pass
            # ~ not-a-leaf M63: pass
    z.grad += 1
    # ~ no-start M28: pass
    # ~ keeps-intermediate M07: z.grad = 1
    # ~ clears-only-leaves M07: z.grad = 1
    # ~ starts-with-value M28: z.grad = z.data
    # ~ not-a-leaf M63: gradients = dict.fromkeys(order, 0) | {z: 1}
    # ~ start-replaces M98: z.grad = 1
    for y in reversed(order):
        # ~ leaves-first M04: for y in order:
        for x, partial in zip(y.inputs, y.partials):
            # ~ used-once M03: for x, partial in dict(zip(y.inputs, y.partials)).items():
            # ~ first-input M77: for x, partial in [*zip(y.inputs, y.partials)][:1]:
            # ~ partials-turned M43: for x, partial in zip(y.inputs, y.partials[::-1]):
            x.grad += y.grad * partial
            # ~ overwrite M03: x.grad = y.grad * partial
            # ~ no-upstream M05: x.grad += partial
            # ~ no-partial M64: x.grad += y.grad
            # ~ own-gradient M05: x.grad += x.grad * partial
            # ~ value-for-gradient M09: x.grad += y.data * partial
            # ~ times-own-value M65: x.grad += y.grad * x.data
            # ~ adds M30: x.grad += y.grad + partial
            # ~ subtracts M66: x.grad -= y.grad * partial
            # ~ partial-squared M68: x.grad += y.grad * partial * partial
            # ~ largest M30: x.grad = max(x.grad, y.grad * partial)
            # ~ not-a-leaf M63: gradients[x] += gradients[y] * partial; x.grad += 0 if x.inputs else gradients[y] * partial
    # END SOLUTION


# MUTANT recursion M04
#     def clear(y):
#         y.grad = 0 if y.inputs else y.grad
#         for x in y.inputs:
#             clear(x)
#
#     def visit(y):
#         for x, partial in zip(y.inputs, y.partials):
#             x.grad += y.grad * partial
#             visit(x)
#
#     clear(z)
#     # ~ recursion-keeps M04: pass
#     z.grad = 1
#     visit(z)
# MUTANT recursion-overwrites M03
#     def visit(y, arrived):
#         y.grad = arrived
#         # ~ every-path M34: y.grad += arrived
#         for x, partial in zip(y.inputs, y.partials):
#             visit(x, arrived * partial)
#
#     visit(z, 1)
# MUTANT one-level M32
#     for x, partial in zip(z.inputs, z.partials):
#         x.grad += partial
# MUTANT stack M04
#     z.grad = 1
#     to_do, seen = [z], {z}
#     while to_do:
#     # ~ levels-keep M04: for y in to_do:
#         y = to_do.pop()
#         # ~ levels-keep M04: pass
#         for x, partial in zip(y.inputs, y.partials):
#             x.grad += y.grad * partial
#             if x not in seen:
#                 seen.add(x)
#                 to_do.append(x)
#     for y in seen:
#         y.grad = 0 if y.inputs else y.grad
#         # ~ levels-keep M04: pass
# MUTANT stack-again M04
#     z.grad = 1
#     to_do = [z]
#     while to_do:
#     # ~ queue-again M04: for y in to_do:
#         y = to_do.pop()
#         # ~ queue-again M04: pass
#         for x, partial in zip(y.inputs, y.partials):
#             x.grad += y.grad * partial
#             to_do.append(x)
# MUTANT visited-paths M79
#     seen = set()
#
#     def visit(y, arrived):
#         if not y.inputs:
#             y.grad += arrived
#         elif y not in seen:
#             seen.add(y)
#             for x, partial in zip(y.inputs, y.partials):
#                 visit(x, arrived * partial)
#
#     visit(z, 1)
# MUTANT first-visit M04
#     seen = set()
#
#     def clear(y):
#         if y not in seen:
#             seen.add(y)
#             y.grad = 0 if y.inputs else y.grad
#             for x in y.inputs:
#                 clear(x)
#
#     def visit(y):
#         if y in seen:
#             seen.remove(y)
#             for x, partial in zip(y.inputs, y.partials):
#                 x.grad += y.grad * partial
#             for x in y.inputs:
#                 visit(x)
#
#     clear(z)
#     z.grad = 1
#     visit(z)
# MUTANT levels M04
#     levels, seen = [z], {z}
#     for y in levels:
#         for x in y.inputs:
#             if x not in seen:
#                 seen.add(x)
#                 levels.append(x)
#     for y in levels:
#         y.grad = 0 if y.inputs else y.grad
#     z.grad = 1
#     for y in levels:
#         for x, partial in zip(y.inputs, y.partials):
#             x.grad += y.grad * partial
# FRAME
def gradients(leaves, lines, calls):
    """Return {leaf: grad} after so many calls of backward(z). A line is (name, operator, input, input)."""
    variables = {name: Value(number) for name, number in leaves.items()}
    for y, operator, a, b in lines:
        variables[y] = variables[a] + variables[b] if operator == "+" else variables[a] * variables[b]
    for _ in range(calls):
        backward(variables["z"])
    return {name: variables[name].grad for name in leaves}


# CHECK
from scalargrad import Value as Drawn
from tutorial.exercises.probes.probe import Probe
from tutorial.exercises.probes.small_graphs import NUMBERS, names_or_none, of, small_graph

HINTS = (
    "When may a variable pass on its derivative to its inputs?",
    "First make a topological order, then walk along it. Each variable passes on once, when all its children have passed on.",
    "Note a variable when all its inputs are noted, each only once; read backwards, the notes are the order. Set the gradients of "
    "variables that have inputs to 0. Then add 1 to that of z: if z is a leaf, it holds the sum of earlier calls. Let each variable in "
    "turn add to its inputs.",
)
PREDICT = (
    "h = a · a, z = h + h · h, and a = 3. What is dz/da?",
    114,
    {
        19: "That is dz/dh. One more step leads from h to a.",
        108: "You followed only h · h. The sum has h as its other input.",
        6: "You followed only the first h. The other input of the sum depends on h, too.",
        57: "h = a · a uses a twice, so you multiply by 2a.",
        60: "h · h uses h twice, so its derivative is 2h.",
    },
)
WAS = "For {program} with {numbers}: {component}.grad was {got}, expected {expected}. "
SAID = {
    "recursion": WAS + "You let {shared} pass on its gradient before it had received all of it, and then again.",
    "first-visit": WAS + "You let {shared} pass on its gradient at the first visit, before all its children had added to it.",
    "levels": WAS + "You went level by level. {shared} passed on its gradient before all its children had added to it.",
    "leaves-first": WAS + "You went from the leaves to z. The gradient of z is known first.",
    "no-start": WAS + "All gradients stay 0, that of z too. It begins at dz/dz = 1.",
    "starts-with-value": WAS + "You began with the value of z. If z grows by 1, z grows by 1: begin with dz/dz = 1.",
    "overwrite": WAS + "You replaced what was in {component}.grad. Each use of {component} adds to it, and {component} has {uses} uses.",
    "no-upstream": WAS + "You added the partial derivatives alone. Multiply each by the gradient of the child.",
    "no-partial": WAS + "You added the gradients of the children alone. Multiply each by the partial derivative.",
    "not-a-leaf": WAS + "You wrote nothing where z itself is a leaf. Then dz/dz = 1 is its gradient.",
    "keeps-intermediate": WAS
    + "backward ran {calls} times. You let a computed variable hold its gradient of the first call, and it passed this on again.",
    "clears-leaves": WAS + "backward ran {calls} times. You lost what the first call had added to a leaf, or the second adds nothing.",
    "clears-only-leaves": WAS + "backward ran {calls} times. You set the gradients of leaves to 0, and not those of computed variables.",
    "adds-start": WAS + "backward ran {calls} times. You added 1 to what a computed z held. It must be 0 before, in each call.",
    "start-replaces": WAS + "backward ran {calls} times. You set the gradient of z to 1. If z is a leaf, add 1 to what it holds.",
    "used-once": WAS + "You counted a variable once that a function uses twice. Each use is an edge of its own.",
    "first-input": WAS + "You passed on to the first input alone.",
    "partials-turned": WAS + "You gave each input the partial derivative of the other one.",
    "own-gradient": WAS
    + "Nothing arrives: the gradients of leaves stay 0. Is the gradient of the child, times the partial derivative, added to the input?",
    "value-for-gradient": WAS + "You multiplied by the value of the child, and not by its gradient.",
    "times-own-value": WAS + "You multiplied by the value of the input, and not by the partial derivative.",
    "adds": WAS + "You added the gradient of the child and the partial derivative. Multiply them.",
    "subtracts": WAS + "You subtracted the contributions. They add up.",
    "partial-squared": WAS + "You multiplied by the partial derivative twice.",
    "largest": WAS + "You kept the largest contribution. Contributions add up.",
    "recursion-keeps": WAS + "You went on to an input once for each use, and passed on each time all that it had so far.",
    "recursion-overwrites": WAS + "You replaced what was there by what one path brings. Paths add up.",
    "one-level": WAS + "You passed on from z to its inputs, and no further.",
    "stack": WAS + "You took the variable that was found last. {shared} passed on its gradient before all its children had added to it.",
    "stack-again": WAS + "You passed on from a variable each time that you came to it, with all that it had so far.",
    "queue-again": WAS + "You passed on from a variable each time that you came to it, level by level, with all that it had so far.",
    "levels-keep": WAS
    + "You went level by level, and intermediate gradients stay: {shared} passed on before all its children had added to it.",
    "visited-paths": WAS
    + "You passed on from a computed variable once, with what the first path brought. Later paths through it are lost.",
    "every-path": "Your program took too long: {about}. It follows each of 2 to the power {steps} paths. Let each variable pass on once.",
}
ASKED = {
    "recursion recursion-keeps stack stack-again queue-again levels-keep visited-paths": "How often does {shared} pass on its gradient, "
    "and what does it have each time?",
    "first-visit levels": "Which variables must pass on to {shared} before it passes on?",
    "leaves-first": "Which derivative is known before anything is computed?",
    "no-start starts-with-value": "How much does z grow if z grows by 1?",
    "overwrite subtracts largest recursion-overwrites": "What stood in {component}.grad before your line wrote there?",
    "no-upstream own-gradient value-for-gradient adds": "How much does z change with the child of {component}?",
    "not-a-leaf": "What is dz/dz, and which leaves has z?",
    "no-partial partials-turned times-own-value partial-squared": "How much does the child change with {component} alone?",
    "keeps-intermediate": "Which gradients must be 0 when a second call begins?",
    "clears-leaves": "What should {component}.grad be after two calls?",
    "every-path": "How many paths lead from a to z?",
    "clears-only-leaves adds-start start-replaces": "Which gradients must be 0 when a second call begins, and which not?",
    "used-once first-input one-level": "Which uses has {component}, and does each add to its gradient?",
}
STEPS, FEW = 40, 5_000  # variables in a row, and the calls that are enough for them


def probes(random):
    """Yield small graphs, graphs that separate wrong orders, two calls, and 40 diamonds in a row."""
    for text in (
        "z * a b",
        "y * a b; z * y c",
        "z * a a",
        "h * a a; m * h h; z + h m",
        "h * a a; m * h h; z + m h",
        "y + a b; w * y c; z * w y",
        "h * a b; y * h a; w + h b; v * y w; z + v h",
        "h * a b; y * h h; w * y a; z + w h",
    ):
        yield probe(text, random, 1)
    yield probe("h * a b; m * h c; z + m h", random, 1, signs=(-1,))  # h is the largest, and partials are negative
    yield probe("z + a b", random, 2)
    yield probe("h * a a; z * h h", random, 2)
    yield probe("h * a b; w + h a; z * w h", random, 3)
    yield probe("", random, 1)
    yield probe("", random, 2)
    names = [f"v{k}" for k in range(1, STEPS)] + ["z"]
    lines = [(y, "+", x, x) for x, y in zip(["a", *names], names)]
    a = random.choice(NUMBERS)
    shown = f"z = a = Value({a})\nfor _ in range({STEPS}):\n    z = z + z\nbackward(z)"
    yield Probe(({"a": a}, lines, 1), {"steps": STEPS}, FEW, f"each of {STEPS} variables adds the one before it to itself", shown)


def probe(text, random, calls, signs=(1,)):
    graph = small_graph(text, random, signs) if text else of([Drawn(random.choice(NUMBERS), name="z")])
    leaves = {name: v.data for name, v in graph.variables.items() if not v.inputs}
    lines = [tuple(line.split()) for line in text.split("; ") if line]
    facts = {
        "program": ", ".join(f"{y} = {a} {'·+'[operator == '+']} {b}" for y, operator, a, b in lines) or "a leaf z",
        "numbers": ", ".join(f"{name} = {number}" for name, number in leaves.items()),
        "shared": next(
            (x for x in graph.inputs if len(graph.children[x]) > 1 and graph.inputs[x]), names_or_none(y for y, *_ in lines[:1])
        ),
        "uses": {x: len(children) for x, children in graph.children.items()},
        "calls": calls,
        "which": {name: f"{name}.grad" for name in leaves},
        "scene": graph.variables["z"],
    }
    return Probe((leaves, lines, calls), facts, shown=program_of(leaves, lines, calls))


def program_of(leaves, lines, calls):
    """Return the graph as a program that ends with so many calls of backward."""
    functions = [f"{y} = {a} {operator} {b}" for y, operator, a, b in lines]
    return "\n".join([*(f"{name} = Value({number})" for name, number in leaves.items()), *functions, *["backward(z)"] * calls])

"""Free as you go

`backward(z, retain=False)` is the backward pass of an engine for arrays. A computed variable `y` has its array `y.data`, its `y.inputs`,
its gradient `y.grad`, and `y.saved`, a tuple of the arrays that its backward function needs. `y.backward_fn(y.grad, *y.saved)` gives one
contribution for each input. A leaf has no inputs. `topological_order(z)` is given, though it does not stand in this file: it lists the
computed variables, z first.

Write `backward` so that it keeps as little as possible:

1. After its turn, a computed variable drops its gradient: `y.grad = None`. Leaves keep theirs, and add up the calls.
2. After its turn, it releases what it has saved: `y.saved = None`. With `retain=True` it keeps it.
3. A second call, when something has been released, raises a `RuntimeError` before it changes a gradient.

The gradient of $z$ with respect to itself is `np.ones(z.data.shape)`.
"""
# meta: unit=E minutes=20 difficulty=3 chapter=memory call=backward_of

import numpy as np


def backward(z, retain=False):
    # BEGIN SOLUTION
    order = topological_order(z)
    if any(y.saved is None for y in order):
        raise RuntimeError("a saved array was released by an earlier call of backward(); call that one with retain=True")
        # ~ silent M07: return
    z.grad = np.ones(z.data.shape)
    for y in order:
        for x, G in zip(y.inputs, y.backward_fn(y.grad, *y.saved)):
            x.grad = G if x.grad is None else x.grad + G
            # ~ overwrite M03: x.grad = G
            # ~ in-place M17: x.grad = G if x.grad is None else np.add(x.grad, G, out=x.grad)
            # ~ frees-early M47: x.grad, x.saved = G if x.grad is None else x.grad + G, None
        y.grad = None
        # ~ keeps-gradients M07: pass
        if not retain:
            # ~ never-frees M40: if False:
            # ~ ignores-retain M07: if True:
            y.saved = None
            # ~ too-few M40: y.saved = y.saved[:1]
    # END SOLUTION


# BEGIN MUTANT frees-at-end M40
#     order = topological_order(z)
#     if any(y.saved is None for y in order):
#         raise RuntimeError("a saved array was released by an earlier call of backward(); call that one with retain=True")
#     z.grad = np.ones(z.data.shape)
#     for y in order:
#         for x, G in zip(y.inputs, y.backward_fn(y.grad, *y.saved)):
#             x.grad = G if x.grad is None else x.grad + G
#         y.grad = None
#     for y in order:
#         y.saved = y.saved if retain else None
# END MUTANT
# BEGIN MUTANT frees-leaf-gradients M47
#     order = topological_order(z)
#     if any(y.saved is None for y in order):
#         raise RuntimeError("a saved array was released by an earlier call of backward(); call that one with retain=True")
#     z.grad = np.ones(z.data.shape)
#     for y in order:
#         for x, G in zip(y.inputs, y.backward_fn(y.grad, *y.saved)):
#             x.grad = G if x.grad is None else x.grad + G
#         if not retain:
#             y.saved = None
#     for y in order:
#         for x in (y, *y.inputs):
#             x.grad = None
# END MUTANT
# BEGIN FRAME
import weakref


class Node:
    """A variable. `memory` holds a weak reference to each saved array, and what was counted at each turn."""

    def __init__(self, data, memory, inputs=(), rule=None, saved=()):
        self.data, self.inputs, self.grad = data, inputs, None
        self.saved = tuple(array.copy() for array in saved)
        if inputs:
            many = memory.add(self.saved)
            self.backward_fn = lambda upstream, *saved: rule(upstream, *memory.turn(many, saved))


class Memory:
    """The saved arrays that are alive, beside those that functions still need."""

    def __init__(self):
        self.arrays, self.needed, self.too_many = [], 0, 0

    def add(self, saved):
        self.arrays += map(weakref.ref, saved)
        self.needed += len(saved)
        return len(saved)

    def alive(self):
        return sum(array() is not None for array in self.arrays)

    def turn(self, many, saved):
        if len(saved) != many:
            raise LookupError(f"a function needs {many} saved arrays and got {len(saved)}")
        self.too_many = max(self.too_many, self.alive() - self.needed)
        self.needed -= many
        return saved


def add_of(upstream):
    return upstream, upstream


def product_of(upstream, A, B):
    return upstream * B, upstream * A


def matmul_of(upstream, A, B):
    return upstream @ B.T, A.T @ upstream


def square_of(upstream, A):
    return (upstream * 2 * A,)


def sum_of(upstream, A):
    return (upstream * (0 * A + 1),)


FUNCTIONS = {
    "+": (lambda A, B: A + B, add_of, 0),
    "*": (lambda A, B: A * B, product_of, 2),
    "@": (lambda A, B: A @ B, matmul_of, 2),
    "square": (lambda A: A * A, square_of, 1),
    "sum": (lambda A: np.array(A.sum()), sum_of, 1),
}


def topological_order(z):
    notes, seen = [], set()

    def visit(y):
        seen.add(y)
        for x in y.inputs:
            if x not in seen and x.inputs:
                visit(x)
        notes.append(y)

    visit(z)
    return notes[::-1]


def backward_of(leaves, functions, retain):
    """Run backward() twice for z, the last variable. Return the gradients of the leaves after each call, and what was kept."""
    memory = Memory()
    nodes = {name: Node(data, memory) for name, data in leaves.items()}
    for name, function, *inputs in functions:
        x = [nodes[k] for k in inputs]
        compute, rule, saved = FUNCTIONS[function]
        arrays = [v.data for v in x]
        nodes[name] = Node(compute(*arrays), memory, tuple(x), rule, arrays[:saved])
    z = nodes[functions[-1][0]]
    backward(z, retain)
    found = {f"dz/d{name}": nodes[name].grad for name in leaves}
    found["the number of saved arrays kept too long"] = memory.too_many
    found["the number of saved arrays after the call"] = memory.alive()
    found["the number of gradients between the leaves and z"] = sum(v.grad is not None for v in nodes.values() if v.inputs and v is not z)
    return found | second_call(z, retain, {name: nodes[name] for name in leaves})


def second_call(z, retain, leaves):
    try:
        backward(z, retain)
        end = "no error"
    except Exception as error:
        end = "RuntimeError" if isinstance(error, RuntimeError) else type(error).__name__
    return {"the second call": end} | {f"dz/d{name} after the second call": x.grad for name, x in leaves.items()}


# END FRAME
# BEGIN CHECK
from tutorial.exercises.calls import with_names
from tutorial.exercises.probe import Probe

HINTS = (
    "Which arrays does the engine still need after the turn of y? Which gradient is complete, and passed on?",
    "Work at the end of each turn: the gradient of y goes, and unless retain is on, its saved arrays, too. Do not touch the inputs.",
    "Before all turns, look whether the saved arrays of a variable in the order are None, and raise the error there. Then let each "
    "variable "
    "call its backward function, add to its inputs with a new array, and drop what was its own.",
)
PREDICT = ("C = A × B and z = sum(C · C). How many arrays are saved when the turn of C begins, if the engine frees as it goes?", 2)
WAS = "{component} was {got}, expected {expected}. "
SAID = {
    "silent": "The second call gave {got}, expected {expected}. The {arrays} saved arrays are gone, and your program said nothing.",
    "overwrite": WAS + "A later contribution replaced an earlier one: add them.",
    "in-place": WAS + "Two gradients are one array, because the backward function of + returns its upstream array twice. Add with a "
    "new array.",
    "frees-early": "Your program raised {got}. You released arrays of the inputs, before their turn. {arrays} saved arrays are needed: "
    "each until its own function has had its turn.",
    "keeps-gradients": WAS + "A computed variable needs its gradient until it has passed it on. Then it must drop it.",
    "never-frees": WAS + "Nothing releases the {arrays} saved arrays. Each is released after the turn of its function.",
    "ignores-retain": WAS + "With retain=True all {arrays} saved arrays stay for a second call.",
    "too-few": WAS + "You released all saved arrays of a function but its first.",
    "frees-at-end": WAS + "You released the arrays after the last turn. Release those of a function after its own turn.",
    "frees-leaf-gradients": "{component} was {got}, expected {expected}. The program asks for the gradients of the leaves: these 2 stay.",
}
ASKED = {
    "silent": "What does a user conclude who gets no error?",
    "overwrite": "What stood in x.grad before the last contribution came?",
    "in-place": "Who else holds this array?",
    "frees-early": "Which function still needed its saved arrays?",
    "keeps-gradients": "Who reads the gradient of a computed variable after its turn?",
    "never-frees": "Which line releases saved arrays, and does it run?",
    "ignores-retain": "What does the user ask for with retain=True?",
    "too-few": "How many arrays does a product save?",
    "frees-at-end": "When is an array needed for the last time?",
    "frees-leaf-gradients": "Whose gradients does the program ask for?",
}
PROGRAMS = (
    ("C @ A B; z sum C", "a product and a sum"),
    ("C + A B; D * C A; z sum D", "A is used twice"),
    ("C + A B; D + C A; z sum D", "two sums"),
    ("C @ A B; D square C; E * D B; z sum E", "four functions"),
    ("C * A B; D square C; E * D C; F + E D; z sum F", "C and D are used twice"),
)


def probes(random):
    """Yield the programs, the smallest first, without and with retain."""
    for text, about in PROGRAMS:
        for retain in (False, True):
            leaves = {name: np.array([[random.choice((-3, -2, 2, 3)) for _ in "12"] for _ in "12"]) for name in "AB"}
            functions = [tuple(line.split()) for line in text.split("; ")]
            arrays = sum({"*": 2, "@": 2, "square": 1, "sum": 1}.get(function, 0) for _, function, *_ in functions)
            yield Probe((leaves, functions, retain), {"arrays": arrays}, about=about, shown=program_of(leaves, functions, retain))


def program_of(leaves, functions, retain):
    """Return the graph as a program that ends with two calls of backward."""
    lines = []
    for name, function, *inputs in functions:
        lines.append(f"{name} = {f' {function} '.join(inputs) if len(inputs) == 2 else f'{function}({inputs[0]})'}")
    call = "backward(z, retain=True)" if retain else "backward(z)"
    return with_names("\n".join([*lines, call, f"{call}  # the second call"]), **leaves).replace("np.array", "array")


def scene(probe):
    """Return z."""
    from tensorgrad import Tensor

    leaves, functions, _ = probe.arguments
    made = {name: Tensor(data.astype(float), name=name) for name, data in leaves.items()}
    compute = {
        "+": lambda A, B: A + B,
        "*": lambda A, B: A * B,
        "@": lambda A, B: A @ B,
        "square": lambda A: A * A,
        "sum": lambda A: A.sum(),
    }
    for name, function, *inputs in functions:
        made[name] = compute[function](*(made[x] for x in inputs))
        made[name].name = name
    return made["z"]


# END CHECK

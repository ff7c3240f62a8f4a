"""Free as you go

`backward(z, retain=False)` is the backward pass of an engine for arrays. A computed variable `y` has its array `y.data`, its `y.inputs`,
its gradient `y.grad`, and `y.saved`, a tuple of the arrays that its backward function needs. `y.backward_fn(y.grad, *y.saved)` gives one
contribution for each input. A leaf has no inputs. `topological_order(z)` is given, though it does not stand in this file: it lists the
computed variables, z first.

Write `backward` so that it keeps as little as possible:

1. After its turn, a computed variable drops its gradient: `y.grad = None`. Leaves keep theirs, and add up the calls.
2. After its turn, it releases what it has saved: `y.saved = None`. With `retain=True` it keeps it.
3. A call that needs something that was released by an earlier call raises a `RuntimeError` before it changes any gradient. The earlier
   call may have been for another variable, whose graph shares a part with that of `z`.

The gradient of $z$ with respect to itself is `np.ones(z.data.shape)`.
"""
# meta: unit=E minutes=20 difficulty=3 chapter=memory call=backward_of

import numpy as np


def backward(z, retain=False):
    # BEGIN SOLUTION
    order = topological_order(z)
    # ~ gradient-of-z-first M08: order = topological_order(z); z.grad = np.ones(z.data.shape)
    if any(y.saved is None for y in order):
        # ~ looks-at-z M51: if z.saved is None:
        # ~ empty-is-released M43: if not all(y.saved for y in order):
        # ~ no-check M60: if False:
        # ~ always-once M07: if getattr(z, "derived", False) or any(y.saved is None for y in order):
        raise RuntimeError("a saved array was released by an earlier call of backward(); call that one with retain=True")
        # ~ silent M07: return
        # ~ another-error M60: raise ValueError("released")
    z.grad = np.ones(z.data.shape)
    # ~ keeps-gradient-of-z M07: z.grad = np.ones(z.data.shape) + (0 if z.grad is None else z.grad)
    # ~ value-of-z M28: z.grad = z.data
    # ~ no-start M28: z.grad = np.zeros(z.data.shape)
    # ~ number-for-z M12: z.grad = 1.0
    # ~ always-once M07: z.grad, z.derived = np.ones(z.data.shape), True
    # ~ zeroes-leaves M07: [setattr(x, "grad", None) for y in order for x in y.inputs]; z.grad = np.ones(z.data.shape)
    for y in order:
        for x, G in zip(y.inputs, y.backward_fn(y.grad, *y.saved)):
            # ~ frees-before-turn M47: for x, G in zip(y.inputs, y.backward_fn(y.grad, *(y.saved if retain else None))):
            x.grad = G if x.grad is None else x.grad + G
            # ~ overwrite M03: x.grad = G
            # ~ leaves-replaced M03: x.grad = G if x.grad is None or not x.inputs else x.grad + G
            # ~ negative M66: x.grad = -G if x.grad is None else x.grad - G
            # ~ in-place M17: x.grad = G if x.grad is None else np.add(x.grad, G, out=x.grad)
            # ~ frees-early M47: x.grad, x.saved = G if x.grad is None else x.grad + G, None
        y.grad = None
        # ~ keeps-gradients M07: pass
        # ~ keeps-gradient-of-z M07: y.grad = y.grad if y is z else None
        # ~ retain-keeps-gradients M07: y.grad = y.grad if retain else None
        # ~ frees-leaf-gradients M47: y.grad = None; [setattr(x, "grad", None) for k in order for x in k.inputs if y is order[-1]]
        if not retain:
            # ~ never-frees M40: if False:
            # ~ ignores-retain M07: if True:
            # ~ retain-turned-round M54: if retain:
            # ~ frees-at-end M40: if not retain and y is order[-1]:
            y.saved = None
            # ~ too-few M40: y.saved = y.saved[:1]
            # ~ drops-leaf-gradients M47: y.saved = None; [setattr(x, "grad", None) for x in y.inputs if not x.inputs]
            # ~ empty-for-released M43: y.saved = ()
            # ~ frees-at-end M40: [setattr(y, "saved", None) for y in order]
    # END SOLUTION


# MUTANT checks-in-the-turn M08
#     order = topological_order(z)
#     # ~ others-in-the-turn M08: if z.saved is None: raise RuntimeError("released")
#     z.grad = np.ones(z.data.shape)
#     for y in order:
#     # ~ others-in-the-turn M08: for y in topological_order(z):
#         if y.saved is None:
#             raise RuntimeError("released")
#         for x, G in zip(y.inputs, y.backward_fn(y.grad, *y.saved)):
#             x.grad = G if x.grad is None else x.grad + G
#         y.grad = None
#         if not retain:
#             y.saved = None
# FRAME
import weakref


class Node:
    """A variable. `memory` holds a weak reference to each saved array, and what was counted at each turn."""

    def __init__(self, data, memory, inputs=(), rule=None, saved=()):
        self.data, self.inputs, self.grad = np.asarray(data), inputs, None
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
    "sum": (lambda A: A.sum(), sum_of, 1),
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


def backward_of(leaves, functions, first, second, retain):
    """Run backward() for two variables in turn. Return the gradients of the leaves after each call, and what was kept."""
    memory = Memory()
    nodes = {name: Node(data, memory) for name, data in leaves.items()}
    for name, function, *inputs in functions:
        x = [nodes[k] for k in inputs]
        compute, rule, saved = FUNCTIONS[function]
        arrays = [v.data for v in x]
        nodes[name] = Node(compute(*arrays), memory, tuple(x), rule, arrays[:saved])
    computed = [v for v in nodes.values() if v.inputs]
    backward(nodes[first], retain=retain)
    found = {f"d{first}/d{name}": nodes[name].grad for name in leaves}
    found["the number of saved arrays that stay after the turn of their function"] = memory.too_many
    found["the number of saved arrays after the call"] = memory.alive()
    found["the number of computed variables whose saved is None"] = sum(vars(v).get("saved", ()) is None for v in computed)
    found["the number of arrays of variables that are gone"] = sum(not isinstance(v.data, np.ndarray) for v in nodes.values())
    found["the number of gradients of computed variables after the call"] = sum(v.grad is not None for v in computed)
    try:
        backward(nodes[second], retain=retain)
        found["the second call"] = "no error"
    except Exception as error:
        found["the second call"] = "RuntimeError" if isinstance(error, RuntimeError) else type(error).__name__
    found |= {f"{name}.grad after the second call": nodes[name].grad for name in leaves}
    found["the number of gradients of computed variables after the second call"] = sum(v.grad is not None for v in computed)
    return found


# CHECK
from tutorial.exercises.probes.calls import with_names
from tutorial.exercises.probes.probe import Probe

HINTS = (
    "Which arrays does the engine still need after the turn of y? Which gradient is complete, and passed on?",
    "Work at the end of each turn: the gradient of y goes, and unless retain is on, its saved arrays, too. Do not touch the inputs.",
    "Before all turns, look whether the saved arrays of a variable in the order are None, and raise the error there. Then let each "
    "variable call its backward function, add to its inputs with a new array, and drop what was its own.",
)
PREDICT = (
    "C = A × B and z = sum(C · C). How many arrays are saved when the turn of C begins, if the engine frees as it goes?",
    2,
    {
        4: "You counted what C · C has saved. Its turn is over.",
        0: "C has not had its turn yet. What does its backward function need?",
        3: "You counted C, too. C · C has had its turn, so it has released C.",
    },
)
WAS = "{component} was {got}, expected {expected}. "
SAID = {
    "looks-at-z": "The second call: {component} was {got}, expected {expected}. z is the variable of the second call, and its own arrays "
    "are there. A variable of its graph was released by the first call, which was for w. Look at all variables of the order.",
    "gradient-of-z-first checks-in-the-turn others-in-the-turn": WAS
    + "The second call changed a gradient before it raised its error, and {arrays} saved arrays do not come back. Look at all "
    "variables first.",
    "empty-is-released": "The first call raised {got}. A function that saves nothing has an empty tuple, here + among {arrays} saved "
    "arrays of the others. None says that something was released.",
    "no-check": "The second call ended with {got}, expected {expected}. Python stumbled over one of the {arrays} saved arrays, which are "
    "gone. Look first, and raise a RuntimeError that says what happened.",
    "another-error": "The second call ended with {got}. The text asks for a {expected}.",
    "always-once": "The second call ended with {got}. After retain=True all {arrays} saved arrays are there, so a second call is allowed.",
    "keeps-gradient-of-z": WAS + "z is a computed variable, too: after its turn it drops its gradient.",
    "retain-keeps-gradients": WAS + "retain=True keeps what was saved. Gradients of computed variables are dropped in any case.",
    "number-for-z": WAS + "The gradient of z has the shape of z, and that begins with one number.",
    "releases-z-alone": WAS
    + "z alone has released what it had saved. Each computed variable does so after its own turn, {arrays} arrays in all.",
    "value-of-z": WAS + "That begins with the value of z. The gradient of z with respect to itself is an array of 1.",
    "no-start": WAS + "That begins with 0. The gradient of z with respect to itself is an array of 1.",
    "negative": WAS + "The sign is wrong. Contributions are added.",
    "zeroes-leaves replaces-leaf-gradients": WAS
    + "The second call began with empty gradients of the leaves, or replaced them. Leaves keep theirs, and add up the calls.",
    "retain-turned-round": WAS + "retain has the opposite effect: True keeps the {arrays} saved arrays, and False releases them.",
    "empty-for-released": WAS
    + "After the turn y.saved is not None. It may be gone, or an empty tuple, which a function that saves nothing has, too. None says "
    "that it was released.",
    "silent": "The second call gave {got}, expected {expected}. The {arrays} saved arrays are gone, and your program said nothing.",
    "overwrite last-to-computed leaves-replaced": WAS + "A later contribution replaced an earlier one: add them.",
    "in-place in-place-in-a-dictionary": WAS
    + "Two gradients are one array, because the backward function of + returns its upstream array twice. Add with a new array.",
    "frees-early frees-before-turn": "Your program raised {got}. A function had its turn, and its saved arrays were gone. {arrays} saved "
    "arrays are needed: release those of y alone, and after its own turn.",
    "keeps-gradients": WAS + "A computed variable needs its gradient until it has passed it on. Then it must drop it.",
    "never-frees": WAS + "Nothing releases the {arrays} saved arrays. Each is released after the turn of its function.",
    "ignores-retain": WAS + "With retain=True all {arrays} saved arrays stay for a second call.",
    "too-few": WAS + "You released all saved arrays of a function but its first.",
    "frees-at-end": WAS + "You released the arrays after the last turn. Release those of a function after its own turn.",
    "frees-leaf-gradients drops-leaf-gradients": WAS + "The program asks for the gradients of the leaves: these 2 stay.",
}
ASKED = {
    "last-to-computed leaves-replaced": "What stood in the gradient before the last contribution came?",
    "in-place-in-a-dictionary in-place": "Who else holds this array?",
    "replaces-leaf-gradients zeroes-leaves": "What do the gradients of the leaves hold when the second call begins?",
    "drops-leaf-gradients frees-leaf-gradients": "Whose gradients does the program ask for?",
    "releases-z-alone": "Which variables have saved arrays?",
    "looks-at-z": "Which variables does the second call need, and which of them were released?",
    "gradient-of-z-first checks-in-the-turn others-in-the-turn": "Which gradients has your program changed when the error is raised?",
    "empty-is-released": "What is y.saved of a sum, before and after its turn?",
    "no-check another-error": "What does a user read who calls backward() twice?",
    "always-once retain-turned-round ignores-retain": "What does the user ask for with retain=True?",
    "keeps-gradient-of-z retain-keeps-gradients keeps-gradients": "Who reads the gradient of a computed variable after its turn?",
    "value-of-z no-start number-for-z negative": "By how much does z grow if an entry of z grows by 1?",
    "empty-for-released": "How does a later call see that something was released?",
    "silent": "What does a user conclude who gets no error?",
    "overwrite": "What stood in x.grad before the last contribution came?",
    "frees-early frees-before-turn": "Which function still needed its saved arrays?",
    "never-frees": "Which line releases saved arrays, and does it run?",
    "too-few": "How many arrays does a product save?",
    "frees-at-end": "When is an array needed for the last time?",
}
PROGRAMS = (
    ("C @ A B; z sum C", "a product and a sum"),
    ("C + A B; D * C A; z sum D", "A is used twice"),
    ("C + A B; D + C A; z sum D", "two sums"),
    ("C @ A B; D square C; E * D B; z sum E", "four functions"),
    ("C * A B; D square C; E * D C; F + E D; z sum F", "C and D are used twice"),
    ("C square A; D square B; E * C D; F + C D; G + E F; z sum G", "C and D are used by a product and by a sum"),
    ("z + A B", "z is a matrix"),
)
SHARED = (
    ("C * A B; w sum C; D * C A; z sum D", "w and z share C"),
    ("C + A B; D square C; w sum D; E * D A; z sum E", "w and z share D"),
)


def probes(random):
    """Yield the programs, the smallest first, without and with retain; then those with two results."""
    for text, about in PROGRAMS:
        for retain in (False, True):
            yield probe(random, text, about, "z", retain)
    for text, about in SHARED:
        for retain in (False, True):
            yield probe(random, text, about, "w", retain)


def probe(random, text, about, first, retain):
    leaves = {name: np.array([[random.choice((-3, -2, 2, 3)) for _ in "12"] for _ in "12"]) for name in "AB"}
    functions = [tuple(line.split()) for line in text.split("; ")]
    arrays = sum({"*": 2, "@": 2, "square": 1, "sum": 1}.get(function, 0) for _, function, *_ in functions)
    shown = program_of(leaves, functions, first, retain)
    return Probe((leaves, functions, first, "z", retain), {"arrays": arrays}, about=about, shown=shown)


def program_of(leaves, functions, first, retain):
    """Return the graph as a program that ends with two calls of backward."""
    lines = []
    for name, function, *inputs in functions:
        lines.append(f"{name} = {f' {function} '.join(inputs) if len(inputs) == 2 else f'{function}({inputs[0]})'}")
    calls = [f"backward({v}, retain=True)" if retain else f"backward({v})" for v in (first, "z")]
    return with_names("\n".join([*lines, calls[0], f"{calls[1]}  # the second call"]), **leaves).replace("np.array", "array")


def scene(probe):
    from tensorgrad import Tensor

    leaves, functions, *_ = probe.arguments
    made = {name: Tensor(data.astype(float), name=name) for name, data in leaves.items()}
    for name, function, *inputs in functions:
        made[name] = FUNCTIONS[function][0](*(made[x] for x in inputs))
        made[name].name = name
    return made["z"]

"""A graph on which the walk fails

This engine goes depth first: `walk` enters a variable once, lets it pass its derivative on to its inputs, and goes on to them. It is wrong.
But on many graphs it gives the right derivatives, also on the given one. (`y.grad` is what `y` has collected. Python calls `__add__` for
`+`.)

Give a graph on which it is wrong, other than the chapter's: use a `-`, or two leaves. `graph` is a list of lines. A line is a number, such
as `"a = 2"`, or a function of two variables of earlier lines, with `+`, `-` or `*`. Numbers are integers from −999 to 999. A name is a
letter, with at most three more letters or digits. The result is `z`. Take at most 12 lines, and no number beyond 10¹⁵, derivatives
included. Leave the engine as it is.
"""
# meta: unit=F minutes=10 difficulty=2 kind=break chapter=order-matters given=one-user call=given_graph


class Value:
    def __init__(self, data, inputs=(), partials=()):
        self.data, self.grad = data, 0
        self.inputs, self.partials = inputs, partials

    def __add__(self, other):
        return Value(self.data + other.data, (self, other), (1, 1))

    def __sub__(self, other):
        return Value(self.data - other.data, (self, other), (1, -1))

    def __mul__(self, other):
        return Value(self.data * other.data, (self, other), (other.data, self.data))

    def backward(self):
        self.grad = 1
        walk(self, set())


def walk(y, seen):
    if y in seen:
        return
    seen.add(y)
    for x, partial in zip(y.inputs, y.partials):
        x.grad += y.grad * partial
    for x in y.inputs:
        walk(x, seen)


# BEGIN SOLUTION
graph = [
    "a = 2",
    # ~ no-effect M55: "a = 0",
    "b = 3",
    "h = a * b",
    "m = h * h",
    "z = h - m",
    # ~ other-way-round M54: "z = m - h",
]


# END SOLUTION
# MUTANT one-user M52
# graph = [
#     "a = 3",
#     "b = a + a",
#     "z = b + b",
# ]
# MUTANT leaf M52: graph = ["a = 3", "b = 5", "y = a * b", "z = y + a"]
# MUTANT dead-branch M51: graph = ["a = 2", "h = a * a", "m = h * h", "w = h + m", "z = a * h"]
# MUTANT tree M53: graph = ["a = 3", "b = 5", "c = 7", "y = a * b", "z = y * c"]
# FRAME
def given_graph():
    return graph


# CHECK
from tutorial.exercises.broken_engine.engines import ClassEngine
from tutorial.exercises.given_graphs import NoGraph, derivatives, differ, leaves, read, used_twice
from tutorial.exercises.probes.probe import Marks, Probe

TITLE = "Your graph does not break the engine"
HINTS = (
    "On paper, run the engine for your graph. What has each variable received when its inputs get their parts from it?",
    "A variable must have received a part of its derivative when it passes on, and the rest later. So it needs two different children.",
    "Let a computed variable be an input of z, and let another input of z be computed from it. Which of the two does the walk enter first?",
)
PREDICT = (
    "In the graph that is given, a = 3, b = a + a and z = b + b. What is dz/da?",
    4,
    {
        12: "That is z. How much does it grow if a grows by 1?",
        2: "That is db/da, or dz/db. You need one times the other.",
    },
)
SAID = {
    "one-user": "{judged} A variable is used twice, but both times by the same function. It passes on both parts at once, so nothing comes "
    "too late.",
    "leaf": "{judged} Only a leaf is used by two functions. A leaf passes nothing on, so it may receive its parts in any order.",
    "tree": "{judged} Each variable is used once. So it has received all of its derivative when the walk comes to it.",
    "dead-branch": "{judged} A computed variable is used by two functions. But z depends on one of them at most.",
    "other-way-round": "{judged} The idea is right: a computed variable is used by two functions. But the walk comes to it after both.",
    "no-effect": "{judged} The walk is wrong here. But what comes too late is 0, or is multiplied by 0, and that changes no derivative.",
}
ASKED = {
    "one-user": "Which variables of your graph have two different children?",
    "leaf": "What does the engine still do with a leaf after it was entered?",
    "tree": "When is a derivative a sum of more than one part?",
    "dead-branch": "Which variables are ancestors of z?",
    "other-way-round": "Which input of z is entered first?",
    "no-effect": "What is added too late, and by which partial is it multiplied?",
}


def probes(random):
    """Yield the one question: which graph is it?"""
    yield Probe((), shown="graph")


def judge(got, probe):
    """Return why a graph does not show that the engine is wrong, or None."""
    try:
        numbers = read(got)
    except NoGraph as wrong:
        return str(wrong)
    shown, totals = leaves(numbers), run(numbers)
    if wrong_at(numbers, totals):
        return None
    return f"On your graph the engine and equation (1) give the same: {derivatives(totals, shown)}."


def achieved(got, probe):
    """Return what a graph on which the engine is wrong shows."""
    numbers = read(got)
    totals = run(numbers)
    x = wrong_at(numbers, totals)[-1]
    return f"On your graph the engine gives {derivatives(totals, [x])}. Equation (1) gives {derivatives(numbers.totals, [x])}."


def run(numbers):
    """Return {x: dz/dx} as the shown engine gives them."""
    return ClassEngine(Value).run(numbers.program).totals


def wrong_at(numbers, totals):
    """Return the variables for which the engine is wrong, z first."""
    return [x for x in numbers.order if differ(totals[x], numbers.totals[x])]


def named(got, probe):
    """Return the name of the reason for which the engine is right on a graph."""
    try:
        numbers = read(got)
    except NoGraph:
        return None
    shared = [x for x in used_twice(numbers) if numbers.inputs[x]]
    by_two = [x for x in shared if several(numbers, x)]
    if too_early(numbers):
        return "no-effect"
    if by_two:
        return "other-way-round"
    if any(len({y for y in numbers.made if x in numbers.inputs[y]}) > 1 and numbers.inputs[x] for x in numbers.made):
        return "dead-branch"
    if any(several(numbers, x) for x in used_twice(numbers)):
        return "leaf"
    return "one-user" if used_twice(numbers) else "tree"


def several(numbers, x):
    """Return whether x is used by different functions on the way to z."""
    return len({y for y, _ in numbers.children[x]}) > 1


def too_early(numbers):
    """Return whether the walk enters a computed variable before all its children."""
    entered = []

    def walk(y):
        if y not in entered:
            entered.append(y)
            for x in numbers.inputs[y]:
                walk(x)

    walk(numbers.z)
    late = lambda x: any(entered.index(y) > entered.index(x) for y, _ in numbers.children[x])
    return any(numbers.inputs[x] and late(x) for x in entered)


def marked(got, probe):
    """Return the learner's graph, with what the engine gives and what is right; None if the lines make no graph."""
    try:
        numbers = read(got)
    except NoGraph:
        return None
    right = {x: numbers.totals[x] for x in numbers.order}
    return Marks(numbers.variables["z"], run(numbers), right)

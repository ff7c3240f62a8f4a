"""Counting instead of sorting

`by_counting(z, inputs, partial)` returns the dictionary `{v: dz/dv}` of `z` and all variables that `z` depends on. It sorts nothing. It
counts, for each variable, the contributions that are still to come. A variable passes on its derivative when all of them have arrived.

`inputs[y]` lists the inputs of `y`, one for each use, and is empty for a leaf. `inputs` holds all variables of the program, also those
that `z` does not depend on. `partial[y, x]` is $\\frac{\\partial y}{\\partial x}$ for one use, and the same for each use of `x` by `y`. For
$h = a \\cdot a$ and $z = h + 1$ at $a = 2$ the answer is `{"z": 1, "h": 1, "a": 4}`. The program must not change its arguments.
"""
# meta: unit=E minutes=25 difficulty=3 chapter=other-engines call=by_counting


def by_counting(z, inputs, partial):
    # BEGIN SOLUTION
    pending, needed = dict.fromkeys(inputs, 0), [z]
    for y in needed:
        # ~ counts-all M23: for y in inputs:
        for x in inputs[y]:
            # ~ counts-once M03: for x in dict.fromkeys(inputs[y]):
            # ~ each-once M03: for x in dict.fromkeys(inputs[y]):
            if pending[x] == 0:
                # ~ counts-paths M34: if True:
                needed.append(x)
            pending[x] += 1
    total, ready = {z: 1}, [z]
    # ~ no-start M28: total, ready = {z: 0}, [z]
    # ~ all-variables M51: total, ready = dict.fromkeys(inputs, 0) | {z: 1}, [z]
    while ready:
        y = ready.pop()
        for x in inputs[y]:
            # ~ passes-once M03: for x in dict.fromkeys(inputs[y]):
            # ~ each-once M03: for x in dict.fromkeys(inputs[y]):
            total[x] = total.get(x, 0) + total[y] * partial[y, x]
            # ~ overwrite M03: total[x] = total[y] * partial[y, x]
            # ~ no-upstream M05: total[x] = total.get(x, 0) + partial[y, x]
            # ~ no-partial M64: total[x] = total.get(x, 0) + total[y]
            # ~ adds-along M30: total[x] = total.get(x, 0) + total[y] + partial[y, x]
            # ~ multiplied M30: total[x] = total.get(x, 1) * total[y] * partial[y, x]
            pending[x] -= 1
            if pending[x] == 0:
                # ~ at-every-arrival M04: if True:
                ready.append(x)
    return total
    # ~ no-leaves M63: return {x: number for x, number in total.items() if inputs[x]}
    # ~ leaves-alone M22: return {x: number for x, number in total.items() if not inputs[x]}
    # ~ without-z M28: return {x: number for x, number in total.items() if x != z}
    # END SOLUTION


# MUTANT first-arrival M04
#     total, ready = {z: 1}, [z]
#     while ready:
#     # ~ breadth-first M04: for y in ready:
#         y = ready.pop()
#         # ~ breadth-first M04: pass
#         for x in inputs[y]:
#             if x not in total:
#                 total[x] = 0
#                 ready.append(x)
#             total[x] += total[y] * partial[y, x]
#     return total
# MUTANT depth-first M04
#     total, walked = {}, set()
#
#     def walk(y):
#         if y not in walked:
#             walked.add(y)
#             for x in inputs[y]:
#                 total[x] = total.get(x, 0) + total[y] * partial[y, x]
#             for x in inputs[y]:
#                 walk(x)
#
#     total[z] = 1
#     walk(z)
#     return total
# MUTANT every-path M34
#     total, ahead = {}, [(z, 1)]
#     while ahead:
#         y, upstream = ahead.pop()
#         total[y] = total.get(y, 0) + upstream
#         ahead += [(x, upstream * partial[y, x]) for x in inputs[y]]
#     return total
# MUTANT as-recorded M44
#     total = {z: 1}
#     for y in inputs:
#         for x in inputs[y] if y in total else ():
#             total[x] = total.get(x, 0) + total[y] * partial[y, x]
#     return total
# CHECK
from tutorial.exercises.broken_engine.probes import program, random_programs
from tutorial.exercises.broken_engine.programs import EVERYWHERE, Numbers
from tutorial.exercises.probes.calls import with_names
from tutorial.exercises.probes.probe import Probe
from tutorial.exercises.probes.shared_graphs import about, inputs

HINTS = (
    "How many contributions does a variable get? Each edge on which z depends brings one.",
    "Make two passes. The first starts at z and counts the uses of each variable that it comes to. The second passes on derivatives.",
    "In the second pass, keep a list of the variables that wait for nothing more. At the start it holds z alone. Take one, pass on its "
    "derivative over each of its edges, and lower a count with each. An input that reaches 0 joins the list.",
)
PREDICT = (
    "h = a · a, d = 5 · h, and z = h + h · h. For how many contributions does h wait when the backward pass begins at z?",
    3,
    {
        4: "You counted d. z does not depend on d.",
        2: "h · h uses h twice, and each use sends a contribution.",
        1: "h has several uses, and each sends a contribution.",
    },
)
WAS = "dz/d{component} was {got}, expected {expected}. "
MISSING = "dz/d{component} should be {expected}. "
SAID = {
    "counts-all": MISSING + "{dead} also uses {waits}, and z does not depend on {dead}. So the count of {waits} never fell to 0, and "
    "{waits} never passed on its derivative. Count only what the walk from z comes to.",
    "counts-once": WAS + "{twice} uses {used} twice, and you counted one contribution. The other came before all were there, so {used} "
    "passed on its derivative too early.",
    "passes-once": MISSING + "{twice} uses {used} twice, so {used} waits for 2 contributions from it. One was passed on, and "
    "{used} still waits.",
    "first-arrival": WAS + "{used} passed on its derivative when its first contribution arrived. {uses} edges lead from {used} towards z, "
    "so {uses} contributions had to arrive before.",
    "at-every-arrival": WAS + "{used} passed on its derivative at every arrival. So its first contributions were passed on more than once. "
    "{uses} contributions must arrive, and then it passes on their sum once.",
    "counts-all-from-0": "dz/d{component} was {got}, expected {expected}. {dead} also uses {waits}, and z does not depend on {dead}. So "
    "the count of {waits} never fell to 0, and {waits} never passed on its derivative. Count only what the walk from z comes to.",
    "each-arrival-in-order one-left no-waiting-in-order": WAS
    + "{used} passed on its derivative before all contributions had arrived. {uses} edges lead from {used} towards z, so {uses} "
    "contributions must arrive, and then it passes on their sum once.",
    "counts-one-more": WAS + "That was not passed on: a count never was 0 when it was asked. Lower it for each contribution, and then ask.",
    "counts-once-in-order": WAS
    + "{twice} uses {used} twice, and one contribution was counted. So {used} passed on its derivative too early.",
    "passes-once-in-order": WAS + "{twice} uses {used} twice, so {used} waits for 2 contributions from it. One was passed on.",
    "from-the-last": WAS + "The walk began at the variable that was made last. z is another one: begin there.",
    "uses-squared": WAS
    + "{twice} uses {used} twice. Either go through its inputs one by one, or multiply by the number of uses, and not both.",
    "all-variables": "{component} is {got}. z does not depend on {component}, so it has no place in the dictionary.",
    "each-once": WAS + "{twice} uses {used} twice. You counted one contribution and passed one on. Each use brings one.",
    "counts-paths": "{about}. A variable that was met before was followed again. So {used} waits for a contribution over each path, and "
    "each edge brings only one.",
    "every-path": "{about}. Your program took too many calls: it follows each path by itself. Let a variable pass on once, when all its "
    "contributions have arrived.",
    "breadth-first": WAS
    + "{used} passed on its derivative in the order of first arrivals. {uses} edges lead from {used} towards z, so {uses} "
    "contributions had to arrive before.",
    "depth-first": WAS + "{used} passed on its derivative when it was first entered. {uses} edges lead from {used} towards z, so {uses} "
    "contributions had to arrive before.",
    "as-recorded": MISSING + "The variables pass on in the order of `inputs`, and z comes last there. Begin at z.",
    "no-partial": WAS + "That is a sum of upstream derivatives alone. Multiply each by the partial derivative of its edge.",
    "adds-along": WAS + "That adds the derivative and the partial along an edge. Along a path factors multiply.",
    "multiplied": WAS + "That is a product of the contributions. {used} gets {uses} contributions: add them.",
    "no-leaves": MISSING + "It is a leaf on which z depends. Leaves have a derivative, too.",
    "leaves-alone": MISSING + "It is a computed variable on which z depends. Asked for are z and all of them.",
    "without-z": MISSING + "Asked for are z and all variables on which it depends.",
    "overwrite overwrite-in-order": WAS + "A later contribution replaced the earlier ones. {used} gets {uses} contributions: add them.",
    "no-upstream": WAS + "You added partial derivatives alone. Multiply each by the derivative of the variable that passes it on.",
    "no-start": WAS + "Every derivative is a sum of products that begin with dz/dz = 1.",
}
ASKED = {
    "counts-all-from-0 counts-all": "Which variable waits for a contribution that never comes?",
    "each-arrival-in-order one-left no-waiting-in-order first-arrival breadth-first depth-first": "How many contributions had {used} when "
    "it passed on its derivative?",
    "counts-one-more": "What is the count of {used} after its last contribution?",
    "counts-once-in-order passes-once-in-order uses-squared counts-once passes-once each-once": "How many edges lead from {used} to "
    "{twice}?",
    "from-the-last": "Whose derivative is 1?",
    "at-every-arrival": "How often did {used} pass on its derivative?",
    "all-variables": "Which variables are ancestors of z?",
    "counts-paths every-path": "What happens when the walk comes to a variable for the second time?",
    "as-recorded": "Whose derivative is known at the beginning?",
    "no-partial": "By how much does the child grow with {used} alone?",
    "adds-along": "If {used} grows by 1, by how much does its child grow, and by how much then z?",
    "multiplied": "A nudge of {used} arrives along all edges at once. What happens to z?",
    "no-leaves leaves-alone without-z": "Which keys should the dictionary have?",
    "overwrite": "What stood in your dictionary before the last contribution came?",
    "no-upstream": "By how much does z grow if the child grows by 1?",
    "no-start": "By how much does z grow if z grows by 1?",
}


GRAPHS = (
    "y * a b; z * y c",
    "z * a a",
    "h * a b; z * h h",
    "g * a b; h * g c; z * h h",
    "h * a b; m * h c; z + m h",
    "h * a b; m * h c; z + h m",
    "h * a b; d * h c; z * h b",  # d is a dead branch
    "h * a b; m * h h; n * h c; k * n c; z * m k",
    "h * a b; m * h h; n * h c; k * n c; z * k m",
    "h * a b; m * h h; n * h c; z * n m",
    "h * a b; z * h c; w * z h",  # w is computed after z
    "e - a a; h * b c; m * h e; n * h c; z + m n",  # what m passes to h is 0
)


ROW = 40  # functions, with 2 to the power 40 paths
CALL = "by_counting('z', inputs, partial)"


def probes(random):
    """Yield one function, two uses, a shared variable, dead branches, random graphs; then many paths."""
    for text in GRAPHS:
        yield probe(Numbers(program(text, inputs(random))))
    for made in random_programs(EVERYWHERE, random, inputs(random), 6):
        yield probe(Numbers(made))
    about = f"Each of {ROW} functions in a row uses the one before it twice"
    yield Probe(row(ROW, 2, random), {"used": "v0", "uses": 2}, calls=20_000, about=about, shown=CALL)


def probe(numbers):
    """Return the probe of a graph with all of its variables, also those that z does not depend on."""
    uses = [(x, y) for y in numbers.made for x in numbers.inputs[y]]
    children = {x: [y for start, y in uses if start == x] for x in numbers.made}
    users = {x: [y for y in children[x] if leads(y, children)] for x in numbers.made}
    made = [x for x in numbers.made if users[x] and numbers.inputs[x]] or [x for x in numbers.made if users[x]]
    used = max(made, key=lambda x: len(users[x]))
    waits = next((x for x in made if len(users[x]) < len(children[x])), used)
    facts = {
        "used": used,
        "uses": len(users[used]),
        "twice": max(users[used], key=users[used].count),
        "waits": waits,
        "dead": next((y for y in children[waits] if y not in users[waits]), "no variable"),
        "which": {x: f"dz/d{x}" for x in numbers.made},
        "scene": numbers.variables["z"],
    }
    slopes = {(y, x): slope for y in numbers.made for x, slope in zip(numbers.inputs[y], numbers.partials[y])}
    inputs = {y: list(numbers.inputs[y]) for y in numbers.made}
    shown = with_names(CALL, inputs=inputs, partial=slopes)
    return Probe(("z", inputs, slopes), facts, about=about(numbers), shown=shown)


def leads(y, children):
    return y == "z" or any(leads(child, children) for child in children[y])


def row(functions, uses, random):
    """Return the arguments of a row of functions, each of which uses the one before so many times."""
    names = [*(f"v{k}" for k in range(functions)), "z"]
    partial = {(y, x): random.choice((1, -1)) for x, y in zip(names, names[1:])}
    return "z", {"v0": []} | {y: [x] * uses for x, y in zip(names, names[1:])}, partial
